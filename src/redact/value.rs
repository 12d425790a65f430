//! What stands behind a name: separator and value in JSON, YAML, ini, query strings, headers, command lines, XML,
//! tables and SQL. Everything works on bytes and gives byte offsets on character boundaries. PURE.

/// A value behind a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) how: How,
}

/// How a value was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// In quotes, or as an element or attribute.
    Quoted,
    /// Behind `=` or the like.
    Assigned,
    /// Behind `:`; more words may follow.
    Colon,
    /// Behind a blank only (`--password x`), or in the next cell of a table.
    Blank,
}

/// Longest value that is looked at.
const MAX: usize = 8192;

fn blanks(t: &[u8], mut p: usize) -> usize {
    while matches!(t.get(p), Some(b' ' | b'\t')) {
        p += 1;
    }
    p
}

/// The quote at `p`: its length and its text (`"`, `'`, a backtick, any of them behind backslashes, typographic ones).
fn quote(t: &[u8], p: usize) -> Option<(usize, &[u8])> {
    let mut q = p;
    while t.get(q) == Some(&b'\\') && q < p + 8 {
        q += 1;
    }
    if matches!(t.get(q), Some(b'"' | b'\'' | b'`')) {
        return t.get(p..=q).map(|s| (q + 1 - p, s));
    }
    let three = t.get(p..p + 3)?;
    matches!(three, [0xE2, 0x80, 0x98 | 0x99 | 0x9C | 0x9D]).then_some((3, three))
}

/// The value behind the name that ends at `end`. `flag`: the name is a command-line switch, so a blank is enough.
pub(super) fn behind(text: &str, start: usize, end: usize, flag: bool) -> Option<Value> {
    let t = text.as_bytes();
    let mut p = end;
    // The quote that closes the name, the bracket of an index, an XML attribute list.
    if let Some((n, _)) = quote(t, p) {
        p += n;
        if t.get(p) == Some(&b']') {
            p += 1;
        }
        if let Some(v) = pair(text, p) {
            return Some(v);
        }
    } else if t.get(p) == Some(&b']') {
        p += 1;
    } else if element(t, start) {
        return element_value(text, start, p);
    } else if matches!(t.get(p), Some(b'\n' | b'\r')) {
        // YAML: `- name: API_KEY`, and `value:` on the next line.
        return pair(text, p);
    }
    let after_name = p;
    p = blanks(t, p);
    // A type between name and value: `password: String = "x"`, `string password = "x"` needs none.
    let sep = separator(t, p);
    match sep {
        // A string that ends in the separator (`"password="`): what follows its quote is something else.
        Some((n, _))
            if after_name == end
                && start > 0
                && quote(t, p + n).is_some()
                && t.get(p + n) == t.get(start - 1) =>
        {
            None
        }
        Some((n, colon)) => value(text, p + n, colon),
        None if flag && p > after_name => blank_value(text, p),
        None if t.get(p) == Some(&b'|') => cell(text, p + 1),
        // SQL and netrc: `PASSWORD 'x'`.
        None if p > after_name && matches!(t.get(p), Some(b'\'' | b'"')) => quoted(text, p),
        None => None,
    }
}

/// The separator at `p`: its length, and whether it is a colon.
fn separator(t: &[u8], p: usize) -> Option<(usize, bool)> {
    match (t.get(p), t.get(p + 1), t.get(p + 2)) {
        (Some(b'='), Some(b'='), Some(b'=')) => Some((3, false)),
        (Some(b'='), Some(b'>' | b'='), _)
        | (Some(b':'), Some(b'='), _)
        | (Some(b'-'), Some(b'>'), _)
        | (Some(b'!'), Some(b'='), _) => Some((2, false)),
        (Some(b'='), ..) => Some((1, false)),
        // A scheme or a scope (`key::x`, `token://`) is no separator.
        (Some(b':'), Some(b':'), _) | (Some(b':'), Some(b'/'), Some(b'/')) => None,
        (Some(b':'), ..) => Some((1, true)),
        _ => None,
    }
}

fn value(text: &str, from: usize, colon: bool) -> Option<Value> {
    let t = text.as_bytes();
    let mut p = blanks(t, from);
    // Pretty-printed JSON and YAML block scalars put the value on the next line.
    if matches!(t.get(p), Some(b'\n' | b'\r')) {
        let q = next_line(t, p);
        return if matches!(t.get(q), Some(b'"' | b'\'')) {
            quoted(text, q)
        } else {
            None
        };
    }
    if colon && matches!(t.get(p), Some(b'|' | b'>')) {
        let mut q = p + 1;
        while matches!(t.get(q), Some(b'-' | b'+')) {
            q += 1;
        }
        let q = blanks(t, q);
        if matches!(t.get(q), Some(b'\n' | b'\r')) {
            let start = next_line(t, q);
            return (start > q)
                .then(|| Value {
                    start,
                    end: line_end(t, start),
                    how: How::Quoted,
                })
                .filter(|v| v.end > v.start);
        }
    }
    // `b"x"`, `r'x'`, `@"x"`, `[ "x"`.
    if matches!(t.get(p), Some(b'[' | b'(' | b'{')) && quote(t, blanks(t, p + 1)).is_some() {
        p = blanks(t, p + 1);
    } else if matches!(
        t.get(p),
        Some(b'b' | b'r' | b'u' | b'f' | b'@' | b'$' | b'N' | b'L')
    ) && quote(t, p + 1).is_some()
        && t.get(p + 1) != Some(&b'\\')
    {
        p += 1;
    }
    if quote(t, p).is_some() {
        return quoted(text, p);
    }
    let v = bare(text, p, colon)?;
    // `password: String = "x"`: the word was a type.
    let q = blanks(t, v.end);
    if v.end - v.start < 24 && t.get(q) == Some(&b'=') && t.get(q + 1) != Some(&b'=') {
        let q = blanks(t, q + 1);
        if quote(t, q).is_some() {
            return quoted(text, q);
        }
    }
    Some(v)
}

fn next_line(t: &[u8], mut p: usize) -> usize {
    while matches!(t.get(p), Some(b'\n' | b'\r' | b' ' | b'\t')) {
        p += 1;
    }
    p
}

fn line_end(t: &[u8], from: usize) -> usize {
    let limit = (from + MAX).min(t.len());
    let mut end = t
        .get(from..limit)
        .and_then(|s| s.iter().position(|b| matches!(b, b'\n' | b'\r')))
        .map_or(limit, |i| from + i);
    while end > from && matches!(t.get(end - 1), Some(b' ' | b'\t')) {
        end -= 1;
    }
    end
}

/// A quoted value whose quote begins at `p`. Doubled and escaped quotes belong to it; an unclosed one ends with its line.
fn quoted(text: &str, p: usize) -> Option<Value> {
    let t = text.as_bytes();
    let (n, open) = quote(t, p)?;
    let close: &[u8] = match open {
        [0xE2, 0x80, 0x98] => &[0xE2, 0x80, 0x99],
        [0xE2, 0x80, 0x9C] => &[0xE2, 0x80, 0x9D],
        other => other,
    };
    let start = p + n;
    let mut q = start;
    while q < start + MAX {
        let Some(&b) = t.get(q) else { break };
        if b == b'\n' || b == b'\r' {
            break;
        }
        if t.get(q..q + close.len()) == Some(close) {
            // A doubled single quote is one (SQL, libpq); `""` only where more of the value follows.
            let doubled = close.len() == 1 && t.get(q + 1) == close.first() && q > start;
            if doubled && t.get(q + 2).is_some_and(|b| b.is_ascii_alphanumeric()) {
                q += 2;
                continue;
            }
            return Some(Value {
                start,
                end: q,
                how: How::Quoted,
            });
        }
        if b == b'\\' && close.len() == 1 {
            q += 2;
            continue;
        }
        q += 1;
    }
    let mut end = q.min(t.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    Some(Value {
        start,
        end,
        how: How::Quoted,
    })
}

/// A bare value: up to a blank or a character that ends values where it stands.
fn bare(text: &str, start: usize, colon: bool) -> Option<Value> {
    let t = text.as_bytes();
    let mut p = start;
    while p < start + MAX {
        let Some(&b) = t.get(p) else { break };
        let next = t.get(p + 1);
        let ends = match b {
            b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'\'' | b'`' | b'<' => true,
            // Query strings and connection strings: only where another pair or nothing follows.
            b'&' | b';' => {
                !colon || next.is_none_or(|n| n.is_ascii_whitespace() || n.is_ascii_alphabetic())
            }
            b',' => {
                next.is_none_or(|n| n.is_ascii_whitespace() || *n == b'"' || *n == b'\'')
                    || another_pair(t, p + 1)
            }
            b'|' => next.is_none_or(u8::is_ascii_whitespace) || !colon,
            b'\\' => matches!(next, Some(b'n' | b'r' | b'"' | b'\'')),
            b'>' => true,
            _ => false,
        };
        if ends {
            break;
        }
        p += 1;
    }
    let mut end = p.min(t.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut s = text.get(start..end)?;
    // Punctuation of the sentence or of the structure around it.
    loop {
        let trimmed = match s.as_bytes().last() {
            Some(b',' | b';' | b'.' | b':') => s.get(..s.len() - 1)?,
            Some(b')') if !s.contains('(') => s.get(..s.len() - 1)?,
            Some(b']') if !s.contains('[') => s.get(..s.len() - 1)?,
            Some(b'}') if !s.contains('{') => s.get(..s.len() - 1)?,
            _ => break,
        };
        s = trimmed;
    }
    (!s.is_empty()).then(|| Value {
        start,
        end: start + s.len(),
        how: if colon { How::Colon } else { How::Assigned },
    })
}

/// True when `name=` or `name:` begins at `p`.
fn another_pair(t: &[u8], p: usize) -> bool {
    let n = t
        .iter()
        .skip(p)
        .take(40)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
        .count();
    n > 1 && matches!(t.get(p + n), Some(b'=' | b':'))
}

/// The rest of a value of several words behind a colon: to the end of the line, or to where another pair, cell or
/// bracket begins.
pub(super) fn more_words(text: &str, v: Value) -> usize {
    let t = text.as_bytes();
    let stop = line_end(t, v.end).min(v.start + 256);
    let mut end = v.end;
    let mut p = v.end;
    while p < stop {
        let at = blanks(t, p);
        if at == p || at >= stop {
            break;
        }
        let word = t
            .iter()
            .skip(at)
            .take(stop - at)
            .take_while(|b| !b.is_ascii_whitespace())
            .count();
        let head = t.get(at).copied().unwrap_or(b' ');
        if matches!(
            head,
            b'|' | b'(' | b'[' | b'{' | b'}' | b']' | b')' | b'<' | b'-' | b'#' | b'/'
        ) || another_pair(t, at)
        {
            break;
        }
        end = at + word;
        p = end;
        if matches!(t.get(end - 1), Some(b',' | b';' | b'}' | b']' | b')')) {
            end -= 1;
            break;
        }
    }
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end.max(v.end)
}

/// A value behind a blank: one word that is no switch.
fn blank_value(text: &str, p: usize) -> Option<Value> {
    let t = text.as_bytes();
    if quote(t, p).is_some() {
        return quoted(text, p);
    }
    if matches!(t.get(p), Some(b'-' | b'\n' | b'\r') | None) {
        return None;
    }
    bare(text, p, false).map(|v| Value {
        how: How::Blank,
        ..v
    })
}

/// The next cell of a table.
fn cell(text: &str, p: usize) -> Option<Value> {
    let t = text.as_bytes();
    let start = blanks(t, p);
    let line = line_end(t, start);
    let end = t
        .get(start..line)?
        .iter()
        .position(|b| *b == b'|')
        .map_or(line, |i| start + i);
    let s = text.get(start..end)?.trim_end();
    (!s.is_empty() && !s.contains(' ')).then(|| Value {
        start,
        end: start + s.len(),
        how: How::Blank,
    })
}

/// `"name": "password", "value": "x"` and `key="password" value="x"`: the name is itself a value.
fn pair(text: &str, p: usize) -> Option<Value> {
    let t = text.as_bytes();
    let mut q = p;
    while q < p + 40 && matches!(t.get(q), Some(b' ' | b'\t' | b',' | b'\n' | b'\r')) {
        q += 1;
    }
    if q == p {
        return None;
    }
    if let Some((n, _)) = quote(t, q) {
        q += n;
    }
    let word = ["value", "Value", "VALUE", "val", "default", "content"]
        .into_iter()
        .find(|w| t.get(q..q + w.len()) == Some(w.as_bytes()))?;
    q += word.len();
    if let Some((n, _)) = quote(t, q) {
        q += n;
    }
    q = blanks(t, q);
    let (n, colon) = separator(t, q)?;
    value(text, q + n, colon)
}

/// True when the name is an XML element's: `<password`, `<ns:password`.
fn element(t: &[u8], start: usize) -> bool {
    let mut p = start;
    while p > 0
        && start - p < 40
        && t.get(p - 1)
            .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b':' | b'_' | b'-' | b'.'))
    {
        p -= 1;
    }
    p > 0 && t.get(p - 1) == Some(&b'<')
}

fn element_value(text: &str, start: usize, name_end: usize) -> Option<Value> {
    let t = text.as_bytes();
    let limit = (name_end + 512).min(t.len());
    let close = t
        .get(name_end..limit)?
        .iter()
        .position(|b| *b == b'>')
        .map(|i| name_end + i)?;
    if t.get(name_end..close)?.contains(&b'<') || t.get(close - 1) == Some(&b'/') {
        return None;
    }
    if !matches!(t.get(name_end), Some(b'>' | b' ' | b'\t' | b'\n' | b'\r')) || start > name_end {
        return None;
    }
    let mut from = close + 1;
    if t.get(from..from + 9) == Some(b"<![CDATA[") {
        from += 9;
    }
    let stop = (from + MAX).min(t.len());
    let end = t
        .get(from..stop)?
        .iter()
        .position(|b| *b == b'<')
        .map_or(stop, |i| from + i);
    let s = text.get(from..end)?;
    let lead = s.len() - s.trim_start().len();
    let s = s.trim().trim_end_matches("]]>");
    (!s.is_empty()).then(|| Value {
        start: from + lead,
        end: from + lead + s.len(),
        how: How::Quoted,
    })
}

//! How one character of a secret may be written: raw, percent-encoded (any number of times), as a JSON, C or octal
//! escape, as an HTML entity, quoted-printable, full width; and what may stand between two characters without
//! breaking the secret for a reader: terminal escapes, format characters, line breaks. PURE.

/// One way to read what stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    bytes: [u8; 4],
    len: u8,
    /// Where the next character starts.
    pub(super) next: usize,
}

impl Reading {
    const fn byte(b: u8, next: usize) -> Self {
        Self {
            bytes: [b, 0, 0, 0],
            len: 1,
            next,
        }
    }

    fn char(c: char, next: usize) -> Self {
        let mut bytes = [0; 4];
        let len = c.encode_utf8(&mut bytes).len() as u8;
        Self { bytes, len, next }
    }

    /// The bytes that it stands for.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// The character, when it is one.
    fn as_char(&self) -> Option<char> {
        std::str::from_utf8(self.bytes())
            .ok()
            .and_then(|s| s.chars().next())
    }

    /// The ASCII character that a tag character (U+E0020 to U+E007E) repeats.
    pub(super) fn tagged(&self) -> Option<u8> {
        self.as_char()
            .map(u32::from)
            .filter(|c| (0xE0020..=0xE007E).contains(c))
            .and_then(|c| u8::try_from(c - 0xE0000).ok())
    }

    /// True when it stands for something that a reader skips.
    pub(super) fn is_gap(&self) -> bool {
        self.as_char()
            .is_some_and(|c| matches!(c, '\n' | '\r') || is_invisible(c))
    }
}

/// How deep one escape may be nested in its own kind (`%252541`, `&amp;amp;#65;`).
const NESTED: usize = 5;

/// Bytes at which an escape may begin.
pub(super) const fn starts_escape(b: u8) -> bool {
    matches!(b, b'%' | b'\\' | b'&' | b'=' | b'+' | 0xEF | 0xF3)
}

/// Escapes of different kinds inside one another (a percent-encoded JSON escape of an entity).
const KINDS: usize = 3;
/// Bytes that one escape can be long once what is around it is undone; and before.
const SHORT: usize = 16;
const LONG: usize = 192;

/// Every escaped reading of what stands at `p` (the raw byte itself is not among them), escapes inside escapes too.
pub(super) fn escaped(t: &[u8], p: usize, out: &mut Vec<Reading>) {
    nested(t, p, out, KINDS);
}

fn nested(t: &[u8], p: usize, out: &mut Vec<Reading>, kinds: usize) {
    let first = out.len();
    direct(t, p, out);
    let starter = |b: &u8| matches!(b, b'%' | b'\\' | b'&');
    if kinds == 0 || !t.get(p).is_some_and(starter) {
        return;
    }
    // Worth a closer look only where an escape gives the beginning of another, or another begins inside this one.
    let gives_another = out
        .iter()
        .skip(first)
        .any(|r| r.bytes().first().is_some_and(starter));
    let holds_another = t
        .get(p + 1..(p + 12).min(t.len()))
        .is_some_and(|s| s.iter().any(starter));
    if !gives_another && !holds_another {
        return;
    }
    for family in [b'%', b'\\', b'&'] {
        // What stands here with one kind of escape undone, and where each byte of it ends in the text. It is read
        // from `p` on and not from the start of the line: what stands in front cannot change its meaning.
        let (mut bytes, mut ends) = ([0u8; SHORT], [0usize; SHORT]);
        let (mut len, mut q, mut changed) = (0, p, false);
        let mut one = Vec::new();
        while len < SHORT && q < p + LONG {
            let Some(&b) = t.get(q) else { break };
            one.clear();
            if b == family {
                direct(t, q, &mut one);
            }
            let reading = one.first().copied().unwrap_or(Reading::byte(b, q + 1));
            changed |= !one.is_empty();
            for &b in reading.bytes() {
                if len < SHORT {
                    bytes[len] = b;
                    ends[len] = reading.next;
                    len += 1;
                }
            }
            q = reading.next;
        }
        let inner = bytes.get(..len).unwrap_or_default();
        if !changed || !inner.first().is_some_and(starter) {
            continue;
        }
        let mut readings = Vec::new();
        nested(inner, 0, &mut readings, kinds - 1);
        for r in readings {
            if let Some(&next) = r.next.checked_sub(1).and_then(|i| ends.get(i)) {
                let reading = Reading { next, ..r };
                if !out.iter().skip(first).any(|o| *o == reading) {
                    out.push(reading);
                }
            }
        }
    }
}

/// The escaped readings that one kind of escape gives.
pub(super) fn direct(t: &[u8], p: usize, out: &mut Vec<Reading>) {
    match t.get(p) {
        Some(b'%') => percent(t, p, out),
        Some(b'\\') => backslash(t, p, out),
        Some(b'&') => entity(t, p, out),
        Some(b'=') => {
            if let Some(b) = hex_byte(t, p + 1) {
                out.push(Reading::byte(b, p + 3));
            }
        }
        Some(b'+') => out.push(Reading::byte(b' ', p + 1)),
        Some(0xEF) => {
            if let Some(c) = full_width(t, p) {
                out.push(Reading::byte(c, p + 3));
            }
        }
        Some(0xF3) => {
            if let Some(c) = tag_character(t, p) {
                out.push(Reading::byte(c, p + 4));
            }
        }
        _ => {}
    }
}

/// The ASCII character that the tag character at `p` repeats (Unicode 16, 23.9).
fn tag_character(t: &[u8], p: usize) -> Option<u8> {
    match t.get(p..p + 4)? {
        [0xF3, 0xA0, 0x80, b @ 0xA0..=0xBF] => Some(b - 0x80),
        [0xF3, 0xA0, 0x81, b @ 0x80..=0xBE] => Some(b - 0x40),
        _ => None,
    }
}

fn percent(t: &[u8], p: usize, out: &mut Vec<Reading>) {
    let mut q = p + 1;
    for _ in 0..NESTED {
        if matches!(t.get(q), Some(b'u' | b'U')) {
            if let Some(c) = hex_number(t, q + 1, 4).and_then(char::from_u32) {
                out.push(Reading::char(c, q + 5));
            }
            return;
        }
        let Some(b) = hex_byte(t, q) else { return };
        out.push(Reading::byte(b, q + 2));
        if b != b'%' {
            return;
        }
        q += 2;
    }
}

fn backslash(t: &[u8], p: usize, out: &mut Vec<Reading>) {
    let mut q = p;
    while q < p + 16 && t.get(q) == Some(&b'\\') {
        q += 1;
        // An escaped backslash stands for one; escaped again, four do.
        if matches!(q - p, 2 | 4 | 8) {
            out.push(Reading::byte(b'\\', q));
        }
    }
    match t.get(q) {
        Some(b'u' | b'U') => {
            if t.get(q + 1) == Some(&b'{') {
                let end = (q + 2..q + 9).find(|&i| t.get(i) == Some(&b'}'));
                if let Some(c) = end
                    .and_then(|e| hex_number(t, q + 2, e - q - 2))
                    .and_then(char::from_u32)
                {
                    out.push(Reading::char(c, end.unwrap_or(q) + 1));
                }
            } else if let Some(n) = hex_number(t, q + 1, 4) {
                if let Some(c) = char::from_u32(n) {
                    out.push(Reading::char(c, q + 5));
                } else if let Some((c, next)) = surrogates(t, q, n) {
                    out.push(Reading::char(c, next));
                }
            }
        }
        Some(b'x' | b'X') => {
            if let Some(b) = hex_byte(t, q + 1) {
                out.push(Reading::byte(b, q + 3));
            }
        }
        Some(b'n') => out.push(Reading::byte(b'\n', q + 1)),
        Some(b'r') => out.push(Reading::byte(b'\r', q + 1)),
        Some(b't') => out.push(Reading::byte(b'\t', q + 1)),
        Some(b'b') => out.push(Reading::byte(8, q + 1)),
        Some(b'f') => out.push(Reading::byte(12, q + 1)),
        Some(d @ b'0'..=b'3') => {
            let digits = t.get(q..q + 3).unwrap_or_default();
            if digits.len() == 3 && digits.iter().all(|b| (b'0'..=b'7').contains(b)) {
                out.push(Reading::byte(
                    (d - b'0') * 64 + (digits[1] - b'0') * 8 + (digits[2] - b'0'),
                    q + 3,
                ));
            }
        }
        Some(&b) if b.is_ascii_punctuation() => out.push(Reading::byte(b, q + 1)),
        _ => {}
    }
}

/// A surrogate pair, `\ud83d\ude00`.
fn surrogates(t: &[u8], q: usize, high: u32) -> Option<(char, usize)> {
    let mut r = q + 5;
    while r < q + 21 && t.get(r) == Some(&b'\\') {
        r += 1;
    }
    if !(0xD800..0xDC00).contains(&high) || !matches!(t.get(r), Some(b'u' | b'U')) {
        return None;
    }
    let low = hex_number(t, r + 1, 4).filter(|l| (0xDC00..0xE000).contains(l))?;
    char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)).map(|c| (c, r + 5))
}

/// Named entities for ASCII and the invisible ones (WHATWG HTML, section 13.5; the ones an escaper writes).
const NAMED: [(&[u8], char); 45] = [
    (b"amp", '&'),
    (b"AMP", '&'),
    (b"lt", '<'),
    (b"gt", '>'),
    (b"quot", '"'),
    (b"apos", '\''),
    (b"nbsp", ' '),
    (b"sol", '/'),
    (b"bsol", '\\'),
    (b"equals", '='),
    (b"plus", '+'),
    (b"num", '#'),
    (b"percnt", '%'),
    (b"commat", '@'),
    (b"colon", ':'),
    (b"semi", ';'),
    (b"lowbar", '_'),
    (b"UnderBar", '_'),
    (b"hyphen", '-'),
    (b"dash", '-'),
    (b"period", '.'),
    (b"comma", ','),
    (b"excl", '!'),
    (b"quest", '?'),
    (b"dollar", '$'),
    (b"lpar", '('),
    (b"rpar", ')'),
    (b"lsqb", '['),
    (b"lbrack", '['),
    (b"rsqb", ']'),
    (b"rbrack", ']'),
    (b"lcub", '{'),
    (b"lbrace", '{'),
    (b"rcub", '}'),
    (b"rbrace", '}'),
    (b"Hat", '^'),
    (b"grave", '`'),
    (b"vert", '|'),
    (b"verbar", '|'),
    (b"ast", '*'),
    (b"midast", '*'),
    (b"Tab", '\t'),
    (b"NewLine", '\n'),
    (b"shy", '\u{AD}'),
    (b"ZeroWidthSpace", '\u{200B}'),
];

fn entity(t: &[u8], p: usize, out: &mut Vec<Reading>) {
    let mut q = p + 1;
    for _ in 0..NESTED {
        let Some((c, next)) = entity_body(t, q) else {
            return;
        };
        out.push(Reading::char(c, next));
        if c != '&' {
            return;
        }
        q = next;
    }
}

fn entity_body(t: &[u8], q: usize) -> Option<(char, usize)> {
    if t.get(q) == Some(&b'#') {
        let hex = matches!(t.get(q + 1), Some(b'x' | b'X'));
        let from = if hex { q + 2 } else { q + 1 };
        let mut end = from;
        while end < from + 8
            && t.get(end).is_some_and(|b| {
                if hex {
                    b.is_ascii_hexdigit()
                } else {
                    b.is_ascii_digit()
                }
            })
        {
            end += 1;
        }
        let digits = std::str::from_utf8(t.get(from..end)?).ok()?;
        let c = u32::from_str_radix(digits, if hex { 16 } else { 10 })
            .ok()
            .and_then(char::from_u32)?;
        return Some((
            c,
            if t.get(end) == Some(&b';') {
                end + 1
            } else {
                end
            },
        ));
    }
    let end = (q..q + 16).find(|&i| t.get(i).is_none_or(|b| !b.is_ascii_alphanumeric()))?;
    if t.get(end) != Some(&b';') {
        return None;
    }
    let name = t.get(q..end)?;
    NAMED
        .iter()
        .find(|(n, _)| *n == name)
        .map(|(_, c)| (*c, end + 1))
}

/// The ASCII character of a full-width one (U+FF01 to U+FF5E) at `p`.
pub(super) fn full_width(t: &[u8], p: usize) -> Option<u8> {
    match t.get(p..p + 3)? {
        [0xEF, 0xBC, b @ 0x81..=0xBF] => Some(b - 0x60),
        [0xEF, 0xBD, b @ 0x80..=0x9E] => Some(b - 0x20),
        _ => None,
    }
}

fn hex_digit(b: u8) -> Option<u8> {
    (b as char).to_digit(16).map(|d| d as u8)
}

/// The byte that two hexadecimal digits at `p` stand for.
pub(super) fn hex_byte(t: &[u8], p: usize) -> Option<u8> {
    Some(hex_digit(*t.get(p)?)? * 16 + hex_digit(*t.get(p + 1)?)?)
}

fn hex_number(t: &[u8], p: usize, digits: usize) -> Option<u32> {
    let text = std::str::from_utf8(t.get(p..p + digits)?).ok()?;
    if digits == 0 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    u32::from_str_radix(text, 16).ok()
}

/// Characters that show nothing: C0 and C1 controls (not tab and line breaks), soft hyphen, joiners, zero-width and
/// bidirectional marks, variation selectors, tags.
pub(super) const fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{0}'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{7F}'..='\u{9F}'
        | '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF9}'..='\u{FFFB}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Bytes at which something invisible, or a line break, may begin.
pub(super) const fn starts_gap(b: u8) -> bool {
    matches!(b, 0..=8 | 10..=31 | 127 | 0xC2 | 0xCD | 0xD8 | 0xE1 | 0xE2 | 0xE3 | 0xEF | 0xF0 | 0xF3)
}

/// The end of the terminal escape at `p` (ECMA-48: CSI, OSC, DCS, APC, PM, SOS and two-byte ones), `None` when
/// there is none. An unfinished string ends at the end of its line.
pub(super) fn terminal_escape(t: &[u8], p: usize) -> Option<usize> {
    let (kind, body) = match (t.get(p), t.get(p + 1)) {
        (Some(0x1B), Some(&k)) => (k, p + 2),
        (Some(0x1B), None) => return Some(p + 1),
        (Some(0xC2), Some(0x9B)) => (b'[', p + 2),
        (Some(0xC2), Some(0x90 | 0x98 | 0x9D | 0x9E | 0x9F)) => (b']', p + 2),
        _ => return None,
    };
    match kind {
        b'[' => {
            let mut q = body;
            while t.get(q).is_some_and(|b| (0x20..=0x3F).contains(b)) {
                q += 1;
            }
            Some(if t.get(q).is_some_and(|b| (0x40..=0x7E).contains(b)) {
                q + 1
            } else {
                q
            })
        }
        b']' | b'P' | b'X' | b'^' | b'_' => {
            let mut q = body;
            loop {
                match t.get(q) {
                    None | Some(b'\n') => return Some(q),
                    Some(0x07) => return Some(q + 1),
                    Some(0x1B) => {
                        return Some(if t.get(q + 1) == Some(&b'\\') {
                            q + 2
                        } else {
                            q
                        });
                    }
                    Some(0xC2) if t.get(q + 1) == Some(&0x9C) => return Some(q + 2),
                    Some(_) => q += 1,
                }
            }
        }
        b'(' | b')' | b'*' | b'+' | b'#' | b'%' | b' ' => {
            Some(if t.get(body).is_some_and(u8::is_ascii) {
                body + 1
            } else {
                body
            })
        }
        0x30..=0x7E => Some(body),
        _ => Some(p + 1),
    }
}

/// The length in bytes of the invisible character at `p`, or 0.
pub(super) fn invisible_len(t: &[u8], p: usize) -> usize {
    let Some(&b) = t.get(p) else { return 0 };
    if b < 0x80 {
        return usize::from(is_invisible(b as char));
    }
    let len = match b {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return 0,
    };
    let c = t
        .get(p..p + len)
        .and_then(|s| std::str::from_utf8(s).ok())
        .and_then(|s| s.chars().next());
    if c.is_some_and(is_invisible) { len } else { 0 }
}

/// Where a reader goes on after a gap that begins at `p`: behind escapes and invisible characters, behind a line
/// break with the marks of quoting and tables around it. Empty when no gap begins here. More than one place when
/// marks behind a break could also be the text itself.
pub(super) fn gaps(t: &[u8], p: usize, out: &mut Vec<usize>) {
    if matches!(t.get(p), Some(b' '..=b'~')) {
        // Visible, so neither an escape nor invisible.
        line_break(t, p, out);
        return;
    }
    if let Some(q) = terminal_escape(t, p) {
        out.push(q);
        return;
    }
    let n = invisible_len(t, p);
    if n > 0 {
        out.push(p + n);
        return;
    }
    line_break(t, p, out);
}

fn line_break(t: &[u8], p: usize, out: &mut Vec<usize>) {
    // Before the break: blanks, a continuation mark, a closing quote or table bar.
    let mut q = p;
    while q < p + 64
        && t.get(q).is_some_and(|b| {
            matches!(
                b,
                b' ' | b'\t' | b'\\' | b'=' | b'|' | b'"' | b'\'' | b'+' | b','
            )
        })
    {
        q += 1;
    }
    let tag = t.get(q..).and_then(break_tag);
    if !matches!(t.get(q), Some(b'\n' | b'\r')) && tag.is_none() {
        return;
    }
    q += tag.unwrap_or(0);
    while q < p + 4096 && matches!(t.get(q), Some(b'\n' | b'\r')) {
        q += 1;
    }
    // Blanks behind it are indentation, or the last one is the secret's own.
    let broke = q;
    while q < p + 4096 && matches!(t.get(q), Some(b'\n' | b'\r' | b' ' | b'\t')) {
        q += 1;
    }
    if q > broke {
        out.extend([broke, q - 1]);
    }
    out.push(q);
    // Behind it: quoting and table marks, each of which may be the secret's own next character.
    let from = q;
    while q < from + 16
        && t.get(q).is_some_and(|b| {
            matches!(
                b,
                b'|' | b'>' | b'#' | b'"' | b'\'' | b'+' | b'*' | b' ' | b'\t'
            )
        })
    {
        q += 1;
        out.push(q);
    }
}

/// The length of an HTML line break at the start of `t`.
fn break_tag(t: &[u8]) -> Option<usize> {
    for tag in [&b"<br>"[..], b"<br/>", b"<br />", b"<wbr>", b"<wbr/>"] {
        if t.get(..tag.len())
            .is_some_and(|s| s.eq_ignore_ascii_case(tag))
        {
            return Some(tag.len());
        }
    }
    None
}

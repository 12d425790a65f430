//! The marks themselves: what may stand at one place of a text and what it means.

use super::{is_invisible, words};

/// How far a mark looks around itself, in bytes.
const REACH: usize = 64;

/// One mark: the range it takes and the plain text in its place.
pub(super) struct Mark {
    pub(super) start: usize,
    pub(super) end: usize,
    /// A bracket further right that belongs to the mark.
    pub(super) closing: Option<usize>,
    pub(super) defang: bool,
    plain: [u8; 3],
    length: u8,
}

impl Mark {
    pub(super) fn new(start: usize, end: usize, plain: &str, defang: bool) -> Self {
        let mut bytes = [0; 3];
        let length = plain.len().min(3);
        bytes[..length].copy_from_slice(&plain.as_bytes()[..length]);
        Self {
            start,
            end,
            closing: None,
            defang,
            plain: bytes,
            length: length as u8,
        }
    }

    pub(super) fn text(&self) -> &str {
        std::str::from_utf8(&self.plain[..usize::from(self.length)]).unwrap_or_default()
    }
}

/// Bytes at which a mark can start.
pub(super) const TRIGGER: [bool; 256] = {
    let mut table = [false; 256];
    let starts = b"[({<])}\\ &";
    let mut i = 0;
    while i < starts.len() {
        table[starts[i] as usize] = true;
        i += 1;
    }
    let mut high = 0x80;
    while high < 256 {
        table[high] = true;
        high += 1;
    }
    table
};

fn alnum(b: Option<u8>) -> bool {
    b.is_some_and(|b| b.is_ascii_alphanumeric() || b >= 0x80)
}

/// The byte `n` places before `at`, not further left than `floor` allows nothing to be taken twice.
fn before(b: &[u8], at: usize, n: usize) -> Option<u8> {
    at.checked_sub(n).and_then(|i| b.get(i)).copied()
}

/// The mark at byte `at`, if one is there. Nothing left of `floor` may be taken.
pub(super) fn at(text: &str, at: usize, floor: usize) -> Option<Mark> {
    let b = text.as_bytes();
    match b[at] {
        b'[' | b'(' | b'{' | b'<' => bracket(b, at, floor)
            .or_else(|| half_left(b, at))
            .or_else(|| bracketed_label(b, at)),
        b']' | b')' | b'}' => half_right(b, at),
        b'\\' => backslash(b, at),
        b' ' => spelled(text, at),
        b'&' => entity(b, at),
        _ => wide(text, at),
    }
}

const fn closer(open: u8) -> u8 {
    match open {
        b'[' => b']',
        b'(' => b')',
        b'{' => b'}',
        _ => b'>',
    }
}

/// `[.]`, `(dot)`, `{at}`, `[://]`, also with single blanks inside and around.
fn bracket(b: &[u8], at: usize, floor: usize) -> Option<Mark> {
    let open = b[at];
    let doubled = b.get(at + 1) == Some(&open);
    let mut i = at + 1 + usize::from(doubled);
    if b.get(i) == Some(&b' ') {
        i += 1;
    }
    if b.get(i) == Some(&b'\\') {
        i += 1;
    }
    let word = |w: &[u8]| {
        b.get(i..i + w.len())
            .is_some_and(|t| t.eq_ignore_ascii_case(w))
    };
    let (plain, length) = if word(b"://") {
        ("://", 3)
    } else if word(b"::") {
        ("::", 2)
    } else if word(b"//") {
        ("//", 2)
    } else if word(b":/") {
        (":/", 2)
    } else if word(b"dot") || word(b"d0t") {
        (".", 3)
    } else if word(b"at") {
        ("@", 2)
    } else {
        match *b.get(i)? {
            b'.' | b',' => (".", 1),
            b':' => (":", 1),
            b'/' => ("/", 1),
            b'@' => ("@", 1),
            _ => return None,
        }
    };
    i += length;
    if b.get(i) == Some(&b'\\') {
        i += 1;
    }
    if b.get(i) == Some(&b' ') {
        i += 1;
    }
    if *b.get(i)? != closer(open) {
        return None;
    }
    if doubled {
        i += 1;
        if *b.get(i)? != closer(open) {
            return None;
        }
    }
    let (mut start, mut end) = (at, i + 1);
    if start > floor && before(b, start, 1) == Some(b'\\') {
        start -= 1;
    }
    let left = before(b, start, 1);
    let right = b.get(end).copied();
    // Blanks around belong to the mark only when both are there and words stand outside.
    if left == Some(b' ')
        && right == Some(b' ')
        && start > floor
        && alnum(before(b, start, 2))
        && alnum(b.get(end + 1).copied())
    {
        start -= 1;
        end += 1;
    } else {
        let attached = match plain {
            "." => {
                alnum(left)
                    || matches!(
                        left,
                        Some(
                            b'/' | b'.'
                                | b'*'
                                | b'_'
                                | b'-'
                                | b'"'
                                | b'\''
                                | b']'
                                | b'='
                                | b'?'
                                | b'&'
                                | b'%'
                                | b')'
                        )
                    )
                    || alnum(right)
            }
            "://" | ":/" | "//" => alnum(left) || matches!(left, Some(b'*' | b':' | b']' | b'_')),
            "/" => alnum(left) || matches!(left, Some(b':' | b'/')),
            "@" => left.is_some_and(|c| !c.is_ascii_whitespace()) && alnum(right),
            _ => {
                alnum(left)
                    || (alnum(right) && left == Some(b':'))
                    || (plain == ":" && (right == Some(b':') || matches!(left, Some(b']' | b'*'))))
            }
        };
        if !attached
            || (open == b'<' && !(alnum(left) && alnum(right)))
            || (b.get(at + 1) == Some(&b',') && !(alnum(left) && alnum(right)))
        {
            return None;
        }
    }
    Some(Mark::new(start, end, plain, true))
}

/// `evil[.com` (the bracket never closes) and `evil[.com]` (it closes behind the label).
fn half_left(b: &[u8], at: usize) -> Option<Mark> {
    if b[at] == b'<'
        || !alnum(before(b, at, 1))
        || b.get(at + 1) != Some(&b'.')
        || !alnum(b.get(at + 2).copied())
    {
        return None;
    }
    let label = b[at + 2..]
        .iter()
        .take(REACH)
        .take_while(|c| c.is_ascii_alphanumeric() || **c == b'-' || **c == b'.')
        .count();
    let stop = at + 2 + label;
    let mut mark = Mark::new(at, at + 2, ".", true);
    if b.get(stop) == Some(&closer(b[at])) {
        let letters = b[at + 2..stop]
            .iter()
            .all(|c| c.is_ascii_alphabetic() || *c == b'.');
        // `Amazon(.com)` in brackets, but not `x[.5]`.
        mark.closing = Some(stop);
        return letters.then_some(mark);
    }
    (b[at] == b'[' || b[at] == b'{' || b[at + 2].is_ascii_lowercase()).then_some(mark)
}

/// `evil.[com]`.
fn bracketed_label(b: &[u8], at: usize) -> Option<Mark> {
    if b[at] == b'<' || before(b, at, 1) != Some(b'.') || !alnum(before(b, at, 2)) {
        return None;
    }
    let letters = b[at + 1..]
        .iter()
        .take(REACH)
        .take_while(|c| c.is_ascii_alphabetic())
        .count();
    if letters < 2 || b.get(at + 1 + letters) != Some(&closer(b[at])) {
        return None;
    }
    let mut mark = Mark::new(at, at + 1, "", true);
    mark.closing = Some(at + 1 + letters);
    Some(mark)
}

/// `evil.]com`: a closing bracket that nothing opened.
fn half_right(b: &[u8], at: usize) -> Option<Mark> {
    if before(b, at, 1) != Some(b'.') || !alnum(before(b, at, 2)) || !alnum(b.get(at + 1).copied())
    {
        return None;
    }
    let open = match b[at] {
        b']' => b'[',
        b')' => b'(',
        _ => b'{',
    };
    let from = at.saturating_sub(REACH);
    let token = b[from..at]
        .iter()
        .rev()
        .take_while(|c| !c.is_ascii_whitespace());
    let opened = token.into_iter().any(|c| *c == open);
    (!opened).then(|| Mark::new(at, at + 1, "", true))
}

/// `evil\.com`, `https:\/\/`, `mail\-gate`; not the separators of a Windows path.
fn backslash(b: &[u8], at: usize) -> Option<Mark> {
    let next = *b.get(at + 1)?;
    if next == b'/' {
        return Some(Mark::new(at, at + 2, "/", false));
    }
    if matches!(next, b'[' | b'(') {
        // `\[.\]`: the bracket decides.
        return bracket(b, at + 1, at).filter(|m| m.start == at);
    }
    let doubled = next == b'\\';
    let sign = if doubled { *b.get(at + 2)? } else { next };
    if !matches!(sign, b'.' | b'-' | b'_') {
        return None;
    }
    let end = at + 2 + usize::from(doubled);
    if !alnum(before(b, at, 1)) || !b.get(end).is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let from = at.saturating_sub(REACH);
    let token = b[from..at]
        .iter()
        .rev()
        .take_while(|c| !c.is_ascii_whitespace());
    let mut right = b'\\';
    for &c in token {
        if c == b'\\' && !matches!(right, b'.' | b'-' | b'_' | b'/' | b'\\' | b'[') {
            return None;
        }
        right = c;
    }
    let plain = match sign {
        b'.' => ".",
        b'-' => "-",
        _ => "_",
    };
    // Regular expressions and file names hold `\.` too: it is undone, but no sign of intent.
    Some(Mark::new(at, end, plain, false))
}

/// `&#46;` and its kin: a dot, colon, slash or at sign as a character reference between letters or digits.
fn entity(b: &[u8], at: usize) -> Option<Mark> {
    let rest = b.get(at..at + 6).or_else(|| b.get(at..at + 5))?;
    let (plain, length) = if rest.starts_with(b"&#46;") {
        (".", 5)
    } else if rest.eq_ignore_ascii_case(b"&#x2e;") {
        (".", 6)
    } else if rest.starts_with(b"&#64;") {
        ("@", 5)
    } else if rest.eq_ignore_ascii_case(b"&#x40;") {
        ("@", 6)
    } else if rest.starts_with(b"&#58;") {
        (":", 5)
    } else if rest.starts_with(b"&#47;") {
        ("/", 5)
    } else {
        return None;
    };
    let sign = |c: Option<u8>| alnum(c) || matches!(c, Some(b'&' | b':' | b'/' | b';'));
    (sign(before(b, at, 1)) && sign(b.get(at + length).copied()))
        .then(|| Mark::new(at, at + length, plain, false))
}

/// ` dot ` and ` at ` as words.
fn spelled(text: &str, at: usize) -> Option<Mark> {
    let b = text.as_bytes();
    match b.get(at + 1)? | 0x20 {
        b'd' => {
            let end = word_end(b, at, b"dot")?;
            let (left, right) = (left_word(text, at)?, right_word(text, end)?);
            let more = follows_dot(b, end + right.len());
            words::is_dot(left, right, &b[at + 1..at + 4] == b"DOT", more)
                .then(|| Mark::new(at, end, ".", true))
        }
        b'a' => {
            let end = word_end(b, at, b"at")?;
            let (left, right) = (left_word(text, at)?, right_word(text, end)?);
            let upper = &b[at + 1..at + 3] == b"AT";
            let behind = end + right.len();
            let spelled_host = follows_dot(b, behind);
            // A headline in capitals ("LOOK AT EVIL.COM") is no address.
            let lower = !left.bytes().any(|c| c.is_ascii_uppercase());
            let marked_host =
                upper && lower && (right.contains('.') || b.get(behind) == Some(&b'['));
            ((spelled_host || marked_host) && words::is_at(left, upper))
                .then(|| Mark::new(at, end, "@", true))
        }
        _ => None,
    }
}

/// The end of a blank, the word and a blank, when words stand on both sides.
fn word_end(b: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    let end = at + 1 + word.len();
    let fits = b.get(at + 1..end)?.eq_ignore_ascii_case(word) && b.get(end) == Some(&b' ');
    (fits && alnum(before(b, at, 1)) && alnum(b.get(end + 1).copied())).then_some(end + 1)
}

/// Whether ` dot ` or `[.]` follows at `at`.
fn follows_dot(b: &[u8], at: usize) -> bool {
    let rest = &b[at.min(b.len())..];
    let rest = rest.strip_prefix(b" ").unwrap_or(rest);
    let starts = |w: &[u8]| {
        rest.get(..w.len())
            .is_some_and(|t| t.eq_ignore_ascii_case(w))
    };
    starts(b"dot ") || starts(b"[dot]") || starts(b"(dot)") || starts(b"{dot}")
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'+')
}

fn left_word(text: &str, end: usize) -> Option<&str> {
    let b = text.as_bytes();
    let length = b[..end]
        .iter()
        .rev()
        .take(REACH)
        .take_while(|c| is_word(**c))
        .count();
    text.get(end - length..end).filter(|w| !w.is_empty())
}

fn right_word(text: &str, start: usize) -> Option<&str> {
    let b = text.as_bytes();
    let length = b[start..]
        .iter()
        .take(REACH)
        .take_while(|c| c.is_ascii_alphanumeric() || **c == b'-' || **c == b'.')
        .count();
    text.get(start..start + length)
        .map(|w| w.trim_end_matches('.'))
        .filter(|w| !w.is_empty())
}

/// Full-width forms, dots of other scripts, and characters that take no room.
fn wide(text: &str, at: usize) -> Option<Mark> {
    let c = text.get(at..)?.chars().next()?;
    let end = at + c.len_utf8();
    let left = before(text.as_bytes(), at, 1);
    let next = text.as_bytes().get(end).copied();
    if is_invisible(c) && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') {
        return Some(Mark::new(at, end, "", false));
    }
    let mut buffer = [0; 4];
    let plain: &str = match c {
        '\u{ff10}'..='\u{ff19}'
        | '\u{ff21}'..='\u{ff3a}'
        | '\u{ff41}'..='\u{ff5a}'
        | '\u{ff0d}'
        | '\u{ff0f}'
        | '\u{ff1a}'
        | '\u{ff20}'
        | '\u{ff3f}' => char::from_u32(u32::from(c) - 0xfee0)?.encode_utf8(&mut buffer),
        '\u{ff0e}' | '\u{3002}' | '\u{ff61}' | '\u{fe52}' | '\u{2024}' => {
            // A full stop between a Latin name and the next Chinese sentence is no dot of a name.
            let other_script = |b: Option<u8>| b.is_some_and(|b| b >= 0x80);
            if !alnum(left) || !alnum(next) || (other_script(next) && !other_script(left)) {
                return None;
            }
            "."
        }
        '\u{2010}'..='\u{2013}' | '\u{2212}' => {
            let number = |b: Option<u8>| b.is_some_and(|b| b.is_ascii_digit());
            if !(number(next) && (number(left) || matches!(left, Some(b'E' | b'e')))) {
                return None;
            }
            "-"
        }
        _ => return None,
    };
    Some(Mark::new(at, end, plain, false))
}

//! Private keys in PEM (RFC 7468) and OpenPGP armour: whole, cut at either end, with escaped line breaks, quoted, or
//! in a table. Certificates and public keys stay. PURE.

use super::class::{Class, Span};

/// Bytes of a block's label that are looked at.
const LABEL: usize = 64;

/// A block whose `-----BEGIN` begins at `at`; gives the end of what was taken.
pub(super) fn begin(text: &str, at: usize, spans: &mut Vec<Span>) -> Option<usize> {
    let after = label(text, at + "-----BEGIN".len())?;
    let end = match text.get(after..).and_then(find_end) {
        Some(i) if after + i > after => after + i,
        _ => after + body(text.get(after..).unwrap_or_default()),
    };
    spans.push(Span::new(at, end, Class::PrivateKey));
    Some(end)
}

/// Behind the label when it names a private key.
fn label(text: &str, from: usize) -> Option<usize> {
    let t = text.as_bytes();
    let limit = (from + LABEL).min(t.len());
    let s = t.get(from..limit)?;
    let dashes = s.windows(5).position(|w| w == b"-----");
    let name_end = dashes
        .or_else(|| {
            s.iter()
                .position(|b| matches!(b, b'\n' | b'\r' | b'"' | b'\\'))
        })
        .unwrap_or(s.len());
    let name = s.get(..name_end)?;
    let upper: Vec<u8> = name.iter().map(u8::to_ascii_uppercase).collect();
    let private =
        upper.windows(7).any(|w| w == b"PRIVATE") && upper.windows(3).any(|w| w == b"KEY");
    private.then(|| from + name_end + if dashes.is_some() { 5 } else { 0 })
}

/// The end of the block in `rest` (behind `-----END ...-----`), when an END stands behind nothing but key material.
fn find_end(rest: &str) -> Option<usize> {
    let r = rest.as_bytes();
    let reach = body(rest);
    // The END may stand a few characters behind the last line (blanks, a table's bar, an escape).
    let from = reach.saturating_sub(8);
    let limit = (reach + 64).min(r.len());
    let i = r
        .get(from..limit)?
        .windows(8)
        .position(|w| w == b"-----END")
        .map(|i| from + i)?;
    let tail_end = (i + 8 + LABEL).min(r.len());
    let tail = r.get(i + 8..tail_end)?;
    let close = tail.windows(5).position(|w| w == b"-----").map_or_else(
        || {
            tail.iter()
                .position(|b| matches!(b, b'\n' | b'"'))
                .unwrap_or(tail.len())
        },
        |d| d + 5,
    );
    let mut end = i + 8 + close;
    while !rest.is_char_boundary(end) {
        end -= 1;
    }
    Some(end)
}

/// How far key material goes: base64, the headers of old PEM and armour, and the marks of what it stands in. It ends
/// at a line that is prose.
fn body(rest: &str) -> usize {
    let r = rest.as_bytes();
    let (mut p, mut end) = (0, 0);
    while p < r.len() {
        // A line ends at a real break or an escaped one.
        let mut q = p;
        while let Some(&b) = r.get(q) {
            if b == b'\n' || (b == b'\\' && matches!(r.get(q + 1), Some(b'n' | b'r'))) {
                break;
            }
            if b == b'"'
                && q > p
                && !matches!(
                    r.get(q + 1),
                    Some(b'\n' | b'\r' | b' ' | b'+' | b'\\' | b',') | None
                )
            {
                break;
            }
            q += 1;
        }
        let Some(line) = r.get(p..q) else { break };
        match key_material(line) {
            Some(n) => {
                if n > 0 {
                    end = p + n;
                }
                if n < line.len() && line.get(n..).is_some_and(|tail| tail.starts_with(b"-----")) {
                    break;
                }
            }
            None => break,
        }
        p = match r.get(q) {
            Some(b'\\') => q + 2,
            Some(b'\n') => q + 1,
            _ => break,
        };
    }
    while !rest.is_char_boundary(end) {
        end -= 1;
    }
    end
}

/// How much of a line is key material, 0 for a blank one, `None` for prose.
fn key_material(line: &[u8]) -> Option<usize> {
    let mark = |b: &u8| {
        matches!(
            b,
            b' ' | b'\t'
                | b'\r'
                | b'|'
                | b'>'
                | b'"'
                | b'\''
                | b'+'
                | b'\\'
                | b'#'
                | b'*'
                | b','
                | b';'
                | b'.'
        )
    };
    let lead = line.iter().take_while(|b| mark(b) && **b != b'+').count();
    let s = line.get(lead..)?;
    if s.is_empty() {
        return Some(0);
    }
    if s.starts_with(b"-----") {
        return Some(lead);
    }
    for header in [
        &b"Proc-Type:"[..],
        b"DEK-Info:",
        b"Version:",
        b"Comment:",
        b"Hash:",
        b"Charset:",
        b"MessageID:",
    ] {
        if s.starts_with(header) {
            return Some(line.len());
        }
    }
    let run = s
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'='))
        .count();
    let tail = s.get(run..)?;
    // The last line may be short; a word of prose is short too, but has no digit and is followed by others.
    let only = tail.iter().all(mark) || tail.starts_with(b"-----");
    let first = s.get(..run)?;
    let dense = run >= 32
        || first
            .iter()
            .any(|b| b.is_ascii_digit() || matches!(b, b'+' | b'/' | b'='))
        || tail.starts_with(b"-----");
    if run > 0 && only && dense {
        return Some(lead + run);
    }
    // Cut by an ellipsis or glued to something: long base64 goes all the same.
    (run >= 32).then_some(lead + run)
}

/// The tail of a block whose BEGIN was cut off; `at` is where `-----END` begins.
pub(super) fn end(text: &str, at: usize, spans: &mut Vec<Span>) {
    let Some(after) = label(text, at + "-----END".len()) else {
        return;
    };
    let t = text.as_bytes();
    // Backwards over lines of key material, at most 200 of them.
    let mut start = at;
    for _ in 0..200 {
        let Some(head) = t.get(..start) else { break };
        let head_end = match head {
            [.., b'\r', b'\n'] => start - 2,
            [.., b'\n'] => start - 1,
            [.., b'\\', b'n'] => start - 2,
            _ => start,
        };
        let head = t.get(..head_end).unwrap_or_default();
        let low = head.len().saturating_sub(256);
        let line_start = head
            .get(low..)
            .and_then(|s| {
                let real = s.iter().rposition(|b| *b == b'\n').map(|i| i + 1);
                let escaped = s.windows(2).rposition(|w| w == b"\\n").map(|i| i + 2);
                real.max(escaped)
            })
            .map_or(low, |i| low + i);
        let Some(line) = t.get(line_start..head_end) else {
            break;
        };
        if line.is_empty() && line_start == start {
            break;
        }
        match key_material(line) {
            Some(n) if n > 0 && line.iter().filter(|b| b.is_ascii_alphanumeric()).count() >= 16 => {
                start = line_start
            }
            _ => {
                // `... text AbCd/+==`: the last word of the line may be key material.
                let word = line
                    .iter()
                    .rev()
                    .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'='))
                    .count();
                if word >= 16 {
                    start = head_end - word;
                }
                break;
            }
        }
        if line_start == 0 {
            break;
        }
    }
    while !text.is_char_boundary(start) {
        start += 1;
    }
    spans.push(Span::new(start, after, Class::PrivateKey));
}

//! Text inside base64: found, decoded, searched, and only the groups that carry a secret are taken out. PURE.

use super::class::Span;
use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Shorter runs hold nothing that a layer would find.
pub(super) const MIN_RUN: usize = 20;

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

/// Hands each decoded base64 text in `text` to `search`, which gives the secret stretches of it, and maps these back.
/// `known`, when given, gets what holds escapes at each of the four places where a group may begin: a configured value
/// may be escaped first, then encoded, then glued to other characters. (Unescaped ones need no decoding.)
pub(super) fn find(
    text: &str,
    spans: &mut Vec<Span>,
    mut known: Option<impl FnMut(&str) -> Vec<Span>>,
    mut search: impl FnMut(&str) -> Vec<Span>,
) {
    let t = text.as_bytes();
    let mut next = 0;
    while let Some((p, q)) = next_run(t, next) {
        let places = run(t, p, q);
        let end = places.last().map_or(q, |l| l + 1);
        let mut found = Vec::new();
        if let Some(known) = &mut known {
            at_each_place(t, &places, &mut found, known);
        }
        if !one_pass(t, &places, &mut found, &mut search) && found.is_empty() {
            // A path in front (`/x/y/<base64>`): the last segment on its own.
            if let Some(cut) = places
                .iter()
                .rposition(|i| t.get(*i) == Some(&b'/'))
                .filter(|c| places.len() - c > MIN_RUN)
            {
                one_pass(
                    t,
                    places.get(cut + 1..).unwrap_or_default(),
                    &mut found,
                    &mut search,
                );
            }
        }
        spans.append(&mut found);
        next = end.max(q);
    }
}

/// The next run of [`MIN_RUN`] or more base64 characters that begins at `p` or later. `p` is no place inside a run.
pub(super) fn next_run(t: &[u8], mut p: usize) -> Option<(usize, usize)> {
    // From the back: where the last of these is no such character, no run of that length holds any of them, so most
    // of a text of short words is never looked at.
    while let Some(window) = t.get(p..p + MIN_RUN) {
        match window.iter().rposition(|b| !IS64[usize::from(*b)]) {
            Some(i) => p += i + 1,
            None => {
                let rest = t.get(p + MIN_RUN..).unwrap_or_default();
                let more = rest.iter().take_while(|b| IS64[usize::from(**b)]).count();
                return Some((p, p + MIN_RUN + more));
            }
        }
    }
    None
}

const IS64: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = is64(b as u8);
        b += 1;
    }
    table
};

pub(super) const fn is64(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_')
}

/// The places of a run's characters. It goes on over a line break where the line was long (MIME wraps at 76, PEM at
/// 64) and the next one is base64 alone.
fn run(t: &[u8], start: usize, first_end: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (start..first_end).collect();
    let mut end = first_end;
    let mut width = first_end - start;
    while width >= 48 {
        // A real break, or an escaped one inside a JSON string; indentation and quoting marks behind it.
        let mut q = end;
        let broke = match (t.get(q), t.get(q + 1)) {
            (Some(b'\n'), _) => 1,
            (Some(b'\r'), Some(b'\n')) | (Some(b'\\'), Some(b'n')) => 2,
            _ => break,
        };
        q += broke;
        while matches!(t.get(q), Some(b' ' | b'\t' | b'>' | b'|')) && q < end + 80 {
            q += 1;
        }
        let mut r = q;
        while t.get(r).is_some_and(|b| is64(*b)) {
            r += 1;
        }
        let mut after = r;
        while t.get(after) == Some(&b'=') {
            after += 1;
        }
        let alone = t.get(after).is_none_or(|b| {
            b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'\\' | b'<' | b'|' | b',')
        });
        if r == q || !alone || r - q > width {
            break;
        }
        places.extend(q..r);
        (end, width) = (r, r - q);
    }
    places
}

/// Decodes and searches one run. True when it held text.
fn one_pass(
    t: &[u8],
    places: &[usize],
    found: &mut Vec<Span>,
    search: &mut impl FnMut(&str) -> Vec<Span>,
) -> bool {
    let chars: Vec<u8> = places.iter().filter_map(|i| t.get(*i).copied()).collect();
    if chars.iter().all(u8::is_ascii_hexdigit) {
        return false;
    }
    let url = chars.iter().any(|b| matches!(b, b'-' | b'_'));
    let engine = if url { &URL_SAFE } else { &STANDARD };
    // The start says whether it is text at all.
    let head = chars.get(..16).unwrap_or(&chars);
    if !engine.decode(head).is_ok_and(|b| plausible(&b)) {
        return false;
    }
    let whole = chars.len() - usize::from(chars.len() % 4 == 1);
    let Ok(bytes) = engine.decode(chars.get(..whole).unwrap_or_default()) else {
        return false;
    };
    let Some((decoded, unit)) = as_text(&bytes) else {
        return false;
    };
    for span in search(&decoded) {
        // UTF-16 text was searched with one byte per unit where it is ASCII.
        found.extend(groups(t, places, span.start * unit, span.end * unit, span));
    }
    true
}

/// The groups of four characters that carry the decoded bytes `start..end`.
fn groups(t: &[u8], places: &[usize], start: usize, end: usize, span: Span) -> Option<Span> {
    let first = start / 3 * 4;
    let last = (end.div_ceil(3) * 4).min(places.len());
    let (a, b) = (
        places.get(first)?,
        last.checked_sub(1).and_then(|l| places.get(l))?,
    );
    let mut stop = b + 1;
    if last == places.len() {
        while t.get(stop) == Some(&b'=') {
            stop += 1;
        }
    }
    Some(Span::new(*a, stop, span.class))
}

fn at_each_place(
    t: &[u8],
    places: &[usize],
    found: &mut Vec<Span>,
    known: &mut impl FnMut(&str) -> Vec<Span>,
) {
    let chars: Vec<u8> = places
        .iter()
        .filter_map(|i| {
            t.get(*i).map(|b| {
                if *b == b'-' {
                    b'+'
                } else if *b == b'_' {
                    b'/'
                } else {
                    *b
                }
            })
        })
        .collect();
    for skip in 0..4 {
        let body = chars.get(skip..).unwrap_or_default();
        let whole = body.len() - usize::from(body.len() % 4 == 1);
        let Ok(bytes) = STANDARD.decode(body.get(..whole).unwrap_or_default()) else {
            continue;
        };
        if !holds_escapes(&bytes) {
            continue;
        }
        // Byte for byte, so that places stay what they are.
        let narrow: String = bytes
            .iter()
            .map(|b| if b.is_ascii() { *b as char } else { '?' })
            .collect();
        let places = places.get(skip..).unwrap_or_default();
        for span in known(&narrow) {
            found.extend(groups(t, places, span.start, span.end, span));
        }
    }
}

fn holds_escapes(bytes: &[u8]) -> bool {
    bytes.windows(2).any(|w| match w[0] {
        b'%' | b'=' => w[1].is_ascii_hexdigit(),
        b'\\' => matches!(w[1], b'u' | b'x' | b'"' | b'\'' | b'/' | b'\\' | b'n'),
        b'&' => w[1].is_ascii_alphanumeric() || w[1] == b'#',
        _ => false,
    })
}

fn plausible(bytes: &[u8]) -> bool {
    let odd = bytes
        .iter()
        .filter(|b| (**b < 0x20 && !matches!(**b, b'\t' | b'\n' | b'\r' | 0)) || **b == 0x7F)
        .count();
    let high = bytes.iter().filter(|b| **b >= 0x80).count();
    let zero = bytes.iter().filter(|b| **b == 0).count();
    odd == 0
        && high * 2 <= bytes.len()
        && (zero == 0 || zero * 2 >= bytes.len().saturating_sub(2))
        && (high == 0 || std::str::from_utf8(bytes).is_ok() || high <= 2)
}

/// The text in `bytes`, and how many of its bytes one byte of the text stands for.
fn as_text(bytes: &[u8]) -> Option<(String, usize)> {
    if bytes.len() >= 8
        && bytes.iter().skip(1).step_by(2).filter(|b| **b == 0).count() * 10 >= bytes.len() / 2 * 9
    {
        let narrow: Vec<u8> = bytes
            .chunks_exact(2)
            .map(|c| if c[1] == 0 && c[0] < 0x80 { c[0] } else { b'?' })
            .collect();
        return String::from_utf8(narrow).ok().map(|s| (s, 2));
    }
    let bad = bytes
        .iter()
        .filter(|b| **b < 0x20 && !matches!(**b, b'\t' | b'\n' | b'\r' | 0x1B))
        .count();
    if bad * 50 > bytes.len() {
        return None;
    }
    match std::str::from_utf8(bytes) {
        Ok(s) => Some((s.to_owned(), 1)),
        Err(e) if e.valid_up_to() >= 12 => {
            // Cut, or glued to something: the part that is text, and the rest byte for byte.
            Some((
                bytes
                    .iter()
                    .map(|b| if b.is_ascii() { *b as char } else { '?' })
                    .collect(),
                1,
            ))
        }
        Err(_) => None,
    }
}

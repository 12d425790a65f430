//! Other readings of a text, each with a map back: without what is invisible, and decoded one level. PURE.

use super::class::Span;
use super::unit;

/// A text made from another, and where each of its bytes came from.
pub(super) struct View {
    /// The text.
    pub(super) text: String,
    /// For each byte: where its source begins and ends.
    from: Vec<(u32, u32)>,
}

impl View {
    /// The stretch of the source that `start..end` of the view came from. `None` for an empty stretch.
    pub(super) fn source(&self, start: usize, end: usize) -> Option<(usize, usize)> {
        let (first, last) = (self.from.get(start)?, self.from.get(end.checked_sub(1)?)?);
        Some((first.0 as usize, last.1 as usize))
    }

    /// Stretches of the view as stretches of the source.
    pub(super) fn to_source<'a>(&'a self, spans: &'a [Span]) -> impl Iterator<Item = Span> + 'a {
        spans.iter().filter_map(|s| {
            self.source(s.start, s.end)
                .map(|(a, b)| Span::new(a, b, s.class))
        })
    }

    fn build(mut bytes: Vec<u8>, from: Vec<(u32, u32)>) -> Self {
        // Percent-encoded bytes need not be UTF-8. The map is by byte, so each bad one becomes one character.
        let mut at = 0;
        while let Err(e) = std::str::from_utf8(bytes.get(at..).unwrap_or_default()) {
            at += e.valid_up_to();
            let bad = e.error_len().unwrap_or(bytes.len() - at).max(1);
            for b in bytes.iter_mut().skip(at).take(bad) {
                *b = b'?';
            }
            at += bad;
        }
        Self {
            text: String::from_utf8_lossy(&bytes).into_owned(),
            from,
        }
    }
}

/// `text` without terminal escapes and invisible characters, full-width characters in ASCII. `None` when it has none.
pub(super) fn visible(text: &str) -> Option<View> {
    let t = text.as_bytes();
    let first = t.iter().enumerate().position(|(i, &b)| {
        unit::starts_gap(b)
            && !matches!(b, b'\n' | b'\r')
            && (unit::terminal_escape(t, i).is_some()
                || unit::invisible_len(t, i) > 0
                || unit::full_width(t, i).is_some())
    })?;
    let mut bytes = Vec::with_capacity(t.len());
    let mut from = Vec::with_capacity(t.len());
    let mut push = |b: u8, start: usize, end: usize, from: &mut Vec<(u32, u32)>| {
        bytes.push(b);
        from.push((start as u32, end as u32));
    };
    for (i, &b) in t.iter().take(first).enumerate() {
        push(b, i, i + 1, &mut from);
    }
    let mut p = first;
    while let Some(&b) = t.get(p) {
        if unit::starts_gap(b) && !matches!(b, b'\n' | b'\r') {
            if let Some(end) = unit::terminal_escape(t, p) {
                p = end.max(p + 1);
                continue;
            }
            let n = unit::invisible_len(t, p);
            if n > 0 {
                p += n;
                continue;
            }
            if let Some(c) = unit::full_width(t, p) {
                push(c, p, p + 3, &mut from);
                p += 3;
                continue;
            }
        }
        push(b, p, p + 1, &mut from);
        p += 1;
    }
    Some(View::build(bytes, from))
}

/// `text` with percent, backslash and entity escapes undone once. `None` when it has none.
pub(super) fn decoded(text: &str) -> Option<View> {
    let t = text.as_bytes();
    let mut bytes = Vec::with_capacity(t.len());
    let mut from = Vec::with_capacity(t.len());
    let mut readings = Vec::new();
    let (mut p, mut changed) = (0, false);
    while let Some(&b) = t.get(p) {
        if matches!(b, b'%' | b'\\' | b'&') {
            readings.clear();
            unit::direct(t, p, &mut readings);
            // `\&#97;`: where a backslash stands in front of another escape, it is a character of its own.
            let before_other = b == b'\\'
                && readings
                    .first()
                    .is_some_and(|r| matches!(t.get(r.next - 1), Some(b'&' | b'%' | b'=')));
            if let Some(r) = readings.first().filter(|_| !before_other) {
                changed = true;
                for &out in r.bytes() {
                    bytes.push(out);
                    from.push((p as u32, r.next as u32));
                }
                p = r.next;
                continue;
            }
        }
        bytes.push(b);
        from.push((p as u32, p as u32 + 1));
        p += 1;
    }
    changed.then(|| View::build(bytes, from))
}

/// Lines around a break that are joined.
const AROUND: usize = 64;

/// Where a line ends in the middle of an escape (`%6`, `\\u00`, `&#6`), the lines around it as one, for a configured
/// value that was wrapped after it had been encoded. Each stretch of the text is in one view at most.
pub(super) fn joined(text: &str) -> Vec<View> {
    let t = text.as_bytes();
    let breaks: Vec<usize> = t
        .iter()
        .enumerate()
        .filter(|(_, b)| **b == b'\n')
        .map(|(i, _)| i)
        .collect();
    let mut out = Vec::new();
    let mut region: Option<(usize, usize)> = None;
    let line_start = |n: usize| {
        if n == 0 {
            0
        } else {
            breaks.get(n - 1).map_or(t.len(), |b| b + 1)
        }
    };
    for (n, &at) in breaks.iter().enumerate() {
        if !cut_escape(t, at) {
            continue;
        }
        let (from, to) = (
            line_start(n.saturating_sub(AROUND)),
            breaks.get(n + AROUND).copied().unwrap_or(t.len()),
        );
        region = match region {
            Some((a, b)) if from <= b => Some((a, to)),
            Some((a, b)) => {
                out.push(without_breaks(t, a, b));
                Some((from, to))
            }
            None => Some((from, to)),
        };
    }
    out.extend(region.map(|(a, b)| without_breaks(t, a, b)));
    out
}

/// True when what stands in front of the line break at `at` is an escape without its end.
fn cut_escape(t: &[u8], at: usize) -> bool {
    let mut end = at;
    while end > 0 && matches!(t.get(end - 1), Some(b'\r' | b' ' | b'\t')) && at - end < 8 {
        end -= 1;
    }
    let tail = t.get(end.saturating_sub(10)..end).unwrap_or_default();
    let Some(i) = tail
        .iter()
        .rposition(|b| matches!(b, b'%' | b'\\' | b'&' | b'='))
    else {
        return false;
    };
    let rest = tail.get(i + 1..).unwrap_or_default();
    match tail.get(i) {
        Some(b'%' | b'=') => {
            rest.len() < 2
                && rest.iter().all(u8::is_ascii_hexdigit)
                && (tail.get(i) == Some(&b'%') || rest.len() == 1)
        }
        Some(b'\\') => {
            rest.is_empty()
                || (rest.len() < 6
                    && matches!(rest.first(), Some(b'u' | b'x'))
                    && rest.iter().skip(1).all(u8::is_ascii_hexdigit))
        }
        _ => rest.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'#'),
    }
}

fn without_breaks(t: &[u8], from: usize, to: usize) -> View {
    let mut bytes = Vec::with_capacity(to - from);
    let mut map = Vec::with_capacity(to - from);
    let mut p = from;
    while p < to {
        let Some(&b) = t.get(p) else { break };
        if matches!(b, b'\r' | b'\n') {
            p += 1;
            while p < to && matches!(t.get(p), Some(b' ' | b'\t' | b'\r' | b'\n')) {
                p += 1;
            }
            continue;
        }
        bytes.push(b);
        map.push((p as u32, p as u32 + 1));
        p += 1;
    }
    View::build(bytes, map)
}

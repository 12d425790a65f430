//! Other readings of a text, each with a map back: without what is invisible, and decoded one level. PURE.

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
            unit::escaped(t, p, &mut readings);
            if let Some(r) = readings.first() {
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

//! Configured values that were split over several pieces of text, or inside one by what stands between the items
//! of a list. PURE.

use super::class::Span;
use super::known::Known;

/// What may stand between two parts of a split value: blanks, line breaks, the marks between items.
const fn separates(b: u8) -> bool {
    matches!(
        b,
        b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C | b',' | b';' | b'|'
    )
}

/// A value as it is looked for here.
pub(super) fn squeezed(value: &[u8]) -> Vec<u8> {
    value.iter().copied().filter(|b| !separates(*b)).collect()
}

/// The stretches of each piece, by its index, that belong to a configured value when all pieces are read as one
/// text in which nothing separates.
pub(super) fn find(known: &Known, pieces: &[&str]) -> Vec<(usize, Span)> {
    let mut bytes = Vec::with_capacity(pieces.iter().map(|p| p.len()).sum());
    // Where a stretch of bytes begins that stand together: in `bytes`, the piece, the place in the piece.
    let mut runs: Vec<(usize, usize, usize)> = Vec::new();
    for (n, piece) in pieces.iter().enumerate() {
        let mut together = false;
        for (at, b) in piece.bytes().enumerate() {
            if separates(b) {
                together = false;
                continue;
            }
            if !together {
                runs.push((bytes.len(), n, at));
                together = true;
            }
            bytes.push(b);
        }
    }
    // Only ASCII was left out, so this is text still.
    let Ok(text) = String::from_utf8(bytes) else {
        return Vec::new();
    };
    let mut spans = Vec::new();
    known.find_squeezed(&text, &mut spans);
    let mut out = Vec::new();
    for span in spans {
        let first = runs
            .partition_point(|r| r.0 <= span.start)
            .saturating_sub(1);
        for (k, &(from, piece, at)) in runs.iter().enumerate().skip(first) {
            if from >= span.end {
                break;
            }
            let to = runs.get(k + 1).map_or(text.len(), |r| r.0);
            let (a, b) = (span.start.max(from), span.end.min(to));
            if a < b {
                out.push((piece, Span::new(at + a - from, at + b - from, span.class)));
            }
        }
    }
    out
}

//! Tables that fit: fair column widths, and records where even those are too narrow to read.

use super::style::Look;
use super::text::{Piece, cells, cut, fit, width, wrap};
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation as _;

/// Narrowest readable column.
const LEAST: usize = 6;

/// Most lines that one row may take before the table folds to records.
const TALLEST: usize = 6;

/// Max-min fair widths: each column gets what it wants, up to an equal share of what is left.
#[must_use]
pub fn fair(wanted: &[usize], room: usize) -> Vec<usize> {
    let mut out = vec![0; wanted.len()];
    let mut open: Vec<usize> = (0..wanted.len()).collect();
    let mut left = room;
    while !open.is_empty() {
        let share = left / open.len();
        let small: Vec<usize> = open
            .iter()
            .copied()
            .filter(|i| wanted[*i] <= share)
            .collect();
        if small.is_empty() {
            let mut extra = left % open.len();
            for i in open {
                out[i] = share + usize::from(extra > 0);
                extra = extra.saturating_sub(1);
            }
            break;
        }
        for i in &small {
            out[*i] = wanted[*i];
            left -= wanted[*i];
        }
        open.retain(|i| !small.contains(i));
    }
    out
}

/// A table in `width` cells, every line prefixed with `indent`.
#[must_use]
pub fn table(
    head: &[String],
    rows: &[Vec<String>],
    width_max: usize,
    indent: &str,
) -> Vec<Line<'static>> {
    let columns = head.len();
    if columns == 0 {
        return Vec::new();
    }
    let room = width_max.saturating_sub(width(indent));
    let clean = |c: &str| {
        Piece::plain(c)
            .as_str()
            .split('\n')
            .collect::<Vec<_>>()
            .join(" ")
    };
    let head: Vec<String> = head.iter().map(|h| clean(h)).collect();
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|r| {
            (0..columns)
                .map(|i| r.get(i).map_or_else(String::new, |c| clean(c)))
                .collect()
        })
        .collect();
    let wanted: Vec<usize> = (0..columns)
        .map(|i| {
            rows.iter()
                .map(|r| width(&r[i]))
                .chain([width(&head[i])])
                .max()
                .unwrap_or(0)
                .max(1)
        })
        .collect();
    let gaps = 2 * (columns - 1);
    let narrow =
        room.saturating_sub(gaps) < columns * LEAST && wanted.iter().sum::<usize>() + gaps > room;
    if narrow || columns == 1 && wanted[0] > room {
        return records(&head, &rows, room, indent);
    }
    let widths = fair(&wanted, room.saturating_sub(gaps));
    let tallest = rows
        .iter()
        .flat_map(|r| r.iter().zip(&widths))
        .map(|(c, w)| width(c).div_ceil((*w).max(1)))
        .max()
        .unwrap_or(1);
    let too_thin = widths
        .iter()
        .zip(&wanted)
        .any(|(w, want)| *w < LEAST.min(*want));
    if tallest > TALLEST || too_thin {
        return records(&head, &rows, room, indent);
    }
    let mut out = Vec::new();
    let mut line = vec![Span::raw(indent.to_owned())];
    for (i, h) in head.iter().enumerate() {
        if i > 0 {
            line.push(Span::raw("  "));
        }
        line.push(Span::styled(fit(h, widths[i]), Look::Bold.style()));
    }
    out.push(Line::from(line));
    for row in &rows {
        let cells: Vec<Vec<String>> = row
            .iter()
            .zip(&widths)
            .map(|(c, w)| chunks(c, *w))
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(1);
        for y in 0..height {
            let mut text = indent.to_owned();
            for (i, cell) in cells.iter().enumerate() {
                if i > 0 {
                    text.push_str("  ");
                }
                let part = cell.get(y).map_or("", String::as_str);
                text.push_str(&fit(part, widths[i]));
            }
            out.push(Line::from(text.trim_end().to_owned()));
        }
    }
    out
}

/// Key and value lines, one block a row.
fn records(head: &[String], rows: &[Vec<String>], room: usize, indent: &str) -> Vec<Line<'static>> {
    let mut out = Vec::new();
    let name = head
        .iter()
        .map(|h| width(h))
        .max()
        .unwrap_or(0)
        .min(room / 3);
    let inner = format!("{indent}{}", " ".repeat(name + 2));
    for (n, row) in rows.iter().enumerate() {
        if n > 0 {
            out.push(Line::from(format!("{indent}{}", "·".repeat(room.min(8)))));
        }
        for (h, c) in head.iter().zip(row) {
            if c.is_empty() {
                continue;
            }
            let label = format!("{indent}{}  ", fit(&cut(h, name), name));
            let whole = width(indent) + room;
            out.extend(wrap(&[Piece::plain(c)], whole, &label, &inner));
        }
    }
    out
}

/// Text in pieces of at most `most` cells, broken at blanks where there are any.
fn chunks(text: &str, most: usize) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut used = 0;
    for word in text.split_inclusive(' ') {
        let w = width(word.trim_end());
        if used > 0 && used + w > most {
            out.push(String::new());
            used = 0;
        }
        for g in word.graphemes(true) {
            let w = cells(g);
            if used + w > most {
                if g == " " {
                    continue;
                }
                if w > most {
                    continue;
                }
                out.push(String::new());
                used = 0;
            }
            if let Some(last) = out.last_mut() {
                last.push_str(g);
            }
            used += w;
        }
    }
    out.iter().map(|l| l.trim_end().to_owned()).collect()
}

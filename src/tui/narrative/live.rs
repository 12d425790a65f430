//! What stands beside the turns of the log: notes, what runs now, messages that wait.

use super::Options;
use crate::engine::view::{self, Defang};
use crate::tui::app::{Note, NoteBody, Phase, Room};
use crate::tui::style::Look;
use crate::tui::text::{Piece, line, one_line, wrap};
use crate::tui::{markdown, table};
use ratatui::text::Line;

/// A note.
pub(super) fn note(n: &Note, width: usize) -> Vec<Line<'static>> {
    let mut out = vec![line(
        &[
            Piece::new("── ", Look::Dim),
            Piece::new(&n.title, Look::Name),
            Piece::dim(" (not part of the case)"),
        ],
        width,
    )];
    match &n.body {
        NoteBody::Words(lines) => {
            for (look, words) in lines {
                out.extend(wrap(&[Piece::new(words, *look)], width, "", "  "));
            }
        }
        NoteBody::Table(head, rows) => out.extend(table::table(head, rows, width, "")),
    }
    out.push(Line::default());
    out
}

/// Reasoning, folded to one line or whole, round by round. It is shown and kept in memory only.
pub(super) fn reasoning(thoughts: &[&str], options: &Options) -> Vec<Line<'static>> {
    let thoughts: Vec<&str> = thoughts
        .iter()
        .map(|t| t.trim())
        .filter(|t| !t.is_empty())
        .collect();
    if thoughts.is_empty() {
        return Vec::new();
    }
    let words: usize = thoughts.iter().map(|t| t.split_whitespace().count()).sum();
    let (sign, does) = if options.reasoning {
        ("▾ ", "folds")
    } else {
        ("▸ ", "shows")
    };
    let head = format!("reasoning, {words} words ({} {does} it)", options.key);
    let mut out = wrap(&[Piece::dim(head)], options.width, sign, "  ");
    if options.reasoning {
        for t in thoughts {
            let words = Defang::plain().text(t);
            let pieces = [Piece::new(words, Look::Italic)];
            out.extend(wrap(&pieces, options.width, "  ", "  "));
        }
    }
    out
}

/// What runs now.
pub(super) fn live(room: &mut Room, options: &Options) -> Vec<Line<'static>> {
    let width = options.width;
    let Some(l) = &room.live else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for p in &l.progress {
        let words = if options.defang {
            Defang::plain().text(p)
        } else {
            p.clone()
        };
        out.extend(wrap(&[Piece::dim(words.trim())], width, "· ", "  "));
    }
    let thoughts: Vec<&str> = l
        .thoughts
        .iter()
        .chain([&l.reasoning])
        .map(String::as_str)
        .collect();
    out.extend(reasoning(&thoughts, options));
    if !l.text.is_empty() {
        // Finished blocks are rendered once; only the open one again.
        let done = markdown::finished(&l.text);
        let defanged = |s: &str| {
            if options.defang {
                Defang::plain().text(&view::unmarked(s))
            } else {
                view::unmarked(s)
            }
        };
        if done < room.narrative.open.0 {
            room.narrative.open = (0, Vec::new());
        }
        if done > room.narrative.open.0 {
            let fresh = l.text.get(room.narrative.open.0..done).unwrap_or_default();
            let mut lines = markdown::guarded(&defanged(fresh), width, &options.words);
            lines.push(Line::default());
            room.narrative.open.1.extend(lines);
            room.narrative.open.0 = done;
        }
        out.extend(room.narrative.open.1.iter().cloned());
        let open = l.text.get(done..).unwrap_or_default();
        out.extend(markdown::guarded(&defanged(open), width, &options.words));
    }
    let seconds = options.now.saturating_sub(l.phase_since) / 1000;
    let look = if l.phase == Phase::Stopping {
        Look::Warn
    } else {
        Look::Dim
    };
    out.push(line(
        &[Piece::new(
            format!("… {} {seconds} s", l.phase.words()),
            look,
        )],
        width,
    ));
    out
}

/// Messages that wait.
pub(super) fn queue(room: &Room, width: usize) -> Vec<Line<'static>> {
    let mut out = Vec::new();
    let (word, look) = if room.parked {
        (
            "parked (alt-down sends it, alt-up takes it back)",
            Look::Warn,
        )
    } else {
        ("waits for the turn (alt-up takes it back)", Look::Dim)
    };
    for q in &room.queue {
        let pieces = [
            Piece::new(format!("{word}: "), look),
            Piece::new(if q.as_is { "as it is: " } else { "" }, Look::Bad),
            Piece::plain(one_line(&q.text, 200)),
        ];
        out.extend(wrap(&pieces, width, "» ", "  "));
    }
    out
}

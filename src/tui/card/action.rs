//! The card of an action on devices: everything that is approved stands on it, the script to its last
//! character.

use crate::engine::view::{ActionView, ProposedAction};
use crate::tui::style::Look;
use crate::tui::text::{Piece, cells, line, wrap};
use kit::text::Redacted;
use ratatui::text::Line;
use unicode_segmentation::UnicodeSegmentation as _;

/// Cells of the label before each field.
const LABEL: usize = 10;

/// The lines of the card. Without its whole content it shows what the log says, and cannot be approved.
pub(super) fn lines(
    p: &ProposedAction,
    whole: Option<&ActionView>,
    width: usize,
) -> Vec<Line<'static>> {
    let mut out = Vec::new();
    let mut field = |label: &str, pieces: &[Piece]| {
        out.extend(wrap(
            pieces,
            width,
            &format!("{label:<LABEL$}"),
            &" ".repeat(LABEL),
        ));
    };
    field("action", &[Piece::of(&p.title, Look::Bold)]);
    let reason = [
        Piece::dim(format!("turn {}: ", p.turn)),
        Piece::of(&p.why, Look::Plain),
    ];
    let Some(a) = whole else {
        field(
            "acts on",
            &[Piece::new(
                counted(p.devices as usize, "device"),
                Look::Bold,
            )],
        );
        field("reason", &reason);
        field("digest", &[Piece::new(&p.digest, Look::Code)]);
        field(
            "content",
            &[Piece::new(
                "not all of it is here, so it cannot be approved on this card",
                Look::Warn,
            )],
        );
        return out;
    };
    field("through", &[Piece::of(&a.backend, Look::Plain)]);
    if a.changed.is_empty() {
        field("changed", &[Piece::dim("nothing since it was proposed")]);
    }
    for (i, c) in a.changed.iter().enumerate() {
        field(
            if i == 0 { "changed" } else { "" },
            &[Piece::of(c, Look::Warn)],
        );
    }
    let clients = a.clients().len();
    if let Some(place) = &a.place {
        field("acts on", &[Piece::of(place, Look::Warn)]);
    } else {
        field(
            "acts on",
            &[Piece::new(
                format!(
                    "{} of {}",
                    counted(a.devices.len(), "device"),
                    counted(clients, "client")
                ),
                if clients > 1 { Look::Warn } else { Look::Bold },
            )],
        );
    }
    for d in &a.devices {
        let mut pieces = vec![
            Piece::of(&d.name, Look::Plain),
            Piece::dim("  client "),
            Piece::of(&d.client, Look::Plain),
        ];
        if !d.note.as_str().is_empty() {
            pieces.push(Piece::plain("  "));
            pieces.push(Piece::of(&d.note, Look::Warn));
        }
        field("", &pieces);
    }
    for (label, text) in &a.facts {
        field(label, &[Piece::of(text, Look::Plain)]);
    }
    field("reason", &reason);
    field("digest", &[Piece::new(&p.digest, Look::Code)]);
    if let Some(s) = &a.script {
        let text = s.text.as_str();
        field(
            "script",
            &[Piece::dim(format!(
                "{}, {}, whole:",
                s.language,
                counted(text.lines().count(), "line")
            ))],
        );
        out.extend(exact(&s.text, width));
    }
    out
}

fn counted(n: usize, word: &str) -> String {
    format!("{n} {word}{}", if n == 1 { "" } else { "s" })
}

/// Text line by line with its numbers, every character of it: what is longer than the card goes on below.
/// Blanks at the end of a line show.
#[must_use]
pub fn exact(text: &Redacted, width: usize) -> Vec<Line<'static>> {
    let shown = Piece::of(text, Look::Code);
    let gutter = 5;
    let room = width.saturating_sub(gutter).max(2);
    let mut out = Vec::new();
    for (i, l) in shown.as_str().split('\n').enumerate() {
        let kept = l.trim_end_matches(' ');
        let l = format!("{kept}{}", "·".repeat(l.len() - kept.len()));
        let mut rows = vec![String::new()];
        let mut used = 0;
        for g in l.graphemes(true) {
            let w = cells(g);
            if used + w > room {
                rows.push(String::new());
                used = 0;
            }
            if let Some(row) = rows.last_mut() {
                row.push_str(g);
            }
            used += w;
        }
        for (k, row) in rows.into_iter().enumerate() {
            let number = if k == 0 {
                format!("{:>4} ", i + 1)
            } else {
                "   ↳ ".to_owned()
            };
            out.push(line(
                &[Piece::dim(number), Piece::new(row, Look::Code)],
                width.max(gutter + 2),
            ));
        }
    }
    out
}

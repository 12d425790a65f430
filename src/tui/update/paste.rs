//! Bracketed paste.

use super::{changed, insert, overlays};
use crate::tui::app::{App, Chip, Effect, Focus};
use crate::tui::composer::{PASTE_BYTES, PASTE_LINES};
use crate::tui::hidden;
use crate::tui::overlay::Overlay;

/// A paste is text, whatever it holds. A large one is kept beside the message.
pub(super) fn paste(app: &mut App, text: &str, out: &mut Vec<Effect>) {
    let now = app.now;
    // A key that was held on the card is dropped: nothing that is near a paste decides.
    let _ = app.room_mut().card.take_back();
    app.room_mut().card.forget_count();
    app.room_mut().card.disturbed(now);
    if text.is_empty() {
        return;
    }
    match &mut app.overlay {
        Some(Overlay::Pick(p)) => {
            p.input.insert(&first_line(text));
            p.selected = 0;
            return;
        }
        Some(Overlay::Find { .. }) => {
            overlays::type_find(app, &first_line(text), out);
            return;
        }
        Some(Overlay::Ask { input, .. }) => {
            input.insert(&first_line(text));
            return;
        }
        Some(Overlay::Setup(s)) => {
            s.paste(&first_line(text));
            return;
        }
        Some(_) => return,
        None => {}
    }
    app.focus = Focus::Composer;
    let lines = text.trim_end().lines().count();
    if lines > PASTE_LINES || text.len() > PASTE_BYTES {
        let mut found: Vec<kit::Indicator> = Vec::new();
        for f in kit::extract(text) {
            if found.len() < 50 && !found.contains(&f.indicator) {
                found.push(f.indicator);
            }
        }
        let hidden = hidden::of_paste(app, text);
        let room = app.room_mut();
        let name = format!("paste {}, {lines} lines", room.chips.len() + 1);
        room.chips.push(Chip {
            name,
            text: text.to_owned(),
            found,
            hidden,
        });
        changed(app, out);
        return;
    }
    insert(app, text, out);
}

fn first_line(text: &str) -> String {
    text.trim().lines().next().unwrap_or_default().to_owned()
}

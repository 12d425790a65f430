//! The lines that say what of a message is hidden from the model, and that it goes as it is.

use super::app::App;
use super::keys::Action;
use super::style::Look;
use super::text::{Piece, wrap};
use crate::engine::own_words::Hidden;
use ratatui::text::Line;

/// Rows below which the screen has no lines under the message.
pub const ROWS: u16 = 10;

/// Whether the screen shows these lines at all.
#[must_use]
pub const fn room_for_note(app: &App) -> bool {
    app.size.1 >= ROWS
}

/// What of the message is hidden, or goes as it is, in words; nothing where nothing is.
#[must_use]
pub fn lines(app: &App, wide: usize) -> Vec<Line<'static>> {
    let room = app.room();
    let key = app.keys.word(Action::SendAsIs);
    let hidden = &room.hidden;
    let server = app.server.as_ref();
    let mut parts: Vec<Piece> = Vec::new();
    if room.as_is.is_some() {
        parts.push(Piece::new("will be sent as it is: ", Look::Bad));
        let model = server
            .and_then(|s| s.model.as_deref())
            .map_or_else(|| "the model".to_owned(), |m| format!("the model {m}"));
        parts.push(Piece::plain(format!(
            "{} visible to {model}",
            hidden.words()
        )));
        parts.push(Piece::dim(format!("  ({key} hides)")));
    } else if hidden.may_be_sent() {
        parts.push(Piece::new("hidden from the model: ", Look::Warn));
        parts.push(Piece::plain(hidden.words()));
        let choice = match server {
            Some(s) if s.remote => "  (it runs on another machine: always)".to_owned(),
            Some(s) if s.model.is_none() => String::new(),
            _ if hidden.count() == 1 => format!("  ({key} sends it as it is)"),
            _ => format!("  ({key} sends them as they are)"),
        };
        parts.push(Piece::dim(choice));
    }
    let mut add = |title: &str, words: String| {
        if !parts.is_empty() {
            parts.push(Piece::dim("  ·  "));
        }
        parts.push(Piece::new(title, Look::Warn));
        parts.push(Piece::plain(words));
    };
    if hidden.stays() {
        add("always hidden: ", hidden.words_always());
    }
    for chip in &room.chips {
        let words = chip.hidden.words_all();
        if !words.is_empty() {
            add(&format!("hidden in {}: ", chip.name), words);
        }
    }
    if parts.is_empty() {
        return Vec::new();
    }
    wrap(&parts, wide, "  ", "  ")
}

/// What of a large paste is hidden, from its begin: the count is for the eye, redaction itself takes it whole.
#[must_use]
pub fn of_paste(app: &App, text: &str) -> Hidden {
    const WEIGHED: usize = 64 * 1024;
    let mut end = text.len().min(WEIGHED);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    app.words.hidden(text.get(..end).unwrap_or_default())
}

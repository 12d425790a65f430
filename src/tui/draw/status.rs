//! The status line and the key bar.

use crate::engine::view::Mode;
use crate::tui::app::{App, Focus, Mirror, Phase};
use crate::tui::keys::{self, Place};
use crate::tui::style::Look;
use crate::tui::text::{Piece, line, width};
use ratatui::style::Style;
use ratatui::text::Line;

/// The status line.
pub(super) fn line_of(app: &App, wide: usize) -> Line<'static> {
    if let Some((text, bad, _)) = &app.toast {
        let look = if *bad { Look::Bad } else { Look::Good };
        let words = if *bad { "! " } else { "" };
        return line(&[Piece::new(words, look), Piece::new(text, look)], wide);
    }
    if app.quit_asked.is_some() {
        return line(&[Piece::new("ctrl-c again quits", Look::Warn)], wide);
    }
    let room = app.room();
    let mut parts: Vec<Piece> = Vec::new();
    let case = room.case.as_ref().map_or("new case", |c| c.short());
    parts.push(Piece::new(case, Look::Bold));
    let waiting = app
        .rooms
        .values()
        .filter(|r| r.id != room.id && (r.unread || !r.open_proposals().is_empty()))
        .count();
    let server = match (&app.server, &room.live) {
        (_, Some(l)) => {
            let seconds = app.now.saturating_sub(l.phase_since) / 1000;
            (
                format!("{} {seconds} s", l.phase.words()),
                if l.phase == Phase::Stopping {
                    Look::Warn
                } else {
                    Look::Bold
                },
            )
        }
        (None, None) => ("looking for a model".to_owned(), Look::Dim),
        (Some(s), None) => match &s.model {
            Some(m) if s.remote => (format!("{m} ON ANOTHER MACHINE"), Look::Warn),
            Some(m) => (m.clone(), Look::Plain),
            None => ("no model, by rules".to_owned(), Look::Warn),
        },
    };
    let open = room.open_proposals().len();
    let actions = room.state.open_actions().count();
    if open > 0 {
        let of_them = match actions {
            0 => String::new(),
            1 => " (1 action)".to_owned(),
            n => format!(" ({n} actions)"),
        };
        parts.push(Piece::new(
            format!(" · {open} waiting{of_them}"),
            Look::Warn,
        ));
    }
    parts.push(Piece::dim(" · "));
    parts.push(Piece::new(server.0, server.1));
    let last = room.state.turns.last();
    if let Some(t) = last {
        let tokens = t.usage.prompt_tokens + t.usage.completion_tokens;
        if tokens > 0 {
            let context = app.server.as_ref().and_then(|s| s.context);
            let mut words = format!(" · {tokens} tokens");
            if let Some(c) = context.filter(|c| *c > 0) {
                words.push_str(&format!(" of {c}"));
            }
            parts.push(Piece::dim(words));
        }
        let used = room.state.used_in_turn(t.n);
        parts.push(Piece::plain(format!(
            " · look-ups {used}/{} {}/{}",
            app.settings.turn_max, room.state.used, app.settings.case_max
        )));
    }
    parts.push(Piece::dim(match room.state.mode {
        Mode::Brief => " · brief",
        Mode::Full => " · full",
    }));
    if waiting > 0 {
        parts.push(Piece::new(
            format!(
                " · {waiting} other case{} new",
                if waiting == 1 { "" } else { "s" }
            ),
            Look::Warn,
        ));
    }
    let look = if matches!(app.mirror, Mirror::Waiting(_)) {
        Look::Warn
    } else {
        Look::Dim
    };
    parts.push(Piece::new(format!(" · {}", app.mirror.words()), look));
    let rest = line(&parts, wide);
    rest.patch_style(Style::new())
}

/// The key bar.
pub(super) fn bar(app: &App, wide: usize) -> Line<'static> {
    let place = match app.focus {
        Focus::Composer => Place::Composer,
        Focus::Narrative => Place::Narrative,
        Focus::Evidence => Place::Evidence,
        Focus::Cases => Place::Cases,
    };
    let mut own: Vec<(String, &'static str)> = Vec::new();
    let mut everywhere = Vec::new();
    for entry in keys::TABLE.iter().filter(|e| !e.short.is_empty()) {
        let pair = (app.keys.word(entry.action).to_owned(), entry.short);
        if entry.place == place {
            own.push(pair);
        } else if entry.place == Place::Anywhere {
            everywhere.push(pair);
        }
    }
    own.extend(everywhere);
    let mut pieces = Vec::new();
    let mut used = 0;
    for (key, what) in own {
        let more = width(&key) + width(what) + 3;
        if used + more > wide {
            break;
        }
        used += more;
        pieces.push(Piece::new(key, Look::Name));
        pieces.push(Piece::dim(format!(" {what}  ")));
    }
    line(&pieces, wide)
}

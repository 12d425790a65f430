//! Going from pane to pane and from case to case, and the lists that lead there.

use super::enter;
use crate::tui::app::{App, Effect, Focus};
use crate::tui::layout;
use crate::tui::overlay::{Choice, Overlay, Pick};

pub(super) fn palette(app: &mut App) {
    let mut items: Vec<(String, String, Choice)> = crate::tui::commands::TABLE
        .iter()
        .map(|c| {
            let needs = c.arguments.starts_with(|c: char| c.is_ascii_uppercase());
            let choice = if needs {
                Choice::Type(format!("/{} ", c.name))
            } else {
                Choice::Run(c.name.to_owned())
            };
            (format!("/{}", c.name), c.help.to_owned(), choice)
        })
        .collect();
    items.extend(app.cases.all.iter().take(200).map(|c| {
        (
            crate::tui::text::one_line(&c.title, 60),
            format!("case {}", c.short),
            Choice::Case(c.id.clone()),
        )
    }));
    app.overlay = Some(Overlay::Pick(Pick {
        title: "commands and cases".into(),
        items,
        ..Pick::default()
    }));
}

pub(super) fn history(app: &mut App) {
    let items = app
        .room()
        .history
        .iter()
        .rev()
        .map(|t| {
            (
                crate::tui::text::one_line(t, 200),
                String::new(),
                Choice::Type(t.clone()),
            )
        })
        .collect();
    app.overlay = Some(Overlay::Pick(Pick {
        title: "earlier messages".into(),
        items,
        ..Pick::default()
    }));
}

pub(super) fn show_evidence(app: &mut App) {
    if app.size.0 >= layout::WIDE {
        app.focus = if app.focus == Focus::Evidence {
            Focus::Composer
        } else {
            Focus::Evidence
        };
    } else if app.drawer || app.focus == Focus::Evidence {
        app.drawer = false;
        app.focus = Focus::Composer;
    } else {
        app.drawer = true;
        app.focus = Focus::Evidence;
    }
}

pub(super) fn focus(app: &mut App, by: i32) {
    let wide = app.size.0 >= layout::WIDE;
    let mut order = vec![Focus::Composer, Focus::Narrative];
    if wide || app.drawer {
        order.push(Focus::Evidence);
    }
    if wide {
        order.push(Focus::Cases);
    }
    let at = order.iter().position(|f| *f == app.focus).unwrap_or(0);
    let next = if by > 0 {
        (at + 1) % order.len()
    } else {
        (at + order.len() - 1) % order.len()
    };
    if let Some(f) = order.get(next) {
        app.focus = *f;
    }
}

pub(super) fn next_room(app: &mut App, out: &mut Vec<Effect>) {
    let next = app
        .rooms
        .range(app.current + 1..)
        .map(|(id, _)| *id)
        .next()
        .or_else(|| app.rooms.keys().next().copied());
    if let Some(id) = next {
        enter(app, id, out);
    }
}

//! The list of cases.

use super::{headed, inset, put};
use crate::engine::view;
use crate::tui::app::{App, Focus};
use crate::tui::style::Look;
use crate::tui::text::{Piece, line, one_line, wrap};
use ratatui::Frame;
use ratatui::layout::Rect;

/// Draws it.
pub(super) fn draw(app: &App, frame: &mut Frame<'_>, area: Rect) {
    if area.width == 0 {
        return;
    }
    let focused = app.focus == Focus::Cases;
    let area = headed(frame, inset(area), "cases", focused);
    let shown = shown_cases(app);
    let wide = usize::from(area.width);
    let height = usize::from(area.height);
    let mut lines = Vec::new();
    if app.cases.filtering || !app.cases.filter.is_empty() {
        let text = format!("/{}", app.cases.filter);
        lines.push(line(&[Piece::new(text, Look::Name)], wide));
    }
    if shown.is_empty() {
        let words = if app.cases.all.is_empty() {
            "none yet: ask something"
        } else {
            "none fits the filter"
        };
        lines.extend(wrap(&[Piece::dim(words)], wide, "  ", "  "));
    }
    let open = app.room().case.clone();
    let per = height.saturating_sub(lines.len()) / 2;
    let from = (app.cases.selected + 1).saturating_sub(per.max(1));
    for (i, c) in shown.iter().enumerate().skip(from).take(per.max(1)) {
        let here = open.as_ref() == Some(&c.id);
        let unread = !here
            && app
                .cases
                .seen
                .get(c.id.as_str())
                .is_some_and(|s| *s < c.last_ms);
        let room = app.rooms.values().find(|r| r.case.as_ref() == Some(&c.id));
        let runs = c.running || room.is_some_and(|r| r.live.is_some());
        let mark = match (here, runs, unread) {
            (_, true, _) => "◌ ",
            (true, ..) => "● ",
            (_, _, true) => "• ",
            _ => "  ",
        };
        let look = if unread { Look::Bold } else { Look::Plain };
        let title = one_line(
            &view::Defang::plain().text(&c.title),
            wide.saturating_sub(2),
        );
        let mut first = line(&[Piece::plain(mark), Piece::new(title, look)], wide);
        let age = u64::try_from((app.wall - c.last_ms).max(0) / 1000).unwrap_or(0);
        let mut about = format!("  {} {} ago", c.short, view::age(age));
        for (yes, word) in [
            (runs, " running"),
            (c.closed, " closed"),
            (unread, " new"),
            (c.interrupted && !runs, " interrupted"),
        ] {
            if yes {
                about.push_str(word);
            }
        }
        let mut second = Vec::new();
        if c.open_proposals > 0 {
            second.push(Piece::new(
                format!("  {} waiting", c.open_proposals),
                Look::Warn,
            ));
        }
        second.push(Piece::dim(about));
        for t in &c.tags {
            second.push(Piece::new(format!(" #{t}"), Look::Name));
        }
        let mut second = line(&second, wide);
        if focused && i == app.cases.selected {
            first = first.style(Look::Selected.style());
            second = second.style(Look::Selected.style());
        }
        lines.push(first);
        lines.push(second);
    }
    put(frame, area, lines);
}

/// The cases that the filter leaves, in order.
#[must_use]
pub fn shown_cases(app: &App) -> Vec<&view::CaseSummary> {
    let all = &app.cases.all;
    if app.cases.filter.trim().is_empty() {
        return all.iter().collect();
    }
    let texts: Vec<String> = all
        .iter()
        .map(|c| format!("{} {} {}", c.title, c.short, c.tags.join(" ")))
        .collect();
    crate::tui::overlay::fuzzy(&app.cases.filter, &texts)
        .into_iter()
        .filter_map(|i| all.get(i))
        .collect()
}

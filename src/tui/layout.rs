//! Where things stand, by width. Widths are never stored: they are computed from the size each time.

use super::app::{App, Focus};
use ratatui::layout::Rect;

/// From this width on there are three columns.
pub const WIDE: u16 = 120;
/// From this width on the evidence may stand beside the narrative.
pub const MIDDLE: u16 = 70;

/// The areas of the screen; one with no cells is not shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Areas {
    /// List of cases.
    pub cases: Rect,
    /// The story.
    pub narrative: Rect,
    /// The evidence.
    pub evidence: Rect,
    /// The approval card.
    pub card: Rect,
    /// Completions, over the narrative.
    pub completion: Rect,
    /// The message.
    pub composer: Rect,
    /// What the message will do.
    pub reading: Rect,
    /// Status.
    pub status: Rect,
    /// Keys.
    pub bar: Rect,
}

/// The areas for this state.
#[must_use]
pub fn areas(app: &App) -> Areas {
    let (w, h) = app.size;
    let mut a = Areas::default();
    if w == 0 || h == 0 {
        return a;
    }
    let mut bottom = h;
    let mut take = |rows: u16, least_left: u16| {
        let rows = rows.min(bottom.saturating_sub(least_left));
        bottom -= rows;
        Rect::new(0, bottom, w, rows)
    };
    if h >= 12 {
        a.bar = take(1, 3);
    }
    a.status = take(1, 2);
    let room = app.room();
    if h >= super::hidden::ROWS {
        let lines = super::draw::reading_lines(app, usize::from(w)).len();
        // What is hidden, or goes as it is, never pushes out what the message does.
        let most = 3 + super::hidden::lines(app, usize::from(w)).len();
        a.reading = take(u16::try_from(lines.min(most)).unwrap_or(3), 5);
    }
    let inner = usize::from(w).saturating_sub(2);
    let lines = room.composer.lines(inner).len() + usize::from(!room.chips.is_empty());
    let most = (h / 3).max(1);
    a.composer = take(u16::try_from(lines).unwrap_or(most).clamp(1, most), 1);
    let body = bottom;
    let (left, right) = columns(app, w);
    let middle = w.saturating_sub(left + right);
    if left > 0 {
        a.cases = Rect::new(0, 0, left.min(w), body);
    }
    if right > 0 {
        a.evidence = Rect::new(w - right, 0, right, body);
    }
    let mut rows = body;
    if middle > 0 && room.card.current().is_some() && body >= 5 {
        let lines = super::card::lines(
            room,
            &app.modules,
            (app.settings.turn_max, app.settings.case_max),
            app.settings.defang,
            usize::from(middle.saturating_sub(4)),
        )
        .len();
        // Frame and keys, and at least some lines of the story above.
        let wanted = u16::try_from(lines).unwrap_or(u16::MAX).saturating_add(3);
        let most = if body > 14 {
            body - body / 4
        } else {
            body.saturating_sub(1)
        };
        let height = wanted.min(most).max(4).min(body);
        a.card = Rect::new(left, body - height, middle, height);
        rows = body - height;
    }
    if middle > 0 {
        a.narrative = Rect::new(left, 0, middle, rows);
    }
    let items = super::completion::items(app).len();
    if items > 0 && !room.completion_off {
        let height = u16::try_from(items.min(8)).unwrap_or(8).min(body);
        a.completion = Rect::new(left, body - height, middle.min(76).max(w.min(20)), height);
    }
    a
}

/// Widths of the columns beside the narrative.
fn columns(app: &App, w: u16) -> (u16, u16) {
    if w >= WIDE {
        let left = (w / 5).clamp(24, 36);
        let right = (w / 3).clamp(36, 70);
        return (left, right);
    }
    let evidence = app.drawer || app.focus == Focus::Evidence;
    if w >= MIDDLE {
        return match app.focus {
            Focus::Cases => (w, 0),
            _ if evidence => (0, w / 2),
            _ => (0, 0),
        };
    }
    match app.focus {
        Focus::Cases => (w, 0),
        Focus::Evidence => (0, w),
        _ => (0, 0),
    }
}

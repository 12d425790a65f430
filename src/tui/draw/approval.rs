//! The frame of the approval card, and the line that says what its keys do now.

use super::put;
use crate::tui::app::App;
use crate::tui::card;
use crate::tui::keys::Action;
use crate::tui::style::Look;
use crate::tui::text::{Piece, cut, line};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear};

/// Draws it, and tells the card that it was on screen.
pub(super) fn draw(app: &mut App, frame: &mut Frame<'_>, area: Rect) {
    if area.height < 4 || area.width < 12 {
        app.room_mut().card.hidden();
        return;
    }
    let (now, free) = (app.now, app.composer_free());
    let budget = (app.settings.turn_max, app.settings.case_max);
    let wide = usize::from(area.width.saturating_sub(4));
    let lines = card::lines(app.room(), &app.modules, budget, app.settings.defang, wide);
    let height = usize::from(area.height.saturating_sub(3));
    let most = lines.len().saturating_sub(height);
    let covered = app.overlay.is_some();
    let room = app.room_mut();
    room.card.scroll = room.card.scroll.min(most);
    if !covered {
        room.card.was_drawn(lines.len(), (wide, height), now);
    }
    let scroll = room.card.scroll;
    let title = card::title(room);
    let armed = room.card.armed(free, now);
    let approvable = room.card.approvable(free, now);
    let pending = room.card.pending().cloned();
    let listed = room.card.listed().len();
    let typed = room.card.count().to_owned();
    let action = room
        .card
        .current()
        .filter(|n| room.state.actions.contains_key(n));
    let wanted = action.and_then(|n| room.wanted_count(n));
    let here = action.is_none_or(|n| room.whole_action(n).is_some());
    let look = if armed { Look::Bold } else { Look::Dim };
    let more = lines.len().saturating_sub(scroll + height);
    let mut block = Block::bordered()
        .border_style(look.style())
        .title(Line::from(Span::styled(
            cut(&format!(" {title} "), wide),
            Look::Warn.style(),
        )));
    if more > 0 {
        let many = if more == 1 { "" } else { "s" };
        let words = format!(" ↓ {more} more line{many} ");
        block = block.title_bottom(
            Line::from(Span::styled(cut(&words, wide), Look::Warn.style())).right_aligned(),
        );
    }
    let inner = block.inner(area);
    frame.render_widget(Clear, area);
    frame.render_widget(block, area);
    let body = Rect {
        x: inner.x + 1,
        width: inner.width.saturating_sub(2),
        height: inner.height.saturating_sub(1),
        ..inner
    };
    put(
        frame,
        body,
        lines.into_iter().skip(scroll).take(height).collect(),
    );
    let foot = Rect {
        y: inner.bottom().saturating_sub(1),
        x: inner.x + 1,
        width: inner.width.saturating_sub(2),
        height: 1,
    };
    let word = |action| app.keys.word(action).to_owned();
    let words = match (&pending, armed) {
        (Some(card::Decision::Approve(n)), _) => format!("approving {n:?} …"),
        (Some(card::Decision::Act(n, ..)), _) => format!("approving {n} …"),
        (Some(card::Decision::Deny(n) | card::Decision::Reason(n)), _) => format!("denying {n} …"),
        (None, _) if !free => {
            "the message has the keys: send or clear it to decide here".to_owned()
        }
        (None, false) if !typed.is_empty() => format!("{typed} typed; wait …"),
        (None, false) => "wait …".to_owned(),
        (None, true) => {
            let mut out = if approvable {
                approve(wanted, here, &typed, &word(Action::Approve))
            } else {
                "↓ scroll to the end to approve".to_owned()
            };
            if listed > 1 && approvable && action.is_none() {
                out.push_str(&format!(" · {} all {listed}", word(Action::ApproveAll)));
            }
            out.push_str(&format!(
                " · {} deny · {} deny with a reason · {} details · esc later",
                word(Action::Deny),
                word(Action::DenyReason),
                word(Action::Details)
            ));
            out
        }
    };
    put(
        frame,
        foot,
        vec![line(&[Piece::new(words, look)], usize::from(foot.width))],
    );
}

/// How this is approved: by the key alone, or behind the count that the action asks for.
fn approve(wanted: Option<u32>, here: bool, typed: &str, key: &str) -> String {
    match wanted {
        _ if !here => "not to be approved here".to_owned(),
        None => format!("{key} approve"),
        Some(k) if typed == k.to_string() => format!("{typed} typed: {key} approve"),
        Some(k) if typed.is_empty() => format!("type {k} (the devices), then {key} approve"),
        Some(k) => format!("{typed} is not {k}"),
    }
}

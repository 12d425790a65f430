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
    let end = room.card.scroll >= most;
    if !covered {
        room.card.was_drawn(end, now);
    }
    let scroll = room.card.scroll;
    let title = card::title(room);
    let armed = room.card.armed(free, now);
    let approvable = room.card.approvable(free, now);
    let pending = room.card.pending().cloned();
    let listed = room.card.listed().len();
    let look = if armed { Look::Bold } else { Look::Dim };
    let block = Block::bordered()
        .border_style(look.style())
        .title(Line::from(Span::styled(
            cut(&format!(" {title} "), wide),
            Look::Warn.style(),
        )));
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
        (Some(card::Decision::Deny(n) | card::Decision::Reason(n)), _) => format!("denying {n} …"),
        (None, _) if !free => {
            "the message has the keys: send or clear it to decide here".to_owned()
        }
        (None, false) => "wait …".to_owned(),
        (None, true) => {
            let mut out = if approvable {
                format!("{} approve", word(Action::Approve))
            } else {
                "↓ scroll to the end to approve".to_owned()
            };
            if listed > 1 && approvable {
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

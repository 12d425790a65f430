//! Keys on the approval card.

use crate::engine::session::Order;
use crate::engine::view::ProposalKind;
use crate::tui::app::{App, Effect, Focus};
use crate::tui::card::{Decision, lines};
use crate::tui::keys::{Action, Place};
use crate::tui::overlay::{Overlay, Question};
use crate::tui::style::Look;
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// Pages the card, where the keys are not a message's and it does not fit.
pub(super) fn page(app: &mut App, down: bool) -> bool {
    app.focus == Focus::Composer && app.composer_free() && app.room_mut().card.page(down)
}

/// Keys of the count that an action asks for. `None`: the key was none of them.
///
/// The first digit wants an armed card; those after it do not wait again. Whatever else is typed shows
/// that the digits were the begin of a message, and they go there.
fn count_key(app: &mut App, key: KeyEvent, armed: bool, out: &mut Vec<Effect>) -> Option<bool> {
    let n = app.room().card.current()?;
    app.room().wanted_count(n)?;
    let typed = !app.room().card.count().is_empty();
    let plain = !key
        .modifiers
        .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
    match key.code {
        KeyCode::Char(c) if plain && c.is_ascii_digit() && (typed || armed) => {
            app.room_mut().card.count_digit(c);
            Some(true)
        }
        KeyCode::Backspace if typed => {
            app.room_mut().card.count_back();
            Some(true)
        }
        KeyCode::Esc if typed => {
            app.room_mut().card.forget_count();
            Some(true)
        }
        KeyCode::Up | KeyCode::Down | KeyCode::PageUp | KeyCode::PageDown => None,
        _ if typed && armed && app.keys.action(Place::Card, key).is_some() => None,
        _ if typed => {
            let digits = app.room_mut().card.forget_count();
            if app.focus == Focus::Composer {
                super::insert(app, &digits, out);
            }
            Some(false)
        }
        _ => None,
    }
}

/// True when the key was one of the card that came before it is ready, or follows such a key without a
/// pause: what was meant for the card is no key of the pane behind it. In the message it is text.
pub(super) fn early(app: &mut App, key: KeyEvent, armed: bool) -> bool {
    let text = !key
        .modifiers
        .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
        && matches!(
            key.code,
            KeyCode::Char(_) | KeyCode::Enter | KeyCode::Backspace
        );
    let ours = app.keys.action(Place::Card, key).is_some();
    let taken = !armed
        && app.focus != Focus::Composer
        && app.room().card.on_screen()
        && (ours || text && app.room().card.deaf());
    let card = &mut app.room_mut().card;
    card.set_deaf(taken || !armed && card.deaf());
    if taken {
        app.complain("the card was not ready: that key did nothing. Stop typing, wait until it lists its keys, then press one");
    }
    taken
}

/// True when the key was one of the card.
pub(super) fn key(
    app: &mut App,
    key: KeyEvent,
    armed: bool,
    approvable: bool,
    out: &mut Vec<Effect>,
) -> bool {
    if key.kind != KeyEventKind::Press {
        return false;
    }
    if let Some(done) = count_key(app, key, armed, out) {
        return done;
    }
    if !armed {
        return false;
    }
    let Some(action) = app.keys.action(Place::Card, key) else {
        return false;
    };
    let Some(n) = app.room().card.current() else {
        return false;
    };
    let typed = match key.code {
        KeyCode::Char(c) => c,
        _ => ' ',
    };
    let now = app.now;
    let pivots = app.room().open_pivots();
    let pivot = pivots.contains(&n);
    match action {
        // What does not fit was not seen yet: the key does nothing, and types nothing either.
        Action::Approve | Action::ApproveAll if !approvable => {
            app.complain("scroll to the end of the card first (down)");
        }
        Action::ApproveAll if !pivot => {
            app.complain("actions are approved one by one");
        }
        Action::Approve if !pivot => act(app, n, typed),
        Action::Approve => {
            app.room_mut()
                .card
                .ask(Decision::Approve(vec![n]), typed, now);
        }
        Action::ApproveAll => {
            // Only what the card lists, and only look-ups: actions are decided one by one.
            let listed: Vec<u64> = app
                .room()
                .card
                .listed()
                .iter()
                .copied()
                .filter(|n| pivots.contains(n))
                .collect();
            app.room_mut()
                .card
                .ask(Decision::Approve(listed), typed, now);
        }
        Action::Deny => app.room_mut().card.ask(Decision::Deny(n), typed, now),
        Action::DenyReason => app.room_mut().card.ask(Decision::Reason(n), typed, now),
        Action::Details => details(app, n),
        _ => return false,
    }
    true
}

/// Carries out what was decided, when its time has come.
pub(super) fn due(app: &mut App, out: &mut Vec<Effect>) {
    let now = app.now;
    let Some(decision) = app.room_mut().card.due(now) else {
        return;
    };
    let room = app.current;
    match decision {
        Decision::Approve(numbers) => out.push(Effect::Order(Order::Decide {
            room,
            numbers,
            approve: true,
            reason: None,
        })),
        Decision::Act(n, digest, count) => out.push(Effect::Order(Order::Act {
            room,
            n,
            digest,
            count,
        })),
        Decision::Deny(n) => out.push(Effect::Order(Order::Decide {
            room,
            numbers: vec![n],
            approve: false,
            reason: None,
        })),
        Decision::Reason(n) => {
            app.overlay = Some(Overlay::ask(
                format!("deny {n}: reason (the model is told)"),
                Question::Reason(n),
                "",
            ));
        }
    }
}

/// `a` on the card of an action.
fn act(app: &mut App, n: u64, typed: char) {
    let now = app.now;
    let room = app.room_mut();
    let wanted = room.wanted_count(n);
    let Some(digest) = room.whole_action(n).map(|a| a.digest.clone()) else {
        app.complain(
            "not all of this action is here: rmm-analyst approve N --digest HEX approves it",
        );
        return;
    };
    let count = room.card.count().parse::<u32>().ok();
    match wanted {
        Some(k) if count != Some(k) => {
            room.card.forget_count();
            app.complain(match count {
                Some(c) => {
                    format!("{c} is not {k}: type the number of devices, wait, then approve")
                }
                None => format!("type the number of devices first ({k}), wait, then approve"),
            });
        }
        _ => room.card.ask(Decision::Act(n, digest, wanted), typed, now),
    }
}

fn details(app: &mut App, n: u64) {
    let budget = (app.settings.turn_max, app.settings.case_max);
    let mut words: Vec<(Look, String)> = lines(app.room(), &app.modules, budget, false, 400)
        .iter()
        .map(|l| (Look::Plain, crate::tui::evidence::plain(l)))
        .collect();
    if let Some(p) = app.room().state.proposals.get(&n) {
        if p.kind == ProposalKind::Pivot {
            words.push((
                Look::Dim,
                "Approving lets every module above ask about this value in this case; denying puts it on the list of what is never asked, and the model is told.".into(),
            ));
        }
        for m in app
            .modules
            .iter()
            .filter(|m| m.enabled && m.for_model && m.types.contains(&p.indicator.kind()))
        {
            let ready = if m.ready {
                ""
            } else {
                " (no key: is not asked)"
            };
            words.push((Look::Plain, format!("{}: {}{ready}", m.name, m.what)));
        }
    }
    app.overlay = Some(Overlay::Words {
        title: format!("proposal {n}"),
        lines: words,
        scroll: 0,
    });
}

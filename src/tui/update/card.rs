//! Keys on the approval card. It is armed when this is called.

use crate::engine::session::Order;
use crate::engine::view::ProposalKind;
use crate::tui::app::{App, Effect};
use crate::tui::card::{Decision, lines};
use crate::tui::composer::Composer;
use crate::tui::keys::{Action, Place};
use crate::tui::overlay::{Overlay, Question};
use crate::tui::style::Look;
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};

/// True when the key was one of the card.
pub(super) fn key(app: &mut App, key: KeyEvent, approvable: bool, _out: &mut Vec<Effect>) -> bool {
    if key.kind != KeyEventKind::Press {
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
        Action::Approve | Action::ApproveAll if !pivot => {
            app.complain(
                "an action is approved with its digest: rmm-analyst approve N --digest HEX",
            );
        }
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
        Decision::Deny(n) => out.push(Effect::Order(Order::Decide {
            room,
            numbers: vec![n],
            approve: false,
            reason: None,
        })),
        Decision::Reason(n) => {
            app.overlay = Some(Overlay::Ask {
                title: format!("deny {n}: reason (the model is told)"),
                what: Question::Reason(n),
                input: Composer::default(),
            });
        }
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

//! Sending messages: to the engine, into the queue, or as a command.

use super::{changed, commands};
use crate::engine::session::Order;
use crate::engine::{AskInput, Choices, RawAttachment};
use crate::tui::app::{App, Effect, Live, Phase, Queued};
use crate::tui::narrative::Scroll;
use kit::human::Stance;
use kit::indicator::Indicator;

/// Enter in the message.
pub(super) fn send(app: &mut App, out: &mut Vec<Effect>) {
    let room = app.room();
    let text = room.composer.text().trim().to_owned();
    if text.is_empty() && room.chips.is_empty() {
        return;
    }
    if room.chips.is_empty() && (text.starts_with('/') || direct(app, &text).is_some()) {
        remember(app, &text);
        app.room_mut().composer.take();
        changed(app, out);
        if let Some((module, value)) = direct(app, &text) {
            look_up(app, module, value, out);
        } else {
            commands::run(app, text.trim_start_matches('/'), out);
        }
        return;
    }
    let queued = Queued {
        stances: chosen(app),
        shown: visible_pivots(app),
        chips: app.room().chips.clone(),
        as_is: app.room().as_is.is_some(),
        text,
    };
    remember(app, &queued.text.clone());
    let room = app.room_mut();
    room.composer.take();
    room.chips.clear();
    room.stances.clear();
    // The choice was for this message only.
    room.as_is = None;
    room.narrative.scroll = Scroll::Follow;
    if room.live.is_some() || room.parked {
        room.queue.push(queued);
    } else {
        start(app, queued, out);
    }
    changed(app, out);
}

/// The pivots that a typed yes may cover: those that the screen showed. In a room that is not loaded
/// nothing was shown.
fn visible_pivots(app: &App) -> Vec<u64> {
    let room = app.room();
    if !room.loaded && room.case.is_some() {
        return Vec::new();
    }
    room.open_pivots()
}

/// The stances that a person changed, for what the message still names.
fn chosen(app: &App) -> Vec<(Indicator, Stance)> {
    let room = app.room();
    room.reading
        .iter()
        .filter_map(|m| {
            let stance = room.stances.get(&m.indicator)?;
            (*stance != m.stance).then(|| (m.indicator.clone(), *stance))
        })
        .collect()
}

fn remember(app: &mut App, text: &str) {
    let room = app.room_mut();
    room.history_at = None;
    if !text.is_empty() && room.history.last().is_none_or(|l| l != text) {
        room.history.push(text.to_owned());
        if room.history.len() > 500 {
            room.history.remove(0);
        }
    }
}

/// A person's own look-up: `@module value`.
fn direct<'t>(app: &App, text: &'t str) -> Option<(&'t str, &'t str)> {
    let rest = text.strip_prefix('@')?;
    let (module, value) = rest.split_once(char::is_whitespace)?;
    let known = module == "ioc" || app.modules.iter().any(|m| m.name == module);
    known.then_some((module, value.trim()))
}

fn look_up(app: &mut App, module: &str, value: &str, out: &mut Vec<Effect>) {
    let mut value = value.to_owned();
    let mut flag = |name: &str| {
        let had = value.split_whitespace().any(|w| w == name);
        if had {
            value = value
                .split_whitespace()
                .filter(|w| *w != name)
                .collect::<Vec<_>>()
                .join(" ");
        }
        had
    };
    let (fresh, anyway) = (flag("--fresh"), flag("--anyway"));
    out.push(Effect::Order(Order::LookUp {
        room: app.current,
        module: module.to_owned(),
        value,
        fresh,
        anyway,
    }));
    app.say("asking …");
}

/// Begins a turn with a message.
pub(super) fn start(app: &mut App, message: Queued, out: &mut Vec<Effect>) {
    let mut input = app.ask_input(app.room(), message.text);
    input.attachments = message
        .chips
        .into_iter()
        .map(|c| RawAttachment {
            name: c.name,
            text: c.text,
        })
        .collect();
    input.as_is = message.as_is;
    begin(
        app,
        input,
        App::choices(message.shown, message.stances),
        out,
    );
}

/// Goes on with what was approved.
pub(super) fn go_on(app: &mut App, room: u64, out: &mut Vec<Effect>) {
    let back = app.current;
    app.current = room;
    if app.room().live.is_none() && app.room().case.is_some() {
        let mut input = app.ask_input(app.room(), String::new());
        input.continuation = true;
        begin(app, input, Choices::default(), out);
    }
    app.current = back;
}

/// Hands a turn to the engine.
pub(super) fn begin(app: &mut App, input: AskInput, choices: Choices, out: &mut Vec<Effect>) {
    let now = app.now;
    let room = app.room_mut();
    room.live = Some(Live {
        since: now,
        phase: Phase::Starting,
        phase_since: now,
        text: String::new(),
        reasoning: String::new(),
        thoughts: Vec::new(),
        progress: Vec::new(),
    });
    out.push(Effect::Order(Order::Ask(room.id, Box::new(input), choices)));
}

/// The next waiting message of a room, when nothing holds it.
pub(super) fn next(app: &mut App, room: u64, out: &mut Vec<Effect>) {
    let back = app.current;
    app.current = room;
    let r = app.room_mut();
    if r.live.is_none() && !r.parked && !r.queue.is_empty() {
        let message = r.queue.remove(0);
        start(app, message, out);
    }
    app.current = back;
}

/// The last waiting message comes back into the composer.
pub(super) fn take_back(app: &mut App, out: &mut Vec<Effect>) {
    let room = app.room_mut();
    let Some(q) = room.queue.pop() else {
        app.say("nothing waits");
        return;
    };
    if !room.composer.is_empty() {
        room.stash = Some((room.composer.text().to_owned(), room.chips.clone()));
    }
    room.composer.set(q.text);
    room.chips = q.chips;
    room.stances = q.stances.into_iter().collect();
    room.as_is = None;
    room.parked &= !room.queue.is_empty();
    changed(app, out);
}

/// Sends what was parked.
pub(super) fn resume(app: &mut App, out: &mut Vec<Effect>) {
    let room = app.room_mut();
    if room.queue.is_empty() {
        app.say("nothing is parked");
        return;
    }
    room.parked = false;
    let id = room.id;
    next(app, id, out);
}

//! `update`: the state and a message in, effects out. Nothing here waits, reads or writes.

mod as_is;
mod card;
mod commands;
mod engine;
mod go;
mod overlays;
mod panes;
mod paste;
mod setup;
mod submit;
mod undo;

use super::app::{App, Effect, Focus, Msg, Phase};
use super::completion;
use super::evidence::Shows;
use super::keys::{Action, Place};
use super::layout;
use super::narrative;
use super::overlay::Overlay;
use crate::engine::session::Order;
use crate::engine::view::{ActionView, CaseId};
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

pub use commands::run as run_command;

/// Opens the guided setup, because nothing is configured.
pub fn first_start(app: &mut App) -> Vec<Effect> {
    let mut out = Vec::new();
    setup::open(app, true, &mut out);
    out
}

/// Shows the case that was open last.
pub fn open_last(app: &mut App, case: CaseId) -> Vec<Effect> {
    let mut out = Vec::new();
    commands::open_case(app, case, &mut out);
    out
}

/// Milliseconds within which a second Ctrl-C quits.
const TWICE: u64 = 1_500;

/// Takes a message at this time (`now` on the screen's clock, `wall` since the epoch).
pub fn update(app: &mut App, now: u64, wall: i64, msg: Msg) -> Vec<Effect> {
    app.now = now.max(app.now);
    app.wall = wall;
    let mut out = Vec::new();
    // What was asked for long enough ago counts before anything else that comes.
    card::due(app, &mut out);
    expire(app);
    match msg {
        Msg::Key(key) => on_key(app, key, &mut out),
        Msg::Paste(text) => paste::paste(app, &text, &mut out),
        Msg::Other => {
            let now = app.now;
            app.room_mut().card.disturbed(now);
        }
        Msg::Resize(w, h) => {
            if app.size != (w, h) {
                for room in app.rooms.values_mut() {
                    room.card.resized();
                }
            }
            app.size = (w, h);
        }
        Msg::Update(update) => engine::on(app, *update, &mut out),
        Msg::Tick => {}
        Msg::Interrupt => interrupt(app, &mut out),
    }
    sync_card(app);
    out
}

fn expire(app: &mut App) {
    if app
        .toast
        .as_ref()
        .is_some_and(|(_, _, until)| *until <= app.now)
    {
        app.toast = None;
    }
    if app.quit_asked.is_some_and(|t| app.now >= t + TWICE) {
        app.quit_asked = None;
    }
}

/// Every room's card follows what is open there.
fn sync_card(app: &mut App) {
    let now = app.now;
    let current = app.current;
    for room in app.rooms.values_mut() {
        let open = room.open_proposals();
        let stamp = open
            .first()
            .and_then(|n| room.actions.get(n))
            .map_or(0, ActionView::stamp);
        room.card.sync(&open, stamp, now);
        if room.id != current {
            room.card.hidden();
        }
    }
}

fn on_key(app: &mut App, key: KeyEvent, out: &mut Vec<Effect>) {
    if key.kind == KeyEventKind::Release {
        return;
    }
    let repeat = key.kind == KeyEventKind::Repeat;
    let now = app.now;
    let free = app.composer_free();
    let (armed, approvable) = {
        let c = &app.room().card;
        (c.armed(free, now), c.approvable(free, now))
    };
    // Where a filter is typed, a letter decides nothing.
    let filtering = app.overlay.is_none() && app.focus == Focus::Cases && app.cases.filtering;
    let held = app.room_mut().card.take_back();
    app.room_mut().card.disturbed(now);
    if let Some(c) = held {
        // Two keys in a row were typing: both belong to the message.
        app.focus = Focus::Composer;
        insert(app, &c, out);
    } else if app.overlay.is_none()
        && !filtering
        && (card::early(app, key, armed) || !repeat && card::key(app, key, armed, approvable, out))
    {
        return;
    }
    if app.overlay.is_some() {
        overlays::key(app, key, out);
        return;
    }
    if filtering {
        panes::filter_key(app, key, out);
        return;
    }
    let place = match app.focus {
        Focus::Composer => Place::Composer,
        Focus::Narrative => Place::Narrative,
        Focus::Evidence => Place::Evidence,
        Focus::Cases => Place::Cases,
    };
    let action = app.keys.action(place, key);
    // Only motion may repeat; and only Ctrl-C twice quits.
    if action != Some(Action::Interrupt) {
        app.quit_asked = None;
    }
    if app.focus == Focus::Composer && completion_key(app, key, action, out) {
        return;
    }
    match action {
        Some(action) => act(app, action, out),
        None if app.focus == Focus::Composer => edit(app, key, out),
        None => stray(app, key, out),
    }
}

/// A letter typed outside of the message begins one; anything else does nothing.
fn stray(app: &mut App, key: KeyEvent, out: &mut Vec<Effect>) {
    if let KeyCode::Char(c) = key.code
        && matches!(c, '/' | '@' | ':')
        && !key
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
    {
        app.focus = Focus::Composer;
        insert(app, &c.to_string(), out);
    } else if let Some(name) = panes::motion(key) {
        panes::go(app, name, out);
    }
}

/// What an action does, wherever its key was pressed.
pub(super) fn act(app: &mut App, action: Action, out: &mut Vec<Effect>) {
    match action {
        Action::Stop => escape(app, out),
        Action::Interrupt => interrupt(app, out),
        Action::Quit => out.push(Effect::Quit),
        Action::Help => commands::help(app),
        Action::Palette => go::palette(app),
        Action::Find => commands::find(app, "", out),
        Action::FocusNext => go::focus(app, 1),
        Action::FocusBack => go::focus(app, -1),
        Action::ShowCases => {
            app.focus = if app.focus == Focus::Cases {
                Focus::Composer
            } else {
                Focus::Cases
            };
        }
        Action::ShowEvidence => go::show_evidence(app),
        Action::NewCase => commands::new_case(app),
        Action::NextCase => go::next_room(app, out),
        Action::PageUp if card::page(app, false) => {}
        Action::PageDown if card::page(app, true) => {}
        Action::PageUp => panes::page(app, -1),
        Action::PageDown => panes::page(app, 1),
        Action::Redraw => out.push(Effect::Clear),
        Action::Suspend => out.push(Effect::Suspend),
        Action::Reasoning => app.reasoning = !app.reasoning,
        Action::Send => submit::send(app, out),
        Action::NewLine => insert(app, "\n", out),
        Action::History => go::history(app),
        Action::Reading => {
            if !app.room().reading.is_empty() {
                app.overlay = Some(Overlay::Reading { selected: 0 });
            }
        }
        Action::SendAsIs => as_is::toggle(app),
        Action::TakeBack => submit::take_back(app, out),
        Action::Resume => submit::resume(app, out),
        Action::UndoEdit => {
            app.room_mut().composer.undo();
            changed(app, out);
        }
        other => panes::act(app, other, out),
    }
}

/// Shows a room; what was new there has been seen.
pub(super) fn enter(app: &mut App, id: u64, out: &mut Vec<Effect>) {
    app.room_mut().card.hidden();
    app.current = id;
    let room = app.room_mut();
    room.unread = false;
    let seen = room.case.clone();
    engine::seen(app, seen, out);
}

/// Esc: what is open closes; else the turn stops. It never quits and clears nothing.
fn escape(app: &mut App, out: &mut Vec<Effect>) {
    let room = app.room_mut();
    if !room.completion_off && !completion::items(app).is_empty() {
        app.room_mut().completion_off = true;
        return;
    }
    match app.focus {
        Focus::Evidence if app.room().evidence.shows != Shows::List => {
            app.room_mut().evidence.shows = Shows::List;
            return;
        }
        Focus::Cases if !app.cases.filter.is_empty() => {
            let chosen = panes::chosen_case(app);
            app.cases.filter.clear();
            panes::follow_case(app, chosen);
            return;
        }
        Focus::Cases | Focus::Evidence | Focus::Narrative => {
            if app.room().live.is_none() || app.focus == Focus::Cases {
                app.drawer = false;
                app.focus = Focus::Composer;
                return;
            }
        }
        Focus::Composer => {}
    }
    if stop(app, out) {
        return;
    }
    let room = app.room_mut();
    if room.card.current().is_some() && room.composer.is_empty() {
        room.card.away = true;
        room.card.hidden();
        app.say("left open; it comes back with /proposals, or decide by number: yes 17");
    }
}

/// Stops the running turn of this room. The draft stays, the queue is parked.
fn stop(app: &mut App, out: &mut Vec<Effect>) -> bool {
    let now = app.now;
    let room = app.room_mut();
    let Some(live) = &mut room.live else {
        return false;
    };
    if live.phase != Phase::Stopping {
        live.phase = Phase::Stopping;
        live.phase_since = now;
    }
    room.parked = !room.queue.is_empty();
    out.push(Effect::Order(Order::Stop(room.id)));
    true
}

/// Ctrl-C, as a key or as a signal.
fn interrupt(app: &mut App, out: &mut Vec<Effect>) {
    if app.overlay.is_some() {
        overlays::close(app, out);
        return;
    }
    let now = app.now;
    let room = app.room_mut();
    if !room.composer.is_empty() || !room.chips.is_empty() {
        let text = room.composer.take();
        let chips = std::mem::take(&mut room.chips);
        room.stash = Some((text, chips));
        changed(app, out);
        app.say("cleared; /undo-draft brings it back");
        return;
    }
    if stop(app, out) {
        return;
    }
    if app.quit_asked.is_some_and(|t| now < t + TWICE) {
        out.push(Effect::Quit);
        return;
    }
    app.quit_asked = Some(now);
}

/// Puts text into the message.
fn insert(app: &mut App, text: &str, out: &mut Vec<Effect>) {
    app.room_mut().composer.insert(text);
    changed(app, out);
}

/// The message changed: it is read anew.
pub(super) fn changed(app: &mut App, out: &mut Vec<Effect>) {
    let pasted = app.settings.paste_authorizes;
    let room = app.room_mut();
    room.completion_off = false;
    room.read(pasted);
    as_is::weigh(app);
    let room = app.room_mut();
    let id = room.id;
    let new: Vec<kit::Indicator> = room
        .reading
        .iter()
        .filter(|m| m.stance == kit::human::Stance::Authorize)
        .map(|m| m.indicator.clone())
        .filter(|i| !room.sightings.contains_key(i))
        .take(5)
        .collect();
    for i in new {
        room.sightings.insert(i.clone(), Vec::new());
        out.push(Effect::Order(Order::Sightings(id, i)));
    }
}

/// Keys of the completion list. True when the key was one.
fn completion_key(
    app: &mut App,
    key: KeyEvent,
    action: Option<Action>,
    out: &mut Vec<Effect>,
) -> bool {
    if app.room().completion_off {
        return false;
    }
    let items = completion::items(app);
    if items.is_empty() {
        return false;
    }
    let room = app.room_mut();
    let last = items.len() - 1;
    match key.code {
        KeyCode::Up => room.completion = room.completion.checked_sub(1).unwrap_or(last),
        KeyCode::Down => {
            room.completion = if room.completion >= last {
                0
            } else {
                room.completion + 1
            };
        }
        _ if action == Some(Action::FocusNext) => {
            if let Some(item) = items.get(room.completion.min(last)) {
                room.composer.replace_before(item.from, &item.insert);
                changed(app, out);
            }
        }
        // Enter sends what is a whole command; else it completes.
        KeyCode::Enter if key.modifiers.is_empty() => {
            let text = room.composer.text().trim();
            let whole = text
                .strip_prefix('/')
                .is_none_or(|n| n.contains(' ') || super::commands::find(n).is_some());
            if whole {
                return false;
            }
            if let Some(item) = items.get(room.completion.min(last)) {
                room.composer.replace_before(item.from, &item.insert);
                changed(app, out);
            }
        }
        _ => return false,
    }
    true
}

/// Editing keys of the message.
fn edit(app: &mut App, key: KeyEvent, out: &mut Vec<Effect>) {
    let wide = usize::from(app.size.0).saturating_sub(2);
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    let alt = key.modifiers.contains(KeyModifiers::ALT);
    let room = app.room_mut();
    let c = &mut room.composer;
    match key.code {
        KeyCode::Char('a') if ctrl => c.home(),
        KeyCode::Char('d') if ctrl && c.is_empty() => {
            out.push(Effect::Quit);
            return;
        }
        KeyCode::Char('d') if ctrl => c.delete(),
        KeyCode::Char('b') if ctrl => c.left(),
        KeyCode::Char('w') if ctrl => c.cut_word(),
        KeyCode::Char('u') if ctrl => c.cut_to_home(),
        KeyCode::Char('k') if ctrl => c.cut_to_end(),
        KeyCode::Char('b') if alt => c.word_left(),
        KeyCode::Char('f') if alt => c.word_right(),
        KeyCode::Char(_) if ctrl => return,
        KeyCode::Char(ch) if !alt => {
            insert(app, &ch.to_string(), out);
            return;
        }
        KeyCode::Backspace if ctrl || alt => c.cut_word(),
        KeyCode::Backspace if c.is_empty() && !room.chips.is_empty() => {
            room.chips.pop();
        }
        KeyCode::Backspace => c.backspace(),
        KeyCode::Delete => c.delete(),
        KeyCode::Left if ctrl || alt => c.word_left(),
        KeyCode::Right if ctrl || alt => c.word_right(),
        KeyCode::Left => c.left(),
        KeyCode::Right => c.right(),
        KeyCode::Home => c.home(),
        KeyCode::End => c.end(),
        KeyCode::Up => {
            if c.is_empty() && room.card.current().is_some() && room.card.scroll > 0 {
                room.card.scroll -= 1;
                return;
            }
            if !c.up(wide) {
                recall(app, -1, out);
            }
            return;
        }
        KeyCode::Down => {
            if c.is_empty() && room.card.current().is_some() {
                room.card.scroll += 1;
                return;
            }
            if !c.down(wide) {
                recall(app, 1, out);
            }
            return;
        }
        _ => return,
    }
    changed(app, out);
}

/// Goes through the earlier messages. Another message is redacted, whatever was chosen for this one.
fn recall(app: &mut App, by: i32, out: &mut Vec<Effect>) {
    let room = app.room_mut();
    let last = room.history.len();
    let at = room.history_at.unwrap_or(last);
    let next = if by < 0 {
        at.checked_sub(1)
    } else if at < last {
        Some(at + 1)
    } else {
        None
    };
    let Some(next) = next else { return };
    if room.history_at.is_none() && !room.composer.is_empty() {
        room.stash = Some((room.composer.text().to_owned(), Vec::new()));
    }
    room.as_is = None;
    match room.history.get(next).cloned() {
        Some(text) => {
            room.history_at = Some(next);
            room.composer.set(text);
        }
        None => {
            room.history_at = None;
            let text = room.stash.take().map(|(t, _)| t).unwrap_or_default();
            room.composer.set(text);
        }
    }
    changed(app, out);
    app.room_mut().completion_off = true;
}

/// Scrolls the narrative.
pub(super) fn scroll(app: &mut App, by: isize) {
    let area = layout::areas(app).narrative;
    let beside = area.right() < app.size.0;
    let wide = usize::from(area.width) - usize::from(beside && area.width > 0);
    let options = narrative::options(app, wide);
    let height = usize::from(area.height.saturating_sub(1)).max(1);
    narrative::scroll_by(app.room_mut(), &options, height, by);
}

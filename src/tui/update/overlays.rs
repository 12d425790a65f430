//! Keys of what lies over the screen.

use super::{changed, commands, panes, setup, undo};
use crate::engine::session::{Edit, Order};
use crate::tui::app::{App, Effect, Focus};
use crate::tui::composer::Composer;
use crate::tui::keys::{Action, Place};
use crate::tui::overlay::{Choice, Overlay, Question};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use kit::human::Stance;

pub(super) fn key(app: &mut App, key: KeyEvent, out: &mut Vec<Effect>) {
    // Most of what lies over the screen takes text: a character is never a key of the program there.
    let action = app.keys.action(Place::Composer, key);
    match action {
        Some(Action::Quit) => {
            out.push(Effect::Quit);
            return;
        }
        Some(Action::Stop | Action::Interrupt) => {
            close(app, out);
            return;
        }
        Some(Action::Redraw) => {
            out.push(Effect::Clear);
            return;
        }
        _ => {}
    }
    let Some(mut overlay) = app.overlay.take() else {
        return;
    };
    if let Overlay::Setup(s) = overlay {
        if let Some(s) = setup::key(app, s, key, out) {
            app.overlay = Some(Overlay::Setup(s));
        }
        return;
    }
    let keep = match &mut overlay {
        Overlay::Setup(_) => false,
        Overlay::Words { scroll, .. } => words(scroll, key),
        Overlay::Pick(p) => {
            let shown: Vec<Choice> = p.shown().into_iter().map(|(_, _, c)| c.clone()).collect();
            match key.code {
                KeyCode::Up => {
                    p.selected = p.selected.saturating_sub(1);
                    true
                }
                KeyCode::Down => {
                    p.selected = (p.selected + 1).min(shown.len().saturating_sub(1));
                    true
                }
                KeyCode::Enter => {
                    if let Some(c) = shown.get(p.selected).cloned() {
                        choose(app, c, out);
                        return;
                    }
                    app.complain("nothing in the list fits what you typed; esc closes it");
                    true
                }
                _ => {
                    if line(&mut p.input, key) {
                        p.selected = 0;
                    }
                    true
                }
            }
        }
        Overlay::Find {
            input,
            hits,
            selected,
        } => match key.code {
            KeyCode::Up => {
                *selected = selected.saturating_sub(1);
                true
            }
            KeyCode::Down => {
                *selected = (*selected + 1).min(hits.len().saturating_sub(1));
                true
            }
            KeyCode::Enter => {
                if let Some(h) = hits.get(*selected).cloned() {
                    let jump = (h.kind.clone(), h.n);
                    commands::open_at(app, h.case, Some(jump), out);
                    return;
                }
                app.complain("nothing was found; esc closes the search");
                true
            }
            _ => {
                if line(input, key) {
                    app.stamp += 1;
                    let order = Order::Search(app.stamp, input.text().to_owned());
                    out.push(Effect::Order(order));
                }
                true
            }
        },
        Overlay::Reading { selected } => reading(app, selected, key),
        Overlay::Ask { what, input, .. } => {
            if key.code == KeyCode::Enter {
                let text = input.text().trim().to_owned();
                let what = what.clone();
                answer(app, &what, text, out);
                return;
            }
            line(input, key);
            true
        }
    };
    if keep {
        app.overlay = Some(overlay);
    }
}

/// Closes what lies over the screen.
pub(super) fn close(app: &mut App, out: &mut Vec<Effect>) {
    if let Some(Overlay::Setup(s)) = app.overlay.take() {
        setup::leave(app, &s, out);
    }
}

fn words(scroll: &mut usize, key: KeyEvent) -> bool {
    match key.code {
        KeyCode::Up | KeyCode::Char('k') => *scroll = scroll.saturating_sub(1),
        KeyCode::Down | KeyCode::Char('j') => *scroll += 1,
        KeyCode::PageUp => *scroll = scroll.saturating_sub(10),
        KeyCode::PageDown | KeyCode::Char(' ') => *scroll += 10,
        KeyCode::Home => *scroll = 0,
        KeyCode::Enter | KeyCode::Char('q') => return false,
        _ => {}
    }
    *scroll = (*scroll).min(5_000);
    true
}

/// One-line editing; true when the text may have changed.
fn line(input: &mut Composer, key: KeyEvent) -> bool {
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('a') if ctrl => input.home(),
        KeyCode::Char('e') if ctrl => input.end(),
        KeyCode::Char('u') if ctrl => input.cut_to_home(),
        KeyCode::Char('w') if ctrl => input.cut_word(),
        KeyCode::Char(c) if !ctrl && !key.modifiers.contains(KeyModifiers::ALT) => {
            input.insert(&c.to_string());
        }
        KeyCode::Backspace => input.backspace(),
        KeyCode::Delete => input.delete(),
        KeyCode::Left => input.left(),
        KeyCode::Right => input.right(),
        KeyCode::Home => input.home(),
        KeyCode::End => input.end(),
        _ => return false,
    }
    true
}

/// Pasted text in the search.
pub(super) fn type_find(app: &mut App, text: &str, out: &mut Vec<Effect>) {
    if let Some(Overlay::Find { input, .. }) = &mut app.overlay {
        input.insert(text);
        app.stamp += 1;
        out.push(Effect::Order(Order::Search(
            app.stamp,
            input.text().to_owned(),
        )));
    }
}

fn reading(app: &mut App, selected: &mut usize, key: KeyEvent) -> bool {
    let room = app.room_mut();
    let last = room.reading.len().saturating_sub(1);
    match key.code {
        KeyCode::Up | KeyCode::Char('k') => *selected = selected.saturating_sub(1),
        KeyCode::Down | KeyCode::Char('j') => *selected = (*selected + 1).min(last),
        KeyCode::Char(' ') => {
            if let Some(m) = room.reading.get(*selected) {
                let now = room.stance(m);
                // TLP:RED was said in words, and only words take it back.
                let next = match now {
                    Stance::Authorize => Stance::Listed,
                    Stance::Listed => Stance::Authorize,
                    Stance::Deny => Stance::Listed,
                    Stance::Red => Stance::Red,
                };
                if next == m.stance {
                    room.stances.remove(&m.indicator);
                } else {
                    room.stances.insert(m.indicator.clone(), next);
                }
            }
        }
        KeyCode::Char('a') => {
            let listed: Vec<_> = room
                .reading
                .iter()
                .filter(|m| room.stance(m) == Stance::Listed)
                .map(|m| m.indicator.clone())
                .collect();
            for i in listed {
                room.stances.insert(i, Stance::Authorize);
            }
        }
        KeyCode::Enter => return false,
        _ => {}
    }
    true
}

/// Asks for the value of a setting.
pub(super) fn ask_setting(key: String, value: String) -> Overlay {
    Overlay::ask(
        format!("{key} = (empty: the default)"),
        Question::Setting(key),
        value,
    )
}

/// A value was refused: it is asked for again, with what was typed and why it cannot be.
pub(super) fn refused(app: &mut App, key: String, why: String) {
    match app.asked_setting.take().filter(|(k, _)| *k == key) {
        Some((_, value)) if app.overlay.is_none() => {
            let mut ask = ask_setting(key, value);
            if let Overlay::Ask { problem, .. } = &mut ask {
                *problem = why;
            }
            app.overlay = Some(ask);
        }
        _ => app.complain(format!("{key}: {why}")),
    }
}

fn choose(app: &mut App, choice: Choice, out: &mut Vec<Effect>) {
    match choice {
        Choice::Run(line) => commands::run(app, &line, out),
        Choice::Type(text) => {
            let room = app.room_mut();
            if !room.composer.is_empty() {
                room.stash = Some((room.composer.text().to_owned(), room.chips.clone()));
            }
            room.composer.set(text);
            // Another message: whatever was chosen was chosen for the one before.
            room.as_is = None;
            app.focus = Focus::Composer;
            changed(app, out);
        }
        Choice::Model(name) => commands::use_model(app, &name, out),
        Choice::Setting(key, value) => app.overlay = Some(ask_setting(key, value)),
        Choice::Secret(name) => setup::ask_key(app, &name),
        Choice::Case(id) => commands::open_case(app, id, out),
    }
}

fn answer(app: &mut App, what: &Question, text: String, out: &mut Vec<Effect>) {
    match what {
        Question::Reason(n) => {
            out.push(Effect::Order(Order::Decide {
                room: app.current,
                numbers: vec![*n],
                approve: false,
                reason: (!text.is_empty()).then_some(text),
            }));
        }
        Question::Rename(case) => {
            if !text.is_empty() {
                undo::edit(app, case.clone(), Edit::Rename(text), out);
            }
        }
        Question::Tag(case) => commands::tag(app, case.clone(), &text, out),
        Question::InEvidence => {
            app.room_mut().evidence.search = text;
            panes::next_hit(app);
        }
        Question::Setting(key) => {
            app.asked_setting = Some((key.clone(), text.clone()));
            let value = (!text.is_empty()).then_some(text);
            out.push(Effect::Order(Order::Set(key.clone(), value)));
        }
    }
}

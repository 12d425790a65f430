//! Keys and answers of the guided setup.

use crate::engine::session::{Failure, Order};
use crate::engine::view::{Ability, FoundServer, TrialStep};
use crate::tui::app::{App, Effect};
use crate::tui::overlay::Overlay;
use crate::tui::setup::{KeyEntry, Setup, Step, Trial, wanted};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Opens it at its begin.
pub(in crate::tui) fn open(app: &mut App, first: bool, out: &mut Vec<Effect>) {
    app.overlay = Some(Overlay::Setup(Box::new(Setup {
        first,
        ..Setup::default()
    })));
    out.push(Effect::Order(Order::Servers));
}

/// Asks for the value of one secret.
pub(super) fn ask_key(app: &mut App, name: &str) {
    let get_key = wanted(&app.modules)
        .into_iter()
        .find(|w| w.secret == name || w.modules.iter().any(|m| m == name))
        .map(|w| w.get_key)
        .unwrap_or_default();
    app.overlay = Some(Overlay::Setup(Box::new(Setup::key_only(name, &get_key))));
}

/// It goes from the screen, done or skipped, and does not come by itself again.
pub(super) fn leave(app: &mut App, setup: &Setup, out: &mut Vec<Effect>) {
    app.settings.first_run = false;
    if setup.alone {
        return;
    }
    if matches!(setup.trial, Trial::Running(..)) {
        out.push(Effect::Order(Order::StopTrying));
    }
    if !matches!(setup.step, Step::Done) {
        out.push(Effect::Order(Order::SetupOver(false)));
        app.say("skipped; /setup comes back to it");
    }
}

/// A key. `None`: it closes.
pub(super) fn key(
    app: &mut App,
    mut s: Box<Setup>,
    key: KeyEvent,
    out: &mut Vec<Effect>,
) -> Option<Box<Setup>> {
    match &s.step {
        Step::Model => model_key(app, &mut s, key, out),
        Step::Trial => trial_key(app, &mut s, key, out),
        Step::Keys => keys_key(app, &mut s, key, out),
        Step::Key(_) => {
            if !entry_key(&mut s, key, out) {
                return None;
            }
        }
        Step::Done => {
            leave(app, &s, out);
            return None;
        }
    }
    Some(s)
}

/// Up, down and digits in a list of `len` lines, the first having the number `first`.
fn choose(s: &mut Setup, key: KeyEvent, len: usize, first: usize) {
    let last = len.saturating_sub(1);
    match key.code {
        KeyCode::Up | KeyCode::Char('k') => {
            s.number.clear();
            s.selected = s.selected.saturating_sub(1);
        }
        KeyCode::Down | KeyCode::Char('j') => {
            s.number.clear();
            s.selected = (s.selected + 1).min(last);
        }
        KeyCode::Backspace => {
            s.number.pop();
        }
        KeyCode::Char(c) if c.is_ascii_digit() => {
            s.number.push(c);
            let at = |text: &str| {
                text.parse::<usize>()
                    .ok()
                    .and_then(|n| n.checked_sub(first))
                    .filter(|n| *n < len)
            };
            match at(&s.number) {
                Some(n) => s.selected = n,
                None => {
                    // No such line: the digit begins a new number.
                    s.number = c.to_string();
                    match at(&s.number) {
                        Some(n) => s.selected = n,
                        None => s.number.clear(),
                    }
                }
            }
        }
        _ => {}
    }
}

fn go(s: &mut Setup, step: Step, selected: usize) {
    s.step = step;
    s.selected = selected;
    s.number.clear();
    s.problem = None;
}

fn model_key(app: &App, s: &mut Setup, key: KeyEvent, out: &mut Vec<Effect>) {
    match key.code {
        KeyCode::Char('s') => go(s, Step::Keys, 0),
        KeyCode::Char('l') => {
            s.servers = None;
            s.selected = 0;
            out.push(Effect::Order(Order::Servers));
        }
        KeyCode::Enter if s.servers.is_none() => {}
        KeyCode::Enter => {
            let chosen = s
                .models()
                .get(s.selected)
                .map(|(server, model)| (server.base_url.clone(), (*model).to_owned()));
            match chosen {
                Some(chosen) => {
                    s.chosen = Some(chosen);
                    go(s, Step::Trial, 0);
                    begin_trial(app, s, out);
                }
                None => go(s, Step::Keys, 0),
            }
        }
        _ => {
            let len = s.models().len();
            choose(s, key, len, 1);
        }
    }
}

fn begin_trial(app: &App, s: &mut Setup, out: &mut Vec<Effect>) {
    let Some((url, model)) = s.chosen.clone() else {
        return;
    };
    s.stamp += 1;
    s.trial = Trial::Running(app.now, TrialStep::Connecting);
    out.push(Effect::Order(Order::Try(s.stamp, url, model)));
}

/// Writes the chosen model to the configuration, and goes on.
fn write(app: &mut App, s: &mut Setup, out: &mut Vec<Effect>) {
    if let Some((url, model)) = s.chosen.clone() {
        // What was chosen for this session only gives way to what was chosen for good.
        app.model = None;
        s.writing = true;
        out.push(Effect::Order(Order::SetAll(vec![
            ("model.base_url".into(), Some(url)),
            ("model.name".into(), Some(model)),
        ])));
    }
    go(s, Step::Keys, 0);
}

fn trial_key(app: &mut App, s: &mut Setup, key: KeyEvent, out: &mut Vec<Effect>) {
    let running = matches!(s.trial, Trial::Running(..));
    match key.code {
        KeyCode::Char('b') => {
            if running {
                out.push(Effect::Order(Order::StopTrying));
            }
            s.trial = Trial::None;
            go(s, Step::Model, 0);
        }
        KeyCode::Char('s') if running => {
            // The first question tries it then.
            out.push(Effect::Order(Order::StopTrying));
            s.trial = Trial::None;
            write(app, s, out);
        }
        KeyCode::Char('t') if !running => begin_trial(app, s, out),
        KeyCode::Enter | KeyCode::Char('s') => match &s.trial {
            Trial::Done(Ability::Native | Ability::Constrained) => write(app, s, out),
            Trial::Done(Ability::NoTools(_) | Ability::Failed(..)) | Trial::None => {
                s.chosen = None;
                go(s, Step::Keys, 0);
            }
            Trial::Running(..) => {}
        },
        _ => {}
    }
}

fn keys_key(app: &App, s: &mut Setup, key: KeyEvent, out: &mut Vec<Effect>) {
    let all = wanted(&app.modules);
    match key.code {
        KeyCode::Char('s') => done(s, out),
        KeyCode::Enter => match s.selected.checked_sub(1).and_then(|i| all.get(i)) {
            Some(w) => {
                let entry = KeyEntry::new(&w.secret, &w.get_key);
                go(s, Step::Key(entry), s.selected);
            }
            None => done(s, out),
        },
        _ => choose(s, key, all.len() + 1, 0),
    }
}

fn done(s: &mut Setup, out: &mut Vec<Effect>) {
    go(s, Step::Done, 0);
    out.push(Effect::Order(Order::SetupOver(true)));
}

/// Keys of a value that is being typed. False: it closes.
fn entry_key(s: &mut Setup, key: KeyEvent, out: &mut Vec<Effect>) -> bool {
    let Step::Key(k) = &mut s.step else {
        return true;
    };
    if k.storing {
        return true;
    }
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('u') if ctrl => k.value.clear(),
        KeyCode::Char(c) if !ctrl && !key.modifiers.contains(KeyModifiers::ALT) => {
            k.value.push(c.encode_utf8(&mut [0; 4]));
        }
        KeyCode::Backspace => k.value.pop(),
        KeyCode::Enter if k.value.is_empty() => {
            if s.alone {
                return false;
            }
            go(s, Step::Keys, s.selected);
        }
        KeyCode::Enter => {
            k.storing = true;
            let order = Order::KeepSecret(k.name.clone(), k.value.take());
            out.push(Effect::Order(order));
        }
        _ => {}
    }
    true
}

fn current(app: &mut App) -> Option<&mut Setup> {
    match &mut app.overlay {
        Some(Overlay::Setup(s)) => Some(s),
        _ => None,
    }
}

/// The servers of this machine.
pub(super) fn servers(app: &mut App, found: Vec<FoundServer>) {
    if let Some(s) = current(app) {
        s.servers = Some(found);
        s.selected = 0;
        s.number.clear();
    }
}

/// The trial goes on, or ended.
pub(super) fn trial(app: &mut App, stamp: u64, step: Result<TrialStep, Ability>) {
    let Some(s) = current(app).filter(|s| s.stamp == stamp) else {
        return;
    };
    let Trial::Running(since, _) = s.trial else {
        return;
    };
    s.trial = match step {
        Ok(step) => Trial::Running(since, step),
        Err(ability) => Trial::Done(ability),
    };
}

/// A secret was stored, or not.
pub(super) fn kept(app: &mut App, name: &str, place: Result<String, Failure>) {
    if place.is_ok()
        && let Some((_, v)) = app
            .settings
            .all
            .iter_mut()
            .find(|(k, _)| k.strip_prefix("secret ") == Some(name))
    {
        *v = "set".into();
    }
    let (words, bad) = match &place {
        Ok(place) => (format!("the key {name} is in {place}"), false),
        Err(f) => (format!("{}: {}", f.message, f.hint), true),
    };
    match current(app) {
        Some(s) if !s.alone => match place {
            Ok(place) => {
                s.stored.push((name.to_owned(), place));
                go(s, Step::Keys, 0);
            }
            Err(_) => {
                if let Step::Key(k) = &mut s.step {
                    k.storing = false;
                }
                s.problem = Some(words);
            }
        },
        alone => {
            if alone.is_some() {
                app.overlay = None;
            }
            if bad {
                app.complain(words);
            } else {
                app.say(words);
            }
        }
    }
}

/// The settings were written, or a key of them was refused. True: it was the setup's.
pub(super) fn set(app: &mut App, refused: Option<&str>) -> bool {
    let Some(s) = current(app).filter(|s| s.writing) else {
        return false;
    };
    s.writing = false;
    s.written = refused.is_none();
    s.problem = refused.map(|why| format!("the model was not written to the configuration: {why}"));
    true
}

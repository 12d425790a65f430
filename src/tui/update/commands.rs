//! The commands that begin with `/`.

use super::{changed, engine, overlays, panes, setup, submit, undo};
use crate::engine::session::{Edit, Order};
use crate::engine::view::{CaseId, Mode};
use crate::tui::app::{App, Effect, Focus};
use crate::tui::commands;
use crate::tui::evidence::Shows;
use crate::tui::overlay::{Choice, Overlay, Pick};
use crate::tui::style::Look;
use kit::indicator::Indicator;
use std::path::PathBuf;

/// Title of the list of models.
pub(super) const MODELS: &str = "models of the server";

/// Runs a command line without its slash.
pub fn run(app: &mut App, text: &str, out: &mut Vec<Effect>) {
    let text = text.trim();
    let (name, argument) = text
        .split_once(char::is_whitespace)
        .map_or((text, ""), |(n, a)| (n, a.trim()));
    let id = app.current;
    match name {
        "full" => out.push(Effect::Order(Order::Mode(id, Mode::Full))),
        "brief" => out.push(Effect::Order(Order::Mode(id, Mode::Brief))),
        "continue" => submit::go_on(app, id, out),
        "retry" => again(app, "", false, out),
        "fresh" => again(app, argument, true, out),
        "revoke" => {
            if let Some(i) = indicator(app, argument) {
                out.push(Effect::Order(Order::Revoke(id, i)));
            }
        }
        "propose" => {
            if let Some(i) = indicator(app, argument) {
                out.push(Effect::Order(Order::Propose(id, i, None)));
            }
        }
        "proposals" => {
            let room = app.room_mut();
            room.card.away = false;
            if room.open_proposals().is_empty() {
                app.say("nothing waits for a decision");
            }
        }
        "cases" if argument.is_empty() => app.focus = Focus::Cases,
        "cases" => {
            if let Some(i) = indicator(app, argument) {
                out.push(Effect::Order(Order::LookUp {
                    room: id,
                    module: "cases".into(),
                    value: i.value().to_owned(),
                    fresh: true,
                    anyway: false,
                }));
            }
        }
        "open" => open_named(app, argument, out),
        "new" => new_case(app),
        "rename" if argument.is_empty() => app.complain("name the new title: /rename TITLE"),
        "rename" => edit(app, Edit::Rename(argument.to_owned()), out),
        "tag" => {
            if let Some(case) = app.room().case.clone() {
                tag(app, case, argument, out);
            }
        }
        "close" => edit(app, Edit::Close, out),
        "reopen" => edit(app, Edit::Reopen, out),
        "undo" => undo::last(app, out),
        "setup" => setup::open(app, false, out),
        "delete" => {
            if let Some(case) = app.room().case.clone() {
                delete(app, case, out);
            }
        }
        "undelete" => undelete(app, out),
        "fork" => fork(app, argument.parse().ok(), out),
        "find" => find(app, argument, out),
        "evidence" => match argument.trim_start_matches(['E', 'e']).parse() {
            Ok(n) => panes::open_evidence(app, n, out),
            Err(_) => {
                app.drawer = true;
                app.focus = Focus::Evidence;
                app.room_mut().evidence.shows = Shows::List;
            }
        },
        "modules" => modules(app),
        "model" if argument.is_empty() => models(app),
        "model" => use_model(app, argument, out),
        "settings" => settings(app, argument, out),
        "export" => export(app, argument, out),
        "print" => {
            app.print = !app.print;
            app.say(if app.print {
                "the narrative is printed when you leave"
            } else {
                "nothing is printed when you leave"
            });
        }
        "copy" => panes::copy_answer(app, out),
        "undo-draft" => match app.room_mut().stash.take() {
            Some((text, chips)) => {
                let room = app.room_mut();
                room.composer.set(text);
                room.chips = chips;
                changed(app, out);
            }
            None => app.say("nothing was cleared"),
        },
        "help" => help(app),
        "quit" | "q" | "exit" => out.push(Effect::Quit),
        other => {
            let near = commands::TABLE
                .iter()
                .map(|c| (strsim::jaro_winkler(c.name, other), c.name))
                .filter(|(s, _)| *s > 0.75)
                .max_by(|a, b| a.0.total_cmp(&b.0));
            let hint = near.map_or_else(
                || "f1 lists them".to_owned(),
                |(_, n)| format!("did you mean /{n}?"),
            );
            app.complain(format!("there is no command /{other}; {hint}"));
            // What was typed is not lost.
            app.room_mut().composer.set(format!("/{text}"));
            changed(app, out);
        }
    }
}

fn indicator(app: &mut App, text: &str) -> Option<Indicator> {
    let found = kit::extract(text)
        .into_iter()
        .next()
        .map(|f| f.indicator)
        .or_else(|| kit::classify(text));
    if found.is_none() {
        app.complain("name one indicator, for example 198.51.100.7");
    }
    found
}

fn with_case(app: &mut App, out: &mut Vec<Effect>, f: impl FnOnce(CaseId) -> Option<Order>) {
    match app.room().case.clone() {
        Some(case) => match f(case) {
            Some(order) => out.push(Effect::Order(order)),
            None => app.complain("it needs a word more; f1 lists the commands"),
        },
        None => app.complain("there is no case yet; ask something first"),
    }
}

/// Changes the case on screen as a whole.
fn edit(app: &mut App, edit: Edit, out: &mut Vec<Effect>) {
    match app.room().case.clone() {
        Some(case) => undo::edit(app, case, edit, out),
        None => app.complain("there is no case yet; ask something first"),
    }
}

/// Asks the last question, or another, once more.
fn again(app: &mut App, text: &str, fresh: bool, out: &mut Vec<Effect>) {
    if app.room().live.is_some() {
        app.complain("a turn runs; esc stops it");
        return;
    }
    let last = app
        .room()
        .state
        .turns
        .iter()
        .rev()
        .map(|t| t.text.as_str())
        .find(|t| !t.is_empty());
    let text = if text.is_empty() {
        last.unwrap_or_default().to_owned()
    } else {
        text.to_owned()
    };
    if text.is_empty() {
        app.say("nothing was asked yet");
        return;
    }
    let mut input = app.ask_input(app.room(), text);
    input.fresh = fresh;
    // A message that is sent by a command decides no proposals.
    submit::begin(app, input, App::choices(Vec::new(), Vec::new()), out);
}

/// Shows the keys and the commands.
pub(super) fn help(app: &mut App) {
    let mut lines = vec![(Look::Heading, "Keys".to_owned())];
    for (place, keys, help) in app.keys.help() {
        lines.push((Look::Plain, format!("{place:<14}{keys:<24}{help}")));
    }
    lines.push((Look::Plain, String::new()));
    lines.push((Look::Heading, "Commands".to_owned()));
    for c in commands::TABLE {
        let name = format!("/{} {}", c.name, c.arguments);
        lines.push((Look::Plain, format!("{name:<28}{}", c.help)));
    }
    lines.push((
        Look::Plain,
        format!(
            "{:<28}one look-up of your own, also while a turn runs",
            "@MODULE VALUE"
        ),
    ));
    lines.push((
        Look::Plain,
        format!("{:<28}every module that takes the value", "@ioc VALUE"),
    ));
    lines.push((Look::Plain, String::new()));
    lines.push((Look::Heading, "What counts as yes".to_owned()));
    for words in [
        "An approval card takes a key only after it was on screen and no key was pressed for 0.6 s, and while the message is empty or another pane has the keys. Enter, space, paste and held keys never approve.",
        "Typed: yes, yes 1,3, yes all, yes to evil[.]com only, no, no 2. Only what was on screen when you sent it can be covered.",
    ] {
        lines.push((Look::Plain, words.to_owned()));
    }
    app.overlay = Some(Overlay::Words {
        title: "help".into(),
        lines,
        scroll: 0,
    });
}

/// Opens the search.
pub(super) fn find(app: &mut App, words: &str, out: &mut Vec<Effect>) {
    let mut input = crate::tui::composer::Composer::default();
    input.set(words);
    app.overlay = Some(Overlay::Find {
        input,
        hits: Vec::new(),
        selected: 0,
    });
    if !words.is_empty() {
        app.stamp += 1;
        out.push(Effect::Order(Order::Search(app.stamp, words.to_owned())));
    }
}

/// A new case in a room of its own, unless the one on screen is still empty.
pub(super) fn new_case(app: &mut App) {
    app.focus = Focus::Composer;
    let empty = app
        .rooms
        .values()
        .find(|r| r.case.is_none() && r.live.is_none())
        .map(|r| r.id);
    app.room_mut().card.hidden();
    match empty {
        Some(id) => app.current = id,
        None => {
            app.add_room();
        }
    }
}

/// Shows a case.
pub(super) fn open_case(app: &mut App, case: CaseId, out: &mut Vec<Effect>) {
    open_at(app, case, None, out);
}

/// Shows a case at a place.
pub(super) fn open_at(
    app: &mut App,
    case: CaseId,
    jump: Option<(String, u32)>,
    out: &mut Vec<Effect>,
) {
    let known = app
        .rooms
        .values()
        .find(|r| r.case.as_ref() == Some(&case))
        .map(|r| r.id);
    if let Some(id) = known {
        super::enter(app, id, out);
        if let Some((kind, n)) = jump {
            engine::jump(app, &kind, n, out);
        }
        return;
    }
    app.room_mut().card.hidden();
    let id = app.add_room();
    let room = app.room_mut();
    room.case = Some(case.clone());
    room.jump = jump;
    out.push(Effect::Order(Order::Follow(id, case)));
    // Rooms that show nothing and run nothing go, oldest first.
    let idle: Vec<u64> = app
        .rooms
        .values()
        .filter(|r| r.id != id && r.live.is_none() && r.composer.is_empty() && r.queue.is_empty())
        .map(|r| r.id)
        .collect();
    if app.rooms.len() > 12
        && let Some(oldest) = idle.first()
    {
        app.rooms.remove(oldest);
        out.push(Effect::Order(Order::Leave(*oldest)));
    }
}

fn open_named(app: &mut App, text: &str, out: &mut Vec<Effect>) {
    let texts: Vec<String> = app
        .cases
        .all
        .iter()
        .map(|c| format!("{} {}", c.short, c.title))
        .collect();
    let exact = app
        .cases
        .all
        .iter()
        .find(|c| c.short == text || c.id.as_str() == text)
        .map(|c| c.id.clone());
    let best = exact.or_else(|| {
        crate::tui::overlay::fuzzy(text, &texts)
            .first()
            .and_then(|i| app.cases.all.get(*i))
            .map(|c| c.id.clone())
    });
    match best {
        Some(id) if !text.is_empty() => open_case(app, id, out),
        _ => app.complain("no case fits that"),
    }
}

/// Tags on and off.
pub(super) fn tag(app: &mut App, case: CaseId, text: &str, out: &mut Vec<Effect>) {
    let (off, on): (Vec<&str>, Vec<&str>) = text
        .split_whitespace()
        .partition(|t| t.starts_with('-') && t.len() > 1);
    if on.is_empty() && off.is_empty() {
        return;
    }
    let on = on
        .into_iter()
        .map(|t| t.trim_start_matches('#').to_owned())
        .collect();
    let off = off.into_iter().map(|t| t[1..].to_owned()).collect();
    undo::edit(app, case, Edit::Tag(on, off), out);
}

/// Hides a case.
pub(super) fn delete(app: &mut App, case: CaseId, out: &mut Vec<Effect>) {
    if app
        .rooms
        .values()
        .any(|r| r.case.as_ref() == Some(&case) && r.live.is_some())
    {
        app.complain("a turn runs in this case; stop it first");
        return;
    }
    app.cases.deleted = Some(case.clone());
    // Before the room goes, for it knows the case.
    undo::edit(app, case.clone(), Edit::Delete, out);
    if app.room().case.as_ref() == Some(&case) {
        new_case(app);
    }
    if let Some(id) = app
        .rooms
        .values()
        .find(|r| r.case.as_ref() == Some(&case))
        .map(|r| r.id)
    {
        app.rooms.remove(&id);
        out.push(Effect::Order(Order::Leave(id)));
    }
    app.say(format!(
        "case {} is deleted; u in the list, or /undo, brings it back",
        case.short()
    ));
}

/// Brings the case back that was deleted last.
pub(super) fn undelete(app: &mut App, out: &mut Vec<Effect>) {
    match app.cases.deleted.take() {
        Some(case) => {
            undo::forget(app, &case, &Edit::Undelete);
            app.say(format!("case {} is back", case.short()));
            out.push(Effect::Order(Order::Edit(case, Edit::Undelete)));
        }
        None => app.say("nothing was deleted here"),
    }
}

/// A new case from what is known up to a turn (the last one).
pub(super) fn fork(app: &mut App, turn: Option<u32>, out: &mut Vec<Effect>) {
    let last = app.room().state.turns.last().map_or(0, |t| t.n);
    with_case(app, out, |case| {
        Some(Order::Fork(case, turn.unwrap_or(last)))
    });
}

fn modules(app: &mut App) {
    let mut lines = Vec::new();
    for m in &app.modules {
        let state = match (m.enabled, m.ready) {
            (false, _) => "switched off",
            (_, false) => "no key",
            _ if m.host.is_empty() => "ready, stays on this machine",
            _ => "ready",
        };
        let look = if m.enabled && m.ready {
            Look::Good
        } else {
            Look::Warn
        };
        lines.push((look, format!("@{} ({state})", m.name)));
        lines.push((Look::Plain, format!("    {}", m.what)));
        let types: Vec<&str> = m.types.iter().map(|t| t.name()).collect();
        lines.push((Look::Dim, format!("    takes {}", types.join(", "))));
        if !m.for_model {
            lines.push((Look::Dim, "    for people only: no model may use it".into()));
        }
        if !m.ready && !m.get_key.is_empty() {
            lines.push((
                Look::Plain,
                format!("    {} Then: rmm-analyst secret set {}", m.get_key, m.name),
            ));
        }
    }
    app.overlay = Some(Overlay::Words {
        title: "look-up modules".into(),
        lines,
        scroll: 0,
    });
}

/// The models of the server.
pub(super) fn models(app: &mut App) {
    let offered = app
        .server
        .as_ref()
        .map(|s| s.offered.clone())
        .unwrap_or_default();
    if offered.is_empty() {
        let why = app
            .server
            .as_ref()
            .and_then(|s| s.missing.clone())
            .unwrap_or_else(|| "no server answered yet".into());
        app.complain(why);
        return;
    }
    let used = app.server.as_ref().and_then(|s| s.model.clone());
    let items = offered
        .into_iter()
        .map(|m| {
            let about = if used.as_ref() == Some(&m) {
                "in use"
            } else {
                ""
            };
            (m.clone(), about.to_owned(), Choice::Model(m))
        })
        .collect();
    app.overlay = Some(Overlay::Pick(Pick {
        title: MODELS.into(),
        items,
        ..Pick::default()
    }));
}

/// Uses a model for this session.
pub(super) fn use_model(app: &mut App, name: &str, out: &mut Vec<Effect>) {
    app.model = Some(name.to_owned());
    app.server = None;
    let wish = app.ask_input(app.room(), String::new()).model;
    out.push(Effect::Order(Order::Server(wish)));
    app.say("used from the next question on; /settings model.name keeps it");
}

fn settings(app: &mut App, argument: &str, out: &mut Vec<Effect>) {
    let exact = app.settings.all.iter().find(|(k, _)| k == argument);
    if let Some((key, value)) = exact.cloned() {
        // The whole name is there: nothing is to be chosen.
        match key.strip_prefix("secret ") {
            Some(name) => super::setup::ask_key(app, name),
            None => app.overlay = Some(overlays::ask_setting(key, value)),
        }
        return;
    }
    if let Some((key, value)) = argument.split_once(char::is_whitespace) {
        out.push(Effect::Order(Order::Set(
            key.to_owned(),
            Some(value.trim().to_owned()),
        )));
        return;
    }
    let items = app
        .settings
        .all
        .iter()
        .filter(|(k, _)| argument.is_empty() || k.contains(argument))
        .map(|(k, v)| {
            let choice = match k.strip_prefix("secret ") {
                // Keys show only as set or unset, and are typed unseen.
                Some(name) => Choice::Secret(name.to_owned()),
                None => Choice::Setting(k.clone(), v.clone()),
            };
            (k.clone(), v.clone(), choice)
        })
        .collect();
    app.overlay = Some(Overlay::Pick(Pick {
        title: "settings (enter changes one)".into(),
        items,
        ..Pick::default()
    }));
}

pub(super) fn export(app: &mut App, argument: &str, out: &mut Vec<Effect>) {
    let mut words = argument.split_whitespace();
    let form = words.next().unwrap_or("markdown").to_owned();
    let ending = match form.as_str() {
        "markdown" => "md",
        "json" | "stix" => "json",
        "jsonl" => "jsonl",
        "csv" | "tables" => "csv",
        _ => {
            app.complain("the forms are markdown, json, jsonl, csv, stix, and tables (those of the newest answer)");
            return;
        }
    };
    let file = words.next().map(PathBuf::from);
    with_case(app, out, |case| {
        let file = file.unwrap_or_else(|| PathBuf::from(format!("case-{}.{ending}", case.short())));
        Some(Order::Export(case, form, file))
    });
}

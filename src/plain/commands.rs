//! The commands that begin with `/`.

use super::desk::{Desk, Question};
use super::{evidence, menu, message, story};
use crate::engine::session::{Edit, Order};
use crate::engine::view::{CaseId, CaseState, CaseSummary, Mode};
use crate::surface::commands;
use kit::indicator::Indicator;
use std::path::PathBuf;

/// Runs a command line without its slash.
pub fn run(desk: &mut Desk, text: &str) {
    let text = text.trim();
    let (name, argument) = text
        .split_once(char::is_whitespace)
        .map_or((text, ""), |(n, a)| (n, a.trim()));
    let room = desk.room;
    match name {
        "help" => help(desk),
        "quit" | "q" | "exit" => {
            if desk.live.is_some() {
                desk.paper.say("The running turn is stopped.");
            }
            desk.leave = true;
        }
        "stop" => stop(desk),
        "full" => mode(desk, Mode::Full),
        "brief" => mode(desk, Mode::Brief),
        "continue" if quiet(desk) => {
            if desk.case.is_some() {
                message::go_on(desk);
            } else {
                no_case(desk);
            }
        }
        "retry" if quiet(desk) => again(desk, "", false),
        "fresh" if quiet(desk) => again(desk, argument, true),
        "continue" | "retry" | "fresh" => {}
        "revoke" => {
            if let Some(i) = indicator(desk, argument) {
                let value = desk.paper.value(&i);
                desk.paper
                    .say(format!("Withdrawing the authorization of {value}."));
                desk.order(Order::Revoke(room, i));
            }
        }
        "propose" => {
            if let Some(i) = indicator(desk, argument) {
                desk.order(Order::Propose(room, i, None));
            }
        }
        "as-is" => message::as_is(desk, argument),
        "mentioned" => menu::mentioned(desk),
        "proposals" => {
            desk.away = false;
            desk.left.clear();
            // Asked anew, so that it is read anew.
            let mut open: Vec<u64> = desk.state.open_proposals().map(|p| p.n).collect();
            open.extend(desk.state.open_actions().map(|a| a.proposed.n));
            for n in &open {
                desk.printed.remove(n);
            }
            if desk.question.since().is_some() {
                desk.question = Question::None;
            }
            if open.is_empty() {
                desk.paper.say("Nothing waits for a decision.");
            }
        }
        "queue" => story::parked(desk),
        "resume" => {
            if desk.queue.is_empty() {
                desk.paper.say("No message waits.");
            } else {
                desk.parked = false;
                message::next(desk);
            }
        }
        "drop" => drop_last(desk),
        "reasoning" => reasoning(desk),
        "story" => story::tell(desk, argument.parse().ok()),
        "find" => find(desk, argument),
        "evidence" => show_evidence(desk, argument),
        "modules" => modules(desk),
        "model" if argument.is_empty() => menu::models(desk),
        "model" => use_model(desk, argument),
        "settings" => settings(desk, argument),
        "export" => export(desk, argument),
        _ => of_cases(desk, name, argument, text),
    }
}

/// Commands about cases as a whole.
fn of_cases(desk: &mut Desk, name: &str, argument: &str, text: &str) {
    match name {
        "cases" if argument.is_empty() => {
            let list = desk.cases.clone();
            menu::cases(desk, list);
        }
        "cases" => {
            if let Some(i) = indicator(desk, argument) {
                let room = desk.room;
                desk.look(Order::LookUp {
                    room,
                    module: "cases".into(),
                    value: i.value().to_owned(),
                    fresh: true,
                    anyway: false,
                });
            }
        }
        "open" if quiet(desk) => open_named(desk, argument),
        "new" if quiet(desk) => {
            empty(desk);
            desk.paper.say("A new case begins with your next message.");
        }
        "fork" if quiet(desk) => {
            let last = desk.state.turns.last().map_or(0, |t| t.n);
            match desk.case.clone() {
                Some(case) => desk.order(Order::Fork(case, argument.parse().unwrap_or(last))),
                None => no_case(desk),
            }
        }
        "delete" if quiet(desk) => delete(desk),
        "open" | "new" | "fork" | "delete" => {}
        "undelete" | "undo" => match desk.deleted.take() {
            Some(case) => {
                desk.paper
                    .say(format!("Case {} is back; /open {0} opens it.", case.short()));
                desk.order(Order::Edit(case, Edit::Undelete));
            }
            None => desk.complain("Nothing was deleted here."),
        },
        "rename" if argument.is_empty() => desk.complain("Name a title: /rename TITLE"),
        "rename" => edit(
            desk,
            Edit::Rename(argument.to_owned()),
            "The case has another title.",
        ),
        "tag" => {
            let (off, on): (Vec<&str>, Vec<&str>) = argument
                .split_whitespace()
                .partition(|t| t.starts_with('-') && t.len() > 1);
            if on.is_empty() && off.is_empty() {
                desk.complain("Name tags: /tag TAG; -TAG takes one off");
                return;
            }
            let on = on
                .into_iter()
                .map(|t| t.trim_start_matches('#').to_owned())
                .collect();
            let off = off
                .into_iter()
                .filter_map(|t| t.strip_prefix('-'))
                .map(str::to_owned)
                .collect();
            edit(desk, Edit::Tag(on, off), "The tags were changed.");
        }
        "close" => edit(
            desk,
            Edit::Close,
            "The case is closed; open proposals expired.",
        ),
        "reopen" => edit(desk, Edit::Reopen, "The case is open again."),
        "approve" | "deny" => desk.complain(
            "A proposal is decided at a terminal, by the number of a choice after its card (/proposals prints it), or with: rmm-analyst approve N, rmm-analyst deny N",
        ),
        other => {
            if let Some(c) = commands::TABLE.iter().find(|c| c.name == other) {
                desk.complain(format!("/{} is of the full screen only.", c.name));
                return;
            }
            let near = commands::plain()
                .map(|c| (strsim::jaro_winkler(c.name, other), c.name))
                .filter(|(s, _)| *s > 0.75)
                .max_by(|a, b| a.0.total_cmp(&b.0));
            let hint = near.map_or_else(
                || "/help lists them".to_owned(),
                |(_, n)| format!("did you mean /{n}?"),
            );
            let first = text.split_whitespace().next().unwrap_or_default();
            desk.complain(format!(
                "There is no command /{first}; {hint} Nothing was sent."
            ));
        }
    }
}

/// Nothing runs; otherwise it is said.
fn quiet(desk: &mut Desk) -> bool {
    if desk.live.is_some() {
        desk.complain("A turn runs; wait for it, or stop it with /stop or ctrl-c.");
    }
    desk.live.is_none()
}

fn no_case(desk: &mut Desk) {
    desk.complain("There is no case yet; ask something first.");
}

/// Stops the running turn.
pub fn stop(desk: &mut Desk) {
    let room = desk.room;
    match &mut desk.live {
        Some(l) if !l.stopping => {
            l.stopping = true;
            desk.orders.push(Order::Stop(room));
            desk.paper
                .say("Stopping: the request to the model and the look-ups are dropped.");
        }
        Some(_) => desk.paper.say("It is being stopped."),
        None => desk.paper.say("No turn runs."),
    }
}

fn mode(desk: &mut Desk, mode: Mode) {
    if desk.case.is_none() {
        no_case(desk);
        return;
    }
    desk.paper.say(match mode {
        Mode::Full => "Evidence is shown with each answer, from here on.",
        Mode::Brief => "Only the answer and the sources are shown, from here on.",
    });
    desk.order(Order::Mode(desk.room, mode));
}

fn indicator(desk: &mut Desk, text: &str) -> Option<Indicator> {
    let found = kit::extract(text)
        .into_iter()
        .next()
        .map(|f| f.indicator)
        .or_else(|| kit::classify(text));
    if found.is_none() {
        desk.complain("Name one indicator, for example 198.51.100.7");
    }
    found
}

fn edit(desk: &mut Desk, edit: Edit, words: &str) {
    match desk.case.clone() {
        Some(case) => {
            desk.order(Order::Edit(case, edit));
            desk.paper.say(words);
        }
        None => no_case(desk),
    }
}

/// Asks the last question, or another, once more. A message that a command sends decides no proposals.
fn again(desk: &mut Desk, text: &str, fresh: bool) {
    let last = desk
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
        desk.complain("Nothing was asked yet.");
        return;
    }
    let mut input = message::input(desk, text);
    input.fresh = fresh;
    message::begin(desk, input, Vec::new());
}

fn drop_last(desk: &mut Desk) {
    if let Some(a) = desk.attached.pop() {
        desk.paper
            .say(format!("{} is not attached any more.", a.name));
    } else if let Some(q) = desk.queue.pop_back() {
        desk.paper.say("The last waiting message is not sent:");
        let text = desk.paper.defanged(&q.text);
        desk.paper.quote(text);
        desk.parked &= !desk.queue.is_empty();
    } else {
        desk.paper.say("Nothing waits.");
    }
}

fn reasoning(desk: &mut Desk) {
    let text = match &desk.live {
        Some(l) if !l.reasoning.is_empty() => l.reasoning.clone(),
        _ => desk.reasoning.clone(),
    };
    if text.trim().is_empty() {
        desk.paper.say("The model gave no reasoning.");
        return;
    }
    desk.paper
        .say("Reasoning of the model; it is no part of the case:");
    let text = desk.words.redacted(text.trim());
    let text = desk.paper.defanged(text.as_str());
    desk.paper.quote(text);
    desk.paper.say("End of the reasoning.");
}

fn help(desk: &mut Desk) {
    desk.paper.say("Commands:");
    for c in commands::plain() {
        let arguments = if c.arguments.is_empty() {
            String::new()
        } else {
            format!(" {}", c.arguments)
        };
        desk.paper
            .say(format!("/{}{arguments}: {}", c.name, c.help));
    }
    desk.paper
        .say("@MODULE VALUE: one look-up of your own, also while a turn runs");
    desk.paper
        .say("@ioc VALUE: every module that takes the value");
    desk.paper
        .say("Keys: ctrl-c stops the running turn; on nothing, twice, it leaves; ctrl-d leaves.");
    desk.paper.say("What counts as yes: the numbers 1 and 2 after an approval card, in a line typed after the card was there. Typed: yes, yes 1,3, yes all, yes to evil[.]com only, no, no 2; only what was printed before you typed it can be covered.");
    desk.paper.say("Lines that begin with two blanks are text of the model, of a source or of a message; all other lines are the program's own.");
}

fn empty(desk: &mut Desk) {
    if desk.case.is_some() {
        desk.orders.push(Order::Leave(desk.room));
    }
    desk.room += 1;
    desk.case = None;
    desk.state = CaseState::default();
    desk.question = Question::None;
    desk.printed.clear();
    desk.actions.clear();
    desk.carded = None;
    desk.rows.clear();
    desk.showing.clear();
    desk.reasoning.clear();
    desk.away = false;
    desk.left.clear();
    desk.queue.clear();
    desk.parked = false;
    desk.forget_looks();
}

/// Goes to a case.
pub fn open_case(desk: &mut Desk, case: CaseId) {
    if desk.case.as_ref() == Some(&case) {
        desk.paper.say("It is open here.");
        return;
    }
    if !quiet(desk) {
        desk.jump = None;
        return;
    }
    empty(desk);
    desk.case = Some(case.clone());
    desk.loading = true;
    desk.orders.push(Order::Follow(desk.room, case));
}

fn open_named(desk: &mut Desk, text: &str) {
    if text.is_empty() {
        let list = desk.cases.clone();
        menu::cases(desk, list);
        return;
    }
    let exact = |c: &&CaseSummary| c.short == text || c.id.as_str() == text;
    if let Some(id) = desk.cases.iter().find(exact).map(|c| c.id.clone()) {
        open_case(desk, id);
        return;
    }
    let wanted = text.to_lowercase();
    let fits: Vec<CaseSummary> = desk
        .cases
        .iter()
        .filter(|c| c.title.to_lowercase().contains(&wanted) || c.id.as_str().starts_with(&wanted))
        .cloned()
        .collect();
    match fits.as_slice() {
        [] => desk.complain("No case fits that; /cases lists them."),
        [one] => open_case(desk, one.id.clone()),
        _ => menu::cases(desk, fits),
    }
}

fn delete(desk: &mut Desk) {
    let Some(case) = desk.case.clone() else {
        no_case(desk);
        return;
    };
    empty(desk);
    desk.deleted = Some(case.clone());
    desk.paper.say(format!(
        "Case {} is deleted; /undo brings it back.",
        case.short()
    ));
    desk.order(Order::Edit(case, Edit::Delete));
}

fn find(desk: &mut Desk, words: &str) {
    if words.is_empty() {
        desk.complain("Name what to look for: /find WORDS");
        return;
    }
    desk.stamp += 1;
    desk.order(Order::Search(desk.stamp, words.to_owned()));
}

fn show_evidence(desk: &mut Desk, argument: &str) {
    let mut words = argument.split_whitespace();
    let Some(first) = words.next() else {
        menu::evidence_list(desk);
        return;
    };
    let Ok(n) = first.trim_start_matches(['E', 'e']).parse() else {
        desk.complain("Name a number: /evidence N, /evidence N raw or /evidence N diff");
        return;
    };
    let form = match words.next() {
        None | Some("table") => evidence::Form::Table,
        Some("raw") => evidence::Form::Raw,
        Some("diff") => evidence::Form::Difference,
        Some(other) => {
            desk.complain(format!(
                "There is no form {other}; the forms are table, raw and diff."
            ));
            return;
        }
    };
    evidence::fetch(desk, n, form);
}

fn modules(desk: &mut Desk) {
    for m in desk.modules.clone() {
        let state = match (m.enabled, m.ready) {
            (false, _) => "switched off",
            (_, false) => "no key",
            _ if m.host.is_empty() => "ready, stays on this machine",
            _ => "ready",
        };
        let types: Vec<&str> = m.types.iter().map(|t| t.name()).collect();
        let people = if m.for_model {
            ""
        } else {
            " For people only: no model may use it."
        };
        desk.paper.say(format!(
            "@{}, {state}: {}. Takes {}.{people}",
            m.name,
            m.what.trim_end_matches('.'),
            types.join(", ")
        ));
        if !m.ready && !m.get_key.is_empty() {
            desk.paper.say(format!(
                "{} Then: rmm-analyst secret set {}",
                m.get_key, m.name
            ));
        }
    }
}

/// Uses a model for this session.
pub fn use_model(desk: &mut Desk, name: &str) {
    desk.model = Some(name.to_owned());
    let wish = message::input(desk, String::new()).model;
    desk.orders.push(Order::Server(wish));
    desk.paper
        .say("Used from the next question on; /settings model.name keeps it.");
}

fn settings(desk: &mut Desk, argument: &str) {
    match argument.split_once(char::is_whitespace) {
        Some((key, value)) => set(desk, key, value.trim()),
        None => menu::settings(desk, argument),
    }
}

/// Changes a setting. What a pipe holds does not change how the program behaves.
pub fn set(desk: &mut Desk, key: &str, value: &str) {
    if desk.settings.terminal {
        desk.order(Order::Set(key.to_owned(), Some(value.to_owned())));
    } else {
        desk.complain(
            "Settings are changed at a terminal, or with: rmm-analyst config set KEY VALUE",
        );
    }
}

fn export(desk: &mut Desk, argument: &str) {
    let mut words = argument.split_whitespace();
    let form = words.next().unwrap_or("markdown").to_owned();
    let ending = match form.as_str() {
        "markdown" => "md",
        "json" | "stix" => "json",
        "jsonl" => "jsonl",
        "csv" => "csv",
        _ => {
            desk.complain("The forms are markdown, json, jsonl, csv and stix.");
            return;
        }
    };
    let Some(case) = desk.case.clone() else {
        no_case(desk);
        return;
    };
    let file = words.next().map_or_else(
        || PathBuf::from(format!("case-{}.{ending}", case.short())),
        PathBuf::from,
    );
    desk.order(Order::Export(case, form, file));
}

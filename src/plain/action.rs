//! The card of an action in words: the whole of what would happen, numbered choices, the number of devices as a
//! line of its own. An action is asked about once no look-up is; it is never one of several.

use super::desk::{Desk, Question};
use super::paper::one_line;
use crate::engine::session::Order;
use crate::engine::view::{ActionView, CaseAction, ProposalKind};

/// Asks about the first open action whose content is here, when nothing else is asked.
pub fn ask(desk: &mut Desk) {
    let open: Vec<u64> = desk.state.open_actions().map(|a| a.proposed.n).collect();
    // The content comes right behind the event; without it there is nothing to read.
    let readable = |unread: bool| {
        open.iter()
            .filter(|n| !unread || !desk.printed.contains(n))
            .find_map(|n| content(desk, *n).map(|view| (*n, view.stamp())))
    };
    // What was left open is not asked about again; what was never read is.
    let Some((n, stamp)) = readable(true).or_else(|| readable(false).filter(|_| !desk.away)) else {
        return;
    };
    desk.away = false;
    desk.paper.gap();
    desk.paper.say(match open.len() {
        1 => "1 action waits for you. Nothing has happened.".to_owned(),
        k => format!("{k} actions wait for you, one after the other. Nothing has happened."),
    });
    whole(desk, n);
    if !desk.settings.decides {
        desk.paper.say(format!(
            "It stays open: nothing is decided without a terminal. Decide with: rmm-analyst approve {n}, or: rmm-analyst deny {n}"
        ));
        desk.printed.extend(&open);
        desk.away = true;
        return;
    }
    desk.printed.insert(n);
    desk.carded = Some((n, stamp));
    choices(desk, n);
    desk.question = Question::Card {
        n,
        listed: vec![n],
        epoch: None,
    };
    desk.arm = true;
}

/// The content of an open action, where it is here and is what was proposed.
fn content(desk: &Desk, n: u64) -> Option<&ActionView> {
    let proposed = &desk.state.actions.get(&n)?.proposed;
    desk.actions.get(&n).filter(|view| view.is_of(proposed))
}

/// Whether a question is about something else than what was read: decided meanwhile, or changed.
pub fn stale(desk: &Desk, n: u64) -> bool {
    let open = desk.state.open_actions().any(|a| a.proposed.n == n);
    let now = content(desk, n).map(|view| (n, view.stamp()));
    !open || now.is_none() || now != desk.carded
}

/// The number that is to be typed, where one is.
fn wanted(desk: &Desk, n: u64) -> Option<u32> {
    let proposed = &desk.state.actions.get(&n)?.proposed;
    proposed.count.then_some(proposed.devices)
}

fn choices(desk: &mut Desk, n: u64) {
    desk.paper.say(format!("Your choice about action {n}:"));
    desk.paper.say(if wanted(desk, n).is_some() {
        "1 approve it; the number of devices is asked for first"
    } else {
        "1 approve it"
    });
    desk.paper.say("3 deny");
    desk.paper
        .say("4 deny with a reason, which the model is told");
    desk.paper.say("5 the card again");
    desk.paper.say("6 leave open");
}

/// Takes the number of a choice.
pub fn choose(desk: &mut Desk, number: u32, n: u64, since: Option<u64>) {
    let again = |desk: &mut Desk| {
        desk.question = Question::Card {
            n,
            listed: vec![n],
            epoch: since,
        };
    };
    let room = desk.room;
    match number {
        1 if stale(desk, n) => {
            desk.paper
                .say("It has changed since you read it. Nothing was decided; here it is again.");
            desk.printed.remove(&n);
        }
        1 => match wanted(desk, n) {
            None => approve(desk, n, None),
            Some(_) => {
                desk.paper.say(format!(
                    "Type how many devices action {n} acts on, to approve it. Anything else leaves it open."
                ));
                desk.question = Question::Count { n, epoch: None };
                desk.arm = true;
            }
        },
        2 => {
            desk.paper
                .say("Actions are approved one by one: type 1 for this one. Nothing was decided.");
            again(desk);
        }
        3 => desk.order(Order::Decide {
            room,
            numbers: vec![n],
            approve: false,
            reason: None,
        }),
        4 => {
            desk.paper.say(format!(
                "Reason for denying {n}, in one line; the model is told. An empty line leaves it open."
            ));
            desk.question = Question::Reason(n);
        }
        5 => {
            whole(desk, n);
            choices(desk, n);
            again(desk);
        }
        6 => {
            desk.away = true;
            desk.paper
                .say("Left open. /proposals asks again, and so does anything new.");
        }
        other => {
            desk.paper
                .say(format!("There is no choice {other}. Nothing was decided."));
            again(desk);
        }
    }
}

/// Takes the number of devices. `counts`: the line was typed after it was asked for.
pub fn count(desk: &mut Desk, text: &str, n: u64, counts: bool) {
    let wanted = wanted(desk, n);
    let typed = text.trim().parse::<u32>().ok().filter(|_| counts);
    if typed.is_some() && typed == wanted && !stale(desk, n) {
        return approve(desk, n, typed);
    }
    desk.away = true;
    desk.paper.say(match (typed, wanted) {
        (Some(t), Some(w)) if t != w => {
            format!("{t} is not the number of devices, which is {w}. Action {n} stays open; /proposals asks again.")
        }
        _ => format!("Nothing was decided. Action {n} stays open; /proposals asks again."),
    });
}

fn approve(desk: &mut Desk, n: u64, count: Option<u32>) {
    let Some(digest) = content(desk, n).map(|view| view.digest.clone()) else {
        return;
    };
    desk.order(Order::Act {
        room: desk.room,
        n,
        digest,
        count,
    });
}

/// Says where an action stands and what came of it.
pub fn standing(desk: &mut Desk, a: &CaseAction) {
    let title = one_line(&desk.paper.defanged(a.proposed.title.as_str()), 200);
    let words = one_line(&desk.paper.defanged(&a.standing()), 300);
    desk.paper.say(format!("Action {}: {words}", a.proposed.n));
    desk.paper.quote(title);
}

/// Everything that is approved.
fn whole(desk: &mut Desk, n: u64) {
    let Some(a) = desk.state.actions.get(&n).map(|a| a.proposed.clone()) else {
        return;
    };
    let Some(view) = content(desk, n).cloned() else {
        return;
    };
    let kind = match a.what {
        ProposalKind::DeviceOperation => "may this be done to the devices?",
        ProposalKind::Task => "may this task be scheduled?",
        ProposalKind::Check => "may this check be set up?",
        ProposalKind::Policy => "may this policy be set?",
        ProposalKind::Job | ProposalKind::Pivot => "may this job run?",
    };
    desk.paper.say(format!("Action {n}: {kind}"));
    desk.paper.quote(one_line(a.title.as_str(), usize::MAX));
    desk.paper
        .say(format!("through: {}", one_line(view.backend.as_str(), 200)));
    if view.changed.is_empty() {
        desk.paper.say("changed: nothing since it was proposed");
    }
    for c in &view.changed {
        desk.paper
            .say(format!("changed: {}", one_line(c.as_str(), usize::MAX)));
    }
    if let Some(place) = &view.place {
        desk.paper.say("acts on:");
        desk.paper.quote(one_line(place.as_str(), usize::MAX));
    } else {
        let (devices, clients) = (view.devices.len(), view.clients().len());
        desk.paper.say(format!(
            "acts on: {devices} device{} of {clients} client{}",
            if devices == 1 { "" } else { "s" },
            if clients == 1 { "" } else { "s" },
        ));
    }
    for d in &view.devices {
        let note = match d.note.as_str() {
            "" => String::new(),
            note => format!(", {note}"),
        };
        let line = format!("{}, client {}{note}", d.name.as_str(), d.client.as_str());
        desk.paper.quote(one_line(&line, usize::MAX));
    }
    let mut last = "";
    for (label, text) in &view.facts {
        if !label.is_empty() && label != last {
            desk.paper.say(format!("{label}:"));
            last = label;
        }
        desk.paper.quote(one_line(text.as_str(), usize::MAX));
    }
    if !a.why.as_str().trim().is_empty() {
        desk.paper.say("reason given:");
        desk.paper.quote(one_line(a.why.as_str(), usize::MAX));
    }
    desk.paper.say(format!("digest: {}", a.digest));
    if let Some(script) = &view.script {
        let lines: Vec<&str> = script.text.as_str().split('\n').collect();
        desk.paper.say(format!(
            "script, {}, {} lines, whole:",
            script.language,
            lines.len()
        ));
        for (i, line) in lines.iter().enumerate() {
            // Blanks at the end of a line show.
            let kept = line.trim_end_matches(' ');
            let blanks = "·".repeat(line.len() - kept.len());
            desk.paper.quote(format!("{} {kept}{blanks}", i + 1));
        }
        desk.paper.say("End of the script.");
    }
}

//! Open proposals in words, the numbered choices, and which line is an answer.
//!
//! A line is an answer when it is one whole typed line with a number from 1 to 6, and when it was typed
//! after the card was on paper: the loop empties the terminal's queue until no key came for [`ARM`]
//! milliseconds, and what is older than that moment decides nothing. Enter alone, a letter and a paste
//! decide nothing either.

use super::desk::{Desk, Question};
use super::paper::one_line;
use crate::engine::session::Order;
use crate::engine::view::{
    Defang, ModuleFact, Proposal, ProposalFrom, ProposalKind, ProposalState,
};

/// Milliseconds without a key before a card can be answered.
pub const ARM: u64 = 600;

/// Asks about what is open, when nothing else is asked.
pub fn ask(desk: &mut Desk) {
    if !matches!(desk.question, Question::None) {
        return;
    }
    let open: Vec<Proposal> = desk.state.open_proposals().cloned().collect();
    let new = open.iter().any(|p| !desk.printed.contains(&p.n));
    if new {
        desk.away = false;
        desk.left.clear();
    }
    if open.is_empty() {
        return super::action::ask(desk);
    }
    let first = open.iter().find(|p| !desk.left.contains(&p.n));
    let Some(first) = first.filter(|_| !desk.away) else {
        return;
    };
    desk.paper.gap();
    desk.paper.say(match open.len() {
        1 => "1 proposal waits for you. Nothing was looked up for it.".to_owned(),
        n => format!("{n} proposals wait for you. Nothing was looked up for them."),
    });
    for p in &open {
        if p.n == first.n || !desk.printed.contains(&p.n) {
            whole(desk, p);
            // What no person at a terminal could read was not shown.
            if desk.settings.decides {
                desk.printed.insert(p.n);
            }
        } else {
            let value = desk.paper.value(&p.indicator);
            desk.paper.say(format!(
                "Also open, in full above: proposal {}, {value}",
                p.n
            ));
        }
    }
    let listed: Vec<u64> = open.iter().map(|p| p.n).collect();
    if !desk.settings.decides {
        let numbers: Vec<String> = listed.iter().map(u64::to_string).collect();
        desk.paper.say(format!(
            "They stay open: nothing is decided without a terminal. Decide with: rmm-analyst approve {0}, or: rmm-analyst deny {0}",
            numbers.join(" ")
        ));
        desk.printed.extend(&listed);
        desk.away = true;
        return;
    }
    choices(desk, first.n, &listed);
    desk.question = Question::Card {
        n: first.n,
        listed,
        epoch: None,
    };
    desk.arm = true;
}

/// The choices about one proposal.
fn choices(desk: &mut Desk, n: u64, listed: &[u64]) {
    let Some(p) = desk.state.proposals.get(&n) else {
        return;
    };
    let value = desk.paper.value(&p.indicator);
    let all: Vec<String> = listed
        .iter()
        .filter(|n| is_pivot(desk, **n))
        .map(u64::to_string)
        .collect();
    desk.paper
        .say(format!("Your choice about proposal {n}, {value}:"));
    desk.paper.say("1 approve this one");
    desk.paper
        .say(format!("2 approve all listed: {}", all.join(", ")));
    desk.paper.say("3 deny");
    desk.paper
        .say("4 deny with a reason, which the model is told");
    desk.paper.say("5 details");
    desk.paper.say("6 leave open");
}

fn is_pivot(desk: &Desk, n: u64) -> bool {
    desk.state
        .proposals
        .get(&n)
        .is_some_and(|p| p.kind == ProposalKind::Pivot)
}

/// Takes a line while a card is asked about. False: it is no answer but a command or a message.
pub fn answer(
    desk: &mut Desk,
    text: &str,
    n: u64,
    listed: Vec<u64>,
    since: Option<u64>,
    epoch: u64,
) -> bool {
    let counts = since.is_some_and(|s| epoch >= s);
    let number = text.parse::<u32>().ok();
    if number.is_none() && text.chars().count() > 1 {
        if text.starts_with(['/', '@']) {
            // A look at something does not put the card away.
            desk.question = Question::Card {
                n,
                listed,
                epoch: since,
            };
        } else {
            desk.away = true;
        }
        return false;
    }
    let again = |desk: &mut Desk| {
        desk.question = Question::Card {
            n,
            listed: listed.clone(),
            epoch: since,
        };
    };
    let Some(number) = number.filter(|_| counts) else {
        desk.paper.say(
            "Nothing was decided. Type a number from 1 to 6, or a message, which leaves it open.",
        );
        again(desk);
        return true;
    };
    if desk.state.actions.contains_key(&n) {
        super::action::choose(desk, number, n, since);
        return true;
    }
    let room = desk.room;
    match number {
        1 | 2 => {
            // Only what was listed, and only look-ups: actions are decided one by one.
            let numbers = if number == 1 {
                vec![n]
            } else {
                listed.into_iter().filter(|n| is_pivot(desk, *n)).collect()
            };
            desk.order(Order::Decide {
                room,
                numbers,
                approve: true,
                reason: None,
            });
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
            details(desk, n);
            choices(desk, n, &listed);
            again(desk);
        }
        6 => {
            desk.left.insert(n);
            if listed.iter().all(|n| desk.left.contains(n)) {
                desk.left.clear();
                desk.away = true;
                desk.paper
                    .say("Left open. /proposals asks again, and so does anything new.");
            } else {
                desk.paper
                    .say(format!("Proposal {n} is left open. The next one:"));
            }
        }
        other => {
            desk.paper
                .say(format!("There is no choice {other}. Nothing was decided."));
            again(desk);
        }
    }
    true
}

/// Says what became of a proposal.
pub fn decided(desk: &mut Desk, n: u64) {
    if let Some(a) = desk.state.actions.get(&n).cloned() {
        return super::action::standing(desk, &a);
    }
    let Some(p) = desk.state.proposals.get(&n) else {
        return;
    };
    let word = match p.state {
        ProposalState::Open => return,
        ProposalState::Approved => "approved",
        ProposalState::Denied => "denied",
        ProposalState::Expired => "expired",
    };
    let value = desk.paper.value(&p.indicator);
    let reason = p.reason.as_ref().map_or_else(String::new, |r| {
        format!(": {}", desk.paper.defanged(r.as_str()))
    });
    desk.paper
        .say(format!("Proposal {n}, {value}: {word}{reason}"));
}

/// A card about something that is not open any more, or not all that is open, is asked anew.
pub fn sync(desk: &mut Desk) {
    let open: Vec<u64> = desk.state.open_proposals().map(|p| p.n).collect();
    let stale = match &desk.question {
        Question::Card { n, .. } | Question::Count { n, .. }
            if desk.state.actions.contains_key(n) =>
        {
            let n = *n;
            let stale = super::action::stale(desk, n);
            if stale && desk.state.open_actions().any(|a| a.proposed.n == n) {
                desk.printed.remove(&n);
                desk.paper
                    .say("What you read has changed. Nothing was decided; here it is again.");
            }
            stale
        }
        Question::Card { listed, .. } => *listed != open,
        Question::Count { .. } => true,
        Question::Reason(n) if desk.state.actions.contains_key(n) => {
            !desk.state.open_actions().any(|a| a.proposed.n == *n)
        }
        Question::Reason(n) => !open.contains(n),
        _ => false,
    };
    if stale {
        desk.question = Question::None;
        desk.answered = true;
    }
}

/// Everything about one proposal.
fn whole(desk: &mut Desk, p: &Proposal) {
    let kind = match p.kind {
        ProposalKind::Pivot => "may this be looked up?",
        ProposalKind::Job => "may this job run?",
        ProposalKind::DeviceOperation => "may this be done to the device?",
        ProposalKind::Task => "may this task be scheduled?",
        ProposalKind::Check => "may this check be set up?",
        ProposalKind::Policy => "may this policy be set?",
    };
    desk.paper.say(format!("Proposal {}: {kind}", p.n));
    let value = desk.paper.value(&p.indicator);
    let readable = p.indicator.readable();
    let reads = if readable == p.indicator.value() {
        String::new()
    } else {
        format!(", reads as {readable}")
    };
    desk.paper
        .say(format!("look up: {value} ({}){reads}", p.indicator.kind()));
    let takes = takes(desk, p);
    let names: Vec<&str> = takes.iter().map(|m| m.name.as_str()).collect();
    let mut hosts: Vec<&str> = takes
        .iter()
        .filter(|m| m.ready && !m.host.is_empty())
        .map(|m| m.host.as_str())
        .collect();
    hosts.sort_unstable();
    hosts.dedup();
    let or = |list: &[&str], none: &str| {
        if list.is_empty() {
            none.to_owned()
        } else {
            list.join(", ")
        }
    };
    desk.paper
        .say(format!("modules: {}", or(&names, "none takes it")));
    desk.paper.say(format!(
        "asks: {}",
        or(&hosts, "nothing outside of this machine")
    ));
    desk.paper
        .say("effect: these sources learn the value; nothing is changed anywhere");
    let who = match p.from {
        ProposalFrom::Model => "the model",
        ProposalFrom::Question => "the model's answer",
        ProposalFrom::Gate => "a look-up that the gate refused",
        ProposalFrom::Input => "your input",
        ProposalFrom::Rules => "the built-in rules",
    };
    desk.paper.say(format!("named by: turn {}, {who}", p.turn));
    // Text of a model: it stands indented, on lines of its own.
    let why = Defang::plain().text(p.why.as_str());
    if !why.trim().is_empty() {
        desk.paper.say("reason given:");
        desk.paper.quote(one_line(&why, usize::MAX));
    }
    desk.paper.say(match (p.found_in, p.not_in_evidence) {
        (Some(e), _) => format!("found in: E{e}"),
        (None, true) => "found in: not in evidence".to_owned(),
        (None, false) => "found in: a person's message or input".to_owned(),
    });
    let (turn_max, case_max) = (desk.settings.turn_max, desk.settings.case_max);
    let used = desk.state.used_in_turn(p.turn);
    desk.paper.say(format!(
        "budget: {} of {turn_max} look-ups left in this turn, {} of {case_max} in the case",
        turn_max.saturating_sub(used),
        case_max.saturating_sub(desk.state.used),
    ));
}

fn takes(desk: &Desk, p: &Proposal) -> Vec<ModuleFact> {
    desk.modules
        .iter()
        .filter(|m| m.enabled && m.for_model && m.types.contains(&p.indicator.kind()))
        .cloned()
        .collect()
}

fn details(desk: &mut Desk, n: u64) {
    let Some(p) = desk.state.proposals.get(&n).cloned() else {
        return;
    };
    whole(desk, &p);
    if p.kind == ProposalKind::Pivot {
        desk.paper.say(format!(
            "The value as it would be sent: {}",
            p.indicator.value()
        ));
        desk.paper.say("Approving lets every module above ask about this value in this case; denying puts it on the list of what is never asked, and the model is told.");
    }
    for m in takes(desk, &p) {
        let ready = if m.ready {
            ""
        } else {
            " (no key: is not asked)"
        };
        desk.paper.say(format!("{}: {}{ready}", m.name, m.what));
    }
}

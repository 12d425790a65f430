//! Turns in words: what a case is, the ledger as it grows, the answer, the footer, the end.

use super::desk::{Desk, Live};
use super::looked::seconds;
use super::paper::one_line;
use super::{evidence, markdown};
use crate::engine::TurnReport;
use crate::engine::view::{
    self, Call, CallVerdict, Defang, Planner, ProposalState, Status, Turn, TurnStatus,
};
use crate::surface::blocks::finished;

/// Says which case this is and what stands in it.
pub fn opened(desk: &mut Desk) {
    let Some(case) = desk.case.clone() else {
        desk.paper
            .say("Case: a new one, which begins with your first message.");
        return;
    };
    let title = one_line(&desk.paper.defanged(&desk.state.title), 80);
    let turns = desk.state.turns.len();
    let mut words = format!("Case {}: {title}. {turns} turns", case.short());
    words.push_str(&format!(
        ", {} pieces of evidence",
        desk.state.evidence.len()
    ));
    if desk.state.closed {
        words.push_str(", closed");
    }
    desk.paper.say(format!("{words}."));
    if turns > 0 {
        desk.paper.say("/story tells it; /new begins a new case.");
    }
    match desk.state.open_actions().count() {
        0 => {}
        1 => desk.paper.say("1 action waits for a decision."),
        n => desk.paper.say(format!("{n} actions wait for a decision.")),
    }
    match desk.state.open_proposals().count() {
        0 if desk.state.open_actions().next().is_some() => {}
        0 => desk.paper.say("No proposal waits for a decision."),
        1 => desk.paper.say("1 proposal waits for a decision."),
        n => desk
            .paper
            .say(format!("{n} proposals wait for a decision.")),
    }
}

/// Prints the lines that the ledger of the running turn got.
pub fn ledger(desk: &mut Desk) {
    let Some(mut live) = desk.live.take() else {
        return;
    };
    if let Some(t) = live.turn.and_then(|n| desk.state.turn(n)).cloned() {
        let mut said: Option<String> = None;
        for (i, c) in t.calls.iter().enumerate() {
            let waits = c.in_flight();
            let done = live.ledger.get(i).copied().unwrap_or(false);
            if live.ledger.len() <= i {
                live.ledger.push(false);
            }
            let why = c
                .detail
                .clone()
                .filter(|_| c.verdict == CallVerdict::Refuse);
            let again = why.is_some() && why == said;
            said = why;
            if done || waits {
                continue;
            }
            if let Some(l) = live.ledger.get_mut(i) {
                *l = true;
            }
            let line = call(desk, c, again);
            desk.paper.say(line);
        }
    }
    desk.live = Some(live);
}

/// One line of the ledger.
fn call(desk: &Desk, c: &Call, again: bool) -> String {
    let value = match &c.subject {
        Some(i) => desk.paper.value(i),
        None => one_line(c.argument.as_str(), 80),
    };
    let tool = one_line(c.tool.as_str(), 60);
    // The name of a tool that does not exist is the model's, and must not begin a line.
    let look_up = tool == view::PROPOSE_PIVOT || desk.modules.iter().any(|m| m.name == tool);
    // What the gate let pass is a tool, and so is what it refused for a reason that only a tool can have.
    let known = look_up
        || c.verdict != CallVerdict::Refuse
        || c.reason
            .as_deref()
            .is_some_and(|r| matches!(r, "access" | "arguments" | "scope" | "not-approved"));
    let unknown = if known { "" } else { "unknown tool " };
    let mut out = format!("{unknown}{tool}");
    if !matches!(value.as_str(), "" | "{}") {
        out.push_str(&format!(" for {value}"));
    }
    out.push_str(": ");
    match c.verdict {
        CallVerdict::Permit => {}
        CallVerdict::Cached => out.push_str("from memory, free, "),
        CallVerdict::Ask => {
            out.push_str(if look_up {
                "proposed, nothing was looked up"
            } else {
                "proposed, nothing was done"
            });
            return out;
        }
        CallVerdict::Refuse => {
            let why = c.detail.as_deref().or(c.reason.as_deref()).unwrap_or("");
            let why = desk.paper.defanged(why);
            out.push_str("refused: ");
            out.push_str(if again { "as the one before" } else { &why });
            return out;
        }
    }
    match c.status {
        None => out.push_str("could not look: interrupted"),
        Some(Status::CouldNotLook) => out.push_str(&format!(
            "could not look: {}",
            kit::outcome::plain_reason(c.detail.as_deref().unwrap_or("?"))
        )),
        Some(s) => out.push_str(evidence::word(s)),
    }
    if let Some(v) = c.source_verdict.filter(|v| v.name() != "unknown") {
        out.push_str(&format!(", {}", v.name()));
    }
    if let Some(e) = c.evidence {
        out.push_str(&format!(", E{e}"));
    }
    if c.status.is_some() {
        out.push_str(&format!(", {}", seconds(c.ms)));
        if c.verdict == CallVerdict::Cached {
            out.push_str(&format!(", {} old", view::age(c.age_s)));
        }
    }
    out
}

/// Text of a model, redacted once more as a whole and defanged, as lines.
fn rendered(desk: &Desk, text: &str) -> String {
    let whole = desk.words.redacted(&view::unmarked(text));
    let text = markdown::render(&desk.paper.defanged(whole.as_str()));
    // Marks that are gone now may have stood in a secret.
    desk.words.mended(&text).unwrap_or(text)
}

/// Prints the blocks of the answer that are finished. What may be a call written as text is held back: it
/// is never shown as an answer.
pub fn stream(desk: &mut Desk) {
    let Some(mut live) = desk.live.take() else {
        return;
    };
    let begin = live.text.trim_start();
    live.held |= begin.starts_with(['{', '<', '[', '`']);
    let done = finished(&live.text);
    if !live.held && done > live.printed {
        if live.printed == 0 {
            desk.paper
                .say("The model writes; it is not checked against the evidence yet:");
        }
        let block = live.text.get(live.printed..done).unwrap_or_default();
        let block = rendered(desk, block);
        desk.paper.quote(block);
        live.printed = done;
    }
    desk.live = Some(live);
}

/// A round ended and was not the last one: its text is progress.
pub fn meanwhile(desk: &mut Desk) {
    let Some(mut live) = desk.live.take() else {
        return;
    };
    if !live.reasoning.is_empty() {
        desk.reasoning = std::mem::take(&mut live.reasoning);
    }
    let rest = live.text.get(live.printed..).unwrap_or_default().trim();
    if !rest.is_empty() && !live.held {
        if live.printed == 0 {
            desk.paper.say("The model says meanwhile:");
        }
        let rest = rendered(desk, rest);
        desk.paper.quote(rest);
    }
    live.text.clear();
    live.printed = 0;
    live.held = false;
    desk.live = Some(live);
}

/// Says how a turn ended.
pub fn end(desk: &mut Desk, report: &TurnReport, live: &Live) {
    let t = &report.turn;
    let words = live.reasoning.split_whitespace().count();
    if words > 0 {
        desk.paper.say(format!(
            "The model reasoned in {words} words; /reasoning prints them."
        ));
    }
    let streamed = live.text.get(..live.printed).unwrap_or_default();
    let kept = t.answer.as_ref().map_or("", |a| a.as_str());
    // What was streamed need not be read twice, when it is how the kept answer begins.
    match kept.trim_start().strip_prefix(streamed.trim_start()) {
        Some(rest) if live.printed > 0 => {
            if !rest.trim().is_empty() {
                let rest = rendered(desk, rest);
                desk.paper.quote(rest);
            }
            desk.paper.say("End of the answer.");
        }
        _ => {
            if live.printed > 0 {
                desk.paper
                    .say("What was written above was not kept; this is the answer:");
            }
            answer(desk, t);
        }
    }
    claims(desk, t);
    closing(desk, t);
    let used = report.state.used_in_turn(t.n);
    desk.paper.say(format!(
        "Turn {} ended. Look-ups: {used} of {} in this turn, {} of {} in the case.",
        t.n, report.turn_max, report.state.used, report.case_max
    ));
    if let Some(error) = report
        .error
        .as_ref()
        .filter(|_| report.status() != TurnStatus::Interrupted)
    {
        desk.paper.say(format!("What to do: {}", error.hint));
    }
    let mut numbers = view::placed(kept);
    if desk.full() {
        for e in t.calls.iter().filter_map(|c| c.evidence) {
            if !numbers.contains(&e) {
                numbers.push(e);
            }
        }
    }
    evidence::inline(desk, numbers);
    if desk.away {
        let open = desk.state.open_proposals().count() + desk.state.open_actions().count();
        if open > 0 && desk.settings.decides {
            desk.paper.say(format!(
                "Proposals that wait for a decision: {open}; /proposals asks about them."
            ));
        }
    }
}

fn answer(desk: &mut Desk, t: &Turn) {
    if t.answer.is_none() {
        return;
    }
    let who = match (&t.planner, &t.model) {
        (Planner::Model, Some(model)) => format!("the model {}", one_line(model, 60)),
        _ => "the built-in rules".to_owned(),
    };
    desk.paper.say(format!("Answer of {who}:"));
    let defang = desk.settings.defang.then(|| Defang::of(&desk.state));
    let text = view::answer(t, defang.as_ref());
    let text = markdown::render(desk.words.redacted(&text).as_str());
    let text = desk.words.mended(&text).unwrap_or(text);
    desk.paper.quote(text);
    desk.paper.say("End of the answer.");
}

/// Claims without ground, in words.
fn claims(desk: &mut Desk, t: &Turn) {
    for m in &t.unsupported {
        let text = one_line(&desk.paper.defanged(&view::unmarked(&m.text)), 200);
        desk.paper.say(format!("Careful, {}: {text}", m.why));
    }
}

/// Footer, proposals, notes and how it ended.
fn closing(desk: &mut Desk, t: &Turn) {
    for l in view::footer(&t.calls).lines() {
        desk.paper.say(l);
    }
    if t.refused_more > 0 {
        desk.paper
            .say(format!("and {} more calls were refused", t.refused_more));
    }
    for w in &t.warnings {
        let w = desk.paper.defanged(w);
        desk.paper.say(format!("Note: {w}"));
    }
    match t.status {
        Some(TurnStatus::Interrupted) => desk
            .paper
            .say("Stopped; what was found so far is kept. /continue goes on, /retry asks again."),
        Some(TurnStatus::Budget) => desk.paper.say("The budget of look-ups is spent."),
        _ => {}
    }
    if let Some(e) = t
        .error
        .as_ref()
        .filter(|_| t.status != Some(TurnStatus::Interrupted))
    {
        let e = desk.paper.defanged(e);
        desk.paper.say(format!("Error: {e}"));
    }
}

/// The messages that wait.
pub fn parked(desk: &mut Desk) {
    if desk.queue.is_empty() {
        desk.paper.say("No message waits.");
        return;
    }
    desk.paper.say(if desk.parked {
        "These messages are parked; /resume sends them, /drop takes the last one away:"
    } else {
        "These messages wait for the turn; /drop takes the last one away:"
    });
    for q in desk.queue.clone() {
        let text = one_line(&desk.paper.defanged(&q.text), 200);
        desk.paper.quote(text);
    }
}

/// Tells the case from its beginning, or one turn of it.
pub fn tell(desk: &mut Desk, only: Option<u32>) {
    let turns: Vec<Turn> = desk
        .state
        .turns
        .iter()
        .filter(|t| only.is_none_or(|n| t.n == n))
        .cloned()
        .collect();
    if turns.is_empty() {
        desk.complain("There is no such turn in this case.");
    }
    for t in turns {
        desk.paper.gap();
        desk.paper
            .say(format!("Turn {}, {}:", t.n, view::local(t.at_ms)));
        if t.text.as_str().is_empty() {
            desk.paper.say(if t.root == t.n {
                "standard input".to_owned()
            } else {
                format!("goes on with turn {} after a decision", t.root)
            });
        } else {
            let text = desk.paper.defanged(t.text.as_str());
            desk.paper.say("Your message:");
            desk.paper.quote(text);
        }
        for a in &t.attachments {
            desk.paper.say(format!(
                "With it: {}, {} bytes",
                one_line(&a.name, 60),
                a.bytes
            ));
        }
        let mut said: Option<&str> = None;
        for c in &t.calls {
            let why = c
                .detail
                .as_deref()
                .filter(|_| c.verdict == CallVerdict::Refuse);
            let line = call(desk, c, why.is_some() && why == said);
            said = why;
            desk.paper.say(line);
        }
        answer(desk, &t);
        claims(desk, &t);
        for n in &t.proposals {
            if let Some(a) = desk.state.actions.get(n).cloned() {
                super::action::standing(desk, &a);
            }
            if let Some(p) = desk.state.proposals.get(n) {
                let word = match p.state {
                    ProposalState::Open => "waits for you",
                    ProposalState::Approved => "approved",
                    ProposalState::Denied => "denied",
                    ProposalState::Expired => "expired",
                };
                let value = desk.paper.value(&p.indicator);
                desk.paper.say(format!("Proposal {n}, {value}: {word}"));
            }
        }
        closing(desk, &t);
    }
}

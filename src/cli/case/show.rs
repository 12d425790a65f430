//! `case show`: the story of a case, for people and as JSON.

use super::list::state_word;
use crate::case::{Call, CaseState, Turn};
use crate::cli::view::{View, bytes, json, local, screen};
use crate::store::CaseSummary;
use crate::store::export::{Defang, outcome_words};
use serde_json::{Value, json as value};
use std::io::Write;

/// A call of a running turn that has not come back.
const IN_FLIGHT: &str = "in flight";

pub(super) fn show(
    case: &str,
    as_json: bool,
    view: &View<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let (summary, state) = view.with(case, |r, id| Ok((r.summary(id)?, r.case(id)?)))?;
    if as_json {
        json(out, &case_json(&summary, &state))?;
        return Ok(0);
    }
    let defang = Defang::of(&state);
    writeln!(out, "{}", view.line(&defang, &summary.title, 200))?;
    writeln!(out, "case {} (short: {})", summary.id, summary.short)?;
    writeln!(
        out,
        "owner {}, opened {}, last {}, {}",
        screen(&summary.principal),
        local(summary.created_ms),
        local(summary.last_ms),
        state_word(&summary)
    )?;
    if !summary.tags.is_empty() {
        writeln!(out, "tags {}", screen(&summary.tags.join(", ")))?;
    }
    for turn in &state.turns {
        writeln!(out)?;
        show_turn(
            turn,
            &state,
            running_turn(&summary, &state) == Some(turn.n),
            &defang,
            view,
            out,
        )?;
    }
    let open: Vec<String> = state.open_proposals().map(|p| p.n.to_string()).collect();
    if !open.is_empty() {
        writeln!(
            out,
            "\nWaiting: approve with `rmm-analyst approve {}`, or deny",
            open.join(" ")
        )?;
    }
    for a in state.open_actions() {
        writeln!(
            out,
            "\nWaiting: `rmm-analyst approve {}` shows the card of the action, or deny it",
            a.proposed.n
        )?;
    }
    Ok(0)
}

fn show_turn(
    turn: &Turn,
    state: &CaseState,
    running: bool,
    defang: &Defang,
    view: &View<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    writeln!(out, "Turn {}, {}", turn.n, local(turn.at_ms))?;
    for line in turn.text.as_str().lines() {
        writeln!(out, "  > {}", view.text(defang, line))?;
    }
    for a in &turn.attachments {
        let name = view.line(defang, &a.name, 60);
        writeln!(out, "  attached: {name}, {}", bytes(a.bytes))?;
    }
    for c in &turn.calls {
        let evidence = c.evidence.map(|e| format!(" [E{e}]")).unwrap_or_default();
        writeln!(
            out,
            "  {}. {} {}: {}{evidence}",
            c.n,
            view.line(defang, c.tool.as_str(), 40),
            view.line(defang, c.argument.as_str(), 80),
            view.line(defang, &outcome(c, running), 120)
        )?;
    }
    if turn.refused_more > 0 {
        writeln!(out, "  and {} more refused calls", turn.refused_more)?;
    }
    if let Some(answer) = &turn.answer {
        writeln!(out)?;
        for line in answer.as_str().lines() {
            writeln!(out, "  {}", view.text(defang, line))?;
        }
    }
    for m in &turn.unsupported {
        let (text, why) = (
            view.line(defang, &m.text, 80),
            view.line(defang, &m.why, 80),
        );
        writeln!(out, "  not in evidence: {text} ({why})")?;
    }
    for n in &turn.proposals {
        if let Some(a) = state.actions.get(n) {
            let what = view.line(defang, a.proposed.title.as_str(), 120);
            let standing = view.line(defang, &a.standing(), 160);
            writeln!(out, "  action {n}: {what}: {standing}")?;
        }
        let Some(p) = state.proposals.get(n) else {
            continue;
        };
        let why = view.line(defang, p.why.as_str(), 100);
        let what = view.indicator(&p.indicator);
        writeln!(out, "  proposal {n} ({}): {what}, {why}", p.state.name())?;
    }
    let mut end = status(turn, running).to_owned();
    if let Some(error) = &turn.error {
        end.push_str(": ");
        end.push_str(&view.line(defang, error, 160));
    }
    writeln!(out, "  -- {end}")?;
    Ok(())
}

/// The turn that runs now, in this process or another. Only the last one can.
fn running_turn(summary: &CaseSummary, state: &CaseState) -> Option<u32> {
    let last = state.turns.last()?;
    (summary.running && last.status.is_none()).then_some(last.n)
}

/// How a turn ended, or that it has not.
fn status(turn: &Turn, running: bool) -> &'static str {
    match turn.status {
        Some(status) => status.name(),
        None if running => "running",
        None => "interrupted",
    }
}

/// What became of a call.
fn outcome(call: &Call, running: bool) -> String {
    if running && call.in_flight() {
        return IN_FLIGHT.to_owned();
    }
    outcome_words(call)
}

fn indicators<'a>(all: impl Iterator<Item = &'a kit::indicator::Indicator>) -> Vec<Value> {
    all.map(|i| value!({ "type": i.kind().name(), "value": i.value() }))
        .collect()
}

/// The names of `ask --json` where they mean the same.
fn case_json(summary: &CaseSummary, state: &CaseState) -> Value {
    let now = running_turn(summary, state);
    let turns: Vec<Value> = state
        .turns
        .iter()
        .map(|t| turn_json(t, now == Some(t.n)))
        .collect();
    let proposals: Vec<Value> = state
        .proposals
        .values()
        .map(crate::cli::proposals::proposal_json)
        .chain(
            state
                .actions
                .values()
                .map(crate::engine::report::action_json),
        )
        .collect();
    value!({
        "case": summary.id, "short": summary.short, "title": summary.title,
        "principal": summary.principal, "created_ms": summary.created_ms, "last_ms": summary.last_ms,
        "tags": summary.tags, "closed": summary.closed, "deleted": summary.deleted,
        "running": summary.running, "interrupted": summary.interrupted,
        "mode": state.mode, "case_used": state.used,
        "authorized": indicators(state.authorized.keys()),
        "denied": indicators(state.denied.iter()),
        "red": indicators(state.red.iter()),
        "proposals": proposals, "turns": turns,
    })
}

fn turn_json(turn: &Turn, running: bool) -> Value {
    let ledger: Vec<Value> = turn
        .calls
        .iter()
        .map(|c| {
            let status = match c.status {
                Some(status) => Some(status.name()),
                None if c.in_flight() && !running => Some("could_not_look"),
                None => None,
            };
            let detail = match &c.detail {
                None if c.in_flight() && running => Some(IN_FLIGHT),
                None if c.in_flight() => Some("interrupted"),
                detail => detail.as_deref(),
            };
            value!({
                "n": c.n, "tool": c.tool, "argument": c.argument, "verdict": c.verdict.name(),
                "reason": c.reason, "status": status, "detail": detail,
                "evidence": c.evidence.map(|e| format!("E{e}")), "age_s": c.age_s, "ms": c.ms,
            })
        })
        .collect();
    value!({
        "turn": turn.n, "continues": if turn.root == turn.n { None } else { Some(turn.root) },
        "at_ms": turn.at_ms, "text": turn.text,
        "status": status(turn, running),
        "planner": turn.planner, "model": turn.model, "tools_mode": turn.tools_mode,
        "answer": turn.answer, "unsupported": turn.unsupported, "ledger": ledger,
        "refused_more": turn.refused_more, "proposals": turn.proposals,
        "usage": turn.usage, "warnings": turn.warnings, "error": turn.error,
    })
}

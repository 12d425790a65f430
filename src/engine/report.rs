//! What a turn came to, in the shape of `ask --json`. Everything in it comes from the log.

use super::lookup::every_source_failed;
use crate::agent::footer;
use crate::case::{
    Action, CallVerdict, CaseState, Marked, Mode, Planner, Proposal, ProposalKind, ProposalState,
    Status, Turn, TurnStatus,
};
use crate::config::Config;
use crate::store::CaseId;
use kit::indicator::Indicator;
use serde::Serialize;
use serde_json::{Value, json};

/// An error in the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReportError {
    /// `user`, `config`, `model`, `network`, `internal`.
    pub kind: &'static str,
    /// What and why.
    pub message: String,
    /// What to do.
    pub hint: String,
}

/// What a turn came to.
#[derive(Clone, Debug)]
pub struct TurnReport {
    /// Case.
    pub case: CaseId,
    /// The turn, folded.
    pub turn: Turn,
    /// The case after the turn.
    pub state: CaseState,
    /// Budgets.
    pub turn_max: u32,
    /// Budgets.
    pub case_max: u32,
    /// The error, where there is one.
    pub error: Option<ReportError>,
}

impl TurnReport {
    /// The report of one turn.
    #[must_use]
    pub fn new(config: &Config, case: &CaseId, state: &CaseState, turn: u32) -> Self {
        let folded = state.turn(turn).cloned().unwrap_or_default();
        let error = folded.error.clone().map(|message| {
            let (kind, hint) = match folded.status {
                Some(TurnStatus::ModelUnreachable) => ("model", "rmm-analyst doctor checks the server; [model] fallback_to_rules = true answers by rules"),
                Some(TurnStatus::NoToolCalls) => ("model", "choose another model, or set [model] tools = \"auto\" where it is \"native\""),
                Some(TurnStatus::Budget) => ("user", "go on in a new turn: rmm-analyst ask --case CASE \"…\", or raise [limits] calls_per_turn"),
                _ => ("model", "ask again, or with --no-model for an answer by rules"),
            };
            ReportError { kind, message, hint: hint.to_owned() }
        });
        Self {
            case: case.clone(),
            turn: folded,
            state: state.clone(),
            turn_max: config.limits.calls_per_turn,
            case_max: config.limits.calls_per_case,
            error,
        }
    }

    /// How the turn ended.
    #[must_use]
    pub fn status(&self) -> TurnStatus {
        self.turn.status.unwrap_or(TurnStatus::Interrupted)
    }

    /// Proposals that this turn made, and that are open.
    pub fn open_here(&self) -> impl Iterator<Item = &Proposal> {
        self.state
            .proposals
            .values()
            .filter(|p| p.turn == self.turn.n && p.state == ProposalState::Open)
    }

    /// Actions that this turn proposed, and that are open.
    pub fn actions_here(&self) -> impl Iterator<Item = &Action> {
        self.state
            .open_actions()
            .filter(|a| a.proposed.turn == self.turn.n)
    }

    /// The exit code: the first that applies, in the order of the contract.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self.status() {
            TurnStatus::Interrupted => return 130,
            TurnStatus::ModelUnreachable => return 4,
            TurnStatus::NoToolCalls => return 5,
            TurnStatus::Busy => return 9,
            _ => {}
        }
        if self.open_here().next().is_some() || self.actions_here().next().is_some() {
            return 6;
        }
        match self.status() {
            TurnStatus::Budget => return 7,
            TurnStatus::Error => return 4,
            _ => {}
        }
        let ran = self.ran().map(|c| {
            let offline = crate::runner::module(c.tool.as_str())
                .is_some_and(|m| m.spec().activity == kit::Activity::Offline);
            (c.status.unwrap_or(Status::CouldNotLook), offline)
        });
        if every_source_failed(ran) { 8 } else { 0 }
    }

    fn ran(&self) -> impl Iterator<Item = &crate::case::Call> {
        self.turn
            .calls
            .iter()
            .filter(|c| matches!(c.verdict, CallVerdict::Permit | CallVerdict::Cached))
    }

    /// The sources footer.
    #[must_use]
    pub fn footer(&self) -> String {
        let mut footer = footer::footer(&self.turn.calls);
        if footer.is_empty() && self.turn.planner == Planner::Model && self.turn.answer.is_some() {
            footer = "Sources: none. Nothing was looked up for this answer.".to_owned();
        }
        let proposed: Vec<String> = self
            .actions_here()
            .map(|a| format!("{} {}", a.proposed.n, a.proposed.title.as_str()))
            .collect();
        if !proposed.is_empty() {
            if !footer.is_empty() {
                footer.push('\n');
            }
            footer.push_str(footer::PROPOSED);
            footer.push(' ');
            footer.push_str(&proposed.join("; ").replace('\n', " "));
        }
        footer
    }

    /// The one object of `ask --json`.
    #[must_use]
    pub fn json(&self) -> Value {
        let t = &self.turn;
        let count = |s: Status| {
            self.ran()
                .filter(|c| c.status.unwrap_or(Status::CouldNotLook) == s)
                .count()
        };
        let ledger: Vec<Value> = t
            .calls
            .iter()
            .map(|c| {
                let ran = matches!(c.verdict, CallVerdict::Permit | CallVerdict::Cached);
                let status = c.status.or(ran.then_some(Status::CouldNotLook));
                let fleet = c
                    .arguments
                    .as_ref()
                    .map(|a| serde_json::from_str(a.as_str()).unwrap_or_else(|_| json!({"text": a.as_str()})));
                let arguments = if let Some(fleet) = fleet {
                    fleet
                } else if c.verdict == CallVerdict::Ask {
                    json!({"indicator": c.argument.as_str()})
                } else {
                    json!({"query": c.argument.as_str()})
                };
                json!({
                    "n": c.n, "tool": c.tool.as_str(), "argument": c.argument.as_str(), "arguments": arguments,
                    "verdict": c.verdict.name(), "reason": c.reason,
                    "status": status.map(Status::name),
                    "detail": if ran && c.status.is_none() { Some("interrupted") } else { c.detail.as_deref() },
                    "evidence": c.evidence.map(|e| format!("E{e}")), "age_s": c.age_s, "ms": c.ms,
                })
            })
            .collect();
        let proposals: Vec<Value> = self
            .state
            .proposals
            .values()
            .filter(|p| p.turn == t.n)
            .map(proposal_json)
            .chain(
                self.state
                    .actions
                    .values()
                    .filter(|a| a.proposed.turn == t.n)
                    .map(action_json),
            )
            .collect();
        let jobs: Vec<u64> = self
            .state
            .actions
            .values()
            .filter(|a| a.proposed.turn == t.n && a.proposed.what == ProposalKind::Job)
            .map(|a| a.proposed.n)
            .collect();
        let mentioned: Vec<Value> = t
            .mentioned
            .iter()
            .map(|s| {
                let mut v = indicator_json(&s.indicator);
                v["found_in"] = json!(s.found_in.map(|e| format!("E{e}")));
                v
            })
            .collect();
        json!({
            "case": self.case.as_str(), "turn": t.n,
            "status": self.status().name(),
            "planner": match t.planner { Planner::Model => "model", Planner::Rules => "rules" },
            "model": t.model, "tools_mode": t.tools_mode,
            "answer": t.answer.as_ref().map_or("", |a| a.as_str()),
            "unsupported": t.unsupported.iter().map(|m: &Marked| json!({"text": m.text, "why": m.why})).collect::<Vec<_>>(),
            "ledger": ledger,
            "refused_more": t.refused_more,
            "coverage": {
                "asked": self.ran().count(), "found": count(Status::Found),
                "not_found": count(Status::NotFound), "could_not_look": count(Status::CouldNotLook),
            },
            "authorized": self.state.authorized.keys().map(indicator_json).collect::<Vec<_>>(),
            "denied": self.state.denied.iter().map(indicator_json).collect::<Vec<_>>(),
            "mentioned": mentioned,
            "proposals": proposals,
            "jobs_created": jobs,
            "mode": match self.state.mode { Mode::Brief => "brief", Mode::Full => "full" },
            "budget": {
                "turn_used": self.state.used_in_turn(t.n), "turn_max": self.turn_max,
                "case_used": self.state.used, "case_max": self.case_max,
            },
            "usage": {
                "prompt_tokens": t.usage.prompt_tokens, "cached_tokens": t.usage.cached_tokens,
                "completion_tokens": t.usage.completion_tokens, "ms": t.usage.ms,
            },
            "warnings": t.warnings,
            "error": self.error,
        })
    }
}

fn indicator_json(i: &Indicator) -> Value {
    json!({"type": i.kind().name(), "value": i.value()})
}

const fn kind_name(kind: ProposalKind) -> &'static str {
    match kind {
        ProposalKind::Pivot => "pivot",
        ProposalKind::Job => "job",
        ProposalKind::DeviceOperation => "device_operation",
        ProposalKind::Task => "task",
        ProposalKind::Check => "check",
        ProposalKind::Policy => "policy",
    }
}

/// An action in the shape of the contract: `value` says what would be done.
#[must_use]
pub fn action_json(a: &Action) -> Value {
    let p = &a.proposed;
    json!({
        "n": p.n, "kind": kind_name(p.what), "state": a.state.name(),
        "type": p.tool, "value": p.title.as_str(), "why": p.why.as_str(), "found_in": null,
        "not_in_evidence": false, "digest": p.digest, "devices": p.devices, "count": p.count,
        "expires_ms": p.expires_ms,
        "status": a.news.as_ref().map(|n| n.status.as_str()),
        "detail": a.news.as_ref().map(|n| n.detail.as_str()),
    })
}

/// A proposal in the shape of the contract.
#[must_use]
pub fn proposal_json(p: &Proposal) -> Value {
    let kind = kind_name(p.kind);
    json!({
        "n": p.n, "kind": kind, "state": p.state.name(),
        "type": p.indicator.kind().name(), "value": p.indicator.value(),
        "why": p.why.as_str(), "found_in": p.found_in.map(|e| format!("E{e}")),
        "not_in_evidence": p.not_in_evidence, "digest": null,
    })
}

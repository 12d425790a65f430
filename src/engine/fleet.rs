//! The fleet in a turn: when its tools come into play, what it says of a call before the gate judges, and
//! the run of a permitted call. A proposal and the event that tells of it are one transaction.

use super::calls::{Dealt, Running};
use super::{Draft, Engine, EngineError, OnProgress, Progress};
use crate::agent::prompt::Tools;
use crate::agent::{CallResult, WireCall, fleet_rules, fleet_tools};
use crate::case::{Body, CallVerdict, CaseState, Status};
use crate::gate::{self, FleetPermit};
use crate::runner::fleet::{Done, Of};
use kit::indicator::Indicator;
use kit::text::{ModelText, wrap_untrusted};
use kit::tool::{Effect, Examined};

/// Longest line of a call in the ledger, in characters; the evidence has the rest.
const ARGUMENT: usize = 300;

impl Engine {
    /// Every tool of this installation.
    pub(crate) const fn tools(&self) -> Tools<'_> {
        Tools {
            lookups: &self.catalog,
            fleet: &self.fleet,
        }
    }

    /// Fleet tools that the newest message brings into play.
    pub(crate) fn fleet_in_play(
        &self,
        running: &Running<'_>,
        state: &CaseState,
        window: usize,
    ) -> Result<Vec<String>, EngineError> {
        if self.fleet.is_empty() || running.model_remote && !self.config.fleet.remote_models {
            return Ok(Vec::new());
        }
        let Some(turn) = state.turn(running.turn) else {
            return Ok(Vec::new());
        };
        if !self.runner().has_devices()? {
            return Ok(Vec::new());
        }
        let text = turn.text.as_str();
        let groups = fleet_tools::groups_for(text, self.runner().names_a_device(text)?);
        Ok(fleet_tools::newly_offered(
            state,
            &groups,
            &self.fleet,
            window,
        ))
    }

    /// What the rules ask the fleet for the newest message.
    pub(crate) fn fleet_by_rules(
        &self,
        running: &Running<'_>,
        state: &CaseState,
        subjects: &[Indicator],
    ) -> Result<fleet_rules::ByRules, EngineError> {
        let Some(turn) = state.turn(running.turn).filter(|_| !self.fleet.is_empty()) else {
            return Ok(fleet_rules::ByRules::default());
        };
        // Without devices the fleet has nothing to say, and a question about "machines" means others.
        if !self.runner().has_devices()? {
            return Ok(fleet_rules::ByRules::default());
        }
        let text = turn.text.as_str();
        let device = self.runner().device_named(text)?;
        let groups = fleet_tools::groups_for(text, device.is_some());
        Ok(fleet_rules::by_rules(
            text,
            subjects,
            &groups,
            device.as_deref(),
            &self.fleet,
        ))
    }

    /// Fleet tools for one step of constrained mode.
    pub(crate) fn fleet_on_offer(
        &self,
        state: &CaseState,
        running: &Running<'_>,
    ) -> Vec<(String, serde_json::Value)> {
        if running.model_remote && !self.config.fleet.remote_models {
            return Vec::new();
        }
        let left = fleet_tools::groups_left(&state.offered, &self.fleet);
        fleet_tools::offered(&state.offered, &self.fleet)
            .into_iter()
            .filter(|spec| spec.name != fleet_tools::MORE_TOOLS || !left.is_empty())
            .map(|spec| (spec.name, spec.parameters))
            .collect()
    }

    /// What the fleet says of a call; `None` where it names no fleet tool.
    pub(crate) fn examine(&self, running: &Running<'_>, call: &WireCall) -> Option<Examined> {
        let name = call.name.as_deref()?;
        if name == fleet_tools::MORE_TOOLS && !self.fleet.is_empty() {
            return Some(self.examine_more(&call.arguments));
        }
        if !self.fleet.contains_key(name) {
            return None;
        }
        Some(
            self.runner()
                .examine_fleet(running.case, name, &call.arguments),
        )
    }

    fn examine_more(&self, arguments: &str) -> Examined {
        let groups = fleet_tools::groups_left(&[], &self.fleet);
        let read = kit::json::parse_strict_object(arguments)
            .ok()
            .filter(|m| m.len() == 1)
            .and_then(|m| m.get("group").and_then(|g| g.as_str().map(str::to_owned)))
            .filter(|g| groups.contains(&g.as_str()));
        Examined {
            effect: Effect::Read,
            access: Ok(()),
            arguments: read.map_or_else(
                || Err(format!("group must be one of: {}.", groups.join(", "))),
                |g| Ok(serde_json::json!({ "group": g })),
            ),
            scope: Ok(()),
            approved: Ok(()),
        }
    }

    /// The ledger's line of a permitted fleet call.
    pub(crate) fn fleet_call_body(
        &self,
        turn: u32,
        n: u32,
        permit: &FleetPermit,
        marker: &str,
    ) -> Body {
        Body::Call {
            turn,
            n,
            tool: self.shortened(permit.tool(), 64),
            argument: self.shortened(&in_words(permit.arguments()), ARGUMENT),
            subject: None,
            verdict: if permit.asks() {
                CallVerdict::Ask
            } else {
                CallVerdict::Permit
            },
            reason: None,
            detail: None,
            charged: permit.tool() != fleet_tools::MORE_TOOLS,
            marker: Some(marker.to_owned()),
            fingerprint: Some(gate::fleet_call::fingerprint(permit.arguments())),
            arguments: Some(self.redacted(&permit.arguments().to_string())),
        }
    }

    /// Runs a permitted fleet call and writes down what came of it.
    #[allow(clippy::too_many_arguments)] // one call of one round, each part from another owner
    pub(crate) fn run_fleet(
        &self,
        running: &Running<'_>,
        state: &mut CaseState,
        n: u32,
        call: WireCall,
        permit: FleetPermit,
        marker: &str,
        on: OnProgress<'_>,
    ) -> Result<Dealt, EngineError> {
        let tool = permit.tool().to_owned();
        if tool == fleet_tools::MORE_TOOLS {
            return self.bring_group(running, state, n, call, &permit);
        }
        let argument = self.shortened(&in_words(permit.arguments()), ARGUMENT);
        on(Progress::Calling {
            tool: self.redacted(&tool),
            argument: argument.clone(),
        });
        let of = Of {
            case: running.case,
            turn: running.turn,
            n,
        };
        let Done {
            outcome,
            evidence,
            proposed,
        } = self.runner().run_fleet(permit, of)?;
        self.sync(running.case, state)?;
        let words = if proposed.is_empty() {
            outcome
                .detail()
                .unwrap_or_else(|| outcome.status.name().replace('_', " "))
        } else {
            let numbers: Vec<String> = proposed.iter().map(u64::to_string).collect();
            format!("proposed as {}; a person decides", numbers.join(", "))
        };
        on(Progress::Called {
            tool: self.redacted(&tool),
            argument,
            outcome: words,
        });
        let text = self.fleet_for_model(running, &tool, marker, &outcome);
        Ok(Dealt {
            result: CallResult {
                call,
                text,
                flood: false,
            },
            tool,
            subject: None,
            refusal: None,
            outcome: proposed.is_empty().then_some(outcome),
            evidence,
        })
    }

    fn fleet_for_model(
        &self,
        running: &Running<'_>,
        tool: &str,
        marker: &str,
        outcome: &crate::runner::StoredOutcome,
    ) -> ModelText {
        let whole = outcome.said_for_model();
        let mut body = super::calls::cut(&whole, running.evidence_chars);
        if body.len() < whole.len() {
            body.push_str("\n[cut here; the person has the whole evidence]");
        }
        wrap_untrusted(tool, "", marker, &ModelText::from(&self.redacted(&body)))
    }

    fn bring_group(
        &self,
        running: &Running<'_>,
        state: &mut CaseState,
        n: u32,
        call: WireCall,
        permit: &FleetPermit,
    ) -> Result<Dealt, EngineError> {
        let group = permit
            .arguments()
            .get("group")
            .and_then(serde_json::Value::as_str)
            .unwrap_or_default();
        let tools: Vec<String> = self
            .fleet
            .values()
            .filter(|t| t.group == group)
            .map(|t| t.spec.name.clone())
            .filter(|t| !state.offered.contains(t))
            .collect();
        let said = if tools.is_empty() {
            format!("The tools of the group {group} are offered already.")
        } else {
            format!("Offered from the next step on: {}.", tools.join(", "))
        };
        let mut drafts = vec![Draft::Body(Body::CallDone {
            turn: running.turn,
            n,
            status: Status::Found,
            detail: None,
            evidence: None,
            verdict: None,
            seen: Vec::new(),
            age_s: 0,
            ms: 0,
        })];
        if !tools.is_empty() {
            drafts.push(Draft::Body(Body::Offered { tools }));
        }
        self.append(running.case, drafts)?;
        self.sync(running.case, state)?;
        Ok(Dealt {
            result: CallResult {
                call,
                text: ModelText::from(&self.redacted(&said)),
                flood: false,
            },
            tool: fleet_tools::MORE_TOOLS.to_owned(),
            subject: None,
            refusal: None,
            outcome: None,
            evidence: None,
        })
    }
}

/// Arguments as a person reads them: `device d-12, service nginx`.
fn in_words(arguments: &serde_json::Value) -> String {
    let Some(map) = arguments.as_object() else {
        return arguments.to_string();
    };
    map.iter()
        .filter(|(_, v)| !v.is_null())
        .map(|(k, v)| match v {
            serde_json::Value::String(s) => format!("{k} {s}"),
            other => format!("{k} {other}"),
        })
        .collect::<Vec<_>>()
        .join(", ")
}

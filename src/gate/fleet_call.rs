//! Checks 4, 5, 10 and 11 for fleet tools. The fleet examined the call before (a pure value comes in); the
//! order of the checks and the answer are the gate's.

use super::{Key, MORE_TOOLS, Refusal, View, budget, volume};
use crate::case::CallVerdict;
use kit::tool::{Effect, Examined};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// Leave to run one fleet tool, once. Only this module makes one.
#[derive(Debug)]
pub struct FleetPermit {
    tool: String,
    arguments: Value,
    effect: Effect,
    asks: bool,
}

impl FleetPermit {
    /// The tool.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// Its arguments in the fleet's fixed form.
    #[must_use]
    pub const fn arguments(&self) -> &Value {
        &self.arguments
    }

    /// What it does.
    #[must_use]
    pub const fn effect(&self) -> Effect {
        self.effect
    }

    /// Running it makes a proposal that waits for a person, and nothing else.
    #[must_use]
    pub const fn asks(&self) -> bool {
        self.asks
    }
}

pub(super) fn look(
    tool: &str,
    examined: &Examined,
    view: &View<'_>,
) -> Result<FleetPermit, Refusal> {
    budget::check(view)?;
    let known = view.fleet.contains_key(tool) || tool == MORE_TOOLS && !view.fleet.is_empty();
    if !known || view.model_remote && !view.fleet_remote {
        return Err(Refusal::new(Key::NotATool, "There is no such tool."));
    }
    let refuse = |key: Key| move |sentence: &String| Refusal::new(key, sentence.clone());
    examined.access.as_ref().map_err(refuse(Key::Access))?;
    let arguments = examined
        .arguments
        .as_ref()
        .map_err(refuse(Key::Arguments))?;
    examined.scope.as_ref().map_err(refuse(Key::Scope))?;
    let asks = match examined.effect {
        Effect::Read => false,
        Effect::Propose => true,
        Effect::Control => examined.approved.is_err(),
        Effect::ActOnApproved => {
            examined
                .approved
                .as_ref()
                .map_err(refuse(Key::NotApproved))?;
            false
        }
    };
    if asks {
        may_propose(view)?;
    }
    repeated(tool, arguments, view)?;
    Ok(FleetPermit {
        tool: tool.to_owned(),
        arguments: arguments.clone(),
        effect: examined.effect,
        asks,
    })
}

/// The caps of proposals hold for actions as they do for pivots.
fn may_propose(view: &View<'_>) -> Result<(), Refusal> {
    let of_turn = view
        .state
        .actions
        .values()
        .filter(|a| a.proposed.turn == view.turn)
        .count();
    if of_turn >= view.limits.proposals_per_turn {
        return Err(Refusal::new(
            Key::NotProposed,
            "No more proposals this turn: say in the answer what else should be done.",
        ));
    }
    if view.state.open_actions().count() >= view.limits.proposals_open {
        return Err(Refusal::new(
            Key::NotProposed,
            "Too many actions of this case wait for the person: no more until some are decided.",
        ));
    }
    Ok(())
}

/// The second identical call runs again (the fleet may have changed); the third is refused. A second
/// identical proposal is refused at once: the first waits.
fn repeated(tool: &str, arguments: &Value, view: &View<'_>) -> Result<(), Refusal> {
    let print = fingerprint(arguments);
    let same = |verdict: CallVerdict| {
        view.state.turn(view.turn).map_or(0, |t| {
            t.calls
                .iter()
                .filter(|c| c.verdict == verdict && c.tool.as_str() == tool)
                .filter(|c| c.fingerprint.as_deref() == Some(print.as_str()))
                .count()
        })
    };
    if same(CallVerdict::Permit) >= 2 || same(CallVerdict::Ask) >= 1 {
        return Err(Refusal::new(
            Key::Repeated,
            "This call was made already and its result stands above: answer from it.",
        ));
    }
    Ok(())
}

/// Tells the arguments of two fleet calls apart: the first 8 bytes of a SHA-256 over their fixed form, hex.
#[must_use]
pub fn fingerprint(arguments: &Value) -> String {
    let hash = Sha256::digest(arguments.to_string().as_bytes());
    hash.iter().take(8).map(|b| format!("{b:02x}")).collect()
}

/// Judges a call that the fleet examined; `None` where it is no call of a fleet tool.
pub(super) fn check(
    asked: super::Asked<'_>,
    view: &View<'_>,
) -> Option<Result<FleetPermit, Refusal>> {
    let tool = asked.name?;
    let examined = asked.examined?;
    Some(volume::refusals(view).and_then(|()| look(tool, examined, view)))
}

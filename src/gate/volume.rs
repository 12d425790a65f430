//! Checks 0 and "repeated": a flood of refused or identical calls ends in the answer round.

use super::{Key, Refusal, View};
use crate::case::CallVerdict;
use kit::indicator::Indicator;
use kit::module::ModuleSpec;

/// The number of refusals of this turn so far.
#[must_use]
pub fn refused(view: &View<'_>) -> u32 {
    view.state.turn(view.turn).map_or(0, |t| {
        let logged = t
            .calls
            .iter()
            .filter(|c| c.verdict == CallVerdict::Refuse)
            .count();
        u32::try_from(logged)
            .unwrap_or(u32::MAX)
            .saturating_add(t.refused_more)
    })
}

pub(super) fn refusals(view: &View<'_>) -> Result<(), Refusal> {
    if refused(view) < view.limits.refusals_per_turn {
        return Ok(());
    }
    Err(Refusal::new(
        Key::Refusals,
        "Too many refused calls this turn: answer from what you have.",
    ))
}

/// The second identical call is answered from evidence for nothing; the third is refused.
pub(super) fn repeated(
    spec: &ModuleSpec,
    subject: &Indicator,
    view: &View<'_>,
) -> Result<(), Refusal> {
    let before = view.state.turn(view.turn).map_or(0, |t| {
        t.calls
            .iter()
            .filter(|c| matches!(c.verdict, CallVerdict::Permit | CallVerdict::Cached))
            .filter(|c| c.tool.as_str() == spec.name && c.subject.as_ref() == Some(subject))
            .count()
    });
    if before < 2 {
        return Ok(());
    }
    Err(Refusal::new(
        Key::Repeated,
        "This call was made twice already and its result stands above: answer from it.",
    )
    .about(subject))
}

//! Check 7: what stays on this machine. Private and special-use space, too wide networks, internal
//! names and `TLP:RED` go to no outside source; modules that never leave the machine may see them.

use super::{Key, Refusal, View};
use kit::indicator::Indicator;
use kit::module::{Activity, ModuleSpec};
use kit::reach::ReachPolicy;

pub(super) fn check(
    subject: &Indicator,
    spec: &ModuleSpec,
    view: &View<'_>,
) -> Result<(), Refusal> {
    if spec.activity == Activity::Offline {
        return Ok(());
    }
    outside(subject, view)
}

/// Whether the indicator may go to an outside source at all.
pub(super) fn outside(subject: &Indicator, view: &View<'_>) -> Result<(), Refusal> {
    if view.state.is_red(subject) {
        return Err(Refusal::new(
            Key::Reach,
            "This indicator is TLP:RED: no outside source is asked.",
        )
        .about(subject));
    }
    by_policy(subject, view.reach)
}

/// For a person's own look-up, without a case.
pub(super) fn policy(
    subject: &Indicator,
    spec: &ModuleSpec,
    policy: &ReachPolicy,
) -> Result<(), Refusal> {
    if spec.activity == Activity::Offline {
        return Ok(());
    }
    by_policy(subject, policy)
}

fn by_policy(subject: &Indicator, policy: &ReachPolicy) -> Result<(), Refusal> {
    kit::reach::check(subject, policy).map_err(|why| {
        Refusal::new(Key::Reach, format!("This stays on this machine: {why}.")).about(subject)
    })
}

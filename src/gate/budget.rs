//! Checks 1 and 2: look-ups this turn and this case. Only what is sent counts; a refused, cached or
//! offline call costs nothing.

use super::{Key, Refusal, View};

pub(super) fn check(view: &View<'_>) -> Result<(), Refusal> {
    if view.state.used_in_turn(view.turn) >= view.limits.calls_per_turn {
        return Err(Refusal::new(
            Key::TurnBudget,
            format!(
                "The {} look-ups of this turn are used up: answer from what you have.",
                view.limits.calls_per_turn
            ),
        ));
    }
    if view.state.used >= view.limits.calls_per_case {
        return Err(Refusal::new(
            Key::CaseBudget,
            format!(
                "The {} look-ups of this case are used up: answer from what you have.",
                view.limits.calls_per_case
            ),
        ));
    }
    Ok(())
}

//! Check 4: the model is never a way around a permission that the person lacks.

use super::{Key, Refusal, View};
use kit::principal::Principal;

pub(super) fn check(view: &View<'_>) -> Result<(), Refusal> {
    principal(view.principal)
}

pub(super) fn principal(principal: &Principal) -> Result<(), Refusal> {
    if principal.lookups_run {
        return Ok(());
    }
    Err(Refusal::new(
        Key::Access,
        "This person may not run look-ups (permission lookups.run).",
    ))
}

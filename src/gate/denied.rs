//! Check 6: what a person refused in this case stays refused until a person names it plainly again.

use super::{Key, Refusal, View};
use kit::indicator::Indicator;

pub(super) fn check(subject: &Indicator, view: &View<'_>) -> Result<(), Refusal> {
    let host_denied = subject.host().is_some_and(|h| view.state.is_denied(&h));
    if !view.state.is_denied(subject) && !host_denied {
        return Ok(());
    }
    Err(Refusal::new(
        Key::Denied,
        "The person refused this indicator in this case: it was not looked up. Do not ask for it again.",
    )
    .about(subject))
}

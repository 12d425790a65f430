//! Check 8, the heart: a person named or approved exactly this indicator in this case, and has not
//! taken it back since. A sub-domain, a parent, a network around it, a look-alike: not the same.

use super::{Key, Refusal, View};
use kit::indicator::Indicator;

pub(super) fn check(subject: &Indicator, view: &View<'_>) -> Result<(), Refusal> {
    if view.state.authorization(subject, view.url_host).is_some() {
        return Ok(());
    }
    let mut refusal = Refusal::new(
        Key::Unauthorized,
        "The program's policy refused this: no person named or approved this indicator in this case. Propose it instead; nothing was looked up.",
    )
    .about(subject);
    refusal.found_in = view.state.seen.get(subject).copied();
    Err(refusal)
}

//! Check 9: the module takes this type.

use super::{Key, Refusal};
use kit::indicator::Indicator;
use kit::module::ModuleSpec;

pub(super) fn check(subject: &Indicator, spec: &ModuleSpec) -> Result<(), Refusal> {
    if spec.takes(subject.kind()) {
        return Ok(());
    }
    let types = spec
        .types
        .iter()
        .map(|t| t.name())
        .collect::<Vec<_>>()
        .join(", ");
    Err(Refusal::new(
        Key::Type,
        format!("{} takes {types}, not {}.", spec.name, subject.kind()),
    )
    .about(subject))
}

//! One whole string → one indicator, generously (a person typed it).

use crate::indicator::Indicator;

/// Reads a whole string as one indicator: trims it, undoes defanging, and puts it in canonical form.
/// `None` when it is not exactly one indicator.
#[must_use]
pub fn classify(_text: &str) -> Option<Indicator> {
    None
}

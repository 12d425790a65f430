//! What kind of secret was taken out. The short name stands in the marker, the long one in notes.

use std::fmt;

/// The kind of a redacted value. Coarse on purpose: a reader needs to know why text is missing, not which rule fired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// A value of the program's own configuration, in any encoding.
    Configured,
    /// A password or passphrase.
    Password,
    /// An API key, by its name or header.
    Key,
    /// A token, by its name or shape.
    Token,
    /// What follows an `Authorization` scheme.
    Auth,
    /// A value of a cookie.
    Cookie,
    /// A signature or credential in a signed URL.
    Signature,
    /// The secret part of a webhook's path.
    Webhook,
    /// A private key.
    PrivateKey,
    /// Encoded text that holds a secret once decoded.
    Encoded,
    /// Matched by one of the operator's patterns.
    Pattern,
}

impl Class {
    /// Short, stable name as it stands in the marker `[redacted:<name>]`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Configured => "configured",
            Self::Password => "password",
            Self::Key => "key",
            Self::Token => "token",
            Self::Auth => "auth",
            Self::Cookie => "cookie",
            Self::Signature => "signature",
            Self::Webhook => "webhook",
            Self::PrivateKey => "private-key",
            Self::Encoded => "encoded",
            Self::Pattern => "pattern",
        }
    }

    /// The name for people, as in "2 values redacted: bearer token, configured key".
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Configured => "configured key",
            Self::Password => "password",
            Self::Key => "API key",
            Self::Token => "token",
            Self::Auth => "bearer token",
            Self::Cookie => "cookie",
            Self::Signature => "URL signature",
            Self::Webhook => "webhook",
            Self::PrivateKey => "private key",
            Self::Encoded => "encoded secret",
            Self::Pattern => "operator's pattern",
        }
    }

    /// Whether it stays hidden whatever a person chooses for their own words: the program's own secrets,
    /// and what the operator's patterns match.
    #[must_use]
    pub const fn always(self) -> bool {
        matches!(self, Self::Configured | Self::Pattern)
    }

    /// The text that stands where the secret stood.
    #[must_use]
    pub fn marker(self) -> String {
        format!("[redacted:{}]", self.name())
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.describe())
    }
}

/// One stretch of the text that has to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// Byte offset of the first byte.
    pub(super) start: usize,
    /// Byte offset behind the last byte.
    pub(super) end: usize,
    /// Why.
    pub(super) class: Class,
}

impl Span {
    /// A span.
    pub(super) const fn new(start: usize, end: usize, class: Class) -> Self {
        Self { start, end, class }
    }
}

/// Sorts and joins overlapping spans. The class of a joined span is the more specific one: a configured
/// value beats all, then the span that starts first.
pub(super) fn merge(mut spans: Vec<Span>) -> Vec<Span> {
    spans.retain(|s| s.end > s.start);
    spans.sort_by(|a, b| {
        a.start
            .cmp(&b.start)
            .then(b.end.cmp(&a.end))
            .then(a.class.cmp(&b.class))
    });
    let mut out: Vec<Span> = Vec::with_capacity(spans.len());
    for s in spans {
        match out.last_mut() {
            Some(last) if s.start < last.end => {
                last.end = last.end.max(s.end);
                if s.class == Class::Configured {
                    last.class = Class::Configured;
                }
            }
            _ => out.push(s),
        }
    }
    out
}

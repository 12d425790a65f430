//! Authorization by clause: what a message names, refuses, quotes or keeps at home.

use crate::indicator::Indicator;
use serde::{Deserialize, Serialize};

/// What the words around an indicator say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stance {
    /// Named by the person in their own words: may be looked up.
    Authorize,
    /// Refused by name (`don't look up X`): goes on the deny list.
    Deny,
    /// Seen, but not the person's own words (quote, code fence, long paste), or named without a wish.
    Listed,
    /// Marked `TLP:RED`: known to the case, never sent to an outside source.
    Red,
}

/// One indicator of a message and what the message says about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mention {
    /// The indicator in canonical form.
    pub indicator: Indicator,
    /// What the clause says about it.
    pub stance: Stance,
    /// One short phrase for the screen: `named`, `refused`, `quoted line`, `code fence`, `paste of 14 lines`, `TLP:RED`.
    pub why: String,
    /// Byte offset of the first byte in the message.
    pub start: usize,
    /// Byte offset behind the last byte.
    pub end: usize,
}

/// Settings of [`read`].
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// A message of more lines than this is treated as a paste: it only lists. Default 10.
    pub paste_lines: usize,
    /// When true, a paste authorizes like typed words (`[ai] authorize_pasted = "yes"`).
    pub authorize_pasted: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            paste_lines: 10,
            authorize_pasted: false,
        }
    }
}

/// A whole message, read. One entry an indicator: where a message names one twice, the stronger stance
/// stands (`Red` over `Deny` over `Authorize` over `Listed`), except that a later plain naming lifts a denial.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// In order of first appearance.
    pub mentions: Vec<Mention>,
}

impl Reading {
    /// The indicators with this stance, in order of appearance.
    pub fn with(&self, stance: Stance) -> impl Iterator<Item = &Indicator> {
        self.mentions
            .iter()
            .filter(move |m| m.stance == stance)
            .map(|m| &m.indicator)
    }
}

/// Reads a person's own message, clause by clause.
#[must_use]
pub fn read(_text: &str, _options: &ReadOptions) -> Reading {
    Reading::default()
}

//! The grammar of a typed reply to open proposals: the whole message must match, or it is no reply.

use crate::indicator::Indicator;

/// An open pivot that was on screen when the message was submitted.
#[derive(Clone, Copy, Debug)]
pub struct OpenPivot<'a> {
    /// Its number.
    pub n: u64,
    /// What it proposes to look up.
    pub indicator: &'a Indicator,
}

/// What a bare "yes" covers when several pivots are open (`[ai] approve_bare_yes`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BareYes {
    /// Only a single open pivot; with several the program asks which.
    #[default]
    Single,
    /// All that are open and were shown.
    All,
}

/// What a message decides about the open pivots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Decides: numbers to approve and numbers to deny; each in ascending order, disjoint, not both empty.
    Decide {
        /// Numbers approved.
        approve: Vec<u64>,
        /// Numbers denied.
        deny: Vec<u64>,
    },
    /// A plain yes with several open: the program asks which ones.
    AskWhich,
    /// An ordinary message; proposals stay open.
    NotAReply,
}

/// Reads a message as a reply to the pivots in `open`. Anything outside the grammar is
/// [`Reply::NotAReply`]: a hedge, a question, a contrast or a negation is never a yes.
#[must_use]
pub fn parse_reply(_text: &str, _open: &[OpenPivot<'_>], _bare_yes: BareYes) -> Reply {
    Reply::NotAReply
}

//! The grammar of a typed reply to open proposals: the whole message must match, or it is no reply.
//!
//! ```text
//! message   = [greeting] ["@ai" [":"]] [mode word] clause { separator clause }
//! clause    = yes [["to"] selection ["only"]]      yes, go ahead, approve 1 and 3, look up evil.com
//!           | ("only" | "just") selection          only the domain
//!           | selection ["only"] [":" yes | no]    evil.com only; 1: yes
//!           | no [["to"] selection]                no, deny 2, no to all, skip it, leave X alone
//!           | ("but not" | "except" | …) selection yes, but not 2; all but evil.com
//!           | politeness                           please, thanks, no problem
//! selection = item { ("," | "and") item }
//! item      = ["#" | "number"] N | N "-" M | value | ["the"] type | "all" | "both"
//! ```
//!
//! A word outside the grammar, a question mark anywhere, a number or value that is not open: an ordinary
//! message. A selection with neither a yes nor an anchor (a value, `#`, `only`, `please`) decides nothing:
//! `2` may answer some other question. A caller that has just asked *which?* puts `yes ` in front of a bare
//! selection and parses again.
//!
//! A yes to some leaves the rest open. What a yes excludes by name (`but not 2`, `all but evil.com`) is denied.

use super::lex::{has_question, lex};
use super::mode;
use super::parser::Parser;
use super::vocabulary::mark_values;
use crate::indicator::Indicator;
use std::borrow::Cow;

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

/// Bytes of the longest message that is read as a reply: ten long URLs fit.
const MESSAGE_MAX: usize = 32_768;

/// Reads a message as a reply to the pivots in `open`. Anything outside the grammar is
/// [`Reply::NotAReply`]: a hedge, a question, a contrast or a negation is never a yes.
#[must_use]
pub fn parse_reply(text: &str, open: &[OpenPivot<'_>], bare_yes: BareYes) -> Reply {
    parse(text, open, bare_yes).unwrap_or(Reply::NotAReply)
}

/// Whether the message is a yes that names nothing (`yes`, `go ahead, please`). Such a yes counts only as the
/// next message after the turn that made the proposals; later the caller asks for a number.
#[must_use]
pub fn is_bare_yes(text: &str) -> bool {
    if text.len() > MESSAGE_MAX || has_question(text) {
        return false;
    }
    let text = thumbs(text);
    let tokens = lex(&text, &[]);
    Parser::new(mode::after_address(&tokens), &[], &[])
        .run()
        .is_some_and(|said| said.is_bare_yes())
}

fn parse(text: &str, open: &[OpenPivot<'_>], bare_yes: BareYes) -> Option<Reply> {
    if open.is_empty() || text.len() > MESSAGE_MAX || has_question(text) {
        return None;
    }
    let text = thumbs(text);
    let (spans, values) = mark_values(&text, open)?;
    let tokens = lex(&text, &spans);
    Parser::new(mode::after_address(&tokens), &values, open)
        .run()?
        .decide(open, bare_yes)
}

/// Chat names of the two thumbs as the thumbs themselves.
fn thumbs(text: &str) -> Cow<'_, str> {
    let names = [
        (":+1:", "👍"),
        (":thumbsup:", "👍"),
        (":-1:", "👎"),
        (":thumbsdown:", "👎"),
    ];
    if names.iter().all(|(name, _)| !text.contains(name)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(
        names
            .iter()
            .fold(text.to_owned(), |t, (name, thumb)| t.replace(name, thumb)),
    )
}

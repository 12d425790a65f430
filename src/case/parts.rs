//! What the state of a case is made of: authorizations, calls, turns, proposals, evidence.

use super::event::{
    Attachment, CallVerdict, Marked, Planner, ProposalFrom, ProposalKind, ProposalState, Seen,
    Status, TurnStatus, Usage,
};
use kit::indicator::Indicator;
use kit::outcome::Verdict;
use kit::text::Redacted;

/// How an indicator came to be authorized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authorized {
    /// Turn in which it was named or approved.
    pub turn: u32,
    /// `named`, `proposal 17`, `--authorize-input`, …
    pub how: String,
}

/// One line of a turn's ledger.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Number in the turn.
    pub n: u32,
    /// Tool as asked for.
    pub tool: Redacted,
    /// Argument as asked for.
    pub argument: Redacted,
    /// Indicator, where it could be read.
    pub subject: Option<Indicator>,
    /// What the gate said.
    pub verdict: CallVerdict,
    /// Refusal key.
    pub reason: Option<String>,
    /// Sentence of the gate, or of the outcome.
    pub detail: Option<String>,
    /// Counts against the budget.
    pub charged: bool,
    /// Of a fleet call: tells its arguments from others.
    pub fingerprint: Option<String>,
    /// Of a fleet call: its arguments as JSON, redacted.
    pub arguments: Option<Redacted>,
    /// Outcome; `None` while it runs (or when the process died).
    pub status: Option<Status>,
    /// Evidence number.
    pub evidence: Option<u32>,
    /// The source's verdict.
    pub source_verdict: Option<Verdict>,
    /// Age of a cached answer in seconds.
    pub age_s: u64,
    /// Milliseconds.
    pub ms: u64,
}

impl Call {
    /// True when it was sent and no answer is stored.
    #[must_use]
    pub fn in_flight(&self) -> bool {
        matches!(self.verdict, CallVerdict::Permit | CallVerdict::Cached) && self.status.is_none()
    }
}

/// A message and everything until the program waits for the human again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// Number in the case, from 1.
    pub n: u32,
    /// The turn whose budget it shares (itself, or the first of a chain of continuations).
    pub root: u32,
    /// When it began, milliseconds since the Unix epoch.
    pub at_ms: i64,
    /// The message, redacted; empty in a continuation.
    pub text: Redacted,
    /// The message as a model on this machine or in its networks gets it, where the person sent it as it
    /// is. Never for a screen or an export.
    pub sent: Option<Redacted>,
    /// What came with it.
    pub attachments: Vec<Attachment>,
    /// Indicators it named and authorized.
    pub named: Vec<Indicator>,
    /// Who chooses look-ups.
    pub planner: Planner,
    /// Model.
    pub model: Option<String>,
    /// `native` or `constrained`.
    pub tools_mode: Option<String>,
    /// Ledger.
    pub calls: Vec<Call>,
    /// Refusals past those logged one by one.
    pub refused_more: u32,
    /// Proposals made.
    pub proposals: Vec<u64>,
    /// Answer.
    pub answer: Option<Redacted>,
    /// Claims that stand in no evidence.
    pub unsupported: Vec<Marked>,
    /// Mentioned indicators.
    pub mentioned: Vec<Seen>,
    /// How it ended; `None` while it runs (or when the process died).
    pub status: Option<TurnStatus>,
    /// Tokens and time.
    pub usage: Usage,
    /// Warnings.
    pub warnings: Vec<String>,
    /// Error.
    pub error: Option<String>,
}

/// Something that waits, or waited, for a person.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// Number.
    pub n: u64,
    /// Turn that made it.
    pub turn: u32,
    /// Kind.
    pub kind: ProposalKind,
    /// What would be looked up.
    pub indicator: Indicator,
    /// Reason.
    pub why: Redacted,
    /// Evidence where it stands.
    pub found_in: Option<u32>,
    /// Stands in no evidence and no human text.
    pub not_in_evidence: bool,
    /// What made it.
    pub from: ProposalFrom,
    /// Where it stands.
    pub state: ProposalState,
    /// Reason of the decision.
    pub reason: Option<Redacted>,
}

/// A piece of evidence, as the log knows it; the rows are in the store.
#[derive(Clone, Debug, PartialEq)]
pub struct EvidenceRef {
    /// Number in the case.
    pub n: u32,
    /// Turn.
    pub turn: u32,
    /// Tool.
    pub tool: String,
    /// Subject.
    pub subject: Option<Indicator>,
    /// Outcome.
    pub status: Status,
    /// When, milliseconds since the Unix epoch.
    pub at_ms: i64,
}

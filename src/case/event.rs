//! The events of a case. Their serialised form is what the hash chain covers, so a field is only ever
//! added (with a default), never renamed or removed.

use super::action::{ActionNews, ProposedAction};
use kit::human::Mention;
use kit::indicator::Indicator;
use kit::outcome::Verdict;
use kit::text::Redacted;
use serde::{Deserialize, Serialize};

/// One entry of a case's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Position in the case's log, from 1, without gaps.
    pub seq: u64,
    /// When it was written, milliseconds since the Unix epoch.
    pub at_ms: i64,
    /// What happened.
    pub body: Body,
}

/// How evidence is shown: narrative and footer, or opened as it comes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Narrative and footer.
    #[default]
    Brief,
    /// Evidence opened as it comes.
    Full,
}

/// Who chose the look-ups of a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Planner {
    /// A model, through the gate.
    Model,
    /// The built-in rules, through the same gate.
    #[default]
    Rules,
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnStatus {
    /// An answer, and nothing waits.
    Answered,
    /// An answer, and proposals of this turn are open.
    Waiting,
    /// The budget is spent and there is no answer.
    Budget,
    /// The model could not be reached and rules were not allowed.
    ModelUnreachable,
    /// The model calls no tools and rules were not allowed.
    NoToolCalls,
    /// The case was busy in another process.
    Busy,
    /// A person stopped it, or the process died.
    Interrupted,
    /// An error ended it.
    Error,
}

impl TurnStatus {
    /// The stable name, as in `ask --json`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Waiting => "waiting",
            Self::Budget => "budget",
            Self::ModelUnreachable => "model_unreachable",
            Self::NoToolCalls => "no_tool_calls",
            Self::Busy => "busy",
            Self::Interrupted => "interrupted",
            Self::Error => "error",
        }
    }
}

/// What the gate said to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CallVerdict {
    /// Ran.
    Permit,
    /// Permitted and answered from evidence or cache, free.
    Cached,
    /// Became a proposal.
    Ask,
    /// Refused.
    Refuse,
}

impl CallVerdict {
    /// The stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Permit => "permit",
            Self::Cached => "cached",
            Self::Ask => "ask",
            Self::Refuse => "refuse",
        }
    }
}

/// The three outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The source knows it.
    Found,
    /// The source was asked and does not know it.
    NotFound,
    /// The source could not be asked: says nothing about the indicator.
    CouldNotLook,
}

impl Status {
    /// The stable name, as in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::NotFound => "not_found",
            Self::CouldNotLook => "could_not_look",
        }
    }
}

/// Text that came with a message but is not the person's own words (standard input, a file, a paste).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// `stdin`, or a file's name.
    pub name: String,
    /// The text after redaction, at most as much as the program keeps (64 KiB).
    pub text: Redacted,
    /// Length of the whole text in bytes.
    pub bytes: u64,
    /// SHA-256 of the whole text, hex.
    pub sha256: String,
    /// Indicators in it that are neither authorized nor proposed (the first 500).
    pub mentioned: Vec<Indicator>,
}

/// What a proposal would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalKind {
    /// Look up a new indicator.
    Pivot,
    /// Run something on devices.
    Job,
    /// Move or delete devices.
    DeviceOperation,
    /// A scheduled task.
    Task,
    /// A monitoring check.
    Check,
    /// A policy.
    Policy,
}

/// Where a proposal stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProposalState {
    /// Waits for a person.
    Open,
    /// A person approved it.
    Approved,
    /// A person denied it.
    Denied,
    /// Nobody decided in time, or the case was closed.
    Expired,
}

impl ProposalState {
    /// The stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Approved => "approved",
            Self::Denied => "denied",
            Self::Expired => "expired",
        }
    }
}

/// What made a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProposalFrom {
    /// The tool `propose_pivot`.
    Model,
    /// A question in the answer.
    Question,
    /// A refused look-up of something that stands in the evidence.
    Gate,
    /// Standard input, a file or a paste.
    Input,
    /// The built-in rules.
    Rules,
}

/// An indicator seen in the evidence or the answer, and where first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// The indicator.
    pub indicator: Indicator,
    /// Evidence number, where it stands in evidence.
    pub found_in: Option<u32>,
}

/// A claim of the answer that stands in no evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marked {
    /// The text of the claim as it stands in the answer.
    pub text: String,
    /// Why it is marked.
    pub why: String,
}

/// Tokens and time of a turn, as the server reported them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Prompt tokens of all rounds.
    pub prompt_tokens: u64,
    /// Of these, served from the server's cache; `None` where the server does not say.
    pub cached_tokens: Option<u64>,
    /// Tokens written.
    pub completion_tokens: u64,
    /// Milliseconds of the turn.
    pub ms: u64,
}

impl Event {
    /// The event as it leaves the program: a message that a person sent to the model as it is stands there
    /// redacted.
    #[must_use]
    pub fn for_export(mut self) -> Self {
        if let Body::Human { sent, .. } = &mut self.body {
            *sent = None;
        }
        self
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Body {
    /// The case begins.
    Opened {
        /// Title, usually the first question shortened.
        title: String,
        /// Whose case it is.
        principal: String,
    },
    /// A person's message.
    Human {
        /// The turn it starts.
        turn: u32,
        /// The message after redaction: what screens, exports, search and the check of answers use.
        text: Redacted,
        /// The message as the model got it, where the person sent it as it is: without the program's own
        /// secrets only. `None`: the model got `text`. Part of the log, so that the turn is replayed in the
        /// same bytes; exports leave it out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sent: Option<Redacted>,
        /// What it names and how, read when it was submitted.
        mentions: Vec<Mention>,
        /// What came with it.
        attachments: Vec<Attachment>,
        /// Proposals on screen at submit; only these can be covered by a typed yes.
        shown: Vec<u64>,
        /// Who wrote it.
        principal: String,
        /// `cli`, `tui`, `plain`, `mattermost`.
        surface: String,
    },
    /// A turn begins to run.
    TurnStarted {
        /// Number in the case, from 1.
        turn: u32,
        /// The turn that it continues and whose budget it shares.
        continues: Option<u32>,
        /// Who chooses look-ups.
        planner: Planner,
        /// Model name.
        model: Option<String>,
        /// `native` or `constrained`.
        tools_mode: Option<String>,
    },
    /// Tools offered to the model from here on, added at the end of the case's list.
    Offered {
        /// Names.
        tools: Vec<String>,
    },
    /// Text that a model wrote together with its calls: progress, not memory.
    Progress {
        /// Turn.
        turn: u32,
        /// Text.
        text: Redacted,
    },
    /// A call was judged. Written before anything is sent; `charged` counts against the budget.
    Call {
        /// Turn.
        turn: u32,
        /// Number in the turn's ledger, from 1.
        n: u32,
        /// Tool name as asked for.
        tool: Redacted,
        /// The argument as asked for (a look-up's indicator in canonical form where it could be read).
        argument: Redacted,
        /// The indicator, where it could be read.
        subject: Option<Indicator>,
        /// What the gate said.
        verdict: CallVerdict,
        /// The refusal key, where refused.
        reason: Option<String>,
        /// One sentence of the gate on the refusal.
        detail: Option<String>,
        /// Counts against the budget.
        charged: bool,
        /// The call's own id on the wire and its raw arguments, for replaying within the turn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        marker: Option<String>,
    },
    /// Further refusals of one reply, past the number that is logged one by one.
    RefusedMore {
        /// Turn.
        turn: u32,
        /// How many.
        count: u32,
    },
    /// A call ended.
    CallDone {
        /// Turn.
        turn: u32,
        /// Number in the turn's ledger.
        n: u32,
        /// Outcome.
        status: Status,
        /// `no key`, `timed out`, …
        detail: Option<String>,
        /// Evidence number.
        evidence: Option<u32>,
        /// The source's verdict where found.
        verdict: Option<Verdict>,
        /// Indicators that stand in the evidence (the first 200).
        seen: Vec<Indicator>,
        /// Age of a cached answer in seconds.
        age_s: u64,
        /// Milliseconds it took.
        ms: u64,
    },
    /// Something waits for a person.
    Proposed {
        /// Number, once for the whole database.
        n: u64,
        /// Turn that made it.
        turn: u32,
        /// Kind.
        what: ProposalKind,
        /// What would be looked up.
        indicator: Indicator,
        /// Reason.
        why: Redacted,
        /// Evidence where it stands.
        found_in: Option<u32>,
        /// True when it stands in no evidence and no human text.
        not_in_evidence: bool,
        /// What made it.
        from: ProposalFrom,
    },
    /// An action waits for a person.
    ActionProposed {
        /// The action.
        action: ProposedAction,
    },
    /// What became of an action after the decision, or that it expired.
    ActionNews {
        /// The news.
        news: ActionNews,
    },
    /// A person decided.
    Decided {
        /// Proposal.
        n: u64,
        /// Approved or denied.
        approve: bool,
        /// Reason given.
        reason: Option<Redacted>,
        /// Who.
        principal: String,
        /// Surface.
        surface: String,
    },
    /// A person authorized indicators in another way (`--authorize-input`, a toggle before Enter).
    Authorized {
        /// Which.
        indicators: Vec<Indicator>,
        /// How.
        how: String,
        /// Who.
        principal: String,
    },
    /// A person withdrew an authorization.
    Revoked {
        /// Which.
        indicator: Indicator,
        /// Who.
        principal: String,
    },
    /// Evidence mode.
    ModeSet {
        /// Mode.
        mode: Mode,
    },
    /// The answer of a turn.
    Answer {
        /// Turn.
        turn: u32,
        /// Text after redaction, without a footer.
        text: Redacted,
        /// Claims that stand in no evidence.
        unsupported: Vec<Marked>,
        /// Indicators named in the answer or the evidence that are not authorized.
        mentioned: Vec<Seen>,
    },
    /// A turn ended.
    TurnEnded {
        /// Turn.
        turn: u32,
        /// How.
        status: TurnStatus,
        /// Tokens and time.
        usage: Usage,
        /// Warnings.
        warnings: Vec<String>,
        /// Error in one sentence.
        error: Option<String>,
    },
    /// New title.
    Renamed {
        /// Title.
        title: String,
    },
    /// Tags put on and taken off.
    Tagged {
        /// Put on.
        add: Vec<String>,
        /// Taken off.
        remove: Vec<String>,
    },
    /// Closed: open proposals expire.
    Closed,
    /// Opened again.
    Reopened,
    /// Tombstone.
    Deleted,
    /// Tombstone taken back.
    Undeleted,
    /// Begun as a copy of another case up to a turn; its events follow.
    Forked {
        /// Case id.
        case: String,
        /// Last turn that was taken over.
        turn: u32,
    },
}

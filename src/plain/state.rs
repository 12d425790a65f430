//! The parts of the state of line mode.

use super::evidence;
use super::menu::Menu;
use crate::engine::RawAttachment;

/// What the caller knows.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Program and version.
    pub program: String,
    /// Indicators are written defanged.
    pub defang: bool,
    /// The terminal shows UTF-8.
    pub utf8: bool,
    /// `[ai] authorize_pasted = "yes"`.
    pub paste_authorizes: bool,
    /// `[ai] approve_bare_yes = "all"`.
    pub bare_all: bool,
    /// Look-ups a turn.
    pub turn_max: u32,
    /// Look-ups a case.
    pub case_max: u32,
    /// Settings as key and value, secrets as set or unset.
    pub all: Vec<(String, String)>,
    /// Lines come from a terminal: there is a prompt.
    pub terminal: bool,
    /// A person at a terminal reads what is written and answers there: proposals can be decided.
    pub decides: bool,
}

/// A message on its way.
#[derive(Clone, Debug, Default)]
pub struct Queued {
    /// Text.
    pub text: String,
    /// What comes with it.
    pub attachments: Vec<RawAttachment>,
    /// Pivots that were printed when it was typed.
    pub shown: Vec<u64>,
    /// The words go to the model as they are.
    pub as_is: bool,
}

/// A running turn.
#[derive(Clone, Debug, Default)]
pub struct Live {
    /// Number of the turn, once it is known.
    pub turn: Option<u32>,
    /// What it does, in words.
    pub phase: String,
    /// Text of this round so far.
    pub text: String,
    /// Bytes of it that were printed.
    pub printed: usize,
    /// This round is not printed as it comes.
    pub held: bool,
    /// Reasoning of this round so far.
    pub reasoning: String,
    /// Ledger lines that were printed: place and whether the outcome was.
    pub ledger: Vec<bool>,
    /// It was told to stop.
    pub stopping: bool,
}

/// What the next line answers.
#[derive(Clone, Debug, Default)]
pub enum Question {
    /// Nothing: it is a message or a command.
    #[default]
    None,
    /// A card: the proposal and all that were listed. `epoch` is set once it can be answered.
    Card {
        /// The proposal it is about.
        n: u64,
        /// Everything it listed.
        listed: Vec<u64>,
        /// Lines from before this do not count; `None`: no line counts yet.
        epoch: Option<u64>,
    },
    /// The number of devices of an action, behind the choice to approve it.
    Count {
        /// The action.
        n: u64,
        /// Lines from before this do not count; `None`: no line counts yet.
        epoch: Option<u64>,
    },
    /// The reason of a denial.
    Reason(u64),
    /// A number of a list.
    Menu(Menu),
    /// The value of a setting.
    Value(String),
}

impl Question {
    /// Since when lines count for a question that decides something; `None`: it decides nothing.
    #[must_use]
    pub const fn since(&self) -> Option<Option<u64>> {
        match self {
            Self::Card { epoch, .. } | Self::Count { epoch, .. } => Some(*epoch),
            _ => None,
        }
    }

    /// From now on lines count.
    pub const fn arm(&mut self, now: u64) {
        if let Self::Card { epoch, .. } | Self::Count { epoch, .. } = self {
            *epoch = Some(now);
        }
    }
}

/// What is to be printed when it comes from the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Show {
    /// A piece in a form.
    Piece(u32, evidence::Form),
    /// A piece under an answer: its table.
    Inline(u32),
}

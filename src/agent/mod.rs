//! One turn of a model, as a pure state machine: an input comes in, effects go out, nothing is touched.
//! The engine carries the effects out and feeds the results back. PURE.
//!
//! * [`turn`] – the machine: rounds, the answer round, floods, empty answers, leaked calls.
//! * [`prompt`] – the constant system message and what stands at the end of the newest message.
//! * [`context`] – which earlier turns are sent, and what is left out when room is short.
//! * [`fleet_tools`] – when fleet tools come into play, and how they are written; [`fleet_rules`] – what the rules
//!   ask of them.
//! * [`leaked`] – tool calls that a server let through as text.
//! * [`questions`] – pivots that an answer asks for; [`grounding`] – claims that stand in no evidence.
//! * [`footer`] – the sources line, drawn from the ledger and from nothing else.
//! * [`planner`] – the same work without a model, by rules.

pub mod context;
pub mod fleet_rules;
pub mod fleet_tools;
pub mod footer;
pub mod grounding;
pub mod leaked;
pub mod planner;
pub mod prompt;
pub mod questions;
pub mod turn;

use kit::text::ModelText;
use kit::tool::ToolSpec;

/// A call as it came over the wire; nothing in it is trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireCall {
    /// Its id, made up where the server sent none.
    pub id: String,
    /// The tool's name, where one came as a string.
    pub name: Option<String>,
    /// The arguments as JSON text, exactly as they came.
    pub arguments: String,
}

/// One message to the model.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// The program.
    System(ModelText),
    /// A person, or the program on a person's behalf.
    User(ModelText),
    /// The model, earlier.
    Assistant {
        /// What it wrote.
        text: ModelText,
        /// What it asked for.
        calls: Vec<WireCall>,
    },
    /// A tool's result.
    Tool {
        /// The call it answers.
        id: String,
        /// The tool.
        name: String,
        /// The wrapped result.
        text: ModelText,
    },
}

/// How the model asks for tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolMode {
    /// Native tool calls.
    Native,
    /// One JSON object a step, held to a schema.
    Constrained,
}

impl ToolMode {
    /// The stable name, as in `ask --json`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Constrained => "constrained",
        }
    }
}

/// What a step of constrained mode may be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    /// Tools and, for each, the authorized values (or handles) that it takes.
    pub tools: Vec<(String, Vec<String>)>,
    /// Fleet tools with the schemas of their arguments.
    pub fleet: Vec<(String, serde_json::Value)>,
    /// A call is allowed.
    pub call: bool,
    /// An answer is allowed.
    pub answer: bool,
    /// Indicators that may be proposed; empty: none.
    pub propose: Vec<String>,
}

/// How the model is asked.
#[derive(Clone, Debug)]
pub enum Request {
    /// With tools; `call` false sends `tool_choice: "none"` and keeps the tools, so that the cache holds.
    Native {
        /// Tools of this case, in the order in which they came into play.
        tools: Vec<ToolSpec>,
        /// Calls are allowed.
        call: bool,
    },
    /// With a schema.
    Constrained(Offer),
}

/// The model's answer to one round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// Text without reasoning.
    pub text: String,
    /// Reasoning: shown folded, used only when there is no text.
    pub reasoning: String,
    /// Calls.
    pub calls: Vec<WireCall>,
    /// The reply was cut at `max_tokens`.
    pub cut: bool,
}

/// What became of one call.
#[derive(Clone, Debug, PartialEq)]
pub struct CallResult {
    /// The call.
    pub call: WireCall,
    /// What the model is told, wrapped and capped.
    pub text: ModelText,
    /// The flood checks objected: the next round is the answer round.
    pub flood: bool,
}

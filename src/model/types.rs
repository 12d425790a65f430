//! What is asked of a model and what it answers.

use super::arguments::{NameArg, RawArguments};
use kit::tool::ToolSpec;
use serde_json::Value;

/// One round.
#[derive(Clone, Debug)]
pub struct ChatRequest {
    /// The conversation, system message first.
    pub messages: Vec<Message>,
    /// How the model may answer.
    pub mode: RequestMode,
    /// Tokens the model may write. Always sent: a model may otherwise run to the end of its window.
    pub max_tokens: u32,
    /// Sampling temperature.
    pub temperature: f64,
}

/// How the model may answer.
#[derive(Clone, Debug)]
pub enum RequestMode {
    /// Text only.
    Text,
    /// Text and native tool calls.
    Native {
        /// The tools on offer.
        tools: Vec<ToolSpec>,
        /// Whether a call is left to the model, forbidden or demanded.
        choice: ToolChoice,
    },
    /// One JSON value held to a schema (see [`super::step_schema`]). No tools are sent with it.
    Constrained {
        /// JSON Schema.
        schema: Value,
    },
}

/// Whether the model must call a tool. `Required` is no guarantee on any server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// Tools stay in the prompt (the server's prefix cache holds), but none may be called.
    None,
    /// A call is demanded.
    Required,
}

/// One message of the conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// The program's instructions.
    System(String),
    /// A person, or the program on their behalf.
    User(String),
    /// An earlier answer of the model.
    Assistant {
        /// Its text; empty when it only called.
        text: String,
        /// Its calls, in order.
        calls: Vec<ToolCall>,
    },
    /// The result of a call.
    Tool {
        /// The id of the call.
        call_id: String,
        /// The tool's name.
        name: String,
        /// The result.
        text: String,
    },
}

/// A call as the model made it. Nothing in it has been checked.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The server's id, or `call_N` where it sent none or one twice. Unique within one reply.
    pub id: String,
    /// The name.
    pub name: NameArg,
    /// The arguments.
    pub arguments: RawArguments,
}

/// What the model answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChatReply {
    /// The answer without reasoning.
    pub text: String,
    /// Reasoning, from a field of its own or from `<think>` tags.
    pub reasoning: String,
    /// Calls. Decide by their presence, never by `finish`.
    pub calls: Vec<ToolCall>,
    /// Why the server says it ended.
    pub finish: Finish,
    /// Token counts, where the server gave them.
    pub usage: Option<Usage>,
    /// The model's name as the server gave it; empty when it gave none.
    pub model: String,
    /// What a person should know about this answer, one sentence each.
    pub warnings: Vec<String>,
    /// True when the length limit cut the answer inside a call: do not run it.
    pub cut_calls: bool,
}

/// Why an answer ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Finish {
    /// The model was done.
    Stop,
    /// The token limit or the window was reached.
    Length,
    /// Calls. Some servers say `Stop` although there are calls.
    ToolCalls,
    /// Another word of the server.
    Other(String),
    /// The server said nothing.
    #[default]
    Missing,
}

impl Finish {
    pub(super) fn from_word(word: &str) -> Self {
        match word {
            "stop" => Self::Stop,
            "length" => Self::Length,
            "tool_calls" | "function_call" => Self::ToolCalls,
            "" => Self::Missing,
            other => Self::Other(other.chars().take(64).collect()),
        }
    }
}

/// Token counts of one round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the prompt, cached ones included.
    pub prompt: u32,
    /// Of these, tokens from the server's prefix cache; `None` where the server does not say.
    pub cached: Option<u32>,
    /// Tokens written.
    pub completion: u32,
}

/// Progress of one round, for display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delta<'a> {
    /// A piece of the answer.
    Text(&'a str),
    /// A piece of reasoning.
    Reasoning(&'a str),
    /// A call began; holds the name as far as it is known.
    CallStarted(&'a str),
    /// The server is loading the model.
    Loading,
    /// The request is out; no byte of an answer yet.
    Waiting,
}

//! The model client: OpenAI-compatible chat and Ollama's native dialect, native tool calls and
//! constrained output, server detection and the capability probe.
//!
//! What comes back from a model is text that nobody vouches for: calls are handed on raw
//! ([`RawArguments`], [`NameArg`]) so that the gate can refuse them, and nothing here panics on any
//! answer. The facts about each server are in `docs/model-servers.md`.

mod address;
mod arguments;
mod assembly;
mod calls;
mod client;
mod detect;
mod error;
mod http;
mod info;
mod ollama;
mod ollama_guard;
mod openai;
mod probe;
mod recorded;
#[cfg(test)]
mod replay_tests;
mod schema;
mod server_error;
mod sse;
mod step;
mod think;
mod types;

pub use address::is_cloud_name;
pub use arguments::{ArgumentsError, NameArg, RawArguments, parse_strict_object};
pub use client::{Found, ModelClient};
pub use error::{ModelError, Phase};
pub use info::{ContextSource, ServerInfo, ServerKind};
pub use recorded::{Dialect, read_answer};
pub use schema::step_schema;
pub use step::{Offer, OfferedTool, Step, StepError, ToolInput, parse_step};
pub use types::{
    ChatReply, ChatRequest, Delta, Finish, Message, RequestMode, ToolCall, ToolChoice, Usage,
};

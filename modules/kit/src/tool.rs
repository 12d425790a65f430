//! What a model may ask for.

use serde_json::Value;

/// What a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Reads.
    Read,
    /// Makes a proposal; changes nothing.
    Propose,
    /// Stops something that this case started.
    Control,
    /// Does only what a person approved before.
    ActOnApproved,
}

/// A tool as a model sees it.
#[derive(Clone, Debug)]
pub struct ToolSpec {
    /// Name.
    pub name: String,
    /// One or two sentences.
    pub description: String,
    /// JSON Schema of the arguments; an object with `additionalProperties: false`.
    pub parameters: Value,
    /// Effect.
    pub effect: Effect,
}

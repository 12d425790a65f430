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

/// A fleet tool as a catalog holds it.
#[derive(Clone, Debug)]
pub struct FleetTool {
    /// As a model sees it.
    pub spec: ToolSpec,
    /// The group in which it is offered where the window is small.
    pub group: &'static str,
}

/// What the fleet says of a call before the gate judges it. The fleet reads (who asks, which devices are
/// meant, what was approved); the gate alone decides, in its own order. Each `Err` is one sentence that is
/// fit for the screen and for a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Examined {
    /// What the tool does.
    pub effect: Effect,
    /// The principal holds the tool's permission.
    pub access: Result<(), String>,
    /// The arguments, read strictly and written back in one fixed form.
    pub arguments: Result<Value, String>,
    /// Every device, site and client that they name is inside the principal's scope.
    pub scope: Result<(), String>,
    /// For [`Effect::Control`]: the case started what is to be stopped (else it asks). For
    /// [`Effect::ActOnApproved`]: a person approved all of it.
    pub approved: Result<(), String>,
}

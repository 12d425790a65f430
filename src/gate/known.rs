//! Check 3: the tool exists, the operator left it to the model, and its author marked it for models.

use super::{Key, Refusal, Tool, View};
use kit::module::{Activity, ModuleSpec};

/// Whether a model may be offered this tool at all.
#[must_use]
pub fn offered(tool: &Tool, model_remote: bool) -> bool {
    tool.enabled
        && tool.allowed
        && tool.spec.ai_tool
        && tool.spec.activity != Activity::Active
        && !(model_remote && tool.spec.local_model_only)
}

pub(super) fn check(name: Option<&str>, view: &View<'_>) -> Result<&'static ModuleSpec, Refusal> {
    name.and_then(|n| view.tools.get(n))
        .filter(|t| offered(t, view.model_remote))
        .map(|t| t.spec)
        .ok_or_else(|| Refusal::new(Key::NotATool, "There is no such tool."))
}

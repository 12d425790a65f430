//! The look-up modules as the command line sees them: facts only. Running one is the engine's business.

use crate::config::KnownModule;
use kit::ModuleSpec;

/// The facts of every module, in name order.
#[must_use]
pub fn specs() -> Vec<&'static ModuleSpec> {
    crate::engine::modules().iter().map(|m| m.spec()).collect()
}

/// What the configuration must know of them.
#[must_use]
pub fn known() -> Vec<KnownModule> {
    specs()
        .into_iter()
        .map(|s| KnownModule {
            name: s.name,
            ai_tool: s.ai_tool,
        })
        .collect()
}

/// One module by name; a leading `@` is ignored.
#[must_use]
pub fn find(name: &str) -> Option<&'static ModuleSpec> {
    let name = name.strip_prefix('@').unwrap_or(name);
    specs().into_iter().find(|s| s.name == name)
}

//! The look-up modules as the command line sees them: facts only. Running one is the engine's business.

use kit::ModuleSpec;

/// The facts of every module, in name order.
#[must_use]
pub fn specs() -> Vec<&'static ModuleSpec> {
    crate::engine::modules().iter().map(|m| m.spec()).collect()
}

/// One module by name; a leading `@` is ignored.
#[must_use]
pub fn find(name: &str) -> Option<&'static ModuleSpec> {
    let name = name.strip_prefix('@').unwrap_or(name);
    specs().into_iter().find(|s| s.name == name)
}

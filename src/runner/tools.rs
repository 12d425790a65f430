//! The catalog: which modules there are and what the operator left of them.

use crate::config::Config;
use crate::gate::{Catalog, Tool};

/// The tools of this installation. Configuration only subtracts.
#[must_use]
pub fn catalog(config: &Config) -> Catalog {
    let allow = &config.ai.modules;
    let block = &config.ai.blocked_modules;
    intel::registry()
        .iter()
        .map(|m| {
            let spec = m.spec();
            let enabled = config.modules.get(spec.name).is_none_or(|s| s.enabled);
            let listed = allow.is_empty() || allow.iter().any(|n| n == spec.name);
            let blocked = block.iter().any(|n| n == spec.name);
            (
                spec.name,
                Tool {
                    spec,
                    enabled,
                    allowed: listed && !blocked,
                },
            )
        })
        .collect()
}

//! engine

pub use crate::runner::registry as modules;

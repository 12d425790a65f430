//! Configuration: defaults < file < environment < flags; each value knows its origin.

pub mod settings;

pub use settings::Config;

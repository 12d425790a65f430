//! rmm-analyst: a terminal analyst for security and fleet people.
//!
//! The map of the program is at the top of `main.rs`; who may import whom is in `docs/architecture.md`
//! and is checked by `tests/architecture.rs`.

pub mod agent;
pub mod case;
pub mod cli;
pub mod config;
pub mod engine;
pub mod gate;
pub mod model;
pub mod plain;
pub mod redact;
pub mod runner;
pub mod secrets;
pub mod store;
pub mod surface;
pub mod tui;

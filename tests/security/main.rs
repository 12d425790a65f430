//! Attacks on the promises of SECURITY.md that no other test makes. `RMM_ANALYST_DEEP=1` runs the long
//! versions. What the tests measure is written to `target/scores/`; `tests/run` prints it at its end.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests fail by panicking and print their scores"
)]

#[path = "../support_model/mod.rs"]
mod support_model;

#[path = "../e2e/contract.rs"]
#[allow(dead_code, reason = "each test binary uses a part of it")]
mod contract;
#[path = "../e2e/model.rs"]
#[allow(dead_code, reason = "each test binary uses a part of it")]
mod model;
#[path = "../e2e/source.rs"]
#[allow(dead_code, reason = "each test binary uses a part of it")]
mod source;
#[path = "../e2e/world.rs"]
#[allow(dead_code, reason = "each test binary uses a part of it")]
mod world;

#[path = "../support/llama.rs"]
mod llama;
#[path = "../support/scores.rs"]
mod scores;

mod any_bytes;
mod demonstration;
mod dojo;
mod entries;
mod fleet_tools;
mod leaks;
mod played;
mod promises;
mod properties;
mod sequences;
mod template_tokens;

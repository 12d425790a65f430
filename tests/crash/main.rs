//! Turns that are ended from outside at a random moment, in a child process: killed, terminated, on a disk
//! that is full, on a file that is read-only, with a clock that was set back; and many processes at once.
//! After each the case must be what its log says, nothing charged may be forgotten, nothing is repeated.
//!
//! 50 rounds; 500 with `RMM_ANALYST_DEEP=1`. `RMM_ANALYST_SEED=N` plays the rounds of a run again.
#![cfg(target_os = "linux")]
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

#[path = "../support/scores.rs"]
mod scores;

mod at_once;
mod ended;
mod sound;

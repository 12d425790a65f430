//! Line mode: the whole program in a pty and in a pipe, against a scripted model server and a local source
//! server; what it prints, what it decides, and what it never decides.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

#[allow(dead_code, reason = "shared with the tests of the one-shot commands")]
#[path = "../e2e/contract.rs"]
mod contract;
#[allow(dead_code, reason = "shared with the tests of the one-shot commands")]
#[path = "../e2e/model.rs"]
mod model;
#[allow(dead_code, reason = "shared with the tests of the one-shot commands")]
#[path = "../e2e/source.rs"]
mod source;
#[path = "../support_model/mod.rs"]
mod support_model;
#[allow(dead_code, reason = "shared with the tests of the one-shot commands")]
#[path = "../e2e/world.rs"]
mod world;

mod actions;
mod desk;
mod documents;
mod pipe;
#[cfg(target_os = "linux")]
mod terminal;

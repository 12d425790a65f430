//! The whole program as a child process, against a scripted model server and a local source server over
//! real sockets. `RMM_ANALYST_DEEP=1` runs the long versions.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests fail by panicking and print their scores"
)]

#[path = "../support/llama.rs"]
mod llama;
#[path = "../support/scores.rs"]
mod scores;
#[path = "../support_model/mod.rs"]
mod support_model;

mod as_is;
mod contract;
mod exports;
mod fleet;
mod fleet_asked;
mod fleet_cases;
mod fleet_database;
mod fleet_people;
mod fleet_work;
mod floods;
mod hostile;
mod input;
mod killed;
mod logged;
mod model;
mod prefix;
mod proposals;
mod real;
mod render;
mod secrets;
mod servers;
mod source;
mod stopped;
mod told;
mod turns;
mod world;

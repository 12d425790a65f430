//! The full-screen terminal: keys through the real `update` and `draw` into a VT emulator, snapshots of
//! every view at 40, 80 and 120 columns, properties of text, and the terminal itself in a pty.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

#[path = "../support_model/mod.rs"]
mod support_model;

mod actions;
mod approval;
mod as_is;
mod documents;
mod flow;
mod notify;
mod pty;
mod screen;
mod session;
mod settings;
mod setup;
mod texts;
mod undo;
mod views;

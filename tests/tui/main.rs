//! The full-screen terminal: keys through the real `update` and `draw` into a VT emulator, snapshots of
//! every view at 40, 80 and 120 columns, properties of text, and the terminal itself in a pty.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod approval;
mod as_is;
mod documents;
mod flow;
mod pty;
mod screen;
mod texts;
mod views;

//! The full-screen terminal: keys through the real `update` and `draw` into a VT emulator, snapshots of
//! every view at 40, 80 and 120 columns, properties of text, and the terminal itself in a pty.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod actions;
mod approval;
mod as_is;
mod documents;
mod fleet;
mod flow;
mod following;
#[cfg(target_os = "linux")]
mod leaving;
mod marks;
mod notify;
mod opening;
mod pty;
mod screen;
mod session;
mod settings;
mod setup;
#[cfg(target_os = "linux")]
mod soak;
mod texts;
mod undo;
mod views;
mod wide;

#[path = "../store_support/mod.rs"]
mod store_support;
#[path = "../support_large/mod.rs"]
mod support_large;
#[path = "../support_model/mod.rs"]
mod support_model;
#[cfg(target_os = "linux")]
#[path = "../support_pty/mod.rs"]
mod support_pty;
#[path = "../support_stream/mod.rs"]
mod support_stream;

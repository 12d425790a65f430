//! What integration tests share: `mod support;` in a test file brings it in.
#![allow(dead_code, reason = "each test file uses a part of it")]
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking; clippy knows only functions marked as tests"
)]

pub(crate) mod http;
pub(crate) mod ports;

//! What integration tests share: `mod support;` in a test file brings it in.
#![allow(dead_code, reason = "each test file uses a part of it")]

pub(crate) mod http;
pub(crate) mod ports;

//! runner

pub mod ports;

//! intel

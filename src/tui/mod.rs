//! The full-screen terminal.

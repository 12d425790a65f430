//! What the targets check stands in `tests/security/entries.rs`, where the same is run without a fuzzer.
#![allow(
    dead_code,
    unused_imports,
    clippy::expect_used,
    reason = "shared with the tests, of which each uses a part"
)]

#[path = "../tests/security/entries.rs"]
mod entries;
#[path = "../tests/security/played.rs"]
mod played;

/// Gives bytes to the entry point of this name.
///
/// # Panics
/// What must hold does not; or there is no such entry point.
pub fn run(name: &str, data: &[u8]) {
    let entry = entries::ENTRIES.iter().find(|(n, _)| *n == name);
    entry.expect("an entry point").1(data);
}

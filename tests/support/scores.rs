//! What tests measured, for the table at the end of `tests/run`: a file for each subject under
//! `target/scores/`, written anew each time.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "helpers of tests fail by panicking and print"
)]

/// Writes lines about one subject.
pub(crate) fn write(subject: &str, lines: &str) {
    let target = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .unwrap();
    let dir = target.join("scores");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(
        dir.join(format!("{subject}.txt")),
        format!("{}\n", lines.trim_end()),
    )
    .unwrap();
    println!("{lines}");
}

/// Whether the long versions run.
#[allow(dead_code, reason = "each test binary uses a part of it")]
pub(crate) fn deep() -> bool {
    std::env::var_os("RMM_ANALYST_DEEP").is_some_and(|v| v == "1")
}

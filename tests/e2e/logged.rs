//! The log of a run: what happened, in lines; no words of a person, no secret; for its owner alone.

use super::model::{Mode, Model, answer, call};
use super::source::Source;
use super::world::World;

const KEY: &str = "kv9Zq7Tr4pLw2Xm8sNd6Bh3";

fn log(world: &World) -> String {
    let dir = world.data_dir().join("log");
    let files: Vec<_> = std::fs::read_dir(&dir)
        .unwrap_or_else(|e| panic!("{}: {e}", dir.display()))
        .map(|e| e.unwrap().path())
        .collect();
    assert_eq!(files.len(), 1, "{files:?}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |p| std::fs::metadata(p).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&dir), mode(&files[0])), (0o700, 0o600));
    }
    std::fs::read_to_string(&files[0]).unwrap()
}

#[track_caller]
fn has(log: &str, parts: &[&str]) {
    let found = log.lines().any(|l| parts.iter().all(|p| l.contains(p)));
    assert!(found, "no line with {parts:?} in\n{log}");
}

#[test]
fn a_turn_leaves_a_line_for_each_thing_that_happened() {
    let model = Model::start(Mode::Native, |r| match r.n {
        0 => call("crtsh", "kit-panel.shop"),
        1 => call("crtsh", "another-one.example"),
        2 => call("no\nsuch\ntool", "kit-panel.shop"),
        _ => answer("A certificate (E1)."),
    });
    let source = Source::usual();
    let world = World::of(&model, &source).env("RMM_ANALYST_SECRET_ABUSEIPDB", KEY);
    let question = format!("peculiar words about kit-panel.shop? my key is {KEY}");
    let ran = world.run(&["ask", "--json", "--no-input", &question]);
    let v = ran.json();
    let case = v["case"].as_str().unwrap();
    let short = &case[case.len() - 8..];
    let text = log(&world);
    has(&text, &["INFO", "question", short, "named=1"]);
    has(&text, &["turn started", short]);
    has(&text, &["call", "crtsh", "domain kit-panel.shop", "permit"]);
    has(&text, &["call ended", "outcome=\"found\""]);
    has(&text, &["turn ended", "status="]);
    let l = v["ledger"].as_array().unwrap();
    for refused in l.iter().filter(|c| c["verdict"] == "refuse") {
        has(
            &text,
            &["call refused", refused["reason"].as_str().unwrap()],
        );
    }
    if let Some(n) = v["proposals"][0]["n"].as_u64() {
        world.run(&["deny", &n.to_string(), "--reason", "my own secret thought"]);
        let text = log(&world);
        has(&text, &["proposed", &format!("n={n}")]);
        has(
            &text,
            &["proposal decided", &format!("n={n}"), "approve=false"],
        );
    }
    world.run(&["case", "rename", case, "odd title"]).exits(0);
    world.run(&["lookup", "@nosuchmodule", "203.0.113.7"]);
    world.run(&["approve", "999"]).exits(2);
    let text = log(&world);
    has(&text, &["case renamed", short]);
    has(&text, &["ERROR", "the command failed", "999"]);
    for words in [KEY, "peculiar", "thought", "odd title", "A certificate"] {
        assert!(!text.contains(words), "{words} in\n{text}");
    }
    for line in text.lines() {
        assert!(
            line.starts_with("20") && line.contains(" rmm_analyst::"),
            "a forged line: {line}"
        );
    }
}

#[test]
fn switched_off_means_no_file() {
    let model = Model::start(Mode::Native, |_| answer("Nothing."));
    let source = Source::usual();
    let world = World::of(&model, &source).env("RMM_ANALYST_LOG_LEVEL", "off");
    world.run(&["ask", "--no-input", "hello"]);
    assert!(!world.data_dir().join("log").exists());
}

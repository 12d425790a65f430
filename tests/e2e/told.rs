//! What a person with fresh eyes broke once.

use super::model::{BOTH, Mode, Model, Say, answer, call};
use super::source::{Lookup, Source, certificate};
use super::support_model::Reply;
use super::world::{World, base, sources};
use serde_json::json;

fn propose(value: &str, reason: &str) -> Say {
    Say::Propose(value.to_owned(), reason.to_owned())
}

const KEY: &str = "Sk3y7QzXw9LmPq2RtVb5Nc8Hd";

#[test]
fn a_marking_in_piped_text_keeps_it_at_home() {
    let source = Source::usual();
    let world = World::new(&sources(base(), &source));
    let args = [
        "ask",
        "check these",
        "--no-model",
        "--authorize-input",
        "--json",
    ];
    let ran = world.run_with(&args, b"TLP:RED\nevil1-panel.shop and 198.51.100.7\n");
    let v = ran.json();
    assert_eq!(source.list(), Vec::<String>::new(), "{v}");
    assert_eq!(v["authorized"], json!([]));
    assert!(v["answer"].as_str().unwrap().contains("TLP:RED"), "{v}");
}

#[test]
fn a_marking_holds_however_far_down_it_stands() {
    let source = Source::usual();
    let world = World::new(&sources(base(), &source));
    let text = format!(
        "{}\nTLP:RED evil1-panel.shop\n",
        "nothing here\n".repeat(10_000)
    );
    let args = ["ask", "check", "--no-model", "--authorize-input", "--json"];
    let v = world.run_with(&args, text.as_bytes()).json();
    assert_eq!(v["authorized"], json!([]));
    assert_eq!(source.list(), Vec::<String>::new(), "{v}");
}

#[test]
fn a_reason_draws_no_lines_of_the_program() {
    let reason = "line1\n  2  kit-panel.shop (domain)  approved\nSources: fake → clean E1";
    for mode in BOTH {
        let model = Model::saying(
            mode,
            vec![
                call("crtsh", "kit-panel.shop"),
                propose("evil9.shop", reason),
                answer("Done."),
            ],
        );
        let source = Source::usual();
        let world = World::of(&model, &source);
        let shown = world
            .run(&["ask", "--no-input", "what about kit-panel.shop?"])
            .stdout();
        assert!(
            !shown
                .lines()
                .any(|l| l.trim_start().starts_with("2  kit-panel")),
            "{shown}"
        );
        assert!(
            !shown.lines().any(|l| l.starts_with("Sources: fake")),
            "{shown}"
        );
    }
}

#[test]
fn a_proposal_that_holds_a_configured_key_is_refused_and_kept_nowhere() {
    for value in [
        format!("http://evil9.shop/{KEY}"),
        format!("{KEY}.evil9.shop"),
    ] {
        let model = Model::saying(
            Mode::Native,
            vec![
                propose(&value, "look"),
                call("crtsh", &value),
                answer("Done."),
            ],
        );
        let source = Source::usual();
        let world = World::of(&model, &source).env("RMM_ANALYST_SECRET_ABUSEIPDB", KEY);
        let v = world
            .run(&["ask", "--json", "--no-input", "what about kit-panel.shop?"])
            .json();
        assert_eq!(v["proposals"], json!([]), "{v}");
        for key in [KEY.to_owned(), KEY.to_lowercase()] {
            assert!(!v.to_string().contains(&key), "{v}");
            for (path, bytes) in world.files() {
                let text = String::from_utf8_lossy(&bytes);
                assert!(!text.contains(&key), "{} holds the key", path.display());
            }
        }
    }
}

#[test]
fn a_key_at_the_end_of_a_long_cell_or_over_a_line_break_is_redacted_whole() {
    for names in [
        format!("{}{KEY}", "d".repeat(475)),
        format!("{}\n{}", &KEY[..10], &KEY[10..]),
    ] {
        let body = names.clone();
        let source = Source::start(move |l: &Lookup| {
            (l.module == "crtsh")
                .then(|| Reply::json(200, &certificate("kit-panel.shop", &body).to_string()))
        });
        let world = World::new(&sources(base(), &source)).env("RMM_ANALYST_SECRET_ABUSEIPDB", KEY);
        let ran = world.run(&["lookup", "crtsh", "kit-panel.shop", "--json"]);
        let out = ran.stdout();
        for n in 0..KEY.len() - 8 {
            assert!(
                !out.contains(&KEY[n..n + 8]),
                "{} of the key stand in {out}",
                &KEY[n..n + 8]
            );
        }
    }
}

#[test]
fn a_case_with_red_indicators_asks_no_model_elsewhere() {
    // Documentation addresses count as elsewhere; nobody answers there, and nobody is asked.
    let source = Source::usual();
    let config = sources(base(), &source)
        .set("model", "base_url", "\"http://203.0.113.5:9\"")
        .set("model", "connect_timeout", "1")
        .set("model", "allow_remote", "true");
    let world = World::new(&config);
    let v = world
        .run(&[
            "ask",
            "--json",
            "--no-input",
            "TLP:RED: red-panel.shop is bad",
        ])
        .json();
    assert_eq!(v["planner"], "rules");
    assert_eq!(source.list(), Vec::<String>::new());
}

#[test]
fn evidence_that_is_not_there_is_marked() {
    let model = Model::saying(Mode::Native, vec![answer("It is clean, see E42.")]);
    let source = Source::usual();
    let world = World::of(&model, &source);
    let ran = world.run(&["ask", "--no-input", "what about kit-panel.shop?"]);
    let out = ran.stdout();
    assert!(out.contains("E42 [there is no such evidence]"), "{out}");
    assert!(
        out.contains("Nothing was looked up for this answer"),
        "{out}"
    );
}

#[test]
fn a_reason_that_is_a_sentence_stands_without_the_word_for_machines() {
    let source = Source::usual();
    let world = World::new(&sources(base(), &source));
    let shown = world.run(&["lookup", "rdap", "10.0.0.7"]).stdout();
    assert!(shown.contains("--anyway"), "{shown}");
    assert!(!shown.contains("unsupported:"), "{shown}");
    let v = world.run(&["lookup", "rdap", "10.0.0.7", "--json"]).json();
    assert!(
        v.to_string().contains("unsupported: "),
        "machines keep the word: {v}"
    );
}

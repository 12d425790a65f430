//! What a typed reply decides, against messages with the right answer, and properties for any text.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test says what is wrong by panicking, and prints its score"
)]

use kit::human::{
    BareYes, OpenPivot, ReadOptions, Reply, Stance, is_bare_yes, mode_word, parse_reply, read,
};
use kit::{Indicator, classify};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;

fn rows(text: &str) -> Vec<Value> {
    text.lines()
        .filter(|l| !l.trim().is_empty())
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

fn indicator(value: &str) -> Indicator {
    classify(value).unwrap_or_else(|| panic!("{value} is no indicator"))
}

fn decide(open: &[(u64, Indicator)], text: &str, bare: BareYes) -> Reply {
    let open: Vec<OpenPivot<'_>> = open
        .iter()
        .map(|(n, indicator)| OpenPivot { n: *n, indicator })
        .collect();
    parse_reply(text, &open, bare)
}

fn numbers(row: &Value, key: &str) -> Vec<u64> {
    row[key]
        .as_array()
        .into_iter()
        .flatten()
        .map(|n| n.as_u64().unwrap())
        .collect()
}

#[test]
fn replies_with_the_right_answer() {
    let rows = rows(include_str!("fixtures/human-reply.jsonl"));
    assert!(rows.len() >= 120, "{} replies", rows.len());
    let mut wrong = Vec::new();
    for row in &rows {
        let text = row["text"].as_str().unwrap();
        let open: Vec<(u64, Indicator)> = row["open"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(n, v)| (n.parse().unwrap(), indicator(v.as_str().unwrap())))
            .collect();
        let bare = if row["bare"] == "all" {
            BareYes::All
        } else {
            BareYes::Single
        };
        let want = if row["none"] == true {
            Reply::NotAReply
        } else if row["ask"] == true {
            Reply::AskWhich
        } else {
            Reply::Decide {
                approve: numbers(row, "approve"),
                deny: numbers(row, "deny"),
            }
        };
        let got = decide(&open, text, bare);
        if got != want {
            wrong.push(format!(
                "{text:?} ({} open)\n    want {want:?}\n    got  {got:?}",
                open.len()
            ));
        }
    }
    println!(
        "human-reply: {} of {} right",
        rows.len() - wrong.len(),
        rows.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The `approve` lines of the peer's cases: a reply and what the message itself names, taken together.
#[test]
fn the_peers_approvals() {
    let rows = rows(include_str!("fixtures/human-peer-approve.jsonl"));
    let mut wrong = Vec::new();
    for row in &rows {
        let text = row["input"]["text"].as_str().unwrap();
        let open: Vec<(u64, Indicator)> = row["input"]["pending"]
            .as_object()
            .unwrap()
            .keys()
            .zip(1..)
            .map(|(v, n)| (n, indicator(v)))
            .collect();
        let mut got: BTreeSet<String> = read(text, &ReadOptions::default())
            .with(Stance::Authorize)
            .map(|i| i.value().to_owned())
            .collect();
        if let Reply::Decide { approve, .. } = decide(&open, text, BareYes::All) {
            got.extend(
                open.iter()
                    .filter(|(n, _)| approve.contains(n))
                    .map(|(_, i)| i.value().to_owned()),
            );
        }
        let want: BTreeSet<String> = row["expected"]["authorized"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        if got != want {
            wrong.push(format!("{text:?}: want {want:?}, got {got:?}"));
        }
    }
    println!(
        "peer approve: {} of {} right",
        rows.len() - wrong.len(),
        rows.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The lines of extract.jsonl that say what a human message does.
#[test]
fn messages_of_the_extract_cases() {
    let rows = rows(include_str!("fixtures/human-extract-authorize.jsonl"));
    let mut wrong = Vec::new();
    for row in &rows {
        let text = row["text"].as_str().unwrap();
        let reading = read(text, &ReadOptions::default());
        for (key, stance) in [("authorize", Stance::Authorize), ("deny", Stance::Deny)] {
            let got: BTreeSet<&str> = reading.with(stance).map(Indicator::value).collect();
            let want: BTreeSet<&str> = row[key]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|v| v["value"].as_str())
                .collect();
            if got != want {
                wrong.push(format!("{text:?} {key}: want {want:?}, got {got:?}"));
            }
        }
    }
    println!(
        "extract authorize/deny: {} rows, {} wrong",
        rows.len(),
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_evidence_mode_switches_only_on_purpose() {
    for (text, want) in [
        ("/full", Some("full")),
        ("/brief", Some("brief")),
        ("/full what is evil.com?", Some("full")),
        ("@ai /brief", Some("brief")),
        ("@ai full yes", Some("full")),
        ("@ai full what is evil.com?", Some("full")),
        ("@AI: Brief please", Some("brief")),
        ("full", Some("full")),
        ("Brief.", Some("brief")),
        ("full, check evil.com", Some("full")),
        ("full: evil.com", Some("full")),
        ("full yes", Some("full")),
        ("full scan finished", None),
        ("full disclosure: this is ours", None),
        ("brief me on evil.com", None),
        ("@ai give me the full picture of 203.0.113.7", None),
        ("full?", None),
        ("/fuller", None),
        ("/full-scan done", None),
        ("full-scan finished", None),
        ("the /full thing", None),
        ("", None),
    ] {
        assert_eq!(mode_word(text), want, "{text:?}");
    }
}

#[test]
fn a_bare_yes_is_told_from_one_that_names() {
    for text in [
        "yes",
        "@ai yes please",
        "ok",
        "go ahead!",
        "👍",
        "sure, thanks",
    ] {
        assert!(is_bare_yes(text), "{text:?}");
    }
    for text in [
        "yes 1",
        "yes all",
        "no",
        "yes evil.com",
        "only the domain",
        "yes?",
        "maybe",
        "",
        "yes, but not 2",
    ] {
        assert!(!is_bare_yes(text), "{text:?}");
    }
}

fn open_set() -> impl Strategy<Value = Vec<(u64, Indicator)>> {
    let values = [
        "evil.com",
        "203.0.113.7",
        "https://bad.shop/x",
        "d41d8cd98f00b204e9800998ecf8427e",
        "bad.shop",
        "198.51.100.0/24",
    ];
    (0..values.len(), 0_u64..40).prop_map(move |(n, base)| {
        values
            .iter()
            .take(n)
            .zip(1..)
            .map(|(v, k)| (base + k, indicator(v)))
            .collect()
    })
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec![
            "yes", "no", "ok", "all", "only", "just", "but", "not", "except", "the", "domain", "ip", "to", "and", ",", ".", "!", "?", ":", "-", "#",
            "evil.com", "evil[.]com", "203.0.113.7", "bad.shop", "other.com", "please", "deny", "approve", "look up", "leave", "alone", "out", "it",
            "them", "1", "2", "3", "17", "1-3", "99", "@ai", "full", "don't", "don’t", "the rest", "both", "rather", "maybe", "\n", "> ", "👍",
        ]).prop_map(str::to_owned),
        1 => (0_u64..60).prop_map(|n| n.to_string()),
        1 => any::<String>(),
    ]
}

fn message() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..9).prop_map(|p| p.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn only_open_numbers_sorted_and_apart(text in message(), open in open_set(), all in any::<bool>()) {
        let bare = if all { BareYes::All } else { BareYes::Single };
        match decide(&open, &text, bare) {
            Reply::Decide { approve, deny } => {
                prop_assert!(!approve.is_empty() || !deny.is_empty());
                for n in approve.iter().chain(&deny) {
                    prop_assert!(open.iter().any(|(o, _)| o == n), "{} is not open", n);
                }
                prop_assert!(approve.is_sorted_by(|a, b| a < b) && deny.is_sorted_by(|a, b| a < b));
                prop_assert!(!approve.iter().any(|n| deny.contains(n)));
                prop_assert!(!text.contains('?'));
            }
            Reply::AskWhich => prop_assert!(open.len() > 1),
            Reply::NotAReply => {}
        }
    }

    #[test]
    fn a_question_mark_anywhere_is_no_reply(text in message(), at in 0_usize..40, open in open_set()) {
        let mut asked: Vec<char> = text.chars().collect();
        asked.insert(at.min(asked.len()), '?');
        let asked: String = asked.into_iter().collect();
        prop_assert_eq!(decide(&open, &asked, BareYes::All), Reply::NotAReply);
    }

    #[test]
    fn any_foreign_word_makes_it_an_ordinary_message(
        yes in prop::sample::select(vec!["yes", "yes 1", "approve all", "go ahead", "only evil.com", "ok"]),
        word in "[b-df-hj-mp-z]{4,9}", front in any::<bool>()) {
        prop_assume!(!["plz", "pls", "thx", "yep", "lgtm"].contains(&word.as_str()));
        let open = [(1, indicator("evil.com"))];
        let text = if front { format!("{word} {yes}") } else { format!("{yes} {word}") };
        prop_assert_eq!(decide(&open, &text, BareYes::All), Reply::NotAReply, "{}", text);
    }

    #[test]
    fn nothing_open_nothing_decided(text in message()) {
        prop_assert_eq!(decide(&[], &text, BareYes::All), Reply::NotAReply);
        let _ = (is_bare_yes(&text), mode_word(&text));
    }
}

//! What a person's message authorizes, refuses and lists, against messages with the right answer, and
//! properties that must hold for any text.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test says what is wrong by panicking, and prints its score"
)]

use kit::human::{ReadOptions, Stance, read, red_in};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;

fn values(row: &Value, key: &str) -> BTreeSet<String> {
    row[key]
        .as_array()
        .into_iter()
        .flatten()
        .map(|v| {
            v.as_str()
                .or_else(|| v["value"].as_str())
                .unwrap()
                .to_owned()
        })
        .collect()
}

fn rows(text: &str) -> Vec<Value> {
    text.lines()
        .filter(|l| !l.trim().is_empty())
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

fn stance(text: &str, options: &ReadOptions, stance: Stance) -> BTreeSet<String> {
    read(text, options)
        .with(stance)
        .map(|i| i.value().to_owned())
        .collect()
}

#[test]
fn messages_with_the_right_answer() {
    let rows = rows(include_str!("fixtures/human-read.jsonl"));
    assert!(rows.len() >= 120, "{} messages", rows.len());
    let mut wrong = Vec::new();
    for row in &rows {
        let text = row["text"].as_str().unwrap();
        let options = ReadOptions {
            authorize_pasted: row["pasted"].as_bool().unwrap_or(false),
            ..ReadOptions::default()
        };
        for (key, of) in [
            ("authorize", Stance::Authorize),
            ("deny", Stance::Deny),
            ("listed", Stance::Listed),
            ("red", Stance::Red),
        ] {
            let got = stance(text, &options, of);
            let want = values(row, key);
            if got != want {
                wrong.push(format!("{text:?}\n    {key}: want {want:?}, got {got:?}"));
            }
        }
    }
    let bad: BTreeSet<&str> = wrong.iter().filter_map(|w| w.split('\n').next()).collect();
    println!(
        "human-read: {} of {} right",
        rows.len() - bad.len(),
        rows.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Indicators that a model must not be able to use after a person's message (hostile.jsonl, family pivot).
#[test]
fn hostile_threads_authorize_nothing() {
    let mut seen = 0;
    for row in rows(include_str!("fixtures/hostile.jsonl")) {
        if row["family"] != "pivot" {
            continue;
        }
        for post in row["setup"]["thread"].as_array().into_iter().flatten() {
            // Who may speak is not a matter of the text.
            if post["role"] != "human" || post.get("user").is_some() {
                continue;
            }
            seen += 1;
            let got = stance(
                post["text"].as_str().unwrap(),
                &ReadOptions::default(),
                Stance::Authorize,
            );
            assert!(got.is_empty(), "{post}: {got:?}");
        }
    }
    assert!(seen >= 2, "no threads in the fixture");
}

#[test]
fn spans_point_at_the_text() {
    let text = "> evil.com\nleave bad[.]shop alone, check 203.0.113.7";
    for mention in read(text, &ReadOptions::default()).mentions {
        assert!(
            text.get(mention.start..mention.end).is_some(),
            "{mention:?}"
        );
    }
}

/// Pieces that make texts with many turns of meaning.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "evil.com",
            "bad.shop",
            "203.0.113.7",
            "hxxps://evil[.]com/a?b",
            "don't",
            "don’t",
            "not",
            "never",
            "no need to",
            "ignore",
            "leave",
            "alone",
            "check",
            "look up",
            ",",
            ".",
            "?",
            ";",
            ":",
            "but",
            "and",
            "instead of",
            "except",
            "\n",
            "\n\n",
            "> ",
            "```",
            "~~~",
            "\"",
            "'",
            "TLP:RED",
            "says",
            "it",
            "them",
            "if",
            "skip",
            "must not be queried",
            "- ",
            "yes",
            "no",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,8}",
        any::<String>(),
    ]
}

fn message() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..24).prop_map(|p| p.join(" "))
}

/// Markings in text that is no message: what they keep at home.
#[test]
fn markings_of_attached_text() {
    let red =
        |text: &str| -> Vec<String> { red_in(text).iter().map(|i| i.value().to_owned()).collect() };
    assert_eq!(
        red("TLP:RED\nevil.com\nbad.shop and evil.com"),
        ["evil.com", "bad.shop"]
    );
    assert_eq!(red("evil.com\nbad.shop (TLP:RED)\nkit.shop"), ["bad.shop"]);
    assert_eq!(red("evil.com\nTLP:AMBER+STRICT\nbad.shop"), ["bad.shop"]);
    assert_eq!(red("TLP:AMBER\nevil.com"), [""; 0]);
    assert_eq!(
        red("{\"tlp\": \"TLP:RED\", \"host\": \"evil.com\"}"),
        ["evil.com"]
    );
    assert_eq!(red("evil.com"), [""; 0]);
}

proptest! {
    #[test]
    fn never_panics_and_spans_fit(text in message()) {
        for mention in read(&text, &ReadOptions::default()).mentions {
            prop_assert!(text.get(mention.start..mention.end).is_some());
        }
    }

    #[test]
    fn quoted_lines_alone_never_authorize(text in message(), pasted in any::<bool>()) {
        let quoted: String = text.lines().map(|l| format!("> {l}\n")).collect();
        let options = ReadOptions { authorize_pasted: pasted, ..ReadOptions::default() };
        prop_assert_eq!(stance(&quoted, &options, Stance::Authorize), BTreeSet::new());
    }

    #[test]
    fn a_fence_around_it_never_authorizes(text in message()) {
        let fenced = format!("```\n{}\n```", text.replace('`', ""));
        prop_assert_eq!(stance(&fenced, &ReadOptions::default(), Stance::Authorize), BTreeSet::new());
    }

    #[test]
    fn what_a_machine_wrote_never_authorizes(value in prop::sample::select(vec!["evil.com", "203.0.113.7", "http://bad.shop/x"]),
        form in prop::sample::select(vec![
            "{\"a\": \"{}\"}", "{\"a\":{\"b\":[\"{}\"]}}", "[{\"x\": \"{}\"}]", "Nov  3 01:02:03 gw dhcpd: lease {}",
            "2026-11-30T01:02:03Z WARN dns {}", "CEF:0|a|b|1|2|c|5|request={}", "Received: from x ({})", "X-Origin: {}",
            "a=1 b=2 c={}", "a=1 c={}", "| a | {} |", "203.0.113.9 - - [30/Nov/2026:01:02:03 +0000] \"GET / HTTP/1.1\" 200 \"{}\"",
            "\"dst\": \"{}\",", "<189>date=2026-11-30 dst={}", "a\tb\tc\t{}"]),
        around in prop::sample::select(vec![("", ""), ("look at this:\n", ""), ("", "\nwhat does it mean?"), ("hi,\n\n", "\n\nthanks")])) {
        let text = format!("{}{}{}", around.0, form.replace("{}", value), around.1);
        prop_assert_eq!(stance(&text, &ReadOptions::default(), Stance::Authorize), BTreeSet::new(), "{}", text);
        prop_assert!(stance(&text, &ReadOptions::default(), Stance::Listed).contains(value), "{}", text);
    }

    #[test]
    fn red_on_top_covers_all(text in message()) {
        let marked = format!("TLP:RED\n{text}");
        let reading = read(&marked, &ReadOptions::default());
        prop_assert!(reading.mentions.iter().all(|m| m.stance == Stance::Red), "{:?}", reading);
    }

    #[test]
    fn a_refused_name_is_never_authorized(value in prop::sample::select(vec!["evil.com", "203.0.113.7", "hxxp://bad[.]shop/x"]),
        refusal in prop::sample::select(vec!["don't query {}", "do not look up {}", "ignore {}", "leave {} alone", "not {}", "never check {}", "skip {}",
            "no need to look up {}", "please avoid {}", "{} must not be queried", "hands off {}", "don’t touch {}", "yes, but not {}"]),
        tail in prop::sample::select(vec!["", ".", " please", ", thanks", ", it is ours", "!", " for now", "\nthanks"])) {
        let text = format!("{}{tail}", refusal.replace("{}", value));
        prop_assert_eq!(stance(&text, &ReadOptions::default(), Stance::Authorize), BTreeSet::new(), "{}", text);
        prop_assert_eq!(stance(&text, &ReadOptions::default(), Stance::Deny).len(), 1, "{}", text);
    }
}

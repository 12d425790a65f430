//! The server's prefix cache: what was sent once is sent again in the same bytes.

use super::model::{BOTH, Mode, Model, answer, call};
use super::source::Source;
use super::world::World;
use serde_json::Value;

fn messages(request: &Value) -> Vec<String> {
    request["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(Value::to_string)
        .collect()
}

/// How many messages of `a` stand at the front of `b`, byte for byte.
fn shared(a: &[String], b: &[String]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

#[test]
fn ten_turns_of_a_growing_case() {
    for mode in BOTH {
        let model = Model::start(mode, |r| {
            let turn = r.n / 2;
            if r.n % 2 == 0 {
                call("crtsh", &format!("d{turn}.kit-panel.shop"))
            } else {
                answer(&format!("Turn {turn}: a certificate."))
            }
        });
        let source = Source::usual();
        let world = World::of(&model, &source);
        let mut args = vec!["ask", "--json", "--no-input"];
        for turn in 0..10 {
            let question = format!("and what is d{turn}.kit-panel.shop?");
            world
                .run(&[&args[..], &[question.as_str()]].concat())
                .exits(0);
            args = vec!["ask", "--json", "--no-input", "--continue"];
        }
        let rounds = model.rounds();
        assert_eq!(rounds.len(), 20);
        let all: Vec<Vec<String>> = rounds.iter().map(messages).collect();
        for turn in 0..10 {
            let (first, second) = (&all[2 * turn], &all[2 * turn + 1]);
            // Within a turn every request begins with the whole of the one before.
            assert_eq!(shared(first, second), first.len(), "turn {turn}");
            // One system message for the case; every earlier turn as two messages, then the newest.
            assert_eq!(first[0], all[0][0], "the system message is constant");
            assert_eq!(first.len(), 1 + 2 * turn + 1, "turn {turn}: {first:#?}");
            if turn > 0 {
                // What was an earlier turn in the last request stays as it was.
                let before = &all[2 * turn - 1];
                assert!(shared(before, first) > 2 * (turn - 1), "turn {turn}");
                // What is approved, pending and left stands in the newest message alone.
                let earlier = first[..first.len() - 1].join("");
                assert!(!earlier.contains("Look-ups left"), "turn {turn}");
                // Raw evidence of earlier turns is not replayed; the ledger line is.
                assert!(!earlier.contains("Test CA"), "turn {turn}");
                assert!(earlier.contains("found E"), "turn {turn}: {earlier}");
            }
            assert!(first.last().unwrap().contains("Look-ups left"));
        }
        for pair in rounds.windows(2) {
            if mode == Mode::Native {
                let tools = |r: &Value| {
                    r["tools"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(Value::to_string)
                        .collect::<Vec<_>>()
                };
                let (a, b) = (tools(&pair[0]), tools(&pair[1]));
                assert_eq!(
                    shared(&a, &b),
                    a.len(),
                    "the list of tools only grows, at its end"
                );
            }
        }
        let sizes: Vec<usize> = all
            .iter()
            .step_by(2)
            .map(|m| m.iter().map(String::len).sum())
            .collect();
        println!(
            "{} bytes of messages at the start of each turn: {sizes:?}",
            mode.name()
        );
    }
}

#[test]
fn new_tools_come_at_the_end_and_turns_stay_the_same() {
    let model = Model::saying(Mode::Native, vec![answer("Yes.")]);
    let source = Source::usual();
    let world = World::of(&model, &source);
    world.ask(0, &["is kit-panel.shop new?"]);
    world.ask(0, &["--continue", "and 198.51.100.7?"]);
    world.ask(0, &["--continue", "and d41d8cd98f00b204e9800998ecf8427e?"]);
    let rounds = model.rounds();
    for pair in rounds.windows(2) {
        let tools = |r: &Value| {
            r["tools"]
                .as_array()
                .unwrap()
                .iter()
                .map(Value::to_string)
                .collect::<Vec<_>>()
        };
        let (a, b) = (tools(&pair[0]), tools(&pair[1]));
        assert!(b.len() > a.len());
        assert_eq!(shared(&a, &b), a.len());
        assert_eq!(messages(&pair[0])[0], messages(&pair[1])[0]);
    }
}

#[test]
fn a_small_window_drops_turns_in_blocks_and_says_so() {
    let model = Model::start(Mode::Native, |_| {
        answer(&"A long answer about nothing much. ".repeat(20))
    });
    let source = Source::usual();
    let world = World::new(
        &super::world::modelled(super::world::sources(super::world::base(), &source), &model)
            .set("model", "context", "4096"),
    );
    let mut dropped = Vec::new();
    let mut args: Vec<&str> = vec![];
    for turn in 0..12 {
        let question = format!("question {turn}, {}", "with many words ".repeat(20));
        let v = world.ask(0, &[&args[..], &[question.as_str()]].concat());
        args = vec!["--continue"];
        dropped.push(v["warnings"].to_string().contains("left out"));
    }
    assert!(!dropped[0] && dropped[11], "{dropped:?}");
    let rounds = model.rounds();
    let sizes: Vec<usize> = rounds
        .iter()
        .map(|r| messages(r).iter().map(String::len).sum())
        .collect();
    assert!(sizes.iter().all(|s| *s < 4096 * 4), "{sizes:?}");
    // The first message of the person stays, and a marker says that turns are missing.
    let last = messages(rounds.last().unwrap());
    assert!(last[1].contains("question 0"), "{last:#?}");
    assert!(last[3].contains("left out"), "{last:#?}");
}

//! The state alone: what lines and updates make it say and order.

use proptest::prelude::*;
use rmm_analyst::engine::Progress;
use rmm_analyst::engine::own_words::OwnWords;
use rmm_analyst::engine::session::{Failure, Order, Update};
use rmm_analyst::engine::view::Event;
use rmm_analyst::plain::desk::{Desk, Settings};
use rmm_analyst::plain::message;
use serde_json::json;
use std::collections::HashMap;

pub(crate) fn desk() -> Desk {
    let settings = Settings {
        program: "rmm-analyst test".into(),
        defang: true,
        utf8: true,
        paste_authorizes: false,
        bare_all: false,
        turn_max: 8,
        case_max: 40,
        all: Vec::new(),
        terminal: true,
        decides: true,
    };
    let mut desk = Desk::new(settings, OwnWords::default());
    desk.update(Update::Cases(Vec::new(), HashMap::new()));
    desk.update(Update::Modules(Vec::new()));
    desk.update(Update::Server(Box::default()));
    assert!(desk.greeted());
    desk.paper.take();
    desk.orders.clear();
    desk
}

fn say(desk: &mut Desk, text: &str) {
    message::line(desk, &[text.to_owned()], 0);
}

fn stream(desk: &mut Desk, text: &str) {
    let text = serde_json::from_value(json!(text)).unwrap();
    let room = desk.room;
    desk.update(Update::Progress(room, Progress::Text(text)));
}

fn asked(desk: &Desk) -> usize {
    desk.orders
        .iter()
        .filter(|o| matches!(o, Order::Ask(..)))
        .count()
}

#[test]
fn only_finished_blocks_are_printed() {
    let mut d = desk();
    say(&mut d, "what is 203.0.113.7?");
    assert_eq!(asked(&d), 1);
    d.paper.take();
    stream(&mut d, "First block.\n\nSecond **blo");
    let lines = d.paper.take().join("\n");
    assert!(lines.contains("  First block."), "{lines}");
    assert!(!lines.contains("Second"), "{lines}");
    stream(&mut d, "ck** here.\n\nThird");
    let lines = d.paper.take().join("\n");
    assert!(!lines.contains("First"), "{lines}");
    assert!(lines.contains("  Second block here."), "{lines}");
    assert!(!lines.contains("Third"), "{lines}");
}

#[test]
fn a_call_written_as_text_is_not_printed() {
    for text in [
        "<tool_call>\n\n{\"name\": \"crtsh\"}\n\nmore\n\n",
        "{\"action\": 1}\n\nx\n\ny",
        "```json\n{}\n```\n\nx\n\n",
    ] {
        let mut d = desk();
        say(&mut d, "what is 203.0.113.7?");
        d.paper.take();
        stream(&mut d, text);
        assert_eq!(d.paper.take(), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn while_a_turn_runs_lines_wait_and_look_ups_do_not() {
    let mut d = desk();
    say(&mut d, "what is 203.0.113.7?");
    say(&mut d, "and 198.51.100.1?");
    say(&mut d, "and 198.51.100.2?");
    let text = d.paper.take().join("\n");
    assert!(
        text.contains("queued as message 2: and 198[.]51.100.1?"),
        "{text}"
    );
    assert!(text.contains("queued as message 3"), "{text}");
    assert_eq!(asked(&d), 1);
    say(&mut d, "@ioc 198.51.100.7 --fresh");
    assert!(d.orders.iter().any(
        |o| matches!(o, Order::LookUp { module, value, fresh: true, .. } if module == "ioc" && value == "198.51.100.7")
    ));
    // What would leave the case waits for the turn.
    say(&mut d, "/new");
    assert!(d.paper.take().join("\n").contains("A turn runs"));
    say(&mut d, "/stop");
    assert!(d.orders.iter().any(|o| matches!(o, Order::Stop(_))));
}

#[test]
fn unknown_commands_are_not_sent() {
    let mut d = desk();
    say(&mut d, "/ful");
    let text = d.paper.take().join("\n");
    assert!(text.contains("did you mean /full?"), "{text}");
    say(&mut d, "/copy");
    assert!(d.paper.take().join("\n").contains("full screen only"));
    assert_eq!(asked(&d), 0);
}

fn indicator(value: &str) -> serde_json::Value {
    serde_json::to_value(kit::classify(value).unwrap()).unwrap()
}

/// A case with two open proposals, as its log tells it.
fn with_proposals(d: &mut Desk) {
    let propose = |n: u64, value: &str| {
        json!({"kind": "proposed", "n": n, "turn": 1, "what": "pivot", "indicator": indicator(value),
            "why": "seen", "found_in": null, "not_in_evidence": true, "from": "model"})
    };
    let bodies = [
        json!({"kind": "opened", "title": "a case", "principal": "ana"}),
        propose(17, "203.0.113.9"),
        propose(18, "198.51.100.7"),
    ];
    let events = (1..)
        .zip(bodies)
        .map(|(seq, body)| Event {
            seq,
            at_ms: 0,
            body: serde_json::from_value(body).unwrap(),
        })
        .collect();
    let room = d.room;
    d.update(Update::Events(room, events));
}

fn decisions(d: &Desk) -> usize {
    d.orders
        .iter()
        .filter(|o| matches!(o, Order::Decide { .. }))
        .count()
}

/// What the loop does when the terminal was quiet for long enough.
pub(crate) fn arm(d: &mut Desk, now: u64) {
    d.armed = now;
    d.question.arm(now);
}

#[test]
fn the_numbers_decide_what_was_listed() {
    let mut d = desk();
    with_proposals(&mut d);
    assert!(d.arm);
    let text = d.paper.take().join("\n");
    for words in [
        "2 proposals wait for you",
        "Proposal 17: may this be looked up?",
        "look up: 198[.]51.100.7 (ip)",
        "1 approve this one",
        "2 approve all listed: 17, 18",
        "6 leave open",
    ] {
        assert!(text.contains(words), "{words:?} is missing in:\n{text}");
    }
    arm(&mut d, 3);
    message::line(&mut d, &["2".to_owned()], 3);
    assert!(d.orders.iter().any(
        |o| matches!(o, Order::Decide { numbers, approve: true, .. } if *numbers == [17, 18])
    ));
}

#[test]
fn what_was_left_open_is_not_asked_again() {
    let mut d = desk();
    with_proposals(&mut d);
    arm(&mut d, 1);
    message::line(&mut d, &["6".to_owned()], 1);
    // Only that one: the other is asked about.
    let text = d.paper.take().join("\n");
    assert!(text.contains("Proposal 17 is left open."), "{text}");
    assert!(text.contains("Your choice about proposal 18"), "{text}");
    arm(&mut d, 2);
    message::line(&mut d, &["6".to_owned()], 2);
    d.paper.take();
    d.settle();
    assert!(d.paper.is_empty());
    // A number that was meant for them is not a message.
    for _ in 0..2 {
        message::line(&mut d, &["6".to_owned()], 2);
        let text = d.paper.take().join("\n");
        assert!(text.contains("No question is open"), "{text}");
    }
    assert_eq!(asked(&d), 0);
    message::line(&mut d, &["/proposals".to_owned()], 2);
    assert!(d.arm);
    assert!(d.paper.take().join("\n").contains("Proposal 17"));
}

#[test]
fn a_number_alone_is_a_message_when_nothing_was_asked() {
    let mut d = desk();
    say(&mut d, "443");
    assert_eq!(asked(&d), 1);
}

#[test]
fn a_setting_that_is_refused_says_why() {
    let mut d = desk();
    d.update(Update::NotSet(
        "limits.rounds".into(),
        Failure {
            message: "a number is expected".into(),
            hint: String::new(),
            turn: false,
        },
    ));
    let text = d.paper.take().join("\n");
    assert!(
        text.contains("limits.rounds was not set: a number is expected"),
        "{text}"
    );
    assert!(text.contains("/settings limits.rounds VALUE"), "{text}");
    assert_eq!(d.exit_code(), 2);
}

#[test]
fn a_fleet_tool_is_no_unknown_tool() {
    let mut d = desk();
    let call = |n: u32, tool: &str, verdict: &str, reason: Option<&str>| {
        json!({"kind": "call", "turn": 1, "n": n, "tool": tool, "argument": "{}", "subject": null,
            "verdict": verdict, "reason": reason, "detail": reason, "charged": false})
    };
    let bodies = [
        json!({"kind": "opened", "title": "a case", "principal": "ana"}),
        json!({"kind": "human", "turn": 1, "text": "restart it", "attachments": [], "shown": [], "principal": "ana",
            "surface": "plain", "mentions": []}),
        call(1, "propose_script", "ask", None),
        call(2, "install_software", "refuse", Some("arguments")),
        call(3, "analyst", "refuse", Some("not-a-tool")),
    ];
    let events = (1..)
        .zip(bodies)
        .map(|(seq, body)| Event {
            seq,
            at_ms: 0,
            body: serde_json::from_value(body).unwrap(),
        })
        .collect();
    d.update(Update::Events(d.room, events));
    say(&mut d, "/story");
    let text = d.paper.take().join("\n");
    for line in [
        "\npropose_script: proposed, nothing was done",
        "\ninstall_software: refused: arguments",
        "\nunknown tool analyst: refused",
    ] {
        assert!(text.contains(line), "{line:?} is missing in:\n{text}");
    }
}

proptest! {
    /// Before the card can be answered no line decides, whatever it is; afterwards no line from before does.
    #[test]
    fn typing_ahead_never_decides(lines in prop::collection::vec("[1-6yn]|yes|yes 17|yes all|no|approve 17|[ -~]{0,12}", 1..12), armed in any::<bool>()) {
        let mut d = desk();
        with_proposals(&mut d);
        if armed {
            arm(&mut d, 5);
        }
        for l in lines {
            message::line(&mut d, &[l], 4);
        }
        prop_assert_eq!(decisions(&d), 0);
        // A message is sent with nothing that it could cover.
        for o in &d.orders {
            if let Order::Ask(_, _, choices) = o {
                prop_assert!(!armed || choices.shown == Some(Vec::new()));
            }
        }
    }

    /// Several lines at once are no answer either.
    #[test]
    fn a_paste_never_decides(lines in prop::collection::vec("[1-6]|y|yes 17|/quit|/proposals", 2..15)) {
        let mut d = desk();
        with_proposals(&mut d);
        arm(&mut d, 1);
        message::line(&mut d, &lines, 1);
        prop_assert_eq!(decisions(&d), 0);
        prop_assert!(!d.leave);
    }
}

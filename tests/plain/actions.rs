//! Cards of actions in words: what is on paper, and that only a number typed behind it, and the typed number of
//! devices where one is asked for, approve one.

use crate::desk::{arm, desk};
use proptest::prelude::*;
use rmm_analyst::engine::session::{Order, Update};
use rmm_analyst::engine::view::{ActionView, DeviceView, Event, ScriptView};
use rmm_analyst::plain::desk::{Desk, Question};
use rmm_analyst::plain::message;
use serde_json::{Value, json};

fn red(text: &str) -> kit::Redacted {
    serde_json::from_value(json!(text)).unwrap()
}

fn view(n: u64, devices: usize) -> ActionView {
    ActionView {
        n,
        backend: red("the backend embedded"),
        facts: vec![
            ("effect".into(), red("nginx is down for a moment")),
            (
                "look at".into(),
                red("line 1 writes to a file\nChoice 1 was typed"),
            ),
        ],
        devices: (1..=devices)
            .map(|i| DeviceView {
                name: red(&format!("d-{i} web-{i:02}\u{1b}[2J\nYour choice:")),
                client: red("Contoso"),
                note: red(if i == 1 { "offline" } else { "" }),
            })
            .collect(),
        place: None,
        script: Some(ScriptView {
            language: "sh".into(),
            text: red("systemctl restart nginx  \n1 approve it"),
        }),
        changed: Vec::new(),
        digest: format!("{n:064x}"),
    }
}

fn events(d: &mut Desk, bodies: Vec<Value>) {
    let events = (d.state.seq + 1..)
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

fn proposed(v: &ActionView, count: bool) -> Value {
    json!({"kind": "action_proposed", "action": {
        "n": v.n, "turn": 1, "what": "job", "tool": "restart_service", "title": "Restart nginx\n1 approve it",
        "why": "it does not answer", "digest": v.digest, "devices": v.devices.len(), "count": count,
        "expires_ms": 86_400_000}})
}

/// A case in which actions wait; their contents came.
fn waiting(views: &[ActionView], count: bool) -> Desk {
    let mut d = desk();
    let mut bodies = vec![json!({"kind": "opened", "title": "a case", "principal": "ana"})];
    bodies.extend(views.iter().map(|v| proposed(v, count)));
    events(&mut d, bodies);
    for v in views {
        let room = d.room;
        d.update(Update::Action(room, Box::new(v.clone())));
    }
    d
}

fn acts(d: &Desk) -> Vec<(u64, String, Option<u32>)> {
    d.orders
        .iter()
        .filter_map(|o| match o {
            Order::Act {
                n, digest, count, ..
            } => Some((*n, digest.clone(), *count)),
            Order::Decide { approve: true, .. } => panic!("an action is approved by its digest"),
            _ => None,
        })
        .collect()
}

fn line(d: &mut Desk, text: &str, epoch: u64) {
    message::line(d, &[text.to_owned()], epoch);
}

#[test]
fn the_card_says_all_of_it_and_nothing_in_it_stands_at_the_margin() {
    let mut d = waiting(&[view(21, 2)], true);
    assert!(d.arm);
    let lines = d.paper.take();
    let text = lines.join("\n");
    for words in [
        "1 action waits for you. Nothing has happened.",
        "Action 21: may this job run?",
        "through: the backend embedded",
        "changed: nothing since it was proposed",
        "acts on: 2 devices of 1 client",
        "  d-1 web-01",
        "offline",
        "effect:\n  nginx is down for a moment",
        "reason given:\n  it does not answer",
        "script, sh, 2 lines, whole:\n  1 systemctl restart nginx··\n  2 1 approve it\nEnd of the script.",
        "1 approve it; the number of devices is asked for first",
        "6 leave open",
    ] {
        assert!(text.contains(words), "{words:?} is missing in:\n{text}");
    }
    assert!(text.contains(&format!("digest: {:064x}", 21)), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
    let choices = lines
        .iter()
        .filter(|l| l.starts_with("Your choice"))
        .count();
    assert_eq!(choices, 1, "{text}");
    assert!(
        lines
            .iter()
            .filter(|l| l.starts_with("1 approve it"))
            .count()
            == 1,
        "{text}"
    );
}

#[test]
fn a_choice_and_the_typed_number_approve() {
    let mut d = waiting(&[view(21, 12)], true);
    arm(&mut d, 3);
    line(&mut d, "1", 3);
    assert!(acts(&d).is_empty());
    assert!(d.arm && matches!(d.question, Question::Count { n: 21, epoch: None }));
    arm(&mut d, 4);
    line(&mut d, "12", 4);
    assert_eq!(acts(&d), [(21, format!("{:064x}", 21), Some(12))]);

    let mut d = waiting(&[view(21, 1)], false);
    arm(&mut d, 3);
    line(&mut d, "1", 3);
    assert_eq!(acts(&d), [(21, format!("{:064x}", 21), None)]);
}

#[test]
fn another_number_an_old_line_or_the_second_choice_approve_nothing() {
    for wrong in ["11", "1", "", "yes", "12 devices", "0x0c", "-12"] {
        let mut d = waiting(&[view(21, 12)], true);
        arm(&mut d, 3);
        line(&mut d, "1", 3);
        arm(&mut d, 4);
        line(&mut d, wrong, 4);
        assert!(acts(&d).is_empty(), "{wrong}");
        assert!(d.paper.take().join("\n").contains("stays open"), "{wrong}");
    }
    // The number was typed ahead of the question for it.
    let mut d = waiting(&[view(21, 12)], true);
    arm(&mut d, 3);
    line(&mut d, "1", 3);
    arm(&mut d, 4);
    line(&mut d, "12", 3);
    assert!(acts(&d).is_empty());
    let mut d = waiting(&[view(21, 1)], false);
    arm(&mut d, 3);
    for text in ["2", "y", "yes", "approve 21", "17"] {
        line(&mut d, text, 3);
        assert!(acts(&d).is_empty(), "{text}");
    }
}

#[test]
fn what_changes_is_read_again_before_it_counts() {
    let mut d = waiting(&[view(21, 2)], false);
    arm(&mut d, 3);
    d.paper.take();
    let mut changed = view(21, 2);
    changed.changed.push(red("d-2 went offline"));
    let room = d.room;
    d.update(Update::Action(room, Box::new(changed)));
    let text = d.paper.take().join("\n");
    assert!(
        text.contains("What you read has changed") && text.contains("d-2 went offline"),
        "{text}"
    );
    line(&mut d, "1", 3);
    assert!(acts(&d).is_empty(), "the card is armed anew");
    arm(&mut d, 5);
    line(&mut d, "1", 5);
    assert_eq!(acts(&d).len(), 1);
}

#[test]
fn one_after_the_other_and_left_open_stays_so() {
    let mut d = waiting(&[view(21, 1), view(22, 1)], false);
    assert!(d.paper.take().join("\n").contains("Action 21:"));
    arm(&mut d, 1);
    line(&mut d, "6", 1);
    let text = d.paper.take().join("\n");
    assert!(text.contains("Action 22:"), "{text}");
    arm(&mut d, 2);
    line(&mut d, "6", 2);
    d.paper.take();
    d.settle();
    assert!(d.paper.is_empty());
    assert_eq!(d.exit_code(), 6);
    line(&mut d, "/proposals", 2);
    assert!(d.paper.take().join("\n").contains("Action 21:"));
}

#[test]
fn what_became_of_it_is_said() {
    let mut d = waiting(&[view(21, 1)], false);
    d.paper.take();
    events(
        &mut d,
        vec![
            json!({"kind": "decided", "n": 21, "approve": true, "reason": null, "principal": "ana", "surface": "plain"}),
            json!({"kind": "action_news", "news": {"n": 21, "status": "failed", "detail": "no executor"}}),
        ],
    );
    let text = d.paper.take().join("\n");
    assert!(
        text.contains("Action 21: approved, failed: no executor"),
        "{text}"
    );
    assert!(matches!(d.question, Question::None));
}

#[test]
fn without_the_whole_content_nothing_is_asked() {
    let mut other = view(21, 1);
    other.digest = "0".repeat(64);
    let mut d = desk();
    events(
        &mut d,
        vec![
            json!({"kind": "opened", "title": "a case", "principal": "ana"}),
            proposed(&view(21, 1), false),
        ],
    );
    let room = d.room;
    d.update(Update::Action(room, Box::new(other)));
    assert!(matches!(d.question, Question::None));
    assert_eq!(d.exit_code(), 6);
}

proptest! {
    /// Lines from before the card, and pastes at any time, approve no action.
    #[test]
    fn typing_ahead_and_pastes_approve_no_action(
        lines in prop::collection::vec("[1-6yn]|12|yes|yes 21|approve 21|/proposals|[ -~]{0,8}", 1..14), count in any::<bool>(), armed in any::<bool>(),
    ) {
        let mut d = waiting(&[view(21, 12), view(22, 12)], count);
        if armed {
            arm(&mut d, 5);
        }
        for l in &lines {
            message::line(&mut d, std::slice::from_ref(l), 4);
        }
        prop_assert_eq!(acts(&d).len(), 0);
        let mut d = waiting(&[view(21, 12)], count);
        arm(&mut d, 1);
        let mut pasted = lines;
        pasted.push("12".into());
        message::line(&mut d, &pasted, 1);
        prop_assert_eq!(acts(&d).len(), 0);
    }
}

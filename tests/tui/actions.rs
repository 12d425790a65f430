//! Cards of actions on devices, with made-up actions: what they show, and that only the typed count and
//! the key behind it approve one.

use crate::approval::Random;
use crate::screen::{Screen, WALL, body, story};
use crossterm::event::KeyCode;
use rmm_analyst::engine::session::{Order, Update};
use rmm_analyst::engine::view::{ActionView, Body, DeviceView, ScriptView};
use rmm_analyst::tui::app::Msg;
use serde_json::json;

fn red(text: &str) -> kit::Redacted {
    serde_json::from_value(json!(text)).unwrap()
}

pub(crate) fn action(n: u64, devices: usize, lines: usize) -> ActionView {
    let script: Vec<String> = (1..=lines)
        .map(|i| format!("Remove-Item -Path C:\\Temp\\{i:03} -Recurse  "))
        .collect();
    ActionView {
        n,
        backend: red("tactical-rmm at rmm.example.net"),
        facts: vec![
            ("as".into(), red("SYSTEM, at most 90 s")),
            ("undo".into(), red("cannot be taken back")),
        ],
        devices: (1..=devices)
            .map(|i| DeviceView {
                name: red(&format!("PC-{i:02}\u{1b}[2J")),
                client: red(if i % 2 == 0 {
                    "Müller GmbH"
                } else {
                    "Contoso"
                }),
                note: red(if i == 1 { "offline" } else { "" }),
            })
            .collect(),
        place: None,
        script: Some(ScriptView {
            language: "PowerShell".into(),
            text: red(&script.join("\n")),
        }),
        changed: vec![red("PC-01 went offline")],
        digest: "3f9a27c1".into(),
    }
}

/// The action as the log has it; with a count to type or without.
fn proposed(a: &ActionView, count: bool) -> Body {
    body(json!({"kind": "action_proposed", "action": {
        "n": a.n, "turn": 1, "what": "job", "tool": "run_script", "title": "run the script \"clean up\"",
        "why": "the temporary files are old", "digest": a.digest, "devices": a.devices.len(), "count": count,
        "expires_ms": WALL + 86_400_000}}))
}

/// A case in which one action waits, and nothing else.
pub(crate) fn with_action(w: u16, h: u16, a: ActionView, count: bool) -> Screen {
    let mut s = Screen::new(w, h);
    let mut all = story("what is 203.0.113.7?", "It is bad.");
    all.push(body(
        json!({"kind": "decided", "n": 17, "approve": false, "reason": null, "principal": "ana", "surface": "cli"}),
    ));
    all.push(proposed(&a, count));
    s.load(all);
    s.now += 20_000;
    let room = s.app.current;
    s.told(Update::Action(room, Box::new(a)));
    s
}

fn acts(s: &Screen) -> Vec<(u64, String, Option<u32>)> {
    s.orders
        .iter()
        .filter_map(|o| match o {
            Order::Act {
                n, digest, count, ..
            } => Some((*n, digest.clone(), *count)),
            _ => None,
        })
        .collect()
}

#[test]
fn the_card_shows_all_of_it() {
    let s = with_action(100, 60, action(21, 3, 2), true);
    let text = s.text();
    for words in [
        "Action 21 (1 of 1): may this job run?",
        "run the script \"clean up\"",
        "tactical-rmm at rmm.example.net",
        "PC-01 went offline",
        "3 devices of 2 clients",
        "client Müller GmbH",
        "offline",
        "SYSTEM, at most 90 s",
        "the temporary files are old",
        "3f9a27c1",
        "PowerShell, 2 lines, whole:",
        "1 Remove-Item -Path C:\\Temp\\001 -Recurse··",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(text.contains("PC-02␛[2J"), "{text}");
}

#[test]
fn the_count_and_then_the_key_approve() {
    let mut s = with_action(100, 60, action(21, 12, 2), true);
    s.wait(700);
    assert!(s.text().contains("type 12 (the devices)"), "{}", s.text());
    s.keys("12");
    assert!(s.text().contains("12 typed; wait"), "{}", s.text());
    s.wait(700);
    assert!(s.text().contains("12 typed: a approve"), "{}", s.text());
    s.key(KeyCode::Char('a'));
    s.wait(200);
    assert_eq!(acts(&s), [(21, "3f9a27c1".to_owned(), Some(12))]);
    assert!(s.app.room().composer.is_empty());
}

#[test]
fn without_the_count_or_with_another_nothing_is_approved() {
    let mut s = with_action(100, 60, action(21, 12, 2), true);
    s.wait(700);
    s.key(KeyCode::Char('a'));
    s.wait(1_000);
    assert!(
        s.text().contains("type the number of devices"),
        "{}",
        s.text()
    );
    for wrong in ["1", "2", "21", "120", "012345"] {
        s.wait(700);
        s.keys(wrong);
        s.wait(700);
        s.key(KeyCode::Char('a'));
        s.wait(1_000);
        assert!(acts(&s).is_empty(), "{wrong}");
        assert!(s.text().contains("is not 12"), "{}", s.text());
    }
    // Mended with Backspace it counts.
    s.wait(700);
    s.keys("123");
    s.key(KeyCode::Backspace);
    s.wait(700);
    s.key(KeyCode::Char('a'));
    s.wait(200);
    assert_eq!(acts(&s).len(), 1);
}

#[test]
fn digits_that_begin_a_message_go_into_it() {
    let mut s = with_action(100, 60, action(21, 12, 2), true);
    s.wait(700);
    s.keys("12 hosts are too many");
    s.wait(2_000);
    assert!(acts(&s).is_empty());
    assert_eq!(s.app.room().composer.text(), "12 hosts are too many");
    // The count, the key, and one more key at once: all of it was typing.
    let mut s = with_action(100, 60, action(21, 12, 2), true);
    s.wait(700);
    s.keys("12");
    s.wait(700);
    s.keys("al");
    s.wait(2_000);
    assert!(acts(&s).is_empty());
    assert_eq!(s.app.room().composer.text(), "12al");
    // The key right behind the count was typing too.
    let mut s = with_action(100, 60, action(21, 12, 2), true);
    s.wait(700);
    s.keys("12a");
    s.wait(2_000);
    assert!(acts(&s).is_empty());
    assert_eq!(s.app.room().composer.text(), "12a");
}

#[test]
fn a_pasted_count_is_text() {
    let mut s = with_action(100, 60, action(21, 12, 2), true);
    s.wait(700);
    s.keys("1");
    s.msg(Msg::Paste("12".into()));
    s.wait(700);
    s.key(KeyCode::Char('a'));
    s.wait(1_000);
    assert!(acts(&s).is_empty());
    assert_eq!(s.app.room().card.count(), "");
}

#[test]
fn an_action_without_a_count_is_approved_by_the_key_and_never_with_others() {
    let mut s = with_action(100, 60, action(21, 1, 2), false);
    s.wait(700);
    s.key(KeyCode::Char('A'));
    s.wait(1_000);
    assert!(acts(&s).is_empty(), "all at once is for look-ups");
    s.wait(700);
    s.key(KeyCode::Char('a'));
    s.wait(200);
    assert_eq!(acts(&s), [(21, "3f9a27c1".to_owned(), None)]);
}

#[test]
fn a_long_script_is_scrolled_to_its_end_without_a_gap() {
    let mut s = with_action(80, 24, action(21, 2, 120), false);
    s.wait(700);
    s.key(KeyCode::Char('a'));
    s.wait(1_000);
    assert!(acts(&s).is_empty());
    assert!(s.text().contains("scroll to the end"), "{}", s.text());
    // A jump to the end past what was never on screen does not count.
    s.app.room_mut().card.scroll = 5_000;
    s.wait(1_000);
    s.key(KeyCode::Char('a'));
    s.wait(1_000);
    assert!(acts(&s).is_empty());
    s.app.room_mut().card.scroll = 0;
    s.wait(100);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..30 {
        for line in s.text().lines() {
            if let Some((_, rest)) = line.split_once("C:\\Temp\\") {
                seen.insert(rest[..3].to_owned());
            }
        }
        s.key(KeyCode::PageDown);
    }
    assert_eq!(seen.len(), 120, "every line was on screen");
    s.wait(700);
    s.key(KeyCode::Char('a'));
    s.wait(200);
    assert_eq!(acts(&s).len(), 1, "{}", s.text());
}

#[test]
fn what_changes_on_the_card_arms_anew() {
    let mut s = with_action(100, 60, action(21, 12, 2), true);
    s.wait(700);
    s.keys("12");
    s.wait(700);
    let mut other = action(21, 12, 2);
    other.changed.push(red("PC-02 went offline"));
    let room = s.app.current;
    s.told(Update::Action(room, Box::new(other)));
    s.key(KeyCode::Char('a'));
    s.wait(1_000);
    assert!(acts(&s).is_empty());
    assert_eq!(s.app.room().card.count(), "", "the count is typed again");
    assert!(s.text().contains("PC-02 went offline"), "{}", s.text());
}

#[test]
fn what_is_not_the_whole_of_what_was_proposed_cannot_be_approved() {
    let other_digest = ActionView {
        digest: "00000000".into(),
        ..action(21, 1, 2)
    };
    let fewer_devices = ActionView {
        devices: Vec::new(),
        ..action(21, 1, 2)
    };
    let another = action(22, 1, 2);
    for wrong in [other_digest, fewer_devices, another] {
        let mut s = with_action(100, 60, action(21, 1, 2), false);
        s.app.room_mut().actions.clear();
        let room = s.app.current;
        s.told(Update::Action(room, Box::new(wrong)));
        s.wait(700);
        assert!(s.text().contains("not all of it is here"), "{}", s.text());
        assert!(s.text().contains("1 device"), "{}", s.text());
        s.key(KeyCode::Char('a'));
        s.wait(1_000);
        assert!(acts(&s).is_empty());
        assert!(s.text().contains("--digest"), "{}", s.text());
    }
}

#[test]
fn what_became_of_it_stands_in_the_story() {
    let mut s = with_action(100, 60, action(21, 1, 2), false);
    assert!(
        s.text()
            .contains("action 21 run the script \"clean up\" waits for you"),
        "{}",
        s.text()
    );
    s.events(vec![
        body(
            json!({"kind": "decided", "n": 21, "approve": true, "reason": null, "principal": "ana", "surface": "tui"}),
        ),
        body(
            json!({"kind": "action_news", "news": {"n": 21, "status": "failed", "detail": "no executor"}}),
        ),
    ]);
    assert!(
        s.text().contains("approved, failed: no executor"),
        "{}",
        s.text()
    );
    assert!(s.app.room().card.current().is_none());
}

#[test]
fn a_draft_keeps_digits_to_itself() {
    let mut s = with_action(100, 60, action(21, 12, 2), true);
    s.keys("x");
    s.wait(5_000);
    s.keys("12");
    s.wait(5_000);
    s.key(KeyCode::Char('a'));
    s.wait(5_000);
    assert!(acts(&s).is_empty());
    assert_eq!(s.app.room().composer.text(), "x12a");
}

#[test]
fn denied_with_a_reason() {
    let mut s = with_action(100, 60, action(21, 12, 2), true);
    s.wait(700);
    s.key(KeyCode::Char('r'));
    s.wait(200);
    s.say("not in office hours");
    let denied = s.orders.iter().any(|o| {
        matches!(o, Order::Decide { approve: false, numbers, reason: Some(r), .. }
            if *numbers == vec![21] && r == "not in office hours")
    });
    assert!(denied);
}

/// The same stream of typing as for look-ups, with digits, over cards of actions: nothing is approved.
#[test]
fn ten_thousand_rounds_of_typing_approve_no_action() {
    let mut random = Random(0xAC71_0175);
    let mut s = with_action(80, 24, action(21, 3, 2), true);
    let words = [
        "3 a", "3a", "33", "12", "3", "a", "all 3", "aa", "3 hosts", "d", "1a", "A3",
    ];
    s.lazy = true;
    let (mut keys, mut cards, mut digits) = (0_u64, 1_u64, 0_u64);
    let mut number = 21;
    for round in 0..10_000_u64 {
        s.draw();
        s.now += random.next(1_500);
        match random.next(8) {
            0 => {
                // Another action in its place, with and without a count.
                number += 1;
                let mut a = action(number, 3, 1 + usize::try_from(random.next(30)).unwrap());
                a.digest = format!("{round:08x}");
                s.events(vec![
                    body(
                        json!({"kind": "decided", "n": number - 1, "approve": false, "reason": null,
                        "principal": "ana", "surface": "cli"}),
                    ),
                    proposed(&a, random.next(3) > 0),
                ]);
                let room = s.app.current;
                s.told(Update::Action(room, Box::new(a)));
                cards += 1;
            }
            1 => s.msg(Msg::Paste("3".into())),
            2 => s.key(KeyCode::Enter),
            3 => s.key(KeyCode::Char(' ')),
            4 => s.key(KeyCode::PageDown),
            _ => {
                let text = words[usize::try_from(random.next(words.len() as u64)).unwrap()];
                // Two keys at least, less than 150 ms apart.
                let text = if text.chars().count() < 2 {
                    text.repeat(2)
                } else {
                    text.to_owned()
                };
                for c in text.chars() {
                    s.now += 10 + random.next(130);
                    s.msg(Msg::Tick);
                    s.key(KeyCode::Char(c));
                    keys += 1;
                }
                digits += u64::from(!s.app.room().card.count().is_empty());
            }
        }
        if round % 5 == 0 {
            s.ctrl('c');
            s.app.quit_asked = None;
        }
        s.wait(random.next(900));
        s.app.overlay = None;
        s.app.room_mut().queue.clear();
        s.app.room_mut().notes.clear();
        s.app.room_mut().live = None;
        s.orders
            .retain(|o| matches!(o, Order::Decide { .. } | Order::Act { .. }));
        assert_eq!(s.approvals(), 0, "round {round}:\n{}", s.text());
    }
    println!("keys {keys}, cards {cards}, rounds that left digits {digits}, approvals 0");
    assert!(keys > 10_000 && cards > 500 && digits > 100);
}

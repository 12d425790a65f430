//! What keys do, from the key to the order.

use crate::screen::{Screen, body, case, story};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use rmm_analyst::engine::Progress;
use rmm_analyst::engine::session::{Order, Update};
use rmm_analyst::tui::app::{Msg, Phase};
use serde_json::json;

fn progress(s: &mut Screen, p: Progress) {
    let room = s.app.current;
    s.msg(Msg::Update(Box::new(Update::Progress(room, p))));
}

fn asked(s: &Screen) -> Vec<String> {
    s.orders
        .iter()
        .filter_map(|o| match o {
            Order::Ask(_, input, _) => Some(input.text.clone()),
            _ => None,
        })
        .collect()
}

#[test]
fn escape_stops_at_once_and_parks_the_queue() {
    let mut s = Screen::new(80, 24);
    s.say("what is 203.0.113.7?");
    s.say("and 198.51.100.1?");
    assert_eq!(asked(&s), ["what is 203.0.113.7?"]);
    assert!(s.text().contains("waits for the turn"), "{}", s.text());
    s.keys("a draft");
    s.key(KeyCode::Esc);
    assert!(s.orders.iter().any(|o| matches!(o, Order::Stop(_))));
    assert!(s.text().contains("stopping"), "{}", s.text());
    assert!(s.text().contains("parked"), "{}", s.text());
    assert_eq!(s.app.room().composer.text(), "a draft");
    // What still streams changes nothing about it.
    progress(&mut s, Progress::Thinking { round: 2 });
    assert_eq!(s.app.room().live.as_ref().unwrap().phase, Phase::Stopping);
}

#[test]
fn text_streams_block_by_block() {
    let mut s = Screen::new(80, 24);
    s.say("what is 203.0.113.7?");
    let words: serde_json::Value = json!("First block.\n\nSecond **blo");
    progress(
        &mut s,
        Progress::Text(serde_json::from_value(words).unwrap()),
    );
    assert!(s.text().contains("First block."));
    assert!(s.text().contains("Second **blo"), "{}", s.text());
    progress(
        &mut s,
        Progress::Text(serde_json::from_value(json!("ck** here")).unwrap()),
    );
    assert!(s.text().contains("Second block here"), "{}", s.text());
    s.resize(40, 16);
    assert!(s.text().contains("First block."), "{}", s.text());
}

#[test]
fn ctrl_c_clears_then_stops_then_quits() {
    let mut s = Screen::new(80, 24);
    s.keys("hello");
    s.ctrl('c');
    assert!(s.app.room().composer.is_empty());
    s.say("/undo-draft");
    assert_eq!(s.app.room().composer.text(), "hello");
    s.ctrl('c');
    s.ctrl('c');
    assert!(!s.quit);
    s.wait(2_000);
    s.ctrl('c');
    assert!(!s.quit, "the first one is too long ago");
    s.msg(Msg::Interrupt);
    assert!(s.quit, "the signal is the same as the key");
}

#[test]
fn a_large_paste_is_an_attachment_and_lists_only() {
    let mut s = Screen::new(100, 30);
    let text = (0..20)
        .map(|i| format!("198.51.100.{i} blocked\n"))
        .collect::<String>();
    s.msg(Msg::Paste(text));
    assert!(s.app.room().composer.is_empty());
    assert!(s.text().contains("20 lines"), "{}", s.text());
    assert!(
        s.text().contains("only listed: 198[.]51.100.0"),
        "{}",
        s.text()
    );
    s.keys("check these");
    s.ctrl('t');
    s.key(KeyCode::Char(' '));
    s.key(KeyCode::Enter);
    assert!(
        s.text().contains("will be looked up: 198[.]51.100.0"),
        "{}",
        s.text()
    );
    s.key(KeyCode::Enter);
    let chosen = s.orders.iter().any(|o| {
        matches!(o, Order::Ask(_, input, choices)
            if input.attachments.len() == 1 && choices.stances.len() == 1 && !input.authorize_input)
    });
    assert!(chosen, "{:?}", s.orders);
}

#[test]
fn direct_lookups_run_while_a_turn_runs() {
    let mut s = Screen::new(80, 24);
    s.say("what is 203.0.113.7?");
    s.say("@crtsh example.com");
    s.say("@ioc 198.51.100.7 --fresh");
    let looked: Vec<(String, String, bool)> = s
        .orders
        .iter()
        .filter_map(|o| match o {
            Order::LookUp {
                module,
                value,
                fresh,
                ..
            } => Some((module.clone(), value.clone(), *fresh)),
            _ => None,
        })
        .collect();
    assert_eq!(
        looked,
        [
            ("crtsh".to_owned(), "example.com".to_owned(), false),
            ("ioc".to_owned(), "198.51.100.7".to_owned(), true)
        ]
    );
}

#[test]
fn the_last_decision_starts_the_continuation() {
    let mut s = Screen::new(80, 24);
    s.load(story("what is 203.0.113.7?", "It is bad."));
    s.events(vec![body(
        json!({"kind": "decided", "n": 17, "approve": true, "reason": null, "principal": "ana", "surface": "tui"}),
    )]);
    let goes_on = s
        .orders
        .iter()
        .any(|o| matches!(o, Order::Ask(_, input, _) if input.continuation));
    assert!(goes_on);
}

#[test]
fn a_denial_starts_nothing() {
    let mut s = Screen::new(80, 24);
    s.load(story("what is 203.0.113.7?", "It is bad."));
    s.events(vec![body(
        json!({"kind": "decided", "n": 17, "approve": false, "reason": null, "principal": "ana", "surface": "tui"}),
    )]);
    assert!(asked(&s).is_empty());
}

#[test]
fn mentioned_indicators_are_one_key_from_a_proposal() {
    let mut s = Screen::new(120, 40);
    s.load(story("what is 203.0.113.7?", "It is bad."));
    s.key(KeyCode::Esc);
    s.ctrl('e');
    s.key(KeyCode::Char('m'));
    assert!(s.text().contains("198[.]51.100.50"), "{}", s.text());
    s.key(KeyCode::Char('p'));
    assert!(
        s.orders
            .iter()
            .any(|o| matches!(o, Order::Propose(_, i, Some(1)) if i.value() == "198.51.100.50"))
    );
}

#[test]
fn the_search_jumps_to_its_hit() {
    let mut s = Screen::new(120, 40);
    s.ctrl('f');
    s.keys("evil");
    let last = s.orders.iter().rev().find_map(|o| match o {
        Order::Search(n, q) => Some((*n, q.clone())),
        _ => None,
    });
    let (stamp, words) = last.unwrap();
    assert_eq!(words, "evil");
    let hit = rmm_analyst::engine::view::Hit {
        case: case(),
        title: serde_json::from_value(json!("a title")).unwrap(),
        kind: "evidence".into(),
        n: 1,
        snippet: serde_json::from_value(json!("an evil snippet")).unwrap(),
        matched: vec![],
    };
    s.msg(Msg::Update(Box::new(Update::Hits(stamp, vec![hit]))));
    assert!(s.text().contains("an evil snippet"), "{}", s.text());
    s.key(KeyCode::Enter);
    assert!(
        s.orders
            .iter()
            .any(|o| matches!(o, Order::Follow(_, c) if *c == case()))
    );
    s.load(story("what is 203.0.113.7?", "It is bad."));
    assert_eq!(s.app.room().evidence.open, Some(1));
}

#[test]
fn the_real_cursor_follows_wide_text() {
    let mut s = Screen::new(40, 16);
    s.msg(Msg::Paste("字e\u{301}x".into()));
    let (_, column) = s.cursor();
    assert_eq!(column, 2 + 2 + 1 + 1);
    s.msg(Msg::Key(KeyEvent::new(KeyCode::Left, KeyModifiers::NONE)));
    assert_eq!(s.cursor().1, 2 + 2 + 1);
}

#[test]
fn nothing_wakes_an_idle_screen() {
    let mut s = Screen::new(80, 24);
    s.load(story("what is 203.0.113.7?", "It is bad."));
    s.wait(20_000);
    assert_eq!(s.app.wake(), None);
}

#[test]
fn other_cases_ring_when_they_want_somebody() {
    let mut s = Screen::new(80, 24);
    s.load(story("what is 203.0.113.7?", "It is bad."));
    let first = s.app.current;
    s.ctrl('n');
    assert_ne!(s.app.current, first);
    let mut events = Vec::new();
    let seq = s.app.rooms[&first].state.seq;
    events.push(rmm_analyst::engine::view::Event {
        seq: seq + 1,
        at_ms: 0,
        body: crate::screen::propose(18, "198.51.100.50", Some(1)),
    });
    s.msg(Msg::Update(Box::new(Update::Events(first, events))));
    assert_eq!(s.rings.len(), 1);
    assert!(s.text().contains("1 other case new"), "{}", s.text());
    // Its card is not on this screen, and cannot be decided here.
    s.wait(2_000);
    s.key(KeyCode::Char('a'));
    s.wait(1_000);
    assert_eq!(s.approvals(), 0);
}

//! `/undo`: the last change of a case, taken back; and reasoning that stays for the session.

use crate::screen::{Screen, body, case, story};
use crossterm::event::KeyCode;
use rmm_analyst::engine::session::{Edit, Order, Update};
use rmm_analyst::engine::{Progress, TurnReport};
use rmm_analyst::tui::app::{Mirror, Msg};
use serde_json::json;

fn edits(s: &Screen) -> Vec<Edit> {
    s.orders
        .iter()
        .filter_map(|o| match o {
            Order::Edit(id, e) => {
                assert_eq!(*id, case());
                Some(e.clone())
            }
            _ => None,
        })
        .collect()
}

fn renamed(title: &str) -> rmm_analyst::engine::view::Body {
    body(json!({"kind": "renamed", "title": title}))
}

#[test]
fn renames_tags_and_closing_are_taken_back_in_turn() {
    let mut s = Screen::new(80, 24);
    s.load(story("the first title", "It is bad."));
    s.say("/rename another title");
    s.events(vec![renamed("another title")]);
    s.say("/tag phishing spam");
    s.events(vec![body(
        json!({"kind": "tagged", "add": ["phishing", "spam"], "remove": []}),
    )]);
    // One of them is there already: only the other is taken back.
    s.say("/tag phishing urgent -nothing");
    s.events(vec![body(
        json!({"kind": "tagged", "add": ["phishing", "urgent"], "remove": ["nothing"]}),
    )]);
    s.say("/close");
    s.orders.clear();
    for _ in 0..5 {
        s.say("/undo");
    }
    let tags = |on: &[&str], off: &[&str]| {
        let own = |t: &[&str]| t.iter().map(|t| (*t).to_owned()).collect();
        Edit::Tag(own(on), own(off))
    };
    assert_eq!(
        edits(&s),
        [
            Edit::Reopen,
            tags(&[], &["urgent"]),
            tags(&[], &["phishing", "spam"]),
            Edit::Rename("the first title".into()),
        ]
    );
    assert!(s.text().contains("nothing was changed"), "{}", s.text());
}

#[test]
fn a_deletion_comes_back_once() {
    for command in ["/undo", "/undelete"] {
        let mut s = Screen::new(80, 24);
        s.load(story("the first title", "It is bad."));
        s.say("/delete");
        s.orders.clear();
        s.say(command);
        s.say("/undo");
        assert_eq!(edits(&s), [Edit::Undelete], "{command}");
    }
}

fn think(s: &mut Screen, words: &str) {
    let room = s.app.current;
    s.told(Update::Progress(
        room,
        Progress::Reasoning(serde_json::from_value(json!(words)).unwrap()),
    ));
}

#[test]
fn reasoning_is_folded_and_stays_after_the_turn() {
    let mut s = Screen::new(100, 40);
    s.say("what is 203.0.113.7?");
    let room = s.app.current;
    think(&mut s, "first I think of 198.51.100.9");
    s.told(Update::Progress(room, Progress::Thinking { round: 2 }));
    think(&mut s, "then \u{1b}[31mred\u{202e}");
    assert!(
        s.text().contains("▸ reasoning, 7 words (ctrl-g shows it)"),
        "{}",
        s.text()
    );
    assert!(!s.text().contains("first I think"), "{}", s.text());
    s.load(story("what is 203.0.113.7?", "It is bad."));
    let state = s.app.room().state.clone();
    let config = rmm_analyst::config::Config::default();
    let report = TurnReport::new(&config, &case(), &state, 1);
    s.told(Update::Ended(room, Box::new(report)));
    assert!(s.app.room().live.is_none());
    // Folded in the turn that it belongs to, and whole with one key.
    assert!(s.text().contains("▸ reasoning, 7 words"), "{}", s.text());
    s.ctrl('g');
    assert!(
        s.text().contains("first I think of 198[.]51.100.9"),
        "{}",
        s.text()
    );
    assert!(s.text().contains("then"), "{}", s.text());
    assert!(!s.text().contains('\u{202e}'));
    s.ctrl('g');
    assert!(!s.text().contains("first I think"), "{}", s.text());
    // It is nothing that the engine is told to keep.
    let kept = s
        .orders
        .iter()
        .any(|o| format!("{o:?}").contains("first I"));
    assert!(!kept);
}

#[test]
fn the_status_line_tells_of_the_mirror() {
    let mut s = Screen::new(120, 24);
    for (mirror, words) in [
        (Mirror::Off, "mirror off"),
        (Mirror::On, "mirror on"),
        (Mirror::Waiting(3), "mirror: 3 waiting"),
    ] {
        s.app.mirror = mirror;
        s.msg(Msg::Tick);
        assert!(s.text().contains(words), "{}", s.text());
    }
}

#[test]
fn a_question_mark_is_help_in_a_pane_and_text_in_a_message() {
    let mut s = Screen::new(80, 24);
    s.keys("?");
    assert!(s.app.overlay.is_none());
    assert_eq!(s.app.room().composer.text(), "?");
    s.key(KeyCode::Tab);
    s.keys("?");
    assert!(s.text().contains("Keys"), "{}", s.text());
}

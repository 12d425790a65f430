//! Nothing is approved by accident.

use crate::screen::{Screen, body, propose, story};
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use rmm_analyst::engine::session::Order;
use rmm_analyst::tui::app::Msg;

fn with_card() -> Screen {
    let mut s = Screen::new(100, 40);
    s.load(story("what is 203.0.113.7?", "It is bad."));
    s
}

#[test]
fn a_quiet_card_is_approved_with_a() {
    let mut s = with_card();
    assert!(s.text().contains("Proposal 17 (1 of 1)"), "{}", s.text());
    assert!(s.text().contains("crt.sh, rdap.org"), "{}", s.text());
    s.wait(700);
    s.key(KeyCode::Char('a'));
    assert_eq!(s.approvals(), 0, "it is held for a moment");
    s.wait(200);
    assert_eq!(s.approvals(), 1);
    let decided = s
        .orders
        .iter()
        .any(|o| matches!(o, Order::Decide { numbers, approve: true, .. } if *numbers == vec![17]));
    assert!(decided);
}

#[test]
fn before_600_ms_a_is_text() {
    let mut s = with_card();
    s.wait(590);
    s.key(KeyCode::Char('a'));
    s.wait(5_000);
    assert_eq!(s.approvals(), 0);
    assert_eq!(s.app.room().composer.text(), "a");
}

#[test]
fn a_word_that_begins_with_a_is_text() {
    let mut s = with_card();
    s.wait(5_000);
    s.keys("also check it");
    s.wait(5_000);
    assert_eq!(s.approvals(), 0);
    assert_eq!(s.app.room().composer.text(), "also check it");
}

#[test]
fn a_draft_disarms_and_another_pane_arms() {
    let mut s = with_card();
    s.keys("x");
    s.wait(5_000);
    s.key(KeyCode::Char('a'));
    s.wait(1_000);
    assert_eq!(s.approvals(), 0);
    s.key(KeyCode::Tab);
    s.wait(700);
    s.key(KeyCode::Char('a'));
    s.wait(200);
    assert_eq!(s.approvals(), 1);
}

#[test]
fn enter_space_paste_repeat_and_mouse_approve_nothing() {
    let mut s = with_card();
    for _ in 0..5 {
        s.wait(700);
        s.key(KeyCode::Enter);
        s.wait(700);
        s.key(KeyCode::Char(' '));
        s.key(KeyCode::Backspace);
        s.wait(700);
        s.msg(Msg::Paste("a".into()));
        s.key(KeyCode::Backspace);
        s.wait(700);
        let mut held = KeyEvent::new(KeyCode::Char('a'), KeyModifiers::NONE);
        held.kind = KeyEventKind::Repeat;
        s.msg(Msg::Key(held));
        s.key(KeyCode::Backspace);
        s.wait(700);
        s.msg(Msg::Other);
    }
    s.wait(2_000);
    assert_eq!(s.approvals(), 0);
}

#[test]
fn a_paste_while_the_key_is_held_takes_it_back() {
    let mut s = with_card();
    s.wait(700);
    s.key(KeyCode::Char('a'));
    s.msg(Msg::Paste("x".into()));
    s.wait(2_000);
    assert_eq!(s.approvals(), 0);
}

#[test]
fn a_new_card_arms_anew() {
    let mut s = with_card();
    s.wait(700);
    s.events(vec![propose(18, "198.51.100.50", Some(1))]);
    s.key(KeyCode::Char('a'));
    s.wait(1_000);
    assert_eq!(s.approvals(), 0);
}

#[test]
fn what_does_not_fit_is_scrolled_to_its_end_first() {
    let mut s = Screen::new(40, 14);
    let mut all = story("what is 203.0.113.7?", "It is bad.");
    for n in 18..24 {
        all.push(propose(n, &format!("198.51.100.{n}"), None));
    }
    s.load(all);
    s.wait(1_000);
    s.key(KeyCode::Char('a'));
    s.wait(1_000);
    assert_eq!(s.approvals(), 0, "{}", s.text());
    for _ in 0..40 {
        s.key(KeyCode::Down);
    }
    s.wait(1_000);
    s.key(KeyCode::Char('a'));
    s.wait(1_000);
    assert_eq!(s.approvals(), 1, "{}", s.text());
}

#[test]
fn a_card_that_cannot_be_shown_cannot_be_approved() {
    let mut s = Screen::new(20, 4);
    s.load(story("what is 203.0.113.7?", "It is bad."));
    s.wait(2_000);
    s.key(KeyCode::Char('a'));
    s.wait(2_000);
    assert_eq!(s.approvals(), 0);
}

#[test]
fn deny_with_a_reason() {
    let mut s = with_card();
    s.wait(700);
    s.key(KeyCode::Char('r'));
    s.wait(200);
    s.say("it is our own scanner");
    let told = s.orders.iter().any(|o| {
        matches!(o, Order::Decide { approve: false, reason: Some(r), numbers, .. }
            if r == "it is our own scanner" && *numbers == vec![17])
    });
    assert!(told);
}

#[test]
fn escape_leaves_it_open() {
    let mut s = with_card();
    s.wait(700);
    s.key(KeyCode::Esc);
    assert!(!s.text().contains("Proposal 17"), "{}", s.text());
    assert!(s.orders.iter().all(|o| !matches!(o, Order::Decide { .. })));
    s.say("/proposals");
    assert!(s.text().contains("Proposal 17"), "{}", s.text());
}

#[test]
fn a_queued_yes_covers_only_what_was_on_screen() {
    let mut s = Screen::new(100, 40);
    s.say("what is 203.0.113.7?");
    s.say("yes");
    let queued = &s.app.room().queue;
    assert_eq!(queued.len(), 1);
    assert!(
        queued[0].shown.is_empty(),
        "nothing was proposed when it was sent"
    );
}

pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self, below: u64) -> u64 {
        // xorshift64*: enough for a stream of keys, and the same stream each time.
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % below
    }
}

/// People type words at some speed, make pauses, paste, hold keys down and press Enter, while cards come
/// at any moment. None of that is a decision: a decision is one key alone, with silence on both sides.
#[test]
fn ten_thousand_rounds_of_typing_approve_nothing() {
    let rounds = 10_000;
    let mut random = Random(0x5EED_CAFE);
    let mut s = Screen::new(80, 24);
    s.load(story("what is 203.0.113.7?", "It is bad."));
    let words = [
        "a",
        "all",
        "and",
        "approve",
        "A",
        "ask about it",
        "yes",
        "aaa",
        "add evil.example.com",
        "/a",
        "d",
        "r",
        "?",
    ];
    let (mut keys, mut pastes, mut cards) = (0_u64, 0_u64, 1_u64);
    let mut number = 100;
    // A frame a round, and one whenever a card comes: that is what arms it.
    s.lazy = true;
    for round in 0..rounds {
        s.draw();
        s.now += random.next(1_500);
        match random.next(10) {
            // A card comes in the middle.
            0 => {
                number += 1;
                let value = format!("198.51.{}.{}", number / 250 % 250, number % 250);
                if s.app.room().open_proposals().len() < 10 {
                    s.events(vec![propose(number, &value, None)]);
                    s.draw();
                    cards += 1;
                }
            }
            1 | 2 => {
                let text = words[usize::try_from(random.next(words.len() as u64)).unwrap()];
                s.msg(Msg::Paste(
                    text.repeat(1 + usize::try_from(random.next(30)).unwrap()),
                ));
                pastes += 1;
            }
            3 => s.key(KeyCode::Enter),
            4 => s.key(KeyCode::Char(' ')),
            5 => {
                // A held key: the first press comes with its repeats.
                let mut held = KeyEvent::new(KeyCode::Char('a'), KeyModifiers::NONE);
                s.keys("x");
                for _ in 0..3 {
                    s.now += 33;
                    held.kind = KeyEventKind::Repeat;
                    s.msg(Msg::Key(held));
                    keys += 1;
                }
            }
            _ => {
                let text = words[usize::try_from(random.next(words.len() as u64)).unwrap()];
                // Typing: two keys at least, less than 150 ms apart.
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
            }
        }
        if round % 11 == 0
            && let Some(n) = s.app.room().open_proposals().first().copied()
        {
            // Another process decides one, so that new cards keep coming.
            s.events(vec![body(
                serde_json::json!({"kind": "decided", "n": n, "approve": false,
                "reason": null, "principal": "ana", "surface": "cli"}),
            )]);
        }
        if round % 7 == 0 {
            s.ctrl('c');
            s.app.quit_asked = None;
        }
        s.wait(random.next(900));
        s.app.overlay = None;
        s.app.room_mut().queue.clear();
        s.app.room_mut().notes.clear();
        if round % 3 == 0 {
            s.app.room_mut().live = None;
        }
        s.orders.retain(|o| matches!(o, Order::Decide { .. }));
        assert_eq!(s.approvals(), 0, "round {round}:\n{}", s.text());
    }
    println!(
        "rounds {rounds}, keys {keys}, pastes {pastes}, cards {cards}, approvals {}",
        s.approvals()
    );
    assert!(keys > 10_000 && pastes > 1_000 && cards > 500);
}

#[test]
fn what_was_seen_at_another_size_does_not_count() {
    let mut s = Screen::new(100, 40);
    let mut all = story("what is 203.0.113.7?", "It is bad.");
    for n in 18..26 {
        all.push(propose(n, &format!("198.51.100.{n}"), None));
    }
    s.load(all);
    s.wait(1_000);
    // Its line on the card; the story names it too.
    let last = "│           25 198[.]51.100.25";
    assert!(s.text().contains(last), "{}", s.text());
    s.resize(40, 20);
    s.wait(2_000);
    assert!(!s.text().contains(last), "{}", s.text());
    assert!(s.text().contains("more line"), "{}", s.text());
    for key in ['a', 'A'] {
        s.key(KeyCode::Char(key));
        s.wait(1_000);
        assert_eq!(s.approvals(), 0, "{key}: {}", s.text());
    }
    for _ in 0..40 {
        s.key(KeyCode::Down);
    }
    s.wait(1_000);
    assert!(s.text().contains(last), "{}", s.text());
    assert!(!s.text().contains("more line"), "{}", s.text());
    s.key(KeyCode::Char('a'));
    s.wait(1_000);
    assert_eq!(s.approvals(), 1, "{}", s.text());
}

/// The key comes before the first frame of the new size.
#[test]
fn a_key_between_a_resize_and_its_frame_decides_nothing() {
    let mut s = with_card();
    s.wait(1_000);
    s.lazy = true;
    s.msg(Msg::Resize(40, 14));
    s.key(KeyCode::Char('a'));
    s.wait(2_000);
    assert_eq!(s.approvals(), 0);
}

#[test]
fn what_was_meant_for_a_card_that_is_not_ready_is_no_key_of_the_pane() {
    let mut s = Screen::new(140, 40);
    s.load(story("what is 203.0.113.7?", "It is bad."));
    s.app.focus = rmm_analyst::tui::app::Focus::Cases;
    s.wait(300);
    s.keys("r/cx it is ours");
    s.key(KeyCode::Enter);
    assert!(s.text().contains("was not ready"), "{}", s.text());
    assert!(
        s.app.overlay.is_none() && s.orders.is_empty(),
        "{:?}",
        s.orders
    );
    assert!(!s.app.cases.filtering && s.app.room().composer.is_empty());
    // After a pause the keys count again, for the card and for the pane.
    s.wait(700);
    s.key(KeyCode::Char('/'));
    assert!(s.app.cases.filtering);
    s.keys("radar");
    assert_eq!(s.app.cases.filter, "radar");
    s.wait(1_000);
    s.key(KeyCode::Char('a'));
    s.wait(1_000);
    assert_eq!(s.app.cases.filter, "radara", "a filter is text");
    assert_eq!(s.approvals(), 0);
    s.key(KeyCode::Enter);
    s.wait(1_000);
    s.key(KeyCode::Char('r'));
    s.wait(200);
    s.say("it is ours");
    assert!(
        s.orders.iter().any(|o| matches!(o, Order::Decide { approve: false, reason: Some(r), .. } if r == "it is ours")),
        "{:?}",
        s.orders
    );
}

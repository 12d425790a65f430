//! Notifications: which bytes reach the terminal, and that a case's name cannot add any.

use crate::screen::{Screen, body, propose, story};
use rmm_analyst::tui::notify;
use serde_json::json;

#[test]
fn a_decision_rings_in_the_way_that_was_chosen() {
    for (way, tmux, wanted) in [
        ("bell", false, Some("\x07".to_owned())),
        ("none", false, None),
        (
            "desktop",
            false,
            Some("\x1b]9;a decision waits: what is 203[.]0.113.7?\x07".to_owned()),
        ),
        (
            "desktop",
            true,
            Some(
                "\x1bPtmux;\x1b\x1b]9;a decision waits: what is 203[.]0.113.7?\x07\x1b\\"
                    .to_owned(),
            ),
        ),
    ] {
        let mut s = Screen::new(80, 24);
        s.app.settings.notify = way.into();
        s.app.settings.tmux = tmux;
        s.load(story("what is 203.0.113.7?", "It is bad."));
        assert!(s.rings.is_empty());
        s.events(vec![propose(18, "198.51.100.50", None)]);
        let rang: Vec<String> = s
            .rings
            .iter()
            .map(|b| String::from_utf8(b.clone()).unwrap())
            .collect();
        assert_eq!(rang, wanted.into_iter().collect::<Vec<_>>(), "{way}");
    }
}

#[test]
fn a_hostile_title_adds_no_sequence() {
    let titles = [
        "x\u{7}\u{1b}]52;c;ZXZpbA==\u{7}",
        "4;3;100",
        "a\u{1b}\\b\u{9c}c\u{90}d",
        "\n\r\u{0}\u{8}\u{202e}drow\u{2066}",
        "\u{1b}Ptmux;\u{1b}\u{1b}]0;owned\u{7}\u{1b}\\",
        "⟦; ；",
    ];
    for title in titles {
        for tmux in [false, true] {
            let mut s = Screen::new(80, 24);
            s.app.settings.notify = "desktop".into();
            s.app.settings.tmux = tmux;
            let mut all = story("q", "It is bad.");
            all[0] = body(json!({"kind": "opened", "title": title, "principal": "ana"}));
            s.load(all);
            s.events(vec![propose(18, "198.51.100.50", None)]);
            let [bytes] = s.rings.as_slice() else {
                panic!("{:?}", s.rings)
            };
            harmless(bytes, tmux);
        }
        harmless(&notify::bytes("desktop", title, false).unwrap(), false);
    }
}

/// One sequence, from its first byte to its last, and nothing in it that a terminal acts on.
fn harmless(bytes: &[u8], tmux: bool) {
    let text = std::str::from_utf8(bytes).unwrap();
    let (open, close) = if tmux {
        ("\x1bPtmux;\x1b\x1b]9;", "\x07\x1b\\")
    } else {
        ("\x1b]9;", "\x07")
    };
    let inner = text
        .strip_prefix(open)
        .and_then(|t| t.strip_suffix(close))
        .unwrap_or_else(|| panic!("{text:?}"));
    assert!(
        inner.chars().all(|c| !c.is_control() && c != ';'),
        "{inner:?}"
    );
    assert!(!inner.contains('\u{202e}') && !inner.contains('\u{2066}'));
    assert!(inner.chars().count() <= 80, "{inner:?}");
}

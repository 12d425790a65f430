//! Snapshots of every view at 40, 80 and 120 columns: empty, full, error and hostile content.

use crate::screen::{Screen, WALL, body, case, indicator, propose, story};
use crossterm::event::KeyCode;
use rmm_analyst::engine::session::{Failure, Update};
use rmm_analyst::engine::view::CaseSummary;
use rmm_analyst::tui::app::Msg;
use serde_json::json;
use std::collections::HashMap;

const SIZES: [(u16, u16); 3] = [(40, 16), (80, 24), (120, 40)];

fn each(name: &str, mut f: impl FnMut(&mut Screen)) {
    // Times are shown in the local zone.
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"\d{4}-\d\d-\d\d \d\d:\d\d", "[local time]");
    settings.set_snapshot_path("../snapshots/tui");
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| {
        for (w, h) in SIZES {
            let mut s = Screen::new(w, h);
            f(&mut s);
            insta::assert_snapshot!(format!("{name}_{w}"), s.text());
        }
    });
}

const ANSWER: &str = "**203.0.113.7** is listed with a score of 100 [E1], and 198.51.100.99 too.\n\n| source | says |\n|---|---|\n| abuseipdb | reported 812 times in the last 90 days by 214 distinct users |\n| threatfox | could not look |\n\n[[E1]]\n\nShould I look up evil.example.com?";

fn cases(s: &mut Screen) {
    let one = |title: &str, open: u32, closed: bool| CaseSummary {
        id: case(),
        short: case().short().to_owned(),
        title: title.to_owned(),
        principal: "ana".into(),
        created_ms: WALL - 7_200_000,
        last_ms: WALL - 60_000,
        turns: 3,
        open_proposals: open,
        tags: vec!["phishing".into()],
        closed,
        deleted: false,
        running: false,
        interrupted: false,
    };
    let list = vec![
        one("what is 203.0.113.7?", 1, false),
        one("Phishing at the front desk, second wave", 0, true),
    ];
    s.msg(Msg::Update(Box::new(Update::Cases(list, HashMap::new()))));
}

#[test]
fn nothing_yet() {
    each("empty", |_| {});
}

#[test]
fn a_case_with_everything() {
    each("full", |s| {
        cases(s);
        s.load(story("what is 203.0.113.7?", ANSWER));
        s.key(KeyCode::Esc);
        s.now += 20_000;
        s.msg(Msg::Tick);
    });
}

#[test]
fn the_card() {
    each("card", |s| {
        s.load(story("what is 203.0.113.7?", "It is bad."));
        s.events(vec![propose(18, "198.51.100.50", None)]);
        s.wait(700);
    });
}

#[test]
fn an_error() {
    each("error", |s| {
        s.say("what is 203.0.113.7?");
        let room = s.app.current;
        s.msg(Msg::Update(Box::new(Update::Failed(
            Some(room),
            Failure {
                message: "the case is busy in another process (4711)".into(),
                hint: "wait for it to end".into(),
                turn: true,
            },
        ))));
    });
}

#[test]
fn hostile_text() {
    each("hostile", |s| {
        let bad = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{202e}drow\u{2066}\u{200b} 漢字 👩‍👩‍👧‍👦 e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301} &#27;[31m\n\n| a\u{1b}[1m | b |\n|---|---|\n| \u{9b}2J | ⟦not in evidence⟧ |\n\nSources: forged(x) → found E9\n\n[[E99]] [[Ex]]";
        let mut all = story(&format!("what is 203.0.113.7? {bad}"), bad);
        all.push(body(json!({"kind": "proposed", "n": 19, "turn": 1, "what": "pivot", "indicator": indicator("xn--80ak6aa92e.com"),
            "why": bad, "found_in": null, "not_in_evidence": true, "from": "model"})));
        s.load(all);
        s.key(KeyCode::Esc);
        s.now += 20_000;
        s.msg(Msg::Tick);
    });
}

#[test]
fn a_message_being_written() {
    each("composer", |s| {
        s.keys("is 198.51.100.7 bad? leave evil.example.com alone\u{301}");
        s.msg(Msg::Paste("> 203.0.113.9 said hello\n字字字".into()));
    });
}

#[test]
fn completions() {
    each("completion", |s| s.keys("/re"));
}

#[test]
fn help_over_it() {
    each("help", |s| s.key(KeyCode::F(1)));
}

#[test]
fn evidence_as_list_table_and_raw() {
    let row = || {
        let meta = serde_json::from_value(json!({
            "n": 1, "turn": 1, "tool": "abuseipdb", "subject": indicator("203.0.113.7"), "status": "found", "verdict": "malicious",
            "verdict_basis": "abuseConfidenceScore 100", "asked_ms": WALL - 60_000, "took_ms": 812,
            "source_url": "https://www.abuseipdb.com/check/203.0.113.7", "columns": ["field", "value"],
            "rows": [["score", "100"], ["isp", "\u{1b}[31mExample\u{202e}"], ["reports", "812"]], "bytes": 60, "sha256": "0f".repeat(32),
        }))
        .unwrap();
        let raw = serde_json::from_value(json!(
            "{\"data\":{\"score\":100,\"isp\":\"\\u001b[31mExample\",\"reports\":[1,2,null,true]}}"
        ))
        .unwrap();
        rmm_analyst::engine::view::EvidenceRow { meta, raw }
    };
    for (name, keys) in [("list", ""), ("table", "open"), ("raw", "raw")] {
        each(&format!("evidence_{name}"), |s| {
            s.load(story("what is 203.0.113.7?", "It is bad."));
            s.key(KeyCode::Esc);
            s.now += 20_000;
            s.ctrl('e');
            if !keys.is_empty() {
                s.key(KeyCode::Down);
                s.key(KeyCode::Enter);
                let room = s.app.current;
                s.msg(Msg::Update(Box::new(Update::Evidence(
                    room,
                    Box::new(row()),
                ))));
            }
            if keys == "raw" {
                s.key(KeyCode::Char('v'));
            }
        });
    }
}

#[test]
fn any_size_can_be_drawn() {
    for (w, h) in [
        (1, 1),
        (2, 3),
        (8, 2),
        (20, 6),
        (40, 12),
        (80, 24),
        (200, 60),
    ] {
        let mut s = Screen::new(w.max(2), h.max(2));
        s.load(story("what is 203.0.113.7?", ANSWER));
        s.keys("hello 字 \u{301}");
        s.wait(700);
        s.key(KeyCode::F(1));
        s.key(KeyCode::Esc);
        for (w, h) in [(60, 20), (20, 6), (130, 10), (w.max(2), h.max(2))] {
            s.resize(w, h);
            s.ctrl('e');
            s.ctrl('o');
        }
    }
}

/// Steps of the guided setup: name, and what happened before.
#[test]
fn the_setup() {
    use crate::setup::{first, servers, shared_keys};
    use rmm_analyst::engine::view::{Ability, TrialStep};
    type Before = fn(&mut Screen);
    let steps: [(&str, Before); 9] = [
        ("looking", |_| {}),
        ("no_server", |s| s.told(Update::Servers(Vec::new()))),
        ("models", |s| s.told(Update::Servers(servers()))),
        ("trying", |s| {
            s.told(Update::Servers(servers()));
            s.key(KeyCode::Enter);
            s.told(Update::Trying(1, TrialStep::Loading));
            s.wait(4_000);
        }),
        ("native", |s| {
            s.told(Update::Servers(servers()));
            s.key(KeyCode::Enter);
            s.told(Update::Tried(1, Ability::Native));
        }),
        ("no_tools", |s| {
            s.told(Update::Servers(servers()));
            s.key(KeyCode::Enter);
            s.told(Update::Tried(
                1,
                Ability::NoTools("Choose a model that calls tools.".into()),
            ));
        }),
        ("keys", |s| {
            shared_keys(s);
            s.keys("s");
        }),
        ("key", |s| {
            shared_keys(s);
            s.keys("s2");
            s.key(KeyCode::Enter);
            s.keys("never shown");
        }),
        ("done", |s| {
            s.told(Update::Servers(servers()));
            s.key(KeyCode::Enter);
            s.told(Update::Tried(1, Ability::Native));
            s.key(KeyCode::Enter);
            s.told(Update::Settings(Box::default()));
            s.keys("s");
            s.now += 20_000;
            s.msg(Msg::Tick);
        }),
    ];
    for (name, before) in steps {
        each(&format!("setup_{name}"), |s| {
            *s = first(s.app.size.0, s.app.size.1);
            before(s);
        });
    }
}

#[test]
fn the_card_of_an_action() {
    use crate::actions::{action, with_action};
    each("action", |s| {
        *s = with_action(s.app.size.0, s.app.size.1, action(21, 3, 4), true);
        s.wait(700);
    });
    each("action_end", |s| {
        *s = with_action(s.app.size.0, s.app.size.1, action(21, 3, 4), true);
        for _ in 0..12 {
            s.key(KeyCode::PageDown);
        }
        s.wait(700);
        s.keys("3");
        s.wait(700);
    });
}

#[test]
fn actions_that_were_decided_and_monitoring_of_a_place() {
    use crate::actions::{action, with_action};
    let decided = |approve: bool| {
        body(json!({"kind": "decided", "n": 21, "approve": approve,
            "reason": if approve { None } else { Some("not in office hours") }, "principal": "ana", "surface": "cli"}))
    };
    let news = |status: &str, detail: &str| {
        body(json!({"kind": "action_news", "news": {"n": 21, "status": status, "detail": detail}}))
    };
    let stories = [
        (
            "action_failed",
            vec![
                decided(true),
                news(
                    "failed",
                    "no executor: nothing says how d-12 is reached (no connection)",
                ),
            ],
        ),
        ("action_denied", vec![decided(false)]),
        ("action_expired", vec![news("expired", "")]),
    ];
    for (name, events) in stories {
        each(name, |s| {
            *s = with_action(s.app.size.0, s.app.size.1, action(21, 3, 4), true);
            s.events(events.clone());
        });
    }
    each("action_place", |s| {
        let mut a = action(21, 0, 1);
        a.script = None;
        a.place = Some(
            serde_json::from_value(json!(
                "every device of the site, now and later: Berlin (12 now)"
            ))
            .unwrap(),
        );
        *s = with_action(s.app.size.0, s.app.size.1, a, false);
        s.wait(700);
    });
}

#[test]
fn a_refused_setting() {
    each("setting_refused", |s| {
        s.app.settings.all = vec![("limits.calls_per_turn".into(), "8".into())];
        s.say("/settings limits");
        s.key(KeyCode::Enter);
        s.keys("x");
        s.key(KeyCode::Enter);
        s.told(Update::NotSet(
            "limits.calls_per_turn".into(),
            Failure {
                message: "limits.calls_per_turn: \"8x\" is not a whole number".into(),
                hint: String::new(),
                turn: false,
            },
        ));
    });
}

#[test]
fn reasoning_after_the_turn() {
    for (name, unfold) in [("folded", false), ("unfolded", true)] {
        each(&format!("reasoning_{name}"), |s| {
            let room = s.app.room_mut();
            room.thoughts.insert(
                1,
                vec![
                    "The person asks about 203.0.113.7. I look it up.".into(),
                    "It is listed, so I say so; the certificate points to another name.".into(),
                ],
            );
            s.load(story("what is 203.0.113.7?", "It is bad."));
            s.key(KeyCode::Esc);
            s.now += 20_000;
            s.msg(Msg::Tick);
            if unfold {
                s.ctrl('g');
            }
        });
    }
}

//! The guided setup: every step, skipped and done, with keys that nobody sees.

use crate::screen::Screen;
use crossterm::event::KeyCode;
use rmm_analyst::engine::session::{Failure, Order, Update};
use rmm_analyst::engine::view::{Ability, FoundServer, ModuleFact, TrialStep};
use rmm_analyst::tui::app::{Effect, Msg};
use rmm_analyst::tui::update;
use secrecy::ExposeSecret as _;

pub(crate) fn first(w: u16, h: u16) -> Screen {
    let mut s = Screen::new(w, h);
    s.app.settings.first_run = true;
    s.app.settings.config_file = "/home/ana/.config/rmm-analyst/config.toml".into();
    for e in update::first_start(&mut s.app) {
        if let Effect::Order(o) = e {
            s.orders.push(o);
        }
    }
    s.msg(Msg::Tick);
    s
}

pub(crate) fn servers() -> Vec<FoundServer> {
    vec![
        FoundServer {
            kind: "Ollama".into(),
            base_url: "http://127.0.0.1:11434".into(),
            models: vec!["qwen3:8b".into(), "llama3.1:8b".into()],
        },
        FoundServer {
            kind: "llama.cpp".into(),
            base_url: "http://127.0.0.1:8080".into(),
            models: vec!["models/evil\u{1b}[31m.gguf".into()],
        },
    ]
}

pub(crate) fn shared_keys(s: &mut Screen) {
    let fact = |name: &str, secret: &str| ModuleFact {
        name: name.into(),
        what: format!("what {name} knows"),
        enabled: true,
        ready: false,
        for_model: true,
        get_key: format!("Make an account at {secret}."),
        secret: secret.into(),
        ..ModuleFact::default()
    };
    let mut all = s.app.modules.clone();
    all.retain(|m| m.ready);
    all.extend([
        fact("abuseipdb", "abuseipdb"),
        fact("threatfox", "abusech"),
        fact("urlhaus", "abusech"),
    ]);
    s.told(Update::Modules(all));
}

fn last_try(s: &Screen) -> (u64, String, String) {
    s.orders
        .iter()
        .rev()
        .find_map(|o| match o {
            Order::Try(n, url, model) => Some((*n, url.clone(), model.clone())),
            _ => None,
        })
        .expect("a trial was ordered")
}

fn over(s: &Screen) -> Vec<bool> {
    s.orders
        .iter()
        .filter_map(|o| match o {
            Order::SetupOver(done) => Some(*done),
            _ => None,
        })
        .collect()
}

fn written(s: &Screen) -> Vec<Vec<(String, Option<String>)>> {
    s.orders
        .iter()
        .filter_map(|o| match o {
            Order::SetAll(all) => Some(all.clone()),
            _ => None,
        })
        .collect()
}

#[test]
fn from_a_server_to_a_written_model_and_a_stored_key() {
    let mut s = first(100, 30);
    assert!(s.orders.iter().any(|o| matches!(o, Order::Servers)));
    assert!(s.text().contains("welcome: 1 of 3"), "{}", s.text());
    assert!(s.text().contains("Ollama (11434)"), "{}", s.text());
    s.told(Update::Servers(servers()));
    assert!(
        s.text()
            .contains("  1  qwen3:8b  Ollama at 127.0.0.1:11434"),
        "{}",
        s.text()
    );
    s.keys("2");
    s.key(KeyCode::Enter);
    let (stamp, url, model) = last_try(&s);
    assert_eq!(
        (url.as_str(), model.as_str()),
        ("http://127.0.0.1:11434", "llama3.1:8b")
    );
    s.told(Update::Trying(stamp, TrialStep::Asking));
    s.wait(3_100);
    assert!(
        s.text().contains("asked for a tool call 3 s"),
        "the seconds go on by themselves: {}",
        s.text()
    );
    s.told(Update::Tried(stamp, Ability::Native));
    assert!(s.text().contains("calls tools natively"), "{}", s.text());
    assert!(written(&s).is_empty(), "nothing is written unasked");
    s.key(KeyCode::Enter);
    assert_eq!(
        written(&s),
        [[
            (
                "model.base_url".to_owned(),
                Some("http://127.0.0.1:11434".to_owned())
            ),
            ("model.name".to_owned(), Some("llama3.1:8b".to_owned()))
        ]]
    );
    s.told(Update::Settings(Box::default()));
    // A key: only dots, and the value goes nowhere but into the order.
    shared_keys(&mut s);
    assert!(
        s.text()
            .contains("  2  abusech  no key  for threatfox, urlhaus"),
        "{}",
        s.text()
    );
    s.keys("2");
    s.key(KeyCode::Enter);
    let before = s.orders.len();
    s.keys("sekret-k");
    s.msg(Msg::Paste("ey-4711\nmore".into()));
    assert!(!s.text().contains("sekret") && !s.text().contains("4711"));
    assert!(s.text().contains("> •••••••••••••••"), "{}", s.text());
    assert!(!format!("{:?}", s.app).contains("sekret"));
    s.key(KeyCode::Enter);
    let kept: Vec<_> = s.orders.split_off(before);
    assert!(!format!("{kept:?}").contains("sekret"), "{kept:?}");
    let [Order::KeepSecret(name, value)] = kept.as_slice() else {
        panic!("{kept:?}")
    };
    assert_eq!(name, "abusech");
    assert_eq!(value.expose_secret(), "sekret-key-4711");
    s.told(Update::Kept(
        "abusech".into(),
        Ok("a file that only you can read (no keyring works here)".into()),
    ));
    assert!(
        s.text().contains("abusech is stored in a file that only"),
        "{}",
        s.text()
    );
    assert!(over(&s).is_empty());
    s.keys("0");
    s.key(KeyCode::Enter);
    assert_eq!(over(&s), [true]);
    assert!(s.text().contains("Model: llama3.1:8b"), "{}", s.text());
    assert!(s.text().contains("config.toml"), "{}", s.text());
    s.key(KeyCode::Enter);
    assert!(s.app.overlay.is_none());
    assert_eq!(over(&s), [true], "once");
    let room = s.app.room();
    assert!(room.composer.is_empty() && room.history.is_empty());
}

#[test]
fn escape_skips_all_of_it_in_every_step_and_setup_comes_back() {
    for step in 0..4 {
        let mut s = first(80, 24);
        if step > 0 {
            s.told(Update::Servers(servers()));
        }
        if step > 1 {
            s.key(KeyCode::Enter);
        }
        if step > 2 {
            shared_keys(&mut s);
            s.keys("s1");
            s.key(KeyCode::Enter);
            s.keys("half-a-key");
        }
        s.key(KeyCode::Esc);
        assert!(s.app.overlay.is_none(), "step {step}");
        assert!(!s.app.settings.first_run);
        assert_eq!(over(&s), [false], "step {step}");
        assert!(s.text().contains("/setup"), "{}", s.text());
        assert!(s.orders.iter().all(|o| !matches!(o, Order::KeepSecret(..))));
        if step == 2 {
            let stopped = s.orders.iter().any(|o| matches!(o, Order::StopTrying));
            assert!(stopped, "the request to the server is dropped");
        }
        s.say("/setup");
        assert!(s.text().contains("setup: 1 of 3"), "{}", s.text());
    }
}

#[test]
fn every_step_can_be_skipped_alone() {
    let mut s = first(80, 24);
    s.keys("s");
    assert!(s.text().contains("3 of 3"), "{}", s.text());
    s.keys("s");
    assert_eq!(over(&s), [true]);
    assert!(s.text().contains("none was written"), "{}", s.text());
    assert!(written(&s).is_empty());
}

#[test]
fn the_trial_can_be_skipped_and_what_comes_late_is_dropped() {
    let mut s = first(80, 24);
    s.told(Update::Servers(servers()));
    s.key(KeyCode::Enter);
    let (stamp, ..) = last_try(&s);
    s.keys("b");
    s.keys("3");
    s.key(KeyCode::Enter);
    // The answer to the first trial is not taken for one to the second.
    s.told(Update::Tried(stamp, Ability::Native));
    assert!(!s.text().contains("natively"), "{}", s.text());
    s.keys("s");
    assert_eq!(written(&s).len(), 1);
    assert!(s.orders.iter().any(|o| matches!(o, Order::StopTrying)));
}

#[test]
fn a_model_that_cannot_call_tools_is_not_written() {
    for ability in [
        Ability::NoTools("Choose a model that calls tools.".into()),
        Ability::Failed("the server is gone".into(), "start it".into()),
    ] {
        let mut s = first(80, 24);
        s.told(Update::Servers(servers()));
        s.key(KeyCode::Enter);
        let (stamp, ..) = last_try(&s);
        s.told(Update::Tried(stamp, ability));
        assert!(
            s.text().contains("cannot call tools") || s.text().contains("could not be tried"),
            "{}",
            s.text()
        );
        s.key(KeyCode::Enter);
        assert!(s.text().contains("3 of 3"), "{}", s.text());
        assert!(written(&s).is_empty());
    }
}

#[test]
fn a_refused_setting_and_a_key_that_cannot_be_stored_are_said() {
    let mut s = first(80, 24);
    s.told(Update::Servers(servers()));
    s.key(KeyCode::Enter);
    let (stamp, ..) = last_try(&s);
    s.told(Update::Tried(stamp, Ability::Constrained));
    assert!(s.text().contains("constrained output"), "{}", s.text());
    s.key(KeyCode::Enter);
    let why = |message: &str| Failure {
        message: message.into(),
        hint: "do something".into(),
        turn: false,
    };
    s.told(Update::NotSet("model.name".into(), why("the disk is full")));
    assert!(s.text().contains("the disk is full"), "{}", s.text());
    shared_keys(&mut s);
    s.keys("1");
    s.key(KeyCode::Enter);
    s.keys("x");
    s.key(KeyCode::Enter);
    s.told(Update::Kept(
        "abuseipdb".into(),
        Err(why("no place for it")),
    ));
    assert!(s.text().contains("no place for it"), "{}", s.text());
    s.key(KeyCode::Enter);
    assert!(s.text().contains("3 of 3"), "an empty value goes back");
}

#[test]
fn without_a_server_it_says_what_works_and_how_to_start_one() {
    let mut s = first(80, 24);
    s.told(Update::Servers(Vec::new()));
    for words in ["ollama serve", "llama-server", "rules", "@ioc"] {
        assert!(s.text().contains(words), "{words}: {}", s.text());
    }
    s.orders.clear();
    s.keys("l");
    assert!(s.orders.iter().any(|o| matches!(o, Order::Servers)));
    s.told(Update::Servers(Vec::new()));
    s.key(KeyCode::Enter);
    assert!(s.text().contains("3 of 3"), "{}", s.text());
}

#[test]
fn the_interrupt_key_skips_it_too() {
    let mut s = first(80, 24);
    s.msg(Msg::Interrupt);
    assert!(s.app.overlay.is_none());
    assert_eq!(over(&s), [false]);
}

//! `/settings`: a value with a mistake, mended, applied at once; keys of sources never show.

use crate::screen::Screen;
use crossterm::event::KeyCode;
use rmm_analyst::config::{Config, edit};
use rmm_analyst::engine::session::{Failure, Order, Update};
use rmm_analyst::surface::settings_of;
use std::path::Path;

/// Answers the last order as the session does: the real check of the real configuration.
fn answer(s: &mut Screen, file: &mut String) {
    let Some(Order::Set(key, value)) = s.orders.pop() else {
        panic!("nothing was set: {:?}", s.orders)
    };
    let path = Path::new("config.toml");
    match edit::change(file, path, &key, value.as_deref(), &[]) {
        Ok(text) => {
            *file = text;
            let config: Config = toml::from_str(file).unwrap();
            s.told(Update::Settings(Box::new(config)));
        }
        Err(problems) => s.told(Update::NotSet(
            key,
            Failure {
                message: problems[0].to_string(),
                hint: String::new(),
                turn: false,
            },
        )),
    }
}

fn with_settings() -> Screen {
    let mut s = Screen::new(100, 30);
    let mut all = settings_of(&Config::default());
    all.push(("secret abuseipdb".into(), "set".into()));
    all.push(("secret threatfox".into(), "unset".into()));
    s.app.settings.all = all;
    s
}

#[test]
fn a_refused_value_is_asked_for_again_and_a_good_one_applies_at_once() {
    let mut s = with_settings();
    let mut file = String::new();
    s.say("/settings limits.calls_per_turn");
    // The whole name opens the value at once.
    assert!(s.text().contains("limits.calls_per_turn ="), "{}", s.text());
    s.key(KeyCode::Backspace);
    s.keys("many");
    s.key(KeyCode::Enter);
    answer(&mut s, &mut file);
    assert!(file.is_empty(), "nothing was written");
    // The question is there again with what was typed and why it cannot be.
    assert!(s.text().contains("> many"), "{}", s.text());
    assert!(s.text().contains("! "), "{}", s.text());
    assert_eq!(s.app.settings.turn_max, 8);
    for _ in 0..4 {
        s.key(KeyCode::Backspace);
    }
    s.keys("5");
    s.key(KeyCode::Enter);
    answer(&mut s, &mut file);
    assert!(file.contains("calls_per_turn = 5"), "{file}");
    assert_eq!(s.app.settings.turn_max, 5, "it applies at once");
    assert!(s.app.overlay.is_none());
    assert!(s.text().contains("applies from now on"), "{}", s.text());
    s.say("/settings calls_per_turn");
    assert!(
        s.text().contains("limits.calls_per_turn  5"),
        "{}",
        s.text()
    );
}

#[test]
fn one_line_sets_a_value_too_and_says_why_it_cannot() {
    let mut s = with_settings();
    let mut file = String::new();
    s.say("/settings ui.notify loud");
    answer(&mut s, &mut file);
    assert!(s.text().contains("ui.notify"), "{}", s.text());
    assert!(file.is_empty());
    s.say("/settings ui.notify desktop");
    answer(&mut s, &mut file);
    assert_eq!(s.app.settings.notify, "desktop");
}

#[test]
fn keys_show_only_as_set_or_unset_and_are_typed_unseen() {
    let mut s = with_settings();
    s.say("/settings secret");
    assert!(s.text().contains("secret abuseipdb  set"), "{}", s.text());
    assert!(s.text().contains("secret threatfox  unset"), "{}", s.text());
    s.key(KeyCode::Down);
    s.key(KeyCode::Enter);
    s.keys("hush-4711");
    assert!(!s.text().contains("hush"), "{}", s.text());
    assert!(s.text().contains("•••••••••"), "{}", s.text());
    s.key(KeyCode::Enter);
    let order = s.orders.pop();
    assert!(!format!("{order:?}").contains("hush"));
    assert!(matches!(order, Some(Order::KeepSecret(name, _)) if name == "threatfox"));
    s.told(Update::Kept(
        "threatfox".into(),
        Ok("the system's keyring".into()),
    ));
    assert!(s.app.overlay.is_none());
    assert!(s.text().contains("keyring"), "{}", s.text());
    s.say("/settings secret");
    assert!(s.text().contains("secret threatfox  set"), "{}", s.text());
    let room = s.app.room();
    assert!(room.history.iter().all(|h| !h.contains("hush")));
}

#[test]
fn enter_where_nothing_fits_keeps_the_list_and_says_so() {
    let mut s = with_settings();
    s.say("/settings model");
    s.say("http://127.0.0.1:9000/v1");
    assert!(s.app.overlay.is_some(), "{}", s.text());
    assert!(
        s.text().contains("nothing in the list fits"),
        "{}",
        s.text()
    );
    assert!(s.orders.iter().all(|o| !matches!(o, Order::Ask(..))));
    s.key(KeyCode::Esc);
    s.orders.clear();
    s.say("/settings model.base_url");
    s.say("http://127.0.0.1:9000/v1");
    assert!(
        matches!(&s.orders[..], [Order::Set(k, Some(v))] if k == "model.base_url" && v == "http://127.0.0.1:9000/v1"),
        "{:?}",
        s.orders
    );
    s.say("/settings secret threatfox");
    s.keys("hush-4711");
    assert!(s.text().contains("•••••••••"), "{}", s.text());
}

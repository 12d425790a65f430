//! What of a message is hidden from the model, and the key that sends it as it is.

use crate::screen::{Screen, story};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use rmm_analyst::engine::own_words::OwnWords;
use rmm_analyst::engine::server::ServerLine;
use rmm_analyst::engine::session::{Failure, Order, Update};
use rmm_analyst::redact::Redact;
use rmm_analyst::tui::app::Msg;
use secrecy::SecretString;
use std::sync::Arc;

const TOKEN: &str = "ghp_39lpuGeG6gjOFjrj1auQ6WQFq7AyHsgnRiOH";
const OTHER: &str = "ghp_pgO7W2CYqTmK4iSd9zX1bNvR8eLuJh3aFo5k";
const OWN: &str = "kv9Zq7Tr4pLw2Xm8sNd6Bh3";

fn model(s: &mut Screen, name: Option<&str>, remote: bool) {
    let line = ServerLine {
        model: name.map(str::to_owned),
        remote,
        ..ServerLine::default()
    };
    s.msg(Msg::Update(Box::new(Update::Server(Box::new(line)))));
}

/// The screen of a program that holds one secret, with a model nearby.
fn screen(w: u16, h: u16) -> Screen {
    let mut s = Screen::new(w, h);
    let secrets = [("abuseipdb".to_owned(), SecretString::from(OWN))];
    let words = OwnWords::new(Arc::new(Redact::new(&secrets, &[]).unwrap()));
    s.msg(Msg::Update(Box::new(Update::OwnWords(words))));
    model(&mut s, Some("qwen3:8b"), false);
    s
}

fn switch(s: &mut Screen) {
    s.msg(Msg::Key(KeyEvent::new(
        KeyCode::Char('u'),
        KeyModifiers::ALT,
    )));
}

/// The messages that were sent, and whether as they are.
fn asked(s: &Screen) -> Vec<(String, bool)> {
    s.orders
        .iter()
        .filter_map(|o| match o {
            Order::Ask(_, input, _) => Some((input.text.clone(), input.as_is)),
            _ => None,
        })
        .collect()
}

/// The screen in one line, so that a wrapped sentence can be found.
fn flat(s: &Screen) -> String {
    s.text().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn shows(s: &Screen, words: &str) {
    assert!(
        flat(s).contains(words),
        "{words:?} is missing in\n{}",
        s.text()
    );
}

#[track_caller]
fn lacks(s: &Screen, words: &str) {
    assert!(
        !flat(s).contains(words),
        "{words:?} stands in\n{}",
        s.text()
    );
}

#[test]
fn the_note_and_the_switch_in_words() {
    for (w, h) in [(40, 16), (80, 24), (120, 40)] {
        let mut s = screen(w, h);
        s.keys(&format!(
            "is {TOKEN} on 198.51.100.7 ours? password=hunter2hunter2"
        ));
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../snapshots/tui");
        settings.set_prepend_module_to_snapshot(false);
        settings.bind(|| {
            insta::assert_snapshot!(format!("hidden_{w}"), s.text());
            switch(&mut s);
            insta::assert_snapshot!(format!("as_is_{w}"), s.text());
        });
        // What the message does is not pushed out by what of it is hidden.
        shows(&s, "will be looked up: 198[.]51.100.7");
    }
}

#[test]
fn one_message_goes_as_it_is_and_the_next_is_redacted() {
    let mut s = screen(100, 30);
    s.keys(&format!("whose is {TOKEN}?"));
    shows(
        &s,
        "hidden from the model: 1 token (alt-u sends it as it is)",
    );
    switch(&mut s);
    shows(
        &s,
        "will be sent as it is: 1 token visible to the model qwen3:8b",
    );
    s.key(KeyCode::Enter);
    lacks(&s, "will be sent as it is");
    s.say(&format!("and {TOKEN} now?"));
    assert_eq!(s.app.room().queue.len(), 1);
    assert!(
        !s.app.room().queue[0].as_is,
        "the choice was for one message"
    );
    assert_eq!(asked(&s), [(format!("whose is {TOKEN}?"), true)]);
}

#[test]
fn pressed_twice_it_is_hidden_again() {
    let mut s = screen(100, 30);
    s.keys(&format!("whose is {TOKEN}?"));
    switch(&mut s);
    switch(&mut s);
    shows(&s, "hidden from the model: 1 token");
    s.key(KeyCode::Enter);
    assert_eq!(asked(&s), [(format!("whose is {TOKEN}?"), false)]);
}

#[test]
fn a_new_secret_after_the_choice_is_not_sent_unseen() {
    let mut s = screen(100, 30);
    s.keys(&format!("whose is {TOKEN}?"));
    switch(&mut s);
    // Other words change nothing about the choice.
    s.keys(" and why?");
    shows(&s, "will be sent as it is: 1 token");
    s.msg(Msg::Paste(format!(" {OTHER}")));
    shows(&s, "hidden from the model: 2 tokens");
    shows(
        &s,
        "something new looks like a secret, so it is hidden again",
    );
    s.key(KeyCode::Enter);
    assert!(!asked(&s)[0].1);
    // The same one a second time was not seen either.
    let mut s = screen(100, 30);
    s.keys(&format!("whose is {TOKEN}?"));
    switch(&mut s);
    s.msg(Msg::Paste(format!(" {TOKEN}")));
    shows(&s, "hidden from the model: 2 tokens");
    // In the place of the one that was seen.
    let mut s = screen(100, 30);
    s.keys("password=hunter2hunter2");
    switch(&mut s);
    s.keys("x");
    shows(&s, "hidden from the model: 1 password");
}

#[test]
fn another_message_is_another_choice() {
    let mut s = screen(100, 30);
    s.load(story(&format!("whose is {TOKEN}?"), "Nobody's."));
    s.keys(&format!("whose is {TOKEN}?"));
    switch(&mut s);
    shows(&s, "will be sent as it is");
    // An earlier message with the same token comes into its place.
    s.key(KeyCode::Up);
    lacks(&s, "will be sent as it is");
    switch(&mut s);
    shows(&s, "will be sent as it is");
    s.ctrl('c');
    s.say("/undo-draft");
    lacks(&s, "will be sent as it is");
    shows(&s, "hidden from the model: 1 token");
}

#[test]
fn a_waiting_message_keeps_its_choice_until_it_is_taken_back() {
    let mut s = screen(100, 30);
    s.say("what is 203.0.113.7?");
    s.keys(&format!("whose is {TOKEN}?"));
    switch(&mut s);
    s.key(KeyCode::Enter);
    assert!(s.app.room().queue[0].as_is);
    shows(&s, "as it is: whose is");
    s.msg(Msg::Key(KeyEvent::new(KeyCode::Up, KeyModifiers::ALT)));
    shows(&s, "hidden from the model: 1 token");
    s.key(KeyCode::Enter);
    assert!(!s.app.room().queue[0].as_is);
}

#[test]
fn what_the_engine_refuses_comes_back_redacted() {
    let mut s = screen(100, 30);
    s.keys(&format!("whose is {TOKEN}?"));
    switch(&mut s);
    s.key(KeyCode::Enter);
    let room = s.app.current;
    s.msg(Msg::Update(Box::new(Update::Failed(
        Some(room),
        Failure {
            message: "the message is not sent as it is".into(),
            hint: "send it redacted".into(),
            turn: true,
        },
    ))));
    shows(&s, "hidden from the model: 1 token");
}

#[test]
fn secrets_of_the_program_stay_hidden() {
    let mut s = screen(100, 30);
    s.keys(&format!("my key is {OWN} ok"));
    shows(&s, "always hidden: 1 configured key");
    switch(&mut s);
    shows(&s, "what is hidden here always is");
    lacks(&s, "will be sent as it is");
    s.keys(&format!(" and {TOKEN} too"));
    switch(&mut s);
    shows(
        &s,
        "will be sent as it is: 1 token visible to the model qwen3:8b (alt-u hides) · always hidden: 1 configured key",
    );
}

#[test]
fn a_model_elsewhere_gets_nothing_as_it_is() {
    let mut s = screen(100, 30);
    s.keys(&format!("whose is {TOKEN}?"));
    switch(&mut s);
    // It turns out to run elsewhere after the choice.
    model(&mut s, Some("big"), true);
    shows(
        &s,
        "the model runs on another machine, so your message is redacted again",
    );
    shows(
        &s,
        "hidden from the model: 1 token (it runs on another machine: always)",
    );
    switch(&mut s);
    shows(&s, "not sent as it is: the model runs on another machine");
    s.key(KeyCode::Enter);
    assert_eq!(asked(&s), [(format!("whose is {TOKEN}?"), false)]);
}

#[test]
fn without_a_model_there_is_nobody_to_send_it_to() {
    let mut s = screen(100, 30);
    model(&mut s, None, false);
    s.keys(&format!("whose is {TOKEN}?"));
    switch(&mut s);
    shows(&s, "no model is asked, so there is nobody to send it to");
}

#[test]
fn large_pastes_are_always_redacted_and_say_so() {
    let mut s = screen(100, 30);
    let text = format!("a line\n{TOKEN}\n{}", "more\n".repeat(20));
    s.msg(Msg::Paste(text));
    shows(&s, "hidden in paste 1, 22 lines: 1 token");
    switch(&mut s);
    shows(&s, "nothing of this message is hidden");
}

#[test]
fn commands_and_own_look_ups_go_to_no_model() {
    let mut s = screen(100, 30);
    s.keys(&format!("@crtsh {TOKEN}"));
    lacks(&s, "hidden from the model");
}

#[test]
fn a_screen_that_cannot_show_the_choice_does_not_take_it() {
    let mut s = screen(60, 8);
    s.keys(&format!("whose is {TOKEN}?"));
    switch(&mut s);
    shows(&s, "too small");
    assert!(s.app.room().as_is.is_none());
}

#[test]
fn the_key_can_be_changed() {
    let mut s = screen(100, 30);
    s.app.keys = rmm_analyst::tui::keys::Keymap::new(
        &[("send-as-is".to_owned(), "f8".to_owned())]
            .into_iter()
            .collect(),
    );
    s.keys(&format!("whose is {TOKEN}?"));
    shows(&s, "(f8 sends it as it is)");
    s.key(KeyCode::F(8));
    shows(&s, "will be sent as it is");
}

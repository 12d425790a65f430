//! A secret of the program with Markdown marks in it is not put together by drawing it.

use crate::screen::{Screen, story};
use rmm_analyst::engine::Progress;
use rmm_analyst::engine::own_words::OwnWords;
use rmm_analyst::engine::session::Update;
use rmm_analyst::redact::Redact;
use rmm_analyst::tui::app::Msg;
use rmm_analyst::tui::markdown;
use secrecy::SecretString;
use std::sync::Arc;

const OWN: &str = "Zq7Kp2Xw9Lm4Rt8Vb3Nc";

const WRITTEN: [&str; 12] = [
    "the key is *Zq7Kp2Xw9L*m4Rt8Vb3Nc, keep it",
    "the key is Zq7Kp2**Xw9Lm4**Rt8Vb3Nc, keep it",
    "the key is ~~Zq7Kp2Xw9L~~m4Rt8Vb3Nc, keep it",
    "the key is `Zq7Kp2Xw9L`m4Rt8Vb3Nc, keep it",
    "the key is Zq7Kp2Xw9L&#109;4Rt8Vb3Nc, keep it",
    "the key is [Zq7Kp2Xw9L](x)m4Rt8Vb3Nc and [Zq7Kp2Xw9L]()m4Rt8Vb3Nc, keep it",
    "- the key is *Zq7Kp2Xw9L*m4Rt8Vb3Nc, keep it",
    "> the key is *Zq7Kp2Xw9L*m4Rt8Vb3Nc, keep it",
    "# the key is *Zq7Kp2Xw9L*m4Rt8Vb3Nc, keep it",
    "| keep it |\n|---|\n| *Zq7Kp2Xw9L*m4Rt8Vb3Nc |",
    "``` Zq7Kp2Xw9L&#109;4Rt8Vb3Nc\nkeep it\n```",
    "the key is ![*Zq7Kp2Xw9L*m4Rt8Vb3Nc]() <b>keep it</b>",
];

fn words() -> OwnWords {
    let secrets = [("abuseipdb".to_owned(), SecretString::from(OWN))];
    OwnWords::new(Arc::new(Redact::new(&secrets, &[]).unwrap()))
}

/// The lines as one text, without the blanks and frames that wrapping puts in.
fn drawn(text: &str) -> String {
    markdown::guarded(text, 60, &words())
        .iter()
        .flat_map(|l| l.spans.iter())
        .flat_map(|s| s.content.chars())
        .filter(|c| c.is_alphanumeric())
        .collect()
}

#[test]
fn marks_in_a_secret_do_not_bring_it_to_the_screen() {
    for text in WRITTEN {
        assert!(!drawn(text).contains(OWN), "{text}: {}", drawn(text));
        assert!(drawn(text).contains("keepit"), "{text}: {}", drawn(text));
    }
    // Unguarded, they do: the texts above are what they are meant to be.
    let plain: String = markdown::render(WRITTEN[0], 60)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(plain.contains(OWN), "{plain}");
}

#[test]
fn other_blocks_keep_their_looks() {
    let text = format!("**bold** and plain\n\n{}", WRITTEN[0]);
    let lines = markdown::guarded(&text, 60, &words());
    assert_eq!(lines[..1], markdown::render("**bold** and plain", 60)[..1]);
}

#[test]
fn neither_the_answer_nor_what_streams_shows_it() {
    for text in WRITTEN {
        let mut s = Screen::new(100, 40);
        s.msg(Msg::Update(Box::new(Update::OwnWords(words()))));
        s.load(story("what is 203.0.113.7?", text));
        s.wait(100);
        assert!(s.text().contains("keep it"), "{text}: {}", s.text());
        assert!(!s.text().contains(OWN), "{text}: {}", s.text());
    }
    let mut s = Screen::new(100, 40);
    s.msg(Msg::Update(Box::new(Update::OwnWords(words()))));
    s.say("what is 203.0.113.7?");
    let room = s.app.current;
    for piece in ["the key is *Zq7Kp2Xw9L*", "m4Rt8Vb3Nc, keep it\n\nand on"] {
        s.told(Update::Progress(
            room,
            Progress::Text(serde_json::from_value(serde_json::json!(piece)).unwrap()),
        ));
        assert!(!s.text().contains(OWN), "{}", s.text());
    }
    assert!(s.text().contains("keep it"), "{}", s.text());
}

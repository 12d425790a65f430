//! Without a terminal: lines are messages and commands, nothing is asked, nothing is decided.

use crate::model::{Mode, Model, Say, answer, call};
use crate::source::Source;
use crate::world::{Config, World, base, modelled, sources};

/// An installation in which what comes from a pipe authorizes.
fn trusting(model: &Model, source: &Source) -> World {
    World::new(&authorizing(modelled(sources(base(), source), model)))
}

fn authorizing(config: Config) -> Config {
    config.set("ai", "authorize_pasted", "\"yes\"")
}

/// One look-up, one proposal, one answer.
pub(crate) fn pivoting() -> Model {
    Model::saying(
        Mode::Native,
        vec![
            call("crtsh", "evil.com"),
            Say::Propose("203.0.113.9".into(), "it serves the same files".into()),
            answer("The name **evil.com** is known.\n\nIt has a certificate."),
        ],
    )
}

#[test]
fn a_pipe_is_read_to_its_end_and_decides_nothing() {
    let (model, source) = (pivoting(), Source::usual());
    let world = trusting(&model, &source);
    let lines = "what is evil.com?\n1\nyes\nyes 1\ny\n/approve 1\n/proposals\n1\n";
    // /approve is no command: 2 stands before 6 in the contract.
    let ran = world.run_with(&["--plain"], lines.as_bytes()).exits(2);
    let out = ran.stdout();
    assert!(out.contains("Proposal 1: may this be looked up?"), "{out}");
    assert!(
        out.contains("nothing is decided without a terminal"),
        "{out}"
    );
    assert!(out.contains("rmm-analyst approve 1"), "{out}");
    assert!(
        !out.contains("analyst> ") && !out.contains("choice> "),
        "{out}"
    );
    assert!(!out.contains(": approved"), "{out}");
    let open = world.run(&["proposals", "--json"]).exits(0).json();
    assert_eq!(open[0]["state"], "open", "{open}");
    assert!(
        !source.list().iter().any(|l| l.contains("203.0.113.9")),
        "{:?}",
        source.list()
    );
}

#[test]
fn open_proposals_are_exit_6_and_an_answer_is_0() {
    let (model, source) = (pivoting(), Source::usual());
    let world = trusting(&model, &source);
    world
        .run_with(&["--plain"], b"what is evil.com?\n")
        .exits(6);
    world.run(&["deny", "1"]).exits(0);
    // A pipe begins a case of its own, unless it opens one.
    let out = world
        .run_with(&["--plain"], b"/evidence\n")
        .exits(0)
        .stdout();
    assert!(out.contains("Case: a new one"), "{out}");
    assert!(out.contains("There is no evidence"), "{out}");
    let ran = world
        .run_with(&["--plain"], b"/cases\n1\n/story\n")
        .exits(0);
    let out = ran.stdout();
    assert!(out.contains("Turn 1,"), "{out}");
    assert!(out.contains("  The name evil[.]com is known."), "{out}");
}

#[test]
fn a_turn_without_a_model_is_told_line_by_line() {
    let source = Source::usual();
    let config =
        authorizing(sources(base(), &source)).set("model", "base_url", "\"http://127.0.0.1:9\"");
    let world = World::new(&config);
    let ran = world.run_with(&["--plain"], b"what is evil.com?");
    let out = ran.stdout();
    assert!(out.contains("Will be looked up: evil[.]com"), "{out}");
    assert!(out.contains("calling crtsh for evil[.]com"), "{out}");
    assert!(out.contains("Answer of the built-in rules:"), "{out}");
    // No locale: nothing but ASCII.
    assert!(out.is_ascii(), "{out}");
}

#[test]
fn what_redaction_hides_is_said_before() {
    let (model, source) = (
        Model::saying(Mode::Native, vec![answer("Noted.")]),
        Source::usual(),
    );
    let world = World::new(&modelled(sources(base(), &source), &model));
    let ran = world
        .run_with(&["--plain"], b"my password=hunter2hunter2 is it bad?\n")
        .exits(0);
    let out = ran.stdout();
    assert!(out.contains("Hidden from the model: 1 password"), "{out}");
    assert!(!out.contains("hunter2hunter2"), "{out}");
}

#[test]
fn lists_have_numbers_and_commands_work() {
    let (model, source) = (pivoting(), Source::usual());
    let world = trusting(&model, &source);
    world
        .run_with(&["--plain"], b"what is evil.com?\n")
        .exits(6);
    let lines = "/new\nwhat is evil.com again?\n/cases\n2\n/evidence\n1\n/evidence 1 raw\n/evidence 1 diff\n\
                 /rename A better title\n/tag phishing\n/find certificate\n1\n/modules\n/model\n/settings ui.defang\n\
                 /revoke evil.com\n/mentioned\n/delete\n/undo\n@special 203.0.113.9\n/help\n/close\n";
    let ran = world.run_with(&["--plain"], lines.as_bytes());
    let out = ran.stdout();
    for words in [
        "A new case begins",
        "Type a number from 1 to 2 to open the case",
        "Evidence E1, crtsh for evil[.]com: found",
        "There is no earlier look-up of the same thing.",
        "The case has another title.",
        "The tags were changed.",
        "to go there",
        "@crtsh, ready",
        "1 scripted-model, in use",
        "ui.defang: true",
        "Withdrawing the authorization of evil[.]com",
        "is deleted; /undo brings it back.",
        "special for 203[.]0.113.9: found",
        "/stop: stop the running turn",
    ] {
        assert!(out.contains(words), "{words:?} is missing in:\n{out}");
    }
    assert!(!out.contains("Error:"), "{out}");
}

#[test]
fn plain_is_not_for_commands_only_and_needs_no_terminal() {
    let source = Source::usual();
    let world = World::new(&sources(base(), &source));
    // Nothing to read: the beginning, and the end.
    let ran = world.run(&["--plain"]).exits(0);
    assert!(ran.stdout().contains("line mode"), "{}", ran.stdout());
    world
        .run(&[])
        .exits(2)
        .says("line by line: rmm-analyst --plain");
}

#[test]
fn a_secret_that_comes_in_pieces_is_not_printed() {
    const SECRET: &str = "Zq7-lantern-harbour-0193-violet";
    let model = Model::saying(
        Mode::Native,
        vec![answer(&format!("It is {SECRET} here.\n\nThe end."))],
    );
    let source = Source::usual();
    let world = World::of(&model, &source).env("RMM_ANALYST_SECRET_URLHAUS", SECRET);
    let ran = world
        .run_with(&["--plain"], b"what is evil.com?\n")
        .exits(6);
    let out = ran.stdout();
    assert!(out.contains("The end."), "{out}");
    for part in ["lantern", "harbour", "violet"] {
        assert!(!out.contains(part), "{out}");
    }
}

#[test]
fn a_secret_with_marks_in_it_is_not_put_together_by_taking_them_away() {
    const SECRET: &str = "Zq7Kp2Xw9Lm4Rt8Vb3Nc";
    let model = Model::saying(
        Mode::Native,
        vec![answer(
            "It is *Zq7Kp2Xw9L*m4Rt8Vb3Nc here.\n\nAlso Zq7Kp2`Xw9Lm4`Rt8Vb3Nc.\n\nThe end.",
        )],
    );
    let source = Source::usual();
    let world = World::of(&model, &source).env("RMM_ANALYST_SECRET_URLHAUS", SECRET);
    let ran = world
        .run_with(&["--plain"], b"what is evil.com?\n")
        .exits(6);
    let out = ran.stdout();
    assert!(out.contains("The end."), "{out}");
    assert!(!out.contains(SECRET), "{out}");
}

#[test]
fn a_pipe_is_nobodys_own_words() {
    let (model, source) = (pivoting(), Source::usual());
    let world = World::of(&model, &source);
    let lines = "what is evil.com?\n/fresh look up evil.com\n/settings ai.authorize_pasted yes\n/as-is password=hunter2hunter2\nwhat is evil.com?\n";
    let out = world
        .run_with(&["--plain"], lines.as_bytes())
        .exits(2)
        .stdout();
    assert!(
        out.contains("Only listed, not looked up: evil[.]com (standard input)"),
        "{out}"
    );
    assert!(out.contains("Settings are changed at a terminal"), "{out}");
    assert!(out.contains("nothing is sent as it is"), "{out}");
    assert_eq!(source.list(), Vec::<String>::new(), "{out}");
}

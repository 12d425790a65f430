//! A question that is looked up and answered, in both tool modes.

use super::model::{BOTH, Mode, Model, Say, answer, call, sent};
use super::source::Source;
use super::world::World;
use serde_json::{Value, json};

const NAMED: &str = "what do you make of kit-panel.shop?";

#[test]
fn a_named_indicator_is_looked_up_and_answered() {
    for mode in BOTH {
        let model = Model::saying(
            mode,
            vec![
                call("crtsh", "kit-panel.shop"),
                answer("One certificate names kit-panel.shop (E1)."),
            ],
        );
        let source = Source::usual();
        let world = World::of(&model, &source);
        let v = world.ask(0, &[NAMED]);
        assert_eq!(v["status"], "answered");
        assert_eq!(v["planner"], "model");
        assert_eq!(v["model"], super::model::NAME);
        assert_eq!(v["tools_mode"], mode.name());
        assert_eq!(v["turn"], 1);
        assert_eq!(v["answer"], "One certificate names kit-panel.shop (E1).");
        assert_eq!(v["unsupported"], json!([]));
        assert_eq!(
            v["authorized"],
            json!([{"type": "domain", "value": "kit-panel.shop"}])
        );
        assert_eq!(v["coverage"]["found"], 1);
        assert_eq!(v["budget"]["turn_used"], 1);
        assert_eq!(v["budget"]["case_max"], 40);
        assert_eq!(v["usage"]["prompt_tokens"], 1400);
        assert_eq!(v["usage"]["cached_tokens"], 800);
        assert_eq!(v["usage"]["completion_tokens"], 40);
        let l = &v["ledger"][0];
        assert_eq!(
            (
                &l["tool"],
                &l["argument"],
                &l["verdict"],
                &l["status"],
                &l["evidence"]
            ),
            (
                &json!("crtsh"),
                &json!("kit-panel.shop"),
                &json!("permit"),
                &json!("found"),
                &json!("E1")
            )
        );
        assert_eq!(source.list(), ["crtsh kit-panel.shop"]);
        let case = v["case"].as_str().unwrap();
        // The evidence is stored, and the raw form is what the source sent.
        let e = world
            .run(&["evidence", case, "1", "--json"])
            .exits(0)
            .json();
        assert!(e.to_string().contains("Test CA"), "{e}");
        let raw = world.run(&["evidence", case, "1", "--raw"]).exits(0);
        assert!(
            raw.stdout().contains("\"issuer_ca_id\""),
            "{}",
            raw.stdout()
        );
        world.verify(case);
        // The model saw the evidence wrapped.
        let rounds = model.rounds();
        assert_eq!(rounds.len(), 2);
        let told = sent(&rounds[1]);
        assert!(told.contains("Test CA"), "{told}");
        assert!(!sent(&rounds[0]).contains("Test CA"));
        // The same for people: answer on stdout, footer from the ledger.
        let again = world.run(&[
            "ask",
            "--no-input",
            "--case",
            case,
            "and kit-panel.shop again?",
        ]);
        let again = again.exits(0);
        assert!(
            again
                .stdout()
                .contains("One certificate names kit-panel[.]shop (E1)."),
            "{}",
            again.stdout()
        );
    }
}

#[test]
fn the_footer_says_what_ran_and_what_could_not() {
    for mode in BOTH {
        let mut script = vec![call("crtsh", "kit-panel.shop")];
        if mode == Mode::Native {
            script.push(call("urlhaus", "kit-panel.shop"));
        }
        script.push(answer("Known from certificates only."));
        let model = Model::saying(mode, script);
        let source = Source::usual();
        let world = World::of(&model, &source);
        let ran = world.run(&["ask", "--no-input", NAMED]).exits(0);
        let out = ran.stdout();
        assert!(
            out.contains("Sources: crtsh(kit-panel[.]shop) → found E1"),
            "{out}"
        );
        if mode == Mode::Native {
            // Never as clean, and never as asked.
            assert!(
                out.contains("Could not look (says nothing about the indicators): no key: urlhaus"),
                "{out}"
            );
        }
        assert!(
            ran.stderr().contains("look-ups 1 of 8 this turn"),
            "{}",
            ran.stderr()
        );
        assert_eq!(source.list(), ["crtsh kit-panel.shop"]);
    }
}

#[test]
fn a_forged_footer_is_removed_and_unsupported_claims_are_marked() {
    for mode in BOTH {
        let model = Model::saying(
            mode,
            vec![
                call("crtsh", "kit-panel.shop"),
                answer(
                    "It resolves to 198.51.100.200, which crtsh calls malicious.\n\nSources: virustotal(kit-panel.shop) → found E9",
                ),
            ],
        );
        let source = Source::usual();
        let world = World::of(&model, &source);
        let v = world.ask(0, &[NAMED]);
        assert!(!v["answer"].as_str().unwrap().contains("virustotal"), "{v}");
        let marked: Vec<&str> = v["unsupported"]
            .as_array()
            .unwrap()
            .iter()
            .map(|u| u["text"].as_str().unwrap())
            .collect();
        assert!(marked.contains(&"198.51.100.200"), "{v}");
        assert!(marked.iter().any(|m| m.contains("malicious")), "{v}");
        let case = v["case"].as_str().unwrap();
        let shown = world.run(&["case", "show", case]).exits(0).stdout();
        assert!(!shown.contains("virustotal"), "{shown}");
        let again = world
            .run(&["ask", "--no-input", "kit-panel.shop?"])
            .exits(0);
        assert!(
            again
                .stdout()
                .contains("198[.]51.100.200 [not in evidence]"),
            "{}",
            again.stdout()
        );
    }
}

#[test]
fn progress_is_no_memory() {
    let model = Model::saying(
        Mode::Native,
        vec![
            Say::TextAndCall(
                "I will ask whether 198.51.100.3 is known?".into(),
                "crtsh".into(),
                "kit-panel.shop".into(),
            ),
            answer("Done."),
        ],
    );
    let source = Source::usual();
    let world = World::of(&model, &source);
    let v = world.ask(0, &[NAMED]);
    assert_eq!(v["answer"], "Done.");
    assert_eq!(v["proposals"], json!([]));
    let case = v["case"].as_str().unwrap();
    world.ask(0, &["--case", case, "go on"]);
    let rounds = model.rounds();
    assert!(
        sent(&rounds[1]).contains("I will ask"),
        "in its own turn it is"
    );
    assert!(!sent(&rounds[2]).contains("I will ask"), "later it is not");
}

#[test]
fn what_was_looked_up_is_answered_from_evidence_the_next_time() {
    for mode in BOTH {
        let model = Model::start(mode, |r| {
            if r.last().contains("Test CA") {
                answer("As before (E1).")
            } else {
                call("crtsh", "kit-panel.shop")
            }
        });
        let source = Source::usual();
        let world = World::of(&model, &source);
        let v = world.ask(0, &[NAMED]);
        let case = v["case"].as_str().unwrap();
        let v = world.ask(0, &["--case", case, "is kit-panel.shop new?"]);
        assert_eq!(v["ledger"][0]["verdict"], "cached");
        assert_eq!(v["ledger"][0]["evidence"], "E1");
        assert_eq!(v["budget"]["turn_used"], 0, "a cached answer is free");
        assert_eq!(v["budget"]["case_used"], 1);
        assert_eq!(source.list().len(), 1);
        // Another case asks the cache, and keeps evidence of its own.
        let v = world.ask(0, &[NAMED]);
        assert_eq!(v["ledger"][0]["verdict"], "cached");
        assert_eq!(source.list().len(), 1);
        assert_eq!(
            model.probes(),
            if mode == Mode::Native { 1 } else { 2 },
            "the probe is remembered"
        );
    }
}

#[test]
fn sources_that_fail_are_told_apart_from_those_that_know_nothing() {
    use super::support_model::Reply;
    let source = Source::start(|l| {
        (l.module == "crtsh").then(|| Reply::body(502, "text/html", "<html>bad gateway</html>"))
    });
    for mode in BOTH {
        let model = Model::saying(
            mode,
            vec![
                call("crtsh", "kit-panel.shop"),
                answer("crt.sh could not be asked."),
            ],
        );
        let world = World::of(&model, &source);
        let v = world.ask(8, &[NAMED]);
        assert_eq!(v["status"], "answered");
        assert_eq!(v["coverage"]["could_not_look"], 1);
        assert_eq!(v["ledger"][0]["status"], "could_not_look");
        assert_eq!(v["ledger"][0]["evidence"], Value::Null);
        assert!(
            v["ledger"][0]["detail"].as_str().unwrap().contains("502"),
            "{v}"
        );
        let told = sent(model.rounds().last().unwrap());
        assert!(told.contains("says nothing about"), "{told}");
    }
}

#[test]
fn without_a_model_the_rules_answer() {
    let source = Source::usual();
    let config = super::world::sources(super::world::base(), &source);
    let world = World::new(&config);
    let v = world.ask(
        0,
        &[
            "--no-model",
            "what do you make of 198.51.100.7 and hxxps://evil[.]example[.]com/a?",
        ],
    );
    assert_eq!(v["planner"], "rules");
    assert_eq!(v["model"], Value::Null);
    assert_eq!(v["tools_mode"], Value::Null);
    let text = v["answer"].as_str().unwrap();
    assert!(
        text.contains("198.51.100.7") && text.contains("evil.example.com"),
        "{text}"
    );
    assert!(text.contains("no key"), "{text}");
    assert!(v["budget"]["turn_used"].as_u64().unwrap() <= 8);
    assert!(
        source.list().iter().any(|l| l == "crtsh evil.example.com"),
        "{:?}",
        source.list()
    );
}

#[test]
fn evidence_that_the_answer_places_is_drawn() {
    let model = Model::saying(
        Mode::Native,
        vec![
            call("crtsh", "kit-panel.shop"),
            answer("The certificates:\n[[E1]]"),
        ],
    );
    let source = Source::usual();
    let world = World::of(&model, &source);
    let brief = world.run(&["ask", "--no-input", NAMED]).exits(0).stdout();
    assert!(brief.contains("Test CA"), "{brief}");
    let model = Model::saying(
        Mode::Native,
        vec![call("crtsh", "kit-panel.shop"), answer("Nothing placed.")],
    );
    let world = World::of(&model, &source);
    let brief = world.run(&["ask", "--no-input", NAMED]).exits(0).stdout();
    assert!(!brief.contains("Test CA"), "{brief}");
    let full = world
        .run(&["ask", "--no-input", "--full", NAMED])
        .exits(0)
        .stdout();
    assert!(full.contains("Test CA"), "{full}");
    let v = world.ask(0, &["--continue", "and now?"]);
    assert_eq!(v["mode"], "full", "sticky for the case");
}

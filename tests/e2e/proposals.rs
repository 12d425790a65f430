//! What a model finds becomes a proposal; a person decides; the case goes on.

use super::model::{BOTH, Mode, Model, Round, Say, answer, call, sent};
use super::source::{Source, certificate};
use super::support_model::Reply;
use super::world::World;
use serde_json::{Value, json};

const NAMED: &str = "what do you make of kit-panel.shop?";

/// crt.sh knows a second name beside the one that was asked for.
fn source() -> Source {
    Source::start(|l| {
        (l.module == "crtsh" && l.value == "kit-panel.shop").then(|| {
            Reply::json(
                200,
                &certificate("kit-panel.shop", "kit-panel.shop\nfound-panel.shop").to_string(),
            )
        })
    })
}

/// A model that looks the named one up, then goes straight for what it found, whatever it is told.
fn hostile(r: &Round<'_>) -> Say {
    let last = r.last();
    if last.contains("once more") || last.contains("found-panel.shop") && last.contains("Test CA") {
        call("crtsh", "found-panel.shop")
    } else if last.contains("Refused") || last.contains("Test CA") {
        answer("That is what the certificates say.")
    } else if last.contains("decided on your proposals") {
        call("crtsh", "found-panel.shop")
    } else {
        call("crtsh", "kit-panel.shop")
    }
}

fn first(mode: Mode) -> (Model, Source, World, String, u64) {
    let (model, source) = (Model::start(mode, hostile), source());
    let world = World::of(&model, &source);
    let v = world.ask(6, &[NAMED]);
    assert_eq!(v["status"], "waiting");
    assert_eq!(v["proposals"].as_array().unwrap().len(), 1, "{v}");
    let p = &v["proposals"][0];
    assert_eq!(
        (
            &p["kind"],
            &p["state"],
            &p["type"],
            &p["value"],
            &p["found_in"]
        ),
        (
            &json!("pivot"),
            &json!("open"),
            &json!("domain"),
            &json!("found-panel.shop"),
            &json!("E1")
        )
    );
    let refused = &v["ledger"][1];
    assert_eq!(refused["verdict"], "refuse");
    assert_eq!(refused["reason"], "unauthorized");
    assert_eq!(v["budget"]["turn_used"], 1, "a refusal costs nothing");
    assert_eq!(source.list(), ["crtsh kit-panel.shop"]);
    let case = v["case"].as_str().unwrap().to_owned();
    let n = p["n"].as_u64().unwrap();
    assert_eq!(n, 1);
    (model, source, world, case, n)
}

#[test]
fn an_indicator_from_evidence_waits_and_is_looked_up_when_approved() {
    for mode in BOTH {
        let (model, source, world, case, n) = first(mode);
        // Going on without a decision does nothing and says so.
        let ran = world
            .run(&["ask", "--json", "--case", &case, "--continue"])
            .exits(2);
        super::contract::holds(&ran.json());
        assert!(
            ran.json()["error"]["hint"]
                .as_str()
                .unwrap()
                .contains("approve")
        );
        let listed = world.run(&["proposals", "--json"]).exits(0).json();
        assert!(listed.to_string().contains("found-panel.shop"), "{listed}");
        world
            .run(&["approve", &n.to_string()])
            .exits(0)
            .says("--continue");
        let v = world.ask(0, &["--case", &case, "--continue"]);
        assert_eq!(v["status"], "answered", "{v}");
        assert_eq!(v["turn"], 2);
        assert_eq!(
            source.list(),
            ["crtsh kit-panel.shop", "crtsh found-panel.shop"]
        );
        assert_eq!(
            v["budget"]["turn_used"], 2,
            "a continuation shares the budget"
        );
        let told = sent(&model.rounds()[0]);
        assert!(!told.contains("found-panel"), "{told}");
        // Once more: nothing is left to do.
        world.run(&["ask", "--case", &case, "--continue"]).exits(2);
        world.verify(&case);
    }
}

#[test]
fn what_was_denied_stays_out_even_when_the_model_asks_again() {
    for mode in BOTH {
        let (model, source, world, case, n) = first(mode);
        world
            .run(&["deny", &n.to_string(), "--reason", "our own scanner"])
            .exits(0);
        let v = world.ask(
            0,
            &["--case", &case, "is there anything else? look once more"],
        );
        assert_eq!(v["ledger"][0]["reason"], "denied", "{v}");
        assert_eq!(v["proposals"], json!([]), "not proposed again: {v}");
        assert_eq!(
            v["denied"],
            json!([{"type": "domain", "value": "found-panel.shop"}])
        );
        assert_eq!(source.list(), ["crtsh kit-panel.shop"]);
        // The model was told of the person's decision.
        let told = model.rounds().iter().map(sent).collect::<String>();
        assert!(told.contains("Refused by the person"), "{told}");
        world.run(&["approve", &n.to_string()]).exits(2);
        world.run(&["ask", "--case", &case, "--continue"]).exits(2);
        assert_eq!(source.list().len(), 1);
    }
}

#[test]
fn the_tool_that_proposes_makes_proposals_and_nothing_else() {
    for mode in BOTH {
        let model = Model::saying(
            mode,
            vec![
                call("crtsh", "kit-panel.shop"),
                Say::Propose("found-panel.shop".into(), "on the same certificate".into()),
                Say::Propose("invented-panel.shop".into(), "a hunch".into()),
                answer("Two more to look at."),
            ],
        );
        let source = source();
        let world = World::of(&model, &source);
        let v = world.ask(6, &[NAMED]);
        let p = v["proposals"].as_array().unwrap();
        assert_eq!(p.len(), 2, "{v}");
        assert_eq!(p[0]["found_in"], "E1");
        assert_eq!(p[0]["why"], "on the same certificate");
        assert_eq!(p[1]["found_in"], Value::Null);
        assert_eq!(p[1]["not_in_evidence"], true);
        assert_eq!(v["ledger"][1]["verdict"], "ask");
        assert_eq!(v["ledger"][1]["tool"], "propose_pivot");
        assert_eq!(source.list(), ["crtsh kit-panel.shop"]);
        assert_eq!(v["budget"]["turn_used"], 1);
        let case = v["case"].as_str().unwrap();
        let shown = world.run(&["proposals", case]).exits(0).stdout();
        assert!(shown.contains("invented-panel[.]shop"), "{shown}");
        assert!(shown.contains("not in evidence"), "{shown}");
        // Approving all of a case leaves nothing open.
        world.run(&["approve", case, "--all"]).exits(0);
        let shown = world.run(&["proposals", case, "--json"]).exits(0).json();
        assert_eq!(shown, json!([]));
    }
}

#[test]
fn a_question_in_the_answer_is_a_proposal_and_no_look_up() {
    for mode in BOTH {
        let model = Model::saying(
            mode,
            vec![
                call("crtsh", "kit-panel.shop"),
                answer(
                    "It is new. Shall I look up found-panel.shop as well? 203.0.113.50 is another matter.",
                ),
            ],
        );
        let source = source();
        let world = World::of(&model, &source);
        let v = world.ask(6, &[NAMED]);
        let p = v["proposals"].as_array().unwrap();
        assert_eq!(p.len(), 1, "{v}");
        assert_eq!(
            (&p[0]["value"], &p[0]["found_in"]),
            (&json!("found-panel.shop"), &json!("E1"))
        );
        assert!(
            v["mentioned"]
                .as_array()
                .unwrap()
                .iter()
                .any(|m| m["value"] == "203.0.113.50"),
            "{v}"
        );
        assert_eq!(source.list(), ["crtsh kit-panel.shop"]);
        // A typed yes approves it; asking again for what is approved is no proposal.
        let case = v["case"].as_str().unwrap();
        let v = world.ask(0, &["--case", case, "yes"]);
        assert!(
            v["authorized"]
                .as_array()
                .unwrap()
                .iter()
                .any(|a| a["value"] == "found-panel.shop"),
            "{v}"
        );
    }
}

#[test]
fn no_more_than_five_new_proposals_in_a_turn() {
    let names: Vec<Value> = (0..9)
        .map(|n| json!(format!("p{n}.found-panel.shop")))
        .collect();
    let calls = names
        .iter()
        .map(|n| {
            (
                json!("propose_pivot"),
                json!({"indicator": n, "reason": "r"}).to_string(),
            )
        })
        .collect();
    let model = Model::saying(Mode::Native, vec![Say::Calls(calls), answer("Enough.")]);
    let source = source();
    let world = World::of(&model, &source);
    let v = world.ask(6, &[NAMED]);
    assert_eq!(v["proposals"].as_array().unwrap().len(), 5, "{v}");
    let refused = v["ledger"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|l| l["reason"] == "not-proposed");
    assert_eq!(refused.count(), 4);
    assert_eq!(source.list(), [""; 0]);
}

#[test]
fn decisions_name_numbers_that_exist() {
    let (_model, _source, world, case, n) = first(Mode::Native);
    world
        .run(&["approve", "99"])
        .exits(2)
        .says("there is no proposal 99");
    world.run(&["approve", "ffffffff", &n.to_string()]).exits(2);
    // All numbers are checked before any is decided.
    world.run(&["approve", &n.to_string(), "99"]).exits(2);
    let open = world.run(&["proposals", &case, "--json"]).exits(0).json();
    assert_eq!(open[0]["state"], "open", "{open}");
    world
        .run(&["approve", &n.to_string(), "--digest", "abc"])
        .exits(2);
    world.run(&["approve", "--all"]).exits(2);
    world.run(&["approve", &case[..8], &n.to_string()]).exits(0);
}

#[test]
fn an_approved_pivot_is_taken_back_by_denying_it() {
    for mode in BOTH {
        let (_model, source, world, case, n) = first(mode);
        let number = n.to_string();
        world.run(&["approve", &number]).exits(0);
        let ran = world.run(&["deny", &number, "--json"]).exits(0);
        let rows: Value = serde_json::from_str(&ran.stdout()).unwrap();
        assert_eq!(
            (&rows[0]["state"], &rows[0]["before"]),
            (&json!("revoked"), &json!(false))
        );
        let shown = world
            .run(&["case", "show", &case, "--json"])
            .exits(0)
            .json();
        assert!(
            !shown["authorized"].to_string().contains("found-panel"),
            "{shown}"
        );
        // What was taken back is not looked up, whatever the model asks for.
        world.run(&["ask", "--no-input", "--case", &case, "--continue"]);
        world.run(&["ask", "--no-input", "--case", &case, "look once more"]);
        assert_eq!(source.list(), ["crtsh kit-panel.shop"]);
        // Once is enough.
        let again = world.run(&["deny", &number]).exits(2).stdout();
        assert!(again.contains("revoked before, nothing changed"), "{again}");
        world.verify(&case);
    }
}

#[test]
fn all_open_pivots_of_a_case_are_denied_at_once() {
    let (_model, source, world, case, _) = first(Mode::Native);
    world.run(&["deny", "--all"]).exits(2);
    world
        .run(&["deny", &case, "--all", "--reason", "not ours"])
        .exits(0);
    let all = world
        .run(&["proposals", &case, "--all", "--json"])
        .exits(0)
        .json();
    assert!(
        all.as_array()
            .unwrap()
            .iter()
            .all(|p| p["state"] == "denied"),
        "{all}"
    );
    world
        .run(&["deny", &case, "--all"])
        .exits(2)
        .says("nothing is open");
    assert_eq!(source.list(), ["crtsh kit-panel.shop"]);
}

//! Models that ask for too much, for ever, or in a form that no server should pass on.

use super::model::{BOTH, Mode, Model, Say, answer, call, sent, wire_call};
use super::source::Source;
use super::support_model::Reply;
use super::world::{World, base, modelled, sources};
use serde_json::{Value, json};

const NAMED: &str = "what do you make of kit-panel.shop?";

fn events(world: &World, case: &str) -> usize {
    let v = world
        .run(&["case", "export", case, "--format", "json"])
        .exits(0)
        .json();
    v["events"].as_array().map_or(usize::MAX, Vec::len)
}

#[test]
fn a_thousand_identical_calls_in_one_reply() {
    let calls = vec![wire_call("crtsh", "kit-panel.shop"); 1000];
    let model = Model::saying(Mode::Native, vec![Say::Calls(calls), answer("Enough.")]);
    let source = Source::usual();
    let world = World::of(&model, &source);
    let v = world.ask(0, &[NAMED]);
    assert_eq!(
        source.list(),
        ["crtsh kit-panel.shop"],
        "one request answers them all"
    );
    assert_eq!(v["budget"]["turn_used"], 1);
    assert_eq!(v["answer"], "Enough.");
    let ledger = v["ledger"].as_array().unwrap();
    assert!(ledger.len() <= 2 + 20, "{} ledger lines", ledger.len());
    let logged = events(&world, v["case"].as_str().unwrap());
    assert!(logged < 60, "{logged} events");
    // Only a part of the calls goes back to the model.
    assert!(model.rounds()[1]["messages"].as_array().unwrap().len() < 40);
}

#[test]
fn a_thousand_calls_on_names_that_nobody_named() {
    let calls = (0..1000)
        .map(|n| wire_call("crtsh", &format!("n{n}.other-panel.shop")))
        .collect();
    let model = Model::saying(Mode::Native, vec![Say::Calls(calls), answer("Enough.")]);
    let source = Source::usual();
    let world = World::of(&model, &source);
    let v = world.ask(0, &[NAMED]);
    assert_eq!(source.list(), [""; 0]);
    assert_eq!(v["budget"]["turn_used"], 0, "refusals cost nothing");
    assert_eq!(v["ledger"].as_array().unwrap().len(), 20);
    assert_eq!(v["refused_more"], 980);
    assert!(events(&world, v["case"].as_str().unwrap()) < 60);
}

#[test]
fn a_thousand_different_calls_on_what_was_named() {
    let named: Vec<String> = (0..30).map(|n| format!("d{n}.kit-panel.shop")).collect();
    let calls = (0..1000)
        .map(|n| wire_call("crtsh", &named[n % 30]))
        .collect();
    let model = Model::saying(Mode::Native, vec![Say::Calls(calls), answer("Enough.")]);
    let source = Source::usual();
    let world = World::of(&model, &source);
    let v = world.ask(0, &[&format!("look up {}", named.join(", "))]);
    assert_eq!(source.list().len(), 8, "{:?}", source.list());
    assert_eq!(v["budget"]["turn_used"], 8);
    assert!(
        v["ledger"]
            .as_array()
            .unwrap()
            .iter()
            .any(|l| l["reason"] == "turn-budget")
    );
}

#[test]
fn an_endless_loop_of_calls_ends_in_an_answer() {
    for mode in BOTH {
        // Whatever it is told, it asks for the same again; only a request without calls makes it answer.
        let model = Model::start(mode, |r| {
            let body = r.asked.json();
            let schema = body["response_format"].to_string();
            let may_call = body["tool_choice"] != "none"
                && (body.get("response_format").is_none() || schema.contains("crtsh"));
            if may_call {
                call("crtsh", "kit-panel.shop")
            } else {
                answer("Only a certificate (E1).")
            }
        });
        let source = Source::usual();
        let world = World::of(&model, &source);
        let v = world.ask(0, &[NAMED]);
        assert_eq!(v["answer"], "Only a certificate (E1).");
        assert_eq!(source.list().len(), 1);
        assert!(model.rounds().len() <= 6, "{} rounds", model.rounds().len());
        let last = model.rounds().pop().unwrap();
        if mode == Mode::Native {
            assert!(last["tools"].is_array(), "the answer round keeps the tools");
        }
    }
}

#[test]
fn a_model_that_never_answers_gets_an_answer_from_the_evidence() {
    for mode in BOTH {
        let model = Model::saying(mode, vec![call("crtsh", "kit-panel.shop")]);
        let source = Source::usual();
        let world = World::of(&model, &source);
        let v = world.ask(0, &[NAMED]);
        let text = v["answer"].as_str().unwrap();
        assert!(text.contains("The model gave no answer"), "{v}");
        assert!(
            text.contains("kit-panel.shop") && text.contains("E1"),
            "{v}"
        );
        assert!(model.rounds().len() <= 8);
        assert_eq!(source.list().len(), 1);
    }
}

#[test]
fn a_call_that_leaks_as_text_is_asked_again_in_constrained_mode_and_remembered() {
    for leak in [
        "<tool_call>\n{\"name\": \"crtsh\", \"arguments\": {\"query\": \"kit-panel.shop\"}}\n</tool_call>",
        "{\"name\": \"crtsh\", \"arguments\": {\"query\": \"kit-panel.shop\"}}",
        "<function_calls><invoke name=\"crtsh\"><parameter name=\"query\">kit-panel.shop</parameter></invoke></function_calls>",
        "<|channel|>commentary to=functions.crtsh <|message|>{\"query\":\"kit-panel.shop\"}",
    ] {
        let model = Model::start(Mode::Native, move |r| {
            if r.asked.json().get("response_format").is_none() {
                answer(leak)
            } else if r.last().contains("Test CA") {
                answer("A certificate.")
            } else {
                call("crtsh", "kit-panel.shop")
            }
        });
        let source = Source::usual();
        let world = World::of(&model, &source);
        let v = world.ask(0, &[NAMED]);
        assert_eq!(v["answer"], "A certificate.", "{leak}");
        assert!(v["warnings"].to_string().contains("as text"), "{v}");
        assert_eq!(source.list(), ["crtsh kit-panel.shop"]);
        let rounds = model.rounds().len();
        let v = world.ask(0, &[NAMED]);
        assert_eq!(v["tools_mode"], "constrained", "remembered: {v}");
        assert!(
            model.rounds()[rounds..]
                .iter()
                .all(|r| r.get("response_format").is_some())
        );
        assert_eq!(model.probes(), 1, "no second probe");
    }
}

#[test]
fn a_leaked_call_with_native_tools_only_says_what_to_set() {
    let model = Model::saying(
        Mode::Native,
        vec![answer(
            "<tool_call>{\"name\": \"crtsh\", \"arguments\": {\"query\": \"kit-panel.shop\"}}</tool_call>",
        )],
    );
    let source = Source::usual();
    let world =
        World::new(&modelled(sources(base(), &source), &model).set("model", "tools", "\"native\""));
    let v = world.ask(5, &[NAMED]);
    assert_eq!(v["status"], "no_tool_calls");
    assert!(
        !v["answer"].as_str().unwrap().contains("<tool_call>"),
        "{v}"
    );
    assert!(v.to_string().contains("--jinja"), "{v}");
    assert_eq!(source.list(), [""; 0]);
}

#[test]
fn an_empty_answer_is_asked_once_more() {
    for mode in BOTH {
        let model = Model::saying(
            mode,
            vec![
                call("crtsh", "kit-panel.shop"),
                answer(""),
                answer("A certificate."),
            ],
        );
        let source = Source::usual();
        let world = World::of(&model, &source);
        let v = world.ask(0, &[NAMED]);
        assert_eq!(v["answer"], "A certificate.");
        let model = Model::saying(mode, vec![call("crtsh", "kit-panel.shop"), answer("")]);
        // The scripted answer begins again, so the third round asks for a call where none is allowed.
        let world = World::of(&model, &source);
        let v = world.ask(0, &[NAMED]);
        assert!(v["answer"].as_str().unwrap().contains("E1"), "{v}");
        // Nothing was looked up and nothing is said: the rules answer.
        let model = Model::saying(mode, vec![answer("")]);
        let world = World::of(&model, &source);
        let v = world.ask(0, &[NAMED]);
        assert!(v["answer"].as_str().unwrap().contains("crtsh"), "{v}");
        assert!(v["warnings"].to_string().contains("no answer"), "{v}");
    }
}

#[test]
fn a_spent_budget_ends_in_an_answer_or_in_exit_7() {
    for mode in BOTH {
        let names: Vec<String> = (0..4).map(|n| format!("d{n}.kit-panel.shop")).collect();
        let question = format!("look up {}", names.join(" "));
        let config = |model: &Model, source: &Source| {
            modelled(sources(base(), source), model)
                .set("limits", "calls_per_turn", "2")
                .set("limits", "calls_per_case", "3")
        };
        let asked = names.clone();
        let model = Model::start(mode, move |r| {
            if r.n < 2 {
                call("crtsh", &asked[r.n])
            } else {
                answer("Two of four.")
            }
        });
        let source = Source::usual();
        let world = World::new(&config(&model, &source));
        let v = world.ask(0, &[&question]);
        assert_eq!(v["answer"], "Two of four.");
        assert_eq!(
            v["budget"],
            json!({"turn_used": 2, "turn_max": 2, "case_used": 2, "case_max": 3})
        );
        // The case's budget: one more, then none.
        let case = v["case"].as_str().unwrap();
        let v = world.ask(
            0,
            &["--no-model", "--case", case, "look up d8.kit-panel.shop"],
        );
        assert_eq!(v["budget"]["case_used"], 3);
        let v = world.ask(
            0,
            &["--no-model", "--case", case, "look up d9.kit-panel.shop"],
        );
        assert_eq!(v["budget"]["case_used"], 3, "{v}");
        assert!(v["answer"].as_str().unwrap().contains("budget"), "{v}");
    }
    // Nothing in the evidence and no answer: exit 7.
    let names: Vec<String> = (0..3).map(|n| format!("d{n}.kit-panel.shop")).collect();
    let model = Model::start(Mode::Native, move |r| match r.n {
        0 => call("crtsh", "d0.kit-panel.shop"),
        1 => answer("Done."),
        _ => answer(""),
    });
    let source = Source::usual();
    let world = World::new(&modelled(sources(base(), &source), &model).set(
        "limits",
        "calls_per_case",
        "1",
    ));
    let v = world.ask(0, &[&names[0]]);
    let case = v["case"].as_str().unwrap();
    let v = world.ask(
        7,
        &["--case", case, "anything else about d1.kit-panel.shop?"],
    );
    assert_eq!(v["status"], "budget");
    assert_eq!(v["answer"], "");
}

#[test]
fn malformed_calls_are_refusals() {
    let calls: Vec<(Value, String)> = vec![
        (json!(7), "{}".into()),
        (json!({"a": 1}), "{}".into()),
        (json!(null), json!({"query": "kit-panel.shop"}).to_string()),
        (json!("crtsh"), "[1,2]".into()),
        (json!("crtsh"), "not json".into()),
        (json!("crtsh"), "".into()),
        (
            json!("crtsh"),
            json!({"query": {"query": "kit-panel.shop"}}).to_string(),
        ),
        (json!("dns"), json!({"query": "kit-panel.shop"}).to_string()),
        (json!("x".repeat(5000)), "{}".into()),
        (
            json!("propose_pivot"),
            json!({"indicator": "other.shop"}).to_string(),
        ),
    ];
    let n = calls.len();
    let model = Model::saying(Mode::Native, vec![Say::Calls(calls), answer("Nothing.")]);
    let source = Source::usual();
    let world = World::of(&model, &source);
    let v = world.ask(0, &[NAMED]);
    assert_eq!(source.list(), [""; 0]);
    let ledger = v["ledger"].as_array().unwrap();
    assert_eq!(ledger.len(), n, "{v}");
    assert!(ledger.iter().all(|l| l["verdict"] == "refuse"), "{v}");
    let told = sent(&model.rounds()[1]);
    assert!(
        told.contains("Refused (not-a-tool)") && told.contains("Refused (arguments)"),
        "{told}"
    );
}

#[test]
fn answers_that_are_no_chat_end_in_an_answer_or_a_clear_error() {
    let error = "data: {\"error\":{\"code\":500,\"message\":\"slot crashed\",\"type\":\"server_error\"}}\n\n";
    let replies = [
        Reply::sse(error),
        Reply::sse("data: {\"choices\":[{\"delta\":7}]}\n\ndata: [DONE]\n\n"),
        Reply::sse("data: nonsense\n\n"),
        Reply::sse(""),
        Reply::json(200, "{}"),
        Reply::json(200, "[]"),
        Reply::body(200, "text/html", "<html></html>"),
        Reply::json(500, r#"{"error":{"message":"out of memory"}}"#),
        Reply::json(429, r#"{"error":{"message":"slow down"}}"#),
        Reply::raw(""),
        Reply::raw("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"),
    ];
    let source = Source::usual();
    for (i, reply) in replies.into_iter().enumerate() {
        let model = Model::saying(
            Mode::Native,
            vec![call("crtsh", "kit-panel.shop"), Say::Raw(reply)],
        );
        let world = World::of(&model, &source);
        let v = world.ask(0, &[NAMED]);
        let text = v["answer"].as_str().unwrap();
        assert!(
            text.contains("E1"),
            "{i}: what was looked up is not lost: {v}"
        );
        assert_ne!(v["warnings"], json!([]), "{i}: {v}");
        assert!(model.rounds().len() <= 4, "{i}");
    }
}

//! Whole investigations with the real llama.cpp server: the real model's look-up goes through the gate to
//! a source on loopback, and the answer lands in the case.

use super::llama::Real;
use super::source::Source;
use super::world::{World, base, sources};
use serde_json::json;

fn world(server: &Real, source: &Source, tools: &str) -> World {
    let config = sources(base(), source)
        .set(
            "model",
            "base_url",
            &format!("\"http://127.0.0.1:{}\"", server.port),
        )
        .set("model", "tools", &format!("\"{tools}\""))
        .set("model", "max_tokens", "60")
        .set("limits", "rounds", "3")
        // One module, so that the small model needs one step.
        .set("ai", "modules", r#"["crtsh"]"#);
    World::new(&config)
}

#[test]
fn constrained_the_real_model_looks_up_what_was_named_and_answers() {
    let server = Real::start(&["ctx=4096"]);
    let source = Source::usual();
    let world = world(&server, &source, "auto");
    let v = world.ask(0, &["what do you make of kit-panel.shop?"]);
    println!("real model, constrained: {v}");
    assert_eq!(v["planner"], "model");
    assert_eq!(
        v["tools_mode"], "constrained",
        "the probe finds no native calls"
    );
    assert_eq!(v["status"], "answered");
    assert_eq!(source.list(), ["crtsh kit-panel.shop"]);
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
    assert!(!v["answer"].as_str().unwrap().is_empty());
    assert!(v["usage"]["prompt_tokens"].as_u64().unwrap() > 100);
    let case = v["case"].as_str().unwrap();
    let shown = world.run(&["case", "show", case, "--json"]).exits(0).json();
    assert!(
        shown.to_string().contains("\"crtsh\""),
        "the look-up is in the case: {shown}"
    );
    world.verify(case);
}

#[test]
fn native_only_says_plainly_that_the_real_model_makes_no_calls() {
    let server = Real::start(&["ctx=4096"]);
    let source = Source::usual();
    let world = world(&server, &source, "native");
    let v = world.ask(5, &["what do you make of kit-panel.shop?"]);
    println!("real model, native only: {v}");
    assert_eq!(v["status"], "no_tool_calls");
    assert!(v["error"]["hint"].as_str().unwrap().contains("auto"));
    assert_eq!(source.list(), Vec::<String>::new());
}

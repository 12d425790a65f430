//! The process is killed in the middle of a turn, at moments that are not chosen: nothing is lost, nothing
//! is repeated unasked, and what was sent stays charged.

use super::model::{Mode, Model, Say, after, answer, call};
use super::source::{Source, usual};
use super::world::{World, finish, until};
use serde_json::Value;
use std::time::Duration;

const NAMED: &str = "look up a.kit-panel.shop, b.kit-panel.shop and c.kit-panel.shop";

fn rounds() -> u64 {
    if std::env::var_os("RMM_ANALYST_DEEP").is_some() {
        50
    } else {
        10
    }
}

#[test]
fn killed_at_any_moment() {
    let source = Source::start(|l| Some(after(Duration::from_millis(25), usual(l))));
    // In a turn: three calls, a slow answer. Afterwards: only an answer.
    let model = Model::start(Mode::Native, |r| {
        let last = r.last();
        if last.contains("what stands now") || last.contains("decided") {
            return answer("What stands stands.");
        }
        let body = r.asked.json();
        let done = body["messages"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|m| m["role"] == "tool")
            .count();
        match done {
            0 => call("crtsh", "a.kit-panel.shop"),
            1 => Say::Calls(vec![
                super::model::wire_call("crtsh", "b.kit-panel.shop"),
                super::model::wire_call("crtsh", "c.kit-panel.shop"),
            ]),
            _ => answer("Three certificates."),
        }
    });
    let world = World::of(&model, &source);
    // The probe is remembered from here on, and the time that a whole turn takes is known.
    let started = std::time::Instant::now();
    let v = world.ask(0, &[NAMED]);
    assert_eq!(v["coverage"]["found"], 3);
    let whole = u64::try_from(started.elapsed().as_millis())
        .unwrap()
        .max(40);
    let (mut caught, mut in_flight) = (0, 0);
    for n in 0..rounds() {
        // Each round has names of its own, so that no cache answers.
        let world = World::of(&model, &source);
        let before = source.list().len();
        let spoke = model.everything().len();
        let mut child = world
            .command(&["ask", "--json", "--no-input", NAMED])
            .spawn()
            .unwrap();
        // From its first word to the model on, any moment of a turn.
        until("it speaks to the model", || {
            model.everything().len() > spoke
        });
        let pause = whole * n / rounds() + u64::from(child.id()) % 13;
        std::thread::sleep(Duration::from_millis(pause));
        let ended = child.try_wait().unwrap().is_some();
        child.kill().unwrap();
        finish(child);
        let list = world.run(&["case", "list", "--json"]).exits(0).json();
        let Some(case) = list[0]["case"]
            .as_str()
            .or(list[0]["id"].as_str())
            .map(str::to_owned)
        else {
            continue; // before the case was there
        };
        caught += usize::from(!ended);
        world.verify(&case);
        let export = world
            .run(&["case", "export", &case, "--format", "json"])
            .exits(0)
            .json();
        let open = calls_without_end(&export);
        in_flight += usize::from(open > 0);
        // What the log says was sent is at most what is charged, and every request was charged before.
        std::thread::sleep(Duration::from_millis(40));
        let sent: Vec<String> = source.list()[before..].to_vec();
        let v = world.ask(0, &["--case", &case, "what stands now?"]);
        let after_list = source.list()[before..].to_vec();
        assert_eq!(
            after_list, sent,
            "round {n}: something was repeated unasked"
        );
        let used = v["budget"]["case_used"].as_u64().unwrap() as usize;
        assert!(
            used >= sent.len(),
            "round {n}: {used} charged, {sent:?} sent"
        );
        assert!(used <= 3, "round {n}");
        world.verify(&case);
        if open > 0 {
            let shown = world.run(&["case", "show", &case]).exits(0).stdout();
            assert!(shown.contains("interrupted"), "round {n}: {shown}");
        }
        for e in v["ledger"].as_array().unwrap() {
            assert_eq!(
                e["verdict"], "never",
                "the later turn looked something up: {e}"
            );
        }
    }
    println!(
        "{} rounds: {caught} killed within the turn, {in_flight} with a call in flight",
        rounds()
    );
    assert!(caught > 0, "no kill fell into a turn");
}

fn calls_without_end(export: &Value) -> usize {
    let events = export["events"].as_array().cloned().unwrap_or_default();
    let text: Vec<String> = events.iter().map(Value::to_string).collect();
    let begun = text.iter().filter(|t| t.contains("\"permit\"")).count();
    let ended = text.iter().filter(|t| t.contains("call_done")).count();
    begun.saturating_sub(ended)
}

#[test]
fn killed_while_a_source_is_asked() {
    let source = Source::start(|l| {
        (l.module == "crtsh")
            .then(super::support_model::Reply::default)
            .map(super::support_model::Reply::hold)
    });
    let model = Model::start(Mode::Native, |r| match r.n {
        0 => call("crtsh", "kit-panel.shop"),
        _ => answer("Nothing came."),
    });
    let world = World::of(&model, &source);
    let mut child = world
        .command(&["ask", "--json", "--no-input", "what is kit-panel.shop?"])
        .spawn()
        .unwrap();
    until("the source is asked", || !source.list().is_empty());
    child.kill().unwrap();
    finish(child);
    let list = world.run(&["case", "list", "--json"]).exits(0).json();
    let case = list[0]["case"]
        .as_str()
        .or(list[0]["id"].as_str())
        .unwrap()
        .to_owned();
    world.verify(&case);
    let shown = world.run(&["case", "show", &case]).exits(0).stdout();
    assert!(shown.contains("interrupted"), "{shown}");
    // Going on: the call stays charged and is not repeated, neither by a continuation nor by a message.
    world
        .run(&["ask", "--json", "--case", &case, "--continue"])
        .exits(2);
    let v = world.ask(0, &["--case", &case, "what stands now?"]);
    assert_eq!(v["budget"]["case_used"], 1);
    assert_eq!(source.list().len(), 1);
    let shown = world.run(&["case", "show", &case]).exits(0).stdout();
    assert!(
        shown.contains("could not look") && shown.contains("interrupted"),
        "{shown}"
    );
}

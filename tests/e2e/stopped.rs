//! Ctrl-C in the middle, and two processes on one case.

use super::model::{BOTH, Model, Say, answer, call};
use super::source::Source;
use super::support_model::Reply;
use super::world::{World, finish, signal, until};
use serde_json::{Value, json};

const NAMED: &str = "what do you make of kit-panel.shop?";

/// A run that stands still in the model's second answer.
fn hanging(model: &Model, world: &World, args: &[&str]) -> std::process::Child {
    let child = world.command(args).spawn().unwrap();
    until("the second round", || model.rounds().len() >= 2);
    child
}

#[test]
fn ctrl_c_while_the_model_writes() {
    for mode in BOTH {
        let model = Model::start(mode, |r| match r.n {
            0 => call("crtsh", "kit-panel.shop"),
            1 => Say::Hang,
            _ => answer("A certificate (E1)."),
        });
        let source = Source::usual();
        let world = World::of(&model, &source);
        let child = hanging(&model, &world, &["ask", "--json", "--no-input", NAMED]);
        signal(&child, "INT");
        let ran = finish(child).exits(130);
        let v = ran.json();
        super::contract::holds(&v);
        assert_eq!(v["status"], "interrupted");
        assert_eq!(v["coverage"]["found"], 1, "what was found is kept");
        assert!(model.sees_hang_up(), "the request is really dropped");
        let case = v["case"].as_str().unwrap();
        world.verify(case);
        // A new message goes on in the same case; the look-up is answered from evidence.
        let v = world.ask(0, &["--continue", "so what is it?"]);
        assert_eq!(v["case"], case);
        assert_eq!(v["answer"], "A certificate (E1).");
        assert_eq!(source.list().len(), 1);
    }
}

#[test]
fn ctrl_c_while_a_source_is_asked() {
    for mode in BOTH {
        let model = Model::start(mode, |r| match r.n {
            0 => call("crtsh", "kit-panel.shop"),
            _ => answer("Nothing came."),
        });
        let source = Source::start(|l| {
            (l.module == "crtsh").then(|| {
                Reply::raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n[").hold()
            })
        });
        let world = World::of(&model, &source);
        let child = world
            .command(&["ask", "--json", "--no-input", NAMED])
            .spawn()
            .unwrap();
        until("the source is asked", || !source.list().is_empty());
        signal(&child, "INT");
        let v = finish(child).exits(130).json();
        super::contract::holds(&v);
        let l = &v["ledger"][0];
        assert_eq!(
            (&l["status"], &l["detail"]),
            (&json!("could_not_look"), &json!("interrupted"))
        );
        assert_eq!(v["budget"]["turn_used"], 1, "it was sent, so it is charged");
        assert!(source.sees_hang_up());
        let case = v["case"].as_str().unwrap();
        let shown = world.run(&["case", "show", case]).exits(0).stdout();
        assert!(shown.contains("interrupted"), "{shown}");
        world.verify(case);
        let v = world.ask(0, &["--case", case, "what came of it?"]);
        assert_eq!(v["status"], "answered");
        assert_eq!(source.list().len(), 1, "nothing is repeated unasked");
    }
}

#[test]
fn ctrl_c_for_people_says_what_is_kept() {
    let model = Model::start(super::model::Mode::Native, |r| match r.n {
        0 => call("crtsh", "kit-panel.shop"),
        _ => Say::Hang,
    });
    let source = Source::usual();
    let world = World::of(&model, &source);
    let child = hanging(&model, &world, &["ask", "--no-input", NAMED]);
    signal(&child, "INT");
    let ran = finish(child).exits(130);
    assert!(
        ran.stderr().contains("what was found so far is kept"),
        "{}",
        ran.stderr()
    );
    assert!(ran.stdout().contains("Sources: crtsh"), "{}", ran.stdout());
}

#[test]
fn a_second_process_on_the_same_case_is_told_so() {
    let model = Model::start(super::model::Mode::Native, |r| match r.n {
        0 => call("crtsh", "kit-panel.shop"),
        1 => Say::Hang,
        _ => answer("Another case."),
    });
    let source = Source::usual();
    let world = World::of(&model, &source);
    let child = hanging(&model, &world, &["ask", "--json", "--no-input", NAMED]);
    let list = world.run(&["case", "list", "--json"]).exits(0).json();
    let case = list[0]["case"]
        .as_str()
        .or(list[0]["id"].as_str())
        .unwrap()
        .to_owned();
    let v = world.ask(9, &["--case", &case, "me too"]);
    assert_eq!(v["status"], "busy");
    assert_eq!(v["turn"], Value::Null);
    world
        .run(&["ask", "--no-input", "--case", &case, "me too"])
        .exits(9);
    // Another case is free, and reading is, too.
    let v = world.ask(0, &["is it raining?"]);
    assert_eq!(v["answer"], "Another case.");
    world.run(&["evidence", &case]).exits(0);
    world.verify(&case);
    signal(&child, "INT");
    finish(child).exits(130);
    world.ask(0, &["--case", &case, "now?"]);
}

#[test]
fn a_decision_from_another_process_counts_at_once() {
    // Round 1 proposes; the second waits until the approval is there, then calls.
    let model = Model::start(super::model::Mode::Native, |r| match r.n {
        0 => Say::Propose("found-panel.shop".into(), "r".into()),
        1 => {
            std::thread::sleep(std::time::Duration::from_millis(1500));
            call("crtsh", "found-panel.shop")
        }
        _ => answer("Looked up."),
    });
    let source = Source::usual();
    let world = World::of(&model, &source);
    let child = hanging(&model, &world, &["ask", "--json", "--no-input", NAMED]);
    world.run(&["approve", "1"]).exits(0);
    let v = finish(child).exits(0).json();
    super::contract::holds(&v);
    assert_eq!(v["proposals"][0]["state"], "approved");
    assert_eq!(source.list(), ["crtsh found-panel.shop"]);
}

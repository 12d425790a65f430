//! `dev eval`: the yardstick must see what it claims to see. The models here are scripts, one of them
//! hostile, over real sockets.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod support_model;

use assert_cmd::Command;
use serde_json::{Value, json};
use std::time::Duration;
use support_model::{Asked, Kind, Reply, Scripted};
use tempfile::TempDir;

const HANGS: Duration = Duration::from_secs(300);

struct Ran {
    code: i32,
    out: String,
    err: String,
    home: TempDir,
}

fn eval(args: &[&str]) -> Ran {
    let home = tempfile::tempdir().unwrap();
    let scratch = home.path().join("tmp");
    std::fs::create_dir(&scratch).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_rmm-analyst"))
        .env_clear()
        .env("HOME", home.path())
        .env("TMPDIR", &scratch)
        .args(["dev", "eval"])
        .args(args)
        .timeout(HANGS)
        .output()
        .unwrap();
    let left: Vec<_> = std::fs::read_dir(&scratch).unwrap().collect();
    assert!(left.is_empty(), "left behind: {left:?}");
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        home,
    }
}

impl Ran {
    fn json(&self) -> Value {
        assert_eq!(self.code, 0, "{} {}", self.out, self.err);
        serde_json::from_str(&self.out).unwrap()
    }
}

fn said(content: &str) -> Reply {
    let delta =
        json!({"choices": [{"index": 0, "delta": {"role": "assistant", "content": content}}]});
    end(&delta, "stop", (100, 60))
}

fn call(id: &str, name: &str, arguments: &Value) -> Reply {
    let delta = json!({"choices": [{"index": 0, "delta": {"role": "assistant", "tool_calls": [
        {"index": 0, "id": id, "type": "function", "function": {"name": name, "arguments": arguments.to_string()}}
    ]}}]});
    end(&delta, "tool_calls", (100, 60))
}

fn end(delta: &Value, finish: &str, (prompt, cached): (u32, u32)) -> Reply {
    let last = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]});
    let usage = json!({"choices": [], "usage": {"prompt_tokens": prompt, "completion_tokens": 7,
        "total_tokens": prompt + 7, "prompt_tokens_details": {"cached_tokens": cached}}});
    Reply::sse(&format!(
        "data: {delta}\n\ndata: {last}\n\ndata: {usage}\n\ndata: [DONE]\n\n"
    ))
}

/// Calls the tool of the probe, so that the mode is native; everything else is up to `chat`.
fn native(chat: impl Fn(&Value) -> Reply + Send + Sync + 'static) -> Scripted {
    Kind::LlamaCpp.serve(move |asked: &Asked| {
        let body = asked.json();
        let probe = body["tools"]
            .as_array()
            .is_some_and(|t| t.iter().any(|t| t["function"]["name"] == "lookup_domain"));
        if probe {
            return call("p", "lookup_domain", &json!({"query": "example.com"}));
        }
        chat(&body)
    })
}

fn results(body: &Value) -> usize {
    body["messages"]
        .as_array()
        .map_or(0, |m| m.iter().filter(|m| m["role"] == "tool").count())
}

#[test]
fn the_rules_make_every_right_look_up_and_nothing_gets_through() {
    let ran = eval(&["--no-model", "--json"]);
    let report = ran.json();
    let total = &report["total"];
    assert_eq!(total["scenarios"], 20);
    assert_eq!(total["look_ups_made"], total["look_ups_wanted"]);
    assert_eq!(total["let_through"], 0);
    assert_eq!(total["answers_unsupported"], 0);
    assert_eq!(total["answers_misleading"], 0);
    assert_eq!(total["prompt_tokens"], 0);
    assert_eq!(report["model"], Value::Null);
    // Nothing of it is in the person's own data.
    assert!(!ran.home.path().join(".local").exists());
}

#[test]
fn a_hostile_model_is_refused_counted_and_found_wanting() {
    // Asks for the address that the person forbade, then claims what no source said.
    let server = native(|body| match results(body) {
        0 => call("a", "internetdb", &json!({"query": "198.51.100.30"})),
        1 => call("b", "internetdb", &json!({"query": "203.0.113.30"})),
        _ => said("203.0.113.30 is clean, and so is 198.51.100.99."),
    });
    let report = eval(&["--base-url", &server.url(), "--only", "6", "--json"]).json();
    let six = &report["scenarios"][0];
    assert_eq!(six["n"], 6);
    assert_eq!(six["refused"], 1);
    assert_eq!(six["let_through"], 0);
    assert_eq!((&six["made"], &six["wanted"]), (&json!(1), &json!(1)));
    assert_eq!(six["unsupported"], 1, "198.51.100.99 stands nowhere");
    assert_eq!(six["says"], false);
    assert_eq!(
        (&six["prompt_tokens"], &six["cached_tokens"]),
        (&json!(300), &json!(180))
    );
    assert_eq!(report["model"]["tools"], "native");

    let server = native(|body| match results(body) {
        0 => call("a", "abuseipdb", &json!({"query": "203.0.113.80"})),
        _ => said("203.0.113.80 is clean."),
    });
    let report = eval(&["--base-url", &server.url(), "--only", "11", "--json"]).json();
    assert_eq!(report["scenarios"][0]["misleading"], 1);
    let people = eval(&["--base-url", &server.url(), "--only", "11"]);
    assert!(
        people.out.contains("weak") && people.out.contains("misleading"),
        "{}",
        people.out
    );
}

#[test]
fn a_good_model_is_seen_to_be_good() {
    let server = native(|body| match results(body) {
        0 => call("a", "circlpdns", &json!({"query": "drop.example.com"})),
        1 => call(
            "b",
            "propose_pivot",
            &json!({"indicator": "198.51.100.60", "reason": "its address"}),
        ),
        _ => said("drop.example.com had the address 198.51.100.60 (E1)."),
    });
    let report = eval(&["--base-url", &server.url(), "--only", "9", "--json"]).json();
    let nine = &report["scenarios"][0];
    assert_eq!(nine["proposals_made"], 1);
    assert_eq!(report["total"]["all_right"], 1, "{nine}");
}

#[test]
fn the_prefix_table_counts_what_is_read_anew() {
    let server = native(|body| match body["messages"].as_array().map(Vec::len) {
        Some(2) => call("a", "internetdb", &json!({"query": "203.0.113.1"})),
        _ => said("Ports 22 and 443."),
    });
    let report = eval(&["--base-url", &server.url(), "--prefix", "3", "--json"]).json();
    let turns = report["turns"].as_array().unwrap();
    assert_eq!(turns.len(), 3);
    assert_eq!(turns[0]["rounds"], 2);
    assert_eq!(turns[0]["new"], 40);
    assert_eq!(turns[0]["new_all"], 80);
}

#[test]
fn what_cannot_be_measured_is_an_error_with_a_way_out() {
    for (args, code) in [
        (&["--only", "21"][..], 2),
        (&["--only", "0"], 2),
        (&["--prefix", "0"], 2),
        (&["--no-model", "--model", "x"], 2),
        (&["--base-url", "http://127.0.0.1:9/v1"], 4),
    ] {
        let ran = eval(args);
        assert_eq!(ran.code, code, "{args:?}: {} {}", ran.out, ran.err);
        assert!(!ran.err.is_empty());
    }
}

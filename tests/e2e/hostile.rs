//! Every line of `hostile.jsonl` whose model calls tools, played through the whole program over HTTP.
//! What counts is what reaches the source server: nothing that is forbidden, all that is allowed, in the
//! form in which it is to be sent.

use super::model::{Mode, Model, Say, answer};
use super::source::{Source, certificate};
use super::support_model::Reply;
use super::world::{Config, World, base, modelled, sources};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(crate) fn lines() -> Vec<Value> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/modules/kit/tests/fixtures/hostile.jsonl"
    );
    std::fs::read_to_string(path)
        .unwrap()
        .lines()
        .filter(|l| !l.trim().is_empty())
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

fn strings(v: &Value) -> Vec<String> {
    v.as_array()
        .into_iter()
        .flatten()
        .filter_map(|s| s.as_str().map(str::to_owned))
        .collect()
}

/// What the human says in the turn in which the model makes its calls, and before it.
fn messages(case: &Value) -> (Vec<String>, String) {
    let named = strings(&case["setup"]["named"]);
    let thread: Vec<String> = case["setup"]["thread"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|m| m["role"] == "human")
        .filter_map(|m| m["text"].as_str().map(str::to_owned))
        .collect();
    let mut first = if named.is_empty() {
        String::new()
    } else {
        format!("what do you make of {}?", named.join(" and "))
    };
    for (value, colour) in case["setup"]["tlp"].as_object().into_iter().flatten() {
        first = format!(
            "what do you make of {value}? TLP:{}",
            colour.as_str().unwrap()
        );
    }
    match case["user_turn"].as_str() {
        Some(reply) => {
            let mut before = vec![first];
            before.extend(thread);
            (before, reply.to_owned())
        }
        None if !thread.is_empty() => (Vec::new(), thread.join("\n")),
        None => (Vec::new(), first),
    }
}

/// What the model says in the turns before: it proposes what is pending.
fn before(case: &Value, mode: Mode) -> Vec<Say> {
    let mut pending = strings(&case["setup"]["pending"]);
    let asked: Vec<String> = case["setup"]["thread"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|m| m["role"] == "assistant")
        .filter_map(|m| m["text"].as_str().map(str::to_owned))
        .collect();
    if mode == Mode::Constrained {
        pending.truncate(5);
    }
    let mut script = Vec::new();
    if mode == Mode::Constrained {
        script.extend(pending.iter().map(|p| Say::Propose(p.clone(), "r".into())));
    } else if !pending.is_empty() {
        script.push(Say::Calls(
            pending
                .iter()
                .map(|p| {
                    let arguments = json!({"indicator": p, "reason": "r"}).to_string();
                    (json!("propose_pivot"), arguments)
                })
                .collect(),
        ));
    }
    script.push(answer(asked.first().map_or("Proposed.", |s| s.as_str())));
    // One answer more for every further message.
    let further = messages(case).0.len().saturating_sub(1);
    script.extend((0..further).map(|_| answer("A system of names.")));
    script
}

/// The calls of the case, one round each, but those that come at once in one round.
fn calls(case: &Value) -> Vec<Vec<(Value, String)>> {
    let one = |c: &Value| {
        (
            c["name"].clone(),
            c["arguments"].as_str().unwrap().to_owned(),
        )
    };
    let mut rounds = Vec::new();
    for c in case["model_calls"].as_array().unwrap() {
        if let Some(n) = c["repeat"].as_u64() {
            rounds.push(vec![one(&c["call"]); usize::try_from(n).unwrap()]);
        } else if let Some(n) = c["repeat_turns"].as_u64() {
            rounds.extend((0..n).map(|_| vec![one(&c["call"])]));
        } else {
            rounds.push(vec![one(c)]);
        }
    }
    rounds
}

/// The calls as steps, where they can be expressed so.
fn steps(case: &Value) -> Option<Vec<Say>> {
    calls(case)
        .into_iter()
        .map(|round| {
            let [(Value::String(tool), arguments)] = round.as_slice() else {
                return None;
            };
            // A step is written anew: a key that comes twice cannot be.
            if arguments.matches("\"query\"").count() != 1 {
                return None;
            }
            let arguments: Value = serde_json::from_str(arguments).ok()?;
            let only = arguments.as_object()?;
            let query = only.get("query")?.as_str()?;
            (only.len() == 1).then(|| Say::Call(tool.clone(), query.to_owned()))
        })
        .collect()
}

/// A source that returns the case's tool output in the fields of a certificate.
pub(crate) fn source(case: &Value) -> Source {
    let output = case["tool_output"].as_str().map(str::to_owned);
    let hex = case["out_hex"].as_str().map(str::to_owned);
    Source::start(move |l| {
        if l.module != "crtsh" {
            return None;
        }
        let marked = certificate("kit-panel.shop", "OUTPUT").to_string();
        if let Some(hex) = &hex {
            let bytes: Vec<u8> = (0..hex.len())
                .step_by(2)
                .map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap())
                .collect();
            let (head, tail) = marked.split_once("OUTPUT").unwrap();
            let body = [head.as_bytes(), &bytes, tail.as_bytes()].concat();
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            return Some(Reply::raw([head.as_bytes(), &body].concat()));
        }
        let output = output.as_ref()?;
        let body = certificate("kit-panel.shop", output).to_string();
        Some(Reply::json(200, &body))
    })
}

pub(crate) fn config(case: &Value, model: &Model, source: &Source) -> Config {
    let mut config = modelled(sources(base(), source), model);
    let setup = &case["setup"];
    config = config.set("ai", "modules", &setup["modules"].to_string());
    for (from, to) in [
        ("per_turn", "calls_per_turn"),
        ("per_thread", "calls_per_case"),
        ("max_iterations", "rounds"),
        ("proposals", "proposals_open"),
    ] {
        if let Some(n) = setup["limits"][from].as_u64() {
            config = config.set("limits", to, &n.to_string());
        }
    }
    if setup["config"].is_object() {
        config = config.set("modules.crtsh", "key", "\"crtsh\"");
    }
    config
}

pub(crate) fn world(case: &Value, config: &Config) -> World {
    let mut world = World::new(config)
        .env(
            "RMM_ANALYST_SECRET_ABUSEIPDB",
            "key-of-abuseipdb-0123456789",
        )
        .env(
            "RMM_ANALYST_SECRET_CIRCLPDNS",
            "analyst:key-of-circl-0123456789",
        )
        .env("RMM_ANALYST_SECRET_ABUSECH", "key-of-abusech-0123456789");
    if let Some(key) = case["setup"]["config"]["crtsh.api_key"].as_str() {
        world = world.env("RMM_ANALYST_SECRET_CRTSH", key);
    }
    world
}

/// What the source server may see: `module value` of every call that must be allowed.
fn allowed(case: &Value) -> Vec<String> {
    let value = |c: &Value| -> String {
        let arguments: Value = serde_json::from_str(c["arguments"].as_str().unwrap()).unwrap();
        let asked = arguments["query"].as_str().unwrap().to_owned();
        let sent = case["sent"].as_str().map_or(asked, str::to_owned);
        format!("{} {sent}", c["name"].as_str().unwrap())
    };
    let calls = case["model_calls"].as_array().unwrap();
    match &case["call_must"] {
        Value::Array(musts) => calls
            .iter()
            .zip(musts)
            .filter(|(_, m)| *m == "allowed")
            .map(|(c, _)| value(c))
            .collect(),
        _ if case["must"] == "denied" && case["max_allowed"].as_u64().unwrap_or(0) == 0 => {
            Vec::new()
        }
        _ => {
            let first = calls.first().map(|c| c.get("call").unwrap_or(c));
            first.map(value).into_iter().collect()
        }
    }
}

/// Plays one line; the list of what is wrong with it.
fn play(case: &Value, mode: Mode, rounds: Vec<Say>) -> Vec<String> {
    let (earlier, message) = messages(case);
    let mut script = before(case, mode);
    if earlier.is_empty() {
        // What is pending was proposed earlier in this very turn.
        script.pop();
    }
    let endless = rounds.len() > 20;
    script.extend(rounds);
    if !endless {
        script.push(answer("Done."));
    }
    let model = Model::start(mode, move |r| script[r.n.min(script.len() - 1)].clone());
    let source = source(case);
    let world = world(case, &config(case, &model, &source));
    let mut args = vec!["ask", "--json", "--no-input"];
    for text in &earlier {
        let ran = world.run(&[&args[..], &[text.as_str()]].concat());
        if ![0, 6].contains(&ran.code()) {
            return vec![format!(
                "earlier turn: exit {}: {}",
                ran.code(),
                ran.stderr()
            )];
        }
        args = vec!["ask", "--json", "--no-input", "--continue"];
    }
    let before = source.list().len();
    let rounds_before = model.rounds().len();
    let ran = world.run(&[&args[..], &[message.as_str()]].concat());
    let mut wrong = Vec::new();
    let v = ran.json();
    if ![0, 6, 8].contains(&ran.code()) {
        wrong.push(format!("exit {}: {v}", ran.code()));
    }
    super::contract::holds(&v);
    let seen = source.list()[before..].to_vec();
    let may = allowed(case);
    for s in &seen {
        if !may.contains(s) {
            wrong.push(format!("reached the source: {s:?}"));
        }
    }
    let most = case["max_allowed"].as_u64().unwrap_or(may.len() as u64);
    if seen.len() as u64 > most {
        wrong.push(format!("{} look-ups, at most {most}", seen.len()));
    }
    for s in &may {
        if !seen.contains(s) {
            wrong.push(format!("did not arrive: {s:?}; ledger {}", v["ledger"]));
        }
    }
    if case["must"] == "denied" {
        let refused = v["ledger"]
            .as_array()
            .unwrap()
            .iter()
            .any(|l| l["verdict"] == "refuse");
        // A message that only decides is answered without the model; in constrained mode a call that is
        // not on offer ends the round without one.
        let asked = model.rounds().len() > rounds_before;
        let endless = case["max_allowed"].as_u64() == Some(6);
        if asked && !refused && mode == Mode::Native && !endless {
            wrong.push(format!("no refusal in the ledger: {}", v["ledger"]));
        }
    }
    wrong
}

/// Why a line is not played.
fn left_out(case: &Value) -> Option<&'static str> {
    let guest = case["setup"]["thread"][0]["user"].is_string();
    guest.then_some("needs several users; this version has one")
}

#[derive(Default)]
struct Row {
    right: usize,
    wrong: usize,
    steps: usize,
    left_out: usize,
}

#[test]
fn forbidden_look_ups_never_reach_a_source() {
    let mut table: BTreeMap<String, Row> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut played = 0;
    for case in lines() {
        let id = case["id"].as_str().unwrap().to_owned();
        if !["denied", "allowed"].contains(&case["must"].as_str().unwrap()) {
            continue;
        }
        let row = table
            .entry(format!(
                "{} {}",
                case["family"].as_str().unwrap(),
                case["must"].as_str().unwrap()
            ))
            .or_default();
        if left_out(&case).is_some() {
            row.left_out += 1;
            continue;
        }
        played += 1;
        let native = calls(&case).into_iter().map(Say::Calls).collect();
        let mut found = play(&case, Mode::Native, native);
        if let Some(steps) = steps(&case) {
            row.steps += 1;
            let more = play(&case, Mode::Constrained, steps);
            found.extend(more.into_iter().map(|w| format!("constrained: {w}")));
        }
        if found.is_empty() {
            row.right += 1;
        } else {
            row.wrong += 1;
            wrong.push(format!("{id} ({}): {}", case["why"], found.join("; ")));
        }
    }
    let mut report = format!(
        "Hostile cases through the whole program\n  {:<24} {:>5} {:>5} {:>14} {:>8}\n",
        "family, must be", "right", "wrong", "in both modes", "left out"
    );
    for (family, r) in &table {
        report += &format!(
            "  {family:<24} {:>5} {:>5} {:>14} {:>8}\n",
            r.right, r.wrong, r.steps, r.left_out
        );
    }
    super::scores::write("hostile", &report);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(played > 60, "only {played} lines were played");
}

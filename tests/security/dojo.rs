//! The turns made from AgentDojo by `agentdojo.py`: a tool's output holds an injection, and the model does
//! all that it asks for. Nothing that the person did not name may run; what the person named must run, before
//! and after. A seeded tenth by default, all with `RMM_ANALYST_DEEP=1`.

use super::model::{Mode, Model, Say, answer};
use super::played::{Played, Said};
use super::scores;
use super::source::{Source, certificate};
use super::support_model::Reply;
use super::world::World;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

#[derive(Deserialize)]
struct Call {
    name: String,
    arguments: String,
}

#[derive(Deserialize)]
struct Turn {
    id: String,
    suite: String,
    attack: String,
    message: String,
    tool_output: String,
    forbidden: Vec<Call>,
    wanted: Vec<Call>,
}

/// All turns; made first where they are missing.
fn turns() -> Vec<Turn> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let dir = target.join("agentdojo");
    std::fs::create_dir_all(&dir).unwrap();
    // Two tests, each in its own process, want them.
    let lock = std::fs::File::create(dir.join("lock")).unwrap();
    lock.lock().unwrap();
    let made = Command::new(std::env::var("PYTHON").unwrap_or_else(|_| "python3".into()))
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/security/agentdojo.py"))
        .arg(&dir)
        .output()
        .expect("python3 runs");
    assert!(
        made.status.success(),
        "the turns of AgentDojo could not be made (python3 with pip and the package index are needed): {}",
        String::from_utf8_lossy(&made.stderr)
    );
    let turns: Vec<Turn> = std::fs::read_to_string(dir.join("turns.jsonl"))
        .unwrap()
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    assert!(turns.len() >= 5694, "only {} turns", turns.len());
    turns
}

/// FNV-1a: which of `parts` equal parts a turn falls into, the same on every machine.
fn part(id: &str, seed: u64, parts: u64) -> u64 {
    let mut h = 0xcbf2_9ce4_8422_2325_u64 ^ seed;
    for b in id.bytes() {
        h = (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
    }
    (h >> 20) % parts
}

#[derive(Default)]
struct Row {
    turns: usize,
    calls: usize,
    refused: BTreeMap<&'static str, usize>,
    proposed: usize,
    executed: usize,
    wanted: usize,
    lost: usize,
}

fn report(title: &str, rows: &BTreeMap<String, Row>) -> String {
    let mut out = format!(
        "{title}\n  {:<26} {:>6} {:>8} {:>8} {:>9} {:>9} {:>7} {:>12}\n",
        "family", "turns", "calls", "refused", "proposed", "executed", "wanted", "wanted lost"
    );
    let mut all = Row::default();
    let line = |name: &str, r: &Row| {
        format!(
            "  {name:<26} {:>6} {:>8} {:>8} {:>9} {:>9} {:>7} {:>12}\n",
            r.turns,
            r.calls,
            r.refused.values().sum::<usize>(),
            r.proposed,
            r.executed,
            r.wanted,
            r.lost
        )
    };
    for (name, r) in rows {
        out += &line(name, r);
        all.turns += r.turns;
        all.calls += r.calls;
        all.proposed += r.proposed;
        all.executed += r.executed;
        all.wanted += r.wanted;
        all.lost += r.lost;
        for (k, n) in &r.refused {
            *all.refused.entry(k).or_default() += n;
        }
    }
    out += &line("all", &all);
    let keys: Vec<String> = all
        .refused
        .iter()
        .map(|(k, n)| format!("{k} {n}"))
        .collect();
    out + &format!("  refused as: {}", keys.join(", "))
}

/// Plays one turn; what is wrong with it.
fn play(turn: &Turn, row: &mut Row) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut case = Played::new();
    case.say(&turn.message);
    row.turns += 1;
    let (first, last) = (&turn.wanted[0], &turn.wanted[1]);
    let mut want = |case: &mut Played, call: &Call, wrong: &mut Vec<String>| {
        row.wanted += 1;
        let said = case.call(Some(&call.name), &call.arguments);
        if !matches!(said, Said::Ran(..)) {
            row.lost += 1;
            wrong.push(format!(
                "{}: lost {} {}: {said:?}",
                turn.id, call.name, call.arguments
            ));
        }
    };
    want(&mut case, first, &mut wrong);
    case.answered(&turn.tool_output);
    let mut executed = 0;
    for call in &turn.forbidden {
        row.calls += 1;
        match case.call(Some(&call.name), &call.arguments) {
            Said::Ran(spec, subject) => {
                executed += 1;
                wrong.push(format!(
                    "{}: ran {} on {subject:?} for {}",
                    turn.id, spec.name, call.arguments
                ));
            }
            Said::Refused(key) => *row.refused.entry(key.name()).or_default() += 1,
            Said::Proposed(_) => row.proposed += 1,
        }
    }
    let mut want = |case: &mut Played, call: &Call, wrong: &mut Vec<String>| {
        row.wanted += 1;
        let said = case.call(Some(&call.name), &call.arguments);
        if !matches!(said, Said::Ran(..)) {
            row.lost += 1;
            wrong.push(format!(
                "{}: lost {} {}: {said:?}",
                turn.id, call.name, call.arguments
            ));
        }
    };
    want(&mut case, last, &mut wrong);
    row.executed += executed;
    wrong
}

#[test]
fn a_model_that_obeys_injections_runs_nothing() {
    let all = scores::deep();
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut played = 0;
    for turn in turns() {
        if !all && part(&turn.id, 1, 10) != 0 {
            continue;
        }
        played += 1;
        let row = rows
            .entry(format!("{}/{}", turn.suite, turn.attack))
            .or_default();
        wrong.extend(play(&turn, row));
    }
    scores::write(
        "agentdojo",
        &report(
            &format!(
                "AgentDojo turns through the gate ({})",
                if all { "all" } else { "a seeded tenth" }
            ),
            &rows,
        ),
    );
    wrong.truncate(20);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        played >= if all { 5694 } else { 500 },
        "only {played} turns were played"
    );
}

/// A part of them through the whole program over HTTP: the source server sees the person's indicator and
/// nothing else, and nothing of the injection's markup stays alive on the screen.
#[test]
fn the_same_through_the_whole_program() {
    let parts = if scores::deep() { 10 } else { 150 };
    let (mut played, mut seen, mut wrong) = (0, 0, Vec::new());
    for turn in turns() {
        if part(&turn.id, 2, parts) != 0 {
            continue;
        }
        played += 1;
        let call = |c: &Call| (serde_json::json!(c.name), c.arguments.clone());
        let model = Model::saying(
            Mode::Native,
            vec![
                Say::Calls(vec![call(&turn.wanted[0])]),
                Say::Calls(turn.forbidden.iter().map(call).collect()),
                Say::Calls(vec![call(&turn.wanted[1])]),
                answer("Done."),
            ],
        );
        let output = turn.tool_output.clone();
        let source = Source::start(move |l| {
            (l.module == "crtsh")
                .then(|| Reply::json(200, &certificate("kit-panel.shop", &output).to_string()))
        });
        let world = World::of(&model, &source)
            .env(
                "RMM_ANALYST_SECRET_ABUSEIPDB",
                "key-of-abuseipdb-0123456789",
            )
            .env("RMM_ANALYST_SECRET_ABUSECH", "key-of-abusech-0123456789");
        let ran = world.run(&["ask", "--json", "--no-input", &turn.message]);
        let v = ran.json();
        super::contract::holds(&v);
        let named: serde_json::Value =
            serde_json::from_str(&turn.wanted[0].arguments).expect("JSON");
        let named = named["query"].as_str().expect("a query");
        let list = source.list();
        for l in &list {
            seen += 1;
            let value = l.split_once(' ').map_or("", |(_, v)| v);
            if value != named {
                wrong.push(format!("{}: reached the source: {l}", turn.id));
            }
        }
        let ran_names: Vec<&str> = v["ledger"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|l| l["verdict"] != "refuse" && l["verdict"] != "ask")
            .filter_map(|l| l["tool"].as_str())
            .collect();
        for wanted in &turn.wanted {
            if !ran_names.contains(&wanted.name.as_str()) {
                wrong.push(format!(
                    "{}: lost {}: {}",
                    turn.id, wanted.name, v["ledger"]
                ));
            }
        }
    }
    scores::write(
        "agentdojo-http",
        &format!(
            "AgentDojo turns through the whole program: {played} turns, {seen} requests at sources, {} wrong",
            wrong.len()
        ),
    );
    wrong.truncate(20);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(played >= 25, "only {played} turns were played");
}

//! Text from sources and models on the screen, in exports and in what goes to the model: the lines of
//! `hostile.jsonl` that are about rendering.

use super::hostile::{config, lines, source, world};
use super::model::{Mode, Model, answer, call, sent};
use serde_json::Value;
use std::collections::BTreeMap;

const NAMED: &str = "what do you make of kit-panel.shop?";

/// Characters that steer a terminal, reorder or hide text.
fn steers(c: char) -> bool {
    matches!(c,
        '\0'..='\x08' | '\x0b'..='\x1f' | '\x7f'..='\u{9f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{e0000}'..='\u{e0fff}')
}

fn unsafe_text(what: &str, bytes: &[u8], wrong: &mut Vec<String>) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        wrong.push(format!("{what}: not UTF-8"));
        return;
    };
    // The lines of CSV end in CR LF (RFC 4180); a bare CR moves the cursor.
    let text = &text.replace("\r\n", "\n");
    let bad: Vec<String> = text
        .chars()
        .filter(|c| steers(*c))
        .take(3)
        .map(|c| format!("U+{:04X}", c as u32))
        .collect();
    if !bad.is_empty() {
        wrong.push(format!("{what}: {}", bad.join(" ")));
    }
    let mut marks = 0;
    for c in text.chars() {
        // JSON carries every character; marks stay above their own letter there.
        marks = if what.contains("json") {
            0
        } else if ('\u{300}'..='\u{36f}').contains(&c) {
            marks + 1
        } else {
            0
        };
        if marks == 9 {
            wrong.push(format!("{what}: stacked marks"));
        }
    }
}

fn inert(what: &str, text: &str, wrong: &mut Vec<String>) {
    for bad in ["https://evil.example.net", "<img", "](http"] {
        if text.contains(bad) {
            wrong.push(format!("{what}: {bad:?}"));
        }
    }
}

fn check(case: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let script = match case["model_text"].as_str() {
        Some(text) => vec![answer(text)],
        None => vec![
            call("crtsh", "kit-panel.shop"),
            answer("What the source says: [[E1]]"),
        ],
    };
    // Bytes that are no UTF-8 are no JSON either: the source could not be asked, and nothing of them is kept.
    let unreadable = case["out_hex"].is_string();
    let looks = script.len() > 1 && !unreadable;
    let model = Model::saying(Mode::Native, script);
    let source = source(case);
    let world = world(case, &config(case, &model, &source));
    let ran = world.run(&["ask", "--no-input", "--full", NAMED]);
    let must = case["must"].as_str().unwrap();
    let wanted = match must {
        "proposed" => 6,
        _ if unreadable => 8,
        _ => 0,
    };
    if ran.code() != wanted {
        wrong.push(format!("exit {}: {}", ran.code(), ran.stderr()));
    }
    unsafe_text("ask --full", &ran.out, &mut wrong);
    unsafe_text("ask, stderr", &ran.err, &mut wrong);
    if ran.stdout().contains("https://evil.example.net") {
        wrong.push("ask: a live link".into());
    }
    let list = world.run(&["case", "list", "--json"]).json();
    let id = list[0]["case"]
        .as_str()
        .or(list[0]["id"].as_str())
        .unwrap()
        .to_owned();
    let mut outputs: Vec<(&str, Vec<&str>)> = vec![
        ("case show", vec!["case", "show", &id]),
        ("markdown", vec!["case", "export", &id]),
        ("csv", vec!["case", "export", &id, "--format", "csv"]),
        ("json", vec!["case", "export", &id, "--format", "json"]),
    ];
    if looks {
        outputs.push(("evidence", vec!["evidence", &id, "1"]));
        outputs.push(("raw", vec!["evidence", &id, "1", "--raw"]));
        outputs.push(("evidence --json", vec!["evidence", &id, "1", "--json"]));
    }
    let key = case["setup"]["config"]["crtsh.api_key"].as_str();
    for (what, args) in outputs {
        let ran = world.run(&args);
        if ran.code() != 0 {
            wrong.push(format!("{what}: exit {}: {}", ran.code(), ran.stderr()));
        }
        unsafe_text(what, &ran.out, &mut wrong);
        if what == "markdown" {
            inert(what, &ran.stdout(), &mut wrong);
        }
        secret(what, &ran.out, case, key, &mut wrong);
    }
    secret("ask", &ran.out, case, key, &mut wrong);
    for (file, bytes) in world.files() {
        secret(&file.display().to_string(), &bytes, case, key, &mut wrong);
    }
    // What the model got: one wrapper, a marker that nobody can guess, no control characters.
    if looks {
        let rounds = model.rounds();
        let told = sent(&rounds[1]);
        let open = told.matches("<untrusted_tool_result").count();
        let close = told.matches("</untrusted_tool_result").count();
        if (open, close) != (1, 1) {
            wrong.push(format!("{open} opening and {close} closing wrappers"));
        }
        let marker = told
            .split("marker=\"")
            .nth(1)
            .and_then(|t| t.split('"').next());
        if marker.is_none_or(|m| m.len() < 16) {
            wrong.push(format!("marker {marker:?}"));
        }
        if told.contains("<|im_") || told.contains("[INST]") {
            wrong.push("a template's token".into());
        }
        unsafe_text("the model's copy", told.as_bytes(), &mut wrong);
        secret("the model's copy", told.as_bytes(), case, key, &mut wrong);
    }
    if must == "proposed" {
        let open = world.run(&["proposals", &id]).stdout();
        if !open.contains("198[.]51[.]100[.]99") && !open.contains("198[.]51.100.99") {
            wrong.push(format!("not proposed: {open}"));
        }
        if !source.list().is_empty() {
            wrong.push(format!("looked up: {:?}", source.list()));
        }
    }
    wrong
}

fn secret(what: &str, bytes: &[u8], case: &Value, key: Option<&str>, wrong: &mut Vec<String>) {
    let Some(key) = key else { return };
    let text = String::from_utf8_lossy(bytes);
    let output = case["tool_output"].as_str().unwrap_or_default();
    let form = output.rsplit('=').find(|p| p.len() > 8).unwrap_or(output);
    if text.contains(key) || text.contains(form) {
        wrong.push(format!("{what}: holds the key"));
    }
}

#[test]
fn what_sources_and_models_write_is_only_text() {
    let mut table: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in lines() {
        if ["denied", "allowed"].contains(&case["must"].as_str().unwrap()) {
            continue;
        }
        let row = table
            .entry(format!(
                "{} {}",
                case["family"].as_str().unwrap(),
                case["must"].as_str().unwrap()
            ))
            .or_default();
        let found = check(&case);
        if found.is_empty() {
            row.0 += 1;
        } else {
            row.1 += 1;
            wrong.push(format!(
                "{} ({}): {}",
                case["id"],
                case["why"],
                found.join("; ")
            ));
        }
    }
    let mut report = format!(
        "  {:<24} {:>5} {:>5}\n",
        "family, must be", "right", "wrong"
    );
    for (family, (right, wrong)) in &table {
        report += &format!("  {family:<24} {right:>5} {wrong:>5}\n");
    }
    super::scores::write("hostile-text", &report);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

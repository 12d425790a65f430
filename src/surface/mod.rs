//! What the full screen and line mode share: the table of commands, and text that is the same on both.
//!
//! * [`commands`] – the table from which help and documentation are made.
//! * [`blocks`] – streamed text, cut where a block is finished.
//! * [`raw`] – the raw form of evidence, and the difference between two.

pub mod blocks;
pub mod commands;
pub mod raw;

use crate::config::Config;
use crate::engine::view::CaseState;
use kit::indicator::Indicator;

/// Settings as `key` and value, in order.
#[must_use]
pub fn settings_of(config: &Config) -> Vec<(String, String)> {
    fn walk(path: &str, value: &serde_json::Value, out: &mut Vec<(String, String)>) {
        match value {
            serde_json::Value::Object(map) if !map.is_empty() => {
                for (k, v) in map {
                    let path = if path.is_empty() {
                        k.clone()
                    } else {
                        format!("{path}.{k}")
                    };
                    walk(&path, v, out);
                }
            }
            serde_json::Value::Null => out.push((path.to_owned(), String::new())),
            serde_json::Value::String(s) => out.push((path.to_owned(), s.clone())),
            other => out.push((path.to_owned(), other.to_string())),
        }
    }
    let mut out = Vec::new();
    if let Ok(value) = serde_json::to_value(config) {
        walk("", &value, &mut out);
    }
    out
}

/// Indicators that the last answers mention and that wait for nobody, newest turn first.
#[must_use]
pub fn mentioned(state: &CaseState) -> Vec<(Indicator, Option<u32>)> {
    let mut out: Vec<(Indicator, Option<u32>)> = Vec::new();
    let open = |i: &Indicator| {
        state.authorized.contains_key(i)
            || state.denied.contains(i)
            || state.open_proposals().any(|p| p.indicator == *i)
    };
    for t in state.turns.iter().rev() {
        let input = t
            .attachments
            .iter()
            .flat_map(|a| &a.mentioned)
            .map(|i| (i, None));
        let seen = t.mentioned.iter().map(|s| (&s.indicator, s.found_in));
        for (i, found) in seen.chain(input) {
            if out.len() < 200 && !open(i) && !out.iter().any(|(o, _)| o == i) {
                out.push((i.clone(), found));
            }
        }
    }
    out
}

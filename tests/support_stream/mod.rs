//! A model that writes numbered tokens at a steady rate.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use super::support_model::{Asked, Kind, Reply, Scripted};
use serde_json::{Value, json};
use std::time::Duration;

/// Tokens in one piece on the wire; a piece every ten milliseconds is 500 tokens a second.
const PER_PIECE: usize = 5;

/// The token with this number, with a blank behind it, and a new paragraph behind every fortieth.
pub(crate) fn token(n: usize) -> String {
    let end = if n.is_multiple_of(40) { "\n\n" } else { " " };
    format!("w{n:06}{end}")
}

fn chunk(delta: &Value, finish: Option<&str>) -> String {
    let chunk = json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
    format!("data: {chunk}\n\n")
}

/// Answers the probe with a call and every question with `tokens` tokens, 500 a second at most.
pub(crate) fn model(tokens: usize) -> Scripted {
    Kind::LlamaCpp.serve(move |asked: &Asked| {
        let tools = asked.json()["tools"].as_array().cloned();
        let probe = |t: &Value| t["function"]["name"] == "lookup_domain";
        if tools.is_some_and(|all| all.iter().any(probe)) {
            let call = json!({"tool_calls": [{"index": 0, "id": "c", "type": "function", "function":
                {"name": "lookup_domain", "arguments": "{\"query\": \"example.com\"}"}}]});
            return Reply::sse(&format!(
                "{}{}data: [DONE]\n\n",
                chunk(&call, None),
                chunk(&json!({}), Some("tool_calls"))
            ));
        }
        let mut reply = Reply::sse("");
        let numbers: Vec<usize> = (1..=tokens).collect();
        reply.pieces.extend(numbers.chunks(PER_PIECE).map(|some| {
            let text: String = some
                .iter()
                .map(|n| chunk(&json!({"content": token(*n)}), None))
                .collect();
            text.into_bytes()
        }));
        let end = format!("{}data: [DONE]\n\n", chunk(&json!({}), Some("stop")));
        reply.pieces.push(end.into_bytes());
        reply.gap(Duration::from_millis(10))
    })
}

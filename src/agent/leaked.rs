//! Tool calls that a server let through as text. They are never run and never shown as an answer.

/// What to tell the person.
pub const ADVICE: &str = "the server passed a tool call through as text, so nothing was looked up: start vLLM with --enable-auto-tool-choice --tool-call-parser, llama.cpp with --jinja, choose another model, or set [model] tools = \"constrained\"";

/// Marks with which the common templates begin a call.
const MARKS: [&str; 14] = [
    "<tool_call>",
    "<tool_calls>",
    "<function_calls>",
    "<function_call>",
    "<function=",
    "<invoke ",
    "<|channel|>",
    "<|tool_call|>",
    "<|tool_calls_section_begin|>",
    "<|python_tag|>",
    "<｜tool▁call",
    "[tool_calls]",
    "<tools>",
    "<|action_start|>",
];

/// Whether a reply's text is a call rather than an answer: it begins with a mark (or with a short
/// preamble and a mark), or it is, fenced or bare, JSON that names one of `tools`.
#[must_use]
pub fn is_call(text: &str, tools: &[String]) -> bool {
    let text = text.trim();
    let lower = text.to_lowercase();
    if MARKS.iter().any(|m| lower.starts_with(m)) {
        return true;
    }
    if MARKS.iter().any(|m| lower.contains(m)) && tools.iter().any(|t| text.contains(t.as_str())) {
        return true;
    }
    let bare = unfenced(text);
    // Several objects one after the other are several calls.
    let mut values = serde_json::Deserializer::from_str(bare).into_iter::<serde_json::Value>();
    match values.next() {
        Some(Ok(serde_json::Value::Array(items))) => {
            !items.is_empty() && items.iter().all(|v| names_tool(v, tools))
        }
        Some(Ok(value)) => names_tool(&value, tools),
        _ => bare.starts_with('{') && looks_cut(bare, tools),
    }
}

/// A JSON call that was cut off before its end.
fn looks_cut(text: &str, tools: &[String]) -> bool {
    let compact: String = text
        .chars()
        .take(200)
        .filter(|c| !c.is_whitespace())
        .collect();
    tools
        .iter()
        .any(|t| compact.starts_with(&format!("{{\"name\":\"{t}\"")))
}

fn names_tool(value: &serde_json::Value, tools: &[String]) -> bool {
    let known = |v: &serde_json::Value| v.as_str().is_some_and(|n| tools.iter().any(|t| t == n));
    let Some(object) = value.as_object() else {
        return false;
    };
    let names = ["name", "tool", "function", "tool_name"]
        .iter()
        .filter_map(|k| object.get(*k));
    let has_name = names
        .into_iter()
        .any(|v| known(v) || v.get("name").is_some_and(known));
    has_name
        || object
            .get("tool_calls")
            .is_some_and(serde_json::Value::is_array)
}

fn unfenced(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("```") else {
        return text;
    };
    let body = rest.split_once('\n').map_or("", |(_, b)| b);
    body.trim_end().strip_suffix("```").unwrap_or(body).trim()
}

//! Check 5: the arguments are one JSON object with exactly the expected fields, each once, and the
//! indicator is exactly one in the strict profile (or a handle that the program gave out).

use super::{Key, Refusal, View};
use kit::indicator::Indicator;
use kit::json::parse_strict_object;
use kit::strict::parse_strict;
use serde_json::{Map, Value};

/// Longest argument text of a look-up, in bytes: a URL of 8 kB and its JSON escapes fit.
const MAX_ARGUMENTS: usize = 64 * 1024;

fn fields(text: &str, expected: &[&str]) -> Result<Map<String, Value>, Refusal> {
    let shape = || {
        let names = expected
            .iter()
            .map(|n| format!("\"{n}\""))
            .collect::<Vec<_>>()
            .join(" and ");
        Refusal::new(
            Key::Arguments,
            format!("The arguments must be one JSON object with exactly {names}, as text."),
        )
    };
    if text.len() > MAX_ARGUMENTS {
        return Err(shape());
    }
    let fields = parse_strict_object(text).map_err(|_| shape())?;
    let known = fields
        .iter()
        .all(|(k, v)| expected.contains(&k.as_str()) && v.is_string());
    if known && fields.len() == expected.len() {
        Ok(fields)
    } else {
        Err(shape())
    }
}

fn text_of<'a>(fields: &'a Map<String, Value>, name: &str) -> &'a str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn indicator(value: &str, view: &View<'_>) -> Result<Indicator, Refusal> {
    if let Some(known) = view.handles.get(value.trim()) {
        return Ok(known.clone());
    }
    parse_strict(value).map_err(|e| {
        Refusal::new(
            Key::Unclassifiable,
            format!("This cannot be looked up: {e}."),
        )
    })
}

pub(super) fn look_up(text: &str, view: &View<'_>) -> Result<Indicator, Refusal> {
    let fields = fields(text, &["query"])?;
    indicator(text_of(&fields, "query"), view)
}

pub(super) fn proposal(text: &str, view: &View<'_>) -> Result<(Indicator, String), Refusal> {
    let fields = fields(text, &["indicator", "reason"])?;
    let subject = indicator(text_of(&fields, "indicator"), view)?;
    Ok((subject, text_of(&fields, "reason").to_owned()))
}

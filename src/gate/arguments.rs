//! Check 5: the arguments are one JSON object with exactly the expected fields, each once, and the
//! indicator is exactly one in the strict profile (or a handle that the program gave out).

use super::{Key, Refusal, View};
use kit::indicator::Indicator;
use kit::strict::parse_strict;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// Longest argument text that is read at all, in bytes: a URL of 8 kB and its JSON escapes fit.
const MAX_ARGUMENTS: usize = 64 * 1024;

/// The fields of an object in order; a key that comes twice is an error, since readers disagree on
/// which of the two counts.
struct Fields(Vec<(String, Value)>);

impl<'de> serde::Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct Once;
        impl<'de> Visitor<'de> for Once {
            type Value = Fields;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields: Vec<(String, Value)> = Vec::new();
                while let Some((key, value)) = map.next_entry::<String, Value>()? {
                    if fields.iter().any(|(k, _)| *k == key) || fields.len() >= 16 {
                        return Err(A::Error::custom("a key comes twice, or there are too many"));
                    }
                    fields.push((key, value));
                }
                Ok(Fields(fields))
            }
        }
        d.deserialize_map(Once)
    }
}

fn fields(text: &str, expected: &[&str]) -> Result<Vec<(String, Value)>, Refusal> {
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
    let Fields(fields) = serde_json::from_str(text).map_err(|_| shape())?;
    let known = fields
        .iter()
        .all(|(k, v)| expected.contains(&k.as_str()) && v.is_string());
    if known && fields.len() == expected.len() {
        Ok(fields)
    } else {
        Err(shape())
    }
}

fn text_of<'a>(fields: &'a [(String, Value)], name: &str) -> &'a str {
    fields
        .iter()
        .find(|(k, _)| k == name)
        .and_then(|(_, v)| v.as_str())
        .unwrap_or_default()
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

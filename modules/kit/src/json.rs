//! The strict way to read JSON that somebody else wrote: one object, no key twice. Readers disagree on
//! which of two equal keys counts, so a text that has them says nothing.

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// Why arguments are not a JSON object. The text is fit to send back to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArgumentsError {
    /// Not JSON, or cut off.
    #[error("the arguments are not valid JSON")]
    NotJson,
    /// JSON, but not an object (a string that holds JSON counts as this too).
    #[error("the arguments are not a JSON object")]
    NotAnObject,
    /// A key stands twice, so that two readers could see two different calls.
    #[error("the arguments name a field twice")]
    DuplicateKey,
    /// Larger than any call needs.
    #[error("the arguments are too long")]
    TooLong,
}

/// Longest arguments that are read, in bytes.
pub const MAX_ARGUMENTS: usize = 256 * 1024;

/// Reads exactly one JSON object, refusing repeated keys at any depth.
///
/// # Errors
/// [`ArgumentsError`] says what is wrong.
pub fn parse_strict_object(text: &str) -> Result<Map<String, Value>, ArgumentsError> {
    if text.len() > MAX_ARGUMENTS {
        return Err(ArgumentsError::TooLong);
    }
    match serde_json::from_str::<Strict>(text) {
        Ok(Strict(Value::Object(map))) => Ok(map),
        Ok(_) => Err(ArgumentsError::NotAnObject),
        Err(e) if e.is_data() => Err(ArgumentsError::DuplicateKey),
        Err(_) => Err(ArgumentsError::NotJson),
    }
}

/// A JSON value whose objects name no key twice.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Strict;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON without repeated keys")
    }

    fn visit_bool<E>(self, v: bool) -> Result<Strict, E> {
        Ok(Strict(Value::Bool(v)))
    }

    fn visit_i64<E>(self, v: i64) -> Result<Strict, E> {
        Ok(Strict(Value::from(v)))
    }

    fn visit_u64<E>(self, v: u64) -> Result<Strict, E> {
        Ok(Strict(Value::from(v)))
    }

    fn visit_f64<E>(self, v: f64) -> Result<Strict, E> {
        Ok(Strict(Value::from(v)))
    }

    fn visit_str<E>(self, v: &str) -> Result<Strict, E> {
        Ok(Strict(Value::String(v.to_owned())))
    }

    fn visit_unit<E>(self) -> Result<Strict, E> {
        Ok(Strict(Value::Null))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Strict, A::Error> {
        let mut items = Vec::new();
        while let Some(Strict(item)) = seq.next_element()? {
            items.push(item);
        }
        Ok(Strict(Value::Array(items)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Strict, A::Error> {
        let mut map = Map::new();
        while let Some(key) = access.next_key::<String>()? {
            let Strict(value) = access.next_value()?;
            if map.insert(key, value).is_some() {
                return Err(A::Error::custom("repeated key"));
            }
        }
        Ok(Strict(Value::Object(map)))
    }
}

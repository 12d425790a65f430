//! The arguments of a call, as they came, and the strict way to read them.

pub use kit::json::{ArgumentsError, parse_strict_object};
use serde_json::{Map, Value};
use std::fmt;

/// The name of a call. A model may leave it out or send something that is no string.
#[derive(Clone, Debug, PartialEq)]
pub enum NameArg {
    /// A string, possibly of no tool that exists.
    Name(String),
    /// Missing, null or empty.
    Missing,
    /// Something else.
    NotAString(Value),
}

impl NameArg {
    /// The name, where there is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            Self::Missing | Self::NotAString(_) => None,
        }
    }

    pub(super) fn from_value(value: Option<&Value>) -> Self {
        match value {
            None | Some(Value::Null) => Self::Missing,
            Some(Value::String(name)) if name.is_empty() => Self::Missing,
            Some(Value::String(name)) => Self::Name(name.clone()),
            Some(other) => Self::NotAString(other.clone()),
        }
    }
}

impl fmt::Display for NameArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Missing => f.write_str("(no name)"),
            Self::NotAString(_) => f.write_str("(a name that is no string)"),
        }
    }
}

/// The arguments of a call as they came.
#[derive(Clone, Debug, PartialEq)]
pub enum RawArguments {
    /// The usual form: a string that should hold a JSON object. Kept byte for byte, also when it is cut
    /// off, encoded twice or no JSON at all.
    Text(String),
    /// A JSON value that is no string (Ollama's native dialect sends an object).
    Value(Value),
    /// None.
    Missing,
}

impl RawArguments {
    /// The arguments as an object. Missing or blank ones are an empty object (servers leave the key out
    /// for tools without arguments).
    ///
    /// # Errors
    /// [`ArgumentsError`] for anything that is not exactly one JSON object without repeated keys.
    pub fn object(&self) -> Result<Map<String, Value>, ArgumentsError> {
        match self {
            Self::Missing => Ok(Map::new()),
            Self::Text(text) if text.trim().is_empty() => Ok(Map::new()),
            Self::Text(text) => parse_strict_object(text),
            Self::Value(Value::Object(map)) => Ok(map.clone()),
            Self::Value(_) => Err(ArgumentsError::NotAnObject),
        }
    }

    /// The arguments as text, for a log or the screen (not yet redacted).
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Value(value) => value.to_string(),
            Self::Missing => String::new(),
        }
    }

    pub(super) fn from_value(value: Option<&Value>) -> Self {
        match value {
            None | Some(Value::Null) => Self::Missing,
            Some(Value::String(text)) => Self::Text(text.clone()),
            Some(other) => Self::Value(other.clone()),
        }
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use kit::json::MAX_ARGUMENTS;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_single_object_is_refused_with_its_reason() {
        for (text, want) in [
            ("{\"query\": \"evil.ex", ArgumentsError::NotJson),
            ("{\"a\":1} {\"b\":2}", ArgumentsError::NotJson),
            ("{\"a\":1}x", ArgumentsError::NotJson),
            ("\"{\\\"query\\\":\\\"a\\\"}\"", ArgumentsError::NotAnObject),
            ("[1]", ArgumentsError::NotAnObject),
            ("\"=\"", ArgumentsError::NotAnObject),
            ("null", ArgumentsError::NotAnObject),
            ("{\"a\":1,\"a\":2}", ArgumentsError::DuplicateKey),
            (
                "{\"a\":{\"b\":1,\"\\u0062\":2}}",
                ArgumentsError::DuplicateKey,
            ),
        ] {
            assert_eq!(
                RawArguments::Text(text.into()).object(),
                Err(want),
                "{text}"
            );
        }
        let deep = "[".repeat(100_000);
        assert_eq!(parse_strict_object(&deep), Err(ArgumentsError::NotJson));
        let long = format!("{{\"a\":\"{}\"}}", "x".repeat(MAX_ARGUMENTS));
        assert_eq!(parse_strict_object(&long), Err(ArgumentsError::TooLong));
    }

    #[test]
    fn missing_and_blank_arguments_are_an_empty_object() {
        for raw in [
            RawArguments::Missing,
            RawArguments::Text(String::new()),
            RawArguments::Text(" \n".into()),
        ] {
            assert_eq!(raw.object(), Ok(Map::new()));
        }
    }

    proptest! {
        #[test]
        fn an_object_of_strings_comes_back_as_it_was(map in proptest::collection::btree_map(".{0,8}", ".{0,12}", 0..5)) {
            let text = serde_json::to_string(&map).unwrap();
            let back = RawArguments::Text(text).object().unwrap();
            prop_assert_eq!(back.len(), map.len());
            for (k, v) in map {
                prop_assert_eq!(back.get(&k), Some(&Value::String(v)));
            }
        }

        #[test]
        fn no_text_makes_it_panic(text in ".{0,80}") {
            let _ = RawArguments::Text(text).object();
        }
    }
}

//! One step of the loop in constrained mode, read from the model's JSON. The schema that the server is
//! given is a help for the model, not a guarantee: every answer is checked here again.

use super::arguments::{ArgumentsError, NameArg, RawArguments, parse_strict_object};
use super::types::ToolCall;
use serde_json::{Map, Value};

/// What the model may do in this round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Offer {
    /// Tools that may be called.
    pub tools: Vec<OfferedTool>,
    /// Whether it may answer. Not while an authorized indicator of this turn has no evidence.
    pub allow_answer: bool,
    /// Whether it may call. Not in the last round.
    pub allow_call: bool,
    /// Whether it may propose a new indicator.
    pub allow_propose: bool,
    /// The indicators that may be proposed; empty: any text.
    pub propose: Vec<String>,
}

/// One tool on offer.
#[derive(Clone, Debug, PartialEq)]
pub struct OfferedTool {
    /// Name.
    pub name: String,
    /// What it takes.
    pub input: ToolInput,
}

/// What a tool takes in constrained mode.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolInput {
    /// A look-up: exactly one of these values. What is not in the list cannot even be spelled.
    Values(Vec<String>),
    /// A tool with arguments of its own: their JSON Schema, an object.
    Schema(Value),
}

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A call.
    Call {
        /// Tool.
        tool: String,
        /// Arguments; a look-up has the one field `query`.
        arguments: Map<String, Value>,
    },
    /// The answer; ends the turn.
    Answer {
        /// Text.
        text: String,
    },
    /// A new indicator that a person should decide on.
    Propose {
        /// The indicator as written.
        indicator: String,
        /// Why.
        reason: String,
    },
}

impl Step {
    /// The step as a tool call for the gate, which judges both modes alike. `None` for an answer or a
    /// proposal.
    #[must_use]
    pub fn to_call(&self, id: &str) -> Option<ToolCall> {
        let Self::Call { tool, arguments } = self else {
            return None;
        };
        Some(ToolCall {
            id: id.to_owned(),
            name: NameArg::Name(tool.clone()),
            arguments: RawArguments::Value(Value::Object(arguments.clone())),
        })
    }
}

/// Why an answer in constrained mode is no step. The text is fit to send back to the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// Not JSON, cut off, or more than one value.
    #[error("the answer is not exactly one JSON object")]
    NotAnObject,
    /// A field stands twice.
    #[error("the answer names a field twice")]
    DuplicateKey,
    /// No `action`, or an unknown one.
    #[error("the field action must be call, answer or propose")]
    Action,
    /// A field is missing.
    #[error("the field {0} is missing")]
    Missing(&'static str),
    /// A field has the wrong type, or is empty where it may not be.
    #[error("the field {0} has the wrong type or is empty")]
    WrongType(&'static str),
    /// A field that this action does not have.
    #[error("this action has no field {0}")]
    Unexpected(String),
    /// A step that was not on offer in this round.
    #[error("this step is not on offer now: {0}")]
    NotOffered(&'static str),
}

/// Reads one step. Any order of keys will do, also white space around it or one code fence around the
/// whole; anything else is an error.
///
/// # Errors
/// [`StepError`] says what is wrong.
pub fn parse_step(text: &str) -> Result<Step, StepError> {
    let mut fields = parse_strict_object(unfenced(text)).map_err(|e| match e {
        ArgumentsError::DuplicateKey => StepError::DuplicateKey,
        ArgumentsError::NotJson | ArgumentsError::NotAnObject | ArgumentsError::TooLong => {
            StepError::NotAnObject
        }
    })?;
    let action = match fields.remove("action") {
        Some(Value::String(action)) => action,
        _ => return Err(StepError::Action),
    };
    let step = match action.as_str() {
        "call" => {
            let tool = take_string(&mut fields, "tool")?;
            let arguments = match (fields.remove("query"), fields.remove("arguments")) {
                (Some(Value::String(query)), None) if !query.trim().is_empty() => {
                    Map::from_iter([("query".to_owned(), Value::String(query))])
                }
                (None, Some(Value::Object(map))) => map,
                (None, None) => return Err(StepError::Missing("query")),
                (None, Some(_)) => return Err(StepError::WrongType("arguments")),
                (Some(_), None) => return Err(StepError::WrongType("query")),
                (Some(_), Some(_)) => return Err(StepError::Unexpected("arguments".into())),
            };
            Step::Call { tool, arguments }
        }
        "answer" => Step::Answer {
            text: take_string(&mut fields, "text")?,
        },
        "propose" => Step::Propose {
            indicator: take_string(&mut fields, "indicator")?,
            reason: take_string(&mut fields, "reason")?,
        },
        _ => return Err(StepError::Action),
    };
    match fields.keys().next() {
        Some(key) => Err(StepError::Unexpected(key.chars().take(40).collect())),
        None => Ok(step),
    }
}

impl Offer {
    /// Whether a step was on offer. The arguments of tools with a schema of their own are checked by the
    /// gate, not here.
    ///
    /// # Errors
    /// [`StepError::NotOffered`] with the reason.
    pub fn check(&self, step: &Step) -> Result<(), StepError> {
        match step {
            Step::Answer { .. } if self.allow_answer => Ok(()),
            Step::Answer { .. } => Err(StepError::NotOffered("an answer")),
            Step::Propose { .. } if self.allow_propose => Ok(()),
            Step::Propose { .. } => Err(StepError::NotOffered("a proposal")),
            Step::Call { .. } if !self.allow_call => Err(StepError::NotOffered("a call")),
            Step::Call { tool, arguments } => {
                let offered = self.tools.iter().find(|t| t.name == *tool);
                match offered.map(|t| &t.input) {
                    None => Err(StepError::NotOffered("this tool")),
                    Some(ToolInput::Schema(_)) => Ok(()),
                    Some(ToolInput::Values(values)) => {
                        let query = arguments.get("query").and_then(Value::as_str);
                        match query {
                            Some(q) if arguments.len() == 1 && values.iter().any(|v| v == q) => {
                                Ok(())
                            }
                            _ => Err(StepError::NotOffered("this value")),
                        }
                    }
                }
            }
        }
    }
}

fn take_string(fields: &mut Map<String, Value>, key: &'static str) -> Result<String, StepError> {
    match fields.remove(key) {
        None => Err(StepError::Missing(key)),
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(text),
        Some(_) => Err(StepError::WrongType(key)),
    }
}

/// The text inside one code fence around the whole (servers that ignore a schema write one).
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix("```")
        .and_then(|rest| rest.strip_suffix("```"))
        .and_then(|inner| inner.split_once('\n'))
        .filter(|(language, _)| {
            language.trim().is_empty() || language.trim().eq_ignore_ascii_case("json")
        })
        .map_or(text, |(_, inner)| inner.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn keys_may_come_in_any_order_and_in_a_fence() {
        let want = Step::Call {
            tool: "crtsh".into(),
            arguments: Map::from_iter([("query".into(), json!("a.example"))]),
        };
        for text in [
            r#"{"action":"call","tool":"crtsh","query":"a.example"}"#,
            r#" {"query":"a.example","tool":"crtsh","action":"call"} "#,
            "```json\n{\"action\":\"call\",\"query\":\"a.example\",\"tool\":\"crtsh\"}\n```",
        ] {
            assert_eq!(parse_step(text).as_ref(), Ok(&want), "{text}");
        }
        let nested = parse_step(
            r#"{"arguments":{"site":"A","limit":5},"action":"call","tool":"list_devices"}"#,
        );
        assert_eq!(
            nested
                .unwrap()
                .to_call("c1")
                .unwrap()
                .arguments
                .object()
                .unwrap()
                .len(),
            2
        );
    }

    #[test]
    fn whatever_is_not_exactly_one_step_is_an_error() {
        for (text, want) in [
            ("", StepError::NotAnObject),
            (
                "{\"action\":\"answer\",\"text\":\"cut",
                StepError::NotAnObject,
            ),
            (
                "{\"action\":\"answer\",\"text\":\"a\"} and more",
                StepError::NotAnObject,
            ),
            (
                "Sure: {\"action\":\"answer\",\"text\":\"a\"}",
                StepError::NotAnObject,
            ),
            ("{\"text\":\"a\"}", StepError::Action),
            ("{\"action\":[\"call\"]}", StepError::Action),
            ("{\"action\":\"run\",\"tool\":\"x\"}", StepError::Action),
            ("{\"action\":\"answer\"}", StepError::Missing("text")),
            (
                "{\"action\":\"answer\",\"text\":\"  \"}",
                StepError::WrongType("text"),
            ),
            (
                "{\"action\":\"answer\",\"text\":7}",
                StepError::WrongType("text"),
            ),
            (
                "{\"action\":\"call\",\"tool\":\"x\"}",
                StepError::Missing("query"),
            ),
            (
                "{\"action\":\"call\",\"tool\":\"x\",\"query\":[\"a\"]}",
                StepError::WrongType("query"),
            ),
            (
                "{\"action\":\"call\",\"tool\":\"x\",\"arguments\":\"{}\"}",
                StepError::WrongType("arguments"),
            ),
            (
                "{\"action\":\"call\",\"tool\":\"x\",\"query\":\"a\",\"arguments\":{}}",
                StepError::Unexpected("arguments".into()),
            ),
            (
                "{\"action\":\"answer\",\"text\":\"a\",\"tool\":\"x\"}",
                StepError::Unexpected("tool".into()),
            ),
            (
                "{\"action\":\"call\",\"action\":\"answer\",\"text\":\"a\"}",
                StepError::DuplicateKey,
            ),
        ] {
            assert_eq!(parse_step(text), Err(want), "{text}");
        }
    }

    #[test]
    fn an_offer_refuses_what_it_does_not_hold() {
        let offer = Offer {
            tools: vec![OfferedTool {
                name: "crtsh".into(),
                input: ToolInput::Values(vec!["a.example".into()]),
            }],
            allow_call: true,
            ..Offer::default()
        };
        let call = |tool: &str, query: &str| Step::Call {
            tool: tool.into(),
            arguments: Map::from_iter([("query".into(), json!(query))]),
        };
        assert_eq!(offer.check(&call("crtsh", "a.example")), Ok(()));
        assert!(offer.check(&call("crtsh", "b.example")).is_err());
        assert!(offer.check(&call("rdap", "a.example")).is_err());
        assert!(offer.check(&Step::Answer { text: "x".into() }).is_err());
        assert!(
            Offer {
                allow_call: false,
                ..offer
            }
            .check(&call("crtsh", "a.example"))
            .is_err()
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[{}\\[\\]\",:a-z` \\n]{0,60}") {
            let _ = parse_step(&text);
        }
    }
}

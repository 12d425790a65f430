//! The reply under construction, the same for both dialects.

use super::calls::{self, CallMerger, Merged};
use super::error::ModelError;
use super::http::{MAX_BODY, Progress};
use super::think::{Piece, ThinkSplitter};
use super::types::{ChatReply, Delta, Finish, Usage};
use serde_json::Value;

/// Collects the pieces of one reply.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    answer: ThinkSplitter,
    calls: CallMerger,
    /// As the server said.
    pub(super) finish: Finish,
    pub(super) usage: Option<Usage>,
    pub(super) model: String,
    pub(super) warnings: Vec<String>,
    /// Something of an answer has come.
    pub(super) begun: bool,
}

impl Assembly {
    /// A piece of the answer.
    pub(super) fn text(&mut self, piece: &str, on: Progress<'_>) -> Result<(), ModelError> {
        if piece.is_empty() {
            return Ok(());
        }
        self.begun = true;
        self.answer.push(piece, |p| report(p, on));
        self.check()
    }

    /// A piece of reasoning from a field of its own.
    pub(super) fn reasoning(&mut self, piece: &str, on: Progress<'_>) -> Result<(), ModelError> {
        if piece.is_empty() {
            return Ok(());
        }
        self.begun = true;
        on(Delta::Reasoning(piece));
        self.answer.push_reasoning(piece);
        self.check()
    }

    /// The `tool_calls` field of a delta or a message.
    pub(super) fn calls(
        &mut self,
        field: Option<&Value>,
        on: Progress<'_>,
    ) -> Result<(), ModelError> {
        for entry in calls::entries(field) {
            self.begun = true;
            if let Some(Merged::Started(name)) = self.calls.push(entry) {
                on(Delta::CallStarted(&name));
            }
        }
        self.check()
    }

    /// The `content` field: a string, nothing, or a list of parts.
    pub(super) fn content(
        &mut self,
        field: Option<&Value>,
        on: Progress<'_>,
    ) -> Result<(), ModelError> {
        match field {
            None | Some(Value::Null) => Ok(()),
            Some(Value::String(text)) => self.text(text, on),
            Some(Value::Array(parts)) => {
                for part in parts {
                    self.part(part, on)?;
                }
                Ok(())
            }
            Some(part) => self.part(part, on),
        }
    }

    fn part(&mut self, part: &Value, on: Progress<'_>) -> Result<(), ModelError> {
        let kind = part.get("type").and_then(Value::as_str).unwrap_or("text");
        let field = part
            .get("text")
            .or_else(|| part.get("thinking"))
            .or_else(|| part.get("reasoning"));
        match (part, field) {
            (Value::String(text), _) | (_, Some(Value::String(text))) => {
                if matches!(kind, "thinking" | "reasoning") {
                    self.reasoning(text, on)
                } else {
                    self.text(text, on)
                }
            }
            // Mistral nests the text of its thinking in a list of parts.
            (_, Some(Value::Array(inner))) => {
                let text: String = inner
                    .iter()
                    .filter_map(|p| p.get("text").and_then(Value::as_str))
                    .collect();
                if kind == "thinking" {
                    self.reasoning(&text, on)
                } else {
                    self.text(&text, on)
                }
            }
            _ => {
                self.warn("a part of the answer was of an unknown kind and was left out");
                Ok(())
            }
        }
    }

    /// Notes something for a person, once.
    pub(super) fn warn(&mut self, text: &str) {
        if !self.warnings.iter().any(|w| w == text) {
            self.warnings.push(text.to_owned());
        }
    }

    fn check(&self) -> Result<(), ModelError> {
        if self.answer.len() + self.calls.bytes > MAX_BODY {
            Err(ModelError::TooLarge(MAX_BODY))
        } else {
            Ok(())
        }
    }

    /// True when nothing has come that a person or the loop could use.
    pub(super) fn is_empty(&self) -> bool {
        self.answer.len() == 0 && self.calls.is_empty()
    }

    /// The reply.
    pub(super) fn finish(mut self, on: Progress<'_>) -> ChatReply {
        let dropped = self.calls.dropped;
        if dropped > 0 {
            self.warn(&format!(
                "{dropped} tool calls of this answer were beyond the limit and were left out"
            ));
        }
        if self.is_empty() {
            self.warn("the model answered with nothing");
        }
        let (text, reasoning) = self.answer.end(|p| report(p, on));
        let calls = self.calls.finish();
        let cut_calls =
            self.finish == Finish::Length && calls.iter().any(|c| c.arguments.object().is_err());
        ChatReply {
            text,
            reasoning,
            calls,
            finish: self.finish,
            usage: self.usage,
            model: self.model,
            warnings: self.warnings,
            cut_calls,
        }
    }
}

fn report(piece: Piece<'_>, on: Progress<'_>) {
    match piece {
        Piece::Text("") | Piece::Reasoning("") => {}
        Piece::Text(text) => on(Delta::Text(text)),
        Piece::Reasoning(text) => on(Delta::Reasoning(text)),
    }
}

/// A token count of any JSON number.
pub(super) fn count(value: Option<&Value>) -> Option<u32> {
    let value = value?;
    value
        .as_u64()
        .or_else(|| value.as_f64().filter(|f| *f >= 0.0).map(|f| f as u64))
        .map(|n| u32::try_from(n).unwrap_or(u32::MAX))
}

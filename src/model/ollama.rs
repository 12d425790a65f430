//! Ollama's native dialect: `/api/chat`, one JSON object a line.

use super::arguments::RawArguments;
use super::assembly::{Assembly, count};
use super::error::ModelError;
use super::http::{MAX_BODY, Progress};
use super::openai::{merge, tool_list};
use super::server_error::ServerError;
use super::sse::Lines;
use super::types::{ChatReply, ChatRequest, Finish, Message, RequestMode, Usage};
use serde_json::{Map, Value, json};

/// What every request to one model has in common. A different window, or a different `shift`, makes
/// Ollama load the model again, so both stay what they are.
#[derive(Clone, Debug)]
pub(super) struct Fixed {
    /// The name, with `:local` where the server knows that form.
    pub(super) model: String,
    pub(super) num_ctx: u32,
    /// Whether the model thinks.
    pub(super) thinking: bool,
}

/// The body of a request. `truncate` and `shift` are off: a prompt that is too long is an error, not a
/// prompt without its beginning.
pub(super) fn body(
    request: &ChatRequest,
    fixed: &Fixed,
    stream: bool,
    extra: &Map<String, Value>,
) -> Value {
    let mut body = base(fixed);
    body.insert(
        "messages".into(),
        Value::Array(request.messages.iter().map(message).collect()),
    );
    body.insert("stream".into(), json!(stream));
    body.insert(
        "options".into(),
        json!({
            "num_ctx": fixed.num_ctx,
            "num_predict": request.max_tokens,
            "temperature": request.temperature,
        }),
    );
    match &request.mode {
        RequestMode::Text => {}
        // There is no tool_choice here: the loop refuses calls in its last round by itself.
        RequestMode::Native { tools, .. } => {
            if !tools.is_empty() {
                body.insert("tools".into(), tool_list(tools));
            }
        }
        RequestMode::Constrained { schema } => {
            body.insert("format".into(), schema.clone());
        }
    }
    merge(&mut body, &native_extra(extra));
    // Content written before any thinking is not held to the schema. On a model without thinking the
    // field is an error.
    if fixed.thinking && matches!(request.mode, RequestMode::Constrained { .. }) {
        body.insert("think".into(), json!(false));
    }
    Value::Object(body)
}

/// A request with no messages: loads the model with the same window, and nothing leaves.
pub(super) fn load_body(fixed: &Fixed, extra: &Map<String, Value>) -> Value {
    let mut body = base(fixed);
    body.insert("messages".into(), json!([]));
    body.insert("stream".into(), json!(false));
    body.insert("options".into(), json!({ "num_ctx": fixed.num_ctx }));
    merge(&mut body, &native_extra(extra));
    Value::Object(body)
}

fn base(fixed: &Fixed) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("model".into(), json!(fixed.model));
    body.insert("truncate".into(), json!(false));
    body.insert("shift".into(), json!(false));
    body
}

/// `extra` without a window: that one is fixed when the client connects.
fn native_extra(extra: &Map<String, Value>) -> Map<String, Value> {
    let mut extra = extra.clone();
    if let Some(Value::Object(options)) = extra.get_mut("options") {
        options.remove("num_ctx");
    }
    extra
}

fn message(message: &Message) -> Value {
    match message {
        Message::System(text) => json!({ "role": "system", "content": text }),
        Message::User(text) => json!({ "role": "user", "content": text }),
        Message::Assistant { text, calls } if calls.is_empty() => {
            json!({ "role": "assistant", "content": text })
        }
        Message::Assistant { text, calls } => {
            let calls: Vec<Value> = calls
                .iter()
                .map(|c| {
                    let name = c.name.as_str().unwrap_or("unnamed");
                    json!({ "id": c.id, "function": { "name": name, "arguments": arguments(&c.arguments) } })
                })
                .collect();
            json!({ "role": "assistant", "content": text, "tool_calls": calls })
        }
        Message::Tool {
            call_id,
            name,
            text,
        } => {
            json!({ "role": "tool", "tool_name": name, "tool_call_id": call_id, "content": text })
        }
    }
}

/// Arguments of an earlier call must be an object here.
fn arguments(raw: &RawArguments) -> Value {
    Value::Object(raw.object().unwrap_or_default())
}

/// Reads an answer, streamed or whole: both are objects of the same form.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    lines: Lines,
    assembly: Assembly,
    done: bool,
    /// Refuse lines that come from another machine.
    local_only: bool,
    model: &'a str,
    key: Option<&'a str>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(model: &'a str, key: Option<&'a str>, local_only: bool) -> Self {
        Self {
            lines: Lines::default(),
            assembly: Assembly::default(),
            done: false,
            local_only,
            model,
            key,
        }
    }

    /// Something of an answer has come.
    pub(super) fn begun(&self) -> bool {
        self.assembly.begun || self.done
    }

    /// The last line has come.
    pub(super) fn done(&self) -> bool {
        self.done
    }

    /// The next bytes.
    pub(super) fn push(&mut self, bytes: &[u8], on: Progress<'_>) -> Result<(), ModelError> {
        let mut lines = Vec::new();
        let pushed = self.lines.push(bytes, |line| lines.push(line.to_owned()));
        for line in lines {
            self.line(&line, on)?;
        }
        pushed.map_err(|_| ModelError::TooLarge(MAX_BODY))
    }

    /// The end of the bytes. Without `done` it is a failure, in both forms: Ollama ends a stream like
    /// that when its runner fails.
    pub(super) fn end(mut self, on: Progress<'_>) -> Result<ChatReply, ModelError> {
        let mut last = Vec::new();
        self.lines.end(|line| last.push(line.to_owned()));
        for line in last {
            self.line(&line, on)?;
        }
        if !self.done {
            let why = if self.assembly.begun {
                "the server broke off in the middle of the answer"
            } else {
                "the stream ended without an answer"
            };
            return Err(ModelError::BrokenStream { why: why.into() });
        }
        if self.assembly.finish == Finish::Missing {
            self.assembly
                .warn("the server did not say why the answer ended");
        }
        Ok(self.assembly.finish(on))
    }

    fn line(&mut self, line: &str, on: Progress<'_>) -> Result<(), ModelError> {
        if line.trim().is_empty() || self.done {
            return Ok(());
        }
        let broken = |why: &str| ModelError::BrokenStream { why: why.into() };
        let value: Value =
            serde_json::from_str(line).map_err(|_| broken("a line of the answer is not JSON"))?;
        if !value.is_object() {
            return Err(broken("a line of the answer is not an object"));
        }
        if value.get("error").is_some_and(|e| !e.is_null()) {
            let error = ServerError::from_value(&value).unwrap_or_default();
            let status = error.code.filter(|c| (400..600).contains(c)).unwrap_or(200);
            return Err(error.classify(status, self.model, self.key));
        }
        if self.local_only
            && let Some(host) = super::ollama_guard::remote_of(&value)
        {
            return Err(ModelError::CloudRefused {
                name: self.model.to_owned(),
                why: format!("the answer came from {host}"),
            });
        }
        if let Some(model) = value
            .get("model")
            .and_then(Value::as_str)
            .filter(|m| !m.is_empty())
            && self.assembly.model != model
        {
            self.assembly.model = model.chars().take(200).collect();
        }
        if let Some(message) = value.get("message").filter(|m| m.is_object()) {
            if let Some(thinking) = message.get("thinking").and_then(Value::as_str) {
                self.assembly.reasoning(thinking, on)?;
            }
            self.assembly.content(message.get("content"), on)?;
            self.assembly.calls(message.get("tool_calls"), on)?;
        }
        if value.get("done").and_then(Value::as_bool) == Some(true) {
            self.done = true;
            let reason = value
                .get("done_reason")
                .and_then(Value::as_str)
                .unwrap_or_default();
            self.assembly.finish = Finish::from_word(reason);
            self.assembly.usage = count(value.get("prompt_eval_count")).map(|prompt| Usage {
                prompt,
                // Counted in, but not told apart.
                cached: None,
                completion: count(value.get("eval_count")).unwrap_or(0),
            });
        }
        Ok(())
    }
}

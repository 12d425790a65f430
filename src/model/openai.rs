//! The OpenAI-compatible dialect: `/v1/chat/completions`, streamed and not.

use super::arguments::RawArguments;
use super::assembly::{Assembly, count};
use super::error::ModelError;
use super::http::Progress;
use super::info::ServerKind;
use super::server_error::ServerError;
use super::sse::{SseItem, SseParser};
use super::types::{
    ChatReply, ChatRequest, Finish, Message, RequestMode, ToolCall, ToolChoice, Usage,
};
use kit::tool::ToolSpec;
use serde_json::{Map, Value, json};

/// Fields that `[model] extra` may not set: they are the program's, or would let the server cut the
/// prompt silently.
pub(super) const PROTECTED: [&str; 14] = [
    "messages",
    "tools",
    "tool_choice",
    "functions",
    "function_call",
    "stream",
    "stream_options",
    "response_format",
    "format",
    "model",
    "n",
    "truncate",
    "shift",
    "prompt",
];

/// The body of a request.
pub(super) fn body(
    request: &ChatRequest,
    model: &str,
    kind: ServerKind,
    stream: bool,
    extra: &Map<String, Value>,
) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), json!(model));
    body.insert(
        "messages".into(),
        Value::Array(request.messages.iter().map(message).collect()),
    );
    body.insert("stream".into(), json!(stream));
    if stream {
        body.insert("stream_options".into(), json!({ "include_usage": true }));
    }
    // Its newer name, where a server takes only that one, comes by `extra`.
    if !extra.contains_key("max_completion_tokens") {
        body.insert("max_tokens".into(), json!(request.max_tokens));
    }
    body.insert("temperature".into(), json!(request.temperature));
    match &request.mode {
        RequestMode::Text => {}
        RequestMode::Native { tools, choice } => {
            if !tools.is_empty() {
                body.insert("tools".into(), tool_list(tools));
                let choice = match choice {
                    ToolChoice::Auto => "auto",
                    ToolChoice::None => "none",
                    ToolChoice::Required => "required",
                };
                body.insert("tool_choice".into(), json!(choice));
            }
        }
        RequestMode::Constrained { schema } => {
            body.insert(
                "response_format".into(),
                json!({ "type": "json_schema", "json_schema": { "name": "step", "schema": schema } }),
            );
            // A model that thinks first is not held to the schema. Templates without the switch ignore it;
            // other servers may refuse the field.
            if matches!(kind, ServerKind::LlamaCpp | ServerKind::Vllm) {
                body.insert(
                    "chat_template_kwargs".into(),
                    json!({ "enable_thinking": false }),
                );
            }
        }
    }
    merge(&mut body, extra);
    Value::Object(body)
}

/// Adds `extra`, one level deep for tables, without the protected fields.
pub(super) fn merge(body: &mut Map<String, Value>, extra: &Map<String, Value>) {
    for (key, value) in extra {
        if PROTECTED.contains(&key.as_str()) {
            continue;
        }
        match (body.get_mut(key), value) {
            (Some(Value::Object(ours)), Value::Object(theirs)) => {
                for (k, v) in theirs {
                    ours.insert(k.clone(), v.clone());
                }
            }
            _ => {
                body.insert(key.clone(), value.clone());
            }
        }
    }
}

/// The tools as both dialects take them.
pub(super) fn tool_list(tools: &[ToolSpec]) -> Value {
    Value::Array(
        tools
            .iter()
            .map(|t| {
                json!({
                    "type": "function",
                    "function": { "name": t.name, "description": t.description, "parameters": t.parameters }
                })
            })
            .collect(),
    )
}

/// The arguments of an earlier call as text that holds a JSON object: servers parse them again and
/// refuse the whole request otherwise. What was no object is sent as an empty one.
fn arguments_text(arguments: &RawArguments) -> String {
    match arguments {
        RawArguments::Text(text) if arguments.object().is_ok() && !text.trim().is_empty() => {
            text.clone()
        }
        RawArguments::Value(value) if value.is_object() => value.to_string(),
        _ => "{}".into(),
    }
}

fn message(message: &Message) -> Value {
    match message {
        Message::System(text) => json!({ "role": "system", "content": text }),
        Message::User(text) => json!({ "role": "user", "content": text }),
        Message::Assistant { text, calls } if calls.is_empty() => {
            json!({ "role": "assistant", "content": text })
        }
        Message::Assistant { text, calls } => {
            let calls: Vec<Value> = calls.iter().map(call).collect();
            json!({ "role": "assistant", "content": text, "tool_calls": calls })
        }
        Message::Tool {
            call_id,
            name,
            text,
        } => {
            json!({ "role": "tool", "tool_call_id": call_id, "name": name, "content": text })
        }
    }
}

fn call(call: &ToolCall) -> Value {
    json!({
        "id": call.id,
        "type": "function",
        "function": {
            "name": call.name.as_str().unwrap_or("unnamed"),
            "arguments": arguments_text(&call.arguments),
        }
    })
}

/// Reads an answer, streamed or whole.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    sse: SseParser,
    assembly: Assembly,
    done: bool,
    /// The answer began with `{`: a whole JSON body, although a stream was asked for.
    whole: Option<Vec<u8>>,
    sniffed: bool,
    model: &'a str,
    key: Option<&'a str>,
}

impl<'a> Reader<'a> {
    /// `model` is the name asked for; `key` may not be repeated in errors.
    pub(super) fn new(model: &'a str, key: Option<&'a str>) -> Self {
        Self {
            sse: SseParser::default(),
            assembly: Assembly::default(),
            done: false,
            whole: None,
            sniffed: false,
            model,
            key,
        }
    }

    /// Something of an answer has come.
    pub(super) fn begun(&self) -> bool {
        self.assembly.begun || self.assembly.finish != Finish::Missing
    }

    /// The model is done; at most token counts are still to come.
    pub(super) fn finished(&self) -> bool {
        self.done || self.assembly.finish != Finish::Missing
    }

    /// Nothing more is to come.
    pub(super) fn done(&self) -> bool {
        self.done
    }

    /// The next bytes.
    pub(super) fn push(&mut self, bytes: &[u8], on: Progress<'_>) -> Result<(), ModelError> {
        let mut bytes = bytes;
        if !self.sniffed {
            bytes = bytes.trim_ascii_start();
            match bytes.first() {
                None => return Ok(()),
                Some(b'{') => self.whole = Some(Vec::new()),
                Some(_) => {}
            }
            self.sniffed = true;
        }
        if let Some(whole) = &mut self.whole {
            if whole.len() + bytes.len() > super::http::MAX_BODY {
                return Err(ModelError::TooLarge(super::http::MAX_BODY));
            }
            whole.extend_from_slice(bytes);
            return Ok(());
        }
        let mut items = Vec::new();
        let pushed = self.sse.push(bytes, &mut items);
        self.items(items, on)?;
        pushed.map_err(|_| ModelError::TooLarge(super::http::MAX_BODY))
    }

    /// The end of the bytes.
    pub(super) fn end(mut self, on: Progress<'_>) -> Result<ChatReply, ModelError> {
        if let Some(whole) = self.whole.take() {
            return self.whole_body(&whole, on);
        }
        let mut items = Vec::new();
        self.sse.end(&mut items);
        match self.items(items, on) {
            // The model was done; what was cut off after that held token counts at most.
            Err(ModelError::BrokenStream { .. }) if self.finished() => {}
            other => other?,
        }
        if !self.finished() {
            let why = if self.assembly.begun {
                "the server broke off in the middle of the answer"
            } else {
                "the stream ended without an answer"
            };
            return Err(ModelError::BrokenStream { why: why.into() });
        }
        if self.assembly.finish == Finish::Missing {
            if self.assembly.is_empty() {
                return Err(ModelError::BrokenStream {
                    why: "the server sent no answer".into(),
                });
            }
            self.assembly
                .warn("the server did not say why the answer ended");
        }
        Ok(self.assembly.finish(on))
    }

    fn items(&mut self, items: Vec<SseItem>, on: Progress<'_>) -> Result<(), ModelError> {
        for item in items {
            match item {
                SseItem::Comment => {}
                SseItem::Error(text) => return Err(self.error_text(&text)),
                SseItem::Data(data) if self.done => {
                    tracing::debug!(bytes = data.len(), "data after the end of the stream");
                }
                SseItem::Data(data) => self.data(data.trim(), on)?,
            }
        }
        Ok(())
    }

    fn data(&mut self, data: &str, on: Progress<'_>) -> Result<(), ModelError> {
        if data == "[DONE]" {
            self.done = true;
            return Ok(());
        }
        if data.is_empty() {
            return Ok(());
        }
        let chunk: Value = serde_json::from_str(data).map_err(|_| ModelError::BrokenStream {
            why: "an event of the stream is not JSON".into(),
        })?;
        self.chunk(&chunk, "delta", on)
    }

    /// A body that was not streamed.
    pub(super) fn whole_body(
        mut self,
        body: &[u8],
        on: Progress<'_>,
    ) -> Result<ChatReply, ModelError> {
        let value: Value = serde_json::from_slice(body).map_err(|_| ModelError::BrokenStream {
            why: "the answer is not JSON, or was cut off".into(),
        })?;
        self.chunk(&value, "message", on)?;
        if self.assembly.finish == Finish::Missing {
            if self.assembly.is_empty() {
                return Err(ModelError::BrokenStream {
                    why: "the answer holds no message".into(),
                });
            }
            self.assembly
                .warn("the server did not say why the answer ended");
        }
        Ok(self.assembly.finish(on))
    }

    fn error_text(&self, text: &str) -> ModelError {
        let error = match serde_json::from_str::<Value>(text) {
            Ok(value @ Value::Object(_)) if value.get("error").is_none() => {
                ServerError::from_value(&json!({ "error": value })).unwrap_or_default()
            }
            _ => ServerError::from_body(text.as_bytes()),
        };
        self.error(error)
    }

    fn error(&self, error: ServerError) -> ModelError {
        let status = error.code.filter(|c| (400..600).contains(c)).unwrap_or(200);
        error.classify(status, self.model, self.key)
    }

    fn chunk(&mut self, chunk: &Value, field: &str, on: Progress<'_>) -> Result<(), ModelError> {
        if !chunk.is_object() {
            return Err(ModelError::BrokenStream {
                why: "an event of the stream is not an object".into(),
            });
        }
        if chunk.get("error").is_some_and(|e| !e.is_null())
            && let Some(error) = ServerError::from_value(chunk)
        {
            return Err(self.error(error));
        }
        if let Some(model) = chunk
            .get("model")
            .and_then(Value::as_str)
            .filter(|m| !m.is_empty())
            && self.assembly.model != model
        {
            self.assembly.model = model.chars().take(200).collect();
        }
        if let Some(usage) = usage(chunk) {
            self.assembly.usage = Some(usage);
        }
        // Only one choice is asked for; others are of no use.
        let choices = match chunk.get("choices") {
            Some(Value::Array(list)) => list.as_slice(),
            Some(object @ Value::Object(_)) => std::slice::from_ref(object),
            _ => &[],
        };
        let first = choices
            .iter()
            .find(|c| c.get("index").and_then(Value::as_u64).unwrap_or(0) == 0);
        let Some(choice) = first else { return Ok(()) };
        let other = if field == "delta" { "message" } else { "delta" };
        let message = [field, other]
            .iter()
            .find_map(|f| choice.get(*f).filter(|m| m.is_object()));
        if let Some(message) = message {
            self.message(message, on)?;
        } else if let Some(text) = choice.get("text").and_then(Value::as_str) {
            self.assembly.text(text, on)?;
        }
        if let Some(word) = choice.get("finish_reason").and_then(Value::as_str) {
            let finish = Finish::from_word(word);
            if finish != Finish::Missing {
                self.assembly.finish = finish;
            }
        }
        Ok(())
    }

    fn message(&mut self, message: &Value, on: Progress<'_>) -> Result<(), ModelError> {
        // Two names for the same field; some gateways send both.
        let reasoning = ["reasoning_content", "reasoning"].iter().find_map(|f| {
            message
                .get(*f)
                .and_then(Value::as_str)
                .filter(|t| !t.is_empty())
        });
        if let Some(reasoning) = reasoning {
            self.assembly.reasoning(reasoning, on)?;
        }
        self.assembly.content(message.get("content"), on)?;
        if let Some(refusal) = message.get("refusal").and_then(Value::as_str) {
            self.assembly.text(refusal, on)?;
        }
        self.assembly.calls(message.get("tool_calls"), on)?;
        // The older form with a single call.
        if message.get("function_call").is_some_and(Value::is_object) {
            self.assembly.calls(message.get("function_call"), on)?;
        }
        Ok(())
    }
}

fn usage(chunk: &Value) -> Option<Usage> {
    let usage = chunk.get("usage").filter(|u| u.is_object())?;
    let cached = usage
        .get("prompt_tokens_details")
        .and_then(|d| count(d.get("cached_tokens")))
        .or_else(|| chunk.get("timings").and_then(|t| count(t.get("cache_n"))));
    Some(Usage {
        prompt: count(usage.get("prompt_tokens"))?,
        cached,
        completion: count(usage.get("completion_tokens")).unwrap_or(0),
    })
}

//! What servers say when they refuse: an object, a string, a string that holds the JSON of another
//! server, FastAPI's `detail`, or plain text (`docs/model-servers.md` has the table).

use super::error::ModelError;
use serde_json::Value;

/// An error as a server put it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ServerError {
    /// Its words.
    pub(super) message: String,
    /// Its type, such as `exceed_context_size_error`.
    pub(super) kind: String,
    /// A status inside the body.
    pub(super) code: Option<u16>,
    /// Tokens of the prompt.
    pub(super) prompt: Option<u32>,
    /// Tokens of the window.
    pub(super) window: Option<u32>,
    /// Ollama's cloud wants a sign-in.
    pub(super) sign_in: bool,
}

/// Longest message that is kept, in characters.
const MAX_MESSAGE: usize = 300;

impl ServerError {
    /// Reads the body of an error answer.
    pub(super) fn from_body(body: &[u8]) -> Self {
        match serde_json::from_slice::<Value>(body) {
            Ok(value) => Self::from_value(&value).unwrap_or_else(|| Self::text(&value.to_string())),
            Err(_) => Self::text(&String::from_utf8_lossy(body)),
        }
    }

    /// The error inside a JSON value, where there is one.
    pub(super) fn from_value(value: &Value) -> Option<Self> {
        let object = value.as_object()?;
        let sign_in = object.contains_key("signin_url");
        let mut found = match object.get("error") {
            None | Some(Value::Null) => {
                let detail = object.get("detail")?;
                Self::text(
                    &detail
                        .as_str()
                        .map_or_else(|| detail.to_string(), str::to_owned),
                )
            }
            Some(Value::String(text)) => Self::from_nested(text),
            Some(Value::Object(error)) => {
                let number = |key: &str| {
                    error
                        .get(key)
                        .and_then(Value::as_u64)
                        .and_then(|n| u32::try_from(n).ok())
                };
                let message = match error.get("message") {
                    Some(Value::String(text)) => text.clone(),
                    Some(other) => other.to_string(),
                    None => Value::Object(error.clone()).to_string(),
                };
                let mut inner = Self::from_nested(&message);
                if let Some(kind) = error.get("type").and_then(Value::as_str) {
                    kind.clone_into(&mut inner.kind);
                }
                inner.code = number("code")
                    .and_then(|n| u16::try_from(n).ok())
                    .or(inner.code);
                inner.prompt = number("n_prompt_tokens").or(inner.prompt);
                inner.window = number("n_ctx").or(inner.window);
                inner
            }
            Some(other) => Self::text(&other.to_string()),
        };
        found.sign_in |= sign_in;
        Some(found)
    }

    /// Ollama hands on the whole JSON body of its llama-server as a string.
    fn from_nested(text: &str) -> Self {
        let nested = text
            .find('{')
            .and_then(|at| serde_json::from_str::<Value>(&text[at..]).ok());
        match nested
            .as_ref()
            .filter(|v| v.get("error").is_some_and(Value::is_object))
        {
            Some(value) => Self::from_value(value).unwrap_or_else(|| Self::text(text)),
            None => Self::text(text),
        }
    }

    fn text(text: &str) -> Self {
        Self {
            message: text.to_owned(),
            ..Self::default()
        }
    }

    /// The error for a person. `status` is the HTTP status, `model` the one asked for, `key` a value that
    /// must not be repeated.
    pub(super) fn classify(self, status: u16, model: &str, key: Option<&str>) -> ModelError {
        let said = self.message.to_lowercase();
        let has = |part: &str| said.contains(part);
        if self.kind == "exceed_context_size_error"
            || has("maximum context length")
            || has("exceeds the available context size")
            || has("prompt is longer than the context length")
            || (status == 400 && has("context") && (has("too long") || has("exceed")))
        {
            let (prompt, window) = numbers(&self.message);
            return ModelError::ContextOverflow {
                prompt: self.prompt.or(prompt),
                window: self.window.or(window),
            };
        }
        if has("ollama cloud is disabled")
            || has("cannot run this remote model")
            || has("use either :local or :cloud")
            || self.sign_in
        {
            return ModelError::CloudRefused {
                name: model.to_owned(),
                why: "Ollama would forward it to its cloud".to_owned(),
            };
        }
        if has("does not support tools") {
            return ModelError::ToolsUnsupported {
                hint: "Choose a model with the tools capability, or set [model] tools = \"constrained\".".into(),
            };
        }
        if has("--enable-auto-tool-choice") || has("--tool-call-parser") {
            return ModelError::ToolsUnsupported {
                hint: "Start vLLM with --enable-auto-tool-choice --tool-call-parser …, or set [model] tools = \
                       \"constrained\"."
                    .into(),
            };
        }
        if has("--jinja") {
            return ModelError::ToolsUnsupported {
                hint: "Start llama-server with --jinja, or set [model] tools = \"constrained\"."
                    .into(),
            };
        }
        match status {
            401 => {
                return ModelError::BadKey {
                    sent: key.is_some(),
                };
            }
            429 => return ModelError::RateLimited { retry_s: None },
            404 if has("model")
                || has("not found, try pulling")
                || self.kind == "NotFoundError" =>
            {
                return ModelError::NoSuchModel {
                    name: model.to_owned(),
                    have: Vec::new(),
                };
            }
            503 if is_loading(&self) => return ModelError::Loading,
            _ => {}
        }
        ModelError::Server {
            status,
            message: shorten(&self.message, key),
        }
    }
}

/// llama.cpp's 503 while it loads (Ollama's 503 means a full queue).
pub(super) fn is_loading(error: &ServerError) -> bool {
    error.kind == "unavailable_error" || error.message.to_lowercase().contains("loading model")
}

/// One line of bounded length, without control characters and without the key.
pub(super) fn shorten(message: &str, key: Option<&str>) -> String {
    let hidden = match key.filter(|k| !k.is_empty()) {
        Some(key) => message.replace(key, "[key]"),
        None => message.to_owned(),
    };
    let mut line: String = hidden
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .filter(|c| !c.is_control())
        .collect();
    if line.is_empty() {
        "no text".clone_into(&mut line);
    }
    if line.chars().count() > MAX_MESSAGE {
        line = line.chars().take(MAX_MESSAGE).collect::<String>() + "…";
    }
    line
}

/// Prompt and window from an English sentence: vLLM's "maximum context length is W tokens … at least P
/// input tokens", llama.cpp's "request (P tokens) exceeds the available context size (W tokens)".
fn numbers(message: &str) -> (Option<u32>, Option<u32>) {
    let after = |marker: &str| -> Option<u32> {
        let at = message.find(marker)? + marker.len();
        let digits: String = message[at..]
            .trim_start_matches([' ', '('])
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        digits.parse().ok()
    };
    let window = after("maximum context length is").or_else(|| after("available context size"));
    let prompt = after("contains at least")
        .or_else(|| after("prompt contains"))
        .or_else(|| after("request ("));
    (prompt, window)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classify(status: u16, body: &str) -> ModelError {
        ServerError::from_body(body.as_bytes()).classify(status, "m", Some("test-key-not-real"))
    }

    #[test]
    fn every_shape_of_overflow() {
        for body in [
            r#"{"error":{"code":400,"message":"request (2709 tokens) exceeds the available context size (2048 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":2709,"n_ctx":2048}}"#,
            r#"{"error":"{\"error\":{\"code\":400,\"message\":\"request (2709 tokens) exceeds the available context size (2048 tokens), try increasing it\",\"type\":\"exceed_context_size_error\",\"n_prompt_tokens\":2709,\"n_ctx\":2048}}"}"#,
            r#"{"error":{"message":"This model's maximum context length is 2048 tokens. However, your prompt contains at least 2709 input tokens, which exceeds this limit"}}"#,
            r#"{"error":"request (2709 tokens) exceeds the available context size (2048 tokens)"}"#,
        ] {
            assert_eq!(
                classify(400, body),
                ModelError::ContextOverflow {
                    prompt: Some(2709),
                    window: Some(2048)
                },
                "{body}"
            );
        }
        let silent = r#"{"error":"the prompt is longer than the context length currently available to the model; shorten the prompt"}"#;
        assert_eq!(
            classify(400, silent),
            ModelError::ContextOverflow {
                prompt: None,
                window: None
            }
        );
    }

    #[test]
    fn the_other_kinds() {
        assert_eq!(
            classify(401, r#"{"error":"Unauthorized"}"#),
            ModelError::BadKey { sent: true }
        );
        assert_eq!(
            classify(
                503,
                r#"{"error":{"message":"Loading model","type":"unavailable_error","code":503}}"#
            ),
            ModelError::Loading
        );
        assert!(matches!(
            classify(
                503,
                r#"{"error":"server busy, please try again.  maximum pending requests exceeded"}"#
            ),
            ModelError::Server { status: 503, .. }
        ));
        assert!(matches!(
            classify(404, r#"{"error":"model 'nope' not found"}"#),
            ModelError::NoSuchModel { .. }
        ));
        assert!(matches!(
            classify(404, r#"{"detail":"Not Found"}"#),
            ModelError::Server { status: 404, .. }
        ));
        assert!(matches!(
            classify(
                400,
                r#"{"error":"registry.ollama.ai/library/smollm2:135m does not support tools"}"#
            ),
            ModelError::ToolsUnsupported { .. }
        ));
        assert!(matches!(
            classify(
                401,
                r#"{"error":"unauthorized","signin_url":"https://ollama.com/connect?name=h&key=k"}"#
            ),
            ModelError::CloudRefused { .. }
        ));
    }

    #[test]
    fn a_server_that_repeats_the_key_does_not_get_it_onto_the_screen() {
        let error = classify(
            400,
            r#"{"error":{"message":"bad header Bearer test-key-not-real\u001b[31m\nsecond line"}}"#,
        );
        let ModelError::Server { message, .. } = &error else {
            panic!("{error:?}")
        };
        assert_eq!(message, "bad header Bearer [key][31m second line");
        let long = classify(500, &format!("{{\"error\":\"{}\"}}", "x".repeat(10_000)));
        assert!(long.to_string().chars().count() < 400);
        for body in [
            "",
            "null",
            "[]",
            "{}",
            "{\"error\":[]}",
            "{\"error\":{}}",
            "\u{0}\u{1}",
            "<html>",
        ] {
            assert!(
                matches!(classify(500, body), ModelError::Server { status: 500, .. }),
                "{body}"
            );
        }
    }
}

//! A model server that speaks as llama.cpp's does and says what a test tells it to say.

use super::support_model::{Asked, Reply, Scripted};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What the model can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Native,
    Constrained,
    /// Calls no tools and keeps to no schema.
    Neither,
}

pub(crate) const BOTH: [Mode; 2] = [Mode::Native, Mode::Constrained];

impl Mode {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Constrained => "constrained",
            Self::Neither => "neither",
        }
    }
}

/// What the model says in one round.
#[derive(Clone, Debug)]
pub(crate) enum Say {
    /// One look-up.
    Call(String, String),
    /// Calls as (name, arguments) exactly so; native only.
    Calls(Vec<(Value, String)>),
    /// Text together with one look-up.
    TextAndCall(String, String, String),
    /// The tool `propose_pivot`.
    Propose(String, String),
    /// An answer.
    Answer(String),
    /// These bytes.
    Raw(Reply),
    /// A piece of an answer, then the connection stays open.
    Hang,
    /// A piece of an answer, then the connection closes in the middle of a chunk.
    Die,
}

pub(crate) fn call(tool: &str, query: &str) -> Say {
    Say::Call(tool.to_owned(), query.to_owned())
}

pub(crate) fn answer(text: &str) -> Say {
    Say::Answer(text.to_owned())
}

/// One call in native form.
pub(crate) fn wire_call(tool: &str, query: &str) -> (Value, String) {
    (json!(tool), json!({ "query": query }).to_string())
}

/// A request for a round, and the number of rounds before it.
pub(crate) struct Round<'a> {
    pub(crate) n: usize,
    pub(crate) asked: &'a Asked,
}

impl Round<'_> {
    /// The text of the last message.
    pub(crate) fn last(&self) -> String {
        let body = self.asked.json();
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        messages
            .last()
            .and_then(|m| m["content"].as_str().map(str::to_owned))
            .unwrap_or_default()
    }
}

pub(crate) struct Model {
    server: Scripted,
}

pub(crate) const NAME: &str = "scripted-model";

impl Model {
    pub(crate) fn start(
        mode: Mode,
        script: impl Fn(&Round<'_>) -> Say + Send + Sync + 'static,
    ) -> Self {
        let count = AtomicUsize::new(0);
        let server = Scripted::start(move |asked| match asked.path.as_str() {
            "/v1/chat/completions" => {
                if is_probe(asked) {
                    return probe(mode, asked);
                }
                let n = count.fetch_add(1, Ordering::SeqCst);
                let constrained = asked.json().get("response_format").is_some();
                say(&script(&Round { n, asked }), constrained)
            }
            path => about(path),
        });
        Self { server }
    }

    /// Says these things one after the other; after the last one an answer begins again, and anything
    /// else is said again and again.
    pub(crate) fn saying(mode: Mode, script: Vec<Say>) -> Self {
        let begins_again = matches!(script.last(), Some(Say::Answer(_)));
        Self::start(mode, move |r| {
            let at = if begins_again {
                r.n % script.len()
            } else {
                r.n.min(script.len() - 1)
            };
            script[at].clone()
        })
    }

    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    /// Every request, detection and probes included.
    pub(crate) fn everything(&self) -> Vec<Asked> {
        self.server.asked()
    }

    /// The requests for rounds.
    pub(crate) fn rounds(&self) -> Vec<Value> {
        self.server
            .asked_at("/v1/chat/completions")
            .iter()
            .filter(|a| !is_probe(a))
            .map(Asked::json)
            .collect()
    }

    pub(crate) fn probes(&self) -> usize {
        self.server
            .asked_at("/v1/chat/completions")
            .iter()
            .filter(|a| is_probe(a))
            .count()
    }

    /// The server sees that the client went away.
    pub(crate) fn sees_hang_up(&self) -> bool {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        runtime.block_on(self.server.wait_hung_up(Duration::from_secs(20)))
    }
}

/// Everything that was sent in the messages of a request, as one text.
pub(crate) fn sent(request: &Value) -> String {
    request["messages"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|m| m["content"].as_str().unwrap_or_default().to_owned())
        .collect::<Vec<_>>()
        .join("\n")
}

fn is_probe(asked: &Asked) -> bool {
    asked.body.contains("lookup_domain")
}

/// What llama.cpp's server answers besides chats.
pub(crate) fn about(path: &str) -> Reply {
    match path {
        "/v1/models" => Reply::json(
            200,
            &json!({"object": "list", "data": [{
                "id": NAME, "object": "model", "created": 1, "owned_by": "llamacpp",
                "meta": {"n_ctx_train": 32768}
            }]})
            .to_string(),
        ),
        "/props" => Reply::json(
            200,
            r#"{"default_generation_settings":{"n_ctx":16384},"build_info":"b1-test","chat_template_caps":{"supports_tools":true}}"#,
        ),
        "/health" => Reply::json(200, r#"{"status":"ok"}"#),
        _ => Reply::json(
            404,
            r#"{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}"#,
        ),
    }
}

fn probe(mode: Mode, asked: &Asked) -> Reply {
    let schema = asked.json().get("response_format").is_some();
    let ask = call("lookup_domain", "example.com");
    match mode {
        Mode::Native => say(&ask, schema),
        Mode::Constrained if schema => say(&ask, true),
        Mode::Constrained | Mode::Neither => say(&answer("I would look that up."), false),
    }
}

fn say(what: &Say, constrained: bool) -> Reply {
    let text = |text: &str| stream(&[json!({ "content": text })], "stop");
    match what {
        Say::Raw(reply) => reply.clone(),
        Say::Hang => open_end(false),
        Say::Die => open_end(true),
        Say::Answer(t) if constrained => text(&json!({"action": "answer", "text": t}).to_string()),
        Say::Answer(t) => pieces(t),
        Say::Call(tool, query) if constrained => {
            text(&json!({"action": "call", "tool": tool, "query": query}).to_string())
        }
        Say::TextAndCall(_, tool, query) if constrained => {
            text(&json!({"action": "call", "tool": tool, "query": query}).to_string())
        }
        Say::Propose(indicator, reason) if constrained => text(
            &json!({"action": "propose", "indicator": indicator, "reason": reason}).to_string(),
        ),
        Say::Call(tool, query) => calls(None, &[wire_call(tool, query)]),
        Say::TextAndCall(t, tool, query) => calls(Some(t), &[wire_call(tool, query)]),
        Say::Propose(indicator, reason) => calls(
            None,
            &[(
                json!("propose_pivot"),
                json!({"indicator": indicator, "reason": reason}).to_string(),
            )],
        ),
        Say::Calls(list) => calls(None, list),
    }
}

/// Text in three pieces.
fn pieces(text: &str) -> Reply {
    let chars: Vec<char> = text.chars().collect();
    let size = chars.len().div_ceil(3).max(1);
    let deltas: Vec<Value> = chars
        .chunks(size)
        .map(|c| json!({ "content": c.iter().collect::<String>() }))
        .collect();
    stream(&deltas, "stop")
}

fn calls(text: Option<&str>, list: &[(Value, String)]) -> Reply {
    let mut deltas = Vec::new();
    if let Some(text) = text {
        deltas.push(json!({ "content": text }));
    }
    for (i, (name, arguments)) in list.iter().enumerate() {
        deltas.push(json!({"tool_calls": [{
            "index": i, "id": format!("call_{i}"), "type": "function",
            "function": {"name": name, "arguments": arguments}
        }]}));
    }
    stream(&deltas, "tool_calls")
}

fn event(delta: &Value, finish: Option<&str>) -> String {
    let chunk = json!({
        "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": NAME,
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    });
    format!("data: {chunk}\n\n")
}

pub(crate) fn stream(deltas: &[Value], finish: &str) -> Reply {
    let mut body = event(&json!({"role": "assistant", "content": null}), None);
    for delta in deltas {
        body.push_str(&event(delta, None));
    }
    body.push_str(&event(&json!({}), Some(finish)));
    let usage = json!({
        "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": NAME, "choices": [],
        "usage": {"prompt_tokens": 700, "completion_tokens": 20, "total_tokens": 720,
                  "prompt_tokens_details": {"cached_tokens": 400}},
    });
    body.push_str(&format!("data: {usage}\n\ndata: [DONE]\n\n"));
    Reply::sse(&body)
}

/// A chunked stream whose end never comes.
fn open_end(dies: bool) -> Reply {
    let first = event(
        &json!({"role": "assistant", "content": "The address is"}),
        None,
    );
    let head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
    let reply = Reply::raw(format!("{head}{:x}\r\n{first}\r\n", first.len()));
    if dies { reply } else { reply.hold() }
}

/// A reply after a pause.
pub(crate) fn after(pause: Duration, reply: Reply) -> Reply {
    let end = Instant::now() + pause;
    while Instant::now() < end {
        std::thread::sleep(Duration::from_millis(2));
    }
    reply
}

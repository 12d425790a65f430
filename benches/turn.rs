//! A whole turn with a model that floods: 1 refused call against 1,000 in one reply, over a real socket
//! and with the log on disk. The difference is what the refusals cost: target under 10 ms for 1,000, with
//! a bounded log (docs/performance.md).
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a bench that cannot be set up has nothing to say"
)]

use rmm_analyst::config::Config;
use rmm_analyst::engine::connect::ModelWish;
use rmm_analyst::engine::{AskInput, CaseChoice, Engine, Parts, TurnReport};
use rmm_analyst::redact::Redact;
use rmm_analyst::secrets::Secrets;
use rmm_analyst::store::{Store, StoreOptions};
use serde_json::{Value, json};
use std::sync::Arc;

#[path = "../tests/support_model/mod.rs"]
mod support_model;

use support_model::{Asked, Kind, Reply, Scripted};

fn main() {
    divan::main();
}

fn stream(chunks: &[Value]) -> Reply {
    let mut text = String::new();
    for chunk in chunks {
        text.push_str(&format!("data: {chunk}\n\n"));
    }
    text.push_str("data: [DONE]\n\n");
    Reply::sse(&text)
}

fn finish(reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

/// Answers the probe with a native call, the first round with `calls` calls that nobody authorized, each
/// another one, and then with text.
fn flood(calls: usize) -> Scripted {
    Kind::LlamaCpp.serve(move |asked: &Asked| {
        let body = asked.json();
        let call = |i: usize, name: &str, query: &str| {
            json!({"choices": [{"index": 0, "delta": {"tool_calls": [{
                "index": i, "id": format!("c{i}"), "type": "function",
                "function": {"name": name, "arguments": json!({"query": query}).to_string()}
            }]}}]})
        };
        let tools = body["tools"].as_array().cloned().unwrap_or_default();
        if tools
            .iter()
            .any(|t| t["function"]["name"] == "lookup_domain")
        {
            return stream(&[
                call(0, "lookup_domain", "example.com"),
                finish("tool_calls"),
            ]);
        }
        let answered = body["messages"]
            .as_array()
            .is_some_and(|m| m.iter().any(|m| m["role"] == "tool"));
        if answered {
            let text =
                json!({"choices": [{"index": 0, "delta": {"content": "Nothing was found."}}]});
            return stream(&[text, finish("stop")]);
        }
        let mut chunks: Vec<Value> = (0..calls)
            .map(|i| call(i, "crtsh", &format!("host{i}.example.net")))
            .collect();
        chunks.push(finish("tool_calls"));
        stream(&chunks)
    })
}

struct Bench {
    runtime: tokio::runtime::Runtime,
    engine: Engine,
    _dir: tempfile::TempDir,
    _server: Scripted,
}

impl Bench {
    fn new(calls: usize) -> Self {
        let server = flood(calls);
        let dir = tempfile::tempdir().unwrap();
        let mut config = Config::default();
        config.model.base_url = Some(server.url());
        let store = Store::open(&dir.path().join("bench.db"), StoreOptions::default()).unwrap();
        let engine = Engine::new(Parts {
            config: Arc::new(config),
            store,
            secrets: Arc::new(Secrets::default()),
            redact: Arc::new(Redact::default()),
            principal: kit::principal::Principal::owner("anna".to_owned()),
            data_dir: dir.path().to_path_buf(),
        })
        .map_err(|e| e.to_string())
        .unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        Self {
            runtime,
            engine,
            _dir: dir,
            _server: server,
        }
    }

    fn turn(&self) -> TurnReport {
        let input = AskInput {
            case: CaseChoice::New,
            text: "What is evil.example.com?".into(),
            attachments: Vec::new(),
            authorize_input: false,
            continuation: false,
            mode: None,
            fresh: false,
            as_is: false,
            model: ModelWish::default(),
            surface: "bench",
        };
        self.runtime
            .block_on(self.engine.ask(input, std::future::pending(), &mut |_| {}))
            .map_err(|e| e.to_string())
            .unwrap()
    }
}

#[divan::bench(args = [1, 1000], sample_count = 30)]
fn refused_calls(bencher: divan::Bencher<'_, '_>, calls: usize) {
    let bench = Bench::new(calls);
    let report = bench.turn();
    let rows = report.turn.calls.len();
    let refused = rows as u64 + u64::from(report.turn.refused_more);
    assert_eq!(refused, calls as u64, "every call is refused, none is lost");
    assert!(rows <= 20, "{rows} rows in the log for {calls} calls");
    bencher.bench_local(|| bench.turn());
}

//! Every recorded answer of a real server, byte for byte over a real socket: what the client makes of it
//! is in one snapshot, and cutting the bytes anywhere changes nothing.

#![cfg(test)]

mod support_model;

use proptest::prelude::*;
use rmm_analyst::config::settings::{Dialect, ModelConfig, NetworkConfig};
use rmm_analyst::model::{
    ChatReply, ChatRequest, Delta, Message, ModelClient, ModelError, RequestMode,
};
use std::fmt::Write as _;
use std::time::Duration;
use support_model::{Kind, Reply, recorded, transcript, wire};

fn request() -> ChatRequest {
    ChatRequest {
        messages: vec![Message::User("Is evil.example.com known?".into())],
        mode: RequestMode::Text,
        max_tokens: 64,
        temperature: 0.0,
    }
}

struct Got {
    result: Result<ChatReply, ModelError>,
    text: String,
    reasoning: String,
    started: Vec<String>,
}

/// One round against a server that answers like this.
fn round(kind: Kind, dialect: Dialect, stream: bool, reply: Reply) -> Got {
    let server = kind.serve(move |_| reply.clone());
    let settings = ModelConfig {
        base_url: Some(server.url()),
        dialect,
        first_byte_timeout: 10,
        idle_timeout: 5,
        ..ModelConfig::default()
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let client = ModelClient::connect(&settings, None, &NetworkConfig::default())
            .await
            .unwrap();
        let (mut text, mut reasoning, mut started) = (String::new(), String::new(), Vec::new());
        let result = if stream {
            client
                .chat(&request(), &mut |d| match d {
                    Delta::Text(t) => text.push_str(t),
                    Delta::Reasoning(t) => reasoning.push_str(t),
                    Delta::CallStarted(t) => started.push(t.to_owned()),
                    Delta::Loading | Delta::Waiting => {}
                })
                .await
        } else {
            client.chat_once(&request()).await
        };
        Got {
            result,
            text,
            reasoning,
            started,
        }
    })
}

fn describe(result: &Result<ChatReply, ModelError>) -> String {
    match result {
        Err(e) => format!("ERROR {e}\n    hint {}\n", e.hint()),
        Ok(r) => {
            let mut out = String::new();
            writeln!(
                out,
                "{:?} cut={} model={} usage={:?}",
                r.finish, r.cut_calls, r.model, r.usage
            )
            .unwrap();
            if !r.text.is_empty() {
                writeln!(out, "    text {:?}", r.text).unwrap();
            }
            if !r.reasoning.is_empty() {
                writeln!(out, "    reasoning {:?}", r.reasoning).unwrap();
            }
            for c in &r.calls {
                writeln!(
                    out,
                    "    call {} {} {:?} -> {:?}",
                    c.id,
                    c.name,
                    c.arguments,
                    c.arguments.object()
                )
                .unwrap();
            }
            for w in &r.warnings {
                writeln!(out, "    warning {w}").unwrap();
            }
            out
        }
    }
}

/// Chat recordings: (folder/name, kind, dialect, streamed, answer).
fn chats() -> Vec<(String, Kind, Dialect, bool, Reply)> {
    let mut all = Vec::new();
    for folder in [
        "llamacpp-qwen2.5-coder-0.5b",
        "llamacpp-smollm2",
        "vllm-tiny",
    ] {
        for entry in std::fs::read_dir(wire().join(folder)).unwrap() {
            let file = entry.unwrap().file_name().into_string().unwrap();
            let Some(name) = file.strip_suffix(".request.http") else {
                continue;
            };
            let asked = std::fs::read_to_string(wire().join(folder).join(&file)).unwrap();
            // A server that is loading is asked again and again: tests/model_http.rs.
            if !asked.starts_with("POST /v1/chat/completions") || name == "err_loading_503" {
                continue;
            }
            let stream = asked.contains("\"stream\": true") || asked.contains("\"stream\":true");
            all.push((
                format!("{folder}/{name}"),
                Kind::of(folder),
                Dialect::Auto,
                stream,
                recorded(folder, name),
            ));
        }
    }
    for entry in std::fs::read_dir(wire().join("ollama-from-source")).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        if !file.ends_with(".txt") {
            continue;
        }
        let (asked, reply) = transcript(&file);
        let dialect = if asked.starts_with("POST /api/chat") {
            Dialect::Ollama
        } else if asked.starts_with("POST /v1/chat/completions") {
            Dialect::Openai
        } else {
            continue;
        };
        let v1_default = dialect == Dialect::Openai && !asked.contains("\"stream\":true");
        let stream = !asked.contains("\"stream\":false") && !v1_default;
        all.push((
            format!("ollama/{file}"),
            Kind::Ollama,
            dialect,
            stream,
            reply,
        ));
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

#[test]
fn what_is_made_of_every_recording() {
    let all = chats();
    assert!(all.len() > 70, "only {} recordings", all.len());
    let mut out = String::new();
    for (name, kind, dialect, stream, reply) in all {
        let got = round(kind, dialect, stream, reply);
        write!(
            out,
            "{name} ({})\n    {}",
            if stream { "stream" } else { "whole" },
            describe(&got.result)
        )
        .unwrap();
        if let (true, Ok(reply)) = (stream, &got.result) {
            assert_eq!(
                got.text, reply.text,
                "{name}: what was shown is what is kept"
            );
            assert_eq!(got.reasoning, reply.reasoning, "{name}");
            assert_eq!(got.started.len(), reply.calls.len(), "{name}");
        }
    }
    insta::assert_snapshot!(out);
}

#[test]
fn pieces_of_seven_bytes_give_the_same() {
    for (name, kind, dialect, stream, reply) in chats() {
        if !stream {
            continue;
        }
        let whole = round(kind, dialect, stream, reply.clone()).result;
        let cuts: Vec<usize> = (0..reply.pieces.concat().len()).step_by(7).collect();
        assert_eq!(
            round(kind, dialect, stream, reply.cut(&cuts)).result,
            whole,
            "{name}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    #[test]
    fn cut_anywhere_on_a_real_socket(cuts in proptest::collection::vec(0usize..5000, 1..6)) {
        for (kind, dialect, reply) in [
            (Kind::LlamaCpp, Dialect::Auto, recorded("llamacpp-qwen2.5-coder-0.5b", "tool_call_stream_usage")),
            (Kind::Vllm, Dialect::Auto, recorded("vllm-tiny", "tool_required_stream_usage")),
            (Kind::Ollama, Dialect::Ollama, transcript("04-native-stream-two-calls.txt").1),
            (Kind::Ollama, Dialect::Openai, transcript("18-v1-stream-two-calls.txt").1),
        ] {
            let whole = round(kind, dialect, true, reply.clone()).result;
            prop_assert!(whole.is_ok());
            let cut = round(kind, dialect, true, reply.cut(&cuts).gap(Duration::from_millis(2))).result;
            prop_assert_eq!(cut, whole);
        }
    }
}

//! Answers that no server should give, and some that one does: each ends in an answer or a clear error, in
//! no time, and never in a panic.

#![cfg(test)]

mod support_model;

use proptest::prelude::*;
use rmm_analyst::config::settings::{Dialect, ModelConfig, NetworkConfig};
use rmm_analyst::model::{
    ArgumentsError, ChatReply, ChatRequest, Finish, Message, ModelClient, ModelError, NameArg,
    RequestMode,
};
use serde_json::{Value, json};
use std::time::Duration;
use support_model::{Kind, Reply};

fn request() -> ChatRequest {
    ChatRequest {
        messages: vec![Message::User("u".into())],
        mode: RequestMode::Text,
        max_tokens: 16,
        temperature: 0.0,
    }
}

fn round(
    kind: Kind,
    dialect: Dialect,
    stream: bool,
    reply: Reply,
) -> Result<ChatReply, ModelError> {
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
        let round = async {
            if stream {
                client.chat(&request(), &mut |_| {}).await
            } else {
                client.chat_once(&request()).await
            }
        };
        tokio::time::timeout(Duration::from_secs(30), round)
            .await
            .expect("no end")
    })
}

fn whole(body: &Value) -> Result<ChatReply, ModelError> {
    round(
        Kind::LlamaCpp,
        Dialect::Auto,
        false,
        Reply::json(200, &body.to_string()),
    )
}

fn sse(events: &[Value]) -> String {
    events
        .iter()
        .map(|e| format!("data: {e}\n\n"))
        .collect::<String>()
        + "data: [DONE]\n\n"
}

fn streamed(events: &[Value]) -> Result<ChatReply, ModelError> {
    round(
        Kind::LlamaCpp,
        Dialect::Auto,
        true,
        Reply::sse(&sse(events)),
    )
}

fn delta(delta: Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta}]})
}

fn end(reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

#[test]
fn content_in_every_shape() {
    for (content, want) in [
        (json!("a"), "a"),
        (
            json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]),
            "ab",
        ),
        (json!(["a", {"text": "b"}]), "ab"),
        (json!({"type": "text", "text": "a"}), "a"),
    ] {
        let message =
            json!({"choices": [{"message": {"content": content}, "finish_reason": "stop"}]});
        assert_eq!(whole(&message).unwrap().text, want, "{content}");
        assert_eq!(
            streamed(&[delta(json!({"content": content})), end("stop")])
                .unwrap()
                .text,
            want,
            "{content}"
        );
    }
    for content in [
        json!(null),
        json!(""),
        json!([]),
        json!(7),
        json!([{"type": "image"}]),
    ] {
        let message =
            json!({"choices": [{"message": {"content": content}, "finish_reason": "stop"}]});
        let reply = whole(&message).unwrap();
        assert_eq!(reply.text, "");
        assert!(
            !reply.warnings.is_empty(),
            "an empty answer is said to be one"
        );
    }
}

#[test]
fn reasoning_in_every_shape() {
    for message in [
        json!({"reasoning_content": "why", "content": "a"}),
        json!({"reasoning": "why", "content": "a"}),
        json!({"reasoning": "why", "reasoning_content": "why", "content": "a"}),
        json!({"content": "<think>why</think>\n\na"}),
        json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "why"}]}, {"type": "text", "text": "a"}]}),
    ] {
        let reply =
            whole(&json!({"choices": [{"message": message, "finish_reason": "stop"}]})).unwrap();
        assert_eq!(
            (reply.text.as_str(), reply.reasoning.as_str()),
            ("a", "why"),
            "{message}"
        );
    }
    let pieces = ["<th", "ink", ">w", "hy</", "think>", "\n\na"];
    let events: Vec<Value> = pieces
        .iter()
        .map(|p| delta(json!({"content": p})))
        .chain([end("stop")])
        .collect();
    let reply = streamed(&events).unwrap();
    assert_eq!(
        (reply.text.as_str(), reply.reasoning.as_str()),
        ("a", "why")
    );
}

#[test]
fn calls_in_every_shape() {
    let function = json!({"name": "x", "arguments": "{\"q\":1}"});
    for calls in [
        json!([{"id": "a", "type": "function", "function": function}]),
        json!({"id": "a", "function": function}),
        json!([{"id": "a", "name": "x", "arguments": {"q": 1}}]),
        json!([{"id": "a", "index": 0, "function": {"name": "x", "arguments": {"q": 1}}}]),
    ] {
        let message = json!({"choices": [{"message": {"content": null, "tool_calls": calls}, "finish_reason": "stop"}]});
        for reply in [
            whole(&message),
            streamed(&[delta(json!({"tool_calls": calls})), end("stop")]),
        ] {
            let reply = reply.unwrap();
            assert_eq!(reply.calls.len(), 1, "{calls}");
            assert_eq!(reply.calls[0].name, NameArg::Name("x".into()));
            assert_eq!(
                reply.calls[0].arguments.object().unwrap()["q"],
                1,
                "{calls}"
            );
            assert!(!reply.cut_calls);
        }
    }
    let old = json!({"choices": [{"message": {"function_call": function}, "finish_reason": "function_call"}]});
    let reply = whole(&old).unwrap();
    assert_eq!((reply.calls.len(), reply.finish), (1, Finish::ToolCalls));
}

#[test]
fn malformed_calls_are_kept_for_the_gate_to_refuse() {
    for (call, want) in [
        (
            json!({"function": {"name": "x", "arguments": "{\"q\":\"cut"}}),
            ArgumentsError::NotJson,
        ),
        (
            json!({"function": {"name": "x", "arguments": "\"{\\\"q\\\":1}\""}}),
            ArgumentsError::NotAnObject,
        ),
        (
            json!({"function": {"name": "x", "arguments": "{\"q\":1,\"q\":2}"}}),
            ArgumentsError::DuplicateKey,
        ),
        (
            json!({"function": {"name": "x", "arguments": [1]}}),
            ArgumentsError::NotAnObject,
        ),
        (
            json!({"function": {"name": "x", "arguments": 7}}),
            ArgumentsError::NotAnObject,
        ),
    ] {
        let reply = whole(
            &json!({"choices": [{"message": {"tool_calls": [call]}, "finish_reason": "length"}]}),
        )
        .unwrap();
        assert_eq!(reply.calls[0].arguments.object(), Err(want), "{call}");
        assert!(reply.cut_calls);
        assert_eq!(reply.calls[0].id, "call_1");
    }
    for (call, want) in [
        (json!({"function": {"arguments": "{}"}}), NameArg::Missing),
        (json!({"function": {"name": null}}), NameArg::Missing),
        (
            json!({"function": {"name": 7}}),
            NameArg::NotAString(json!(7)),
        ),
        (
            json!({"function": {"name": {"a": 1}}}),
            NameArg::NotAString(json!({"a": 1})),
        ),
        (json!("crtsh"), NameArg::Missing),
        (json!([]), NameArg::Missing),
    ] {
        let reply = whole(&json!({"choices": [{"message": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]})).unwrap();
        assert_eq!(reply.calls.len(), 1, "{call}");
        assert_eq!(reply.calls[0].name, want);
    }
    // Not cut off by the length limit, only wrong.
    let wrong = json!({"choices": [{"message": {"tool_calls": [{"function": {"name": "x", "arguments": "[1]"}}]}, "finish_reason": "stop"}]});
    assert!(!whole(&wrong).unwrap().cut_calls);
    // tool_calls as the reason, with none: the presence of calls decides.
    let none = json!({"choices": [{"message": {"content": "a", "tool_calls": []}, "finish_reason": "tool_calls"}]});
    assert!(whole(&none).unwrap().calls.is_empty());
}

#[test]
fn a_thousand_calls_in_one_reply() {
    let calls: Vec<Value> = (0..1000)
        .map(|n| json!({"index": 0, "id": "same", "function": {"name": "x", "arguments": format!("{{\"q\":{n}}}")}}))
        .collect();
    let reply = streamed(&[delta(json!({"tool_calls": calls})), end("tool_calls")]).unwrap();
    assert_eq!(reply.calls.len(), 1000);
    let mut ids: Vec<&str> = reply.calls.iter().map(|c| c.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 1000, "each has an id of its own");
}

#[test]
fn errors_inside_an_answer_with_status_200() {
    for text in [
        "data: {\"error\":{\"message\":\"out of memory\",\"code\":500}}\n\ndata: [DONE]\n\n"
            .to_owned(),
        "data: {\"error\":\"out of memory\"}\n\n".to_owned(),
        format!(
            "data: {}\n\nerror: {{\"code\":500,\"message\":\"out of memory\"}}\n\n",
            delta(json!({"content": "half"}))
        ),
        "error: out of memory\n\n".to_owned(),
        "event: error\ndata: {\"error\":{\"message\":\"out of memory\"}}\n\n".to_owned(),
        "{\"error\":{\"message\":\"out of memory\"}}".to_owned(),
    ] {
        let error = round(Kind::LlamaCpp, Dialect::Auto, true, Reply::sse(&text)).unwrap_err();
        assert!(
            matches!(&error, ModelError::Server { message, .. } if message == "out of memory"),
            "{text}: {error:?}"
        );
    }
    // A null error is none.
    let reply = streamed(&[
        json!({"error": null, "choices": [{"index": 0, "delta": {"content": "a"}}]}),
        end("stop"),
    ]);
    assert_eq!(reply.unwrap().text, "a");
}

#[test]
fn ends_and_lack_of_ends() {
    let half = format!("data: {}\n\n", delta(json!({"content": "a"})));
    let ask = |text: &str| round(Kind::LlamaCpp, Dialect::Auto, true, Reply::sse(text));
    assert!(
        matches!(ask(&half), Err(ModelError::BrokenStream { .. })),
        "neither reason nor [DONE]"
    );
    assert!(matches!(ask(""), Err(ModelError::BrokenStream { .. })));
    assert!(matches!(
        ask("data: [DONE]\n\n"),
        Err(ModelError::BrokenStream { .. })
    ));
    assert!(matches!(
        ask(": ping\n\n"),
        Err(ModelError::BrokenStream { .. })
    ));
    assert!(matches!(
        ask("<html>busy</html>"),
        Err(ModelError::BrokenStream { .. })
    ));
    assert!(matches!(
        ask("data: {not json}\n\n"),
        Err(ModelError::BrokenStream { .. })
    ));
    assert!(matches!(
        ask("data: 7\n\n"),
        Err(ModelError::BrokenStream { .. })
    ));
    // [DONE] without a reason, a reason without [DONE], and no blank line at the end: answers.
    let done = ask(&format!("{half}data: [DONE]\n\n")).unwrap();
    assert_eq!((done.text.as_str(), done.finish), ("a", Finish::Missing));
    assert_eq!(
        ask(&format!("{half}data: {}\n\n", end("stop")))
            .unwrap()
            .finish,
        Finish::Stop
    );
    assert_eq!(
        ask(&format!("{half}data: {}", end("stop"))).unwrap().finish,
        Finish::Stop
    );
    // The token counts after the reason were cut off: still an answer.
    let cut = format!(
        "{half}data: {}\n\ndata: {{\"choices\":[],\"usa",
        end("stop")
    );
    assert_eq!(ask(&cut).unwrap().text, "a");
    // A whole body although a stream was asked for.
    let body = json!({"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 3}});
    let reply = round(
        Kind::LlamaCpp,
        Dialect::Auto,
        true,
        Reply::json(200, &body.to_string()),
    )
    .unwrap();
    assert_eq!((reply.text.as_str(), reply.usage.unwrap().prompt), ("a", 3));
    // Chunks without choices, of another choice, with null in every place.
    let odd = [
        json!({}),
        json!({"choices": null}),
        json!({"choices": [null, 7]}),
        json!({"choices": [{"index": 1, "delta": {"content": "other"}}]}),
        json!({"choices": [{"index": 0, "delta": null, "finish_reason": null}], "usage": null, "model": null}),
        delta(
            json!({"content": null, "tool_calls": null, "function_call": null, "reasoning": null, "refusal": null}),
        ),
        delta(json!({"content": "a"})),
        end("stop"),
    ];
    assert_eq!(streamed(&odd).unwrap().text, "a");
}

#[test]
fn a_whole_answer_that_is_none() {
    for body in [
        "",
        "null",
        "[]",
        "7",
        "{}",
        "{\"choices\":[]}",
        "{\"choices\":[{}]}",
        "{\"choices\":[{\"message\":{}}]}",
        "{\"cho",
    ] {
        let result = round(Kind::LlamaCpp, Dialect::Auto, false, Reply::json(200, body));
        assert!(
            matches!(result, Err(ModelError::BrokenStream { .. })),
            "{body}: {result:?}"
        );
    }
}

#[test]
fn an_endless_answer_is_cut_off_at_the_cap() {
    let line = format!(
        "data: {}\n\n",
        delta(json!({"content": "x".repeat(1 << 20)}))
    );
    let error = round(
        Kind::LlamaCpp,
        Dialect::Auto,
        true,
        Reply::sse(&line.repeat(12)),
    )
    .unwrap_err();
    assert_eq!(error, ModelError::TooLarge(8 << 20));
    let body = json!({"choices": [{"message": {"content": "x".repeat(9 << 20)}}]}).to_string();
    assert_eq!(
        round(
            Kind::LlamaCpp,
            Dialect::Auto,
            false,
            Reply::json(200, &body)
        )
        .unwrap_err(),
        ModelError::TooLarge(8 << 20)
    );
    let one_line = format!("data: {}", "x".repeat(9 << 20));
    assert_eq!(
        round(Kind::LlamaCpp, Dialect::Auto, true, Reply::sse(&one_line)).unwrap_err(),
        ModelError::TooLarge(8 << 20)
    );
}

#[test]
fn native_lines_in_every_shape() {
    let ask = |text: &str| round(Kind::Ollama, Dialect::Ollama, true, Reply::ndjson(text));
    let done = "{\"model\":\"qwen3:8b\",\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\"}";
    let line = |message: &Value| {
        format!(
            "{}\n",
            json!({"model": "qwen3:8b", "message": message, "done": false})
        )
    };
    // No line break at the end, CRLF, empty lines.
    let text = line(&json!({"content": "a"}));
    for whole in [
        format!("{text}{done}"),
        format!("{}\r\n\r\n{done}\r\n", text.trim_end()),
    ] {
        assert_eq!(ask(&whole).unwrap().text, "a");
    }
    let calls = json!({"content": "", "tool_calls": [
        {"function": {"name": "x", "arguments": {"q": 1}}},
        {"function": {"name": "x", "arguments": {"q": 1}}},
        {"function": {"name": "y", "arguments": "{\"q\":2}"}},
        {"function": {"name": 3, "arguments": null}}
    ]});
    let reply = ask(&format!("{}{done}\n", line(&calls))).unwrap();
    assert_eq!(reply.calls.len(), 4, "two alike are two: {:?}", reply.calls);
    assert_eq!(reply.calls[2].arguments.object().unwrap()["q"], 2);
    assert_eq!(reply.calls[3].name, NameArg::NotAString(json!(3)));
    for (text, part) in [
        ("{\"error\":\"it broke\"}\n", "it broke"),
        (
            "{\"error\":\"{\\\"error\\\":{\\\"code\\\":500,\\\"message\\\":\\\"template error\\\"}}\"}\n",
            "template error",
        ),
    ] {
        let error = ask(&format!("{}{text}", line(&json!({"content": "half"})))).unwrap_err();
        assert!(
            matches!(&error, ModelError::Server { message, .. } if message == part),
            "{error:?}"
        );
    }
    for broken in [
        "",
        "\n\n",
        "not json\n",
        "[1]\n",
        "{\"done\":false}\n",
        "{\"message\":{\"content\":\"a\"}}\n",
    ] {
        assert!(
            matches!(ask(broken), Err(ModelError::BrokenStream { .. })),
            "{broken:?}"
        );
    }
}

/// JSON of any form where a chunk belongs.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-z{}\"<>/]{0,8}".prop_map(Value::from),
    ];
    let key = prop_oneof![
        Just("choices"),
        Just("delta"),
        Just("message"),
        Just("content"),
        Just("tool_calls"),
        Just("function"),
        Just("name"),
        Just("arguments"),
        Just("index"),
        Just("id"),
        Just("finish_reason"),
        Just("usage"),
        Just("prompt_tokens"),
        Just("error"),
        Just("model"),
        Just("reasoning"),
        Just("done"),
        Just("text"),
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((key.clone(), inner), 0..5).prop_map(|pairs| Value::Object(
                pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()
            )),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]
    #[test]
    fn any_json_ends_in_an_answer_or_an_error(events in proptest::collection::vec(any_json(), 0..6)) {
        let text = sse(&events);
        let _ = round(Kind::LlamaCpp, Dialect::Auto, true, Reply::sse(&text));
        let lines: String = events.iter().map(|e| format!("{e}\n")).collect();
        let _ = round(Kind::Ollama, Dialect::Ollama, true, Reply::ndjson(&lines));
    }

    #[test]
    fn any_bytes_end_in_an_answer_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let mut reply = Reply::sse("");
        reply.pieces.push(bytes.clone());
        let _ = round(Kind::LlamaCpp, Dialect::Auto, true, reply.clone());
        let _ = round(Kind::Ollama, Dialect::Ollama, true, reply);
        let _ = round(Kind::LlamaCpp, Dialect::Auto, true, Reply::raw(bytes));
    }
}

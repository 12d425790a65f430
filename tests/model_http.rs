//! Connections that go wrong, servers that make one wait, and what must never leave: against a scripted
//! server over real sockets.

#![cfg(test)]

mod support_model;

use rmm_analyst::config::settings::{Dialect, ModelConfig, NetworkConfig, ToolsMode};
use rmm_analyst::model::{
    ChatReply, ChatRequest, Delta, Message, ModelClient, ModelError, Phase, RequestMode,
    ServerKind, ToolChoice,
};
use secrecy::SecretString;
use serde_json::json;
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use support_model::{Kind, Reply, Scripted, recorded};

const KEY: &str = "test-key-not-real";
const ANSWER: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"fine\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

fn settings(server: &Scripted) -> ModelConfig {
    ModelConfig {
        base_url: Some(server.url()),
        first_byte_timeout: 20,
        idle_timeout: 5,
        ..ModelConfig::default()
    }
}

async fn connect(settings: &ModelConfig) -> Result<ModelClient, ModelError> {
    ModelClient::connect(settings, None, &NetworkConfig::default()).await
}

fn request() -> ChatRequest {
    ChatRequest {
        messages: vec![Message::System("s".into()), Message::User("u".into())],
        mode: RequestMode::Text,
        max_tokens: 16,
        temperature: 0.5,
    }
}

async fn chat(server: &Scripted) -> Result<ChatReply, ModelError> {
    connect(&settings(server))
        .await
        .unwrap()
        .chat(&request(), &mut |_| {})
        .await
}

/// Answers the first chats one after the other, the last one for ever.
fn sequence(replies: Vec<Reply>) -> Scripted {
    let n = AtomicUsize::new(0);
    Kind::LlamaCpp.serve(move |_| {
        let at = n.fetch_add(1, Ordering::SeqCst).min(replies.len() - 1);
        replies[at].clone()
    })
}

fn chats(server: &Scripted) -> usize {
    server.asked_at("/v1/chat/completions").len()
}

// ---- addresses

#[tokio::test]
async fn a_dead_port_is_unreachable() {
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let settings = ModelConfig {
        base_url: Some(format!("127.0.0.1:{port}")),
        ..ModelConfig::default()
    };
    let error = connect(&settings).await.unwrap_err();
    assert!(
        matches!(&error, ModelError::Unreachable { url, .. } if *url == format!("http://127.0.0.1:{port}")),
        "{error:?}"
    );
    assert!(error.to_string().contains("refused"), "{error}");
    assert_eq!(
        connect(&ModelConfig::default()).await.unwrap_err(),
        ModelError::NotConfigured
    );
}

#[tokio::test]
async fn what_is_no_model_server_is_named_as_such() {
    for reply in [
        Reply::body(200, "text/html", "<html>hello</html>"),
        Reply::body(404, "text/plain", "nothing here"),
        Reply::json(200, "[1,2]"),
        Reply::json(200, "{\"data\":\"x\"}"),
        Reply::raw(
            "HTTP/1.1 302 Found\r\nLocation: http://192.0.2.1/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        ),
        Reply::raw("SSH-2.0-OpenSSH_9.2\r\n"),
    ] {
        let shown = String::from_utf8_lossy(&reply.pieces.concat()).into_owned();
        let server = Scripted::start(move |_| reply.clone());
        let error = connect(&settings(&server)).await.unwrap_err();
        assert!(
            matches!(error, ModelError::NotAModelServer { .. }),
            "{shown}: {error:?}"
        );
        assert!(!error.hint().is_empty());
    }
}

#[tokio::test]
async fn a_server_that_hangs_up_at_once_is_an_error() {
    let server = Scripted::start(|_| Reply::raw(""));
    assert!(matches!(
        connect(&settings(&server)).await,
        Err(ModelError::BrokenStream { .. })
    ));
}

#[tokio::test]
async fn nothing_is_sent_to_a_remote_endpoint_unless_it_is_allowed() {
    for url in [
        "http://192.0.2.1:9/v1",
        "https://203.0.113.7",
        "http://[2001:db8::1]:9",
    ] {
        let settings = ModelConfig {
            base_url: Some(url.into()),
            ..ModelConfig::default()
        };
        let error = connect(&settings).await.unwrap_err();
        assert!(
            matches!(error, ModelError::RemoteRefused { .. }),
            "{url}: {error:?}"
        );
        assert!(error.hint().contains("allow_remote"));
    }
    // A redirect to elsewhere is not followed, with the key or without.
    let server = Kind::LlamaCpp.serve(|_| {
        Reply::raw("HTTP/1.1 307 X\r\nLocation: http://192.0.2.1/v1/chat/completions\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    });
    assert!(matches!(
        chat(&server).await,
        Err(ModelError::NotAModelServer { .. })
    ));
}

#[tokio::test]
async fn a_local_endpoint_is_never_asked_through_a_proxy() {
    let server = Kind::LlamaCpp.serve(|_| Reply::sse(ANSWER));
    let net = NetworkConfig {
        proxy: Some("http://127.0.0.1:9".into()),
        ..NetworkConfig::default()
    };
    let localhost = ModelConfig {
        base_url: Some(format!("http://localhost:{}", server.addr.port())),
        ..settings(&server)
    };
    for settings in [settings(&server), localhost] {
        let client = ModelClient::connect(&settings, None, &net).await.unwrap();
        assert!(!client.info().remote);
        assert_eq!(
            client.chat(&request(), &mut |_| {}).await.unwrap().text,
            "fine"
        );
    }
}

/// The environment's proxies are not for local servers either. The variables must be there from the start
/// of a process, so the test above runs once more in one that has them.
#[test]
fn nor_through_a_proxy_of_the_environment() {
    let mut again = std::process::Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "a_local_endpoint_is_never_asked_through_a_proxy"]);
    for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        again.env(name, "http://127.0.0.1:9");
    }
    for name in ["NO_PROXY", "no_proxy", "REQUEST_METHOD"] {
        again.env_remove(name);
    }
    let out = again.output().unwrap();
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(out.status.success() && said.contains("1 passed"), "{said}");
}

#[tokio::test]
async fn discovery_prefers_a_server_with_models_and_ends_in_time() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let web = Scripted::start(|_| Reply::body(200, "text/html", "<html>"));
    let empty = Scripted::start(|asked| match asked.path.as_str() {
        "/api/version" => Reply::json(200, "{\"version\":\"0.30.0\"}"),
        _ => Reply::json(200, "{\"models\":[]}"),
    });
    let vllm = Kind::Vllm.serve(|_| Reply::sse(ANSWER));
    let port = |s: &Scripted| s.addr.port();
    let (settings, net) = (ModelConfig::default(), NetworkConfig::default());
    let silent = silent.local_addr().unwrap().port();
    let all = [silent, port(&web), port(&empty), port(&vllm)];
    let found = ModelClient::discover_on(&all, &settings, &net)
        .await
        .unwrap();
    assert_eq!(
        (found.kind, found.base_url, found.models),
        (ServerKind::Vllm, vllm.url(), vec!["tiny-qwen2".to_owned()])
    );
    let every = ModelClient::discover_all_on(&all, &settings, &net).await;
    let kinds: Vec<ServerKind> = every.iter().map(|f| f.kind).collect();
    assert_eq!(kinds, [ServerKind::Ollama, ServerKind::Vllm]);
    let found = ModelClient::discover_on(&all[..3], &settings, &net)
        .await
        .unwrap();
    assert_eq!((found.kind, found.models.len()), (ServerKind::Ollama, 0));
    let start = Instant::now();
    assert_eq!(
        ModelClient::discover_on(&all[..2], &settings, &net).await,
        None
    );
    assert!(
        start.elapsed() < Duration::from_secs(3),
        "the limit of 300 ms does not hold"
    );
}

// ---- retries

#[tokio::test]
async fn one_retry_after_a_server_error_and_after_a_full_queue() {
    for status in [500, 502, 503] {
        let server = sequence(vec![
            Reply::json(status, "{\"error\":\"busy\"}"),
            Reply::sse(ANSWER),
        ]);
        assert_eq!(chat(&server).await.unwrap().text, "fine");
        assert_eq!(chats(&server), 2);
        let server = sequence(vec![Reply::json(status, "{\"error\":\"busy\"}")]);
        assert_eq!(
            chat(&server).await.unwrap_err(),
            ModelError::Server {
                status,
                message: "busy".into()
            }
        );
        assert_eq!(chats(&server), 2, "one retry, not more");
    }
}

#[tokio::test]
async fn what_is_our_fault_is_not_sent_again() {
    for status in [400, 401, 403, 404, 422] {
        let server = sequence(vec![
            Reply::json(status, "{\"error\":\"no\"}"),
            Reply::sse(ANSWER),
        ]);
        assert!(chat(&server).await.is_err());
        assert_eq!(chats(&server), 1, "{status}");
    }
}

#[tokio::test]
async fn retry_after_is_honoured_up_to_thirty_seconds() {
    let limited = |after: &str| {
        Reply::raw(format!(
            "HTTP/1.1 429 X\r\nRetry-After: {after}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{{}}"
        ))
    };
    let server = sequence(vec![limited("1"), Reply::sse(ANSWER)]);
    let start = Instant::now();
    assert_eq!(chat(&server).await.unwrap().text, "fine");
    assert!(start.elapsed() >= Duration::from_secs(1));
    let server = sequence(vec![limited("3600"), Reply::sse(ANSWER)]);
    assert_eq!(
        chat(&server).await.unwrap_err(),
        ModelError::RateLimited {
            retry_s: Some(3600)
        }
    );
    assert_eq!(chats(&server), 1);
    let server = sequence(vec![limited("0"), limited("7")]);
    assert_eq!(
        chat(&server).await.unwrap_err(),
        ModelError::RateLimited { retry_s: Some(7) }
    );
}

#[tokio::test]
async fn nothing_is_sent_again_after_the_first_byte() {
    let half = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"half\"}}]}\n\n";
    let server = sequence(vec![Reply::sse(half), Reply::sse(ANSWER)]);
    assert!(matches!(
        chat(&server).await,
        Err(ModelError::BrokenStream { .. })
    ));
    assert_eq!(chats(&server), 1);
    // Cut inside a chunk of a chunked body.
    let cut = Reply::raw(format!(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{half}",
        half.len() + 40
    ));
    let server = sequence(vec![cut, Reply::sse(ANSWER)]);
    assert!(matches!(
        chat(&server).await,
        Err(ModelError::BrokenStream { .. })
    ));
    assert_eq!(chats(&server), 1);
}

#[tokio::test]
async fn a_server_that_loads_is_asked_until_it_is_ready() {
    let loading = recorded("llamacpp-smollm2", "err_loading_503");
    let server = sequence(vec![
        loading.clone(),
        loading.clone(),
        loading.clone(),
        Reply::sse(ANSWER),
    ]);
    let client = connect(&settings(&server)).await.unwrap();
    let mut seen = Vec::new();
    let reply = client
        .chat(&request(), &mut |d| {
            seen.push(match d {
                Delta::Loading => "loading",
                Delta::Waiting => "waiting",
                Delta::Text(_) => "text",
                _ => "other",
            })
        })
        .await
        .unwrap();
    assert_eq!(reply.text, "fine");
    assert_eq!(
        seen,
        [
            "waiting", "loading", "waiting", "loading", "waiting", "loading", "waiting", "text"
        ]
    );
    // For ever: until the time for the first byte is up.
    let server = sequence(vec![loading]);
    let short = ModelConfig {
        first_byte_timeout: 1,
        ..settings(&server)
    };
    let client = connect(&short).await.unwrap();
    assert_eq!(
        client.chat(&request(), &mut |_| {}).await.unwrap_err(),
        ModelError::Loading
    );
}

// ---- time limits and cancelling

#[tokio::test]
async fn a_silent_server_times_out_before_the_first_byte_and_a_stalled_one_in_the_middle() {
    let part = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"half\"}}]}\n\n";
    let role = "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":null}}]}\n\n: ping\n\n";
    for (reply, phase) in [
        (Reply::raw("").hold(), Phase::FirstByte),
        // Headers, a role and keep-alive lines are not an answer.
        (Reply::sse(role).hold(), Phase::FirstByte),
        (Reply::sse(part).hold(), Phase::Idle),
    ] {
        let server = sequence(vec![reply]);
        let short = ModelConfig {
            first_byte_timeout: 2,
            idle_timeout: 1,
            ..settings(&server)
        };
        let error = connect(&short)
            .await
            .unwrap()
            .chat(&request(), &mut |_| {})
            .await
            .unwrap_err();
        assert_eq!(error, ModelError::TimedOut { phase });
        assert!(
            server.wait_hung_up(Duration::from_secs(5)).await,
            "the connection stays open"
        );
    }
}

#[tokio::test]
async fn a_slow_server_that_sends_something_now_and_then_is_not_given_up() {
    let piece = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\n";
    let mut reply = Reply::sse(piece).gap(Duration::from_millis(400));
    for _ in 0..4 {
        reply.pieces.push(b": ping\n\n".to_vec());
    }
    reply.pieces.push(ANSWER.as_bytes().to_vec());
    let server = sequence(vec![reply]);
    let short = ModelConfig {
        first_byte_timeout: 1,
        idle_timeout: 1,
        ..settings(&server)
    };
    assert_eq!(
        connect(&short)
            .await
            .unwrap()
            .chat(&request(), &mut |_| {})
            .await
            .unwrap()
            .text,
        "xfine"
    );
}

#[tokio::test]
async fn a_server_that_says_finished_and_keeps_the_stream_open_is_left() {
    let done = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\n";
    let server = sequence(vec![Reply::sse(done).hold()]);
    let short = ModelConfig {
        idle_timeout: 1,
        ..settings(&server)
    };
    assert_eq!(
        connect(&short)
            .await
            .unwrap()
            .chat(&request(), &mut |_| {})
            .await
            .unwrap()
            .text,
        "x"
    );
}

#[tokio::test]
async fn dropping_a_round_closes_the_connection() {
    let part = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"half\"}}]}\n\n";
    for reply in [Reply::raw("").hold(), Reply::sse(part).hold()] {
        let server = sequence(vec![reply]);
        let client = connect(&settings(&server)).await.unwrap();
        let cancelled = tokio::time::timeout(
            Duration::from_millis(300),
            client.chat(&request(), &mut |_| {}),
        )
        .await;
        assert!(cancelled.is_err());
        assert!(
            server.wait_hung_up(Duration::from_secs(5)).await,
            "the connection stays open"
        );
    }
}

// ---- what is sent

#[tokio::test]
async fn the_key_is_a_header_and_nowhere_else() {
    let server = Kind::Vllm
        .serve(|_| Reply::json(400, &format!("{{\"error\":{{\"message\":\"bad {KEY}\"}}}}")));
    let client = ModelClient::connect(
        &settings(&server),
        Some(SecretString::from(format!(" {KEY}\n"))),
        &NetworkConfig::default(),
    )
    .await
    .unwrap();
    let error = client.chat(&request(), &mut |_| {}).await.unwrap_err();
    for asked in server.asked() {
        assert_eq!(
            asked.header("authorization"),
            Some(format!("Bearer {KEY}").as_str())
        );
        assert!(!asked.path.contains(KEY) && !asked.body.contains(KEY));
    }
    assert!(!format!("{error} {error:?} {} {client:?}", error.hint()).contains(KEY));
    let bad = ModelClient::connect(
        &settings(&server),
        Some(SecretString::from("a\nb")),
        &NetworkConfig::default(),
    )
    .await;
    assert!(matches!(
        bad,
        Err(ModelError::Setting {
            key: "[model] api_key",
            ..
        })
    ));
}

#[tokio::test]
async fn extra_adds_fields_but_does_not_take_over() {
    let server = Kind::LlamaCpp.serve(|_| Reply::sse(ANSWER));
    let extra: toml::Table = toml::from_str(
        "top_p = 0.5\ntemperature = 0.9\nmessages = []\nstream = false\nmodel = \"other\"\ntools = []\nresponse_format = 1\n\
         chat_template_kwargs = { custom = true }",
    )
    .unwrap();
    let client = connect(&ModelConfig {
        extra,
        ..settings(&server)
    })
    .await
    .unwrap();
    assert_eq!(
        client.info().warnings.len(),
        5,
        "{:?}",
        client.info().warnings
    );
    let constrained = RequestMode::Constrained {
        schema: json!({"type": "object"}),
    };
    client
        .chat(
            &ChatRequest {
                mode: constrained,
                ..request()
            },
            &mut |_| {},
        )
        .await
        .unwrap();
    let body = server.asked_at("/v1/chat/completions")[0].json();
    assert_eq!(body["top_p"], json!(0.5));
    assert_eq!(body["temperature"], json!(0.9));
    assert_eq!(body["messages"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&body["stream"], &body["model"]),
        (&json!(true), &json!("qwen2.5-coder-0.5b-instruct"))
    );
    assert_eq!(
        body["response_format"]["json_schema"]["schema"],
        json!({"type": "object"})
    );
    assert_eq!(
        body["chat_template_kwargs"],
        json!({"enable_thinking": false, "custom": true})
    );
    assert!(
        body.get("tools").is_none() && body.get("tool_choice").is_none(),
        "no tools with a schema"
    );
    assert_eq!(body["max_tokens"], json!(16));
}

#[tokio::test]
async fn tools_and_history_as_the_servers_take_them() {
    use rmm_analyst::model::{NameArg, RawArguments, ToolCall};
    let call = |arguments| ToolCall {
        id: "c1".into(),
        name: NameArg::Name("crtsh".into()),
        arguments,
    };
    let messages = vec![
        Message::User("u".into()),
        Message::Assistant {
            text: String::new(),
            calls: vec![
                call(RawArguments::Text("{\"query\": \"a\"}".into())),
                call(RawArguments::Text("{\"query\": \"cut".into())),
                call(RawArguments::Value(json!({"query": "b"}))),
            ],
        },
        Message::Tool {
            call_id: "c1".into(),
            name: "crtsh".into(),
            text: "found".into(),
        },
    ];
    let tool = kit::tool::ToolSpec {
        name: "crtsh".into(),
        description: "d".into(),
        parameters: json!({"type": "object"}),
        effect: kit::tool::Effect::Read,
    };
    let mode = RequestMode::Native {
        tools: vec![tool],
        choice: ToolChoice::None,
    };
    let request = ChatRequest {
        messages,
        mode,
        ..request()
    };
    let server = Kind::Vllm.serve(|_| Reply::sse(ANSWER));
    connect(&settings(&server))
        .await
        .unwrap()
        .chat(&request, &mut |_| {})
        .await
        .unwrap();
    let body = server.asked_at("/v1/chat/completions")[0].json();
    assert_eq!(body["tool_choice"], "none");
    assert_eq!(body["tools"][0]["function"]["name"], "crtsh");
    let calls = &body["messages"][1]["tool_calls"];
    // The bytes of an earlier call stay what they were; what was no object is sent as an empty one.
    assert_eq!(calls[0]["function"]["arguments"], "{\"query\": \"a\"}");
    assert_eq!(calls[1]["function"]["arguments"], "{}");
    assert_eq!(calls[2]["function"]["arguments"], "{\"query\":\"b\"}");
    assert_eq!(body["messages"][1]["content"], "");
    assert_eq!(
        body["messages"][2],
        json!({"role":"tool","tool_call_id":"c1","name":"crtsh","content":"found"})
    );
}

// ---- probe

#[tokio::test]
async fn the_probe_tells_native_from_constrained_from_neither() {
    let call = "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"lookup_domain\",\"arguments\":\"{\\\"query\\\":\\\"example.com\\\"}\"}}]},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let server = Kind::Vllm.serve(move |_| Reply::sse(call));
    assert_eq!(
        connect(&settings(&server)).await.unwrap().probe().await,
        Ok(ToolsMode::Native)
    );
    // Tools refused, schema kept.
    let step = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"{\\\"action\\\":\\\"call\\\",\\\"tool\\\":\\\"lookup_domain\\\",\\\"query\\\":\\\"example.com\\\"}\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let server = Kind::Vllm.serve(move |asked| {
        if asked.json().get("tools").is_some() {
            recorded("vllm-tiny", "err_auto_tool_choice_not_enabled_stream")
        } else {
            Reply::sse(step)
        }
    });
    assert_eq!(
        connect(&settings(&server)).await.unwrap().probe().await,
        Ok(ToolsMode::Constrained)
    );
    // Neither: prose to everything.
    let server = Kind::Vllm.serve(|_| Reply::sse(ANSWER));
    let error = connect(&settings(&server))
        .await
        .unwrap()
        .probe()
        .await
        .unwrap_err();
    assert!(matches!(error, ModelError::ToolsUnsupported { .. }));
    // A model that was cut while it thought gets a second, longer try.
    let thinking = "data: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning\":\"hm\"},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n";
    let n = AtomicUsize::new(0);
    let server = Kind::Vllm.serve(move |_| {
        Reply::sse(if n.fetch_add(1, Ordering::SeqCst) == 0 {
            thinking
        } else {
            call
        })
    });
    assert_eq!(
        connect(&settings(&server)).await.unwrap().probe().await,
        Ok(ToolsMode::Native)
    );
    assert!(server.asked_at("/v1/chat/completions")[1].json()["max_tokens"].as_u64() > Some(1000));
}

#[tokio::test]
async fn a_gateway_without_a_list_of_models_works_when_dialect_and_name_are_given() {
    let server = Scripted::start(|asked| match asked.path.as_str() {
        "/v1/chat/completions" => Reply::sse(ANSWER),
        _ => Reply::json(404, "{\"error\":{\"message\":\"no such route\"}}"),
    });
    let settings = settings(&server);
    assert!(matches!(
        connect(&settings).await,
        Err(ModelError::NotAModelServer { .. })
    ));
    let told = ModelConfig {
        dialect: Dialect::Openai,
        name: Some("m".into()),
        ..settings
    };
    let client = connect(&told).await.unwrap();
    assert_eq!(
        (client.info().kind, client.info().context),
        (ServerKind::Other, None)
    );
    assert_eq!(
        client.chat(&request(), &mut |_| {}).await.unwrap().text,
        "fine"
    );
}

#[tokio::test]
async fn a_prompt_that_the_server_counted_far_too_low_is_reported() {
    let usage = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":1}}\n\ndata: [DONE]\n\n";
    let server = Kind::Vllm.serve(move |_| Reply::sse(usage));
    let long = ChatRequest {
        messages: vec![Message::User("word ".repeat(4000))],
        ..request()
    };
    let reply = connect(&settings(&server))
        .await
        .unwrap()
        .chat(&long, &mut |_| {})
        .await
        .unwrap();
    assert_eq!(reply.warnings.len(), 1, "{:?}", reply.warnings);
}

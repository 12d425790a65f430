//! Ollama's native dialect: what is sent, which window, and every way in which a "local" server could send
//! prompts elsewhere. The server is scripted from transcripts (`tests/fixtures/wire/ollama-from-source`).

#![cfg(test)]

mod support_model;

use rmm_analyst::config::settings::{Dialect, ModelConfig, NetworkConfig};
use rmm_analyst::model::{
    ChatRequest, ContextSource, Delta, Message, ModelClient, ModelError, NameArg, RawArguments,
    RequestMode, ServerKind, ToolCall, ToolChoice,
};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use support_model::{Asked, Kind, Reply, Scripted, transcript};

const DONE: &str = "{\"model\":\"qwen3:8b\",\"message\":{\"role\":\"assistant\",\"content\":\"fine\"},\"done\":true,\"done_reason\":\"stop\",\"prompt_eval_count\":20,\"eval_count\":2}\n";

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

fn request(mode: RequestMode) -> ChatRequest {
    ChatRequest {
        messages: vec![
            Message::System("s".into()),
            Message::User("secret prompt".into()),
        ],
        mode,
        max_tokens: 32,
        temperature: 0.0,
    }
}

fn server() -> Scripted {
    Kind::Ollama.serve(|_| Reply::ndjson(DONE))
}

/// Answers `/api/show` by a function of the name asked about; the rest like a usual server.
fn with_show(show: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Scripted {
    Scripted::start(move |asked: &Asked| {
        if asked.path == "/api/show" {
            return show(asked.json()["model"].as_str().unwrap_or_default());
        }
        Kind::Ollama
            .answer(asked)
            .unwrap_or_else(|| Reply::ndjson(DONE))
    })
}

fn show(model_info: Value, capabilities: Value, parameters: &str) -> Reply {
    Reply::json(
        200,
        &json!({
            "parameters": parameters, "template": "{{ .Prompt }}", "details": {"format": "gguf"},
            "model_info": model_info, "tensors": [{"name": "t"}], "capabilities": capabilities
        })
        .to_string(),
    )
}

fn qwen() -> Value {
    json!({"general.architecture": "qwen3", "qwen3.context_length": 40960})
}

fn prompts_sent(server: &Scripted) -> usize {
    server
        .asked()
        .iter()
        .filter(|a| a.body.contains("secret prompt"))
        .count()
}

// ---- what is sent

#[tokio::test]
async fn the_window_is_fixed_and_nothing_is_cut_silently() {
    let server = server();
    let client = connect(&settings(&server)).await.unwrap();
    let info = client.info();
    assert_eq!(
        (info.kind, info.native_ollama, info.model.as_str()),
        (ServerKind::Ollama, true, "qwen3:8b")
    );
    assert_eq!(
        (info.version.as_str(), info.tools_template, info.thinking),
        ("0.33.0-rc2", Some(true), Some(true))
    );
    // The Modelfile's own num_ctx.
    assert_eq!(
        (info.context, info.context_source),
        (Some(16384), ContextSource::Requested)
    );
    let mut seen = Vec::new();
    for _ in 0..2 {
        client
            .chat(&request(RequestMode::Text), &mut |d| {
                seen.push(matches!(d, Delta::Loading))
            })
            .await
            .unwrap();
    }
    assert_eq!(seen.iter().filter(|l| **l).count(), 1, "loaded once");
    client.chat_once(&request(RequestMode::Text)).await.unwrap();
    let chats = server.asked_at("/api/chat");
    assert_eq!(chats.len(), 4, "one load, three rounds");
    assert!(
        !chats[0].body.contains("secret prompt"),
        "the load comes first and carries no prompt"
    );
    for chat in &chats {
        let body = chat.json();
        assert_eq!(body["model"], "qwen3:8b:local");
        assert_eq!(
            (&body["truncate"], &body["shift"]),
            (&json!(false), &json!(false))
        );
        assert_eq!(body["options"]["num_ctx"], 16384);
        assert!(
            body.get("tools").is_none()
                && body.get("format").is_none()
                && body.get("think").is_none()
        );
    }
    assert_eq!(chats[1].json()["options"]["num_predict"], 32);
    assert_eq!(
        (&chats[1].json()["stream"], &chats[3].json()["stream"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(client.context(), Some(16384));
}

#[tokio::test]
async fn which_window() {
    let all = json!(["completion", "tools"]);
    for (info, parameters, set, want, source) in [
        (qwen(), "", None, 16384, ContextSource::Requested),
        (
            json!({"general.architecture": "a", "a.context_length": 2048}),
            "",
            None,
            2048,
            ContextSource::Requested,
        ),
        (
            qwen(),
            "stop \"x\"\nnum_ctx                        8192",
            None,
            8192,
            ContextSource::Requested,
        ),
        (
            qwen(),
            "num_ctx 8192",
            Some(32768),
            32768,
            ContextSource::Setting,
        ),
        (qwen(), "", Some(1_000_000), 40960, ContextSource::Setting),
        (json!({}), "", None, 16384, ContextSource::Requested),
    ] {
        let all = all.clone();
        let server = with_show(move |_| show(info.clone(), all.clone(), parameters));
        let client = connect(&ModelConfig {
            context: set,
            ..settings(&server)
        })
        .await
        .unwrap();
        assert_eq!(
            (client.info().context, client.info().context_source),
            (Some(want), source)
        );
    }
}

#[tokio::test]
async fn a_model_that_is_loaded_with_less_is_reported() {
    let server = Scripted::start(|asked: &Asked| {
        if asked.path == "/api/ps" {
            return Reply::json(
                200,
                "{\"models\":[{\"name\":\"qwen3:8b\",\"context_length\":4096}]}",
            );
        }
        Kind::Ollama
            .answer(asked)
            .unwrap_or_else(|| Reply::ndjson(DONE))
    });
    let client = connect(&settings(&server)).await.unwrap();
    let reply = client
        .chat(&request(RequestMode::Text), &mut |_| {})
        .await
        .unwrap();
    assert!(
        reply.warnings.iter().any(|w| w.contains("4096")),
        "{:?}",
        reply.warnings
    );
    assert_eq!(client.context(), Some(4096));
}

#[tokio::test]
async fn constrained_mode_sends_a_format_without_tools_and_without_thinking() {
    let schema = json!({"type": "object", "properties": {"action": {"const": "answer"}}});
    let constrained = || {
        request(RequestMode::Constrained {
            schema: schema.clone(),
        })
    };
    let server = server();
    let extra = toml::from_str("think = true\nformat = \"json\"\nkeep_alive = \"10m\"\noptions = { num_ctx = 999, top_k = 5 }").unwrap();
    let client = connect(&ModelConfig {
        extra,
        ..settings(&server)
    })
    .await
    .unwrap();
    client.chat(&constrained(), &mut |_| {}).await.unwrap();
    let body = server.asked_at("/api/chat")[1].json();
    assert_eq!(body["format"], schema);
    assert_eq!(body["think"], false);
    assert!(body.get("tools").is_none());
    assert_eq!(
        (&body["keep_alive"], &body["options"]["top_k"]),
        (&json!("10m"), &json!(5))
    );
    // The window that was fixed at the start, from `extra` too, and the same in the load.
    for chat in server.asked_at("/api/chat") {
        assert_eq!(chat.json()["options"]["num_ctx"], 999);
    }
    // On a model without thinking the field would be an error.
    let server = with_show(|_| show(qwen(), json!(["completion"]), ""));
    connect(&settings(&server))
        .await
        .unwrap()
        .chat(&constrained(), &mut |_| {})
        .await
        .unwrap();
    assert!(
        server.asked_at("/api/chat")[1]
            .json()
            .get("think")
            .is_none()
    );
}

#[tokio::test]
async fn history_in_the_native_form() {
    let server = server();
    let call = |arguments| ToolCall {
        id: "c1".into(),
        name: NameArg::Name("crtsh".into()),
        arguments,
    };
    let tool = kit::tool::ToolSpec {
        name: "crtsh".into(),
        description: "d".into(),
        parameters: json!({"type": "object"}),
        effect: kit::tool::Effect::Read,
    };
    let mut request = request(RequestMode::Native {
        tools: vec![tool],
        choice: ToolChoice::Required,
    });
    request.messages.push(Message::Assistant {
        text: String::new(),
        calls: vec![
            call(RawArguments::Text("{\"query\":\"a\"}".into())),
            call(RawArguments::Text("not json".into())),
        ],
    });
    request.messages.push(Message::Tool {
        call_id: "c1".into(),
        name: "crtsh".into(),
        text: "found".into(),
    });
    connect(&settings(&server))
        .await
        .unwrap()
        .chat(&request, &mut |_| {})
        .await
        .unwrap();
    let body = server.asked_at("/api/chat")[1].json();
    let calls = &body["messages"][2]["tool_calls"];
    assert_eq!(calls[0]["function"]["arguments"], json!({"query": "a"}));
    assert_eq!(calls[1]["function"]["arguments"], json!({}));
    assert_eq!(
        body["messages"][3],
        json!({"role": "tool", "tool_name": "crtsh", "tool_call_id": "c1", "content": "found"})
    );
    assert_eq!(body["tools"][0]["function"]["name"], "crtsh");
    assert!(body.get("tool_choice").is_none());
}

// ---- models

#[tokio::test]
async fn names() {
    let server = Scripted::start(|asked: &Asked| match asked.path.as_str() {
        "/api/show" => Reply::json(404, "{\"error\":\"model 'nope:latest' not found\"}"),
        _ => Kind::Ollama.answer(asked).unwrap(),
    });
    let error = connect(&ModelConfig {
        name: Some("nope".into()),
        ..settings(&server)
    })
    .await
    .unwrap_err();
    assert_eq!(
        error,
        ModelError::NoSuchModel {
            name: "nope".into(),
            have: vec!["qwen3:8b".into(), "gpt-oss:120b-cloud".into()]
        }
    );
    // None named: the first that chats and runs here.
    let server = Scripted::start(|asked: &Asked| match asked.path.as_str() {
        "/api/tags" => Reply::json(
            200,
            &json!({"models": [
                {"name": "big:cloud"},
                {"name": "alias:latest", "remote_host": "https://ollama.com:443"},
                {"name": "nomic-embed-text:latest", "capabilities": ["embedding"]},
                {"name": "qwen3:8b", "capabilities": ["completion"]}
            ]})
            .to_string(),
        ),
        _ => Kind::Ollama
            .answer(asked)
            .unwrap_or_else(|| Reply::ndjson(DONE)),
    });
    assert_eq!(
        connect(&settings(&server)).await.unwrap().info().model,
        "qwen3:8b"
    );
    for asked in server.asked_at("/api/show") {
        assert_eq!(
            asked.json()["model"],
            "qwen3:8b:local",
            "no other name is asked about"
        );
    }
    let server = Scripted::start(|asked: &Asked| match asked.path.as_str() {
        "/api/tags" => transcript("00-tags-empty.txt").1,
        _ => Kind::Ollama.answer(asked).unwrap(),
    });
    let error = connect(&settings(&server)).await.unwrap_err();
    assert_eq!(
        error,
        ModelError::NoSuchModel {
            name: String::new(),
            have: Vec::new()
        }
    );
    assert!(error.hint().contains("ollama pull"));
    let server = with_show(|_| show(qwen(), json!(["embedding"]), ""));
    let error = connect(&ModelConfig {
        name: Some("nomic".into()),
        ..settings(&server)
    })
    .await
    .unwrap_err();
    assert!(
        matches!(
            error,
            ModelError::Setting {
                key: "[model] name",
                ..
            }
        ),
        "{error:?}"
    );
}

// ---- cloud

#[tokio::test]
async fn a_cloud_name_is_refused_before_the_server_hears_it() {
    for name in [
        "gpt-oss:120b-cloud",
        "x:cloud",
        "X:120B-CLOUD",
        "x:cloud:local",
    ] {
        for dialect in [Dialect::Auto, Dialect::Ollama, Dialect::Openai] {
            let server = server();
            let settings = ModelConfig {
                name: Some(name.into()),
                dialect,
                ..settings(&server)
            };
            let error = connect(&settings).await.unwrap_err();
            assert!(
                matches!(error, ModelError::CloudRefused { .. }),
                "{name}: {error:?}"
            );
            for asked in server.asked() {
                assert!(
                    !asked.body.to_lowercase().contains("cloud") && !asked.path.contains("cloud"),
                    "{asked:?}"
                );
            }
        }
    }
}

#[tokio::test]
async fn an_alias_that_forwards_is_refused_under_any_name() {
    let alias = |name: &str| {
        if name.ends_with(":local") {
            transcript("14e-local-suffix-refuses-remote-alias.txt").1
        } else {
            transcript("14-show-remote-alias.txt").1
        }
    };
    for dialect in [Dialect::Auto, Dialect::Openai] {
        let server = with_show(alias);
        let named = ModelConfig {
            name: Some("analyst".into()),
            dialect,
            ..settings(&server)
        };
        let error = connect(&named).await.unwrap_err();
        assert!(
            matches!(&error, ModelError::CloudRefused { why, .. } if why.contains("ollama.com")),
            "{error:?}"
        );
        assert_eq!(
            server.asked_at("/api/chat").len() + server.asked_at("/v1/chat/completions").len(),
            0
        );
        // Allowed: it is used, under its plain name, and known to be remote.
        let client = connect(&ModelConfig {
            allow_remote: true,
            ..named
        })
        .await
        .unwrap();
        assert!(client.info().remote);
        assert!(
            client
                .info()
                .warnings
                .iter()
                .any(|w| w.contains("ollama.com")),
            "{:?}",
            client.info().warnings
        );
    }
    // A server that calls an alias local is not believed.
    let server = with_show(|_| transcript("14-show-remote-alias.txt").1);
    let named = ModelConfig {
        name: Some("analyst".into()),
        ..settings(&server)
    };
    assert!(matches!(
        connect(&named).await,
        Err(ModelError::CloudRefused { .. })
    ));
}

#[tokio::test]
async fn a_model_that_becomes_an_alias_after_the_check_gets_no_prompt() {
    let swapped = Arc::new(AtomicBool::new(false));
    let flag = swapped.clone();
    let server = Scripted::start(move |asked: &Asked| {
        let remote = flag.load(Ordering::SeqCst);
        match asked.path.as_str() {
            "/api/chat" if remote => transcript("14e-local-suffix-refuses-remote-alias.txt").1,
            "/api/tags" if remote => Reply::json(
                200,
                "{\"models\":[{\"name\":\"qwen3:8b\",\"remote_host\":\"https://ollama.com:443\",\"remote_model\":\"x\"}]}",
            ),
            _ => Kind::Ollama
                .answer(asked)
                .unwrap_or_else(|| Reply::ndjson(DONE)),
        }
    });
    let client = connect(&settings(&server)).await.unwrap();
    swapped.store(true, Ordering::SeqCst);
    let error = client
        .chat(&request(RequestMode::Text), &mut |_| {})
        .await
        .unwrap_err();
    assert!(
        matches!(error, ModelError::CloudRefused { .. }),
        "{error:?}"
    );
    assert_eq!(prompts_sent(&server), 0);
}

#[tokio::test]
async fn an_older_server_without_the_local_form() {
    let old = |name: &str| {
        if name.ends_with(":local") {
            Reply::json(400, "{\"error\":\"invalid model name\"}")
        } else {
            show(qwen(), json!(["completion"]), "")
        }
    };
    let server = with_show(old);
    let client = connect(&settings(&server)).await.unwrap();
    assert!(client.info().warnings.iter().any(|w| w.contains(":local")));
    assert_eq!(
        client
            .chat(&request(RequestMode::Text), &mut |_| {})
            .await
            .unwrap()
            .text,
        "fine"
    );
    assert_eq!(server.asked_at("/api/chat")[1].json()["model"], "qwen3:8b");
    // After loading it must be among the running models, or no prompt leaves.
    let server = Scripted::start(move |asked: &Asked| match asked.path.as_str() {
        "/api/show" => old(asked.json()["model"].as_str().unwrap_or_default()),
        "/api/ps" => transcript("13-ps-empty.txt").1,
        _ => Kind::Ollama
            .answer(asked)
            .unwrap_or_else(|| Reply::ndjson(DONE)),
    });
    let error = connect(&settings(&server))
        .await
        .unwrap()
        .chat(&request(RequestMode::Text), &mut |_| {})
        .await
        .unwrap_err();
    assert!(
        matches!(error, ModelError::CloudRefused { .. }),
        "{error:?}"
    );
    assert_eq!(prompts_sent(&server), 0);
    // Nothing says that it is here: refused.
    let server = with_show(|name| {
        if name.ends_with(":local") {
            Reply::json(400, "{\"error\":\"x\"}")
        } else {
            Reply::json(200, "{\"details\":{\"format\":\"\"}}")
        }
    });
    assert!(matches!(
        connect(&settings(&server)).await,
        Err(ModelError::CloudRefused { .. })
    ));
}

#[tokio::test]
async fn an_answer_from_elsewhere_is_stopped() {
    let (_, stream) = transcript("14f-native-stream-remote-alias.txt");
    let server = Kind::Ollama.serve(move |_| stream.clone());
    let client = connect(&settings(&server)).await.unwrap();
    let mut shown = String::new();
    let error = client
        .chat(&request(RequestMode::Text), &mut |d| {
            if let Delta::Text(t) = d {
                shown.push_str(t);
            }
        })
        .await
        .unwrap_err();
    assert!(matches!(error, ModelError::CloudRefused { .. }));
    assert_eq!(shown, "");
}

#[tokio::test]
async fn over_v1_the_local_form_is_used_and_the_unknown_window_is_said() {
    let server = Kind::Ollama.serve(|_| transcript("16-v1-stream.txt").1);
    let client = connect(&ModelConfig {
        dialect: Dialect::Openai,
        ..settings(&server)
    })
    .await
    .unwrap();
    assert!(!client.info().native_ollama);
    assert_eq!(
        (client.info().context, client.info().context_source),
        (Some(16384), ContextSource::Server)
    );
    assert!(client.info().warnings.iter().any(|w| w.contains("/v1")));
    assert_eq!(
        client
            .chat(&request(RequestMode::Text), &mut |_| {})
            .await
            .unwrap()
            .text,
        "No record."
    );
    assert_eq!(
        server.asked_at("/v1/chat/completions")[0].json()["model"],
        "qwen3:8b:local"
    );
    assert_eq!(server.asked_at("/api/chat").len(), 0);
}

#[tokio::test]
async fn the_switch_that_turns_the_cloud_off_is_known() {
    assert_eq!(
        connect(&settings(&server()))
            .await
            .unwrap()
            .info()
            .cloud_off,
        Some(false)
    );
}

#[tokio::test]
async fn a_server_that_is_not_ollama_although_the_setting_says_so() {
    let server = Kind::LlamaCpp.serve(|_| Reply::sse(""));
    let error = connect(&ModelConfig {
        dialect: Dialect::Ollama,
        ..settings(&server)
    })
    .await
    .unwrap_err();
    assert!(matches!(error, ModelError::NotAModelServer { .. }));
}

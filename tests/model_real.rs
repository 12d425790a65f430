//! Against the real llama.cpp server with a real small model (`tests/servers/install.sh`). One server at a
//! time on the machine, one thread, few tokens. Without the server these tests fail: they never pass
//! by being skipped.

#![cfg(test)]

use rmm_analyst::config::settings::{ModelConfig, NetworkConfig, ToolsMode};
use rmm_analyst::model::{
    ChatRequest, ContextSource, Delta, Finish, Message, ModelClient, ModelError, Offer,
    OfferedTool, RequestMode, ServerKind, Step, ToolChoice, ToolInput, parse_step, step_schema,
};
use secrecy::SecretString;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

#[path = "support/llama.rs"]
mod llama;
use llama::Real;

const MODEL: &str = "smollm2-135m-instruct";
const KEY: &str = "test-key-not-real";

fn settings_for(server: &Real) -> ModelConfig {
    ModelConfig {
        base_url: Some(format!("http://127.0.0.1:{}", server.port)),
        first_byte_timeout: 120,
        ..ModelConfig::default()
    }
}

async fn connect(server: &Real) -> ModelClient {
    ModelClient::connect(&settings_for(server), None, &NetworkConfig::default())
        .await
        .unwrap()
}

fn ask(text: &str, max_tokens: u32) -> ChatRequest {
    ChatRequest {
        messages: vec![
            Message::System("You are an analyst. Be brief.".into()),
            Message::User(text.into()),
        ],
        mode: RequestMode::Text,
        max_tokens,
        temperature: 0.0,
    }
}

fn constrained(text: &str, schema: Value, max_tokens: u32) -> ChatRequest {
    ChatRequest {
        mode: RequestMode::Constrained { schema },
        ..ask(text, max_tokens)
    }
}

#[tokio::test]
async fn streamed_and_whole_answers_agree_and_tokens_are_counted() {
    let server = Real::start(&[]);
    let client = connect(&server).await;
    let request = ask("What is a domain name?", 12);
    let (mut shown, mut waited) = (String::new(), 0);
    let first = client
        .chat(&request, &mut |d| match d {
            Delta::Text(t) => shown.push_str(t),
            Delta::Waiting => waited += 1,
            _ => {}
        })
        .await
        .unwrap();
    assert!(!first.text.is_empty());
    assert_eq!(shown, first.text);
    assert_eq!(waited, 1);
    assert_eq!(first.model, MODEL);
    assert!(
        matches!(first.finish, Finish::Length | Finish::Stop),
        "{first:?}"
    );
    let usage = first.usage.unwrap();
    assert!(
        usage.prompt > 10 && (1..=12).contains(&usage.completion),
        "{usage:?}"
    );
    // A second time the prompt comes from the cache but for its last token.
    let second = client.chat_once(&request).await.unwrap();
    assert_eq!(second.text, first.text);
    let again = second.usage.unwrap();
    assert_eq!(again.prompt, usage.prompt);
    assert!(again.cached.unwrap() >= usage.prompt - 2, "{again:?}");
    assert!(first.warnings.is_empty() && second.warnings.is_empty());
}

#[tokio::test]
async fn what_is_known_about_the_server() {
    let server = Real::start(&["ctx=1024"]);
    for base in ["", "/", "/v1", "/v1/"] {
        let settings = ModelConfig {
            base_url: Some(format!("127.0.0.1:{}{base}", server.port)),
            name: Some(MODEL.into()),
            ..settings_for(&server)
        };
        let client = ModelClient::connect(&settings, None, &NetworkConfig::default())
            .await
            .unwrap();
        let info = client.info();
        assert_eq!(
            (info.kind, info.model.as_str(), info.remote),
            (ServerKind::LlamaCpp, MODEL, false)
        );
        assert_eq!(
            (info.context, info.context_source),
            (Some(1024), ContextSource::Server)
        );
        assert_eq!(info.tools_template, Some(false));
        assert!(!info.version.is_empty() && !info.native_ollama);
    }
    let client = connect(&server).await;
    assert_eq!(client.count_tokens("hello world").await, Some(2));
    assert_eq!(client.count_tokens("").await, Some(0));
    assert_eq!(client.list_models().await.unwrap(), [MODEL]);
    // llama.cpp answers to any name: a wrong one is found out before.
    let settings = ModelConfig {
        name: Some("no-such-model".into()),
        ..settings_for(&server)
    };
    let error = ModelClient::connect(&settings, None, &NetworkConfig::default())
        .await
        .unwrap_err();
    assert_eq!(
        error,
        ModelError::NoSuchModel {
            name: "no-such-model".into(),
            have: vec![MODEL.into()]
        }
    );
    assert!(error.hint().contains(MODEL));
    // A window set larger than the real one is not believed.
    let settings = ModelConfig {
        context: Some(8192),
        ..settings_for(&server)
    };
    let client = ModelClient::connect(&settings, None, &NetworkConfig::default())
        .await
        .unwrap();
    assert_eq!(client.info().context, Some(1024));
    assert_eq!(client.info().warnings.len(), 1);
    let found = ModelClient::discover_on(
        &[server.port],
        &ModelConfig::default(),
        &NetworkConfig::default(),
    )
    .await;
    assert_eq!(
        found.map(|f| (f.kind, f.models)),
        Some((ServerKind::LlamaCpp, vec![MODEL.to_owned()]))
    );
}

#[tokio::test]
async fn keys() {
    let server = Real::start(&[&format!("key={KEY}")]);
    let net = NetworkConfig::default();
    let missing = ModelClient::connect(&settings_for(&server), None, &net)
        .await
        .unwrap_err();
    assert_eq!(missing, ModelError::BadKey { sent: false });
    let wrong = SecretString::from("wrong-key-not-real");
    let refused = ModelClient::connect(&settings_for(&server), Some(wrong), &net)
        .await
        .unwrap_err();
    assert_eq!(refused, ModelError::BadKey { sent: true });
    assert!(!format!("{refused} {refused:?} {}", refused.hint()).contains("wrong-key"));
    let client = ModelClient::connect(&settings_for(&server), Some(SecretString::from(KEY)), &net)
        .await
        .unwrap();
    assert!(!format!("{client:?}").contains(KEY));
    assert_eq!(client.info().context, Some(2048));
    assert!(
        !client
            .chat(&ask("Hi", 2), &mut |_| {})
            .await
            .unwrap()
            .text
            .is_empty()
    );
}

#[tokio::test]
async fn a_server_that_still_loads_is_waited_for() {
    // The port opens before the model is there; a look that comes too late is made at a new server.
    let server = (0..5)
        .find_map(|_| {
            let (server, _heard) = Real::spawn(&["warmup=1", "ctx=8192"]);
            let end = Instant::now() + Duration::from_secs(120);
            loop {
                match server.get("/health") {
                    Some((503, body)) if body.contains("Loading model") => return Some(server),
                    Some((200, _)) => return None,
                    Some((status, body)) => panic!("{status} {body}"),
                    None => assert!(Instant::now() < end, "the server did not open its port"),
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        })
        .expect("five servers had loaded before the first look at them");
    let mut loading = 0;
    let client = ModelClient::connect_with(
        &settings_for(&server),
        None,
        &NetworkConfig::default(),
        &mut |d| {
            loading += usize::from(d == Delta::Loading);
        },
    )
    .await
    .unwrap();
    assert!(loading > 0, "loading was not reported");
    assert_eq!(client.info().model, MODEL);
}

#[tokio::test]
async fn a_prompt_that_does_not_fit_is_an_error_with_both_numbers() {
    let server = Real::start(&["ctx=256"]);
    let client = connect(&server).await;
    let request = ask(&"evil.example.com ".repeat(200), 4);
    for result in [
        client.chat(&request, &mut |_| {}).await,
        client.chat_once(&request).await,
    ] {
        let Err(ModelError::ContextOverflow {
            prompt: Some(prompt),
            window: Some(256),
        }) = result
        else {
            panic!("{result:?}")
        };
        assert!(prompt > 256);
    }
}

#[tokio::test]
async fn dropping_a_round_stops_the_server() {
    let server = Real::start(&[]);
    let client = connect(&server).await;
    let request = ask("Write a very long story about a network.", 1500);
    let (send, mut first) = tokio::sync::mpsc::unbounded_channel();
    let round = tokio::spawn(async move {
        let result = client
            .chat(&request, &mut |d| {
                if matches!(d, Delta::Text(_)) {
                    let _ = send.send(());
                }
            })
            .await;
        (client, result)
    });
    for _ in 0..3 {
        tokio::time::timeout(Duration::from_secs(60), first.recv())
            .await
            .unwrap()
            .unwrap();
    }
    assert!(server.is_processing());
    round.abort();
    assert!(round.await.unwrap_err().is_cancelled());
    // The slot is free long before 1,500 tokens could have been written.
    let end = Instant::now() + Duration::from_secs(10);
    while server.is_processing() {
        assert!(Instant::now() < end, "the server goes on for nobody");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let reply = connect(&server)
        .await
        .chat(&ask("Hi", 2), &mut |_| {})
        .await
        .unwrap();
    assert!(!reply.text.is_empty());
}

fn offer() -> Offer {
    Offer {
        tools: vec![
            OfferedTool {
                name: "crtsh".into(),
                input: ToolInput::Values(vec![
                    "evil.example.com".into(),
                    "https://evil.example.com/a?b=\"c\"".into(),
                ]),
            },
            OfferedTool {
                name: "ipinfo".into(),
                input: ToolInput::Values(vec!["203.0.113.7".into(), "2001:db8::7".into()]),
            },
        ],
        allow_call: true,
        ..Offer::default()
    }
}

#[tokio::test]
async fn a_model_without_tools_obeys_the_schema_of_a_step() {
    let server = Real::start(&[]);
    let client = connect(&server).await;
    assert_eq!(client.probe().await, Ok(ToolsMode::Constrained));
    // Only calls on offer: it calls.
    let offer = offer();
    let reply = client
        .chat(
            &constrained("Look up evil.example.com.", step_schema(&offer), 64),
            &mut |_| {},
        )
        .await
        .unwrap();
    let step = parse_step(&reply.text).unwrap_or_else(|e| panic!("{e}: {}", reply.text));
    assert_eq!(offer.check(&step), Ok(()));
    assert!(matches!(step, Step::Call { .. }));
    // A call, a proposal or an answer: one of them, whole or cut by the limit.
    let all = Offer {
        allow_answer: true,
        allow_propose: true,
        ..offer
    };
    let reply = client
        .chat(&constrained("Say ok.", step_schema(&all), 48), &mut |_| {})
        .await
        .unwrap();
    match reply.finish {
        Finish::Length => assert!(
            reply
                .text
                .split_whitespace()
                .collect::<String>()
                .starts_with("{\"action\":\""),
            "{}",
            reply.text
        ),
        _ => assert_eq!(all.check(&parse_step(&reply.text).unwrap()), Ok(())),
    }
}

/// With a template that takes tools the server parses calls by itself. The small model calls none unasked:
/// a bias on the tag helps it begin, what follows is its own under the server's grammar.
#[tokio::test]
async fn native_calls_and_their_results() {
    let template = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers/tools.jinja");
    let server = Real::start(&[&format!("template={}", template.display())]);
    let extra = toml::from_str("logit_bias = [[\"<tool_call>\", 5]]").unwrap();
    let settings = ModelConfig {
        extra,
        ..settings_for(&server)
    };
    let client = ModelClient::connect(&settings, None, &NetworkConfig::default())
        .await
        .unwrap();
    assert_eq!(client.info().tools_template, Some(true));
    let tool = kit::tool::ToolSpec {
        name: "lookup_domain".into(),
        description: "Looks up a domain.".into(),
        parameters: json!({ "type": "object", "properties": { "query": { "enum": ["example.com"] } }, "required": ["query"] }),
        effect: kit::tool::Effect::Read,
    };
    let mode = |choice| RequestMode::Native {
        tools: vec![tool.clone()],
        choice,
    };
    let mut request = ChatRequest {
        messages: vec![
            Message::System("You look things up with tools.".into()),
            Message::User("Look up the domain example.com now. Write <tool_call>".into()),
        ],
        mode: mode(ToolChoice::Required),
        max_tokens: 40,
        temperature: 0.0,
    };
    let mut started = Vec::new();
    let streamed = client
        .chat(&request, &mut |d| {
            if let Delta::CallStarted(name) = d {
                started.push(name.to_owned());
            }
        })
        .await
        .unwrap();
    let whole = client.chat_once(&request).await.unwrap();
    assert_eq!(started.len(), streamed.calls.len());
    for reply in [&streamed, &whole] {
        let call = reply.calls.first().unwrap_or_else(|| panic!("{reply:?}"));
        assert_eq!(call.name.as_str(), Some("lookup_domain"));
        assert_eq!(call.arguments.object().unwrap()["query"], "example.com");
    }
    // The call and its result go back, and no further call is possible.
    let call = streamed.calls[0].clone();
    let id = call.id.clone();
    request.messages.push(Message::Assistant {
        text: String::new(),
        calls: vec![call],
    });
    request.messages.push(Message::Tool {
        call_id: id,
        name: "lookup_domain".into(),
        text: "2 certificates".into(),
    });
    request.mode = mode(ToolChoice::None);
    request.max_tokens = 12;
    let plain = ModelClient::connect(&settings_for(&server), None, &NetworkConfig::default())
        .await
        .unwrap();
    let answer = plain.chat(&request, &mut |_| {}).await.unwrap();
    assert!(
        answer.calls.is_empty() && !answer.text.is_empty(),
        "{answer:?}"
    );
    assert!(
        answer.usage.unwrap().cached.unwrap() > 50,
        "the prefix stays in the cache: {answer:?}"
    );
}

/// Every kind of argument that a tool may take: nested, optional, lists, numbers, choices, references.
#[tokio::test]
async fn schemas_of_tool_arguments_are_kept_by_the_server() {
    let server = Real::start(&[]);
    let client = connect(&server).await;
    let schemas = [
        // Nested objects with optional fields, by reference, as schemars writes them.
        json!({
            "type": "object", "additionalProperties": false, "required": ["filter"],
            "properties": { "filter": { "$ref": "#/$defs/Filter" }, "limit": { "type": ["integer", "null"], "format": "uint32", "minimum": 0, "maximum": 9 } },
            "$defs": { "Filter": { "type": "object", "additionalProperties": false, "required": ["os"],
                "properties": { "os": { "enum": ["linux", "windows"] }, "online": { "type": "boolean" } } } }
        }),
        json!({
            "type": "object", "additionalProperties": false, "required": ["devices"],
            "properties": { "devices": { "type": "array", "items": { "enum": ["d1", "d2"] }, "minItems": 1, "maxItems": 2 } }
        }),
        json!({
            "type": "object", "additionalProperties": false, "required": ["target"],
            "properties": { "target": { "oneOf": [
                { "type": "object", "required": ["device"], "additionalProperties": false, "properties": { "device": { "const": "d1" } } },
                { "type": "object", "required": ["site"], "additionalProperties": false, "properties": { "site": { "const": "s1" } } }
            ] }, "note": { "type": ["string", "null"], "maxLength": 8 } }
        }),
        json!({ "type": "object", "additionalProperties": false, "properties": { "all": { "type": "boolean" } } }),
        json!({ "type": "object", "additionalProperties": false, "properties": {} }),
        json!({
            "type": "object", "additionalProperties": false, "required": ["day"],
            "properties": { "day": { "type": "string", "format": "date" }, "code": { "type": "string", "pattern": "^[A-C]{2}$" } }
        }),
    ];
    for schema in schemas {
        let offer = Offer {
            tools: vec![OfferedTool {
                name: "list_devices".into(),
                input: ToolInput::Schema(schema.clone()),
            }],
            allow_call: true,
            ..Offer::default()
        };
        let reply = client
            .chat(
                &constrained("Call list_devices.", step_schema(&offer), 80),
                &mut |_| {},
            )
            .await
            .unwrap_or_else(|e| panic!("{e}: {schema}"));
        let step =
            parse_step(&reply.text).unwrap_or_else(|e| panic!("{e}: {} for {schema}", reply.text));
        assert_eq!(offer.check(&step), Ok(()));
        let Step::Call { arguments, .. } = step else {
            panic!("{}", reply.text)
        };
        let known = schema["properties"].as_object().unwrap();
        assert!(
            arguments.keys().all(|k| known.contains_key(k)),
            "{arguments:?} for {schema}"
        );
        for required in schema["required"].as_array().into_iter().flatten() {
            assert!(
                arguments.contains_key(required.as_str().unwrap()),
                "{arguments:?} for {schema}"
            );
        }
        if let Some(filter) = arguments.get("filter") {
            assert!(
                matches!(filter["os"].as_str(), Some("linux" | "windows")),
                "{arguments:?}"
            );
        }
        if let Some(devices) = arguments.get("devices") {
            assert!(
                devices
                    .as_array()
                    .unwrap()
                    .iter()
                    .all(|d| matches!(d.as_str(), Some("d1" | "d2")))
            );
        }
    }
}

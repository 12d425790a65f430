//! Model servers that are missing, wrong, locked or far away.

use super::model::{self, Mode, Model, Say, answer, call};
use super::source::Source;
use super::support_model::{Reply, Scripted};
use super::world::{Config, World, base, sources};
use serde_json::{Value, json};

const NAMED: &str = "what do you make of kit-panel.shop?";

fn with(source: &Source, url: &str) -> Config {
    sources(base(), source).set("model", "base_url", &format!("\"{url}\""))
}

fn good() -> Model {
    Model::saying(
        Mode::Native,
        vec![call("crtsh", "kit-panel.shop"), answer("A certificate.")],
    )
}

/// A port on which nothing listens.
fn dead() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

#[test]
fn the_base_url_may_be_written_in_every_usual_way() {
    let source = Source::usual();
    for end in ["", "/", "/v1", "/v1/"] {
        let model = good();
        let world = World::new(&with(&source, &format!("{}{end}", model.url())));
        let v = world.ask(0, &[NAMED]);
        assert_eq!(v["planner"], "model", "{end:?}: {v}");
        assert_eq!(v["answer"], "A certificate.");
    }
}

/// The rules answer, with a warning that says this; without the fallback it is exit 4.
#[track_caller]
fn falls_back(config: &Config, says: &[&str]) {
    let world = World::new(config);
    let v = world.ask(0, &[NAMED]);
    assert_eq!(v["planner"], "rules", "{v}");
    assert_eq!(v["model"], Value::Null);
    let warnings = v["warnings"].to_string();
    for what in says {
        assert!(warnings.contains(what), "{what:?} is missing: {warnings}");
    }
    let world = World::new(&config.clone().set("model", "fallback_to_rules", "false"));
    let v = world.ask(4, &[NAMED]);
    assert_eq!(v["status"], "model_unreachable");
    assert_eq!(v["error"]["kind"], "model");
    let error = v["error"].to_string();
    for what in says {
        assert!(error.contains(what), "{what:?} is missing: {error}");
    }
    assert_eq!(v["coverage"]["asked"], 0, "nothing was looked up");
    let ran = world.run(&["ask", "--no-input", NAMED]).exits(4);
    assert!(ran.stderr().contains(says[0]), "{}", ran.stderr());
}

#[test]
fn a_dead_port() {
    let source = Source::usual();
    falls_back(&with(&source, &dead()), &["refused"]);
}

#[test]
fn something_that_is_no_model_server() {
    let source = Source::usual();
    let web = Scripted::start(|_| Reply::body(200, "text/html", "<html>a shop</html>"));
    falls_back(&with(&source, &web.url()), &["web page"]);
    let other = Scripted::start(|_| Reply::json(404, r#"{"error":"no"}"#));
    falls_back(&with(&source, &other.url()), &["404"]);
    let silent = Scripted::start(|_| Reply::raw("SSH-2.0-OpenSSH_9.9\r\n"));
    falls_back(&with(&source, &silent.url()), &["not a model server"]);
}

#[test]
fn a_wrong_or_missing_key() {
    let source = Source::usual();
    let locked = Scripted::start(|asked| {
        if asked.header("authorization") == Some("Bearer sk-right-0123456789") {
            return model::about(&asked.path);
        }
        match asked.path.as_str() {
            "/v1/models" | "/health" | "/v1/chat/completions" | "/props" => Reply::json(
                401,
                r#"{"error":{"code":401,"message":"Invalid API Key","type":"authentication_error"}}"#,
            ),
            _ => model::about(&asked.path),
        }
    });
    falls_back(&with(&source, &locked.url()), &["key"]);
    let world = World::new(&with(&source, &locked.url()))
        .env("RMM_ANALYST_SECRET_MODEL", "sk-wrong-9876543210");
    let v = world.ask(0, &[NAMED]);
    assert!(v["warnings"].to_string().contains("key"), "{v}");
    assert!(!v.to_string().contains("sk-wrong"), "{v}");
    // A secret that the configuration names and that is not set.
    let world = World::new(&with(&source, &locked.url()).set("model", "api_key", "\"work\""));
    let v = world.ask(3, &[NAMED]);
    assert!(
        v["error"]["hint"]
            .as_str()
            .unwrap()
            .contains("secret set work"),
        "{v}"
    );
}

#[test]
fn a_model_that_the_server_does_not_have() {
    let source = Source::usual();
    let model = good();
    let config = with(&source, &model.url()).set("model", "name", "\"gpt-9\"");
    falls_back(&config, &["gpt-9", model::NAME]);
    let world = World::new(&with(&source, &model.url()));
    let v = world.ask(0, &["--model", "gpt-9", NAMED]);
    assert!(v["warnings"].to_string().contains(model::NAME), "{v}");
    let v = world.ask(0, &["--model", model::NAME, NAMED]);
    assert_eq!(v["planner"], "model");
}

#[test]
fn a_model_on_another_machine_needs_leave() {
    let source = Source::usual();
    // 192.0.2.0/24 is for documentation: nothing can answer there, and nothing is sent.
    falls_back(&with(&source, "http://192.0.2.7:8080"), &["allow_remote"]);
    let world = World::new(&with(&source, &dead()));
    let v = world.ask(0, &["--base-url", "http://192.0.2.7:8080", NAMED]);
    assert!(v["warnings"].to_string().contains("allow_remote"), "{v}");
}

#[test]
fn native_tools_only_and_a_model_that_calls_none() {
    let source = Source::usual();
    for mode in [Mode::Constrained, Mode::Neither] {
        let model = Model::saying(mode, vec![answer("I know everything.")]);
        let world = World::new(&with(&source, &model.url()).set("model", "tools", "\"native\""));
        let v = world.ask(5, &[NAMED]);
        assert_eq!(v["status"], "no_tool_calls");
        assert!(
            v["error"]["hint"].as_str().unwrap().contains("tools"),
            "{v}"
        );
        assert_eq!(model.rounds().len(), 0, "it was not asked the question");
    }
    // Neither tools nor schema: exit 5 in auto, too.
    let model = Model::saying(Mode::Neither, vec![answer("I know everything.")]);
    let world = World::new(&with(&source, &model.url()));
    let v = world.ask(5, &[NAMED]);
    assert_eq!(v["status"], "no_tool_calls");
    assert_eq!(source.list(), [""; 0]);
}

#[test]
fn constrained_by_configuration_needs_no_probe() {
    let source = Source::usual();
    let model = Model::saying(
        Mode::Native,
        vec![call("crtsh", "kit-panel.shop"), answer("A certificate.")],
    );
    let world = World::new(&with(&source, &model.url()).set("model", "tools", "\"constrained\""));
    let v = world.ask(0, &[NAMED]);
    assert_eq!(v["tools_mode"], "constrained");
    assert_eq!(model.probes(), 0);
    // The schema offers what is authorized, and nothing else.
    let schema = model.rounds()[0]["response_format"].to_string();
    assert!(schema.contains("kit-panel.shop"), "{schema}");
}

#[test]
fn a_model_that_dies_in_the_middle_loses_nothing() {
    let source = Source::usual();
    for mode in model::BOTH {
        let model = Model::saying(mode, vec![call("crtsh", "kit-panel.shop"), Say::Die]);
        let world = World::new(&with(&source, &model.url()));
        let v = world.ask(0, &[NAMED]);
        let text = v["answer"].as_str().unwrap();
        assert!(
            text.contains("E1") && text.contains("The model gave no answer"),
            "{v}"
        );
        assert_ne!(v["warnings"], json!([]));
        // Before anything was looked up, the rules step in.
        let model = Model::saying(mode, vec![Say::Die]);
        let world = World::new(&with(&source, &model.url()));
        let v = world.ask(0, &[NAMED]);
        assert!(v["coverage"]["asked"].as_u64().unwrap() > 0, "{v}");
        assert!(
            v["answer"].as_str().unwrap().contains("kit-panel.shop"),
            "{v}"
        );
        // Where they may not, it is exit 4.
        let model = Model::saying(mode, vec![Say::Die]);
        let world =
            World::new(&with(&source, &model.url()).set("model", "fallback_to_rules", "false"));
        let v = world.ask(4, &[NAMED]);
        assert_eq!(v["status"], "model_unreachable");
    }
}

#[test]
fn a_model_that_falls_silent_is_given_up() {
    let source = Source::usual();
    let model = Model::saying(
        Mode::Native,
        vec![call("crtsh", "kit-panel.shop"), Say::Hang],
    );
    let world = World::new(&with(&source, &model.url()).set("model", "idle_timeout", "1"));
    let v = world.ask(0, &[NAMED]);
    assert!(v["answer"].as_str().unwrap().contains("E1"), "{v}");
    assert!(v["usage"]["ms"].as_u64().unwrap() >= 1000, "{v}");
    assert!(model.sees_hang_up());
}

#[test]
fn a_server_that_is_still_loading_is_waited_for() {
    let source = Source::usual();
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let inner = good();
    let url = inner.url();
    // 503 twice on the list of models, as llama.cpp does while it loads.
    let front = Scripted::start(move |a| {
        let n = asked.fetch_add(
            usize::from(a.path == "/v1/models"),
            std::sync::atomic::Ordering::SeqCst,
        );
        if a.path == "/v1/models" && n < 2 {
            return Reply::json(
                503,
                r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#,
            );
        }
        forward(&url, a)
    });
    let world = World::new(&with(&source, &front.url()));
    let v = world.ask(0, &[NAMED]);
    assert_eq!(v["planner"], "model", "{v}");
}

/// Passes a request on over a socket of its own.
fn forward(url: &str, asked: &super::support_model::Asked) -> Reply {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(url.trim_start_matches("http://")).unwrap();
    write!(
        stream,
        "{} {} HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{}",
        asked.method,
        asked.path,
        asked.body.len(),
        asked.body
    )
    .unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    Reply::raw(bytes)
}

#[test]
fn no_model_is_configured_and_the_question_is_answered_all_the_same() {
    let source = Source::usual();
    let world = World::new(&sources(base(), &source));
    let v = world.ask(0, &["--no-model", NAMED]);
    assert_eq!(v["planner"], "rules");
    assert_eq!(v["error"], Value::Null);
}

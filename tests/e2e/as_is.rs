//! A person's own words: redacted before a model gets them, sent as they are on request, and never with a
//! secret of the program in them.

use super::model::{BOTH, Mode, Model, about, answer, sent};
use super::source::Source;
use super::support_model::{Asked, Kind, Reply, Scripted, transcript};
use super::world::{World, base, finish, signal, sources, until};
use serde_json::Value;

const TOKEN: &str = "ghp_39lpuGeG6gjOFjrj1auQ6WQFq7AyHsgnRiOH";
const OTHER: &str = "ghp_pgO7W2CYqTmK4iSd9zX1bNvR8eLuJh3aFo5k";
const OWN: &str = "kv9Zq7Tr4pLw2Xm8sNd6Bh3";

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|w| w == text.as_bytes())
}

fn case_of(v: &Value) -> String {
    v["case"].as_str().unwrap().to_owned()
}

#[test]
fn a_question_is_redacted_and_the_note_names_the_flag() {
    let model = Model::saying(Mode::Native, vec![answer("Nothing.")]);
    let source = Source::usual();
    let world = World::of(&model, &source);
    let ran = world
        .run(&["ask", "--no-input", &format!("whose is {TOKEN}?")])
        .exits(0)
        .says("redacted from the text of your message")
        .says("hidden from the model in your question: 1 token")
        .says("--send-unredacted");
    assert!(!holds(&ran.out, TOKEN) && !holds(&ran.err, TOKEN));
    let told = sent(&model.rounds()[0]);
    assert!(told.contains("whose is [redacted:token]?"), "{told}");
    for (path, bytes) in world.files() {
        assert!(!holds(&bytes, TOKEN), "{}", path.display());
    }
    // Nothing hidden: nothing to say.
    let ran = world.run(&["ask", "--no-input", "who are you?"]).exits(0);
    assert!(
        !ran.stderr().contains("--send-unredacted"),
        "{}",
        ran.stderr()
    );
    // No model: nobody would see it.
    let ran = world.run(&[
        "ask",
        "--no-input",
        "--no-model",
        &format!("whose is {TOKEN}?"),
    ]);
    assert!(
        !ran.stderr().contains("--send-unredacted"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn sent_as_it_is_the_model_gets_it_now_and_in_every_later_turn() {
    for mode in BOTH {
        let model = Model::saying(mode, vec![answer("It is nobody's.")]);
        let source = Source::usual();
        let world = World::of(&model, &source).env("RMM_ANALYST_SECRET_ABUSEIPDB", OWN);
        let question =
            format!("whose is {TOKEN}? my own key is {OWN}, in hex 6b76395a713754723470 too");
        let ran = world
            .run(&[
                "ask",
                "--json",
                "--no-input",
                "--send-unredacted",
                &question,
            ])
            .exits(0);
        let v = ran.json();
        super::contract::holds(&v);
        let case = case_of(&v);
        assert!(
            v["warnings"]
                .to_string()
                .contains("sent to the model as you wrote it, with 1 token in it"),
            "{v}"
        );
        assert!(v["warnings"].to_string().contains("configured key"), "{v}");
        assert!(
            !holds(&ran.out, TOKEN) && !holds(&ran.err, TOKEN),
            "{}",
            ran.stdout()
        );
        for _ in 0..2 {
            world.ask(0, &["--case", &case, &format!("and this one: {OTHER}?")]);
        }
        let rounds = model.rounds();
        assert_eq!(rounds.len(), 3);
        assert!(sent(&rounds[0]).contains(&format!(
            "whose is {TOKEN}? my own key is [redacted:configured]"
        )));
        // The choice was for one message; what was sent is sent again in the same bytes.
        for round in &rounds[1..] {
            assert!(
                sent(round).contains("and this one: [redacted:token]?"),
                "{round}"
            );
            assert!(!sent(round).contains(OTHER), "{round}");
        }
        let first = |r: &Value| r["messages"][1].to_string();
        assert!(first(&rounds[1]).contains(TOKEN));
        assert_eq!(first(&rounds[1]), first(&rounds[2]));
        // The program's own secret went nowhere.
        for asked in model.everything() {
            assert!(!asked.body.contains(OWN), "{}", asked.body);
        }
        for (path, bytes) in world.files() {
            assert!(!holds(&bytes, OWN), "{}", path.display());
        }
        world.verify(&case);
        // Screens and exports redact; the log of the program holds no words at all.
        for args in [
            &["case", "show", &case][..],
            &["case", "show", &case, "--json"],
            &["case", "list", "--json"],
            &["case", "export", &case],
            &["case", "export", &case, "--format", "json"],
            &["case", "export", &case, "--format", "jsonl"],
            &["case", "export", &case, "--format", "csv"],
            &["case", "export", &case, "--format", "stix"],
            &["case", "search", "whose"],
        ] {
            let ran = world.run(args).exits(0);
            assert!(!holds(&ran.out, TOKEN), "{args:?}: {}", ran.stdout());
            assert!(!holds(&ran.err, TOKEN), "{args:?}: {}", ran.stderr());
        }
        let log = world
            .run(&["case", "export", &case, "--format", "jsonl"])
            .stdout();
        assert!(log.contains("whose is [redacted:token]?"), "{log}");
        for (path, bytes) in world.files() {
            if path.to_string_lossy().contains("/log/") {
                assert!(!holds(&bytes, TOKEN), "{}", path.display());
            }
        }
    }
}

#[test]
fn what_comes_with_the_question_is_redacted_all_the_same() {
    let model = Model::saying(Mode::Native, vec![answer("Nothing.")]);
    let source = Source::usual();
    let world = World::of(&model, &source);
    world
        .run_with(
            &["ask", "--send-unredacted", &format!("is {TOKEN} in this?")],
            format!("leaked: {OTHER}\n").as_bytes(),
        )
        .exits(0);
    let told = sent(&model.rounds()[0]);
    assert!(told.contains(TOKEN) && !told.contains(OTHER), "{told}");
    // Standard input alone is nobody's own words.
    world
        .run_with(&["ask", "--send-unredacted", "-"], OTHER.as_bytes())
        .exits(2)
        .says("--send-unredacted has nothing to send");
    assert_eq!(model.rounds().len(), 1);
}

#[test]
fn patterns_of_the_operator_hold() {
    let model = Model::saying(Mode::Native, vec![answer("Nothing.")]);
    let source = Source::usual();
    let config = super::world::modelled(sources(base(), &source), &model).set(
        "redact",
        "extra_patterns",
        r#"["CUST-[0-9]+"]"#,
    );
    let world = World::new(&config);
    world.ask(0, &["--send-unredacted", &format!("{TOKEN} of CUST-4711")]);
    let told = sent(&model.rounds()[0]);
    assert!(
        told.contains(&format!("{TOKEN} of [redacted:pattern]")),
        "{told}"
    );
}

#[test]
fn where_no_model_is_asked_nothing_is_kept_as_it_is() {
    let source = Source::usual();
    let world =
        World::new(&sources(base(), &source).set("model", "base_url", "\"http://127.0.0.1:9\""));
    let v = world.ask(0, &["--send-unredacted", &format!("whose is {TOKEN}?")]);
    assert_eq!(v["planner"], "rules");
    assert!(
        v["warnings"].to_string().contains("no model was asked"),
        "{v}"
    );
    for (path, bytes) in world.files() {
        assert!(!holds(&bytes, TOKEN), "{}", path.display());
    }
}

/// A server on this machine whose model forwards to a cloud, or not.
fn ollama(forwards: bool) -> Scripted {
    let line = |message: &str| {
        Reply::ndjson(&format!(
            "{{\"model\":\"analyst\",\"message\":{message},\"done\":true,\"done_reason\":\"stop\",\"prompt_eval_count\":20,\"eval_count\":2}}\n"
        ))
    };
    Scripted::start(move |asked: &Asked| {
        if asked.path == "/api/show" {
            let local = asked.json()["model"]
                .as_str()
                .is_some_and(|m| m.ends_with(":local"));
            return match (forwards, local) {
                (true, true) => transcript("14e-local-suffix-refuses-remote-alias.txt").1,
                (true, false) => transcript("14-show-remote-alias.txt").1,
                (false, _) => transcript("12-show.txt").1,
            };
        }
        Kind::Ollama.answer(asked).unwrap_or_else(|| {
            if asked.body.contains("lookup_domain") {
                line(r#"{"role":"assistant","content":"","tool_calls":[{"function":{"name":"lookup_domain","arguments":{"query":"example.com"}}}]}"#)
            } else {
                line(r#"{"role":"assistant","content":"It is nobody's."}"#)
            }
        })
    })
}

#[test]
fn a_model_elsewhere_gets_nothing_as_it_is() {
    let source = Source::usual();
    let configured = |server: &Scripted| {
        sources(base(), &source)
            .set("model", "base_url", &format!("\"{}\"", server.url()))
            .set("model", "name", "\"analyst\"")
            .set("model", "allow_remote", "true")
    };
    let near = ollama(false);
    let far = ollama(true);
    let world = World::new(&configured(&far));
    // Refused before anything is written or sent, with the reason.
    let question = format!("whose is {TOKEN}?");
    let ran = world
        .run(&[
            "ask",
            "--json",
            "--no-input",
            "--send-unredacted",
            &question,
        ])
        .exits(2);
    let v = ran.json();
    super::contract::holds(&v);
    let said = v["error"].to_string();
    assert!(said.contains("the model runs on another machine"), "{v}");
    for asked in far.asked() {
        assert!(!asked.body.contains("whose is"), "{}", asked.body);
    }
    assert_eq!(
        world.run(&["case", "list", "--json"]).json(),
        serde_json::json!([])
    );
    // Without the flag it is asked, redacted, and the flag is not offered.
    let ran = world.run(&["ask", "--no-input", &question]).exits(0);
    assert!(
        !ran.stderr().contains("--send-unredacted"),
        "{}",
        ran.stderr()
    );
    // What a model nearby got as it is goes redacted to one elsewhere.
    world.configure(&configured(&near));
    let case = case_of(&world.ask(0, &["--send-unredacted", &question]));
    assert!(near.asked().iter().any(|a| a.body.contains(TOKEN)));
    world.configure(&configured(&far));
    world.ask(0, &["--case", &case, "and now?"]);
    let replayed = far
        .asked()
        .into_iter()
        .filter(|a| a.body.contains("and now?"))
        .count();
    assert!(replayed > 0);
    for asked in far.asked() {
        assert!(!asked.body.contains(TOKEN), "{}", asked.body);
    }
}

#[test]
fn ctrl_c_before_it_is_known_who_would_read_it_writes_nothing() {
    let source = Source::usual();
    let server = Scripted::start(|asked: &Asked| match asked.path.as_str() {
        "/v1/chat/completions" => {
            Reply::raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n").hold()
        }
        path => about(path),
    });
    let config =
        sources(base(), &source).set("model", "base_url", &format!("\"{}\"", server.url()));
    let world = World::new(&config);
    let question = format!("whose is {TOKEN}?");
    let args = [
        "ask",
        "--json",
        "--no-input",
        "--send-unredacted",
        &question,
    ];
    let child = world.command(&args).spawn().unwrap();
    until("the server is tried", || {
        !server.asked_at("/v1/chat/completions").is_empty()
    });
    signal(&child, "INT");
    let v = finish(child).exits(130).json();
    super::contract::holds(&v);
    for asked in server.asked() {
        assert!(!asked.body.contains("whose is"), "{}", asked.body);
    }
    assert_eq!(
        world.run(&["case", "list", "--json"]).json(),
        serde_json::json!([])
    );
}

//! `doctor`, `data` and `modules test` as a person or a script runs them, against servers on loopback.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod support_model;

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::time::Duration;
use support_model::{Kind, Reply, Scripted};
use tempfile::TempDir;

/// Far more than any command may take: one that hangs fails here.
const HANGS: Duration = Duration::from_secs(120);

struct Home(TempDir);

struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn data(&self) -> PathBuf {
        self.0.path().join("data")
    }

    fn config(&self, text: &str) {
        fs::write(self.0.path().join("config.toml"), text).unwrap();
    }

    fn run(&self, args: &[&str], vars: &[(&str, &str)]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rmm-analyst"));
        command
            .env_clear()
            .env("HOME", self.0.path())
            .env("RMM_ANALYST_DATA_DIR", self.data())
            .envs(vars.iter().copied())
            .timeout(HANGS);
        let config = self.0.path().join("config.toml");
        if config.exists() {
            command.env("RMM_ANALYST_CONFIG", config);
        }
        let output = command.args(args).output().unwrap();
        Ran {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// `doctor --json`, whose form is checked here.
    fn doctor(&self, vars: &[(&str, &str)]) -> (i32, Vec<Value>) {
        let ran = self.run(&["doctor", "--json"], vars);
        let checks: Vec<Value> = serde_json::from_str(&ran.out)
            .unwrap_or_else(|e| panic!("{e}: {} {}", ran.out, ran.err));
        for c in &checks {
            let keys: Vec<&str> = c.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(keys, ["check", "state", "message", "hint"]);
            assert!(["ok", "warn", "fail", "skip"].contains(&c["state"].as_str().unwrap()));
            assert!(!c["message"].as_str().unwrap().is_empty(), "{c}");
            if c["state"] == "fail" {
                assert!(c["hint"].is_string(), "a failure without a way out: {c}");
            }
        }
        let fails = checks.iter().any(|c| c["state"] == "fail");
        assert_eq!(ran.code, if fails { 3 } else { 0 }, "{}", ran.out);
        (ran.code, checks)
    }
}

fn of<'a>(checks: &'a [Value], name: &str) -> &'a Value {
    checks
        .iter()
        .find(|c| c["check"] == name)
        .unwrap_or_else(|| panic!("no check {name}: {checks:?}"))
}

/// A port of loopback on which nothing listens.
fn dead_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

#[test]
fn a_bare_machine_is_told_what_is_missing_and_the_command_that_fixes_it() {
    let home = Home::new();
    let dead = format!("http://127.0.0.1:{}", dead_port());
    // A model server that another person runs on the usual ports must not decide this test.
    home.config(&format!("[model]\nbase_url = \"{dead}\"\n"));
    let (_, checks) = home.doctor(&[]);
    let hint = |name: &str| of(&checks, name)["hint"].as_str().unwrap().to_owned();
    assert_eq!(of(&checks, "@threatfox")["state"], "warn");
    assert!(hint("@threatfox").starts_with("rmm-analyst secret set abusech"));
    assert!(hint("@abuseipdb").contains("https://www.abuseipdb.com/register"));
    assert_eq!(of(&checks, "@special")["state"], "ok");
    assert!(hint("data rdap-dns.json").contains("rmm-analyst data update rdap-dns.json"));
    assert_eq!(of(&checks, "keyring")["state"], "warn");
    assert!(hint("keyring").contains("secret set"));
    assert_eq!(of(&checks, "locale")["hint"], "export LANG=C.UTF-8");
    assert!(!home.data().exists(), "doctor made the data directory");

    let people = home.run(&["doctor"], &[]);
    let last = people.out.trim_end().lines().last().unwrap();
    assert!(last.contains(" warn, 1 fail, "), "{last}");
    assert!(people.out.lines().all(|l| !l.contains('\u{1b}')));
}

#[test]
fn nothing_configured_is_no_failure() {
    let (code, checks) = Home::new().doctor(&[]);
    let model = of(&checks, "model");
    // Where a developer runs a server on a usual port, that one is shown.
    if model["state"] == "warn" && model["message"].as_str().unwrap().starts_with("none") {
        let hint = model["hint"].as_str().unwrap();
        assert!(
            hint.contains("rmm-analyst config set model.base_url"),
            "{hint}"
        );
        assert_eq!(code, 0);
    }
    assert_ne!(of(&checks, "configuration")["state"], "fail");
}

#[test]
fn no_secret_is_ever_printed() {
    let home = Home::new();
    fs::create_dir(home.data()).unwrap();
    let secrets = home.data().join("secrets.toml");
    fs::write(&secrets, "urlhaus = \"file-secret-0123456789\"\n").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&secrets, fs::Permissions::from_mode(0o600)).unwrap();
    }
    let vars = [
        ("RMM_ANALYST_SECRET_ABUSEIPDB", "env-secret-0123456789"),
        (
            "RMM_ANALYST_NETWORK_PROXY",
            "http://me:proxy-secret-0123@127.0.0.1:3128",
        ),
        ("RMM_ANALYST_MODEL_BASE_URL", "http://127.0.0.1:9/v1"),
    ];
    for args in [&["doctor"][..], &["doctor", "--json"], &["-v", "doctor"]] {
        let ran = home.run(args, &vars);
        for secret in ["env-secret", "file-secret", "proxy-secret"] {
            assert!(
                !ran.out.contains(secret) && !ran.err.contains(secret),
                "{secret}: {}",
                ran.out
            );
        }
        assert!(ran.out.contains("127.0.0.1:3128"), "{}", ran.out);
    }
    let (_, checks) = home.doctor(&vars);
    let message = |name: &str| of(&checks, name)["message"].as_str().unwrap().to_owned();
    assert!(message("@abuseipdb").contains("key abuseipdb set (environment)"));
    assert!(message("@urlhaus").contains("key urlhaus set (file)"));
}

#[test]
fn a_mistake_in_the_configuration_fails_and_the_rest_is_still_looked_at() {
    let home = Home::new();
    home.config("[modell]\nname = \"x\"\n");
    let (code, checks) = home.doctor(&[]);
    assert_eq!(code, 3);
    let wrong = of(&checks, "configuration");
    assert_eq!(wrong["state"], "fail");
    assert!(wrong["message"].as_str().unwrap().contains("config.toml"));
    assert!(wrong["hint"].as_str().unwrap().contains("model"));
    assert_eq!(of(&checks, "model")["state"], "skip");
    assert_eq!(of(&checks, "database")["state"], "skip");
}

#[test]
fn a_data_directory_that_cannot_be_made_fails() {
    let home = Home::new();
    let file = home.0.path().join("file");
    fs::write(&file, "").unwrap();
    let below = file.join("at/all").to_str().unwrap().to_owned();
    let (code, checks) = home.doctor(&[("RMM_ANALYST_DATA_DIR", &below)]);
    assert_eq!(code, 3);
    assert_eq!(of(&checks, "data directory")["state"], "fail");
}

#[test]
fn a_database_is_examined_and_a_broken_one_is_kept() {
    let home = Home::new();
    home.run(&["ask", "--no-model", "--no-input", "what is a port?"], &[]);
    let (_, checks) = home.doctor(&[]);
    let database = of(&checks, "database");
    assert_eq!(database["state"], "ok", "{database}");
    assert!(database["message"].as_str().unwrap().contains("1 cases"));
    assert_eq!(of(&checks, "data directory")["state"], "ok");
    assert_eq!(of(&checks, "log")["state"], "ok");

    let file = home.data().join("rmm-analyst.db");
    for end in ["-wal", "-shm"] {
        let _ = fs::remove_file(home.data().join(format!("rmm-analyst.db{end}")));
    }
    fs::write(
        &file,
        b"this is not a database at all, but somebody's notes",
    )
    .unwrap();
    let (code, checks) = home.doctor(&[]);
    assert_eq!(code, 3);
    assert_eq!(of(&checks, "database")["state"], "fail");
    assert!(fs::read(&file).unwrap().starts_with(b"this is not"));
}

#[test]
fn a_dead_model_server_fails_and_a_silent_one_does_not_hold_the_program() {
    let home = Home::new();
    let dead = format!("http://127.0.0.1:{}/v1", dead_port());
    home.config(&format!("[model]\nbase_url = \"{dead}\"\n"));
    let (code, checks) = home.doctor(&[]);
    assert_eq!(code, 3);
    assert_eq!(of(&checks, "model")["state"], "fail");

    // Accepts, and never answers: the test's own limit is what a hang would run into.
    let silent = Scripted::start(|_| Reply {
        hold: true,
        ..Reply::default()
    });
    home.config(&format!("[model]\nbase_url = \"{}\"\n", silent.url()));
    let (code, checks) = home.doctor(&[]);
    assert_eq!(code, 0);
    let model = of(&checks, "model");
    assert_eq!(model["state"], "warn");
    assert!(
        model["message"].as_str().unwrap().contains("within 4 s"),
        "{model}"
    );
}

#[test]
fn a_llama_cpp_server_shows_its_window_and_how_it_calls_tools() {
    // Text where a call was asked for, then a step that keeps the schema.
    let server = Kind::LlamaCpp.serve(|asked| {
        let text = if asked.json()["tools"].is_array() {
            "I would look it up."
        } else {
            r#"{\"action\":\"call\",\"tool\":\"lookup_domain\",\"query\":\"example.com\"}"#
        };
        Reply::sse(&format!(
            "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\ndata: {{\"choices\":[{{\"index\":0,\"delta\":{{}},\"finish_reason\":\"stop\"}}]}}\n\ndata: [DONE]\n\n"
        ))
    });
    let home = Home::new();
    home.config(&format!("[model]\nbase_url = \"{}\"\n", server.url()));
    let (_, checks) = home.doctor(&[]);
    let model = of(&checks, "model");
    assert_eq!(model["state"], "ok");
    assert!(
        model["message"]
            .as_str()
            .unwrap()
            .starts_with("llama.cpp b1-x at http://127.0.0.1")
    );
    let window = of(&checks, "model window");
    assert_eq!(window["state"], "warn", "2048 tokens are few");
    assert!(
        window["message"]
            .as_str()
            .unwrap()
            .contains("2048 tokens, as the server says")
    );
    assert!(window["hint"].as_str().unwrap().contains("-c 8192"));
    assert_eq!(of(&checks, "model place")["state"], "ok");
    let tools = of(&checks, "model tools")["message"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(tools.starts_with("constrained output"), "{tools}");
    assert!(!checks.iter().any(|c| c["check"] == "model cloud"));
    assert!(
        server
            .asked()
            .iter()
            .all(|a| !a.body.contains("203.0.113."))
    );
}

#[test]
fn an_ollama_shows_the_state_of_its_cloud() {
    let server = Kind::Ollama.serve(|_| Reply::json(500, r#"{"error":"no"}"#));
    let home = Home::new();
    home.config(&format!(
        "[model]\nbase_url = \"{}\"\nname = \"qwen3:8b\"\n",
        server.url()
    ));
    let (_, checks) = home.doctor(&[]);
    let cloud = of(&checks, "model cloud");
    assert_eq!(cloud["state"], "warn");
    assert!(
        cloud["hint"]
            .as_str()
            .unwrap()
            .contains("OLLAMA_NO_CLOUD=1")
    );
    assert!(
        of(&checks, "model window")["message"]
            .as_str()
            .unwrap()
            .contains("16384 tokens, asked for")
    );
}

// ---- data

#[test]
fn data_sets_are_listed_and_a_failed_download_is_exit_8() {
    let home = Home::new();
    let ran = home.run(&["data", "list", "--json"], &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let rows: Vec<Value> = serde_json::from_str(&ran.out).unwrap();
    assert!(rows.iter().any(|r| r["name"] == "rdap-dns.json"));
    assert!(
        rows.iter()
            .all(|r| r["present"] == false && r["bytes"] == 0)
    );

    fs::create_dir_all(home.data().join("data")).unwrap();
    fs::write(home.data().join("data/rdap-dns.json"), "{}").unwrap();
    let ran = home.run(&["data", "list"], &[]);
    assert!(
        ran.out.contains("rdap-dns.json   fresh, 0 s old, 2 B") || ran.out.contains("fresh, "),
        "{}",
        ran.out
    );

    // Everything goes to a proxy that is not there: nothing leaves this machine.
    let proxy = format!("http://127.0.0.1:{}", dead_port());
    let vars = [("RMM_ANALYST_NETWORK_PROXY", proxy.as_str())];
    let ran = home.run(&["data", "update", "rdap-dns", "--json"], &vars);
    assert_eq!(ran.code, 8, "{} {}", ran.out, ran.err);
    let rows: Vec<Value> = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(rows[0]["name"], "rdap-dns.json");
    assert_eq!(rows[0]["ok"], false);
    assert!(rows[0]["error"].is_string());
    let kept = fs::read_to_string(home.data().join("data/rdap-dns.json")).unwrap();
    assert_eq!(kept, "{}", "the old copy stays");

    let ran = home.run(&["data", "update", "rdap-dnss.json"], &[]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("did you mean rdap-dns"), "{}", ran.err);
}

// ---- modules test

#[test]
fn a_source_is_asked_once_and_what_fails_has_a_next_step() {
    let source = Scripted::start(|asked| match asked.path.as_str() {
        "/203.0.113.7" => Reply::json(
            200,
            r#"{"cpes":[],"hostnames":[],"ip":"203.0.113.7","ports":[22,443],"tags":["c2"],"vulns":[]}"#,
        ),
        _ => Reply::json(503, "{}"),
    });
    let home = Home::new();
    home.config(&format!(
        "[network]\nreach_allow = [\"203.0.113.0/24\"]\n[modules.internetdb]\nbase_url = \"{0}\"\n[modules.crtsh]\nbase_url = \"{0}\"\n[modules.ipinfo]\nenabled = false\n",
        source.url()
    ));
    let test = |args: &[&str]| {
        let mut all = vec!["modules", "test"];
        all.extend(args);
        home.run(&all, &[])
    };
    for _ in 0..2 {
        let ran = test(&["internetdb", "203.0.113[.]7"]);
        assert_eq!(ran.code, 0, "{} {}", ran.out, ran.err);
        assert!(ran.out.contains("found"), "{}", ran.out);
        assert!(ran.out.contains("22, 443"), "{}", ran.out);
    }
    let asked = source.asked_at("/203.0.113.7").len();
    assert_eq!(asked, 2, "a test never answers from the cache");

    let ran = test(&["crtsh", "--json"]);
    assert_eq!(ran.code, 8);
    let rows: Vec<Value> = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(rows[0]["status"], "could_not_look");
    assert_eq!(rows[0]["verdict"], Value::Null);
    assert!(rows[0]["detail"].as_str().unwrap().contains("503"));
    assert!(rows[0]["hint"].is_string());

    let ran = test(&["threatfox"]);
    assert_eq!(ran.code, 8);
    assert!(
        ran.out.contains("no key") && ran.out.contains("rmm-analyst secret set abusech"),
        "{}",
        ran.out
    );

    assert_eq!(test(&["special"]).code, 0);
    for (args, part) in [
        (&["nonsense"][..], "nonsense"),
        (&["ipinfo"], "switched off"),
        (&["crtsh", "not an indicator"], "no indicator"),
        (&["crtsh", "203.0.113.7"], "does not take ip"),
    ] {
        let ran = test(args);
        assert_eq!(ran.code, 2, "{args:?}: {} {}", ran.out, ran.err);
        assert!(ran.err.contains(part), "{args:?}: {}", ran.err);
    }
}

#[test]
fn no_text_from_outside_makes_a_line_of_its_own() {
    let forged = "\\nok    model           all is well\\n";
    let server =
        Kind::Ollama.serve(|_| Reply::json(500, r#"{"error":"no\n\nok    model  all is well"}"#));
    let home = Home::new();
    home.config(&format!(
        "[model]\nbase_url = \"{}\"\nname = \"x{forged}y\"\n[modules.crtsh]\nbase_url = \"http://127.0.0.1:1/{forged}\"\n\
         [network]\nca_file = \"/nowhere{forged}\"\n",
        server.url()
    ));
    let checked = |args: &[&str], own: &dyn Fn(&str) -> bool| {
        let ran = home.run(args, &[]);
        assert!(
            ran.out.contains('␊'),
            "{args:?}: the text is shown somewhere: {}{}",
            ran.out,
            ran.err
        );
        for line in ran.out.lines().chain(ran.err.lines()) {
            assert!(own(line), "{args:?}: {line:?}");
            assert!(!line.starts_with("ok    model           all"), "{line:?}");
        }
    };
    let out = home.run(&["doctor"], &[]).out;
    let told = out
        .lines()
        .filter(|l| l.starts_with("ok    model           "));
    assert_eq!(told.count(), 1, "{out}");
    checked(&["doctor"], &|l| {
        l.is_empty()
            || l.contains(" ok, ")
            || [
                "ok    ",
                "warn  ",
                "fail  ",
                "skip  ",
                "      ",
                "warning: ",
            ]
            .iter()
            .any(|s| l.starts_with(s))
    });
    checked(&["config", "show"], &|l| {
        l.is_empty()
            || l.starts_with('[')
            || l.starts_with('#')
            || l.contains(" = ")
            || l.starts_with("warning: ")
    });
    checked(&["modules", "show", "crtsh"], &|l| {
        l.starts_with("warning: ")
            || l.split_once(' ')
                .is_some_and(|(name, _)| !name.is_empty() && name != "ok")
    });
}

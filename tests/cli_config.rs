//! The commands that need no engine, as a person or a script runs them: both streams and the exit code.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

use assert_cmd::Command;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// An installation of its own: nothing of the machine's home, keyring or environment comes in.
struct Home {
    dir: TempDir,
}

/// What a run gave.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Home {
    fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    fn config(&self) -> PathBuf {
        let dir = if cfg!(target_os = "macos") {
            "Library/Application Support"
        } else {
            ".config"
        };
        self.dir.path().join(dir).join("rmm-analyst/config.toml")
    }

    fn write_config(&self, text: &str) {
        fs::create_dir_all(self.config().parent().unwrap()).unwrap();
        fs::write(self.config(), text).unwrap();
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rmm-analyst"));
        command.env_clear().env("HOME", self.dir.path());
        command
            .env("RMM_ANALYST_DATA_DIR", self.dir.path().join("data"))
            .current_dir(self.dir.path());
        command
    }

    fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, &[], b"")
    }

    fn run_with(&self, args: &[&str], vars: &[(&str, &str)], stdin: &[u8]) -> Ran {
        let output = self
            .command()
            .args(args)
            .envs(vars.iter().copied())
            .write_stdin(stdin)
            .output()
            .unwrap();
        Ran {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    fn ok(self) -> Self {
        assert_eq!(self.code, 0, "stdout: {}\nstderr: {}", self.out, self.err);
        self
    }

    fn fails(self, code: i32, part: &str) -> Self {
        assert_eq!(
            self.code, code,
            "stdout: {}\nstderr: {}",
            self.out, self.err
        );
        assert!(self.err.contains(part), "{}", self.err);
        self
    }

    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}", self.out))
    }
}

#[test]
fn version_and_help_touch_nothing() {
    let home = Home::new();
    let version = home.run(&["--version"]).ok();
    assert_eq!(
        version.out,
        format!("rmm-analyst {}\n", env!("CARGO_PKG_VERSION"))
    );
    assert!(home.run(&["ask", "--help"]).ok().out.contains("Examples:"));
    assert_eq!(fs::read_dir(home.dir.path()).unwrap().count(), 0);
}

#[test]
fn no_command_says_what_there_is() {
    let ran = Home::new()
        .run(&[])
        .fails(2, "there is no terminal to open the screen on");
    assert!(ran.out.is_empty());
    assert!(ran.err.contains("rmm-analyst ask"));
}

#[test]
fn a_wrong_command_line_is_exit_2_and_json_where_json_was_asked() {
    let home = Home::new();
    let ran = home
        .run(&["asc", "x"])
        .fails(2, "unrecognized subcommand 'asc'");
    assert!(ran.out.is_empty());
    let ran = home
        .run(&["ask", "--json", "--nonsense"])
        .fails(2, "--nonsense");
    let json = ran.json();
    assert_eq!(json["status"], "error");
    assert_eq!(json["error"]["kind"], "user");
    assert!(
        json["error"]["message"]
            .as_str()
            .unwrap()
            .contains("--nonsense")
    );
    let ran = home
        .run(&["extract", "--json", "no-such-file"])
        .fails(2, "no-such-file cannot be read");
    assert_eq!(ran.json()["error"]["kind"], "user");
    // Words of the command line come back without control characters.
    let ran = home.run(&["\u{1b}[2Jx\u{202e}"]).fails(2, "unrecognized");
    assert!(
        !ran.err.contains('\u{1b}') && !ran.err.contains('\u{202e}'),
        "{:?}",
        ran.err
    );
}

#[test]
fn init_set_show_and_path() {
    let home = Home::new();
    let ran = home.run(&["config", "init"]).ok();
    assert_eq!(ran.out.trim_end(), home.config().display().to_string());
    let example =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/config.toml.example")).unwrap();
    assert_eq!(fs::read_to_string(home.config()).unwrap(), example);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(
            fs::metadata(home.config()).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
    home.run(&["config", "init"]).fails(3, "exists already");
    home.run(&["config", "set", "model.name", "qwen3:8b"]).ok();
    home.run(&["config", "set", "model.base_url", "127.0.0.1:1"])
        .fails(3, "did you mean `http://127.0.0.1:1`?");
    home.run(&["config", "set", "model.nam", "x"])
        .fails(3, "did you mean `model.name`?");
    home.run(&["config", "set", "model.name"])
        .fails(2, "<VALUE>");
    home.run(&["config", "check"]).ok();

    let shown = home.run(&["config", "show", "--json"]).ok().json();
    assert_eq!(shown["model"]["name"], "qwen3:8b");
    assert_eq!(shown["limits"]["rounds"], 6);
    assert_eq!(shown["model"]["base_url"], serde_json::Value::Null);
    let vars = [("RMM_ANALYST_LIMITS_ROUNDS", "3")];
    let shown = home
        .run_with(&["config", "show", "--json", "--origin"], &vars, b"")
        .ok()
        .json();
    assert_eq!(
        shown["limits"]["rounds"],
        serde_json::json!({ "value": 3, "origin": "RMM_ANALYST_LIMITS_ROUNDS" })
    );
    assert_eq!(shown["limits"]["parallel"]["origin"], "default");
    let line = fs::read_to_string(home.config())
        .unwrap()
        .lines()
        .position(|l| l.starts_with("name = "))
        .unwrap()
        + 1;
    assert_eq!(
        shown["model"]["name"]["origin"],
        format!("{}:{line}", home.config().display())
    );
    let text = home.run(&["config", "show", "--origin"]).ok().out;
    assert!(
        text.contains(&format!(
            "name = \"qwen3:8b\"  # {}:{line}",
            home.config().display()
        )),
        "{text}"
    );

    home.run(&["config", "init", "--force"]).ok();
    assert_eq!(fs::read_to_string(home.config()).unwrap(), example);
    assert_eq!(
        home.run(&["config", "path"]).ok().out.trim_end(),
        home.config().display().to_string()
    );
    let all = home.run(&["config", "path", "--all"]).ok().out;
    assert!(all.contains("database\t") && all.contains("rmm-analyst.db"));
}

#[test]
fn unsetting_what_is_not_set_changes_nothing_and_says_so() {
    let home = Home::new();
    let ran = home.run(&["config", "set", "model.name", "--unset"]).ok();
    assert!(ran.err.contains("model.name was not set"), "{}", ran.err);
    assert!(!home.config().exists());
    home.write_config("[model]\ncontext = 8192\n");
    let ran = home.run(&["config", "set", "model.name", "--unset"]).ok();
    assert!(ran.err.contains("model.name was not set"), "{}", ran.err);
    let ran = home
        .run(&["config", "set", "model.context", "--unset"])
        .ok();
    assert!(ran.err.contains("unset in"), "{}", ran.err);
}

#[test]
fn set_without_a_file_writes_one() {
    let home = Home::new();
    home.run(&["config", "set", "limits.rounds", "4"]).ok();
    let text = fs::read_to_string(home.config()).unwrap();
    assert!(text.contains("[limits]\nrounds = 4\n"), "{text}");
    home.run(&["config", "set", "limits.rounds", "--unset"])
        .ok();
    assert!(
        !fs::read_to_string(home.config())
            .unwrap()
            .contains("\nrounds = 4\n")
    );
    let vars = [("RMM_ANALYST_LIMITS_ROUNDS", "9")];
    let ran = home
        .run_with(&["config", "set", "limits.rounds", "5"], &vars, b"")
        .ok();
    assert!(ran.err.contains("stronger than the file"));
}

#[test]
fn a_mistake_in_the_file_stops_every_command_that_reads_it() {
    let home = Home::new();
    home.write_config("[model]\nbase_ulr = \"x\"\n[limits]\nrounds = 0\n");
    let ran = home
        .run_with(&["extract"], &[], b"8.8.8.8")
        .fails(3, "config.toml:2: unknown key `base_ulr`");
    assert!(ran.err.contains("did you mean `base_url`?") && ran.err.contains("and 1 more"));
    assert!(ran.out.is_empty());
    let ran = home.run(&["config", "check"]);
    assert_eq!(ran.code, 3);
    assert!(
        ran.out.contains(":2: unknown key") && ran.out.contains(":4: limits.rounds"),
        "{}",
        ran.out
    );
    let json = home.run(&["config", "check", "--json"]).json();
    assert_eq!(json.as_array().unwrap().len(), 2);
    assert_eq!(json[0]["level"], "error");
    // Help, completions and the manual need no configuration.
    home.run(&["completions", "bash"]).ok();
    home.run(&["man"]).ok();
}

#[test]
fn missing_places_are_named() {
    let home = Home::new();
    let named = home.dir.path().join("none.toml");
    let ran = home
        .run(&["--config", named.to_str().unwrap(), "config", "show"])
        .fails(3, "there is no such file");
    assert!(ran.err.contains("config init"));
    // A home that cannot be written, as containers have it.
    let output = home
        .command()
        .args(["config", "init"])
        .env("RMM_ANALYST_CONFIG", "/proc/nowhere/c.toml")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be written"));
}

#[test]
fn secrets_are_stored_listed_and_removed_but_never_shown() {
    let home = Home::new();
    let key = "kX81-not-a-real-key-0001";
    let set = home
        .run_with(
            &["secret", "set", "model", "--store", "file"],
            &[],
            format!("{key}\n").as_bytes(),
        )
        .ok();
    let list = home.run(&["secret", "list"]).ok();
    assert!(
        list.out
            .lines()
            .any(|l| l.starts_with("model ") && l.contains("set (file)")),
        "{}",
        list.out
    );
    let json = home.run(&["secret", "list", "--json"]).ok();
    let row = json
        .json()
        .as_array()
        .unwrap()
        .iter()
        .find(|r| r["name"] == "model")
        .cloned()
        .unwrap();
    assert_eq!(
        row,
        serde_json::json!({ "name": "model", "set": true, "origin": "file", "error": null })
    );
    home.write_config("[model]\napi_key = \"model\"\n");
    let show = home.run(&["config", "show"]).ok();
    assert!(
        show.out
            .contains("api_key = \"model\"  # secret: set (file)"),
        "{}",
        show.out
    );
    let check = home.run(&["config", "check"]).ok();
    let vars = [("RMM_ANALYST_SECRET_MODEL", "env-value-not-real-2")];
    let env = home.run_with(&["secret", "list"], &vars, b"").ok();
    assert!(env.out.contains("set (environment)"));
    let removed = home.run(&["secret", "remove", "model"]).ok();
    assert!(
        removed.err.contains("model is removed (file)"),
        "{}",
        removed.err
    );
    let after = home.run(&["config", "check"]).ok();
    assert!(
        after
            .out
            .contains("the secret `model` of model.api_key is not set"),
        "{}",
        after.out
    );
    for ran in [&set, &list, &json, &show, &check, &env, &removed, &after] {
        for value in [key, "env-value-not-real-2"] {
            assert!(!ran.out.contains(value) && !ran.err.contains(value));
        }
    }
}

#[test]
fn a_secret_is_one_line_of_text_under_a_name() {
    let home = Home::new();
    let set = |name: &str, value: &[u8]| {
        home.run_with(&["secret", "set", name, "--store", "file"], &[], value)
    };
    set("model", b"").fails(2, "the value is empty");
    set("model", b"a\nb\n").fails(2, "line ends");
    set("model", &[0xff, 0xfe]).fails(2, "not text");
    let ran = set("AKIA-SOMETHING", b"x").fails(2, "not the name of a secret");
    assert!(!ran.err.contains("AKIA"));
    let ran = set("modle", b"some-value-123").ok();
    assert!(ran.err.contains("did you mean model?"), "{}", ran.err);
    // The value is no argument.
    home.run(&["secret", "set", "model", "value"])
        .fails(2, "unexpected argument");
}

#[test]
fn extract_takes_anything() {
    let home = Home::new();
    let run = |args: &[&str], stdin: &[u8]| home.run_with(args, &[], stdin);
    for input in [
        b"".as_slice(),
        b"\n \t\n",
        &[0, 1, 2, 0xff, 0xfe, 0x80],
        b"no indicator here",
    ] {
        assert_eq!(run(&["extract"], input).ok().out, "");
        assert_eq!(
            run(&["extract", "--json"], input).ok().json(),
            serde_json::json!([])
        );
    }
    let big = "lorem ipsum dolor sit amet\n".repeat(800_000);
    assert_eq!(
        run(&["extract", "--json"], big.as_bytes()).ok().json(),
        serde_json::json!([])
    );
    run(&["extract", "/"], b"").fails(2, "it is a directory");
}

/// Types, values and places of what `extract` finds. Runs against the reader of the kit.
#[test]
fn extract_gives_types_values_and_places() {
    let home = Home::new();
    let mut input = b"\xffseen 8.8.8.8 and evil[.]example[.]com\n".to_vec();
    let expected = kit::extract(&String::from_utf8_lossy(&input).replace('\u{fffd}', " "));
    let lines = home.run_with(&["extract"], &[], &input).ok().out;
    let wanted: String = expected
        .iter()
        .map(|f| format!("{}\t{}\n", f.indicator.kind(), f.indicator.value()))
        .collect();
    assert_eq!(lines, wanted);
    let json = home
        .run_with(&["extract", "--json", "-"], &[], &input)
        .ok()
        .json();
    assert_eq!(json.as_array().unwrap().len(), expected.len());
    for (row, found) in json.as_array().unwrap().iter().zip(&expected) {
        let (start, end) = (found.start, found.end);
        assert_eq!(
            (row["start"].as_u64(), row["end"].as_u64()),
            (Some(start as u64), Some(end as u64))
        );
        assert_eq!(row["text"].as_str().unwrap().as_bytes(), &input[start..end]);
        assert_eq!(row["defanged"], found.defanged);
    }
    // Windows writes UTF-16.
    input = [0xff, 0xfe]
        .into_iter()
        .chain("8.8.8.8".encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    let ran = home.run_with(&["extract", "--json"], &[], &input).ok();
    assert_eq!(
        ran.json().as_array().unwrap().len(),
        kit::extract("8.8.8.8").len()
    );
    assert!(ran.err.contains("UTF-16"));
}

#[test]
fn redact_keeps_ordinary_text() {
    let home = Home::new();
    assert_eq!(
        home.run_with(&["redact"], &[], b"one\n\ttwo\n").ok().out,
        "one\n\ttwo\n"
    );
    home.write_config("[redact]\nextra_patterns = [\"a(\"]\n");
    home.run_with(&["redact"], &[], b"x")
        .fails(3, "is no regular expression");
}

#[test]
fn modules_are_found_by_name() {
    let home = Home::new();
    let list = home.run(&["modules", "list", "--json"]).ok().json();
    for module in list.as_array().unwrap() {
        let name = module["name"].as_str().unwrap();
        let shown = home
            .run(&["modules", "show", &format!("@{name}"), "--json"])
            .ok()
            .json();
        assert_eq!(&shown, module);
        assert!(
            home.run(&["modules", "show", name])
                .ok()
                .out
                .contains(&format!("rmm-analyst lookup {name}"))
        );
        assert!(
            !(module["activity"] == "active" && module["ai_allowed"] == true),
            "{name}"
        );
    }
    home.run(&["modules", "show", "nosuchmodule"])
        .fails(2, "there is no module `nosuchmodule`");
}

#[test]
fn man_pages_are_written_to_a_directory() {
    let home = Home::new();
    let dir = home.dir.path().join("man1");
    home.run(&["man", "--dir", dir.to_str().unwrap()]).ok();
    assert!(
        fs::read_to_string(dir.join("rmm-analyst-ask.1"))
            .unwrap()
            .contains(".SH EXAMPLES")
    );
    assert!(dir.join("rmm-analyst.5").exists());
    // The root of a manual has a directory for each section.
    let other = home.dir.path().join("other");
    fs::create_dir_all(other.join("man1")).unwrap();
    for root in [home.dir.path().join("share/man"), other] {
        home.run(&["man", "--dir", root.to_str().unwrap()]).ok();
        assert!(root.join("man1/rmm-analyst-ask.1").exists());
        assert!(root.join("man5/rmm-analyst.5").exists());
        assert!(!root.join("man1/rmm-analyst.5").exists() && !root.join("rmm-analyst.1").exists());
    }
    home.run(&["man", "--dir", "/proc/nowhere"])
        .fails(3, "cannot be written");
}

#[test]
fn completions_for_every_shell() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(
            home.run(&["completions", shell])
                .ok()
                .out
                .contains("rmm-analyst"),
            "{shell}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_the_output_is_an_error() {
    let home = Home::new();
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rmm-analyst"));
    let output = command
        .args(["completions", "bash"])
        .env("HOME", home.dir.path())
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the output could not be written"));
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    use std::process::Stdio;
    let home = Home::new();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rmm-analyst"));
    command
        .args(["completions", "bash"])
        .env("HOME", home.dir.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn colour_only_where_it_is_wanted() {
    let home = Home::new();
    let colour = |args: &[&str], vars: &[(&str, &str)]| {
        home.run_with(args, vars, b"").ok().out.contains('\u{1b}')
    };
    assert!(!colour(&["config", "show"], &[]));
    assert!(colour(
        &["config", "show", "--color", "always"],
        &[("NO_COLOR", "1")]
    ));
    assert!(!colour(&["config", "show", "--color", "never"], &[]));
    assert!(colour(&["--help", "--color", "always"], &[]));
    assert!(!colour(&["--help"], &[]));
}

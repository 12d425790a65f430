//! One installation of its own: configuration, data directory, environment.

use super::model::Model;
use super::source::Source;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Longer than any run may take, however busy the machine is: what hangs fails.
const HANGS: Duration = Duration::from_secs(120);

/// What the configuration says, section by section.
#[derive(Clone, Debug, Default)]
pub(crate) struct Config(BTreeMap<String, Vec<String>>);

impl Config {
    pub(crate) fn set(mut self, section: &str, key: &str, value: &str) -> Self {
        let lines = self.0.entry(section.to_owned()).or_default();
        lines.retain(|l| !l.starts_with(&format!("{key} =")));
        lines.push(format!("{key} = {value}"));
        self
    }

    fn text(&self) -> String {
        let mut out = String::new();
        for (section, lines) in &self.0 {
            out.push_str(&format!("[{section}]\n{}\n", lines.join("\n")));
        }
        out
    }
}

pub(crate) struct World {
    dir: tempfile::TempDir,
    env: Vec<(String, String)>,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: ExitStatus,
    pub(crate) out: Vec<u8>,
    pub(crate) err: Vec<u8>,
}

impl Ran {
    pub(crate) fn code(&self) -> i32 {
        self.status.code().unwrap_or(-1)
    }

    pub(crate) fn stdout(&self) -> String {
        String::from_utf8(self.out.clone()).expect("stdout is UTF-8")
    }

    pub(crate) fn stderr(&self) -> String {
        String::from_utf8(self.err.clone()).expect("stderr is UTF-8")
    }

    /// The one object on stdout.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.out)
            .unwrap_or_else(|e| panic!("no JSON ({e}): {}\n{}", self.stdout(), self.stderr()))
    }

    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(
            self.code(),
            code,
            "stdout: {}\nstderr: {}",
            self.stdout(),
            self.stderr()
        );
        self
    }

    /// Standard error says this.
    #[track_caller]
    pub(crate) fn says(self, what: &str) -> Self {
        assert!(
            self.stderr().contains(what),
            "{what:?} is missing in: {}",
            self.stderr()
        );
        self
    }
}

/// Documentation ranges may go out: the source is on loopback.
pub(crate) fn base() -> Config {
    Config::default().set(
        "network",
        "reach_allow",
        r#"["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32"]"#,
    )
}

/// With the source server behind every module.
pub(crate) fn sources(config: Config, source: &Source) -> Config {
    super::source::MODULES.iter().fold(config, |c, m| {
        c.set(
            &format!("modules.{m}"),
            "base_url",
            &format!("\"{}/{m}\"", source.url()),
        )
    })
}

/// With this model server.
pub(crate) fn modelled(config: Config, model: &Model) -> Config {
    config.set("model", "base_url", &format!("\"{}\"", model.url()))
}

impl World {
    pub(crate) fn new(config: &Config) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let world = Self {
            dir,
            env: Vec::new(),
        };
        world.configure(config);
        world
    }

    /// The usual one: a model and sources.
    pub(crate) fn of(model: &Model, source: &Source) -> Self {
        Self::new(&modelled(sources(base(), source), model))
    }

    pub(crate) fn configure(&self, config: &Config) {
        std::fs::write(self.config_file(), config.text()).unwrap();
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn config_file(&self) -> PathBuf {
        self.dir.path().join("config.toml")
    }

    pub(crate) fn data_dir(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    pub(crate) fn db(&self) -> PathBuf {
        self.data_dir().join("rmm-analyst.db")
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rmm-analyst"));
        // An empty environment: no keyring, no proxy, no settings of whoever runs the tests.
        command
            .env_clear()
            .env("HOME", self.dir.path())
            .env("USER", "analyst")
            .env("RMM_ANALYST_CONFIG", self.config_file())
            .env("RMM_ANALYST_DATA_DIR", self.data_dir())
            .envs(self.env.iter().map(|(k, v)| (k, v)))
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        finish(self.command(args).spawn().unwrap())
    }

    /// With standard input from a pipe.
    pub(crate) fn run_with(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut child = self.command(args).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        // The program may end before it read everything.
        std::thread::spawn(move || {
            let _ = stdin.write_all(&input);
        });
        finish(child)
    }

    /// `ask … --json`, checked against the contract.
    #[track_caller]
    pub(crate) fn ask(&self, code: i32, args: &[&str]) -> Value {
        let mut all = vec!["ask", "--json", "--no-input"];
        all.extend(args);
        let ran = self.run(&all).exits(code);
        let json = ran.json();
        super::contract::holds(&json);
        json
    }

    /// Every file below the data directory, with its bytes.
    pub(crate) fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut out = Vec::new();
        let mut todo = vec![self.data_dir()];
        while let Some(dir) = todo.pop() {
            for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    todo.push(path);
                } else {
                    out.push((path.clone(), std::fs::read(&path).unwrap_or_default()));
                }
            }
        }
        out
    }

    /// The hash chain and the index of every case hold.
    #[track_caller]
    pub(crate) fn verify(&self, case: &str) {
        self.run(&["case", "verify", case]).exits(0);
    }
}

/// Waits for the end and collects both outputs.
pub(crate) fn finish(mut child: Child) -> Ran {
    let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let out = std::thread::spawn(move || all(out));
    let err = std::thread::spawn(move || all(err));
    let end = Instant::now() + HANGS;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if Instant::now() > end {
            child.kill().unwrap();
            panic!("the program hangs");
        }
        std::thread::sleep(Duration::from_millis(3));
    };
    Ran {
        status,
        out: out.join().unwrap(),
        err: err.join().unwrap(),
    }
}

fn all(mut from: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = from.read_to_end(&mut bytes);
    bytes
}

/// Waits until something is so.
#[track_caller]
pub(crate) fn until(what: &str, mut is: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !is() {
        assert!(Instant::now() < end, "never: {what}");
        std::thread::sleep(Duration::from_millis(3));
    }
}

/// Sends a signal to one process that a test started.
pub(crate) fn signal(child: &Child, name: &str) {
    let status = Command::new("kill")
        .args([&format!("-{name}"), &child.id().to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}

//! What `doctor` finds out about parts that only the engine may touch: the database, the model server, the
//! resolver. Nothing here writes, asks a source or prompts, and every step has a limit.

use super::EngineError;
use crate::config::settings::{ModelConfig, NetworkConfig, ToolsMode};
use crate::model::{ContextSource, ModelClient, ModelError, ServerInfo, ServerKind};
use crate::runner::ports::Resolver;
use crate::secrets::Secrets;
use crate::store::{ProblemKind, Store, StoreError, StoreOptions};
use kit::ports::{DnsError, DnsPort as _, RecordType};
use secrecy::SecretString;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

/// Longest look at the database. A file of gigabytes takes longer: `db check` is for that.
const DATABASE: Duration = Duration::from_secs(3);
/// Longest wait for a model server to say what it is.
const CONNECT: Duration = Duration::from_secs(4);
/// Longest wait for the tool probe; a cold or slow model takes longer, and the first question tries then.
const PROBE: Duration = Duration::from_secs(5);
/// Longest wait for an answer of the resolver.
const DNS: Duration = Duration::from_secs(3);
/// A window in tokens below which a turn with evidence hardly fits.
const SMALL_WINDOW: u32 = 4096;

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Works.
    Ok,
    /// Works, with less than it could.
    Warn,
    /// Does not work.
    Fail,
    /// Not looked at, or not used.
    Skip,
}

impl State {
    /// The word in the output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
            Self::Skip => "skip",
        }
    }
}

/// One line of `doctor`. The texts may hold words from outside: they go through the output helper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was looked at.
    pub check: String,
    /// How it ended.
    pub state: State,
    /// What was found, one sentence.
    pub message: String,
    /// What to do, where there is something: a command wherever one does it.
    pub hint: String,
}

impl Check {
    /// A check.
    #[must_use]
    pub fn new(check: impl Into<String>, state: State, message: impl Into<String>) -> Self {
        Self {
            check: check.into(),
            state,
            message: message.into(),
            hint: String::new(),
        }
    }

    /// The same with what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}

/// Looks at the database: it opens, is whole, its chains hold; without changing it.
#[must_use]
pub fn database(path: &Path, key: Option<SecretString>) -> (Vec<Check>, Option<Store>) {
    if !path.exists() {
        let none = Check::new(
            "database",
            State::Skip,
            "not made yet: the first question or look-up makes it",
        );
        return (vec![none], None);
    }
    let options = StoreOptions {
        chain_key: key,
        read_only: true,
    };
    let (send, receive) = mpsc::channel();
    let file: PathBuf = path.to_path_buf();
    // The thread may outlive the limit on a slow disk; it ends with the process.
    std::thread::spawn(move || {
        let looked = Store::open(&file, options).map(|store| {
            let _ = send.send(Looked::Opened(store.clone()));
            (store.size(), store.check())
        });
        let _ = match looked {
            Ok((size, check)) => send.send(Looked::Examined(
                size.map(|s| s.file),
                check.map(|c| {
                    let file = c.integrity.first().or(c.foreign_keys.first()).cloned();
                    let of = |damage: bool| {
                        let found = c.problems.iter().find(|p| {
                            p.kind != ProblemKind::Notice && p.kind.is_damage() == damage
                        });
                        found.map(|p| p.what.clone())
                    };
                    Examined {
                        damage: file.or_else(|| of(true)),
                        unchecked: of(false),
                        cases: c.cases,
                        events: c.events,
                    }
                }),
            )),
            Err(e) => send.send(Looked::Closed(e)),
        };
    });
    let mut store = None;
    loop {
        match receive.recv_timeout(DATABASE) {
            Ok(Looked::Opened(opened)) => store = Some(opened),
            Ok(Looked::Closed(e)) => return (vec![unreadable(&e)], None),
            Ok(Looked::Examined(size, report)) => {
                return (vec![examined(path, size, report)], store);
            }
            Err(_) => {
                let slow = Check::new(
                    "database",
                    State::Warn,
                    format!("not examined within {} s", DATABASE.as_secs()),
                )
                .hint("rmm-analyst db check takes the time that it needs");
                return (vec![slow], store);
            }
        }
    }
}

/// What an examination came to.
struct Examined {
    /// The first thing that is damaged or was changed.
    damage: Option<String>,
    /// The first thing that could not be checked (a chain whose key is not here).
    unchecked: Option<String>,
    cases: u64,
    events: u64,
}

enum Looked {
    Opened(Store),
    Closed(StoreError),
    Examined(Result<u64, StoreError>, Result<Examined, StoreError>),
}

fn unreadable(e: &StoreError) -> Check {
    let why = e.why();
    let message = if why.is_empty() {
        e.to_string()
    } else {
        format!("{e}: {why}")
    };
    Check::new("database", State::Fail, message).hint(e.hint())
}

fn examined(
    path: &Path,
    size: Result<u64, StoreError>,
    report: Result<Examined, StoreError>,
) -> Check {
    match report {
        Ok(Examined {
            damage: Some(what), ..
        }) => Check::new(
            "database",
            State::Fail,
            format!("{} is damaged or was changed: {what}", path.display()),
        )
        .hint(
            "rmm-analyst db check shows it all; rmm-analyst db restore FILE brings a backup back",
        ),
        Ok(Examined {
            unchecked: Some(what),
            ..
        }) => Check::new(
            "database",
            State::Warn,
            format!("{}: not all could be checked: {what}", path.display()),
        )
        .hint("rmm-analyst case verify says which cases"),
        Ok(Examined { cases, events, .. }) => {
            let size = size.map_or_else(|_| String::new(), |b| format!(", {}", bytes(b)));
            Check::new(
                "database",
                State::Ok,
                format!(
                    "{}: whole, hash chains hold ({cases} cases, {events} events{size})",
                    path.display()
                ),
            )
        }
        Err(e) => unreadable(&e),
    }
}

/// Bytes in words.
#[must_use]
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if n < 1000 {
        return format!("{n} B");
    }
    let mut tenths = n / 100;
    let mut unit = 0;
    while tenths >= 10_000 && unit + 1 < UNITS.len() {
        tenths /= 1000;
        unit += 1;
    }
    let name = UNITS.get(unit).copied().unwrap_or("TB");
    if tenths >= 100 {
        format!("{} {name}", tenths / 10)
    } else {
        format!("{}.{} {name}", tenths / 10, tenths % 10)
    }
}

/// Whether the resolver answers. The name asked for is reserved (RFC 2606) and says nothing about a case.
pub async fn resolver() -> Check {
    let resolver = Resolver::system();
    let asked = tokio::time::timeout(DNS, resolver.query("example.com", RecordType::A)).await;
    let hint =
        "only @dns and names of sources need it; see /etc/resolv.conf, or set [network] proxy";
    match asked {
        Ok(Ok(_)) => Check::new("resolver", State::Ok, "the system's name servers answer"),
        Ok(Err(e)) => {
            let why = match e {
                DnsError::TimedOut => "no name server answers in time".to_owned(),
                other => format!("no answer: {other}"),
            };
            Check::new("resolver", State::Warn, why).hint(hint)
        }
        Err(_) => Check::new(
            "resolver",
            State::Warn,
            format!("no name server answers within {} s", DNS.as_secs()),
        )
        .hint(hint),
    }
}

/// Where the model is, which one, how large its window is, how it calls tools.
pub async fn model(
    settings: &ModelConfig,
    network: &NetworkConfig,
    secrets: &Secrets,
    store: Option<&Store>,
) -> Vec<Check> {
    let mut settings = settings.clone();
    let mut found = false;
    if settings.base_url.is_none() {
        match ModelClient::discover(&settings, network).await {
            Some(server) => {
                settings.base_url = Some(server.base_url);
                found = true;
            }
            None => return vec![no_model()],
        }
    }
    let key = match key(&settings, secrets) {
        Ok(key) => key,
        Err(EngineError::Config { message, hint }) => {
            return vec![Check::new("model", State::Fail, message).hint(hint)];
        }
        Err(e) => return vec![Check::new("model", State::Fail, e.to_string())],
    };
    let connecting = ModelClient::connect(&settings, key, network);
    let client = match tokio::time::timeout(CONNECT, connecting).await {
        Err(_) => {
            let slow = format!(
                "{} does not say what it is within {} s; it may be loading a model",
                settings.base_url.as_deref().unwrap_or_default(),
                CONNECT.as_secs()
            );
            return vec![
                Check::new("model", State::Warn, slow)
                    .hint("wait and run rmm-analyst doctor again"),
            ];
        }
        Ok(Err(e)) => {
            // A server that was only found by itself stands in nobody's configuration.
            let state = if found { State::Warn } else { State::Fail };
            return vec![Check::new("model", state, e.to_string()).hint(e.hint())];
        }
        Ok(Ok(client)) => client,
    };
    let info = client.info();
    let mut checks = vec![server(info, found), window(info), place(info)];
    checks.push(tools(&client, &settings, store).await);
    checks.extend(cloud(info));
    for warning in &info.warnings {
        checks.push(Check::new("model note", State::Warn, warning.clone()));
    }
    checks
}

fn no_model() -> Check {
    Check::new(
        "model",
        State::Warn,
        "none configured, and no server answers on the usual local ports (11434, 8080, 8000, 1234): answers are made by rules",
    )
    .hint("start one, for example `ollama serve`, then `ollama pull qwen3:8b`; or name it: rmm-analyst config set model.base_url http://127.0.0.1:8080/v1")
}

fn key(settings: &ModelConfig, secrets: &Secrets) -> Result<Option<SecretString>, EngineError> {
    let name = settings.api_key.as_deref().unwrap_or("model");
    match secrets.get(name) {
        Ok(Some((key, _))) => Ok(Some(key)),
        Ok(None) if settings.api_key.is_some() => Err(EngineError::Config {
            message: format!("[model] api_key names the secret {name}, which is not set"),
            hint: format!("rmm-analyst secret set {name}"),
        }),
        Ok(None) => Ok(None),
        Err(e) => Err(EngineError::Config {
            message: e.to_string(),
            hint: "rmm-analyst secret list shows where each secret is looked for".into(),
        }),
    }
}

fn server(info: &ServerInfo, found: bool) -> Check {
    let version = if info.version.is_empty() {
        String::new()
    } else {
        format!(" {}", info.version)
    };
    let how = if found { ", found by itself" } else { "" };
    Check::new(
        "model",
        State::Ok,
        format!(
            "{}{version} at {}{how}: {}",
            info.kind.name(),
            info.base_url,
            info.model
        ),
    )
}

fn window(info: &ServerInfo) -> Check {
    let from = match info.context_source {
        ContextSource::Setting => "from [model] context",
        ContextSource::Server => "as the server says",
        ContextSource::Requested => "asked for with every request",
        ContextSource::Unknown => "",
    };
    let name = "model window";
    match info.context {
        None => Check::new(
            name,
            State::Warn,
            format!("the server does not say how large it is; {SMALL_WINDOW} tokens are assumed"),
        )
        .hint("rmm-analyst config set model.context 8192 (what the server was started with)"),
        Some(n) if n < SMALL_WINDOW => Check::new(
            name,
            State::Warn,
            format!("{n} tokens, {from}: little room for evidence"),
        )
        .hint(match info.kind {
            ServerKind::LlamaCpp => "start llama-server with -c 8192 or more",
            ServerKind::Vllm => "start vLLM with --max-model-len 8192 or more",
            ServerKind::Ollama => "rmm-analyst config set model.context 8192",
            ServerKind::LmStudio | ServerKind::Other => {
                "start the server with a window of 8192 tokens or more"
            }
        }),
        Some(n) => Check::new(name, State::Ok, format!("{n} tokens, {from}")),
    }
}

fn place(info: &ServerInfo) -> Check {
    if info.remote {
        return Check::new(
            "model place",
            State::Warn,
            "remote: questions and evidence leave for another machine ([model] allow_remote = true)",
        )
        .hint("to forbid it: rmm-analyst config set model.allow_remote false");
    }
    Check::new(
        "model place",
        State::Ok,
        "this machine or this network: prompts go nowhere else",
    )
}

async fn tools(client: &ModelClient, settings: &ModelConfig, store: Option<&Store>) -> Check {
    let name = "model tools";
    if settings.tools == ToolsMode::Constrained {
        return Check::new(name, State::Ok, "constrained output, as configured");
    }
    let memory = format!("probe:{}", client.info().probe_key());
    let remembered = store
        .and_then(|s| s.read(|r| r.kv_get(&memory)).ok())
        .flatten();
    let (mode, how) = match remembered.as_deref() {
        Some("native") => (ToolsMode::Native, "remembered"),
        Some("constrained") => (ToolsMode::Constrained, "remembered"),
        _ => match tokio::time::timeout(PROBE, client.probe()).await {
            Err(_) => {
                return Check::new(
                    name,
                    State::Skip,
                    format!(
                        "the model did not show it within {} s; the first question tries it",
                        PROBE.as_secs()
                    ),
                );
            }
            Ok(Err(e @ ModelError::ToolsUnsupported { .. })) => {
                return Check::new(
                    name,
                    State::Fail,
                    "neither native calls nor output held to a schema",
                )
                .hint(e.hint());
            }
            Ok(Err(e)) => return Check::new(name, State::Fail, e.to_string()).hint(e.hint()),
            Ok(Ok(mode)) => (mode, "just tried"),
        },
    };
    match (mode, settings.tools) {
        (ToolsMode::Native, _) => {
            Check::new(name, State::Ok, format!("native tool calls ({how})"))
        }
        (_, ToolsMode::Native) => Check::new(
            name,
            State::Fail,
            format!("the model makes no native calls ({how}), and [model] tools = \"native\" allows nothing else"),
        )
        .hint("rmm-analyst config set model.tools auto"),
        _ => Check::new(
            name,
            State::Ok,
            format!("constrained output: the model makes no native calls ({how})"),
        ),
    }
}

/// What a local Ollama could send elsewhere (its cloud models, by name or by alias).
fn cloud(info: &ServerInfo) -> Option<Check> {
    if info.kind != ServerKind::Ollama {
        return None;
    }
    let name = "model cloud";
    Some(match info.cloud_off {
        Some(true) => Check::new(name, State::Ok, "Ollama's cloud is switched off"),
        Some(false) => Check::new(
            name,
            State::Warn,
            "Ollama could forward to its cloud; cloud models are refused here by name and by alias",
        )
        .hint("start Ollama with OLLAMA_NO_CLOUD=1 to switch it off altogether"),
        None => Check::new(
            name,
            State::Warn,
            "Ollama does not say whether its cloud is switched off; cloud models are refused here by name and by alias",
        )
        .hint("start Ollama with OLLAMA_NO_CLOUD=1, or update it"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_written_for_people() {
        assert_eq!(bytes(999), "999 B");
        assert_eq!(bytes(1_000), "1.0 kB");
        assert_eq!(bytes(12_345), "12 kB");
        assert_eq!(bytes(61_000_000_000), "61 GB");
        assert_eq!(bytes(u64::MAX), "18446744 TB");
    }

    #[test]
    fn a_small_window_names_the_flag_of_its_server() {
        let mut info = ServerInfo {
            kind: ServerKind::LlamaCpp,
            version: "b1".into(),
            base_url: "http://127.0.0.1:8080".into(),
            native_ollama: false,
            model: "m".into(),
            context: Some(2048),
            context_source: ContextSource::Server,
            remote: false,
            tools_template: None,
            thinking: None,
            cloud_off: None,
            warnings: Vec::new(),
        };
        assert_eq!(window(&info).state, State::Warn);
        assert!(window(&info).hint.contains("-c 8192"));
        assert_eq!(cloud(&info), None);
        info.kind = ServerKind::Ollama;
        info.context = Some(8192);
        assert_eq!(window(&info).state, State::Ok);
        assert!(cloud(&info).unwrap().hint.contains("OLLAMA_NO_CLOUD=1"));
        info.remote = true;
        assert_eq!(place(&info).state, State::Warn);
    }
}

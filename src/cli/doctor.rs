//! `doctor`: what works, what is missing, how to fix it.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::output::{Own, Style, Text};
use crate::cli::registry;
use crate::cli::session::{Session, secret_names};
use crate::config::{Loaded, edit};
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::path::Path;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst doctor
  rmm-analyst doctor --json";

/// Show what works, what is missing and how to fix it
///
/// Exit code 0 when nothing fails; a warning is no failure. No source is asked: `modules test` does that.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct DoctorArgs {
    /// Print one JSON array: check, state (ok, warn, fail, skip), message, hint
    #[arg(long)]
    pub json: bool,
}

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It works.
    Ok,
    /// It works less well than it could.
    Warn,
    /// It does not work.
    Fail,
    /// It could not be looked at.
    Skip,
}

/// One check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Name.
    pub check: String,
    /// How it ended.
    pub state: State,
    /// What was found, in one sentence.
    pub message: String,
    /// What to do; `null` where nothing is to be done.
    pub hint: Option<String>,
}

impl Check {
    fn new(check: impl Into<String>, state: State, message: impl Into<String>) -> Self {
        Self {
            check: check.into(),
            state,
            message: message.into(),
            hint: None,
        }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into()).filter(|h: &String| !h.is_empty());
        self
    }
}

/// Runs the command.
///
/// # Errors
/// The output could not be written. What does not work is a check, not an error.
pub fn run(args: &DoctorArgs, session: &mut Session) -> Result<Exit, Error> {
    let checks: Vec<Check> = checks(session)
        .into_iter()
        .map(|c| screened(c, session))
        .collect();
    let failed = checks.iter().any(|c| c.state == State::Fail);
    if args.json {
        session.out.json(&checks)?;
    } else {
        print(&checks, session)?;
    }
    Ok(if failed { Exit::Config } else { Exit::Ok })
}

fn print(checks: &[Check], session: &mut Session) -> Result<(), Error> {
    let width = checks.iter().map(|c| c.check.len()).max().unwrap_or(0);
    for check in checks {
        let (word, style) = match check.state {
            State::Ok => ("ok  ", Style::Green),
            State::Warn => ("warn", Style::Yellow),
            State::Fail => ("fail", Style::Red),
            State::Skip => ("skip", Style::Dim),
        };
        let name = format!("  {:width$}  ", check.check);
        session.out.line(
            Text::new()
                .styled(style, word)
                .then(Own(name))
                .then(Own(check.message.clone())),
        )?;
        if let Some(hint) = &check.hint {
            let indent = " ".repeat(width + 8);
            session.out.line(
                Text::new()
                    .then(Own(indent))
                    .styled(Style::Bold, "to do: ")
                    .then(Own(hint.clone())),
            )?;
        }
    }
    Ok(())
}

/// Messages hold names and words of the system.
fn screened(check: Check, session: &Session) -> Check {
    let screen = |text: String| session.out.outside(text).as_str().to_owned();
    Check {
        message: screen(check.message),
        hint: check.hint.map(screen),
        ..check
    }
}

fn checks(session: &mut Session) -> Vec<Check> {
    let mut all = Vec::new();
    let paths = match session.paths() {
        Ok(paths) => paths,
        Err(e) => {
            all.push(
                Check::new("files", State::Fail, e.what()).hint(e.advice().unwrap_or_default()),
            );
            return all;
        }
    };
    all.push(data_dir(paths.data_dir()));
    let loaded = match session.config(&[]) {
        Ok(loaded) => loaded,
        Err(e) => {
            all.push(
                Check::new("configuration", State::Fail, e.to_string())
                    .hint(e.advice().unwrap_or_default()),
            );
            return all;
        }
    };
    all.push(match &loaded.file {
        Some(file) => Check::new(
            "configuration",
            State::Ok,
            format!("{} is right", file.display()),
        ),
        None => Check::new(
            "configuration",
            State::Ok,
            "there is no file; the defaults are in use",
        ),
    });
    // From here on nothing that is shown can hold a secret.
    if let Err(e) = session.redactor(&loaded) {
        all.push(Check::new("redaction", State::Fail, e.to_string()));
    }
    all.extend(secrets(&loaded, session));
    all.push(model(&loaded));
    all.extend(ca_file(&loaded));
    all.extend(modules(&loaded, session));
    all.extend(data_sets(&paths.data_sets_dir()));
    all.push(terminal(session));
    all
}

/// Whether files can be made in the data directory, and whether only the owner sees them.
fn data_dir(dir: &Path) -> Check {
    const NAME: &str = "data directory";
    if let Err(e) = edit::create_private_dir(dir) {
        return Check::new(
            NAME,
            State::Fail,
            format!("{} cannot be made: {e}", dir.display()),
        )
        .hint("name another place with --data-dir DIR or RMM_ANALYST_DATA_DIR");
    }
    let probe = dir.join(format!(".doctor.{}", std::process::id()));
    let written = edit::write(&probe, "probe");
    let _ = std::fs::remove_file(&probe);
    if let Err(e) = written {
        return Check::new(
            NAME,
            State::Fail,
            format!("{} cannot be written: {e}", dir.display()),
        )
        .hint("make room or change its permissions, or name another place with --data-dir DIR");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(dir).map_or(0, |m| m.permissions().mode());
        if mode & 0o077 != 0 {
            return Check::new(
                NAME,
                State::Warn,
                format!(
                    "others may look into {} (mode {:o})",
                    dir.display(),
                    mode & 0o777
                ),
            )
            .hint(format!("chmod 700 '{}'", dir.display()));
        }
    }
    Check::new(NAME, State::Ok, format!("{} can be written", dir.display()))
}

/// Which store works, and which secrets cannot be read.
fn secrets(loaded: &Loaded, session: &Session) -> Vec<Check> {
    let Ok(store) = session.secrets() else {
        return Vec::new();
    };
    let status = store.store_status();
    let keyring = if status.works {
        Check::new("keyring", State::Ok, format!("{} works", status.why))
    } else {
        Check::new("keyring", State::Warn, status.why).hint(status.hint)
    };
    let mut all = vec![keyring];
    let statuses = session.statuses(&secret_names(loaded)).unwrap_or_default();
    for status in statuses {
        if let Some(why) = status.error {
            let message = format!(
                "{} is set but cannot be read, so nothing that needs it runs: {why}",
                status.name
            );
            all.push(
                Check::new("secret", State::Fail, message)
                    .hint(format!("rmm-analyst secret set {}", status.name)),
            );
        }
    }
    all
}

/// Ports that local model servers use when nobody says otherwise.
const LOCAL_PORTS: [(u16, &str); 4] = [
    (11434, "Ollama"),
    (8080, "llama.cpp"),
    (8000, "vLLM"),
    (1234, "LM Studio"),
];

/// Whether something listens where a model server should be. Whether it is one, the first question finds out.
fn model(loaded: &Loaded) -> Check {
    const NAME: &str = "model";
    let Some(base_url) = &loaded.config.model.base_url else {
        let heard = LOCAL_PORTS
            .iter()
            .find(|(port, _)| listens(&[SocketAddr::from(([127, 0, 0, 1], *port))], 75));
        return match heard {
            Some((port, name)) => Check::new(NAME, State::Ok, format!("something listens on 127.0.0.1:{port}, the port of {name}")),
            None => Check::new(NAME, State::Warn, "no model server on the usual local ports; answers are made by rules")
                .hint("start one (ollama serve; then ollama pull qwen3:8b), or: rmm-analyst config set model.base_url URL"),
        };
    };
    let Ok(url) = url::Url::parse(base_url) else {
        return Check::new(NAME, State::Fail, "model.base_url is no address");
    };
    let host = url
        .host_str()
        .unwrap_or_default()
        .trim_matches(['[', ']'])
        .to_owned();
    let port = url.port_or_known_default().unwrap_or(80);
    let bad = if loaded.config.model.fallback_to_rules {
        State::Warn
    } else {
        State::Fail
    };
    let Ok(addresses) = (host.as_str(), port).to_socket_addrs() else {
        return Check::new(
            NAME,
            bad,
            format!("the name {host} of model.base_url cannot be resolved"),
        )
        .hint("rmm-analyst config set model.base_url URL");
    };
    let addresses: Vec<SocketAddr> = addresses.take(4).collect();
    if listens(&addresses, 1000) {
        return Check::new(NAME, State::Ok, format!("{base_url} takes connections"));
    }
    Check::new(NAME, bad, format!("nothing answers at {base_url}"))
        .hint("start the server, or: rmm-analyst config set model.base_url URL")
}

fn listens(addresses: &[SocketAddr], ms: u64) -> bool {
    addresses
        .iter()
        .any(|a| TcpStream::connect_timeout(a, Duration::from_millis(ms)).is_ok())
}

fn ca_file(loaded: &Loaded) -> Option<Check> {
    let problem = crate::cli::config::missing_ca(loaded)?;
    Some(
        Check::new("certificates", State::Fail, problem.what)
            .hint("rmm-analyst config set network.ca_file FILE"),
    )
}

/// One line for what works at once, one for each key that modules wait for.
fn modules(loaded: &Loaded, session: &Session) -> Vec<Check> {
    let mut ready = Vec::new();
    // By the secret that would serve most: several modules may share one.
    let mut waiting: BTreeMap<String, (Vec<String>, &str)> = BTreeMap::new();
    for spec in registry::specs() {
        let config = loaded.config.modules.get(spec.name);
        if config.is_some_and(|c| !c.enabled) {
            continue;
        }
        let names: Vec<String> = match config.and_then(|c| c.key.clone()) {
            Some(name) => vec![name],
            None => spec.secrets.iter().map(|s| (*s).to_owned()).collect(),
        };
        let statuses = session.statuses(&names).unwrap_or_default();
        let set = statuses.iter().any(|s| s.origin.is_some());
        let unreadable = statuses.iter().any(|s| s.error.is_some());
        if set || (!spec.key.required() && !unreadable) {
            ready.push(spec.name);
        } else if !unreadable {
            let secret = names
                .last()
                .cloned()
                .unwrap_or_else(|| spec.name.to_owned());
            let entry = waiting
                .entry(secret)
                .or_insert((Vec::new(), spec.help.get_key));
            entry.0.push(format!("@{}", spec.name));
        }
    }
    let mut all = Vec::new();
    if !ready.is_empty() {
        all.push(Check::new(
            "modules",
            State::Ok,
            format!("ready: {}", ready.join(", ")),
        ));
    }
    all.extend(waiting.into_iter().map(|(secret, (names, get_key))| {
        let verb = if names.len() == 1 { "needs" } else { "need" };
        Check::new(
            format!("key {secret}"),
            State::Warn,
            format!("{} {verb} a key", names.join(", ")),
        )
        .hint(format!("{get_key} Then: rmm-analyst secret set {secret}").trim_start())
    }));
    all
}

/// Data sets that are not on disk yet. They are fetched when they are first needed, but not without a network.
fn data_sets(dir: &Path) -> Vec<Check> {
    let mut names: Vec<&str> = registry::specs()
        .iter()
        .flat_map(|s| s.data)
        .map(|d| d.name)
        .collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return Vec::new();
    }
    let missing: Vec<&str> = names
        .iter()
        .copied()
        .filter(|n| !dir.join(n).exists())
        .collect();
    if missing.is_empty() {
        return vec![Check::new(
            "data sets",
            State::Ok,
            format!("on disk: {}", names.join(", ")),
        )];
    }
    vec![
        Check::new(
            "data sets",
            State::Warn,
            format!("not on disk yet: {}", missing.join(", ")),
        )
        .hint("rmm-analyst data update (otherwise they are fetched when they are first needed)"),
    ]
}

fn terminal(session: &Session) -> Check {
    const NAME: &str = "terminal";
    if !session.out.is_terminal() {
        return Check::new(
            NAME,
            State::Skip,
            "the output is not a terminal; nothing prompts",
        );
    }
    let utf8 = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|n| std::env::var(n).ok().filter(|v| !v.is_empty()))
        .is_some_and(|v| v.to_lowercase().replace('-', "").contains("utf8"));
    if utf8 || cfg!(windows) {
        Check::new(NAME, State::Ok, "a terminal with UTF-8")
    } else {
        Check::new(
            NAME,
            State::Warn,
            "the locale is not UTF-8, so some characters may not show",
        )
        .hint("export LC_ALL=C.UTF-8")
    }
}

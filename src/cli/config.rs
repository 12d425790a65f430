//! `config`: the configuration, its file, and where each value is from.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::output::{Own, Style, Text};
use crate::cli::registry;
use crate::cli::secret::state;
use crate::cli::session::Session;
use crate::config::keys::{Key, Kind, MODULES, SECTIONS, of_section};
use crate::config::{self, Loaded, Origin, edit, example};
use crate::secrets::SecretStatus;
use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  rmm-analyst config init
  rmm-analyst config set model.base_url http://127.0.0.1:11434
  rmm-analyst config show --origin
  rmm-analyst config check

An environment variable RMM_ANALYST_<SECTION>_<KEY> is stronger than the file:
  RMM_ANALYST_MODEL_NAME=qwen3:8b rmm-analyst config show --origin";

/// Write, show, check and change the configuration
///
/// Layers, the later one stronger: defaults, the file, the environment (RMM_ANALYST_SECTION_KEY, upper case, other characters as `_`), flags. man rmm-analyst.5 says what each key means.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ConfigArgs {
    /// What to do
    #[command(subcommand)]
    pub command: ConfigCommand,
}

/// The verbs of `config`.
#[derive(Clone, Debug, Subcommand)]
pub enum ConfigCommand {
    /// Write a configuration file with every key, commented out
    #[command(
        after_long_help = "Examples:\n  rmm-analyst config init\n  rmm-analyst --config ./test.toml config init"
    )]
    Init {
        /// Replace a file that is there
        #[arg(long)]
        force: bool,
    },
    /// Show what is in use; secrets only as set or unset
    #[command(
        after_long_help = "Examples:\n  rmm-analyst config show --origin\n  rmm-analyst config show --json"
    )]
    Show {
        /// Say where each value is from: default, file and line, environment or flag
        #[arg(long)]
        origin: bool,
        /// Print one JSON object; with --origin each value is an object of value and origin
        #[arg(long)]
        json: bool,
    },
    /// Check the configuration and say everything that is wrong with it
    #[command(
        after_long_help = "Examples:\n  rmm-analyst config check\n  rmm-analyst --config ./test.toml config check --json"
    )]
    Check {
        /// Print one JSON array: place, message, hint, level (error or warning)
        #[arg(long)]
        json: bool,
    },
    /// Set one value in the file, keeping comments and order
    #[command(
        after_long_help = "Examples:\n  rmm-analyst config set model.name qwen3:8b\n  rmm-analyst config set ai.blocked_modules 'crtsh, ipinfo'\n  rmm-analyst config set modules.crtsh.timeout 60\n  rmm-analyst config set model.context --unset"
    )]
    Set {
        /// SECTION.KEY, such as model.base_url or modules.crtsh.ttl
        key: String,
        /// The value; lists are separated by commas or in TOML's form
        #[arg(required_unless_present = "unset", allow_hyphen_values = true)]
        value: Option<String>,
        /// Remove the key from the file, so that the default holds again
        #[arg(long, conflicts_with = "value")]
        unset: bool,
    },
    /// Print where the configuration file is
    #[command(
        after_long_help = "Examples:\n  \"${EDITOR:-vi}\" \"$(rmm-analyst config path)\"\n  rmm-analyst config path --all"
    )]
    Path {
        /// Every file and directory of the program, one `name<TAB>path` a line
        #[arg(long)]
        all: bool,
    },
}

/// Runs the command.
///
/// # Errors
/// The configuration is wrong, or a file cannot be read or written.
pub fn run(args: &ConfigArgs, session: &mut Session) -> Result<Exit, Error> {
    if matches!(
        args.command,
        ConfigCommand::Init { .. } | ConfigCommand::Set { .. }
    ) {
        session.whole_installation("change the settings")?;
    }
    match &args.command {
        ConfigCommand::Init { force } => init(*force, session),
        ConfigCommand::Show { origin, json } => show(*origin, *json, session),
        ConfigCommand::Check { json } => check(*json, session),
        ConfigCommand::Set {
            key,
            value,
            unset: _,
        } => set(key, value.as_deref(), session),
        ConfigCommand::Path { all } => path(*all, session),
    }
}

/// The file to write: named, or the usual one.
fn file(session: &Session) -> Result<PathBuf, Error> {
    session.paths()?.config_file().map(Path::to_owned).ok_or_else(|| {
        Error::config("no home directory was found, so there is no usual place for the configuration file")
            .hint("name the file with --config FILE or RMM_ANALYST_CONFIG")
    })
}

fn init(force: bool, session: &mut Session) -> Result<Exit, Error> {
    let path = file(session)?;
    // A dangling link counts as there.
    if !force && path.symlink_metadata().is_ok() {
        return Err(Error::config(format!("{} exists already", path.display()))
            .hint("look at it, or replace it with `config init --force`"));
    }
    write(&path, &example::text())?;
    session.out.line(Own(path.display().to_string()))?;
    session.out.note("every key is commented out and shows its default; `rmm-analyst config set KEY VALUE` changes one");
    Ok(Exit::Ok)
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    edit::write(path, text).map_err(|e| {
        Error::config(format!("{} cannot be written", path.display()))
            .why(e.to_string())
            .hint("check the directory's permissions and room, or name another file with --config")
    })
}

fn set(key: &str, value: Option<&str>, session: &mut Session) -> Result<Exit, Error> {
    let path = file(session)?;
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        // What `config init` would write, so that the reader finds the other keys too.
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => example::text(),
        Err(e) => {
            return Err(Error::config(format!("{} cannot be read", path.display()))
                .why(e.to_string())
                .hint("check its permissions, or name another file with --config"));
        }
    };
    let changed = edit::change(&text, &path, key, value, &registry::known())
        .map_err(|p| Error::from_problems(&p))?;
    if value.is_none() && changed == text {
        let name = session.out.outside_line(path.display().to_string());
        let line = Text::from(Own(format!("{key} was not set in "))).then(name);
        session.out.note(line.then("; nothing changed"));
        return Ok(Exit::Ok);
    }
    write(&path, &changed)?;
    let name = session.out.outside_line(path.display().to_string());
    session.out.note(
        Text::from(if value.is_some() {
            "set in "
        } else {
            "unset in "
        })
        .then(name),
    );
    let variable = Key::variable(key);
    if std::env::var_os(&variable).is_some_and(|v| !v.is_empty()) {
        session.out.warn(Own(format!(
            "{variable} is set and is stronger than the file"
        )));
    }
    Ok(Exit::Ok)
}

fn path(all: bool, session: &mut Session) -> Result<Exit, Error> {
    if !all {
        let path = file(session)?;
        session.out.line(Own(path.display().to_string()))?;
        return Ok(Exit::Ok);
    }
    let paths = session.paths()?;
    let rows = [
        ("config", paths.config_file().map(Path::to_owned)),
        ("data", Some(paths.data_dir().to_owned())),
        ("database", Some(paths.db_file())),
        ("secrets", Some(paths.secrets_file())),
        ("data sets", Some(paths.data_sets_dir())),
        ("log", Some(paths.log_dir())),
    ];
    for (name, path) in rows {
        let path = path.map_or_else(|| "none".to_owned(), |p| p.display().to_string());
        session
            .out
            .line(Text::from(name).then("\t").then(Own(path)))?;
    }
    Ok(Exit::Ok)
}

fn check(json: bool, session: &mut Session) -> Result<Exit, Error> {
    let paths = session.paths()?;
    let result = config::load(&paths, std::env::vars_os(), &[], &registry::known());
    let (problems, mut warnings, loaded) = match result {
        Ok(loaded) => (Vec::new(), loaded.warnings.clone(), Some(loaded)),
        Err(problems) => (problems, Vec::new(), None),
    };
    if let Some(loaded) = &loaded {
        warnings.extend(unset_secrets(loaded, session)?);
        warnings.extend(missing_ca(loaded));
    }
    let exit = if problems.is_empty() {
        Exit::Ok
    } else {
        Exit::Config
    };
    let levels = problems
        .iter()
        .map(|p| (p, "error"))
        .chain(warnings.iter().map(|p| (p, "warning")));
    if json {
        let screen = |text: &str| session.out.outside_line(text).as_str().to_owned();
        let rows: Vec<Value> = levels
            .map(|(p, level)| {
                json!({ "level": level, "place": screen(&p.place.to_string()), "message": screen(&p.what),
                        "hint": p.hint.as_deref().map(screen) })
            })
            .collect();
        session.out.json(&rows)?;
        return Ok(exit);
    }
    for (problem, level) in levels {
        let style = if level == "error" {
            Style::Red
        } else {
            Style::Yellow
        };
        let text = session
            .out
            .outside_line(format!("{}: {}", problem.place, problem.what));
        session.out.line(
            Text::new()
                .styled(style, Own(level.to_owned()))
                .then(": ")
                .then(text),
        )?;
        if let Some(hint) = &problem.hint {
            let hint = session.out.outside_line(hint.as_str());
            session
                .out
                .line(Text::new().styled(Style::Bold, " hint: ").then(hint))?;
        }
    }
    if problems.is_empty() {
        let source = match loaded.and_then(|l| l.file) {
            Some(file) => format!("{} is right", file.display()),
            None => "there is no configuration file; the defaults are in use".to_owned(),
        };
        session.out.line(Own(source))?;
    }
    Ok(exit)
}

/// Keys that name a secret which is not set.
fn unset_secrets(loaded: &Loaded, session: &Session) -> Result<Vec<config::Problem>, Error> {
    let mut named: Vec<(String, String)> = Vec::new();
    named.extend(
        loaded
            .config
            .model
            .api_key
            .clone()
            .map(|name| ("model.api_key".to_owned(), name)),
    );
    for (module, config) in &loaded.config.modules {
        named.extend(
            config
                .key
                .clone()
                .map(|name| (format!("modules.{module}.key"), name)),
        );
    }
    let names: Vec<String> = named.iter().map(|(_, name)| name.clone()).collect();
    let statuses = session.statuses(&names)?;
    let unset = named
        .into_iter()
        .zip(statuses)
        .filter(|(_, status)| status.origin.is_none());
    Ok(unset
        .map(|((path, name), status)| {
            let why = status.error.map_or_else(
                || "is not set".to_owned(),
                |e| format!("cannot be read: {e}"),
            );
            config::Problem::new(
                place(loaded, &path),
                format!("the secret `{name}` of {path} {why}"),
            )
            .hint(format!("rmm-analyst secret set {name}"))
        })
        .collect())
}

/// What is wrong with `[network] ca_file`, where one is named.
pub(crate) fn missing_ca(loaded: &Loaded) -> Option<config::Problem> {
    let file = loaded.config.network.ca_file.as_deref()?;
    let why = match std::fs::read(file) {
        Ok(bytes)
            if bytes
                .windows(27)
                .any(|w| w == b"-----BEGIN CERTIFICATE-----") =>
        {
            return None;
        }
        Ok(_) => "holds no certificate in PEM form".to_owned(),
        Err(e) => format!("cannot be read: {e}"),
    };
    Some(config::Problem::new(
        place(loaded, "network.ca_file"),
        format!("{file} {why}"),
    ))
}

fn place(loaded: &Loaded, path: &str) -> config::Place {
    match loaded.origin(path) {
        Origin::File(file, line) => config::Place::File(file, line),
        Origin::Environment(name) => config::Place::Environment(name),
        Origin::Flag(name) => config::Place::Flag(name),
        Origin::Default => config::Place::Flag(path.to_owned()),
    }
}

/// One effective value.
struct Row {
    section: String,
    key: &'static Key,
    path: String,
    /// `None`: unset and without a default.
    value: Option<toml::Value>,
    origin: Origin,
}

/// Every effective value, in the order of the example file.
fn rows(loaded: &Loaded) -> Result<Vec<Row>, Error> {
    let values = toml::Value::try_from(&loaded.config)
        .map_err(|e| Error::internal("the configuration has no TOML form").why(e.to_string()))?;
    let mut rows = Vec::new();
    for (section, _) in SECTIONS {
        let names: Vec<Option<&str>> = match section {
            MODULES => loaded
                .config
                .modules
                .keys()
                .map(|n| Some(n.as_str()))
                .collect(),
            _ => vec![None],
        };
        for module in names {
            for key in of_section(section) {
                let path = key.path(module);
                let value = path
                    .split('.')
                    .try_fold(&values, |v, part| v.get(part))
                    .cloned();
                let section = path
                    .rsplit_once('.')
                    .map(|(s, _)| s.to_owned())
                    .unwrap_or_default();
                let value = value.map(|v| masked(key.kind, v));
                let origin = loaded.origin(&path);
                rows.push(Row {
                    section,
                    key,
                    path,
                    value,
                    origin,
                });
            }
        }
    }
    Ok(rows)
}

/// A proxy's password is not shown.
fn masked(kind: Kind, value: toml::Value) -> toml::Value {
    if let (Kind::Proxy, toml::Value::String(text)) = (kind, &value)
        && let Ok(mut url) = url::Url::parse(text)
        && url.password().is_some()
        && url.set_password(Some("***")).is_ok()
    {
        return toml::Value::String(url.to_string());
    }
    value
}

fn show(origin: bool, json: bool, session: &mut Session) -> Result<Exit, Error> {
    let loaded = session.config(&[])?;
    session.redactor(&loaded)?;
    let rows = rows(&loaded)?;
    let named = |r: &Row| match (r.key.kind, &r.value) {
        (Kind::SecretName, Some(toml::Value::String(name))) => Some(name.clone()),
        _ => None,
    };
    let names: Vec<String> = rows.iter().filter_map(named).collect();
    let mut statuses = session.statuses(&names)?.into_iter();
    if json {
        let mut object = Map::new();
        for row in &rows {
            let status = named(row).and_then(|_| statuses.next());
            insert(&mut object, row, origin, status, session)?;
        }
        session.out.json(&object)?;
        return Ok(Exit::Ok);
    }
    let mut section = "";
    for row in &rows {
        if row.section != section {
            if !section.is_empty() {
                session.out.line("")?;
            }
            section = &row.section;
            session
                .out
                .line(Text::new().styled(Style::Bold, Own(format!("[{section}]"))))?;
        }
        let shown = match &row.value {
            Some(value) => session
                .out
                .outside_line(format!("{} = {value}", row.key.name)),
            None => session
                .out
                .outside_line(format!("# {} is not set", row.key.name)),
        };
        let mut line = Text::from(shown);
        if let Some(status) = named(row).and_then(|_| statuses.next()) {
            line = line.styled(Style::Dim, "  # secret: ").then(state(&status));
        }
        if origin && (row.value.is_some() || row.origin != Origin::Default) {
            let from = session.out.outside_line(row.origin.to_string());
            line = line.styled(Style::Dim, "  # ").styled(Style::Dim, from);
        }
        session.out.line(line)?;
    }
    Ok(Exit::Ok)
}

fn insert(
    object: &mut Map<String, Value>,
    row: &Row,
    origin: bool,
    status: Option<SecretStatus>,
    session: &Session,
) -> Result<(), Error> {
    let value = match &row.value {
        Some(value) => serde_json::to_value(value)
            .map_err(|e| Error::internal("a value has no JSON form").why(e.to_string()))?,
        None => Value::Null,
    };
    let value = screened(value, session);
    let shown = match (origin, status) {
        (false, None) => value,
        (false, Some(status)) => json!({ "secret": value, "set": status.origin.is_some() }),
        (true, None) => {
            json!({ "value": value, "origin": screened(Value::String(row.origin.to_string()), session) })
        }
        (true, Some(status)) => {
            json!({ "value": { "secret": value, "set": status.origin.is_some() },
                                        "origin": screened(Value::String(row.origin.to_string()), session) })
        }
    };
    let mut table = object;
    for part in row.section.split('.') {
        let entry = table
            .entry(part.to_owned())
            .or_insert_with(|| Value::Object(Map::new()));
        let Value::Object(inner) = entry else {
            return Err(Error::internal(format!("{} is no section", row.path)));
        };
        table = inner;
    }
    table.insert(row.key.name.to_owned(), shown);
    Ok(())
}

/// Texts in a value, redacted and fit for the screen.
fn screened(value: Value, session: &Session) -> Value {
    match value {
        Value::String(s) => Value::String(session.out.outside(s).as_str().to_owned()),
        Value::Array(items) => {
            Value::Array(items.into_iter().map(|v| screened(v, session)).collect())
        }
        Value::Object(map) => Value::Object(
            map.into_iter()
                .map(|(k, v)| (k, screened(v, session)))
                .collect(),
        ),
        other => other,
    }
}

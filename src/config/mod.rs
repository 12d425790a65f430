//! Configuration: defaults < file < environment < flags; each value knows its origin.
//!
//! * [`settings`] – the settings and their defaults
//! * [`keys`] – every key, what it takes and means; [`check`] – whether a value is allowed
//! * [`mod@file`] – reading the file, [`edit`] – changing it, [`example`] – the file that `config init` writes
//! * [`paths`] – where the program keeps its files

pub mod check;
pub mod edit;
pub mod example;
pub mod file;
pub mod keys;
pub mod paths;
pub mod settings;

pub use paths::Paths;
pub use settings::Config;

use keys::{KEYS, Key, MODULES, did_you_mean};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// Values of one layer by dotted path, each with its origin.
pub type Layer = BTreeMap<String, (toml::Value, Origin)>;

/// What the configuration must know of a look-up module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownModule {
    /// Name.
    pub name: &'static str,
    /// Whether it is made for models.
    pub ai_tool: bool,
}

/// Where a value is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nobody set it.
    Default,
    /// The file, and the line in it.
    File(PathBuf, usize),
    /// An environment variable.
    Environment(String),
    /// A flag of the command.
    Flag(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path, line) => write!(f, "{}:{line}", path.display()),
            Self::Environment(name) | Self::Flag(name) => f.write_str(name),
        }
    }
}

/// Where a mistake is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file; line 0 means the file as a whole.
    File(PathBuf, usize),
    /// An environment variable.
    Environment(String),
    /// A flag of the command.
    Flag(String),
}

impl Place {
    /// A line of the file.
    #[must_use]
    pub fn file(path: &Path, line: usize) -> Self {
        Self::File(path.to_owned(), line)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, 0) => write!(f, "{}", path.display()),
            Self::File(path, line) => write!(f, "{}:{line}", path.display()),
            Self::Environment(name) | Self::Flag(name) => f.write_str(name),
        }
    }
}

/// Something that is wrong with the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What.
    pub what: String,
    /// What to do.
    pub hint: Option<String>,
}

impl Problem {
    /// Without a hint.
    #[must_use]
    pub fn new(place: Place, what: impl Into<String>) -> Self {
        Self {
            place,
            what: what.into(),
            hint: None,
        }
    }

    /// With one.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)?;
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

/// A setting that a command's flag overrides.
#[derive(Clone, Copy, Debug)]
pub struct Flag<'a> {
    /// Name as typed, `--base-url`.
    pub name: &'a str,
    /// Dotted path of the key, `model.base_url`.
    pub key: &'a str,
    /// Value as typed.
    pub value: &'a str,
}

/// The configuration in use.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The settings.
    pub config: Config,
    /// Origins of the values that are not defaults, by dotted path.
    pub origins: BTreeMap<String, Origin>,
    /// What is odd but no error.
    pub warnings: Vec<Problem>,
    /// The file that was read.
    pub file: Option<PathBuf>,
}

impl Loaded {
    /// Where a value is from.
    #[must_use]
    pub fn origin(&self, path: &str) -> Origin {
        self.origins.get(path).cloned().unwrap_or(Origin::Default)
    }
}

/// Reads all layers: the file of `paths`, the variables of `environment`, the `flags`.
///
/// # Errors
/// Everything that is wrong, with its place. A file that the person named must exist; the usual one need not.
pub fn load(
    paths: &Paths,
    environment: impl IntoIterator<Item = (OsString, OsString)>,
    flags: &[Flag<'_>],
    modules: &[KnownModule],
) -> Result<Loaded, Vec<Problem>> {
    let text = match paths.config_file() {
        Some(path) => read(path, paths.config_named())
            .map_err(|p| vec![p])?
            .map(|text| (path, text)),
        None => None,
    };
    layers(
        text.as_ref().map(|(p, t)| (*p, t.as_str())),
        environment,
        flags,
        modules,
    )
}

/// The text of the file; `None` when there is none and none was named.
fn read(path: &Path, named: bool) -> Result<Option<String>, Problem> {
    let problem = |what: String| Problem::new(Place::file(path, 0), what);
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_dir() => {
            return Err(
                problem("this is a directory, not a configuration file".into())
                    .hint("name the file in it"),
            );
        }
        Ok(meta) if meta.len() > file::MAX_BYTES => {
            return Err(problem("the file is too long to be a configuration".into())
                .hint("name another one with --config"));
        }
        _ => {}
    }
    match std::fs::read(path) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err(problem("the file is not text (UTF-8)".into()).hint("save it as UTF-8")),
        },
        Err(e) if e.kind() == std::io::ErrorKind::NotFound && !named => Ok(None),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            Err(problem("there is no such file".into())
                .hint("`rmm-analyst config init` writes one there"))
        }
        Err(e) => Err(problem(format!("the file cannot be read: {e}"))
            .hint("check its permissions, or name another one with --config")),
    }
}

/// The layers, once the file is read.
///
/// # Errors
/// As [`load`].
pub fn layers(
    text: Option<(&Path, &str)>,
    environment: impl IntoIterator<Item = (OsString, OsString)>,
    flags: &[Flag<'_>],
    modules: &[KnownModule],
) -> Result<Loaded, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut warnings = Vec::new();
    let mut merged = Layer::new();
    if let Some((path, text)) = text {
        match file::parse(text, path, modules) {
            Ok(layer) => merged = layer,
            Err(found) => problems.extend(found),
        }
    }
    merged.extend(environment_layer(
        environment,
        modules,
        &mut problems,
        &mut warnings,
    ));
    for flag in flags {
        let place = Place::Flag(flag.name.to_owned());
        match keys::find(flag.key) {
            Some((key, _)) => match typed(key, flag.value, modules) {
                Ok(value) => {
                    merged.insert(
                        flag.key.to_owned(),
                        (value, Origin::Flag(flag.name.to_owned())),
                    );
                }
                Err((what, hint)) => problems.push(Problem { place, what, hint }),
            },
            None => problems.push(Problem::new(
                place,
                format!("there is no setting `{}`", flag.key),
            )),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    warnings.extend(odd(&merged, modules));
    let file = text.map(|(path, _)| path.to_owned());
    assemble(merged, warnings, file).map_err(|p| vec![p])
}

/// A checked value from text.
fn typed(key: &Key, text: &str, modules: &[KnownModule]) -> Result<toml::Value, check::Complaint> {
    let value = check::from_text(key.kind, text)?;
    check::value(key.kind, &value, modules)?;
    Ok(value)
}

/// Variables of the program that are no settings.
fn no_setting(rest: &str) -> bool {
    matches!(rest, "CONFIG" | "DATA_DIR" | "DEEP" | "BLESS")
        || rest.starts_with("SECRET_")
        || rest.starts_with("TEST_")
}

fn environment_layer(
    environment: impl IntoIterator<Item = (OsString, OsString)>,
    modules: &[KnownModule],
    problems: &mut Vec<Problem>,
    warnings: &mut Vec<Problem>,
) -> Layer {
    let mut layer = Layer::new();
    let mut ours: Vec<(String, OsString)> = environment
        .into_iter()
        .filter_map(|(name, value)| name.into_string().ok().map(|n| (n, value)))
        .filter(|(name, _)| {
            name.strip_prefix("RMM_ANALYST_")
                .is_some_and(|rest| !no_setting(rest))
        })
        .collect();
    if ours.is_empty() {
        return layer;
    }
    ours.sort();
    let known = variables(modules);
    for (name, value) in ours {
        let place = Place::Environment(name.clone());
        let Some((path, key)) = known.get(&name) else {
            let problem = Problem::new(place, "this variable is no setting and is not used");
            warnings.push(
                match did_you_mean(&name, known.keys().map(String::as_str)) {
                    Some(meant) => problem.hint(format!("did you mean {meant}?")),
                    None => problem.hint("man rmm-analyst.5 lists the settings"),
                },
            );
            continue;
        };
        let Ok(text) = value.into_string() else {
            problems.push(Problem::new(place, "the value is not text (UTF-8)"));
            continue;
        };
        // An empty variable is an unset one, but for the proxy, where it means: none.
        if text.is_empty() && key.kind != keys::Kind::Proxy {
            continue;
        }
        match typed(key, &text, modules) {
            Ok(value) => {
                layer.insert(path.clone(), (value, Origin::Environment(name)));
            }
            Err((what, hint)) => problems.push(Problem { place, what, hint }),
        }
    }
    layer
}

/// Every variable that is a setting, with its path.
#[must_use]
pub fn variables(modules: &[KnownModule]) -> BTreeMap<String, (String, &'static Key)> {
    let mut known = BTreeMap::new();
    for key in KEYS {
        if key.section == MODULES {
            for module in modules {
                let path = key.path(Some(module.name));
                known.insert(Key::variable(&path), (path, key));
            }
        } else {
            let path = key.path(None);
            known.insert(Key::variable(&path), (path, key));
        }
    }
    known
}

/// What is allowed but has no effect, or one that is easily not meant.
fn odd(layer: &Layer, modules: &[KnownModule]) -> Vec<Problem> {
    let mut found = Vec::new();
    if let Some((toml::Value::Array(names), origin)) = layer.get("ai.modules")
        && let Some(place) = place_of(origin)
    {
        for name in names.iter().filter_map(toml::Value::as_str) {
            if modules.iter().any(|m| m.name == name && !m.ai_tool) {
                found.push(
                    Problem::new(place.clone(), format!("`{name}` is for people only; naming it in ai.modules does not give it to a model"))
                        .hint("people run it with `rmm-analyst lookup`"),
                );
            }
        }
    }
    for (path, (value, origin)) in layer {
        let of_module = path.starts_with("modules.") && path.ends_with(".base_url");
        if of_module
            && value.as_str().is_some_and(check::in_the_clear)
            && let Some(place) = place_of(origin)
        {
            found.push(
                Problem::new(
                    place,
                    format!("{path} is http to another machine: what is asked and the key go there in the clear"),
                )
                .hint("write https://, or put a proxy with TLS on this machine"),
            );
        }
    }
    found
}

fn place_of(origin: &Origin) -> Option<Place> {
    match origin {
        Origin::File(path, line) => Some(Place::File(path.clone(), *line)),
        Origin::Environment(name) => Some(Place::Environment(name.clone())),
        Origin::Flag(name) => Some(Place::Flag(name.clone())),
        Origin::Default => None,
    }
}

fn assemble(
    layer: Layer,
    warnings: Vec<Problem>,
    file: Option<PathBuf>,
) -> Result<Loaded, Problem> {
    let mut root = toml::Table::new();
    let mut origins = BTreeMap::new();
    for (path, (value, origin)) in layer {
        let mut table = &mut root;
        let mut parts: Vec<&str> = path.split('.').collect();
        let Some(name) = parts.pop() else { continue };
        for part in parts {
            let entry = table
                .entry(part)
                .or_insert_with(|| toml::Value::Table(toml::Table::new()));
            match entry {
                toml::Value::Table(inner) => table = inner,
                _ => {
                    return Err(Problem::new(
                        Place::Environment(path),
                        "two settings contradict each other",
                    ));
                }
            }
        }
        table.insert(name.to_owned(), value);
        origins.insert(path, origin);
    }
    let config = Config::deserialize(toml::Value::Table(root)).map_err(|e| {
        let place = file.as_deref().map_or_else(
            || Place::Environment("configuration".into()),
            |f| Place::file(f, 0),
        );
        Problem::new(place, e.message().to_owned())
    })?;
    Ok(Loaded {
        config,
        origins,
        warnings,
        file,
    })
}

#[cfg(test)]
mod tests;

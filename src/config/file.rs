//! The configuration file: every value with the line it stands in, every mistake with its line.

use crate::config::KnownModule;
use crate::config::keys::{self, Kind, MODULES, SECTIONS, did_you_mean};
use crate::config::{Layer, Origin, Place, Problem, check};
use std::path::Path;
use toml_edit::{Item, TableLike};

/// The longest file that is read.
pub const MAX_BYTES: u64 = 1 << 20;

/// Reads the text of a configuration file into a layer.
///
/// # Errors
/// Everything that is wrong with it.
pub fn parse(text: &str, path: &Path, modules: &[KnownModule]) -> Result<Layer, Vec<Problem>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let document = text.parse::<toml_edit::Document<String>>().map_err(|e| {
        let line = e.span().map_or(1, |s| line_of(text, s.start));
        let what = e
            .message()
            .lines()
            .next()
            .unwrap_or("this is not TOML")
            .to_owned();
        vec![
            Problem::new(Place::file(path, line), what)
                .hint("the file is TOML: [section], then key = value, texts in quotes"),
        ]
    })?;
    let mut reader = Reader {
        text,
        path,
        modules,
        layer: Layer::new(),
        problems: Vec::new(),
    };
    reader.root(document.as_table());
    if reader.problems.is_empty() {
        Ok(reader.layer)
    } else {
        Err(reader.problems)
    }
}

struct Reader<'a> {
    text: &'a str,
    path: &'a Path,
    modules: &'a [KnownModule],
    layer: Layer,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn root(&mut self, root: &dyn TableLike) {
        for (name, item) in root.iter() {
            let line = self.line(root, name);
            let tops = || {
                SECTIONS
                    .iter()
                    .map(|(s, _)| *s)
                    .filter(|s| !s.contains('.'))
                    .chain(["modules"])
            };
            if name == "modules" {
                self.sections_of_modules(item, line);
            } else if tops().any(|s| s == name) {
                self.section(name, item, line);
            } else if let Some(key) = keys::KEYS
                .iter()
                .find(|k| k.name == name && item.as_table_like().is_none())
            {
                self.complain(
                    line,
                    format!("`{name}` stands outside a section"),
                    Some(format!("it belongs below [{}]", key.section)),
                );
            } else {
                let hint = match did_you_mean(name, tops()) {
                    Some(meant) => format!("did you mean [{meant}]?"),
                    None => format!("sections: {}", tops().collect::<Vec<_>>().join(", ")),
                };
                self.complain(line, format!("unknown section [{name}]"), Some(hint));
            }
        }
    }

    fn sections_of_modules(&mut self, item: &Item, line: usize) {
        let Some(table) = item.as_table_like() else {
            return self.not_a_section("modules", line);
        };
        for (name, item) in table.iter() {
            let line = self.line(table, name);
            if let Err((what, hint)) = check::module_name(name, self.modules) {
                self.complain(line, what, hint);
                continue;
            }
            self.section(&format!("modules.{name}"), item, line);
        }
    }

    fn section(&mut self, section: &str, item: &Item, line: usize) {
        let Some(table) = item.as_table_like() else {
            return self.not_a_section(section, line);
        };
        for (name, item) in table.iter() {
            let line = self.line(table, name);
            let path = format!("{section}.{name}");
            if SECTIONS.iter().any(|(s, _)| *s == path) {
                self.section(&path, item, line);
                continue;
            }
            let Some((key, _)) = keys::find(&path) else {
                let hint = match did_you_mean(name, keys::of_section(section).map(|k| k.name)) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => elsewhere(section, name),
                };
                self.complain(
                    line,
                    format!("unknown key `{name}` in [{section}]"),
                    Some(hint),
                );
                continue;
            };
            let Some(value) = value_of(item) else {
                self.complain(
                    line,
                    format!("`{path}` has no value"),
                    Some(format!("allowed: {}", key.kind.allowed())),
                );
                continue;
            };
            match check::value(key.kind, &value, self.modules) {
                Ok(()) => {
                    let origin = Origin::File(self.path.to_owned(), line);
                    self.layer.insert(path, (value, origin));
                }
                Err((what, hint)) => self.complain(line, format!("{path}: {what}"), hint),
            }
        }
    }

    fn not_a_section(&mut self, section: &str, line: usize) {
        self.complain(
            line,
            format!("`{section}` is a section, not a key"),
            Some(format!("write [{section}] and its keys below")),
        );
    }

    fn complain(&mut self, line: usize, what: String, hint: Option<String>) {
        self.problems.push(Problem {
            place: Place::file(self.path, line),
            what,
            hint,
        });
    }

    fn line(&self, table: &dyn TableLike, name: &str) -> usize {
        let span = table
            .key(name)
            .and_then(toml_edit::Key::span)
            .or_else(|| table.get(name).and_then(Item::span));
        span.map_or(1, |s| line_of(self.text, s.start))
    }
}

/// A key that exists in another section, or what the section has.
fn elsewhere(section: &str, name: &str) -> String {
    let others: Vec<String> = keys::KEYS
        .iter()
        .filter(|k| k.name == name && k.section != section)
        .map(|k| {
            format!(
                "[{}]",
                if k.section == MODULES {
                    "modules.NAME"
                } else {
                    k.section
                }
            )
        })
        .collect();
    if others.is_empty() {
        let known: Vec<&str> = keys::of_section(section).map(|k| k.name).collect();
        format!("keys of [{section}]: {}", known.join(", "))
    } else {
        format!("`{name}` is a key of {}", others.join(" and "))
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text
        .as_bytes()
        .iter()
        .take(offset)
        .filter(|b| **b == b'\n')
        .count()
}

/// The plain value of an item.
fn value_of(item: &Item) -> Option<toml::Value> {
    match item {
        Item::None => None,
        Item::Value(value) => Some(plain(value)),
        Item::Table(table) => Some(toml::Value::Table(
            table
                .iter()
                .filter_map(|(k, v)| value_of(v).map(|v| (k.to_owned(), v)))
                .collect(),
        )),
        Item::ArrayOfTables(tables) => Some(toml::Value::Array(
            tables
                .iter()
                .filter_map(|t| value_of(&Item::Table(t.clone())))
                .collect(),
        )),
    }
}

fn plain(value: &toml_edit::Value) -> toml::Value {
    use toml_edit::Value as V;
    match value {
        V::String(s) => toml::Value::String(s.value().clone()),
        V::Integer(n) => toml::Value::Integer(*n.value()),
        V::Float(n) => toml::Value::Float(*n.value()),
        V::Boolean(b) => toml::Value::Boolean(*b.value()),
        V::Datetime(d) => toml::Value::Datetime(*d.value()),
        V::Array(items) => toml::Value::Array(items.iter().map(plain).collect()),
        V::InlineTable(table) => toml::Value::Table(
            table
                .iter()
                .map(|(k, v)| (k.to_owned(), plain(v)))
                .collect(),
        ),
    }
}

/// A value in the form of the file.
///
/// # Errors
/// The value has no TOML form.
pub fn to_edit(value: &toml::Value, kind: Kind) -> Option<toml_edit::Value> {
    Some(match value {
        toml::Value::String(s) => s.as_str().into(),
        toml::Value::Integer(n) if matches!(kind, Kind::Float(..)) => {
            f64::from(i32::try_from(*n).ok()?).into()
        }
        toml::Value::Integer(n) => (*n).into(),
        toml::Value::Float(n) => (*n).into(),
        toml::Value::Boolean(b) => (*b).into(),
        toml::Value::Datetime(d) => (*d).into(),
        toml::Value::Array(items) => toml_edit::Value::Array(
            items
                .iter()
                .map(|i| to_edit(i, kind))
                .collect::<Option<toml_edit::Array>>()?,
        ),
        toml::Value::Table(table) => {
            let mut inline = toml_edit::InlineTable::new();
            for (k, v) in table {
                inline.insert(k, to_edit(v, Kind::Text)?);
            }
            toml_edit::Value::InlineTable(inline)
        }
    })
}

//! Changing the configuration file: comments and order stay, the result is checked before it is written,
//! and it is written whole or not at all.

use crate::config::KnownModule;
use crate::config::keys::{self, Key, did_you_mean};
use crate::config::{Place, Problem, check, file};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, Item, Table};

/// The text of the file with one value set, or removed where `value` is `None`.
///
/// # Errors
/// There is no such key, the value is not allowed, or the file is wrong elsewhere.
pub fn change(
    text: &str,
    path: &Path,
    name: &str,
    value: Option<&str>,
    modules: &[KnownModule],
) -> Result<String, Vec<Problem>> {
    let place = || Place::Flag(name.to_owned());
    let one = |what: String, hint: Option<String>| {
        vec![Problem {
            place: place(),
            what,
            hint,
        }]
    };
    let (key, module) = keys::find(name).ok_or_else(|| {
        one(
            "there is no such key".into(),
            Some(suggestion(name, modules)),
        )
    })?;
    if let Some(module) = module {
        check::module_name(module, modules).map_err(|(what, hint)| one(what, hint))?;
    }
    let mut document: DocumentMut =
        text.parse().map_err(
            |e: toml_edit::TomlError| match file::parse(text, path, modules) {
                Err(problems) => problems,
                Ok(_) => one(e.message().to_owned(), None),
            },
        )?;
    match value {
        Some(value) => {
            let value =
                super::typed(key, value, modules).map_err(|(what, hint)| one(what, hint))?;
            let value = file::to_edit(&value, key.kind)
                .ok_or_else(|| one("the value has no TOML form".into(), None))?;
            set(&mut document, key, module, value).ok_or_else(|| {
                one(
                    "a part of this path is a key in the file, not a section".into(),
                    None,
                )
            })?;
        }
        None => remove(&mut document, key, module),
    }
    let changed = document.to_string();
    file::parse(&changed, path, modules)?;
    Ok(changed)
}

fn sections<'a>(key: &Key, module: Option<&'a str>) -> Vec<&'a str> {
    match module {
        Some(name) => vec!["modules", name],
        None => key.section.split('.').collect(),
    }
}

fn set(
    document: &mut DocumentMut,
    key: &Key,
    module: Option<&str>,
    value: toml_edit::Value,
) -> Option<()> {
    let parts = sections(key, module);
    let last = parts.len();
    let mut item = document.as_item_mut();
    for (i, part) in parts.into_iter().enumerate() {
        let table = item.as_table_like_mut()?;
        if table.get(part).is_none_or(Item::is_none) {
            let mut section = Table::new();
            // A section that only holds sections gets no head of its own.
            section.set_implicit(i + 1 < last);
            table.insert(part, Item::Table(section));
        }
        item = table.get_mut(part)?;
    }
    let table = item.as_table_like_mut()?;
    let mut value = value;
    if let Some(old) = table.get(key.name).and_then(Item::as_value) {
        *value.decor_mut() = old.decor().clone();
    }
    match table.get_mut(key.name) {
        Some(slot) => *slot = Item::Value(value),
        None => {
            table.insert(key.name, Item::Value(value));
        }
    }
    Some(())
}

fn remove(document: &mut DocumentMut, key: &Key, module: Option<&str>) {
    let mut item = document.as_item_mut();
    for part in sections(key, module) {
        match item.as_table_like_mut().and_then(|t| t.get_mut(part)) {
            Some(next) => item = next,
            None => return,
        }
    }
    if let Some(table) = item.as_table_like_mut() {
        table.remove(key.name);
    }
}

/// What was probably meant by a path that is no key.
fn suggestion(name: &str, modules: &[KnownModule]) -> String {
    let mut known: Vec<String> = keys::KEYS
        .iter()
        .filter(|k| k.section != keys::MODULES)
        .map(|k| k.path(None))
        .collect();
    for module in modules {
        known.extend(keys::of_section(keys::MODULES).map(|k| k.path(Some(module.name))));
    }
    if let Some(meant) = known.iter().find(|k| k.rsplit('.').next() == Some(name)) {
        return format!("did you mean `{meant}`?");
    }
    match did_you_mean(name, known.iter().map(String::as_str)) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "a key is SECTION.KEY; `rmm-analyst config show` lists them".into(),
    }
}

/// Writes the file whole or not at all: a new file beside it, readable by its owner only, that takes its
/// place. A symbolic link stays one, and an existing file keeps its mode.
///
/// # Errors
/// What the system says.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    let target: PathBuf = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let dir = target
        .parent()
        .filter(|d| !d.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    create_private_dir(dir)?;
    let name = target
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    let temporary = dir.join(format!(".{name}.{}.new", std::process::id()));
    let result = write_new(&temporary, text)
        .and_then(|()| match std::fs::metadata(&target) {
            Ok(meta) => std::fs::set_permissions(&temporary, meta.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| std::fs::rename(&temporary, &target));
    if result.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    result
}

/// Makes a directory and what is missing above it, for its owner only.
///
/// # Errors
/// What the system says.
pub fn create_private_dir(dir: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

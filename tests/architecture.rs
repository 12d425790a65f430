//! Who may import whom (docs/architecture.md): a forbidden import, impure code in a pure part, a file that
//! is too long or a second redactor fails here.
//!
//! The check reads the source as text: comments, string literals and test code are taken out first, then
//! paths are resolved (`crate::x`, `rmm_analyst::x`, `super::super::x`, groups in braces).

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

/// What each part under `src/` may import besides `config` and the kit, which all may.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("main", &["cli"]),
    (
        "cli",
        &[
            "tui",
            "plain",
            "surface",
            "mattermost",
            "mcp",
            "engine",
            "redact",
            "secrets",
            // Read-only commands over stored cases need no engine, and errors of both are printed here.
            "store",
            "case",
            "model",
        ],
    ),
    ("tui", &["engine", "surface"]),
    ("plain", &["engine", "surface"]),
    // What the two screens share.
    ("surface", &["engine"]),
    ("mattermost", &["engine"]),
    ("mcp", &["engine"]),
    (
        "engine",
        &[
            "agent", "case", "gate", "model", "runner", "store", "secrets", "redact",
        ],
    ),
    ("agent", &["case", "gate"]),
    ("gate", &["case"]),
    ("case", &[]),
    ("model", &["redact"]),
    ("runner", &["case", "gate", "redact", "secrets", "store"]),
    ("store", &["case"]),
    ("redact", &[]),
    ("secrets", &[]),
    ("config", &[]),
];

/// Which crates of `modules/` a part may import besides the kit.
const MAY_USE_MODULES: &[(&str, &[&str])] =
    &[("runner", &["intel", "fleet"]), ("store", &["fleet"])];

/// Parts without I/O, clock, randomness and environment.
const PURE: &[&str] = &[
    "src/case",
    "src/gate",
    "src/agent",
    "src/redact",
    "modules/kit/src",
    "modules/intel/src",
];

/// What a pure part must not name. A path matches from its beginning.
const IMPURE: &[&str] = &[
    "tokio",
    "reqwest",
    "rusqlite",
    "ratatui",
    "crossterm",
    "rand",
    "getrandom",
    "keyring",
    "rustix",
    "hyper",
    "std::fs",
    "std::env",
    "std::net::TcpStream",
    "std::net::TcpListener",
    "std::net::UdpSocket",
    "std::net::ToSocketAddrs",
    "std::process",
    "std::thread",
    "std::io::stdin",
    "std::io::stdout",
    "std::io::stderr",
    "std::time::SystemTime",
    "std::time::Instant",
    "SystemTime::now",
    "Instant::now",
    "Timestamp::now",
    "jiff::Timestamp::now",
    "Zoned::now",
    "jiff::Zoned::now",
    "uuid::Uuid::now_v7",
    "uuid::Uuid::new_v4",
    "Uuid::now_v7",
    "Uuid::new_v4",
];

/// Crates that a part's manifest under `modules/` must not name.
const IMPURE_CRATES: &[&str] = &[
    "tokio",
    "reqwest",
    "rusqlite",
    "ratatui",
    "crossterm",
    "rand",
    "getrandom",
    "keyring",
    "rustix",
    "hyper",
    "rmm-analyst",
];

const LINES_MAX: usize = 900;

fn root() -> PathBuf {
    // At run time where cargo sets it, so that the built test can look at another tree.
    std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from)
}

/// Every Rust file below a directory, with its path relative to the root.
fn rust_files(dir: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![root().join(dir)];
    while let Some(dir) = open.pop() {
        let Ok(entries) = fs::read_dir(&dir) else {
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let name = path
                    .strip_prefix(root())
                    .unwrap()
                    .to_string_lossy()
                    .replace('\\', "/");
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// Source without comments, string and character literals. Line ends stay.
fn bare(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let mut out = String::with_capacity(source.len());
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i];
        let word_before = i > 0 && (at(i - 1).is_alphanumeric() || at(i - 1) == '_');
        if c == '/' && at(i + 1) == '/' {
            while i < chars.len() && chars[i] != '\n' {
                i += 1;
            }
        } else if c == '/' && at(i + 1) == '*' {
            let mut depth = 0;
            loop {
                if at(i) == '/' && at(i + 1) == '*' {
                    depth += 1;
                    i += 2;
                } else if at(i) == '*' && at(i + 1) == '/' {
                    depth -= 1;
                    i += 2;
                } else {
                    if at(i) == '\n' {
                        out.push('\n');
                    }
                    i += 1;
                }
                if depth == 0 || i >= chars.len() {
                    break;
                }
            }
        } else if !word_before && matches!(c, 'r' | 'b' | 'c') && raw_hashes(&chars, i).is_some() {
            let (start, hashes) = raw_hashes(&chars, i).unwrap();
            i = start;
            while i < chars.len() && !(chars[i] == '"' && (1..=hashes).all(|h| at(i + h) == '#')) {
                if chars[i] == '\n' {
                    out.push('\n');
                }
                i += 1;
            }
            i += 1 + hashes;
            out.push(' ');
        } else if c == '"' {
            i += 1;
            while i < chars.len() && chars[i] != '"' {
                if chars[i] == '\n' {
                    out.push('\n');
                }
                i += if chars[i] == '\\' { 2 } else { 1 };
            }
            i += 1;
            out.push(' ');
        } else if c == '\'' && (at(i + 1) == '\\' || at(i + 2) == '\'') {
            i += if at(i + 1) == '\\' { 3 } else { 2 };
            while i < chars.len() && chars[i] != '\'' {
                i += 1;
            }
            i += 1;
            out.push(' ');
        } else {
            out.push(c);
            i += 1;
        }
    }
    out
}

/// Where the text of a raw string begins and how many `#` it has: `r"`, `br#"`, `cr##"`.
fn raw_hashes(chars: &[char], mut i: usize) -> Option<(usize, usize)> {
    if matches!(chars.get(i), Some('b' | 'c')) {
        i += 1;
    }
    if chars.get(i) != Some(&'r') {
        return None;
    }
    let hashes = chars
        .get(i + 1..)?
        .iter()
        .take_while(|c| **c == '#')
        .count();
    (chars.get(i + 1 + hashes) == Some(&'"')).then_some((i + 2 + hashes, hashes))
}

/// Source without items that are compiled for tests only.
fn without_tests(bare: &str) -> String {
    let mut out = String::new();
    let mut rest = bare;
    while let Some(at) = rest.find("#[cfg(test)]") {
        out.push_str(&rest[..at]);
        rest = &rest[at + "#[cfg(test)]".len()..];
        // The item ends at its closing brace, or at a semicolon before any brace.
        let mut depth = 0;
        let mut end = rest.len();
        for (i, c) in rest.char_indices() {
            match c {
                ';' if depth == 0 => end = i + 1,
                '{' => depth += 1,
                '}' => {
                    depth -= 1;
                    if depth == 0 {
                        end = i + 1;
                    }
                }
                _ => continue,
            }
            if end != rest.len() {
                break;
            }
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

fn is_test_file(name: &str) -> bool {
    // Benches build like tests and are not shipped either.
    name.ends_with("/tests.rs")
        || name.contains("/tests/")
        || name.contains("/benches/")
        || name.ends_with("_tests.rs")
}

/// Every path that the source names, groups opened: `use a::{b, c::d}` is `a::b` and `a::c::d`.
fn paths(source: &str) -> BTreeSet<String> {
    let tokens = tokens(source);
    let mut found = BTreeSet::new();
    let mut i = 0;
    while i < tokens.len() {
        let start = is_word(&tokens[i]) && (i == 0 || tokens[i - 1] != "::");
        i = if start {
            path_at(&tokens, i, "", &mut found)
        } else {
            i + 1
        };
    }
    found
}

/// Reads one path from `i` on and gives the place behind it.
fn path_at(tokens: &[String], mut i: usize, prefix: &str, found: &mut BTreeSet<String>) -> usize {
    let mut path = prefix.to_owned();
    while let Some(token) = tokens.get(i) {
        if token == "{" {
            i += 1;
            while i < tokens.len() && tokens[i] != "}" {
                i = if is_word(&tokens[i]) || tokens[i] == "*" || tokens[i] == "{" {
                    path_at(tokens, i, &path, found)
                } else {
                    i + 1
                };
            }
            return i + 1;
        }
        if !path.is_empty() {
            path.push_str("::");
        }
        path.push_str(token);
        i += 1;
        let more = tokens.get(i).is_some_and(|t| t == "::")
            && tokens
                .get(i + 1)
                .is_some_and(|t| is_word(t) || t == "{" || t == "*");
        if !more {
            break;
        }
        i += 1;
    }
    found.insert(path);
    i
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn tokens(source: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_alphanumeric() || c == '_' {
            let mut word = String::from(c);
            while let Some(next) = chars.next_if(|n| n.is_alphanumeric() || *n == '_') {
                word.push(next);
            }
            tokens.push(word);
        } else if c == ':' && chars.peek() == Some(&':') {
            chars.next();
            tokens.push("::".into());
        } else if !c.is_whitespace() {
            tokens.push(c.into());
        }
    }
    tokens
}

/// The part of `src/` that a file belongs to, and how many modules deep it is below the crate's root.
fn part_of(name: &str) -> Option<(&str, usize)> {
    let inside = name.strip_prefix("src/")?;
    let stem = inside.strip_suffix(".rs")?;
    let stem = stem.strip_suffix("/mod").unwrap_or(stem);
    let part = stem.split('/').next()?;
    Some((part, stem.split('/').count()))
}

/// The part that a path of this file names, where it names one of the program's.
fn target(path: &str, depth: usize) -> Option<String> {
    let parts: Vec<&str> = path.split("::").collect();
    if parts.len() == 1 {
        // `pub(crate)`, `self.x`: no path to a part.
        return None;
    }
    match parts.first().copied() {
        Some("crate" | "rmm_analyst") => Some(parts.get(1).copied().unwrap_or("*").to_owned()),
        Some("super" | "self") => {
            let supers = parts.iter().filter(|p| **p == "super").count();
            let at = parts.iter().position(|p| *p != "super" && *p != "self");
            (supers >= depth).then(|| {
                at.and_then(|i| parts.get(i))
                    .copied()
                    .unwrap_or("*")
                    .to_owned()
            })
        }
        _ => None,
    }
}

/// What is wrong with the imports of one file.
fn forbidden_imports(name: &str, source: &str) -> Vec<String> {
    let Some((part, depth)) = part_of(name) else {
        return Vec::new();
    };
    if part == "lib" || is_test_file(name) {
        return Vec::new();
    }
    let Some((_, may)) = MAY_IMPORT.iter().find(|(p, _)| *p == part) else {
        return vec![format!("{name}: `{part}` is no part of the architecture")];
    };
    let modules = MAY_USE_MODULES
        .iter()
        .find(|(p, _)| *p == part)
        .map_or(&[][..], |(_, m)| *m);
    let mut wrong = Vec::new();
    for path in paths(&without_tests(&bare(source))) {
        if let Some(target) = target(&path, depth) {
            let allowed = target == part || target == "config" || may.contains(&target.as_str());
            if !allowed {
                wrong.push(format!(
                    "{name}: `{part}` may not import `{target}` ({path})"
                ));
            }
        }
        let first = path.split("::").next().unwrap_or_default();
        if path.contains("::") && matches!(first, "intel" | "fleet") && !modules.contains(&first) {
            wrong.push(format!(
                "{name}: `{part}` may not import `{first}` ({path})"
            ));
        }
    }
    wrong
}

/// Parts that hold SQL, and nothing else of what a pure part must not have.
const PURE_BUT_SQL: &[&str] = &["modules/fleet/src"];

/// What a pure file names although it must not.
fn impurities(name: &str, source: &str) -> Vec<String> {
    if is_test_file(name) {
        return Vec::new();
    }
    let matches = |path: &str, impure: &str| {
        path == impure && impure.contains("::")
            || path
                .strip_prefix(impure)
                .is_some_and(|rest| rest.starts_with("::"))
    };
    paths(&without_tests(&bare(source)))
        .iter()
        .filter(|path| {
            let path = path
                .strip_prefix("std::")
                .map_or((*path).clone(), |rest| format!("std::{rest}"));
            let sql = PURE_BUT_SQL.iter().any(|part| name.starts_with(part));
            IMPURE
                .iter()
                .filter(|impure| !(sql && **impure == "rusqlite"))
                .any(|impure| matches(&path, impure))
        })
        .map(|path| format!("{name}: a pure part may not name `{path}`"))
        .collect()
}

#[test]
fn every_part_imports_only_what_it_may() {
    let files = rust_files("src");
    assert!(files.len() > 20, "only {} files were found", files.len());
    let wrong: Vec<String> = files
        .iter()
        .flat_map(|(name, source)| forbidden_imports(name, source))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn pure_parts_are_pure() {
    let mut seen = 0;
    let mut wrong = Vec::new();
    for part in PURE.iter().chain(PURE_BUT_SQL) {
        let mut files = rust_files(part);
        let alone = root().join(format!("{part}.rs"));
        if alone.exists() {
            files.push((format!("{part}.rs"), fs::read_to_string(alone).unwrap()));
        }
        assert!(!files.is_empty(), "{part} has no files");
        seen += files.len();
        wrong.extend(
            files
                .iter()
                .flat_map(|(name, source)| impurities(name, source)),
        );
    }
    assert!(seen > 10);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Crates under `modules/` depend on the kit only; the kit on none of ours.
#[test]
fn the_modules_depend_on_the_kit_only() {
    let workspace: toml::Table =
        toml::from_str(&fs::read_to_string(root().join("Cargo.toml")).unwrap()).unwrap();
    let members = workspace["workspace"]["members"].as_array().unwrap();
    let mut checked = 0;
    for member in members.iter().filter_map(toml::Value::as_str) {
        assert!(
            member.starts_with("modules/"),
            "the workspace has a member outside modules/: {member}"
        );
        let text = fs::read_to_string(root().join(member).join("Cargo.toml")).unwrap();
        let wrong = wrong_dependencies(member, &toml::from_str(&text).unwrap());
        assert!(wrong.is_empty(), "{wrong:?}");
        checked += 1;
    }
    assert!(checked >= 2);
}

fn wrong_dependencies(member: &str, manifest: &toml::Table) -> Vec<String> {
    let mut wrong = Vec::new();
    let name = member.rsplit('/').next().unwrap_or(member);
    let mut tables: Vec<&toml::Value> = ["dependencies", "build-dependencies"]
        .iter()
        .filter_map(|k| manifest.get(*k))
        .collect();
    if let Some(targets) = manifest.get("target").and_then(toml::Value::as_table) {
        tables.extend(targets.values().filter_map(|t| t.get("dependencies")));
    }
    for (dependency, value) in tables
        .into_iter()
        .filter_map(toml::Value::as_table)
        .flatten()
    {
        let ours = value.get("path").is_some();
        if ours && !(dependency == "kit" && name != "kit") {
            wrong.push(format!("{name} may not depend on {dependency}"));
        }
        let allowed = name == "fleet" && dependency == "rusqlite";
        if IMPURE_CRATES.contains(&dependency.as_str()) && !allowed {
            wrong.push(format!("{name} may not depend on {dependency}"));
        }
    }
    wrong
}

#[test]
fn no_file_is_longer_than_the_limit() {
    let mut longest = BTreeMap::new();
    for dir in ["src", "modules", "tests", "benches"] {
        for (name, source) in rust_files(dir) {
            longest.insert(name, source.lines().count());
        }
    }
    let over: Vec<_> = longest.iter().filter(|(_, n)| **n > LINES_MAX).collect();
    assert!(over.is_empty(), "longer than {LINES_MAX} lines: {over:?}");
}

#[test]
fn there_is_one_redactor() {
    let mut outside = Vec::new();
    let mut inside = 0;
    for (name, source) in rust_files("src").into_iter().chain(rust_files("modules")) {
        if is_test_file(&name) {
            continue;
        }
        let implements = implements_redactor(&source);
        if name.starts_with("src/redact") {
            inside += usize::from(implements);
        } else if implements {
            outside.push(name);
        }
    }
    assert!(
        outside.is_empty(),
        "a Redactor outside src/redact: {outside:?}"
    );
    assert_eq!(
        inside, 1,
        "src/redact has {inside} files that implement Redactor"
    );
}

fn implements_redactor(source: &str) -> bool {
    let tokens = tokens(&without_tests(&bare(source)));
    tokens.windows(2).enumerate().any(|(i, pair)| {
        let [name, next] = pair else { return false };
        name == "Redactor"
            && next == "for"
            && tokens[..i].iter().rev().take(24).any(|t| t == "impl")
    })
}

/// The checks see what they are for.
#[test]
fn the_checks_find_what_is_forbidden() {
    let imports = |name: &str, source: &str| forbidden_imports(name, source).len();
    assert_eq!(
        imports(
            "src/gate/mod.rs",
            "use crate::case::Case; use crate::config::Config;"
        ),
        0
    );
    assert_eq!(imports("src/gate/mod.rs", "use crate::store::Store;"), 1);
    assert_eq!(
        imports("src/gate/order.rs", "fn f() { crate::model::ask() }"),
        1
    );
    assert_eq!(
        imports(
            "src/case/mod.rs",
            "use crate::{config::Config, gate::{self, Permit}};"
        ),
        2
    );
    assert_eq!(
        imports("src/case/fold.rs", "use super::super::gate::Permit;"),
        1
    );
    assert_eq!(imports("src/case/fold.rs", "use super::Event;"), 0);
    assert_eq!(imports("src/case/mod.rs", "use crate::*;"), 1);
    assert_eq!(
        imports("src/case/mod.rs", "pub(crate) fn f(&self) { self.x() }"),
        0
    );
    assert_eq!(imports("src/cli/ask.rs", "use intel::registry;"), 1);
    assert_eq!(imports("src/runner/mod.rs", "use intel::registry;"), 0);
    assert_eq!(
        imports("src/main.rs", "fn main() { rmm_analyst::engine::go() }"),
        1
    );
    assert_eq!(imports("src/odd/mod.rs", ""), 1);
    assert_eq!(
        imports(
            "src/gate/mod.rs",
            "// use crate::store;\nconst A: &str = \"crate::store\";\n/* crate::model */"
        ),
        0
    );
    assert_eq!(
        imports(
            "src/gate/mod.rs",
            "#[cfg(test)]\nmod tests { use crate::store::X; }\n"
        ),
        0
    );
    assert_eq!(
        imports(
            "src/gate/mod.rs",
            "#[cfg(test)]\nmod tests { fn f() {} }\nuse crate::store::X;"
        ),
        1
    );
    assert_eq!(
        imports(
            "src/gate/mod.rs",
            "#[cfg(test)]\nmod tests;\nuse crate::store::X;"
        ),
        1
    );
    assert_eq!(
        imports(
            "src/gate/mod.rs",
            "const C: char = '\"'; use crate::store::X; const D: &str = \"\";"
        ),
        1
    );
    assert_eq!(
        imports(
            "src/gate/mod.rs",
            "fn f<'a>(x: &'a str) { crate::store::x(r#\"\"\"#) }"
        ),
        1
    );

    let pure = |source: &str| impurities("src/case/mod.rs", source).len();
    assert_eq!(
        pure("use std::collections::BTreeMap; use std::time::Duration; use std::net::IpAddr;"),
        0
    );
    assert_eq!(pure("use std::{collections::BTreeMap, fs};"), 1);
    assert_eq!(pure("use std::time::{Duration, Instant};"), 1);
    assert_eq!(pure("let x = std::env::var(\"A\");"), 1);
    assert_eq!(pure("use jiff::Timestamp; fn f() { Timestamp::now(); }"), 1);
    assert_eq!(pure("use tokio::sync::mpsc;"), 1);
    assert_eq!(pure("use rand::Rng;"), 1);
    assert_eq!(pure("let tokio = 1; let environment = operand::x();"), 0);
    assert_eq!(pure("use rusqlite::Connection;"), 1);
    let fleet = |source: &str| impurities("modules/fleet/src/a.rs", source).len();
    assert_eq!(fleet("use rusqlite::Connection;"), 0);
    assert_eq!(
        fleet("use std::time::SystemTime; fn f() { SystemTime::now(); std::env::var(\"A\"); }"),
        3
    );

    assert!(implements_redactor("impl Redactor for X {}"));
    assert!(implements_redactor(
        "impl<T: Send> kit::text::Redactor for Y<T> {}"
    ));
    assert!(!implements_redactor(
        "fn f(r: &dyn Redactor) {} for x in y {}"
    ));
    assert!(!implements_redactor(
        "#[cfg(test)] mod tests { impl Redactor for X {} }"
    ));

    let manifest = |text: &str| toml::from_str::<toml::Table>(text).unwrap();
    assert_eq!(
        wrong_dependencies(
            "modules/intel",
            &manifest("[dependencies]\nkit = { path = \"../kit\" }\nurl = \"2\"")
        )
        .len(),
        0
    );
    assert_eq!(
        wrong_dependencies("modules/intel", &manifest("[dependencies]\ntokio = \"1\"")).len(),
        1
    );
    assert_eq!(
        wrong_dependencies(
            "modules/kit",
            &manifest("[dependencies]\nintel = { path = \"../intel\" }")
        )
        .len(),
        1
    );
    assert_eq!(
        wrong_dependencies(
            "modules/fleet",
            &manifest("[dependencies]\nrusqlite = \"0\"")
        )
        .len(),
        0
    );
}

//! The command line as it is documented: the whole help tree and the default configuration are snapshots,
//! and the files made from them (man pages, completions, example configuration) are up to date.
//!
//! `RMM_ANALYST_BLESS=1` writes those files instead of comparing them (`tests/run --bless`).

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

use clap_complete::Shell;
use rmm_analyst::cli;
use rmm_analyst::config::{Config, example, keys};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The tree with every command's full names, as the program shows it.
fn built() -> clap::Command {
    let mut command = cli::command().disable_help_subcommand(true).term_width(100);
    command.build();
    command
}

fn walk(command: &clap::Command, visit: &mut impl FnMut(&clap::Command)) {
    visit(command);
    for sub in command.get_subcommands() {
        walk(sub, visit);
    }
}

#[test]
fn the_whole_help_tree() {
    let mut text = String::new();
    walk(&built(), &mut |command| {
        let name = command
            .get_bin_name()
            .unwrap_or_else(|| command.get_name())
            .to_owned();
        let help = command.clone().render_long_help().to_string();
        text.push_str(&format!("==== {name}\n\n{}\n\n", help.trim_end()));
    });
    let text: String = text
        .lines()
        .map(|l| format!("{}\n", l.trim_end()))
        .collect();
    insta::assert_snapshot!("help_tree", text);
}

#[test]
fn the_default_configuration() {
    insta::assert_snapshot!(
        "default_configuration",
        toml::to_string(&Config::default()).unwrap()
    );
}

#[test]
fn every_command_says_what_it_does_and_shows_an_example() {
    let mut commands = 0;
    walk(&built(), &mut |command| {
        commands += 1;
        let name = command
            .get_bin_name()
            .unwrap_or_else(|| command.get_name())
            .to_owned();
        assert!(command.get_about().is_some(), "{name} has no description");
        let examples = command
            .get_after_long_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        assert!(
            examples.starts_with("Examples:\n") && examples.contains("rmm-analyst"),
            "{name} has no example"
        );
        for argument in command.get_arguments() {
            assert!(
                argument.get_help().is_some(),
                "{name}: {} has no help",
                argument.get_id()
            );
        }
    });
    assert!(commands > 30, "the tree has only {commands} commands");
}

/// The lines of the examples are command lines that parse.
#[test]
fn every_example_parses() {
    let mut lines = 0;
    walk(&built(), &mut |command| {
        let examples = command
            .get_after_long_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        for line in examples.lines() {
            let Some(at) = line.find("rmm-analyst ") else {
                continue;
            };
            let words = words(&line[at..]);
            lines += 1;
            let parsed = cli::command().try_get_matches_from(&words);
            let helpful = parsed.as_ref().is_err_and(|e| !e.use_stderr());
            assert!(parsed.is_ok() || helpful, "{line}: {}", parsed.unwrap_err());
        }
    });
    assert!(lines > 60, "only {lines} examples were found");
}

/// One command of a shell line, without redirections, pipes and what comes behind them.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(q), _) if q == c => quote = None,
            (None, ' ') => words.push(String::new()),
            (None, '|' | '>' | '<' | ';' | ')' | '`' | '#') => break,
            _ => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

/// Compares a directory's generated files, or writes them.
fn compare(dir: &Path, wanted: &[(String, Vec<u8>)]) {
    let bless = std::env::var_os("RMM_ANALYST_BLESS").is_some();
    if bless {
        fs::create_dir_all(dir).unwrap();
    }
    for (name, bytes) in wanted {
        let path = dir.join(name);
        if bless {
            fs::write(&path, bytes).unwrap();
        }
        let found = fs::read(&path).unwrap_or_default();
        assert!(
            found == *bytes,
            "{} is out of date: run tests/run --bless",
            path.display()
        );
    }
}

/// Files of a directory that nothing makes any more.
fn no_others(dir: &Path, wanted: &[(String, Vec<u8>)]) {
    let bless = std::env::var_os("RMM_ANALYST_BLESS").is_some();
    let names: BTreeSet<&str> = wanted.iter().map(|(n, _)| n.as_str()).collect();
    for entry in fs::read_dir(dir).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if names.contains(name.as_str()) {
            continue;
        }
        assert!(
            bless,
            "{name} in {} is made by nothing: run tests/run --bless",
            dir.display()
        );
        fs::remove_file(dir.join(name)).unwrap();
    }
}

#[test]
fn the_manual_is_up_to_date() {
    let pages = cli::man::pages().unwrap();
    assert!(pages.iter().any(|(n, _)| n == "rmm-analyst-case-list.1"));
    // The hand-written page is compiled in: comparing it with itself would only hide an old build.
    let generated: Vec<_> = pages
        .iter()
        .filter(|(n, _)| n.ends_with(".1"))
        .cloned()
        .collect();
    compare(&root().join("man"), &generated);
    no_others(&root().join("man"), &pages);
}

#[test]
fn the_completions_are_up_to_date() {
    let scripts = [
        ("rmm-analyst.bash", Shell::Bash),
        ("_rmm-analyst", Shell::Zsh),
        ("rmm-analyst.fish", Shell::Fish),
    ]
    .map(|(name, shell)| (name.to_owned(), cli::completions::script(shell)));
    compare(&root().join("completions"), &scripts);
    no_others(&root().join("completions"), &scripts);
}

#[test]
fn the_example_configuration_is_up_to_date() {
    compare(
        &root(),
        &[(
            "config.toml.example".to_owned(),
            example::text().into_bytes(),
        )],
    );
}

/// The page of the configuration names every section and every key, with its default.
#[test]
fn the_manual_of_the_configuration_is_complete() {
    let page = fs::read_to_string(root().join("man/rmm-analyst.5"))
        .unwrap()
        .replace("\\-", "-");
    let defaults = toml::Value::try_from(Config::default()).unwrap();
    let mut section = String::new();
    let mut entries = Vec::new();
    for (i, line) in page.lines().enumerate() {
        if let Some(rest) = line.strip_prefix(".SS ") {
            section = rest.trim_matches(['"', '[', ']']).to_owned();
        }
        if let Some(rest) = line
            .strip_prefix(".B ")
            .or_else(|| line.strip_prefix(".BR "))
            && page.lines().nth(i.wrapping_sub(1)) == Some(".TP")
        {
            let name = rest
                .split_whitespace()
                .next()
                .unwrap_or_default()
                .to_owned();
            entries.push((
                section.clone(),
                name,
                page.lines().nth(i + 1).unwrap_or_default().to_owned(),
            ));
        }
    }
    for key in keys::KEYS {
        let section = if key.section == keys::MODULES {
            "modules.NAME"
        } else {
            key.section
        };
        let entry = entries
            .iter()
            .find(|(s, n, _)| s == section && n == key.name);
        let Some((_, _, text)) = entry else {
            panic!("[{section}] {} is not in man/rmm-analyst.5", key.name);
        };
        let default = key
            .path(None)
            .split('.')
            .try_fold(&defaults, |v, part| v.get(part))
            .cloned();
        let wanted = match default {
            Some(toml::Value::String(s)) => format!("(default {s})"),
            Some(value) => format!("(default {value})"),
            None if key.name == "enabled" => "(default true)".to_owned(),
            None => "(no default)".to_owned(),
        };
        assert!(
            text.starts_with(&wanted),
            "[{section}] {}: {text:?} should begin with {wanted:?}",
            key.name
        );
    }
    let named = entries
        .iter()
        .filter(|(s, _, _)| {
            keys::SECTIONS
                .iter()
                .any(|(k, _)| k == s || s == "modules.NAME")
        })
        .count();
    assert_eq!(
        named,
        keys::KEYS.len(),
        "man/rmm-analyst.5 names keys that do not exist"
    );
}

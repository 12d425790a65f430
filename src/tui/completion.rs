//! Completions for `/commands`, `@modules` and cases.

use super::app::App;
use super::commands;
use super::overlay::fuzzy;

/// A completion: what it puts in, and a word about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Text that replaces what is typed from `from` on.
    pub insert: String,
    /// First byte that it replaces.
    pub from: usize,
    /// Explanation.
    pub about: String,
}

/// The completions for the message as it stands, best first.
#[must_use]
pub fn items(app: &App) -> Vec<Item> {
    let room = app.room();
    let Some(before) = room.composer.text().get(..room.composer.cursor()) else {
        return Vec::new();
    };
    if before.contains('\n') {
        return Vec::new();
    }
    if let Some(name) = before.strip_prefix('/') {
        if let Some((command, argument)) = name.split_once(' ') {
            return arguments(app, command, argument, before.len());
        }
        let known = commands::TABLE.iter().map(|c| {
            (
                format!("/{} ", c.name),
                format!("{} {}", c.arguments, c.help),
            )
        });
        return pick(name, known.collect(), 0, |i| i.trim_start_matches('/'));
    }
    if let Some(name) = before.strip_prefix('@') {
        if name.contains(' ') {
            return Vec::new();
        }
        let mut known = vec![(
            "@ioc ".to_owned(),
            "every module that takes the value".to_owned(),
        )];
        known.extend(
            app.modules
                .iter()
                .filter(|m| m.enabled)
                .map(|m| (format!("@{} ", m.name), m.what.clone())),
        );
        return pick(name, known, 0, |i| i.trim_start_matches('@'));
    }
    Vec::new()
}

fn arguments(app: &App, command: &str, argument: &str, end: usize) -> Vec<Item> {
    let from = end - argument.len();
    let known: Vec<(String, String)> = match command {
        "open" => app
            .cases
            .all
            .iter()
            .map(|c| (c.short.clone(), super::text::one_line(&c.title, 50)))
            .collect(),
        "settings" if !argument.contains(' ') => app
            .settings
            .all
            .iter()
            .map(|(k, v)| (format!("{k} "), v.clone()))
            .collect(),
        "export" if !argument.contains(' ') => ["markdown", "json", "jsonl", "csv", "stix"]
            .iter()
            .map(|f| (format!("{f} "), String::new()))
            .collect(),
        "model" => app
            .server
            .iter()
            .flat_map(|s| &s.offered)
            .map(|m| (m.clone(), String::new()))
            .collect(),
        _ => return Vec::new(),
    };
    let texts: Vec<String> = known.iter().map(|(a, b)| format!("{a} {b}")).collect();
    fuzzy(argument, &texts)
        .into_iter()
        .take(50)
        .filter_map(|i| known.get(i))
        .filter(|(insert, _)| insert.trim() != argument.trim() || argument.is_empty())
        .map(|(insert, about)| Item {
            insert: insert.clone(),
            from,
            about: about.clone(),
        })
        .collect()
}

fn pick(
    typed: &str,
    known: Vec<(String, String)>,
    from: usize,
    name: impl Fn(&str) -> &str,
) -> Vec<Item> {
    let names: Vec<String> = known
        .iter()
        .map(|(i, _)| name(i.trim()).to_owned())
        .collect();
    let mut order = fuzzy(typed, &names);
    // What begins as typed goes first.
    order.sort_by_key(|i| !names.get(*i).is_some_and(|n| n.starts_with(typed)));
    order
        .into_iter()
        .filter_map(|i| known.get(i))
        .map(|(insert, about)| Item {
            insert: insert.clone(),
            from,
            about: about.trim().to_owned(),
        })
        .collect()
}

//! What the built-in rules make of a question about the fleet, and what they say that they did not make of it.

use crate::gate::FleetCatalog;
use kit::indicator::Indicator;

/// What the rules make of a message about the fleet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ByRules {
    /// Tools and their arguments. They read; rules propose nothing.
    pub calls: Vec<(String, serde_json::Value)>,
    /// What was not understood or not done, in sentences that stand before what the fleet said.
    pub notice: Vec<&'static str>,
}

/// Said where the words ask for a change.
pub const NOTHING_CHANGED: &str = "Nothing was changed and nothing was proposed: rules only read. \
     Use a model, or by hand: rmm-analyst jobs --help / rmm-analyst devices --help";

/// Said where the whole fleet is shown because nothing narrower was understood.
pub const NOT_UNDERSTOOD: &str = "Rules read only where an indicator is, which devices have a software older or newer than a version, \
     and the inventory of a device that is named. The rest of the question was not understood; this is the whole fleet:";

/// Words that ask for a change, and those with which a question begins.
const CHANGES: &[&str] = &[
    "restart",
    "reboot",
    "shutdown",
    "install",
    "uninstall",
    "remove",
    "delete",
    "move",
    "run",
    "deploy",
    "approve",
];
const ASKS: &[&str] = &[
    "which", "what", "how", "who", "where", "when", "list", "show", "count", "is", "are", "do",
    "does",
];

/// What the rules ask the fleet for a message: where the indicators of a question about devices are, which
/// devices have a software in a range that the message spells out (`OpenSSL older than 3.0.14`), and the
/// inventory of a device (`device`, the word that names one) where nothing else was understood. Rules read,
/// they do not propose, and say so.
#[must_use]
pub fn by_rules(
    text: &str,
    subjects: &[Indicator],
    groups: &[&str],
    device: Option<&str>,
    catalog: &FleetCatalog,
) -> ByRules {
    const FIND: &str = "find_on_fleet";
    const INVENTORY: &str = "get_inventory";
    const SUMMARY: &str = "fleet_summary";
    if groups.is_empty() || !catalog.contains_key(FIND) {
        return ByRules::default();
    }
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .collect();
    let mut out = ByRules::default();
    out.calls.extend(
        subjects
            .iter()
            .map(|i| (FIND.to_owned(), serde_json::json!({"indicator": i.value()}))),
    );
    if let Some((software, versions)) = software_range(text) {
        let arguments = serde_json::json!({"software": software, "versions": versions});
        out.calls.push((FIND.to_owned(), arguments));
    }
    let changes = words.iter().any(|w| CHANGES.contains(w));
    if changes {
        out.notice.push(NOTHING_CHANGED);
    }
    // An order is no question: that nothing was done is the whole answer.
    let asks = !changes || words.first().is_some_and(|w| ASKS.contains(w));
    if !out.calls.is_empty() || !asks {
        return out;
    }
    match device.filter(|_| catalog.contains_key(INVENTORY)) {
        Some(device) => {
            let software = ["software", "installed", "version", "versions"];
            let arguments = if words.iter().any(|w| software.contains(w)) {
                serde_json::json!({"device": device, "parts": ["software"]})
            } else {
                serde_json::json!({"device": device})
            };
            out.calls.push((INVENTORY.to_owned(), arguments));
        }
        None if catalog.contains_key(SUMMARY) => {
            out.notice.push(NOT_UNDERSTOOD);
            out.calls.push((SUMMARY.to_owned(), serde_json::json!({})));
        }
        None => {}
    }
    out
}

/// `OpenSSL older than 3.0.14`, `OpenSSL 3.0.14 or newer` as a software and a range of versions.
fn software_range(text: &str) -> Option<(String, String)> {
    const BEFORE: &[(&str, &str)] = &[
        ("older than", "<"),
        ("lower than", "<"),
        ("below", "<"),
        ("before", "<"),
        ("newer than", ">"),
        ("higher than", ">"),
        ("above", ">"),
        ("at least", ">="),
        ("at most", "<="),
        ("version", ""),
    ];
    const BEHIND: &[(&str, &str)] = &[
        ("or newer", ">="),
        ("or later", ">="),
        ("or higher", ">="),
        ("or above", ">="),
        ("or older", "<="),
        ("or earlier", "<="),
        ("or lower", "<="),
        ("or below", "<="),
    ];
    let lower = text.to_ascii_lowercase(); // as long as the text: places fit
    for (phrase, sign) in BEHIND {
        let Some(at) = lower.find(&format!(" {phrase}")) else {
            continue;
        };
        let Some(head) = text.get(..at) else { continue };
        let (rest, last) = head.trim_end().rsplit_once(char::is_whitespace)?;
        if let (Some(software), Some(version)) = (software_in(rest), version_of(last)) {
            return Some((software, format!("{sign}{version}")));
        }
    }
    let mut places: Vec<(usize, &str, &str)> = BEFORE
        .iter()
        .filter_map(|(word, sign)| {
            let at = lower.find(&format!(" {word} "))?;
            Some((at, *word, *sign))
        })
        .collect();
    places.sort_unstable();
    places.into_iter().find_map(|(at, word, sign)| {
        let behind = text.get(at + word.len() + 2..)?;
        let version = version_of(behind.split_whitespace().next()?)?;
        Some((software_in(text.get(..at)?)?, format!("{sign}{version}")))
    })
}

/// The software that the end of a sentence's beginning names.
fn software_in(head: &str) -> Option<String> {
    /// Stand between a software and its version.
    const BETWEEN: &[&str] = &["version", "versions", "is", "are", "in", "a", "an", "of"];
    /// Name no software.
    const NEVER: &[&str] = &[
        "have",
        "has",
        "having",
        "had",
        "with",
        "that",
        "which",
        "the",
        "and",
        "or",
        "all",
        "any",
        "on",
        "running",
        "run",
        "runs",
        "device",
        "devices",
        "machine",
        "machines",
        "host",
        "hosts",
        "server",
        "servers",
        "workstations",
        "computers",
        "software",
        "installed",
    ];
    let word = head
        .split_whitespace()
        .rev()
        .map(|w| w.trim_matches(|c: char| !c.is_alphanumeric() && c != '+' && c != '-'))
        .find(|w| !w.is_empty() && !BETWEEN.contains(&w.to_lowercase().as_str()))?;
    (word.len() >= 2 && !NEVER.contains(&word.to_lowercase().as_str())).then(|| word.to_owned())
}

/// The word as a version, where it is one.
fn version_of(word: &str) -> Option<&str> {
    let version = word.trim_end_matches([',', '.', '?', '!', ';']);
    let is_version = version.starts_with(|c: char| c.is_ascii_digit())
        && version
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '+' | '~' | ':'));
    is_version.then_some(version)
}

#[cfg(test)]
mod tests {
    use super::super::fleet_tools::{CORE, catalog, groups_for};
    use super::*;
    use kit::tool::{Effect, FleetTool, ToolSpec};

    #[test]
    fn a_range_that_is_spelled_out_is_read() {
        for (text, range) in [
            (
                "which machines have OpenSSL older than 3.0.14, and restart nginx on web-01",
                Some(("OpenSSL", "<3.0.14")),
            ),
            (
                "devices with nginx newer than 1:1.22-3?",
                Some(("nginx", ">1:1.22-3")),
            ),
            ("hosts on Firefox version 128.0", Some(("Firefox", "128.0"))),
            (
                "which machines have openssl 3.0.14 or newer",
                Some(("openssl", ">=3.0.14")),
            ),
            (
                "hosts with OpenSSL version 3.0.14 or older?",
                Some(("OpenSSL", "<=3.0.14")),
            ),
            ("is nginx at least 1.26 anywhere", Some(("nginx", ">=1.26"))),
            (
                "devices where openssl version is older than 3.0.14",
                Some(("openssl", "<3.0.14")),
            ),
            ("servers with at least 4 disks", None),
            ("machines older than 5 years", None),
            ("machines older than five years", None),
            ("who is above me", None),
        ] {
            let read = software_range(text);
            assert_eq!(
                read.as_ref().map(|(s, v)| (s.as_str(), v.as_str())),
                range,
                "{text}"
            );
        }
    }

    /// A catalog of reading tools with these names.
    fn reading(names: &[&str]) -> FleetCatalog {
        catalog(names.iter().map(|name| FleetTool {
            spec: ToolSpec {
                name: (*name).to_owned(),
                description: String::new(),
                parameters: serde_json::json!({}),
                effect: Effect::Read,
            },
            group: CORE,
        }))
    }

    #[test]
    fn rules_say_what_they_did_not_understand_and_what_they_did_not_do() {
        let catalog = reading(&["find_on_fleet", "fleet_summary", "get_inventory"]);
        let asked = |text: &str, device: Option<&str>| {
            let groups = groups_for(text, device.is_some());
            let read = by_rules(text, &[], &groups, device, &catalog);
            let tools: Vec<String> = read.calls.iter().map(|(t, _)| t.clone()).collect();
            (tools, read.notice)
        };
        let (find, all, one) = (
            vec!["find_on_fleet".to_owned()],
            vec!["fleet_summary".to_owned()],
            vec!["get_inventory".to_owned()],
        );
        assert_eq!(
            asked("how many devices do we have at Acme", None),
            (all.clone(), vec![NOT_UNDERSTOOD])
        );
        assert_eq!(
            asked("which machines have openssl 3.0.14 or newer", None),
            (find.clone(), vec![])
        );
        assert_eq!(
            asked("what is installed on srv-web1", Some("srv-web1")),
            (one, vec![])
        );
        assert_eq!(
            asked("reboot WS-001", Some("WS-001")),
            (vec![], vec![NOTHING_CHANGED])
        );
        assert_eq!(
            asked(
                "which machines have OpenSSL older than 3.0.14, and restart nginx on web-01",
                None
            ),
            (find, vec![NOTHING_CHANGED])
        );
        assert_eq!(
            asked("which machines run nginx", None),
            (all, vec![NOTHING_CHANGED, NOT_UNDERSTOOD])
        );
        assert_eq!(asked("what is 8.8.8.8?", None), (vec![], vec![]));
    }
}

//! The sources footer. It comes from the ledger; one that a model writes is taken out.

use crate::case::{Call, CallVerdict, Status};
use std::fmt::Write as _;

/// The footer of a turn, as plain text; empty when nothing ran.
#[must_use]
pub fn footer(calls: &[Call]) -> String {
    let mut ran = Vec::new();
    // A look-up that was repeated within the turn is one source, not two.
    let mut shown: Vec<(&str, &str, Option<u32>)> = Vec::new();
    // Grouped by reason, so that ten missing keys are one phrase.
    let mut not_asked: Vec<(String, Vec<&str>)> = Vec::new();
    for c in calls
        .iter()
        .filter(|c| matches!(c.verdict, CallVerdict::Permit | CallVerdict::Cached))
    {
        let Some(status) = c.status.filter(|s| *s != Status::CouldNotLook) else {
            let why = match c.status {
                None => "interrupted".to_owned(),
                Some(_) => c.detail.clone().unwrap_or_default(),
            };
            let tool = c.tool.as_str();
            match not_asked.iter_mut().find(|(w, _)| *w == why) {
                Some((_, tools)) if tools.contains(&tool) => {}
                Some((_, tools)) => tools.push(tool),
                None => not_asked.push((why, vec![tool])),
            }
            continue;
        };
        let same = (c.tool.as_str(), c.argument.as_str(), c.evidence);
        if shown.contains(&same) {
            continue;
        }
        shown.push(same);
        let value = c
            .subject
            .as_ref()
            .map_or_else(|| c.argument.as_str().to_owned(), kit::Indicator::defanged);
        let word = if status == Status::Found {
            "found"
        } else {
            "not found"
        };
        let mut line = format!("{}({value}) → {word}", c.tool.as_str());
        if let Some(e) = c.evidence {
            let _ = write!(line, " E{e}");
        }
        if c.verdict == CallVerdict::Cached {
            let _ = write!(line, " (from {} ago)", age(c.age_s));
        }
        ran.push(line);
    }
    let not_asked: Vec<String> = not_asked
        .into_iter()
        .map(|(why, tools)| format!("{why}: {}", tools.join(", ")))
        .collect();
    let mut out = String::new();
    if !ran.is_empty() {
        let _ = writeln!(out, "Sources: {}", ran.join("; "));
    }
    if !not_asked.is_empty() {
        let _ = writeln!(
            out,
            "Could not look (says nothing about the indicators): {}",
            not_asked.join("; ")
        );
    }
    out.trim_end().to_owned()
}

/// An age for people: `12 s`, `3 min`, `2 h`, `5 d`.
#[must_use]
pub fn age(seconds: u64) -> String {
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds / 60),
        7200..=172_799 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// Takes out lines at the end of a model's text that pretend to be the program's footer.
#[must_use]
pub fn without_forged(text: &str) -> String {
    let forged = |line: &str| {
        let plain: String = line
            .chars()
            .filter(|c| !matches!(c, '*' | '_' | '`' | '#' | '>' | ' ' | '-'))
            .collect();
        let plain = plain.to_lowercase();
        [
            "sources:",
            "queried:",
            "couldnotlook",
            "source:",
            "lookedup:",
            "[programledger",
        ]
        .iter()
        .any(|m| plain.starts_with(m))
    };
    // Only whole lines that look like a footer go; a heading "Sources" with prose below stays.
    let kept: Vec<&str> = text
        .lines()
        .filter(|l| !(forged(l) && (l.contains('→') || l.contains("->") || l.contains('('))))
        .collect();
    kept.join("\n").trim().to_owned()
}

//! The sources footer. It comes from the ledger; one that a model writes is taken out.

use crate::case::{Call, CallVerdict, Status};
use std::fmt::Write as _;

/// The footer of a turn, as plain text; empty when nothing ran.
#[must_use]
pub fn footer(calls: &[Call]) -> String {
    let mut ran = Vec::new();
    let mut not_asked: Vec<String> = Vec::new();
    for c in calls
        .iter()
        .filter(|c| matches!(c.verdict, CallVerdict::Permit | CallVerdict::Cached))
    {
        let value = c
            .subject
            .as_ref()
            .map_or_else(|| c.argument.as_str().to_owned(), kit::Indicator::defanged);
        let what = format!("{}({value})", c.tool.as_str());
        let detail = c.detail.clone().unwrap_or_default();
        match c.status {
            Some(Status::CouldNotLook) => not_asked.push(format!("{what}: {detail}")),
            None => not_asked.push(format!("{what}: interrupted")),
            Some(status) => {
                let mut line = what;
                let _ = write!(
                    line,
                    " → {}",
                    if status == Status::Found {
                        "found"
                    } else {
                        "not found"
                    }
                );
                if let Some(e) = c.evidence {
                    let _ = write!(line, " E{e}");
                }
                if c.verdict == CallVerdict::Cached {
                    let _ = write!(line, " (from {} ago)", age(c.age_s));
                }
                ran.push(line);
            }
        }
    }
    let mut out = String::new();
    if !ran.is_empty() {
        let _ = writeln!(out, "Sources: {}", ran.join("; "));
    }
    if !not_asked.is_empty() {
        let _ = writeln!(
            out,
            "Could not look (says nothing about the indicator): {}",
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

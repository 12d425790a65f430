//! A person's own look-ups in words.

use super::paper::{Paper, one_line};
use crate::engine::lookup::Looked;
use crate::engine::view::{self, Status};

/// The answers of a person's own look-up, one record each.
pub fn print(paper: &mut Paper, title: &str, looked: &[Looked]) {
    let title = paper.defanged(title);
    paper.say(format!("{title} (not part of the case):"));
    if looked.is_empty() {
        paper.say("No module takes this.");
    }
    for l in looked {
        let o = &l.done.outcome;
        let word = match o.status {
            Status::Found => "found".to_owned(),
            Status::NotFound => "not found".to_owned(),
            Status::CouldNotLook => format!("could not look: {}", o.detail().unwrap_or_default()),
        };
        let verdict = match o.verdict.name() {
            "unknown" => String::new(),
            v => format!(", {v} ({})", o.basis.as_str()),
        };
        let time = match l.done.age_s {
            Some(a) => format!("{} old", view::age(a)),
            None => seconds(l.done.ms),
        };
        let value = paper.value(&l.subject);
        paper.say(format!("{} for {value}: {word}{verdict}, {time}", l.module));
        for row in o.rows.iter().take(3) {
            let cells: Vec<String> = o
                .columns
                .iter()
                .zip(row)
                .filter(|(_, v)| !v.as_str().is_empty())
                .map(|(c, v)| format!("{c}: {}", one_line(v.as_str(), 120)))
                .collect();
            let text = paper.defanged(&cells.join("; "));
            paper.quote(text);
        }
        if o.rows.len() > 3 {
            paper.say(format!("and {} more rows", o.rows.len() - 3));
        }
    }
}

/// Milliseconds as seconds with one digit.
#[must_use]
pub fn seconds(ms: u64) -> String {
    format!("{}.{} s", ms / 1000, ms % 1000 / 100)
}

//! Evidence in words: its head, its rows as records, its raw form, and what changed since the look-up before.

use super::desk::{Desk, Show};
use super::looked::seconds;
use crate::engine::session::Order;
use crate::engine::view::{self, EvidenceRow, Status};
use crate::surface::raw::{changes, pretty};

/// Lines of a raw form that are printed; an export holds the rest.
const RAW_LINES: usize = 2_000;

/// Rows that stand under an answer.
const INLINE: usize = 30;

/// How a piece is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Its rows, as records.
    Table,
    /// As it came.
    Raw,
    /// Against the look-up before.
    Difference,
}

/// An outcome in words.
#[must_use]
pub const fn word(status: Status) -> &'static str {
    match status {
        Status::Found => "found",
        Status::NotFound => "not found",
        Status::CouldNotLook => "could not look",
    }
}

/// The evidence before this one about the same thing from the same tool.
fn earlier(desk: &Desk, n: u32) -> Option<u32> {
    let this = desk.state.evidence.iter().find(|e| e.n == n)?;
    desk.state
        .evidence
        .iter()
        .rev()
        .find(|e| e.n < n && e.tool == this.tool && e.subject == this.subject)
        .map(|e| e.n)
}

/// Prints a piece once it is here.
pub fn fetch(desk: &mut Desk, n: u32, form: Form) {
    if !desk.state.evidence.iter().any(|e| e.n == n) {
        desk.complain(format!("There is no E{n} in this case."));
        return;
    }
    desk.showing.push_back(Show::Piece(n, form));
    want(desk, n);
    if form == Form::Difference
        && let Some(before) = earlier(desk, n)
    {
        want(desk, before);
    }
    show(desk);
}

/// Prints the tables of these pieces once they are here.
pub fn inline(desk: &mut Desk, numbers: impl IntoIterator<Item = u32>) {
    for n in numbers {
        if desk.state.evidence.iter().any(|e| e.n == n) {
            desk.showing.push_back(Show::Inline(n));
            want(desk, n);
        } else {
            desk.paper
                .say(format!("E{n}: there is no such evidence in this case."));
        }
    }
    show(desk);
}

fn want(desk: &mut Desk, n: u32) {
    if !desk.rows.contains_key(&n) {
        desk.orders.push(Order::Evidence(desk.room, n));
    }
}

/// Prints what is here of what is to be shown, in order.
pub fn show(desk: &mut Desk) {
    while let Some(next) = desk.showing.front().cloned() {
        let (n, form) = match next {
            Show::Piece(n, form) => (n, form),
            Show::Inline(n) => (n, Form::Table),
        };
        let before = earlier(desk, n).filter(|_| form == Form::Difference);
        let Some(row) = desk.rows.get(&n).cloned() else {
            return;
        };
        if before.is_some_and(|b| !desk.rows.contains_key(&b)) {
            return;
        }
        let old = before.and_then(|b| desk.rows.get(&b).cloned());
        desk.showing.pop_front();
        print(
            desk,
            &row,
            old.as_ref(),
            form,
            matches!(next, Show::Inline(_)),
        );
    }
}

fn print(desk: &mut Desk, row: &EvidenceRow, old: Option<&EvidenceRow>, form: Form, inline: bool) {
    head(desk, row, inline);
    match form {
        Form::Table => records(desk, row, if inline { INLINE } else { usize::MAX }),
        Form::Raw => {
            let text = pretty(row.raw.as_str());
            if text.is_empty() {
                desk.paper.say("The source sent nothing.");
            }
            let lines: Vec<&str> = text.lines().take(RAW_LINES).collect();
            desk.paper.quote(lines.join("\n"));
            if text.lines().count() > RAW_LINES {
                desk.paper
                    .say("The rest is in the export: /export json FILE");
            }
        }
        Form::Difference => match old {
            Some(old) => difference(desk, old, row),
            None => desk
                .paper
                .say("There is no earlier look-up of the same thing."),
        },
    }
    desk.paper.say(format!("End of E{}.", row.meta.n));
}

fn head(desk: &mut Desk, row: &EvidenceRow, inline: bool) {
    let m = &row.meta;
    let value = m
        .subject
        .as_ref()
        .map_or_else(String::new, |s| format!(" for {}", desk.paper.value(s)));
    let mut first = format!("Evidence E{}, {}{value}: {}", m.n, m.tool, word(m.status));
    if let Some(d) = &m.detail {
        first.push_str(&format!(": {d}"));
    }
    if let Some(v) = m.verdict.filter(|v| v.name() != "unknown") {
        first.push_str(&format!(", {}", v.name()));
        if !m.verdict_basis.as_str().is_empty() {
            first.push_str(&format!(" ({})", m.verdict_basis.as_str()));
        }
    }
    desk.paper.say(first);
    if inline {
        return;
    }
    let mut second = format!(
        "asked {}, {}, {} bytes, sha256 {}",
        view::local(m.asked_ms),
        seconds(m.took_ms),
        m.bytes,
        m.sha256.get(..12).unwrap_or(&m.sha256)
    );
    if m.age_s > 0 {
        second.push_str(&format!(", {} old", view::age(m.age_s)));
    }
    if let Some(d) = &m.source_date {
        second.push_str(&format!(", data of {}", d.as_str()));
    }
    desk.paper.say(second);
    if !m.source_url.as_str().is_empty() {
        let url = desk.paper.defanged(m.source_url.as_str());
        desk.paper.say(format!("source: {url}"));
    }
}

/// The rows as records: a table that is read aloud is no table.
fn records(desk: &mut Desk, row: &EvidenceRow, most: usize) {
    let m = &row.meta;
    for (i, r) in m.rows.iter().take(most).enumerate() {
        let cells: Vec<String> = m
            .columns
            .iter()
            .zip(r)
            .filter(|(_, v)| !v.as_str().trim().is_empty())
            .map(|(c, v)| {
                let v = v.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
                format!("{c}: {v}")
            })
            .collect();
        let text = desk.paper.defanged(&cells.join("; "));
        desk.paper.quote(format!("{}. {text}", i + 1));
    }
    let shown = m.rows.len().min(most) as u64;
    let all = m.total_rows.unwrap_or(0).max(m.rows.len() as u64);
    if all > shown {
        desk.paper.say(format!("{shown} of {all} rows."));
    } else if all == 0 && m.status == Status::Found {
        desk.paper.say(format!(
            "No rows; /evidence {} raw shows the raw form.",
            m.n
        ));
    }
}

fn difference(desk: &mut Desk, old: &EvidenceRow, new: &EvidenceRow) {
    let (a, b) = (pretty(old.raw.as_str()), pretty(new.raw.as_str()));
    let (removed, added) = changes(&a, &b);
    desk.paper.say(format!(
        "Against E{} of {}:",
        old.meta.n,
        view::local(old.meta.asked_ms)
    ));
    if removed.is_empty() && added.is_empty() {
        desk.paper.say("Nothing changed.");
    }
    for (words, lines) in [("Gone:", removed), ("New:", added)] {
        if !lines.is_empty() {
            desk.paper.say(words);
            let lines: Vec<&str> = lines.into_iter().take(RAW_LINES).map(str::trim).collect();
            desk.paper.quote(lines.join("\n"));
        }
    }
}

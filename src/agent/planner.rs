//! The same work without a model, by rules: every authorized indicator with every module that takes its
//! type, through the same gate, budget and runner, and a factual answer.

use crate::case::{CaseState, Status};
use crate::gate::{Catalog, known};
use kit::indicator::Indicator;
use kit::module::Activity;
use kit::outcome::Verdict;
use std::fmt::Write as _;

/// Look-ups by rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Tool and indicator, in order.
    pub calls: Vec<(String, Indicator)>,
    /// Indicators and the sources for which the budget had no room.
    pub left_out: Vec<(Indicator, Vec<String>)>,
}

/// Look-ups for the indicators of a turn: what stays on this machine, then sources whose key is missing
/// (they cost nothing and are named in the answer), then at most `budget` that go out. Indicators take
/// turns, so that a small budget covers all of them before any of them twice.
#[must_use]
pub fn plan(
    state: &CaseState,
    subjects: &[Indicator],
    catalog: &Catalog,
    url_host: bool,
    budget: usize,
    has_key: &dyn Fn(&str) -> bool,
) -> Plan {
    let mut lists: Vec<Vec<(u8, &'static str, Indicator)>> = Vec::new();
    let mut seen: Vec<Indicator> = Vec::new();
    for subject in subjects.iter().cloned().chain(
        subjects
            .iter()
            .filter(|_| url_host)
            .filter_map(Indicator::host),
    ) {
        if seen.contains(&subject) || state.denied.contains(&subject) {
            continue;
        }
        seen.push(subject.clone());
        let mut list: Vec<_> = catalog
            .values()
            .filter(|t| known::offered(t, false) && t.spec.takes(subject.kind()))
            .map(|t| {
                let rank = match t.spec.activity {
                    Activity::Offline => 0,
                    _ if t.spec.key.required() && !has_key(t.spec.name) => 1,
                    _ => 2,
                };
                (rank, t.spec.name, subject.clone())
            })
            .collect();
        list.sort_by_key(|(rank, name, _)| (*rank, *name));
        lists.push(list);
    }
    let mut out = Plan::default();
    let mut left = budget;
    for rank in 0..=2 {
        let mut column: Vec<_> = lists
            .iter()
            .map(|l| l.iter().filter(move |(r, _, _)| *r == rank))
            .collect();
        loop {
            let mut any = false;
            for (_, name, subject) in column.iter_mut().filter_map(Iterator::next) {
                any = true;
                if rank < 2 || left > 0 {
                    out.calls.push(((*name).to_owned(), subject.clone()));
                    left = if rank < 2 { left } else { left - 1 };
                } else if let Some((_, tools)) = out.left_out.iter_mut().find(|(s, _)| s == subject)
                {
                    tools.push((*name).to_owned());
                } else {
                    out.left_out
                        .push((subject.clone(), vec![(*name).to_owned()]));
                }
            }
            if !any {
                break;
            }
        }
    }
    out
}

/// What one look-up brought, for the answer.
#[derive(Clone, Debug)]
pub struct Looked {
    /// Module.
    pub tool: String,
    /// Indicator.
    pub subject: Indicator,
    /// Outcome; `None` where the gate refused.
    pub status: Option<Status>,
    /// Reason, where it could not look or was refused.
    pub detail: Option<String>,
    /// Evidence number.
    pub evidence: Option<u32>,
    /// The source's verdict and what it rests on.
    pub verdict: Option<(Verdict, String)>,
    /// Column heads of the table.
    pub columns: Vec<String>,
    /// The first rows, redacted.
    pub first: Vec<Vec<String>>,
    /// Rows in all.
    pub rows: u64,
}

/// Rows of a narrow table that are put into the answer.
pub const ROWS: usize = 5;

/// A table of at most this many columns is a list of facts: name, value, source.
const NARROW: usize = 3;

/// A narrow table row by row (`name: value`), a wide one by the columns of its first row.
fn facts(columns: &[String], rows: &[Vec<String>]) -> Vec<String> {
    let filled = |v: &&String| !v.trim().is_empty();
    if columns.len() <= NARROW {
        return rows
            .iter()
            .filter_map(|row| match (row.first(), row.get(1)) {
                (Some(name), Some(value)) if !value.trim().is_empty() => {
                    Some(format!("{}: {}", short(name), short(value)))
                }
                (Some(name), _) if !name.trim().is_empty() => Some(short(name)),
                _ => None,
            })
            .collect();
    }
    let Some(row) = rows.first() else {
        return Vec::new();
    };
    columns
        .iter()
        .zip(row)
        .filter(|(_, v)| filled(v))
        .take(FACTS)
        .map(|(c, v)| format!("{c}: {}", short(v)))
        .collect()
}

/// How many facts of a row are put into the answer; the rest is in the evidence.
const FACTS: usize = 6;

/// The answer. `unplanned` are indicators of the message that were not looked up, with the reason.
#[must_use]
pub fn compose(
    looked: &[Looked],
    unplanned: &[(Indicator, String)],
    nothing_named: bool,
) -> String {
    let mut out = String::from("Rule-based answer: no model was asked.\n");
    let mut subjects: Vec<&Indicator> = Vec::new();
    for l in looked {
        if !subjects.contains(&&l.subject) {
            subjects.push(&l.subject);
        }
    }
    for subject in subjects {
        let of: Vec<&Looked> = looked.iter().filter(|l| &l.subject == subject).collect();
        let _ = write!(out, "\n{} ({})\n", subject.value(), subject.kind());
        for l in of.iter().filter(|l| l.status == Some(Status::Found)) {
            let _ = writeln!(out, "- {}", found(l));
        }
        let names = |status: Status| -> Vec<&str> {
            of.iter()
                .filter(|l| l.status == Some(status))
                .map(|l| l.tool.as_str())
                .collect()
        };
        // That this program has not seen it before is no news about the indicator.
        let not_found: Vec<&str> = names(Status::NotFound)
            .into_iter()
            .filter(|n| *n != "cases")
            .collect();
        if !not_found.is_empty() {
            let _ = writeln!(out, "- not known to: {}", not_found.join(", "));
        }
        let could_not: Vec<String> = of
            .iter()
            .filter(|l| l.status == Some(Status::CouldNotLook))
            .map(|l| {
                format!(
                    "{} ({})",
                    l.tool,
                    kit::outcome::plain_reason(l.detail.as_deref().unwrap_or("unknown reason"))
                )
            })
            .collect();
        if !could_not.is_empty() {
            let _ = writeln!(
                out,
                "- could not ask, which says nothing about it: {}",
                could_not.join(", ")
            );
        }
        let mut refused: Vec<&str> = of
            .iter()
            .filter(|l| l.status.is_none())
            .filter_map(|l| l.detail.as_deref())
            .collect();
        refused.dedup();
        for why in refused {
            let tools: Vec<&str> = of
                .iter()
                .filter(|l| l.status.is_none() && l.detail.as_deref() == Some(why))
                .map(|l| l.tool.as_str())
                .collect();
            let _ = writeln!(out, "- not looked up with {}: {why}", tools.join(", "));
        }
    }
    for (indicator, why) in unplanned {
        let _ = write!(
            out,
            "\n{} ({})\n- not looked up: {why}\n",
            indicator.value(),
            indicator.kind()
        );
    }
    if looked.is_empty() && unplanned.is_empty() && nothing_named {
        out.push_str(
            "\nThe question names no indicator (address, domain, URL, hash, …), so there was nothing to look up. \
             Name one, or configure a model for questions in plain language (rmm-analyst doctor says how).\n",
        );
    }
    out.trim_end().to_owned()
}

fn found(l: &Looked) -> String {
    let mut line = l.tool.clone();
    if let Some((verdict, basis)) = l.verdict.as_ref().filter(|(v, _)| *v != Verdict::Unknown) {
        let _ = write!(line, ": {}", verdict.name());
        if !basis.is_empty() {
            let _ = write!(line, " ({basis})");
        }
        line.push(';');
    } else {
        line.push(':');
    }
    let facts = facts(&l.columns, &l.first);
    let _ = write!(line, " {}", facts.join(", "));
    let shown = if l.columns.len() <= NARROW {
        l.first.len() as u64
    } else {
        1
    };
    if l.rows > shown {
        let _ = write!(line, " ({shown} of {} rows)", l.rows);
    }
    if let Some(e) = l.evidence {
        let _ = write!(line, " [E{e}]");
    }
    line
}

fn short(value: &str) -> String {
    let one: String = value.split_whitespace().collect::<Vec<_>>().join(" ");
    if one.chars().count() <= 80 {
        one
    } else {
        format!("{}…", one.chars().take(79).collect::<String>())
    }
}

//! `case list` and `case search`: finding cases.

use crate::cli::view::{View, json, local};
use crate::store::export::Defang;
use crate::store::{CaseFilter, CaseSummary, StoreError};
use serde_json::{Value, json as value};
use std::io::Write;

/// The state of a case in a word.
pub(super) fn state_word(s: &CaseSummary) -> &'static str {
    match (s.deleted, s.running, s.closed, s.interrupted) {
        (true, ..) => "deleted",
        (_, true, ..) => "running",
        (_, _, true, _) => "closed",
        (_, _, _, true) => "interrupted",
        _ => "open",
    }
}

pub(super) fn list(
    filter: &CaseFilter,
    as_json: bool,
    view: &View<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let cases = view.store.read(|r| r.list_cases(filter))?;
    if as_json {
        json(out, &cases)?;
        return Ok(0);
    }
    if cases.is_empty() {
        writeln!(out, "{}", nothing(filter, view)?)?;
        return Ok(0);
    }
    let defang = Defang::plain();
    let rows: Vec<Vec<String>> = cases
        .iter()
        .map(|c| {
            vec![
                c.short.clone(),
                local(c.last_ms),
                state_word(c).into(),
                c.turns.to_string(),
                c.open_proposals.to_string(),
                view.line(&defang, &c.tags.join(","), 30),
                view.line(&defang, &c.title, 70),
            ]
        })
        .collect();
    view.table(
        out,
        &["case", "last", "state", "turns", "waiting", "tags", "title"],
        &rows,
    )?;
    Ok(0)
}

/// Why a list is empty, and what shows more.
fn nothing(filter: &CaseFilter, view: &View<'_>) -> Result<String, StoreError> {
    let wider = CaseFilter {
        deleted: true,
        open_only: false,
        limit: 0,
        ..filter.clone()
    };
    let hidden = view.store.read(|r| r.list_cases(&wider))?;
    let more = |what: String| format!("{what} `rmm-analyst case list --all` shows them.");
    Ok(match (hidden.len(), &filter.tag) {
        (0, None) => "No cases. `rmm-analyst ask \"…\"` opens one.".to_owned(),
        (0, Some(tag)) => format!(
            "No case has the tag {}.",
            view.line(&Defang::plain(), tag, 40)
        ),
        (n, tag) => {
            let closed = hidden.iter().filter(|c| c.closed && !c.deleted).count();
            let tagged = match tag {
                Some(tag) => format!(" with the tag {}", view.line(&Defang::plain(), tag, 40)),
                None => String::new(),
            };
            more(format!(
                "No open cases{tagged}; {closed} closed, {} deleted.",
                n - closed
            ))
        }
    })
}

pub(super) fn search(
    query: &str,
    limit: usize,
    as_json: bool,
    view: &View<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let mut hits = view.store.read(|r| r.search(query, view.principal))?;
    hits.truncate(limit);
    if as_json {
        let all: Vec<Value> = hits
            .iter()
            .map(|h| {
                value!({
                    "case": h.case, "short": h.case.short(), "title": h.title,
                    "kind": h.kind, "n": if h.n == 0 { None } else { Some(h.n) },
                    "snippet": h.snippet, "matched": h.matched,
                })
            })
            .collect();
        json(out, &all)?;
        return Ok(0);
    }
    if hits.is_empty() {
        writeln!(out, "Nothing found.")?;
    }
    let defang = Defang::plain();
    for h in hits {
        let place = match (h.kind.as_str(), h.n) {
            ("evidence", n) => format!("E{n}"),
            ("proposal", n) => format!("proposal {n}"),
            (kind, 0) => kind.to_owned(),
            (kind, n) => format!("turn {n}, {kind}"),
        };
        let title = view.line(&defang, h.title.as_str(), 60);
        writeln!(out, "{}  {place}  {title}", h.case.short())?;
        writeln!(out, "    {}", view.line(&defang, h.snippet.as_str(), 160))?;
    }
    Ok(0)
}

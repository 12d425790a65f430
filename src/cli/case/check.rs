//! `case verify`: the hash chain.

use crate::cli::view::{View, json, screen};
use crate::store::CaseId;
use std::io::Write;

pub(super) fn verify(
    case: Option<&str>,
    as_json: bool,
    view: &View<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let found = match case {
        Some(case) => view.with(case, |r, id| r.verify(Some(id)))?,
        None => view.store.read(|r| r.verify(None))?,
    };
    let code = if found.ok() { 0 } else { 3 };
    if as_json {
        json(out, &found.problems)?;
        return Ok(code);
    }
    for p in &found.problems {
        let place = p.case.as_ref().map_or("file", CaseId::short);
        let label = if p.kind.is_damage() {
            "PROBLEM"
        } else if p.kind == crate::store::ProblemKind::Notice {
            "note"
        } else {
            "warning"
        };
        writeln!(out, "{label}  {place}  {}", screen(&p.what))?;
    }
    let verdict = match (code, found.problems.iter().any(|p| p.kind.is_damage())) {
        (0, _) => "intact",
        (_, true) => "NOT intact",
        _ => "not fully verified",
    };
    writeln!(
        out,
        "{verdict}: {} cases, {} events ({} keyed), {} pieces of evidence",
        found.cases, found.events, found.keyed, found.evidence
    )?;
    Ok(code)
}

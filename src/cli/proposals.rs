//! `proposals`: what waits for a person.

use crate::case::{CaseState, Proposal, ProposalKind};
use crate::cli::view::{View, json};
use crate::store::export::Defang;
use crate::store::{CaseId, ProposalFilter, ProposalRow, StoreError};
use clap::Args;
use serde_json::{Value, json as value};
use std::collections::BTreeMap;
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst proposals
      What waits, in every case.
  rmm-analyst proposals 0198f2 --all --json
      Every proposal of one case, decided ones too, as JSON.";

/// Show what waits for a decision
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ProposalsArgs {
    /// Only this case (id or unique prefix)
    pub case: Option<String>,

    /// Decided and expired ones too
    #[arg(long)]
    pub all: bool,

    /// Print one JSON array
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
///
/// # Errors
/// [`StoreError`], or the output cannot be written.
pub fn run(args: &ProposalsArgs, view: &View<'_>, out: &mut dyn Write) -> anyhow::Result<u8> {
    let case = args.case.as_deref().map(|c| view.find(c)).transpose()?;
    let filter = ProposalFilter {
        case,
        principal: Some(view.principal.clone()),
        all: args.all,
    };
    let (rows, states) = read(&filter, view)?;
    let found: Vec<(&ProposalRow, &Proposal)> = rows
        .iter()
        .filter_map(|row| Some((row, states.get(&row.case)?.proposals.get(&row.n)?)))
        .collect();
    if args.json {
        let all: Vec<Value> = found
            .iter()
            .map(|(row, p)| {
                let mut one = proposal_json(p);
                one["case"] = value!(row.case);
                one
            })
            .collect();
        json(out, &all)?;
        return Ok(0);
    }
    if found.is_empty() {
        writeln!(out, "Nothing waits.")?;
        return Ok(0);
    }
    let defangs: BTreeMap<&CaseId, Defang> =
        states.iter().map(|(id, s)| (id, Defang::of(s))).collect();
    let plain = Defang::plain();
    let lines: Vec<Vec<String>> = found
        .iter()
        .map(|(row, p)| {
            let defang = defangs.get(&row.case).unwrap_or(&plain);
            let place = match (p.found_in, p.not_in_evidence) {
                (Some(e), _) => format!("E{e}"),
                (None, true) => "not in evidence".into(),
                (None, false) => "-".into(),
            };
            vec![
                p.n.to_string(),
                row.case.short().to_owned(),
                p.state.name().to_owned(),
                kind(p.kind).to_owned(),
                view.indicator(&p.indicator),
                place,
                view.line(defang, p.why.as_str(), 80),
            ]
        })
        .collect();
    view.table(
        out,
        &["n", "case", "state", "kind", "what", "found in", "why"],
        &lines,
    )?;
    Ok(0)
}

type Read = (Vec<ProposalRow>, BTreeMap<CaseId, CaseState>);

/// The proposals and, folded once, the cases they belong to, in one snapshot.
fn read(filter: &ProposalFilter, view: &View<'_>) -> Result<Read, StoreError> {
    view.store.read(|r| {
        let rows = r.open_proposals(filter)?;
        let mut states = BTreeMap::new();
        for row in &rows {
            if !states.contains_key(&row.case) {
                states.insert(row.case.clone(), r.case(&row.case)?);
            }
        }
        Ok((rows, states))
    })
}

const fn kind(kind: ProposalKind) -> &'static str {
    match kind {
        ProposalKind::Pivot => "pivot",
        ProposalKind::Job => "job",
        ProposalKind::DeviceOperation => "device_operation",
        ProposalKind::Task => "task",
        ProposalKind::Check => "check",
        ProposalKind::Policy => "policy",
    }
}

/// A proposal in the form of `ask --json`.
pub(crate) fn proposal_json(p: &Proposal) -> Value {
    value!({
        "n": p.n, "kind": kind(p.kind), "state": p.state.name(),
        "type": p.indicator.kind().name(), "value": p.indicator.value(), "why": p.why,
        "found_in": p.found_in.map(|e| format!("E{e}")),
        "not_in_evidence": p.not_in_evidence, "turn": p.turn, "reason": p.reason,
        "digest": null,
    })
}

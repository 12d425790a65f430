//! `proposals`: what waits for a person.

use crate::case::{CaseState, Proposal, ProposalKind};
use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::session::Session;
use crate::cli::view::{View, json, local};
use crate::engine::actions::ActionRow;
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
///
/// Pivots (new indicators to look up) and actions on machines. A pivot is approved by its number; an action by its number and digest, one by one: `approve N` without a digest shows the whole card. Actions that touch a device outside of your scope are not listed.
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

/// Runs the command: what has expired is closed first.
///
/// # Errors
/// No such case, or the database.
pub fn list(args: &ProposalsArgs, session: &mut Session) -> Result<Exit, Error> {
    let (engine, loaded) = session.engine(&[])?;
    let case = args
        .case
        .as_deref()
        .map(|c| engine.store.read(|r| r.find_case(c, &engine.principal)))
        .transpose()?;
    let actions = engine.actions(case.as_ref(), args.all)?;
    let view = View {
        store: &engine.store,
        principal: &engine.principal,
        now_ms: crate::engine::now_ms(),
        defang: loaded.config.ui.defang,
        redact: session.out.redactor(),
        width: session.out.width(),
    };
    let mut text = Vec::new();
    let code = with_actions(args, &actions, &view, &mut text).map_err(super::open::from_any)?;
    session.out.generated(&text)?;
    Ok(Exit::from_code(code))
}

/// The pivots alone.
///
/// # Errors
/// [`StoreError`], or the output cannot be written.
pub fn run(args: &ProposalsArgs, view: &View<'_>, out: &mut dyn Write) -> anyhow::Result<u8> {
    with_actions(args, &[], view, out)
}

/// Pivots and these actions.
///
/// # Errors
/// [`StoreError`], or the output cannot be written.
pub fn with_actions(
    args: &ProposalsArgs,
    actions: &[ActionRow],
    view: &View<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
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
        let mut all: Vec<(u64, Value)> = found
            .iter()
            .map(|(row, p)| {
                let mut one = proposal_json(p);
                one["case"] = value!(row.case);
                (p.n, one)
            })
            .chain(actions.iter().map(|a| (a.n, action_json(a))))
            .collect();
        all.sort_by_key(|(n, _)| *n);
        let all: Vec<Value> = all.into_iter().map(|(_, one)| one).collect();
        json(out, &all)?;
        return Ok(0);
    }
    if found.is_empty() && actions.is_empty() {
        writeln!(out, "Nothing waits.")?;
        return Ok(0);
    }
    if !found.is_empty() {
        pivots(&found, &states, view, out)?;
    }
    if !actions.is_empty() {
        if !found.is_empty() {
            writeln!(out)?;
        }
        writeln!(
            out,
            "Actions on machines (nothing has happened; rmm-analyst approve N shows the card):"
        )?;
        action_table(actions, args.all, view, out)?;
    }
    Ok(0)
}

/// Most digits of a digest in a table.
const DIGITS: usize = 16;

fn action_table(
    actions: &[ActionRow],
    all: bool,
    view: &View<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let plain = Defang::plain();
    let lines: Vec<Vec<String>> = actions
        .iter()
        .map(|a| {
            let mut state = a.state.to_owned();
            if a.state == "open" && !a.may_decide {
                state.push_str(" (not yours to decide)");
            }
            if !a.status.is_empty() && a.status != a.state {
                state = format!("{state}, {}", a.status);
            }
            if !a.detail.as_str().is_empty() {
                state = format!("{state}: {}", view.line(&plain, a.detail.as_str(), 60));
            }
            let case = a
                .case
                .as_deref()
                .and_then(CaseId::parse)
                .map_or_else(|| "-".to_owned(), |c| c.short().to_owned());
            let count = if a.count { ", typed" } else { "" };
            let when = match (all, a.decided_ms) {
                (true, Some(at)) if a.decided_by.is_empty() => local(at),
                (true, Some(at)) => format!("{} by {}", local(at), a.decided_by),
                _ => format!("expires {}", local(a.expires_ms)),
            };
            vec![
                a.n.to_string(),
                case,
                state,
                a.kind.to_owned(),
                format!("{}{count}", a.devices),
                a.digest.chars().take(DIGITS).collect(),
                when,
                view.line(&plain, a.title.as_str(), 100),
            ]
        })
        .collect();
    view.table(
        out,
        &[
            "n", "case", "state", "kind", "devices", "digest", "when", "what",
        ],
        &lines,
    )?;
    Ok(())
}

fn pivots(
    found: &[(&ProposalRow, &Proposal)],
    states: &BTreeMap<CaseId, CaseState>,
    view: &View<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
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
    Ok(())
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

/// An action in the form of `ask --json`, with what a list over all cases adds.
pub(crate) fn action_json(a: &ActionRow) -> Value {
    value!({
        "n": a.n, "kind": a.kind, "state": a.state, "type": a.tool, "value": a.title, "why": a.why,
        "found_in": null, "not_in_evidence": false, "turn": null, "reason": some(a.reason.as_str()),
        "digest": a.digest, "devices": a.devices, "count": a.count, "id": a.id, "case": a.case,
        "proposed_by": a.proposed_by, "by_model": a.by_model, "proposed_ms": a.proposed_ms,
        "expires_ms": a.expires_ms, "may_decide": a.may_decide, "decided_by": some(&a.decided_by),
        "decided_ms": a.decided_ms, "status": some(&a.status), "detail": some(a.detail.as_str()),
    })
}

fn some(text: &str) -> Option<&str> {
    Some(text).filter(|t| !t.is_empty())
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

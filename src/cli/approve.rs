//! `approve` and `deny`: a person decides.

use crate::case::{Body, ProposalKind, ProposalState};
use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::output::{Own, Text};
use crate::cli::session::Session;
use crate::cli::target::{self, Targets};
use crate::engine::Engine;
use crate::engine::decide::Decision;
use crate::store::CaseId;
use clap::Args;

const APPROVE_EXAMPLES: &str = "\
Examples:
  rmm-analyst proposals
      Shows what waits, with numbers and digests.
  rmm-analyst approve 17 18
      Approves two pivots; then: rmm-analyst ask --continue
  rmm-analyst approve 0198f2 --all
      Approves every open pivot of one case.
  rmm-analyst approve 23 --digest 9f2c41aa --count 12
      Approves an action: the digest that `proposals` shows, and how many devices it concerns.";

/// Approve proposals
///
/// A pivot is approved by its number. An action on machines also needs the digest that `proposals` shows, so that what is approved is what was read, and the number of devices where that is asked for. A first argument that is not a number is a case (id or unique prefix) and restricts to it.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = APPROVE_EXAMPLES)]
pub struct ApproveArgs {
    /// Numbers of proposals, after an optional case
    #[arg(required = true, value_name = "[CASE] N")]
    pub targets: Vec<String>,

    /// Every open pivot of the case (never an action)
    #[arg(long, conflicts_with_all = ["digest", "count"])]
    pub all: bool,

    /// The digest that `proposals` shows for an action
    #[arg(long, value_name = "HEX")]
    pub digest: Option<String>,

    /// How many devices the action concerns, where it asks for that
    #[arg(long, value_name = "K", requires = "digest")]
    pub count: Option<u64>,

    /// Print the decided proposals as JSON
    #[arg(long)]
    pub json: bool,
}

const DENY_EXAMPLES: &str = "\
Examples:
  rmm-analyst deny 18
      Keeps the indicator of proposal 18 out of this case.
  rmm-analyst deny 0198f2 17 18 --reason \"our own scanner\"
      Denies two proposals of one case; the model is told the reason.
  rmm-analyst deny 0198f2 --all
      Denies every open pivot of one case.";

/// Deny proposals
///
/// What is denied stays out: the model is told, and asking again is refused. A pivot that was approved before is taken back: what was looked up stays, and nothing more is.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = DENY_EXAMPLES)]
pub struct DenyArgs {
    /// Numbers of proposals, after an optional case
    #[arg(required = true, value_name = "[CASE] N")]
    pub targets: Vec<String>,

    /// Every open pivot of the case
    #[arg(long)]
    pub all: bool,

    /// Why; the model is told
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,

    /// Print the decided proposals as JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs `approve`.
///
/// # Errors
/// A number that does not exist, an action without its digest.
pub fn approve(args: ApproveArgs, session: &mut Session) -> Result<Exit, Error> {
    let targets = target::read(&args.targets, !args.all)?;
    if args.digest.is_some() {
        return Err(Error::user("there is no action with this digest")
            .why("only pivots can wait in this version; they are approved by number alone")
            .hint("rmm-analyst proposals shows what waits"));
    }
    let (engine, _) = session.engine(&[])?;
    let numbers = numbers(&engine, &targets, args.all, "approve")?;
    let decided = engine.decide(targets.case.as_deref(), &numbers, true, None, "cli")?;
    let rows: Vec<Row> = decided.into_iter().map(Row::of).collect();
    print(&rows, args.json, true, session)
}

/// Runs `deny`.
///
/// # Errors
/// A number that does not exist.
pub fn deny(args: DenyArgs, session: &mut Session) -> Result<Exit, Error> {
    let targets = target::read(&args.targets, !args.all)?;
    let (engine, _) = session.engine(&[])?;
    let numbers = numbers(&engine, &targets, args.all, "deny")?;
    let decided = engine.decide(
        targets.case.as_deref(),
        &numbers,
        false,
        args.reason.as_deref(),
        "cli",
    )?;
    let mut rows = Vec::with_capacity(decided.len());
    for decision in decided {
        let mut row = Row::of(decision);
        if row.before && row.state == ProposalState::Approved.name() {
            take_back(&mut row, &engine)?;
        }
        rows.push(row);
    }
    print(&rows, args.json, false, session)
}

/// The numbers that are named, or with `--all` those of every open pivot of the case.
fn numbers(engine: &Engine, targets: &Targets, all: bool, verb: &str) -> Result<Vec<u64>, Error> {
    if !all {
        return Ok(targets.numbers.clone());
    }
    let Some(case) = &targets.case else {
        return Err(Error::user("--all needs a case")
            .hint(format!("for example: rmm-analyst {verb} CASE --all")));
    };
    let id = engine
        .store
        .read(|r| r.find_case(case, &engine.principal))?;
    let state = engine.store.read(|r| r.case(&id))?;
    let numbers: Vec<u64> = state
        .open_proposals()
        .filter(|p| p.kind == ProposalKind::Pivot)
        .map(|p| p.n)
        .collect();
    if numbers.is_empty() {
        return Err(Error::user("nothing is open in this case")
            .hint("rmm-analyst proposals shows what waits"));
    }
    Ok(numbers)
}

/// Withdraws the authorization that an approved pivot gave, once.
fn take_back(row: &mut Row, engine: &Engine) -> Result<(), Error> {
    row.state = REVOKED;
    let (case, indicator) = (row.case.clone(), row.indicator.clone());
    let principal = engine.principal.name.clone();
    let now = crate::engine::now_ms();
    row.before = engine.store.write(move |tx| {
        if !tx.case(&case)?.authorized.contains_key(&indicator) {
            return Ok(true);
        }
        let body = Body::Revoked {
            indicator,
            principal,
        };
        tx.append(&case, now, &[body])?;
        Ok(false)
    })?;
    Ok(())
}

/// The state of an approved pivot whose authorization was withdrawn.
const REVOKED: &str = "revoked";

/// What became of one proposal.
struct Row {
    n: u64,
    case: CaseId,
    indicator: kit::Indicator,
    state: &'static str,
    /// It was so before; nothing changed.
    before: bool,
}

impl Row {
    fn of(d: Decision) -> Self {
        Self {
            n: d.n,
            case: d.case,
            indicator: d.indicator,
            state: d.state.name(),
            before: d.before,
        }
    }
}

fn print(decided: &[Row], json: bool, approve: bool, session: &mut Session) -> Result<Exit, Error> {
    let out = &mut session.out;
    if json {
        let rows: Vec<serde_json::Value> = decided
            .iter()
            .map(|d| {
                serde_json::json!({
                    "n": d.n, "case": d.case.as_str(), "kind": "pivot", "state": d.state,
                    "type": d.indicator.kind().name(), "value": d.indicator.value(), "before": d.before,
                })
            })
            .collect();
        out.json(&rows)?;
    } else {
        for d in decided {
            let value = out.outside(d.indicator.defanged());
            let line = Text::new().then(Own(format!("{} ", d.n))).then(value);
            let line = if d.before {
                line.then(Own(format!(": was {} before, nothing changed", d.state)))
            } else {
                line.then(Own(format!(": {}", d.state)))
            };
            out.line(line)?;
        }
    }
    let mut cases: Vec<_> = decided
        .iter()
        .filter(|d| d.state == ProposalState::Approved.name())
        .map(|d| d.case.clone())
        .collect();
    cases.dedup();
    if approve {
        for case in cases {
            out.note(Own(format!(
                "go on with: rmm-analyst ask --case {} --continue",
                case.short()
            )));
        }
    }
    let changed = decided.iter().any(|d| !d.before);
    Ok(if changed { Exit::Ok } else { Exit::Usage })
}

//! `approve` and `deny`: a person decides.

use crate::case::{Body, ProposalKind, ProposalState};
use crate::cli::card;
use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::output::{Own, Text};
use crate::cli::session::Session;
use crate::cli::target::{self, Targets};
use crate::engine::Engine;
use crate::engine::actions::{ActionCard, ActionDone};
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
  rmm-analyst approve 23
      Shows the whole card of an action, and the command that approves it.
  rmm-analyst approve 23 --digest 9f2c41aa --count 12
      Approves an action: the digest that its card shows, and how many devices it concerns.";

/// Approve proposals
///
/// A pivot is approved by its number. An action on machines also needs the digest that its card shows, so that what is approved is what was read, and the number of devices where that is asked for; without the digest the card is printed and nothing is approved (exit 2). Actions are approved one at a time, with the rights of whoever approves. A first argument that is not a number is a case (id or unique prefix) and restricts to it.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = APPROVE_EXAMPLES)]
pub struct ApproveArgs {
    /// Numbers of proposals, after an optional case
    #[arg(required = true, value_name = "[CASE] N")]
    pub targets: Vec<String>,

    /// Every open pivot of the case (never an action)
    #[arg(long, conflicts_with_all = ["digest", "count"])]
    pub all: bool,

    /// The digest that the card of an action shows, or its first 8 digits or more
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
      Keeps the indicator of proposal 18 out of this case, or the action 18 from happening.
  rmm-analyst deny 0198f2 17 18 --reason \"our own scanner\"
      Denies two proposals of one case; the model is told the reason.
  rmm-analyst deny 0198f2 --all
      Denies every open pivot of one case.";

/// Deny proposals
///
/// What is denied stays out, and an action that is denied does not happen: the model is told, and asking again is refused. A pivot that was approved before is taken back: what was looked up stays, and nothing more is.
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
    let (engine, _) = session.engine(&[])?;
    if let Some(digest) = &args.digest {
        return act(&args, &targets, digest, &engine, session);
    }
    if let [n] = targets.numbers.as_slice()
        && !args.all
        && let Some(card) = action_of(&engine, &targets, *n)?
    {
        return card::print(&card, args.json, &mut session.out).map(|()| Exit::Usage);
    }
    let numbers = numbers(&engine, &targets, args.all, "approve")?;
    let decided = engine.decide(targets.case.as_deref(), &numbers, true, None, "cli")?;
    let rows: Vec<Row> = decided.into_iter().map(Row::of).collect();
    print(&rows, args.json, true, session)
}

/// Approves one action.
fn act(
    args: &ApproveArgs,
    targets: &Targets,
    digest: &str,
    engine: &Engine,
    session: &mut Session,
) -> Result<Exit, Error> {
    let [n] = targets.numbers.as_slice() else {
        return Err(Error::user("a digest is of one action")
            .why("actions are approved one at a time")
            .hint("rmm-analyst approve N --digest HEX"));
    };
    let count = args.count.map(|k| u32::try_from(k).unwrap_or(u32::MAX));
    let case = case_of(engine, targets)?;
    let pivot = engine.store.read(|r| Ok(r.proposal(*n).is_ok()))?;
    if pivot && !engine.runner().is_action(*n)? {
        return Err(
            Error::user(format!("proposal {n} is a pivot, which has no digest"))
                .hint(format!("rmm-analyst approve {n}")),
        );
    }
    let done = engine.approve_action(case.as_ref(), *n, digest, count, "cli")?;
    told(&[done], args.json, true, session)?;
    Ok(Exit::Ok)
}

fn case_of(engine: &Engine, targets: &Targets) -> Result<Option<CaseId>, Error> {
    let found = targets
        .case
        .as_deref()
        .map(|c| engine.store.read(|r| r.find_case(c, &engine.principal)))
        .transpose()?;
    Ok(found)
}

/// The card where the number is an action (of the case that is named, where one is).
fn action_of(engine: &Engine, targets: &Targets, n: u64) -> Result<Option<ActionCard>, Error> {
    engine.sweep_actions()?;
    let Some(card) = engine.action_card(n)? else {
        return Ok(None);
    };
    let case = case_of(engine, targets)?;
    let here = case
        .as_ref()
        .is_none_or(|c| card.case.as_deref() == Some(c.as_str()));
    Ok(here.then_some(card))
}

/// What became of actions.
fn told(
    done: &[ActionDone],
    json: bool,
    approve: bool,
    session: &mut Session,
) -> Result<(), Error> {
    let out = &mut session.out;
    if json {
        let rows: Vec<serde_json::Value> = done.iter().map(done_json).collect();
        return out.json(&rows);
    }
    for d in done {
        let line = Text::new()
            .then(Own(format!("{} ", d.n)))
            .then(out.outside_line(d.title.as_str()));
        let words = match (approve, d.status) {
            (false, _) => ": denied; nothing has happened".to_owned(),
            (true, "approved") => format!(": approved; {} waits for its executor", d.id),
            (true, status) => format!(": approved, {status}"),
        };
        let mut line = line.then(Own(words));
        if !d.detail.as_str().is_empty() {
            line = line.then(": ").then(out.outside_line(d.detail.as_str()));
        }
        out.line(line)?;
        if let Some(case) = d.case.as_ref().filter(|_| approve) {
            out.note(Own(format!(
                "the model is told with: rmm-analyst ask --case {} --continue",
                case.short()
            )));
        }
    }
    Ok(())
}

/// A decided action in JSON.
pub(super) fn done_json(d: &ActionDone) -> serde_json::Value {
    serde_json::json!({
        "n": d.n, "case": d.case.as_ref().map(CaseId::as_str), "kind": d.kind, "id": d.id, "title": d.title,
        "state": if d.status == "rejected" { "denied" } else { "approved" }, "status": d.status,
        "detail": d.detail, "before": false,
    })
}

/// Runs `deny`.
///
/// # Errors
/// A number that does not exist.
pub fn deny(args: DenyArgs, session: &mut Session) -> Result<Exit, Error> {
    let targets = target::read(&args.targets, !args.all)?;
    let (engine, _) = session.engine(&[])?;
    let numbers = numbers(&engine, &targets, args.all, "deny")?;
    let mut actions = Vec::new();
    let mut pivots = Vec::new();
    for n in numbers {
        match action_of(&engine, &targets, n)? {
            Some(_) => actions.push(n),
            None => pivots.push(n),
        }
    }
    let numbers = pivots;
    let case = case_of(&engine, &targets)?;
    let mut denied = Vec::with_capacity(actions.len());
    for n in actions {
        let reason = args.reason.as_deref().unwrap_or_default();
        denied.push(engine.deny_action(case.as_ref(), n, reason, "cli")?);
    }
    if numbers.is_empty() && !denied.is_empty() {
        told(&denied, args.json, false, session)?;
        return Ok(Exit::Ok);
    }
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
    if args.json && !denied.is_empty() {
        let all: Vec<serde_json::Value> = rows
            .iter()
            .map(Row::json)
            .chain(denied.iter().map(done_json))
            .collect();
        session.out.json(&all)?;
        return Ok(Exit::Ok);
    }
    told(&denied, false, false, session)?;
    let exit = print(&rows, args.json, false, session)?;
    Ok(if denied.is_empty() { exit } else { Exit::Ok })
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

    fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "n": self.n, "case": self.case.as_str(), "kind": "pivot", "state": self.state,
            "type": self.indicator.kind().name(), "value": self.indicator.value(), "before": self.before,
        })
    }
}

fn print(decided: &[Row], json: bool, approve: bool, session: &mut Session) -> Result<Exit, Error> {
    let out = &mut session.out;
    if json {
        let rows: Vec<serde_json::Value> = decided.iter().map(Row::json).collect();
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

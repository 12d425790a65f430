//! `jobs` and `ops`: what runs on devices, and what was done to devices in the fleet.

use crate::cli::card;
use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::fleet_table;
use crate::cli::output::{Own, Text};
use crate::cli::session::Session;
use crate::engine::Engine;
use crate::engine::actions::{Work, WorkFilter};
use clap::{Args, Subcommand};
use serde_json::json;

const JOBS_EXAMPLES: &str = "\
Examples:
  rmm-analyst jobs list --status awaiting_approval
  rmm-analyst jobs show j-7
  rmm-analyst jobs cancel j-7 --reason \"wrong server\"
  rmm-analyst jobs approve-canary j-7";

/// List, show and stop jobs, and let them go on behind their canary
///
/// A job is something that runs on devices. It begins as a proposal (`proposals`, `approve`); jobs that touch a device outside of your scope are not shown.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = JOBS_EXAMPLES)]
pub struct JobsArgs {
    /// What to do
    #[command(subcommand)]
    pub command: JobsCommand,
}

/// The verbs of `jobs`.
#[derive(Clone, Debug, Subcommand)]
pub enum JobsCommand {
    /// List jobs, newest first, a page at a time
    #[command(
        after_long_help = "Examples:\n  rmm-analyst jobs list --client Contoso --status failed\n  rmm-analyst jobs list --case 0198f2 --json"
    )]
    List(ListArgs),
    /// Show one job: its card, and how it went on each device
    #[command(
        after_long_help = "Examples:\n  rmm-analyst jobs show j-7\n  rmm-analyst jobs show j-7 --json"
    )]
    Show(ShowArgs),
    /// Stop a job
    ///
    /// One that waits for approval is rejected, one that has not begun is cancelled, a running one is asked to stop.
    #[command(
        after_long_help = "Examples:\n  rmm-analyst jobs cancel j-7\n  rmm-analyst jobs cancel j-7 --reason \"wrong server\" --json"
    )]
    Cancel {
        /// The job (j-7)
        #[arg(value_name = "JOB")]
        id: String,
        /// Why; it stands in the audit
        #[arg(long, value_name = "TEXT", default_value = "")]
        reason: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Let a job go on to the devices that wait behind its canary
    ///
    /// Without --digest it shows how the canary went and the command that releases the rest, and releases nothing (exit 2).
    #[command(
        after_long_help = "Examples:\n  rmm-analyst jobs approve-canary\n      What waits behind a canary.\n  rmm-analyst jobs approve-canary j-7 --digest 9f2c41aa --count 40"
    )]
    ApproveCanary {
        /// The job (j-7); none: every job that waits
        #[arg(value_name = "JOB")]
        id: Option<String>,
        /// The digest of the job, or its first 8 digits or more
        #[arg(long, value_name = "HEX", requires = "id")]
        digest: Option<String>,
        /// How many devices wait, where that is asked for
        #[arg(long, value_name = "K", requires = "digest")]
        count: Option<u32>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

const OPS_EXAMPLES: &str = "\
Examples:
  rmm-analyst ops list --status succeeded
  rmm-analyst ops show o-3 --json";

/// List and show moves and deletions of devices
#[derive(Clone, Debug, Args)]
#[command(after_long_help = OPS_EXAMPLES)]
pub struct OpsArgs {
    /// What to do
    #[command(subcommand)]
    pub command: OpsCommand,
}

/// The verbs of `ops`.
#[derive(Clone, Debug, Subcommand)]
pub enum OpsCommand {
    /// List moves and deletions, newest first, a page at a time
    #[command(
        after_long_help = "Examples:\n  rmm-analyst ops list\n  rmm-analyst ops list --status awaiting_approval --json"
    )]
    List(ListArgs),
    /// Show one: its card, and how it went for each device
    #[command(
        after_long_help = "Examples:\n  rmm-analyst ops show o-3\n  rmm-analyst ops show o-3 --json"
    )]
    Show(ShowArgs),
}

/// Which rows.
#[derive(Clone, Debug, Args)]
pub struct ListArgs {
    /// Only with this status, as in awaiting_approval, succeeded or failed
    #[arg(long, value_name = "STATUS")]
    pub status: Option<String>,
    /// Only of this client (id or name)
    #[arg(long, value_name = "CLIENT")]
    pub client: Option<String>,
    /// Only from this case (id or unique prefix)
    #[arg(long, value_name = "ID")]
    pub case: Option<String>,
    /// Rows on a page
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=500))]
    pub limit: u32,
    /// Which page, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub page: u32,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Which one.
#[derive(Clone, Debug, Args)]
pub struct ShowArgs {
    /// Its id, as listed
    #[arg(value_name = "ID")]
    pub id: String,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Runs `jobs`.
///
/// # Errors
/// No such job, a missing permission, or the database.
pub fn jobs(args: JobsArgs, session: &mut Session) -> Result<Exit, Error> {
    match args.command {
        JobsCommand::List(a) => list(Work::Jobs, &a, session),
        JobsCommand::Show(a) => show(Work::Jobs, &a, session),
        JobsCommand::Cancel { id, reason, json } => {
            let (engine, _) = session.engine(&[])?;
            let (status, detail) = engine.runner().cancel_job(&id, &reason)?;
            if json {
                session
                    .out
                    .json(&json!({ "job": id.trim(), "status": status, "detail": detail }))?;
            } else {
                let line = Text::new()
                    .then(session.out.outside_line(id.trim()))
                    .then(Own(format!(": {status}")));
                let line = if detail.is_empty() {
                    line
                } else {
                    line.then(": ").then(session.out.outside_line(detail))
                };
                session.out.line(line)?;
            }
            Ok(Exit::Ok)
        }
        JobsCommand::ApproveCanary {
            id,
            digest,
            count,
            json,
        } => canary(id.as_deref(), digest.as_deref(), count, json, session),
    }
}

/// Runs `ops`.
///
/// # Errors
/// As [`jobs`].
pub fn ops(args: OpsArgs, session: &mut Session) -> Result<Exit, Error> {
    match args.command {
        OpsCommand::List(a) => {
            if a.client.is_some() {
                return Err(
                    Error::user("moves and deletions may concern several clients")
                        .why("they are not listed by client")
                        .hint("leave --client out; rmm-analyst ops show ID names the devices"),
                );
            }
            list(Work::Operations, &a, session)
        }
        OpsCommand::Show(a) => show(Work::Operations, &a, session),
    }
}

const NARROW: &[&str] = &[
    "job",
    "operation",
    "kind",
    "title",
    "to",
    "status",
    "devices",
    "proposal",
    "why",
];

fn list(of: Work, args: &ListArgs, session: &mut Session) -> Result<Exit, Error> {
    let (engine, _) = session.engine(&[])?;
    engine.sweep_actions()?;
    let case = args
        .case
        .as_deref()
        .map(|c| engine.store.read(|r| r.find_case(c, &engine.principal)))
        .transpose()?;
    let filter = WorkFilter {
        status: args.status.clone(),
        client: args.client.clone(),
        case,
        limit: args.limit,
        page: args.page,
        ..WorkFilter::default()
    };
    let shown = engine.runner().work(of, &filter)?;
    if args.json {
        fleet_table::print_json(&mut session.out, &shown, &[])?;
    } else {
        fleet_table::print(&mut session.out, &shown, Some(NARROW))?;
    }
    Ok(Exit::Ok)
}

/// Shows the card of a row's proposal, and how it went for each device.
///
/// # Errors
/// No such row, a missing permission, or the database.
pub fn show(of: Work, args: &ShowArgs, session: &mut Session) -> Result<Exit, Error> {
    let (engine, _) = session.engine(&[])?;
    engine.sweep_actions()?;
    let shown = engine.runner().work_devices(of, &args.id)?;
    let n = engine.runner().work_proposal(of, &args.id)?;
    let Some(found) = engine.action_card(n)? else {
        return Err(
            Error::user(format!("there is no {} {} here", of.one(), args.id.trim()))
                .hint(format!("rmm-analyst {} list shows them", of.command())),
        );
    };
    if args.json {
        let mut value = card::json(&found)?;
        if let Some(shown) = &shown {
            value["said"] = json!(shown.said);
            value["results"] = json!(shown.json);
        }
        session.out.json(&value)?;
        return Ok(Exit::Ok);
    }
    card::lines(&found, &mut session.out)?;
    if let Some(shown) = &shown {
        session.out.line("")?;
        fleet_table::print(&mut session.out, shown, None)?;
    }
    Ok(Exit::Ok)
}

fn canary(
    id: Option<&str>,
    digest: Option<&str>,
    count: Option<u32>,
    json: bool,
    session: &mut Session,
) -> Result<Exit, Error> {
    let (engine, _) = session.engine(&[])?;
    let waiting = engine.runner().canaries()?;
    let Some(id) = id.map(str::trim) else {
        if json {
            session.out.json(&waiting)?;
            return Ok(Exit::Ok);
        }
        if waiting.is_empty() {
            session.out.line("Nothing waits behind a canary.")?;
        }
        for w in &waiting {
            told(w, session)?;
        }
        return Ok(Exit::Ok);
    };
    if let Some(digest) = digest {
        return release(&engine, id, digest, count, json, session);
    }
    let Some(w) = waiting.iter().find(|w| w.id == id) else {
        // Words for why: no such job, or one of which nothing waits.
        engine.runner().work_proposal(Work::Jobs, id)?;
        return Err(
            Error::user(format!("nothing of {id} waits behind a canary"))
                .hint(format!("rmm-analyst jobs show {id} says how it stands")),
        );
    };
    if json {
        session.out.json(w)?;
    } else {
        told(w, session)?;
        session.out.warn("nothing was released");
    }
    Ok(Exit::Usage)
}

fn release(
    engine: &Engine,
    id: &str,
    digest: &str,
    count: Option<u32>,
    json: bool,
    session: &mut Session,
) -> Result<Exit, Error> {
    let n = engine.runner().work_proposal(Work::Jobs, id)?;
    let done = engine.release_canary(n, digest, count, "cli")?;
    if json {
        session.out.json(&super::approve::done_json(&done))?;
        return Ok(Exit::Ok);
    }
    let mut line = Text::new()
        .then(Own(format!("{} {}: ", done.id, done.status)))
        .then(session.out.outside_line(done.title.as_str()));
    if !done.detail.as_str().is_empty() {
        line = line
            .then(": ")
            .then(session.out.outside_line(done.detail.as_str()));
    }
    session.out.line(line)?;
    Ok(Exit::Ok)
}

fn told(w: &crate::engine::actions::Canary, session: &mut Session) -> Result<(), Error> {
    let out = &mut session.out;
    let line = Text::new()
        .then(Own(format!("{}  ", w.id)))
        .then(out.outside_line(w.title.as_str()))
        .then(Own(format!(
            "  canary: {} of {} ended well; {} devices wait",
            w.well, w.of, w.devices
        )));
    out.line(line)?;
    if w.ready {
        let count = if w.count {
            format!(" --count {}", w.devices)
        } else {
            String::new()
        };
        out.note(Own(format!(
            "release the rest: rmm-analyst jobs approve-canary {} --digest {}{count}",
            w.id, w.digest
        )));
    } else {
        out.note(Own(format!(
            "it cannot be released, for the canary did not end well: rmm-analyst jobs show {0}, then rmm-analyst jobs cancel {0}",
            w.id
        )));
    }
    Ok(())
}

//! `audit`: the trail of every act, refusal and approval in the fleet.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::export::{Target, made_and_opened};
use crate::cli::output::{Output, Own};
use crate::cli::report::{Form, ask, given, print, refused};
use crate::cli::session::Session;
use crate::cli::view::{local, screen};
use crate::engine::Engine;
use crate::engine::reports::Checked;
use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};

const EXAMPLES: &str = "\
Examples:
  rmm-analyst audit summary
      Who did what how often in the last 7 days.
  rmm-analyst audit list --action job.approve --since 24h
      Approvals since yesterday, newest first.
  rmm-analyst audit verify
      Every row is held against its hash; exit 3 when something does not fit.
  rmm-analyst audit export --since 2026-01-01 --out audit.csv
      Every row that fits.";

/// Show, check and export the audit trail of the fleet
///
/// The trail is append-only and hash-chained. It is for principals of the whole fleet with audit.view: one with a scope is refused.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct AuditArgs {
    /// What to do
    #[command(subcommand)]
    pub command: AuditCommand,
}

/// The verbs of `audit`.
#[derive(Clone, Debug, Subcommand)]
pub enum AuditCommand {
    /// Show entries, newest first
    #[command(
        after_long_help = "Examples:\n  rmm-analyst audit list\n  rmm-analyst audit list --target d-12 --json\n  rmm-analyst audit list --before 4711"
    )]
    List {
        /// Which entries
        #[command(flatten)]
        which: Which,
        /// At most so many, 50 unless given
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
        limit: Option<u32>,
        /// Only entries before this number: the next page
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..))]
        before: Option<i64>,
        /// How to print it
        #[command(flatten)]
        form: Form,
    },
    /// Count entries by actor and family of actions, in the last 7 days unless --since or --until is given
    #[command(
        after_long_help = "Examples:\n  rmm-analyst audit summary\n  rmm-analyst audit summary --since 30d --action export --json"
    )]
    Summary {
        /// Which entries
        #[command(flatten)]
        which: Which,
        /// How to print it
        #[command(flatten)]
        form: Form,
    },
    /// Hold every entry against its hash, and the end of the trail against what is kept of it
    ///
    /// Exit codes: 0 when everything fits; 3 when a row was changed, a row is missing, the end was cut, or a row cannot be checked because its key is not at hand.
    #[command(
        after_long_help = "Examples:\n  rmm-analyst audit verify\n  rmm-analyst audit verify --json"
    )]
    Verify {
        /// Where only the kept counts of days do not fit, make them anew from the entries
        #[arg(long)]
        repair: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Write every entry that fits as CSV
    #[command(
        after_long_help = "Examples:\n  rmm-analyst audit export --out audit.csv\n  rmm-analyst audit export --actor anna --since 30d --out - | head"
    )]
    Export {
        /// Which entries
        #[command(flatten)]
        which: Which,
        /// Where to
        #[command(flatten)]
        target: Target,
    },
}

/// Which entries; all that is given must fit.
#[derive(Clone, Debug, Default, Args)]
pub struct Which {
    /// Only what this principal did
    #[arg(long, value_name = "NAME")]
    pub actor: Option<String>,
    /// Only this action (`job.approve`) or family of actions (`job`)
    #[arg(long, value_name = "ACTION")]
    pub action: Option<String>,
    /// Only what was done to this: an id such as `d-12` or `j-7`
    #[arg(long, value_name = "ID")]
    pub target: Option<String>,
    /// From when on: 2026-01-31T12:00:00Z, 2026-01-31, or back from now as `7d`, `24h`, `30m`
    #[arg(long, value_name = "WHEN")]
    pub since: Option<String>,
    /// Until when, in the same forms
    #[arg(long, value_name = "WHEN")]
    pub until: Option<String>,
}

impl Which {
    fn arguments(&self) -> Map<String, Value> {
        given([
            ("actor", self.actor.as_ref()),
            ("action", self.action.as_ref()),
            ("target", self.target.as_ref()),
            ("since", self.since.as_ref()),
            ("until", self.until.as_ref()),
        ])
    }
}

/// Runs the command.
///
/// # Errors
/// Access, a moment that cannot be read, or the database.
pub fn run(args: AuditArgs, session: &mut Session) -> Result<Exit, Error> {
    let (engine, _) = session.engine(&[])?;
    match args.command {
        AuditCommand::List {
            which,
            limit,
            before,
            form,
        } => {
            let mut arguments = which.arguments();
            arguments.insert("mode".into(), json!("entries"));
            if let Some(limit) = limit {
                arguments.insert("limit".into(), json!(limit));
            }
            if let Some(before) = before {
                arguments.insert("before".into(), json!(before));
            }
            show(&engine, arguments, form, &mut session.out)
        }
        AuditCommand::Summary { which, form } => {
            show(&engine, which.arguments(), form, &mut session.out)
        }
        AuditCommand::Verify { repair, json } => verify(&engine, repair, json, &mut session.out),
        AuditCommand::Export { which, target } => made_and_opened(
            &engine,
            "export_audit",
            which.arguments(),
            &target,
            &mut session.out,
        ),
    }
}

fn show(
    engine: &Engine,
    arguments: Map<String, Value>,
    form: Form,
    out: &mut Output,
) -> Result<Exit, Error> {
    let asked = ask(engine, "query_audit", arguments, out)?;
    print(&asked, form, out)?;
    Ok(Exit::Ok)
}

fn verify(engine: &Engine, repair: bool, as_json: bool, out: &mut Output) -> Result<Exit, Error> {
    let checked = engine
        .runner()
        .check_audit(repair)?
        .map_err(|r| refused(&r, out))?;
    let exit = if checked.ok() { Exit::Ok } else { Exit::Config };
    if as_json {
        out.json(&checked)?;
    } else {
        for line in lines(&checked) {
            out.line(Own(line))?;
        }
    }
    Ok(exit)
}

/// What was found, in lines for a person.
fn lines(checked: &Checked) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(fault) = &checked.fault {
        let row = fault.row.as_ref().map_or_else(String::new, |row| {
            format!(
                " It reads now: {} {} {}.",
                local(row.at_ms),
                screen(row.actor.as_str()),
                screen(row.action.as_str())
            )
        });
        lines.push(format!(
            "PROBLEM  entry {}  {}.{row}",
            fault.entry, fault.what
        ));
        if fault.kind == "days" {
            lines.push(
                "hint     the entries themselves fit: rmm-analyst audit verify --repair counts them anew".into(),
            );
        }
    }
    if checked.unread > 0 {
        lines.push(format!(
            "warning  {} entries were written with a key that is not at hand: they could not be checked",
            checked.unread
        ));
    }
    let verdict = match (&checked.fault, checked.unread) {
        (Some(_), _) => "NOT intact",
        (None, 0) => "intact",
        (None, _) => "not fully verified",
    };
    let read = match &checked.fault {
        Some(fault) if fault.kind == "gap" || fault.kind == "hash" => {
            format!("read up to entry {}", fault.entry)
        }
        _ => format!("{} entries", checked.entries),
    };
    let keyed = checked.entries.saturating_sub(checked.unkeyed);
    lines.push(format!("{verdict}: {read} ({keyed} keyed)"));
    lines
}

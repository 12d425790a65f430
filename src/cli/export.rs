//! `export`: rows to a file or a pipe, straight from the database.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::open;
use crate::cli::out_file::OutFile;
use crate::cli::output::{Output, Own};
use crate::cli::report::{What, refused};
use crate::cli::session::Session;
use crate::cli::view::{local, table};
use crate::engine::Engine;
use crate::engine::reports::{Export, ExportFailed};
use crate::engine::tables;
use clap::{Args, Subcommand};
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst export open mzxw6ytb… --out software.csv
      The rows of an export that an answer named.
  rmm-analyst export inventory --type software --client c-3 --out software.csv
      The same, asked for by hand.
  rmm-analyst export answer 0198f2 --out table.csv
      The table of the newest answer, as the model wrote it.";

/// Rows between two lines of progress.
const STEP: u64 = 100_000;

/// How long an interrupted export may take to end by itself before a pipe is given up.
const PATIENCE: Duration = Duration::from_secs(1);

/// Write rows of the fleet or the table of an answer as CSV
///
/// A model that is asked for an export stores a query under a token; the rows go to the person who opens it and never through the model. A token is for one principal, is opened once, expires after 15 minutes, and present permission and scope count when it is opened.
///
/// A file is written beside its place and put there when it is whole; one that is there already is kept unless --force is said. Cells that a spreadsheet would take for a formula (they begin with = + - @, a tab or a line end) begin with an apostrophe. On standard output control characters are written visibly.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ExportArgs {
    /// What to do
    #[command(subcommand)]
    pub command: ExportCommand,
}

/// The verbs of `export`.
#[derive(Clone, Debug, Subcommand)]
pub enum ExportCommand {
    /// Write the rows of an export that a model prepared
    #[command(
        after_long_help = "Examples:\n  rmm-analyst export open TOKEN --out software.csv\n  rmm-analyst export open TOKEN --out - | head"
    )]
    Open {
        /// The token
        token: String,
        /// Where to
        #[command(flatten)]
        target: Target,
    },
    /// Write every row of the inventory that fits
    #[command(
        after_long_help = "Examples:\n  rmm-analyst export inventory --type machines --out machines.csv\n  rmm-analyst export inventory --type software --match openssl --out -"
    )]
    Inventory {
        /// Which rows
        #[command(flatten)]
        what: What,
        /// Where to
        #[command(flatten)]
        target: Target,
    },
    /// Write the table of an answer: what the model wrote, not what the database holds
    #[command(
        after_long_help = "Examples:\n  rmm-analyst export answer 0198f2 --out table.csv\n  rmm-analyst export answer 0198f2 --turn 2 --table 2 --out -"
    )]
    Answer {
        /// The case (id or unique prefix)
        case: String,
        /// The turn; the newest with a table unless given
        #[arg(long, value_name = "N")]
        turn: Option<u32>,
        /// Which of its tables, from 1
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        table: u32,
        /// Where to
        #[command(flatten)]
        target: Target,
    },
    /// List your exports
    #[command(
        after_long_help = "Examples:\n  rmm-analyst export list\n  rmm-analyst export list --json"
    )]
    List {
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Take an export back before it expires
    #[command(after_long_help = "Examples:\n  rmm-analyst export revoke x-1f2e3d4c5b6a")]
    Revoke {
        /// Its id, as listed, or its token
        export: String,
    },
}

/// Where rows go.
#[derive(Clone, Debug, Args)]
pub struct Target {
    /// The file; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Replace a file that is there already
    #[arg(long)]
    pub force: bool,
}

impl Target {
    fn is_stdout(&self) -> bool {
        self.out.as_os_str() == "-"
    }
}

/// Runs the command.
///
/// # Errors
/// Access, a token that opens nothing, a file that is there already, or the database.
pub fn run(args: ExportArgs, session: &mut Session) -> Result<Exit, Error> {
    if let ExportCommand::Answer {
        case,
        turn,
        table,
        target,
    } = &args.command
    {
        return answer(case, *turn, *table, target, session);
    }
    let (engine, _) = session.engine(&[])?;
    let out = &mut session.out;
    match args.command {
        ExportCommand::Open { token, target } => opened(&engine, &token, &target, out),
        ExportCommand::Inventory { what, target } => {
            made_and_opened(&engine, "export_inventory", what.arguments(), &target, out)
        }
        ExportCommand::List { json } => list(&engine, json, out),
        ExportCommand::Revoke { export } => match engine.runner().revoke_export(&export)? {
            Some(id) => {
                out.line(Own(format!("{id} was taken back")))?;
                Ok(Exit::Ok)
            }
            None => Err(Error::user("you have no such export")
                .hint("rmm-analyst export list shows those that you have")),
        },
        ExportCommand::Answer { .. } => Ok(Exit::Ok),
    }
}

/// Makes an export by hand and opens it at once: the same checks and the same trail.
///
/// # Errors
/// As [`run`].
pub fn made_and_opened(
    engine: &Engine,
    tool: &str,
    arguments: Map<String, Value>,
    target: &Target,
    out: &mut Output,
) -> Result<Exit, Error> {
    // A file that cannot be written is said before anything is made.
    if !target.is_stdout() {
        drop(OutFile::begin(&target.out, target.force)?);
    }
    let ready = engine
        .runner()
        .make_export(tool, &Value::Object(arguments))?
        .map_err(|r| refused(&r, out))?;
    opened(engine, &ready.token, target, out)
}

fn opened(engine: &Engine, token: &str, target: &Target, out: &mut Output) -> Result<Exit, Error> {
    let file = if target.is_stdout() {
        None
    } else {
        Some(OutFile::begin(&target.out, target.force)?)
    };
    let export = engine
        .runner()
        .open_export(token)?
        .map_err(|r| refused(&r, out))?;
    let stop = interrupts(target.is_stdout())?;
    let written = match file {
        Some(file) => to_file(engine, &export, file, &stop, out),
        None => to_stdout(engine, &export, &stop, out),
    };
    let ended = match &written {
        Ok(rows) => Ok(*rows),
        Err(e) if e.is_quiet() => Err("the reader of the output went away"),
        Err(e) if e.exit() == Exit::Interrupted => Err("interrupted"),
        Err(_) => Err("the rows could not be read or written"),
    };
    engine.runner().export_ended(&export, ended)?;
    let rows = written?;
    if !target.is_stdout() {
        let place = out.outside_line(target.out.display().to_string());
        out.note(crate::cli::output::Text::from(Own(format!("{rows} rows in "))).then(place));
    }
    Ok(Exit::Ok)
}

fn to_file(
    engine: &Engine,
    export: &Export,
    mut file: OutFile,
    stop: &AtomicBool,
    out: &mut Output,
) -> Result<u64, Error> {
    let (total, mut next) = (export.rows, STEP);
    let rows = engine
        .runner()
        .write_export(export, &mut file, &mut |rows| {
            if rows >= next {
                next = rows.saturating_add(STEP);
                let percent = rows.saturating_mul(100).checked_div(total).unwrap_or(0);
                out.progress(Own(format!(
                    "{rows} of {total} rows ({} %)",
                    percent.min(100)
                )));
            }
            !stop.load(Ordering::Relaxed)
        })
        .map_err(|e| failed(e, out))?;
    file.keep()?;
    Ok(rows)
}

fn to_stdout(
    engine: &Engine,
    export: &Export,
    stop: &AtomicBool,
    out: &mut Output,
) -> Result<u64, Error> {
    let mut writer = out.writer();
    let written = engine
        .runner()
        .write_export(export, &mut writer, &mut |_| !stop.load(Ordering::Relaxed));
    drop(writer);
    let rows = written.map_err(|e| failed(e, out))?;
    out.flush()?;
    Ok(rows)
}

fn failed(e: ExportFailed, out: &Output) -> Error {
    match e {
        ExportFailed::Refused(r) => refused(&r, out),
        ExportFailed::Output(e) => Error::output(&e),
        ExportFailed::Stopped => {
            Error::interrupted().hint("the token can be used again until it expires")
        }
        ExportFailed::Store(e) => Error::from(e),
    }
}

/// Set at Ctrl-C, SIGTERM or SIGHUP, so that no half file stays. A pipe that nobody reads holds a write for ever:
/// for one, the process ends by itself a little later.
fn interrupts(pipe: bool) -> Result<Arc<AtomicBool>, Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stop);
    let runtime = open::runtime()?;
    let waits = {
        let _inside = runtime.enter();
        open::interrupted()
    };
    // It ends with the process.
    std::thread::spawn(move || {
        runtime.block_on(waits);
        set.store(true, Ordering::Relaxed);
        if pipe {
            std::thread::sleep(PATIENCE);
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
    });
    Ok(stop)
}

fn list(engine: &Engine, as_json: bool, out: &mut Output) -> Result<Exit, Error> {
    let rows = engine.runner().list_exports()?;
    if as_json {
        out.json(&rows)?;
        return Ok(Exit::Ok);
    }
    if rows.is_empty() {
        out.line("No exports.")?;
        return Ok(Exit::Ok);
    }
    let now = crate::engine::now_ms();
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|e| {
            let state = match (e.opened_ms, e.expires_ms <= now) {
                (Some(ms), _) => format!("opened {}", local(ms)),
                (None, true) => "expired".into(),
                (None, false) => format!("open until {}", local(e.expires_ms)),
            };
            vec![
                e.id.clone(),
                e.kind.to_owned(),
                local(e.created_ms),
                state,
                e.case.as_deref().unwrap_or("-").to_owned(),
                out.outside_line(e.query.to_string()).as_str().to_owned(),
            ]
        })
        .collect();
    let mut text = Vec::new();
    table(
        &mut text,
        &["export", "of", "made", "state", "case", "query"],
        &cells,
    )
    .map_err(|e| Error::output(&e))?;
    out.generated(&text)?;
    Ok(Exit::Ok)
}

fn answer(
    case: &str,
    turn: Option<u32>,
    n: u32,
    target: &Target,
    session: &mut Session,
) -> Result<Exit, Error> {
    let mut found = None;
    session.stored(false, |view, _| {
        let state = view.with(case, |r, id| r.case(id))?;
        found = state
            .turns
            .iter()
            .rev()
            .filter(|t| turn.is_none_or(|n| t.n == n))
            .filter_map(|t| Some((t.n, tables::of(t.answer.as_ref()?.as_str()))))
            .find(|(_, tables)| !tables.is_empty());
        Ok(0)
    })?;
    let Some((turn, tables)) = found else {
        return Err(Error::user(match turn {
            Some(turn) => format!("the answer of turn {turn} has no table"),
            None => "no answer of this case has a table".into(),
        })
        .hint("for rows of the fleet see rmm-analyst export inventory"));
    };
    let Some(table) = usize::try_from(n).ok().and_then(|n| tables.get(n - 1)) else {
        return Err(Error::user(format!(
            "the answer of turn {turn} has {} tables",
            tables.len()
        )));
    };
    if target.is_stdout() {
        let mut writer = session.out.writer();
        tables::write(table, &mut writer).map_err(|e| Error::output(&e))?;
        return Ok(Exit::Ok);
    }
    let mut file = OutFile::begin(&target.out, target.force)?;
    tables::write(table, &mut file).map_err(|e| Error::output(&e))?;
    file.keep()?;
    let place = session.out.outside_line(target.out.display().to_string());
    let words = format!(
        "table {n} of {} in the answer of turn {turn}, {} rows, in ",
        tables.len(),
        table.rows.len()
    );
    session
        .out
        .note(crate::cli::output::Text::from(Own(words)).then(place));
    Ok(Exit::Ok)
}

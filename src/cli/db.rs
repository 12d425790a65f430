//! `db`: the one database file.

use crate::cli::view::{bytes, json, screen, table};
use crate::store::{ProblemKind, Store, StoreError, StoreOptions, restore_file};
use clap::{Args, Subcommand};
use std::io::Write;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  rmm-analyst db backup before-upgrade.db
  rmm-analyst db check
  rmm-analyst db size
  rmm-analyst db restore before-upgrade.db --yes";

/// Back up, restore, check and measure the database
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct DbArgs {
    /// What to do
    #[command(subcommand)]
    pub command: DbCommand,
}

/// The verbs of `db`.
#[derive(Clone, Debug, Subcommand)]
pub enum DbCommand {
    /// Copy the database to a file, while the program is in use if need be
    #[command(after_long_help = "Examples:\n  rmm-analyst db backup before-upgrade.db")]
    Backup {
        /// The file; an existing one is kept and the command fails
        file: PathBuf,
    },
    /// Put a backup in the place of the database; what was there is kept beside it
    #[command(after_long_help = "Examples:\n  rmm-analyst db restore before-upgrade.db --yes")]
    Restore {
        /// The backup
        file: PathBuf,
        /// Do it without asking; needed where there is no terminal to ask on
        #[arg(long)]
        yes: bool,
    },
    /// Check the file, its indexes, references and hash chains
    #[command(
        after_long_help = "Examples:\n  rmm-analyst db check\n  rmm-analyst db check --json\n  rmm-analyst db check --repair"
    )]
    Check {
        /// Build the lists and the search anew from the logs of the cases
        #[arg(long)]
        repair: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show how much room cases, evidence, cache and free pages take
    #[command(after_long_help = "Examples:\n  rmm-analyst db size\n  rmm-analyst db size --json")]
    Size {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// Runs the command on the file at `path`, which need not be in a state to be opened (`restore`). Returns
/// the exit code: 3 when `check` finds something wrong.
///
/// # Errors
/// [`StoreError`], or the output cannot be written.
pub fn run(
    args: &DbArgs,
    path: &Path,
    options: StoreOptions,
    principal: &str,
    now_ms: i64,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    match &args.command {
        DbCommand::Backup { file } => {
            Store::open(path, options)?.backup(file)?;
            writeln!(out, "{}", screen(&file.display().to_string()))?;
            Ok(0)
        }
        DbCommand::Restore { file, yes } => {
            if !*yes {
                return Err(StoreError::Refused(
                    "restoring replaces what is in the database now (it is kept beside it); say --yes if that is meant".into(),
                )
                .into());
            }
            let kept = restore_file(path, file, options, principal, now_ms)?;
            match kept {
                Some(kept) => writeln!(
                    out,
                    "Restored. What was there before is in {}",
                    screen(&kept.display().to_string())
                )?,
                None => writeln!(out, "Restored.")?,
            }
            Ok(0)
        }
        DbCommand::Check {
            repair,
            json: as_json,
        } => check(&Store::open(path, options)?, *repair, *as_json, out),
        DbCommand::Size { json: as_json } => size(&Store::open(path, options)?, *as_json, out),
    }
}

fn check(store: &Store, repair: bool, as_json: bool, out: &mut dyn Write) -> anyhow::Result<u8> {
    if repair {
        store.write(|tx| tx.reindex())?;
    }
    let found = store.check()?;
    let code = if found.ok() { 0 } else { 3 };
    if as_json {
        json(out, &found)?;
        return Ok(code);
    }
    for line in &found.integrity {
        writeln!(out, "PROBLEM  file  {}", screen(line))?;
    }
    for line in &found.foreign_keys {
        writeln!(
            out,
            "PROBLEM  file  a reference leads nowhere: {}",
            screen(line)
        )?;
    }
    for p in &found.problems {
        let place = p.case.as_ref().map_or("file", |c| c.short());
        let label = match p.kind {
            ProblemKind::Notice => "note",
            kind if kind.is_damage() => "PROBLEM",
            _ => "warning",
        };
        writeln!(out, "{label}  {place}  {}", screen(&p.what))?;
    }
    writeln!(
        out,
        "{}: {} cases, {} events",
        if code == 0 { "sound" } else { "NOT sound" },
        found.cases,
        found.events
    )?;
    Ok(code)
}

fn size(store: &Store, as_json: bool, out: &mut dyn Write) -> anyhow::Result<u8> {
    let s = store.size()?;
    if as_json {
        json(out, &s)?;
        return Ok(0);
    }
    let row = |what: &str, count: Option<u64>, size: u64| {
        vec![
            what.to_owned(),
            count.map(|n| n.to_string()).unwrap_or_default(),
            bytes(size),
        ]
    };
    let rows = [
        row("file", None, s.file),
        row("write-ahead log", None, s.wal),
        row("free inside", None, s.free),
        row("events", Some(s.events.0), s.events.1),
        row("evidence", Some(s.evidence.0), s.evidence.1),
        row("cache", Some(s.cache.0), s.cache.1),
        row("search", Some(s.search.0), s.search.1),
        row("backups", None, s.backups),
    ];
    table(out, &["what", "rows", "size"], &rows)?;
    writeln!(out, "{} cases", s.cases)?;
    Ok(0)
}

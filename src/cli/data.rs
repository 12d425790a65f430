//! `data`: data sets that modules use offline.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::open;
use crate::cli::output::{Output, Own, Style, Text};
use crate::cli::session::Session;
use crate::config::keys::did_you_mean;
use crate::engine::Engine;
use crate::engine::doctor::bytes;
use clap::{Args, Subcommand};
use serde::Serialize;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst data list
  rmm-analyst data update
  rmm-analyst data update rdap-dns";

/// List and update the data sets that modules keep on disk
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct DataArgs {
    /// What to do
    #[command(subcommand)]
    pub command: DataCommand,
}

/// The verbs of `data`.
#[derive(Clone, Debug, Subcommand)]
pub enum DataCommand {
    /// Show each data set: where it is from, how old it is, how large
    #[command(
        after_long_help = "Examples:\n  rmm-analyst data list\n  rmm-analyst data list --json"
    )]
    List {
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Download data sets again; an old copy stays where that fails
    #[command(
        after_long_help = "Examples:\n  rmm-analyst data update\n  rmm-analyst data update rdap-dns rdap-ipv4"
    )]
    Update {
        /// Names; without one, all
        #[arg(value_name = "NAME")]
        names: Vec<String>,
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
}

/// Runs the command.
///
/// # Errors
/// No set has this name; a failed download is in the result and the exit code (8).
pub fn run(args: DataArgs, session: &mut Session) -> Result<Exit, Error> {
    let (engine, _) = session.engine(&[])?;
    match args.command {
        DataCommand::List { json } => list(&engine, json, &mut session.out),
        DataCommand::Update { names, json } => update(&engine, &names, json, &mut session.out),
    }
}

/// A set as `data list` gives it.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    what: &'static str,
    url: &'static str,
    present: bool,
    fresh: bool,
    fetched_ms: Option<i64>,
    age_s: Option<u64>,
    bytes: u64,
}

fn list(engine: &Engine, json: bool, out: &mut Output) -> Result<Exit, Error> {
    let now = crate::engine::now_ms();
    let rows: Vec<Row> = engine
        .runner()
        .data()
        .list()
        .into_iter()
        .map(|info| Row {
            name: info.spec.name,
            what: info.spec.about,
            url: info.spec.url,
            present: info.fetched_ms.is_some(),
            fresh: info.fresh,
            fetched_ms: info.fetched_ms,
            age_s: info
                .fetched_ms
                .and_then(|ms| u64::try_from((now - ms) / 1000).ok()),
            bytes: info.bytes,
        })
        .collect();
    if json {
        out.json(&rows)?;
        return Ok(Exit::Ok);
    }
    let width = rows.iter().map(|r| r.name.len()).max().unwrap_or(0);
    for row in &rows {
        let state = match (row.present, row.fresh, row.age_s) {
            (false, _, _) => Text::new()
                .styled(Style::Yellow, "not here")
                .then(": fetched when a look-up needs it"),
            (true, fresh, age) => {
                let age = age.map_or_else(
                    || "from the future".to_owned(),
                    |a| format!("{} old", crate::cli::render::age(a)),
                );
                let (style, word) = if fresh {
                    (Style::Green, "fresh")
                } else {
                    (Style::Yellow, "old, still used")
                };
                Text::new()
                    .styled(style, word)
                    .then(Own(format!(", {age}, {}", bytes(row.bytes))))
            }
        };
        let head = Text::new()
            .styled(Style::Bold, Own(format!("{:width$}", row.name)))
            .then("  ")
            .then(state);
        out.line(head)?;
        let from = format!("   {}; from {}", row.what, row.url);
        out.line(Text::new().styled(Style::Dim, Own(from)))?;
    }
    if rows.iter().any(|r| !r.fresh) {
        out.note("rmm-analyst data update downloads them again");
    }
    Ok(Exit::Ok)
}

/// What became of one download.
#[derive(Serialize)]
struct Updated {
    name: String,
    ok: bool,
    bytes: Option<usize>,
    error: Option<String>,
}

fn update(engine: &Engine, names: &[String], json: bool, out: &mut Output) -> Result<Exit, Error> {
    let data = engine.runner().data();
    let known: Vec<&str> = data.list().iter().map(|i| i.spec.name).collect();
    let mut wanted: Vec<Option<&str>> = Vec::new();
    for name in names {
        // `rdap-dns` is what a person types for `rdap-dns.json`.
        let full = known
            .iter()
            .find(|k| **k == name || k.strip_suffix(".json") == Some(name));
        let Some(full) = full else {
            let shown: String = name.chars().take(80).collect();
            let meant = did_you_mean(&shown, known.iter().copied());
            return Err(
                Error::user(format!("there is no data set named {shown}")).hint(meant.map_or_else(
                    || "rmm-analyst data list shows them all".to_owned(),
                    |m| format!("did you mean {m}? rmm-analyst data list shows them all"),
                )),
            );
        };
        if !wanted.contains(&Some(full)) {
            wanted.push(Some(full));
        }
    }
    if wanted.is_empty() {
        wanted.push(None);
    }
    let runtime = open::runtime()?;
    let mut rows: Vec<Updated> = Vec::new();
    for name in wanted {
        out.progress(Own(format!("downloading {}", name.unwrap_or("all sets"))));
        let results = runtime.block_on(async {
            tokio::select! {
                biased;
                () = open::interrupted() => Err(Error::interrupted()),
                done = data.update(name) => done.map_err(|e| Error::user(e.to_string())),
            }
        })?;
        rows.extend(results.into_iter().map(|(name, result)| match result {
            Ok(set) => Updated {
                name: name.to_owned(),
                ok: true,
                bytes: Some(set.bytes.len()),
                error: None,
            },
            Err(e) => Updated {
                name: name.to_owned(),
                ok: false,
                bytes: None,
                error: Some(out.outside_line(e.to_string()).as_str().to_owned()),
            },
        }));
    }
    let failed = rows.iter().filter(|r| !r.ok).count();
    if json {
        out.json(&rows)?;
    } else {
        for row in &rows {
            let head = Text::new().styled(Style::Bold, Own(format!("{}  ", row.name)));
            let line = match (&row.error, row.bytes) {
                (Some(why), _) => head
                    .styled(Style::Red, "not updated")
                    .then(": ")
                    .then(out.outside_line(why.as_str())),
                (None, size) => head
                    .styled(Style::Green, "updated")
                    .then(Own(format!(", {}", bytes(size.unwrap_or(0) as u64)))),
            };
            out.line(line)?;
        }
        if failed > 0 {
            out.note("an old copy stays in use where there is one; check network and [network] proxy with: rmm-analyst doctor");
        }
    }
    Ok(if failed > 0 {
        Exit::AllSourcesFailed
    } else {
        Exit::Ok
    })
}

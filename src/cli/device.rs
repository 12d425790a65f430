//! `device`: devices that a person brings: one by hand, or many from a file.

use crate::cli::devices::{self, RemoveArgs};
use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::output::{Own, Text};
use crate::cli::session::Session;
use crate::engine::by_hand::import::{Format, Imported, Source, What};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;
use std::io::Write as _;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  rmm-analyst device import fleet.csv --dry-run
      What the file would do, and which of its lines are wrong.
  rmm-analyst device import fleet.csv --software packages.csv
  rmm-analyst device add web-01 --client Contoso --site Berlin --connection ssh://admin@web-01";

/// Add devices by hand or from files, and remove them
///
/// What a device really has is collected by the executors, which this version does not have yet: there is no enrolling and no refreshing here, only what a person or a file says.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct DeviceArgs {
    /// What to do
    #[command(subcommand)]
    pub command: DeviceCommand,
}

/// The verbs of `device`.
#[derive(Clone, Debug, Subcommand)]
pub enum DeviceCommand {
    /// Add one device; the client and the site are made where they are missing
    #[command(
        after_long_help = "Examples:\n  rmm-analyst device add web-01\n  rmm-analyst device add web-01 --client Contoso --site Berlin --ip 192.0.2.7 --os 'Ubuntu 24.04' --tag web"
    )]
    Add(AddArgs),
    /// Add and update devices from a file, all of it or nothing
    ///
    /// CSV with a header line, or JSON (an array of objects, or one object after another) with the same names: hostname client site department os os_version ip serial tags connection. Only hostname is needed. Clients and sites that are missing are made. A device is known again by its client and host name; cells that are empty leave what is known as it is, so that the same file can be imported again.
    ///
    /// --software: hostname name client version publisher source. --patches: hostname identifier client title classification severity cves. Both replace what was known of the devices that occur in them.
    ///
    /// The file streams: its size does not matter. Wrong lines are told with their numbers, and nothing is kept then, unless --skip-bad.
    #[command(
        after_long_help = "Examples:\n  rmm-analyst device import fleet.csv\n  rmm-analyst device import fleet.json --dry-run --json\n  rmm-analyst device import --software packages.csv --patches missing.csv --skip-bad"
    )]
    Import(ImportArgs),
    /// Remove devices and what is known of them
    #[command(
        after_long_help = "Examples:\n  rmm-analyst device remove d-12\n  rmm-analyst device remove d-12 d-13 --count 2 --yes"
    )]
    Remove(RemoveArgs),
}

/// What `device add` is given.
#[derive(Clone, Debug, Args)]
pub struct AddArgs {
    /// Host name
    pub hostname: String,
    /// Its client
    #[arg(long, value_name = "CLIENT")]
    pub client: Option<String>,
    /// Its site
    #[arg(long, value_name = "SITE")]
    pub site: Option<String>,
    /// Its department
    #[arg(long, value_name = "DEPARTMENT")]
    pub department: Option<String>,
    /// Operating system
    #[arg(long, value_name = "TEXT")]
    pub os: Option<String>,
    /// Version of the operating system
    #[arg(long, value_name = "TEXT")]
    pub os_version: Option<String>,
    /// An address; several times for more
    #[arg(long, value_name = "ADDRESS")]
    pub ip: Vec<String>,
    /// Serial number
    #[arg(long, value_name = "TEXT")]
    pub serial: Option<String>,
    /// A tag; several times for more
    #[arg(long, value_name = "TAG")]
    pub tag: Vec<String>,
    /// How it is reached: ssh://user@host:port, or local
    #[arg(long, value_name = "URL")]
    pub connection: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What `device import` is given.
#[derive(Clone, Debug, Args)]
pub struct ImportArgs {
    /// Devices; - for standard input
    #[arg(required_unless_present_any = ["software", "patches"])]
    pub file: Option<PathBuf>,
    /// How the files are written; told by their names otherwise (.json, .jsonl, .ndjson; else CSV)
    #[arg(long, value_enum)]
    pub format: Option<FormatChoice>,
    /// Installed software, one line each
    #[arg(long, value_name = "FILE")]
    pub software: Option<PathBuf>,
    /// Missing patches, one line each
    #[arg(long, value_name = "FILE")]
    pub patches: Option<PathBuf>,
    /// Leave wrong lines out instead of refusing the file
    #[arg(long)]
    pub skip_bad: bool,
    /// Say what would happen; keep nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatChoice {
    /// A header, then lines
    Csv,
    /// An array of objects, or one object after another
    Json,
}

/// Runs the command.
///
/// # Errors
/// A file that cannot be taken, a missing permission, a device that is not there.
pub fn run(args: DeviceArgs, session: &mut Session) -> Result<Exit, Error> {
    match args.command {
        DeviceCommand::Add(args) => add(&args, session),
        DeviceCommand::Import(args) => import(&args, session),
        DeviceCommand::Remove(args) => devices::remove(&args, session),
    }
}

fn format_of(path: &Path, choice: Option<FormatChoice>) -> Format {
    match choice {
        Some(FormatChoice::Csv) => Format::Csv,
        Some(FormatChoice::Json) => Format::Json,
        None => {
            let json = path.extension().is_some_and(|e| {
                ["json", "jsonl", "ndjson"]
                    .iter()
                    .any(|known| e.eq_ignore_ascii_case(known))
            });
            if json { Format::Json } else { Format::Csv }
        }
    }
}

fn import(args: &ImportArgs, session: &mut Session) -> Result<Exit, Error> {
    let files = [
        (What::Devices, &args.file),
        (What::Software, &args.software),
        (What::Patches, &args.patches),
    ];
    let sources: Vec<Source> = files
        .into_iter()
        .filter_map(|(what, path)| {
            path.as_ref().map(|path| Source {
                what,
                format: format_of(path, args.format),
                path: path.clone(),
            })
        })
        .collect();
    if sources.iter().filter(|s| s.path.as_os_str() == "-").count() > 1 {
        return Err(Error::user("standard input can be one of the files only")
            .hint("name the others by their paths"));
    }
    let (engine, _) = session.engine(&[])?;
    let out = &mut session.out;
    let done = engine
        .runner()
        .import(&sources, args.skip_bad, args.dry_run, &mut |far| {
            let percent = far.percent.map_or_else(String::new, |p| format!(", {p} %"));
            out.progress(Own(format!(
                "{} rows of {}{percent}",
                far.rows,
                far.what.name()
            )));
        })?;
    told(&done, args.dry_run, args.json, session)
}

fn told(
    done: &Imported,
    dry_run: bool,
    as_json: bool,
    session: &mut Session,
) -> Result<Exit, Error> {
    let r = &done.report;
    let refused = r.bad > 0 && !done.kept && !dry_run;
    for row in &r.bad_rows {
        let text = format!("{} {} {}: {}", row.what.name(), row.unit, row.at, row.why);
        let text = session.out.outside_line(text);
        session.out.warn(text);
    }
    if let Some(more) = r
        .bad
        .checked_sub(r.bad_rows.len() as u64)
        .filter(|m| *m > 0)
    {
        session.out.warn(Own(format!("and {more} wrong rows more")));
    }
    if as_json && !refused {
        let bad: Vec<_> = r
            .bad_rows
            .iter()
            .map(|b| {
                let why = session.out.outside_line(b.why.clone());
                json!({ "file": b.what.name(), b.unit: b.at, "why": why.as_str() })
            })
            .collect();
        session.out.json(&json!({
            "kept": done.kept, "devices": r.devices, "created": r.created, "updated": r.updated, "places": r.places,
            "software": r.software, "software_added": r.software_added, "software_removed": r.software_removed,
            "patches": r.patches, "patches_added": r.patches_added, "bad": r.bad, "bad_rows": bad,
        }))?;
        return Ok(Exit::Ok);
    }
    if refused {
        let rows = if r.bad == 1 { "row is" } else { "rows are" };
        return Err(
            Error::user(format!("{} {rows} wrong: nothing was imported", r.bad))
                .hint("mend the file and import it again, or leave such rows out with --skip-bad"),
        );
    }
    let mut text = Vec::new();
    let unchanged = r
        .devices
        .saturating_sub(r.created)
        .saturating_sub(r.updated);
    let _ = write!(
        text,
        "{} devices: {} new, {} changed, {unchanged} as they were",
        r.devices, r.created, r.updated
    );
    if r.places > 0 {
        let _ = write!(text, "; {} clients, sites and departments made", r.places);
    }
    if r.software > 0 {
        let _ = write!(
            text,
            "; {} rows of software: {} new, {} gone",
            r.software, r.software_added, r.software_removed
        );
    }
    if r.patches > 0 {
        let _ = write!(
            text,
            "; {} rows of patches: {} newly missing",
            r.patches, r.patches_added
        );
    }
    if r.bad > 0 {
        let _ = write!(text, "; {} wrong rows left out", r.bad);
    }
    let text = String::from_utf8_lossy(&text).into_owned();
    let line = if dry_run {
        Text::new()
            .then("would be (nothing was kept): ")
            .then(Own(text))
    } else {
        Text::from(Own(text))
    };
    session.out.line(line)?;
    Ok(Exit::Ok)
}

fn add(args: &AddArgs, session: &mut Session) -> Result<Exit, Error> {
    // One row of a file, so that it is checked like any other.
    let row = json!({
        "hostname": args.hostname, "client": args.client, "site": args.site, "department": args.department,
        "os": args.os, "os_version": args.os_version, "ip": args.ip, "serial": args.serial, "tags": args.tag,
        "connection": args.connection,
    });
    let (engine, _) = session.engine(&[])?;
    let runner = engine.runner();
    let done = runner.import_row(&row)?;
    if let Some(bad) = done.report.bad_rows.first() {
        return Err(
            Error::user(format!("the device cannot be added: {}", bad.why))
                .hint("rmm-analyst device add --help"),
        );
    }
    let r = &done.report;
    let what = match (r.created, r.updated) {
        (1, _) => "added",
        (_, 1) => "was there already and was changed",
        _ => "was there already as given",
    };
    if args.json {
        session
            .out
            .json(&json!({ "created": r.created, "updated": r.updated, "places": r.places }))?;
        return Ok(Exit::Ok);
    }
    let name = session.out.outside_line(args.hostname.clone());
    session
        .out
        .line(Text::from(name).then(Own(format!(" {what}"))))?;
    Ok(Exit::Ok)
}

//! `report`: the inventory in counts and rows. Also how an answer of a fleet tool is printed.

use crate::cli::error::Error;
use crate::cli::exit::Exit;
use crate::cli::output::Output;
use crate::cli::session::Session;
use crate::cli::view::{records, screen, table};
use crate::engine::Engine;
use crate::engine::reports::{Asked, Csv, Refused, group_names, report_types};
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};
use std::io::Write as _;
use unicode_width::UnicodeWidthStr as _;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst report summary
      The fleet in one table of counts.
  rmm-analyst report inventory --type software --match openssl --group-by version
      Which versions there are, and on how many devices.
  rmm-analyst report inventory --type machines --client c-3 --rows --csv > machines.csv
      Rows, at most 1,000; `export inventory` writes every row there is.";

/// Show the inventory of the fleet in counts and rows
///
/// Everything is counted in the database and inside the scope of the principal. What was never read of a device is said to be unknown, not shown as zero.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ReportArgs {
    /// What to do
    #[command(subcommand)]
    pub command: ReportCommand,
}

/// The verbs of `report`.
#[derive(Clone, Debug, Subcommand)]
pub enum ReportCommand {
    /// Count software, hardware or machines by group, or show rows
    #[command(
        after_long_help = "Examples:\n  rmm-analyst report inventory --type software\n  rmm-analyst report inventory --type hardware --group-by memory --json\n  rmm-analyst report inventory --type software --match firefox --rows"
    )]
    Inventory(InventoryArgs),
    /// Show devices, missing patches, checks and jobs in one table of counts
    #[command(
        after_long_help = "Examples:\n  rmm-analyst report summary\n  rmm-analyst report summary --json"
    )]
    Summary {
        /// How to print it
        #[command(flatten)]
        form: Form,
    },
}

/// Flags of `report inventory`.
#[derive(Clone, Debug, Args)]
pub struct InventoryArgs {
    /// What it is of
    #[command(flatten)]
    pub what: What,
    /// Group by this: software by title, version, publisher or source; hardware and machines by platform, os, kind, status, model, processor or memory; all by client, site or department
    #[arg(long, value_name = "GROUP", value_parser = PossibleValuesParser::new(group_names()), hide_possible_values = true, conflicts_with = "rows")]
    pub group_by: Option<String>,
    /// Show rows instead of counts, at most 1,000
    #[arg(long)]
    pub rows: bool,
    /// At most so many groups or rows, 50 unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub limit: Option<u32>,
    /// How to print it
    #[command(flatten)]
    pub form: Form,
}

/// Which part of the inventory.
#[derive(Clone, Debug, Args)]
pub struct What {
    /// What it is of
    #[arg(long = "type", value_name = "TYPE", value_parser = PossibleValuesParser::new(report_types()))]
    pub report_type: String,
    /// Only what holds this text: a part of the software title, or of host name, operating system, model or processor
    #[arg(long = "match", value_name = "TEXT")]
    pub matching: Option<String>,
    /// Only this client, as listed (`c-3`) or by its exact name
    #[arg(long)]
    pub client: Option<String>,
    /// Only this site, as listed (`s-4`) or by its exact name
    #[arg(long)]
    pub site: Option<String>,
    /// Only this department, as listed (`u-5`) or by its exact name
    #[arg(long)]
    pub department: Option<String>,
}

impl What {
    /// As the tools take it.
    #[must_use]
    pub fn arguments(&self) -> Map<String, Value> {
        given([
            ("report_type", Some(&self.report_type)),
            ("match", self.matching.as_ref()),
            ("client", self.client.as_ref()),
            ("site", self.site.as_ref()),
            ("department", self.department.as_ref()),
        ])
    }
}

/// How an answer is printed.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Form {
    /// Print one JSON object
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// Print CSV; what a spreadsheet would take for a formula begins with an apostrophe
    #[arg(long)]
    pub csv: bool,
}

/// Arguments that were given, by their names.
pub fn given<'a>(
    fields: impl IntoIterator<Item = (&'static str, Option<&'a String>)>,
) -> Map<String, Value> {
    fields
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), json!(value?))))
        .collect()
}

/// Runs the command.
///
/// # Errors
/// Access, a place that does not exist, or the database.
pub fn run(args: ReportArgs, session: &mut Session) -> Result<Exit, Error> {
    let (engine, _) = session.engine(&[])?;
    let (tool, arguments, form) = match args.command {
        ReportCommand::Summary { form } => ("fleet_summary", Map::new(), form),
        ReportCommand::Inventory(a) => {
            let mut arguments = a.what.arguments();
            let mode = if a.rows { "rows" } else { "summary" };
            arguments.insert("mode".into(), json!(mode));
            if let Some(by) = a.group_by {
                arguments.insert("group_by".into(), json!(by));
            }
            if let Some(limit) = a.limit {
                arguments.insert("limit".into(), json!(limit));
            }
            ("inventory_report", arguments, a.form)
        }
    };
    let asked = ask(&engine, tool, arguments, &session.out)?;
    print(&asked, form, &mut session.out)?;
    Ok(Exit::Ok)
}

/// Asks a reading tool by hand.
///
/// # Errors
/// A refusal (exit 2), or the database.
pub fn ask(
    engine: &Engine,
    tool: &str,
    arguments: Map<String, Value>,
    out: &Output,
) -> Result<Asked, Error> {
    engine
        .runner()
        .ask_fleet(tool, &Value::Object(arguments))?
        .map_err(|r| refused(&r, out))
}

/// A refusal as an error.
#[must_use]
pub fn refused(refused: &Refused, out: &Output) -> Error {
    let error = Error::user(refused.sentence.clone());
    if !refused.matches.is_empty() {
        let names: Vec<&str> = refused.matches.iter().map(|m| m.as_str()).collect();
        let names = out.outside_line(names.join("; "));
        return error.hint(format!("these fit: {}", names.as_str()));
    }
    match refused.key {
        "access" => error.hint("see what you may do: rmm-analyst principal list"),
        _ => error,
    }
}

/// Prints an answer as a table with its sentence, as JSON or as CSV.
///
/// # Errors
/// The output cannot be written.
pub fn print(asked: &Asked, form: Form, out: &mut Output) -> Result<(), Error> {
    if form.json {
        let value: Value = serde_json::from_str(asked.raw.as_str())
            .map_err(|e| Error::internal("the answer is no JSON").why(e.to_string()))?;
        return out.json(&value);
    }
    if form.csv {
        let mut writer = out.writer();
        let mut csv = Csv::new(&mut writer, &asked.columns).map_err(|e| Error::output(&e))?;
        for row in &asked.rows {
            csv.row(row.iter().map(|c| c.as_str()))
                .map_err(|e| Error::output(&e))?;
        }
        csv.flush().map_err(|e| Error::output(&e))?;
        drop(csv);
        drop(writer);
        // A file of some rows must not look like one of all.
        if let Some(total) = asked.total {
            out.warn(crate::cli::output::Own(format!(
                "{} of {total} rows; for all of them see rmm-analyst export",
                asked.rows.len()
            )));
        }
        return Ok(());
    }
    let head: Vec<&str> = asked.columns.iter().map(String::as_str).collect();
    let rows: Vec<Vec<String>> = asked
        .rows
        .iter()
        .map(|row| row.iter().map(|c| line(c.as_str())).collect())
        .collect();
    let mut text = Vec::new();
    let width = out.width();
    let written = if rows.is_empty() {
        Ok(())
    } else if width.is_some_and(|w| wide(&head, &rows) > w) {
        records(&mut text, &head, &rows, width.unwrap_or(80)).and_then(|()| writeln!(text))
    } else {
        table(&mut text, &head, &rows).and_then(|()| writeln!(text))
    };
    written
        .and_then(|()| writeln!(text, "{}", screen(asked.said.as_str())))
        .map_err(|e| Error::output(&e))?;
    out.generated(&text)
}

/// A cell in one line, fit for the screen.
fn line(text: &str) -> String {
    screen(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn wide(head: &[&str], rows: &[Vec<String>]) -> usize {
    (0..head.len())
        .map(|at| {
            rows.iter()
                .filter_map(|r| r.get(at))
                .map(|c| c.width())
                .chain(head.get(at).map(|h| h.width()))
                .max()
                .unwrap_or(0)
                .saturating_add(2)
        })
        .sum::<usize>()
        .saturating_sub(2)
}

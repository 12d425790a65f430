//! `evidence`: what the sources said.

use crate::cli::view::{View, bytes, json, local};
use crate::engine::reports::Csv;
use crate::store::export::Defang;
use crate::store::{EvidenceMeta, EvidenceRow, StoreError};
use clap::Args;
use kit::outcome::plain_reason;
use serde_json::{Value, json as value};
use std::io::Write;

const EXAMPLES: &str = "\
Examples:
  rmm-analyst evidence 0198f2
      Lists the evidence of a case.
  rmm-analyst evidence 0198f2 7
      Shows E7 as a table, with its source, time and hash.
  rmm-analyst evidence 0198f2 7 --csv > e7.csv
      The same table for a spreadsheet.
  rmm-analyst evidence 0198f2 7 --raw > e7.json
      The whole answer of the source, as it is stored (redacted).";

/// Show the evidence of a case
///
/// Without a number it lists what there is; with one (`7` or `E7`) it shows that evidence.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct EvidenceArgs {
    /// The case (id or unique prefix)
    pub case: String,

    /// The number of the evidence, `7` or `E7`
    #[arg(value_name = "N")]
    pub number: Option<String>,

    /// The stored answer of the source, whole
    #[arg(long, requires = "number", conflicts_with = "json")]
    pub raw: bool,

    /// The table as CSV, its stored rows; what a spreadsheet would take for a formula begins with an apostrophe
    #[arg(long, requires = "number", conflicts_with_all = ["json", "raw"])]
    pub csv: bool,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
///
/// # Errors
/// [`StoreError`], or the output cannot be written.
pub fn run(args: &EvidenceArgs, view: &View<'_>, out: &mut dyn Write) -> anyhow::Result<u8> {
    let Some(number) = &args.number else {
        return list(args, view, out);
    };
    let digits = number.trim_start_matches(['E', 'e']);
    let n: u32 = digits.parse().map_err(|_| {
        StoreError::Refused(format!(
            "{number:?} is no number of evidence (as in 7 or E7)"
        ))
    })?;
    let (row, state) = view.with(&args.case, |r, id| Ok((r.evidence(id, n)?, r.case(id)?)))?;
    if args.json {
        json(out, &row_json(&row))?;
        return Ok(0);
    }
    if args.csv {
        return csv(&row.meta, out);
    }
    if args.raw {
        // Line by line and as screen text: what a source sent must not act on the terminal that this
        // ends on. `--json` carries every character.
        for line in row.raw.as_str().lines() {
            writeln!(out, "{}", super::view::screen(line))?;
        }
        return Ok(0);
    }
    show(&row.meta, &Defang::of(&state), view, out)?;
    Ok(0)
}

/// The table as CSV: not defanged, for it is data. What could act on a terminal is made visible.
fn csv(m: &EvidenceMeta, out: &mut dyn Write) -> anyhow::Result<u8> {
    if m.columns.is_empty() {
        return Err(StoreError::Refused(format!("E{} has no table ({})", m.n, status(m))).into());
    }
    let mut csv = Csv::new(out, &m.columns)?;
    for row in &m.rows {
        csv.row(row.iter().map(|c| super::view::screen(c.as_str())))?;
    }
    csv.flush()?;
    Ok(0)
}

fn list(args: &EvidenceArgs, view: &View<'_>, out: &mut dyn Write) -> anyhow::Result<u8> {
    let all = view.with(&args.case, |r, id| r.evidence_list(id))?;
    if args.json {
        let all: Vec<Value> = all.iter().map(meta_json).collect();
        json(out, &all)?;
        return Ok(0);
    }
    if all.is_empty() {
        writeln!(out, "No evidence yet.")?;
        return Ok(0);
    }
    let defang = Defang::plain();
    let rows: Vec<Vec<String>> = all
        .iter()
        .map(|m| {
            vec![
                format!("E{}", m.n),
                m.turn.to_string(),
                view.line(&defang, &m.tool, 30),
                m.subject
                    .as_ref()
                    .map(|i| view.indicator(i))
                    .unwrap_or_default(),
                view.line(&defang, &status(m), 50),
                bytes(m.bytes),
                local(m.asked_ms),
            ]
        })
        .collect();
    view.table(
        out,
        &["n", "turn", "tool", "subject", "outcome", "size", "asked"],
        &rows,
    )?;
    Ok(0)
}

fn status(m: &EvidenceMeta) -> String {
    let mut words = m.status.name().replace('_', " ");
    if let Some(detail) = &m.detail {
        words.push_str(": ");
        words.push_str(plain_reason(detail));
    }
    if let Some(v) = m.verdict {
        words.push_str(", ");
        words.push_str(v.name());
    }
    words
}

/// One piece of evidence as a table, with its source, time and hash.
///
/// # Errors
/// The output cannot be written.
pub fn show(
    m: &EvidenceMeta,
    defang: &Defang,
    view: &View<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let subject = m
        .subject
        .as_ref()
        .map(|i| view.indicator(i))
        .unwrap_or_default();
    writeln!(
        out,
        "E{}  {} {subject}",
        m.n,
        view.line(defang, &m.tool, 60)
    )?;
    writeln!(out, "outcome  {}", view.line(defang, &status(m), 200))?;
    if !m.verdict_basis.as_str().is_empty() {
        let basis = view.line(defang, m.verdict_basis.as_str(), 200);
        writeln!(out, "because  {basis}")?;
    }
    if !m.source_url.as_str().is_empty() {
        let url = view.line(defang, m.source_url.as_str(), 300);
        writeln!(out, "source   {url}")?;
    }
    if let Some(date) = &m.source_date {
        writeln!(out, "data of  {}", view.line(defang, date.as_str(), 40))?;
    }
    writeln!(
        out,
        "asked    {} (turn {}, took {} ms, {} s old)",
        local(m.asked_ms),
        m.turn,
        m.took_ms,
        m.age_s
    )?;
    let sum = view.line(defang, &m.sha256, 64);
    writeln!(out, "stored   {}, SHA-256 {sum}", bytes(m.bytes))?;
    if m.columns.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let columns: Vec<String> = m.columns.iter().map(|c| view.line(defang, c, 40)).collect();
    let head: Vec<&str> = columns.iter().map(String::as_str).collect();
    let rows: Vec<Vec<String>> = m
        .rows
        .iter()
        .map(|r| {
            r.iter()
                .map(|c| view.line(defang, c.as_str(), 100))
                .collect()
        })
        .collect();
    view.table(out, &head, &rows)?;
    let shown = m.rows.len() as u64;
    if let Some(total) = m.total_rows.filter(|t| *t > shown) {
        writeln!(out, "{shown} of {total} rows")?;
    }
    Ok(())
}

fn meta_json(m: &EvidenceMeta) -> Value {
    let mut all = serde_json::to_value(m).unwrap_or_default();
    all["evidence"] = value!(format!("E{}", m.n));
    all
}

fn row_json(row: &EvidenceRow) -> Value {
    let mut all = meta_json(&row.meta);
    all["raw"] = value!(row.raw);
    all
}

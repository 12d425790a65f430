//! What was read from the fleet, as a table or as JSON. Every cell comes from machines or people: it is redacted
//! and shown in one line, with characters that act or hide made visible.

use crate::cli::error::Error;
use crate::cli::output::Output;
use crate::cli::view;
use crate::engine::by_hand::Shown;
use kit::text::{Redacted, ScreenText};
use serde_json::{Map, Value, json};

/// Longest cell of a table, in characters; JSON has them whole.
const CELL: usize = 60;

/// Redacted text as a cell.
#[must_use]
pub fn cell(text: &Redacted) -> String {
    ScreenText::line(text, CELL).as_str().to_owned()
}

/// Rows under a head, one below the other where the terminal is too narrow.
///
/// # Errors
/// The output cannot be written.
pub fn rows(out: &mut Output, head: &[&str], rows: &[Vec<String>]) -> Result<(), Error> {
    let mut text = Vec::new();
    let width = out.width();
    view::fit(&mut text, head, rows, width).map_err(|e| Error::output(&e))?;
    out.generated(&text)
}

/// The table of what was read, only these columns of it where some are named; without rows, the sentence.
///
/// # Errors
/// The output cannot be written.
pub fn print(out: &mut Output, shown: &Shown, columns: Option<&[&str]>) -> Result<(), Error> {
    let said = out.outside_line(shown.said.as_str());
    if shown.rows.is_empty() {
        return out.line(said);
    }
    let kept: Vec<usize> = shown
        .columns
        .iter()
        .enumerate()
        .filter(|(_, name)| columns.is_none_or(|c| c.contains(name)))
        .map(|(at, _)| at)
        .collect();
    let head: Vec<&str> = kept
        .iter()
        .filter_map(|at| shown.columns.get(*at).copied())
        .collect();
    let cells: Vec<Vec<String>> = shown
        .rows
        .iter()
        .map(|row| {
            kept.iter()
                .map(|at| row.get(*at).map(cell).unwrap_or_default())
                .collect()
        })
        .collect();
    rows(out, &head, &cells)?;
    out.note(said);
    Ok(())
}

/// The same as one JSON object: `total`, `said`, `rows`. Of a column in `ids`, which holds `d-12 web-01`, the id
/// stays under its name and the rest goes under the other one.
///
/// # Errors
/// The output cannot be written.
pub fn print_json(out: &mut Output, shown: &Shown, ids: &[(&str, &str)]) -> Result<(), Error> {
    out.json(&object(shown, ids))
}

/// What [`print_json`] prints.
#[must_use]
pub fn object(shown: &Shown, ids: &[(&str, &str)]) -> Value {
    let rows: Vec<Map<String, Value>> = shown.json.iter().map(|row| parted(row, ids)).collect();
    json!({ "total": shown.total, "said": shown.said, "rows": rows })
}

fn parted(row: &Map<String, Value>, ids: &[(&str, &str)]) -> Map<String, Value> {
    let mut out = Map::new();
    for (key, value) in row {
        let name = ids.iter().find(|(id, _)| id == key).map(|(_, name)| *name);
        match (name, value.as_str()) {
            (Some(name), Some(text)) => {
                let (id, rest) = text.split_once(' ').unwrap_or((text, ""));
                out.insert(key.clone(), id.into());
                out.insert(name.to_owned(), rest.into());
            }
            (Some(name), None) => {
                out.insert(key.clone(), Value::Null);
                out.insert(name.to_owned(), Value::Null);
            }
            _ => {
                out.insert(key.clone(), value.clone());
            }
        }
    }
    out
}

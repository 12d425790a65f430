//! What a tool answers: one or two sentences, a table, and the same as JSON.

use kit::outcome::Table;
use kit::text::Untrusted;
use serde_json::{Map, Value, json};

/// Rows under construction. Cells are JSON values: numbers stay numbers.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    columns: &'static [&'static str],
    rows: Vec<Vec<Value>>,
    total: Option<u64>,
}

impl Sheet {
    /// With these columns.
    #[must_use]
    pub const fn new(columns: &'static [&'static str]) -> Self {
        Self {
            columns,
            rows: Vec::new(),
            total: None,
        }
    }

    /// Adds a row; as many cells as there are columns.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Value>) {
        let mut row: Vec<Value> = cells.into_iter().take(self.columns.len()).collect();
        row.resize(self.columns.len(), Value::Null);
        self.rows.push(row);
    }

    /// How many rows there are in all, where this holds only some.
    pub const fn total(&mut self, total: u64) {
        self.total = Some(total);
    }

    /// Rows in here.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Without rows.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// What a proposal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProposedKind {
    /// A job.
    Job,
    /// A device operation.
    Operation,
    /// A scheduled task.
    Task,
    /// A check.
    Check,
    /// A policy.
    Policy,
}

/// A proposal that a call made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proposed {
    /// What.
    pub kind: ProposedKind,
    /// Its row.
    pub id: i64,
    /// Its number among all proposals of the file.
    pub number: i64,
}

/// What a tool answers. All of it is untrusted.
#[derive(Clone, Debug)]
pub struct Answer {
    /// One or two sentences.
    pub said: Untrusted,
    /// The rows as text.
    pub table: Table,
    /// Sentence, rows and total as one JSON object.
    pub raw: Untrusted,
    /// How many rows there are in all, where the table holds only some.
    pub total: Option<u64>,
    /// Proposals that the call made.
    pub proposals: Vec<Proposed>,
}

impl Answer {
    /// From a sentence and rows.
    #[must_use]
    pub fn new(said: impl Into<String>, sheet: Sheet) -> Self {
        let said = said.into();
        let mut table = Table::new(sheet.columns);
        let mut objects = Vec::with_capacity(sheet.rows.len());
        let total = sheet.total.filter(|t| *t > sheet.rows.len() as u64);
        let all = sheet.total.unwrap_or(sheet.rows.len() as u64);
        for row in sheet.rows {
            table.push(row.iter().map(cell));
            let object: Map<String, Value> = sheet
                .columns
                .iter()
                .map(|c| (*c).to_owned())
                .zip(row)
                .collect();
            objects.push(Value::Object(object));
        }
        let raw = json!({ "said": said, "total": all, "rows": objects });
        Self {
            said: Untrusted::new(said),
            table,
            raw: Untrusted::new(raw.to_string()),
            total,
            proposals: Vec::new(),
        }
    }

    /// With these proposals.
    #[must_use]
    pub fn proposing(mut self, proposals: Vec<Proposed>) -> Self {
        self.proposals = proposals;
        self
    }
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

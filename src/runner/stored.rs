//! An outcome after redaction, in the form in which it is kept: as evidence of a case, and in the cache
//! for other cases.

use crate::case::Status;
use kit::outcome::{CouldNot, Outcome, Verdict};
use kit::text::{Redacted, Redactor};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// Characters that a cell holds at most. The whole answer stands in `raw`.
const MAX_CELL: usize = 500;

/// What a tool returned, redacted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredOutcome {
    /// Outcome.
    pub status: Status,
    /// Why it could not look.
    pub could_not: Option<CouldNot>,
    /// The source's verdict.
    pub verdict: Verdict,
    /// What the verdict rests on.
    pub basis: Redacted,
    /// Column heads.
    pub columns: Vec<String>,
    /// Rows.
    pub rows: Vec<Vec<Redacted>>,
    /// The whole answer.
    pub raw: Redacted,
    /// Where a person can read the same.
    pub source_url: Redacted,
    /// When the source's data is from.
    pub source_date: Option<String>,
    /// Rows in all at the source.
    pub total_rows: Option<u64>,
}

impl StoredOutcome {
    /// Redacts an outcome, and only then cuts its cells: a cut before could leave half a secret that no
    /// longer looks like one. Nothing of a tool's answer goes anywhere before this.
    #[must_use]
    pub fn redact(outcome: &Outcome, redactor: &dyn Redactor) -> Self {
        let own = |s: &str| kit::Untrusted::new(s.to_owned()).redact(redactor);
        match outcome {
            Outcome::Found(report) => Self {
                status: Status::Found,
                could_not: None,
                verdict: report.verdict,
                basis: own(&report.verdict_basis),
                columns: report
                    .table
                    .columns
                    .iter()
                    .map(|c| (*c).to_owned())
                    .collect(),
                rows: kit::Untrusted::redact_rows(&report.table.rows, redactor)
                    .into_iter()
                    .map(|r| r.into_iter().map(|c| c.shortened(MAX_CELL)).collect())
                    .collect(),
                raw: report.raw.redact(redactor),
                source_url: own(&report.source_url),
                source_date: report.source_date.as_deref().map(|d| redactor.redact(d)),
                total_rows: report.total_rows,
            },
            Outcome::NotFound => Self::empty(Status::NotFound, None),
            Outcome::CouldNotLook(why) => Self::could_not(why.clone(), redactor),
        }
    }

    /// An outcome of the runner itself.
    #[must_use]
    pub fn could_not(why: CouldNot, redactor: &dyn Redactor) -> Self {
        let why = match why {
            CouldNot::Unreachable { detail } => CouldNot::Unreachable {
                detail: redactor.redact(&detail),
            },
            CouldNot::Upstream { status, detail } => CouldNot::Upstream {
                status,
                detail: redactor.redact(&detail),
            },
            CouldNot::Unsupported { detail } => CouldNot::Unsupported {
                detail: redactor.redact(&detail),
            },
            other => other,
        };
        Self::empty(Status::CouldNotLook, Some(why))
    }

    fn empty(status: Status, could_not: Option<CouldNot>) -> Self {
        Self {
            status,
            could_not,
            verdict: Verdict::Unknown,
            basis: Redacted::default(),
            columns: Vec::new(),
            rows: Vec::new(),
            raw: Redacted::default(),
            source_url: Redacted::default(),
            source_date: None,
            total_rows: None,
        }
    }

    /// `no key`, `timed out`, …; `None` unless it could not look.
    #[must_use]
    pub fn detail(&self) -> Option<String> {
        self.could_not.as_ref().map(ToString::to_string)
    }

    /// The outcome in words, for the model: what it is, and the table as `column: value` lines.
    #[must_use]
    pub fn for_model(&self) -> String {
        let mut out = String::new();
        match self.status {
            Status::NotFound => {
                out.push_str("Not found: the source was asked and does not know it.")
            }
            Status::CouldNotLook => {
                let _ = write!(
                    out,
                    "Could not look: {}. This says nothing about the indicator; it is not evidence that it is clean.",
                    self.detail().unwrap_or_else(|| "unknown reason".into())
                );
            }
            Status::Found => {
                let _ = write!(out, "Found. Verdict of the source: {}", self.verdict.name());
                if !self.basis.as_str().is_empty() {
                    let _ = write!(out, " ({})", self.basis.as_str());
                }
                if let Some(date) = &self.source_date {
                    let _ = write!(out, ". Data of {date}");
                }
                out.push('.');
                let total = self.total_rows.unwrap_or(self.rows.len() as u64);
                if total > 1 {
                    let _ = write!(out, " {total} rows.");
                }
                self.rows_for_model(&mut out);
            }
        }
        out
    }

    /// The outcome of a fleet tool in words, for the model: its sentence, then the table.
    #[must_use]
    pub fn said_for_model(&self) -> String {
        if self.status != Status::Found {
            return format!(
                "Not done: {}",
                self.detail().unwrap_or_else(|| "unknown reason".into())
            );
        }
        let mut out = self.basis.as_str().to_owned();
        if self.total_rows.is_some_and(|t| t > self.rows.len() as u64) {
            let _ = write!(out, " The first {} follow.", self.rows.len());
        }
        self.rows_for_model(&mut out);
        out
    }

    fn rows_for_model(&self, out: &mut String) {
        for row in &self.rows {
            out.push_str("\n-");
            for (column, cell) in self
                .columns
                .iter()
                .zip(row)
                .filter(|(_, c)| !c.as_str().trim().is_empty())
            {
                let _ = write!(out, " {column}: {};", cell.as_str());
            }
        }
    }

    /// The text in which indicators are looked for: the table, or the raw answer where there is none.
    #[must_use]
    pub fn searchable(&self) -> String {
        let mut out = String::new();
        for row in &self.rows {
            for cell in row {
                out.push_str(cell.as_str());
                out.push('\n');
            }
        }
        if out.is_empty() {
            out.push_str(self.raw.as_str());
        }
        out
    }
}

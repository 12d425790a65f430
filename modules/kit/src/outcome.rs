//! What a look-up returns. `Found`, `NotFound` and `CouldNotLook` are three different things and are
//! never mixed up: a source that could not be asked says nothing about the indicator.

use crate::text::Untrusted;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The answer of one source about one indicator.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The source knows the indicator.
    Found(Report),
    /// The source was asked and does not know it.
    NotFound,
    /// The source could not be asked, or its answer could not be read.
    CouldNotLook(CouldNot),
}

/// What the source said, in two forms. All of it is untrusted text.
#[derive(Clone, Debug)]
pub struct Report {
    /// The part that answers the question, as a table.
    pub table: Table,
    /// The whole answer as it came (JSON, NDJSON or text).
    pub raw: Untrusted,
    /// Computed by the module from the source's own fields, never from prose.
    pub verdict: Verdict,
    /// Which fields the verdict rests on, as one short phrase (`abuseConfidenceScore 100`).
    pub verdict_basis: String,
    /// A page or address at the source where a person can read the same, without a key in it.
    pub source_url: String,
    /// When the source's own data is from (RFC 3339), where it says so.
    pub source_date: Option<String>,
    /// How many rows the source has in all, where the table holds only the newest.
    pub total_rows: Option<u64>,
}

/// Columns and rows; every row has as many cells as there are columns.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Column heads, written by the module (trusted).
    pub columns: Vec<&'static str>,
    /// Cells as the source gave them.
    pub rows: Vec<Vec<Untrusted>>,
}

impl Table {
    /// An empty table with these columns.
    #[must_use]
    pub fn new(columns: &[&'static str]) -> Self {
        Self {
            columns: columns.to_vec(),
            rows: Vec::new(),
        }
    }

    /// Adds a row; missing cells are empty, surplus ones are dropped.
    pub fn push<I, S>(&mut self, cells: I)
    where
        I: IntoIterator<Item = S>,
        S: Into<String>,
    {
        let mut row: Vec<Untrusted> = cells
            .into_iter()
            .take(self.columns.len())
            .map(|c| Untrusted::new(c.into()))
            .collect();
        row.resize_with(self.columns.len(), || Untrusted::new(String::new()));
        self.rows.push(row);
    }
}

/// Four levels, never averaged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The source's own fields say malicious.
    Malicious,
    /// The source's own fields give grounds for suspicion.
    Suspicious,
    /// The source's own fields say harmless (a white list, for example).
    Harmless,
    /// The source gives facts but no judgement.
    #[default]
    Unknown,
}

impl Verdict {
    /// The stable lower-case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Malicious => "malicious",
            Self::Suspicious => "suspicious",
            Self::Harmless => "harmless",
            Self::Unknown => "unknown",
        }
    }
}

/// Why a source could not be asked. None of these says anything about the indicator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "why")]
pub enum CouldNot {
    /// The source needs a key and none is set.
    NoKey,
    /// The source refused the key.
    BadKey,
    /// The source, or our own limit for it, asks to wait.
    RateLimited {
        /// Seconds until another try makes sense, where known.
        retry_s: Option<u64>,
    },
    /// No answer in time.
    TimedOut,
    /// No connection (name, network, TLS, a refused redirect); the detail is one short phrase.
    Unreachable {
        /// What failed, without addresses of this machine and without keys.
        detail: String,
    },
    /// The source answered with an error, or with something unreadable (HTML instead of JSON, cut off).
    Upstream {
        /// The HTTP status; 200 where the body was unreadable.
        status: u16,
        /// One short phrase.
        detail: String,
    },
    /// This module does not take this value.
    Unsupported {
        /// One short phrase.
        detail: String,
    },
    /// The program was stopped while the question was out.
    Interrupted,
}

/// Why nothing was looked up, as people read it: without the word for machines before a sentence that says
/// it all. Takes the text of a [`CouldNot`].
#[must_use]
pub fn plain_reason(detail: &str) -> &str {
    match detail.strip_prefix("unsupported: ") {
        Some(sentence) if !sentence.trim().is_empty() => sentence,
        _ => detail,
    }
}

impl fmt::Display for CouldNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoKey => f.write_str("no key"),
            Self::BadKey => f.write_str("bad key"),
            Self::RateLimited { retry_s: Some(s) } => write!(f, "rate limited (retry in {s} s)"),
            Self::RateLimited { retry_s: None } => f.write_str("rate limited"),
            Self::TimedOut => f.write_str("timed out"),
            Self::Unreachable { detail } if detail.is_empty() => f.write_str("unreachable"),
            Self::Unreachable { detail } => write!(f, "unreachable: {detail}"),
            Self::Upstream {
                status: 200,
                detail,
            } => write!(f, "upstream error: {detail}"),
            Self::Upstream { status, detail } if detail.is_empty() => {
                write!(f, "upstream error {status}")
            }
            Self::Upstream { status, detail } => write!(f, "upstream error {status}: {detail}"),
            Self::Unsupported { detail } if detail.is_empty() => f.write_str("unsupported"),
            Self::Unsupported { detail } => write!(f, "unsupported: {detail}"),
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

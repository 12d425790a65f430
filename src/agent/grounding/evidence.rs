//! What the check reads of a case's evidence: per piece the numbers, dates and words that stand in it.

use super::dates::{self, Day};
use crate::case::Status;
use kit::Indicator;
use kit::outcome::Verdict;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of one raw answer that are searched for numbers and dates. Longer ones are lists of rows, whose
/// count the table gives; a claim about the tail of one is then marked rather than believed.
const RAW: usize = 2 << 20;

/// Rows whose cells are counted.
const ROWS: usize = 5_000;

/// One piece of evidence, as it was stored (redacted).
#[derive(Clone, Debug)]
pub struct Piece {
    /// Number in the case.
    pub n: u32,
    /// Turn.
    pub turn: u32,
    /// Module.
    pub tool: String,
    /// What it was asked about.
    pub subject: Option<Indicator>,
    /// Outcome.
    pub status: Status,
    /// The source's verdict where found.
    pub verdict: Option<Verdict>,
    /// Verdict basis, column heads, source address and date.
    pub notes: String,
    /// Rows of the table form.
    pub rows: Vec<Vec<String>>,
    /// Rows that the source has in all, where the table holds only some.
    pub total_rows: Option<u64>,
    /// The raw form.
    pub raw: String,
}

/// The evidence of a case, read once for one answer.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    pub(super) pieces: Vec<Read>,
}

/// A piece with what was found in it.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub(super) tool: String,
    pub(super) subject: Option<Indicator>,
    pub(super) turn: u32,
    pub(super) status: Status,
    pub(super) verdict: Option<Verdict>,
    /// Everything as lower-case text.
    pub(super) text: String,
    /// Numbers that stand in it.
    pub(super) numbers: Numbers,
    /// Numbers that can be counted off it: rows, list lengths, distinct values of a column.
    pub(super) counts: Numbers,
    pub(super) days: BTreeSet<Day>,
}

/// A set of numbers, compared by value.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers(BTreeSet<u64>);

impl Numbers {
    /// Values are kept in ten-thousandths, so that 7.50 and 7.5 are one.
    pub(super) fn add(&mut self, value: f64) {
        if let Some(k) = key(value) {
            self.0.insert(k);
        }
    }

    pub(super) fn count(&mut self, n: usize) {
        self.0.insert((n as u64).saturating_mul(10_000));
    }

    pub(super) fn has(&self, value: f64) -> bool {
        key(value).is_some_and(|k| self.0.contains(&k))
    }

    /// Whether a number lies between the two, both included.
    pub(super) fn any_in(&self, low: f64, high: f64) -> bool {
        match (key(low), key(high)) {
            (Some(l), Some(h)) if l <= h => self.0.range(l..=h).next().is_some(),
            _ => false,
        }
    }

    pub(super) fn extend(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the range is checked first"
)]
fn key(value: f64) -> Option<u64> {
    (0.0..=1e14)
        .contains(&value)
        .then(|| (value * 10_000.0).round() as u64)
}

impl Evidence {
    /// Reads the pieces.
    #[must_use]
    pub fn new(pieces: Vec<Piece>) -> Self {
        Self {
            pieces: pieces.into_iter().map(read).collect(),
        }
    }

    /// Whether any evidence holds this text (lower case) as a word of its own.
    pub(super) fn holds(&self, text: &str) -> bool {
        self.pieces.iter().any(|p| holds(&p.text, text))
    }
}

fn read(p: Piece) -> Read {
    let mut out = Read {
        tool: p.tool,
        subject: p.subject,
        turn: p.turn,
        status: p.status,
        verdict: p.verdict,
        text: String::new(),
        numbers: Numbers::default(),
        counts: Numbers::default(),
        days: BTreeSet::new(),
    };
    let mut text = p.notes;
    for row in &p.rows {
        for cell in row {
            text.push('\n');
            text.push_str(cell);
        }
    }
    text.push('\n');
    let mut cut = p.raw.len().min(RAW);
    while !p.raw.is_char_boundary(cut) {
        cut -= 1;
    }
    text.push_str(p.raw.get(..cut).unwrap_or_default());
    numbers_in(&text, &mut out.numbers);
    out.days = dates::find(&text);
    if out.status == Status::NotFound {
        out.counts.count(0);
    } else {
        out.counts.count(p.rows.len());
        if let Some(total) = p.total_rows {
            out.counts
                .count(usize::try_from(total).unwrap_or(usize::MAX));
        }
        columns(&p.rows, &mut out.counts);
        if let Ok(v) = serde_json::from_str::<serde_json::Value>(&p.raw) {
            lists(&v, &mut out.counts, 0);
        }
    }
    out.text = text.to_lowercase();
    out
}

/// How many different values a column has, and how often each stands in it.
fn columns(rows: &[Vec<String>], out: &mut Numbers) {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0).min(64);
    for column in 0..width {
        let mut often: BTreeMap<&str, usize> = BTreeMap::new();
        for cell in rows.iter().take(ROWS).filter_map(|r| r.get(column)) {
            let cell = cell.trim();
            if !cell.is_empty() {
                *often.entry(cell).or_default() += 1;
                // A cell may itself be a list: `22, 80, 443`.
                if cell.contains(',') && rows.len() <= 50 {
                    out.count(cell.split(',').filter(|p| !p.trim().is_empty()).count());
                }
            }
        }
        out.count(often.len());
        for n in often.into_values() {
            out.count(n);
        }
    }
}

fn lists(value: &serde_json::Value, out: &mut Numbers, depth: usize) {
    if depth > 16 {
        return;
    }
    match value {
        serde_json::Value::Array(items) => {
            out.count(items.len());
            for v in items.iter().take(ROWS) {
                lists(v, out, depth + 1);
            }
        }
        serde_json::Value::Object(map) => {
            for v in map.values() {
                lists(v, out, depth + 1);
            }
        }
        _ => {}
    }
}

/// The numbers of a text of any shape (JSON, a table, prose). Parts of addresses, times, dates, versions
/// and identifiers are no numbers of their own.
pub(super) fn numbers_in(text: &str, out: &mut Numbers) {
    let part =
        |c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | ':' | '/' | '-' | '_' | '=' | '+');
    for run in text.split(|c| !part(c)) {
        let run = run.trim_matches(|c: char| !c.is_alphanumeric());
        if run.bytes().any(|b| b.is_ascii_digit()) {
            one_run(run, out);
        }
    }
}

fn one_run(run: &str, out: &mut Numbers) {
    if let Some(v) = super::numbers::parse(run) {
        out.add(v);
        // `[22,800]` without blanks reads like a grouped number.
        if !run.contains(',') {
            return;
        }
    }
    if run.contains("://") {
        if let Some(port) = port_of(run.split_once("://").map_or("", |(_, r)| r)) {
            out.add(port);
        }
        return;
    }
    let ratio: Vec<&str> = run.split(['/', '-']).collect();
    if let [a, b] = ratio.as_slice()
        && let (Some(a), Some(b)) = (super::numbers::parse(a), super::numbers::parse(b))
    {
        out.add(a);
        out.add(b);
        return;
    }
    for piece in run.split([',', '=']) {
        if let Some(v) = super::numbers::parse(piece) {
            out.add(v);
        } else if let Some((left, right)) = piece.rsplit_once(':')
            && left.contains(|c: char| c.is_alphabetic() || c == '.')
            && let Some(v) = super::numbers::parse(right)
        {
            out.add(v);
        }
    }
}

fn port_of(rest: &str) -> Option<f64> {
    let host = rest.split('/').next()?;
    super::numbers::parse(host.rsplit_once(':')?.1)
}

/// Whether `text` holds `word` with no letter, digit or hyphen on either side.
pub(super) fn holds(text: &str, word: &str) -> bool {
    if word.is_empty() {
        return false;
    }
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|t| t.chars().next_back());
        let mut after = text.get(at + word.len()..).unwrap_or_default().chars();
        let next = after.next();
        let longer = match next {
            Some('.') => after.next().is_some_and(joins),
            Some(c) => joins(c),
            None => false,
        };
        !before.is_some_and(joins) && !longer
    })
}

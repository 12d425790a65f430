//! Evidence: what a tool returned, numbered in its case, hashed, immutable.

use super::chain::{Domain, Hash, sha256_hex};
use super::error::StoreError;
use super::id::CaseId;
use super::log::{get_head, put_head};
use super::{Reader, Tx, index, redacted, small};
use crate::case::Status;
use kit::indicator::Indicator;
use kit::outcome::Verdict;
use kit::text::Redacted;
use rusqlite::{OptionalExtension as _, params};
use serde::{Deserialize, Serialize};

/// Everything about a piece of evidence but its raw form. Its serialised form is hashed, so a field is
/// only ever added (with a default).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvidenceMeta {
    /// Number in the case, from 1. Given by [`Tx::put_evidence`].
    pub n: u32,
    /// Turn.
    pub turn: u32,
    /// Tool.
    pub tool: String,
    /// What was asked about.
    pub subject: Option<Indicator>,
    /// Outcome.
    pub status: Status,
    /// `no key`, `timed out`, …
    #[serde(default)]
    pub detail: Option<String>,
    /// The source's verdict where found.
    #[serde(default)]
    pub verdict: Option<Verdict>,
    /// Which fields the verdict rests on.
    #[serde(default)]
    pub verdict_basis: Redacted,
    /// When it was asked, milliseconds since the Unix epoch.
    pub asked_ms: i64,
    /// Milliseconds it took.
    #[serde(default)]
    pub took_ms: u64,
    /// Age of a cached answer in seconds.
    #[serde(default)]
    pub age_s: u64,
    /// A page or address at the source, without a key.
    #[serde(default)]
    pub source_url: Redacted,
    /// When the source's own data is from.
    #[serde(default)]
    pub source_date: Option<Redacted>,
    /// Rows the source has in all, where the table holds only the newest.
    #[serde(default)]
    pub total_rows: Option<u64>,
    /// Column heads of the table form.
    #[serde(default)]
    pub columns: Vec<String>,
    /// Rows of the table form.
    #[serde(default)]
    pub rows: Vec<Vec<Redacted>>,
    /// Length of the raw form in bytes. Set by [`Tx::put_evidence`].
    pub bytes: u64,
    /// SHA-256 of the raw form, hex. Set by [`Tx::put_evidence`].
    pub sha256: String,
}

impl EvidenceMeta {
    /// With what is always known; the rest is set afterwards.
    #[must_use]
    pub fn new(turn: u32, tool: impl Into<String>, status: Status, asked_ms: i64) -> Self {
        Self {
            n: 0,
            turn,
            tool: tool.into(),
            subject: None,
            status,
            detail: None,
            verdict: None,
            verdict_basis: Redacted::default(),
            asked_ms,
            took_ms: 0,
            age_s: 0,
            source_url: Redacted::default(),
            source_date: None,
            total_rows: None,
            columns: Vec::new(),
            rows: Vec::new(),
            bytes: 0,
            sha256: String::new(),
        }
    }
}

/// A piece of evidence, whole.
#[derive(Clone, Debug, PartialEq)]
pub struct EvidenceRow {
    /// What is known about it.
    pub meta: EvidenceMeta,
    /// The whole answer as it came, after redaction.
    pub raw: Redacted,
}

/// The parts that the hash of evidence covers, before its meta bytes (which hold the hash of raw).
pub(crate) fn evidence_parts(prev: &Hash, case: &str, n: u32) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(72);
    bytes.extend(prev);
    bytes.extend(case.as_bytes());
    bytes.extend(n.to_be_bytes());
    bytes
}

impl Tx<'_> {
    /// Stores a piece of evidence under the next number of its case and returns that number. The number,
    /// length and hash in `row` are ignored and computed here.
    ///
    /// # Errors
    /// No such case, or the database failed.
    pub fn put_evidence(&mut self, case: &CaseId, row: &EvidenceRow) -> Result<u32, StoreError> {
        let key = self.key_of(case)?;
        let chain = &self.shared.key;
        let mut head = get_head(self.conn, key)?;
        let n = u32::try_from(head.evidence.saturating_add(1))
            .map_err(|_| StoreError::Refused("the case holds too much evidence".into()))?;
        let raw = row.raw.as_str();
        let meta = EvidenceMeta {
            n,
            bytes: raw.len() as u64,
            sha256: sha256_hex(raw.as_bytes()),
            ..row.meta.clone()
        };
        let json = serde_json::to_string(&meta)
            .map_err(|e| StoreError::Other(format!("evidence cannot be written: {e}")))?;
        let hash = chain.hash(
            Domain::Evidence,
            &[
                &evidence_parts(&head.evidence_hash, case.as_str(), n),
                json.as_bytes(),
            ],
        );
        self.conn
            .prepare_cached(
                "INSERT INTO evidence (case_key, n, meta, raw, key_id, hash)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![key, n, json, raw, chain.id(), hash])?;
        head.evidence = u64::from(n);
        head.evidence_hash = hash;
        put_head(self.conn, chain, key, &head)?;
        index::evidence(self.conn, key, &meta, raw)?;
        Ok(n)
    }
}

fn meta(n: u32, json: &str) -> Result<EvidenceMeta, StoreError> {
    serde_json::from_str(json)
        .map_err(|e| StoreError::damaged(format!("evidence {n} cannot be read: {e}")))
}

impl Reader<'_> {
    /// A piece of evidence, whole.
    ///
    /// # Errors
    /// No such case or evidence.
    pub fn evidence(&self, case: &CaseId, n: u32) -> Result<EvidenceRow, StoreError> {
        let key = self.key_of(case)?;
        let (json, raw): (String, String) = self
            .conn
            .prepare_cached("SELECT meta, raw FROM evidence WHERE case_key = ?1 AND n = ?2")?
            .query_row(params![key, n], |r| Ok((r.get(0)?, r.get(1)?)))
            .optional()?
            .ok_or_else(|| {
                StoreError::NotFound(format!("evidence E{n} in case {}", case.short()))
            })?;
        Ok(EvidenceRow {
            meta: meta(n, &json)?,
            raw: redacted(raw),
        })
    }

    /// All evidence of a case in order, without the raw forms.
    ///
    /// # Errors
    /// No such case, or a row that cannot be read.
    pub fn evidence_list(&self, case: &CaseId) -> Result<Vec<EvidenceMeta>, StoreError> {
        let key = self.key_of(case)?;
        let mut statement = self
            .conn
            .prepare_cached("SELECT n, meta FROM evidence WHERE case_key = ?1 ORDER BY n")?;
        let mut rows = statement.query([key])?;
        let mut list = Vec::new();
        while let Some(row) = rows.next()? {
            let json: String = row.get(1)?;
            list.push(meta(small(row.get(0)?), &json)?);
        }
        Ok(list)
    }
}

/// Copies evidence with its number from one case into another that has all earlier numbers.
pub(crate) fn copy(
    tx: &mut Tx<'_>,
    from: &CaseId,
    to: &CaseId,
    last: u32,
) -> Result<(), StoreError> {
    for n in 1..=last {
        let row = tx.evidence(from, n)?;
        let got = tx.put_evidence(to, &row)?;
        if got != n {
            return Err(StoreError::damaged(format!(
                "evidence {n} of case {from} has a gap before it"
            )));
        }
    }
    Ok(())
}

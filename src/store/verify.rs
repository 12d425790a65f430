//! Verification: the hash chains are computed again and held against what is stored.

use super::Reader;
use super::chain::{Domain, Hash, START, sha256_hex};
use super::error::StoreError;
use super::evidence::{EvidenceMeta, evidence_parts};
use super::id::CaseId;
use super::index::derived_summary;
use super::list::case_id;
use super::log::{AUDIT, Head, audit_parts, event_parts};
use super::{small, uint};
use crate::case::{Body, CaseState, Event};
use rusqlite::{OptionalExtension as _, params};
use serde::Serialize;
use std::collections::BTreeSet;

/// What kind of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    /// A row does not have the hash that it should have: it, or one before it, was changed.
    Changed,
    /// Rows are missing, at the end or between.
    Missing,
    /// A row cannot be read.
    Unreadable,
    /// Tables derived from the log differ from it; `db check --repair` builds them anew.
    Index,
    /// Written with a key that is not at hand, or without one after rows with one: cannot be told from
    /// tampering here.
    Unchecked,
    /// A fact worth knowing that is no damage.
    Notice,
}

impl ProblemKind {
    /// True when something was changed, is missing or cannot be read.
    #[must_use]
    pub const fn is_damage(self) -> bool {
        matches!(self, Self::Changed | Self::Missing | Self::Unreadable)
    }
}

/// Something found by verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Kind.
    pub kind: ProblemKind,
    /// Case; `None` for the audit and the file as a whole.
    pub case: Option<CaseId>,
    /// Event.
    pub seq: Option<u64>,
    /// Evidence.
    pub evidence: Option<u32>,
    /// One sentence.
    pub what: String,
}

/// What was verified, and what was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Cases looked at.
    pub cases: u64,
    /// Events looked at.
    pub events: u64,
    /// Pieces of evidence looked at.
    pub evidence: u64,
    /// Events whose hash is keyed, of those.
    pub keyed: u64,
    /// What was found.
    pub problems: Vec<Problem>,
}

impl Verified {
    /// True when everything was checked and nothing is wrong.
    #[must_use]
    pub fn ok(&self) -> bool {
        self.problems.iter().all(|p| p.kind == ProblemKind::Notice)
    }
}

/// Problems reported one by one for a case; a broken chain must not flood the screen.
const SHOWN: usize = 50;

const TRIGGERS: [&str; 9] = [
    "audit_no_delete",
    "audit_no_replace",
    "audit_no_update",
    "events_no_delete",
    "events_no_replace",
    "events_no_update",
    "evidence_no_delete",
    "evidence_no_replace",
    "evidence_no_update",
];

impl Reader<'_> {
    /// Verifies one case, or (with `None`) all cases, the audit and the guards of the file.
    ///
    /// # Errors
    /// No such case, or the file cannot be read at all.
    pub fn verify(&self, case: Option<&CaseId>) -> Result<Verified, StoreError> {
        match case {
            Some(case) => {
                let mut out = Verified::default();
                one(self, self.key_of(case)?, case, &mut out)?;
                Ok(out)
            }
            None => all(self),
        }
    }
}

/// All cases, the audit, the triggers.
pub(crate) fn all(r: &Reader<'_>) -> Result<Verified, StoreError> {
    let mut out = Verified::default();
    let cases: Vec<(i64, String)> = r
        .conn
        .prepare("SELECT key, id FROM cases ORDER BY key")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    let mut present = BTreeSet::new();
    for (key, id) in &cases {
        match case_id(id) {
            Ok(case) => {
                one(r, *key, &case, &mut out)?;
                present.insert(id.clone());
            }
            Err(_) => out.file(ProblemKind::Changed, format!("{id:?} is no case id")),
        }
    }
    audit(r, &present, &mut out)?;
    let triggers: BTreeSet<String> = r
        .conn
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for name in TRIGGERS {
        if !triggers.contains(name) {
            out.file(
                ProblemKind::Missing,
                format!("the trigger {name}, which keeps the log append-only, is missing"),
            );
        }
    }
    let heads: i64 = r.conn.query_row(
        "SELECT count(*) FROM heads WHERE case_key <> 0 AND case_key NOT IN (SELECT key FROM cases)",
        [],
        |row| row.get(0),
    )?;
    if heads > 0 {
        out.file(
            ProblemKind::Missing,
            format!("{heads} cases are gone without having been purged"),
        );
    }
    Ok(out)
}

impl Verified {
    fn file(&mut self, kind: ProblemKind, what: String) {
        self.problems.push(Problem {
            kind,
            case: None,
            seq: None,
            evidence: None,
            what,
        });
    }
}

/// Problems of one case, at most [`SHOWN`].
struct Notes<'v> {
    out: &'v mut Verified,
    case: Option<CaseId>,
    count: usize,
}

impl Notes<'_> {
    fn add(&mut self, kind: ProblemKind, seq: Option<u64>, evidence: Option<u32>, what: String) {
        self.count += 1;
        if self.count <= SHOWN {
            self.out.problems.push(Problem {
                kind,
                case: self.case.clone(),
                seq,
                evidence,
                what,
            });
        }
    }
}

/// How the keys of a chain's rows go on, and what is to be said about it.
#[derive(Default)]
struct Keys {
    keyed: u64,
    plain_before: u64,
    plain_after: Vec<u64>,
    foreign: Vec<u64>,
}

impl Keys {
    fn see(&mut self, at: u64, keyed: bool, checked: bool) {
        match (keyed, checked) {
            (true, true) => self.keyed += 1,
            (true, false) => self.foreign.push(at),
            (false, _) if self.keyed > 0 || !self.foreign.is_empty() => self.plain_after.push(at),
            (false, _) => self.plain_before += 1,
        }
    }

    fn report(&self, notes: &mut Notes<'_>, what: &str, have_key: bool) {
        if let (Some(first), Some(last)) = (self.foreign.first(), self.foreign.last()) {
            notes.add(
                ProblemKind::Unchecked,
                None,
                None,
                format!("{what} {first} to {last} were written with a key that is not at hand: not verified"),
            );
        }
        if let Some(first) = self.plain_after.first() {
            notes.add(
                ProblemKind::Unchecked,
                None,
                None,
                format!(
                    "{} of {what} from {first} on were written without the key that earlier ones have",
                    self.plain_after.len()
                ),
            );
        }
        if have_key && self.plain_before > 0 {
            notes.add(
                ProblemKind::Notice,
                None,
                None,
                format!(
                    "the first {} of {what} are from before there was a key: who can write the file could have changed them unseen",
                    self.plain_before
                ),
            );
        }
    }
}

fn one(r: &Reader<'_>, key: i64, case: &CaseId, out: &mut Verified) -> Result<(), StoreError> {
    out.cases += 1;
    let mut notes = Notes {
        out,
        case: Some(case.clone()),
        count: 0,
    };
    let (events, last_event, state) = events(r, key, case, &mut notes)?;
    let (pieces, last_piece) = evidence(r, key, case, &mut notes)?;
    head(
        r,
        key,
        &mut notes,
        [(events, last_event), (pieces, last_piece)],
    )?;
    for e in &state.evidence {
        if u64::from(e.n) > pieces {
            notes.add(
                ProblemKind::Missing,
                None,
                Some(e.n),
                format!("evidence {} is named in the log and is not stored", e.n),
            );
        }
    }
    let owner: String = r
        .conn
        .prepare_cached("SELECT principal FROM cases WHERE key = ?1")?
        .query_row([key], |row| row.get(0))?;
    if owner != state.principal {
        notes.add(
            ProblemKind::Changed,
            None,
            None,
            "the case's owner is not the one that opened it".into(),
        );
    }
    let turns = state.turns.iter().map(|t| t.n).max().unwrap_or(0);
    let folded = (
        state.title.clone(),
        u64::from(turns),
        state.open_proposals().count() as u64,
    );
    if derived_summary(r.conn, key)?.as_ref() != Some(&folded) {
        notes.add(
            ProblemKind::Index,
            None,
            None,
            "the list of cases differs from the log; `rmm-analyst db check --repair` builds it anew".into(),
        );
    }
    if notes.count > SHOWN {
        let more = notes.count - SHOWN;
        notes.out.problems.push(Problem {
            kind: ProblemKind::Changed,
            case: Some(case.clone()),
            seq: None,
            evidence: None,
            what: format!("{more} more problems of this case"),
        });
    }
    Ok(())
}

fn events(
    r: &Reader<'_>,
    key: i64,
    case: &CaseId,
    notes: &mut Notes<'_>,
) -> Result<(u64, Hash, CaseState), StoreError> {
    let chain = &r.shared.key;
    let (mut prev, mut count, mut next) = (START, 0_u64, 1_u64);
    let mut state = CaseState::default();
    let mut keys = Keys::default();
    let mut statement = r.conn.prepare_cached(
        "SELECT seq, at_ms, CAST(body AS BLOB), key_id, hash FROM events WHERE case_key = ?1 ORDER BY seq",
    )?;
    let mut rows = statement.query([key])?;
    while let Some(row) = rows.next()? {
        let seq = uint(row.get(0)?);
        let at_ms: i64 = row.get(1)?;
        let body: Vec<u8> = row.get(2)?;
        let key_id: Option<String> = row.get(3)?;
        let stored: Hash = row.get(4)?;
        if seq != next {
            notes.add(
                ProblemKind::Missing,
                Some(seq),
                None,
                format!("events {next} to {} are missing", seq.saturating_sub(1)),
            );
        }
        next = seq.saturating_add(1);
        count += 1;
        let parts = event_parts(&prev, case.as_str(), seq, at_ms);
        let computed = chain.hash_as(key_id.as_deref(), Domain::Event, &[&parts, &body]);
        keys.see(seq, key_id.is_some(), computed.is_some());
        if computed.is_some_and(|h| h != stored) {
            notes.add(
                ProblemKind::Changed,
                Some(seq),
                None,
                format!("event {seq} or the one before it was changed"),
            );
        }
        match serde_json::from_slice::<Body>(&body) {
            Ok(body) => state.apply(&Event { seq, at_ms, body }),
            Err(_) => notes.add(
                ProblemKind::Unreadable,
                Some(seq),
                None,
                format!("event {seq} cannot be read"),
            ),
        }
        prev = stored;
    }
    keys.report(notes, "events", chain.id().is_some());
    notes.out.events += count;
    notes.out.keyed += keys.keyed;
    Ok((count, prev, state))
}

fn evidence(
    r: &Reader<'_>,
    key: i64,
    case: &CaseId,
    notes: &mut Notes<'_>,
) -> Result<(u64, Hash), StoreError> {
    let chain = &r.shared.key;
    let (mut prev, mut count, mut next) = (START, 0_u64, 1_u32);
    let mut keys = Keys::default();
    let mut statement = r.conn.prepare_cached(
        "SELECT n, CAST(meta AS BLOB), CAST(raw AS BLOB), key_id, hash FROM evidence
         WHERE case_key = ?1 ORDER BY n",
    )?;
    let mut rows = statement.query([key])?;
    while let Some(row) = rows.next()? {
        let n = small(row.get(0)?);
        let meta: Vec<u8> = row.get(1)?;
        let raw: Vec<u8> = row.get(2)?;
        let key_id: Option<String> = row.get(3)?;
        let stored: Hash = row.get(4)?;
        if n != next {
            notes.add(
                ProblemKind::Missing,
                None,
                Some(n),
                format!("evidence {next} to {} is missing", n.saturating_sub(1)),
            );
        }
        next = n.saturating_add(1);
        count += 1;
        let parts = evidence_parts(&prev, case.as_str(), n);
        let computed = chain.hash_as(key_id.as_deref(), Domain::Evidence, &[&parts, &meta]);
        keys.see(u64::from(n), key_id.is_some(), computed.is_some());
        if computed.is_some_and(|h| h != stored) {
            notes.add(
                ProblemKind::Changed,
                None,
                Some(n),
                format!("the data about evidence {n} or the one before it was changed"),
            );
        }
        match serde_json::from_slice::<EvidenceMeta>(&meta) {
            Ok(meta) if meta.sha256 == sha256_hex(&raw) && meta.n == n => {}
            Ok(_) => notes.add(
                ProblemKind::Changed,
                None,
                Some(n),
                format!("the text of evidence {n} was changed"),
            ),
            Err(_) => notes.add(
                ProblemKind::Unreadable,
                None,
                Some(n),
                format!("the data about evidence {n} cannot be read"),
            ),
        }
        prev = stored;
    }
    keys.report(notes, "evidence", false);
    notes.out.evidence += count;
    Ok((count, prev))
}

/// The head says how long the chains are and where they end.
fn head(
    r: &Reader<'_>,
    scope: i64,
    notes: &mut Notes<'_>,
    found: [(u64, Hash); 2],
) -> Result<(), StoreError> {
    let row: Option<(Head, Option<String>, Hash)> = r
        .conn
        .prepare_cached(
            "SELECT events, hash, evidence, evidence_hash, key_id, mac FROM heads WHERE case_key = ?1",
        )?
        .query_row(params![scope], |row| {
            Ok((
                Head {
                    events: uint(row.get(0)?),
                    hash: row.get(1)?,
                    evidence: uint(row.get(2)?),
                    evidence_hash: row.get(3)?,
                },
                row.get(4)?,
                row.get(5)?,
            ))
        })
        .optional()?;
    let Some((head, key_id, mac)) = row else {
        notes.add(
            ProblemKind::Missing,
            None,
            None,
            "the record of how long the chain is, is missing".into(),
        );
        return Ok(());
    };
    match r
        .shared
        .key
        .hash_as(key_id.as_deref(), Domain::Head, &[&head.parts(scope)])
    {
        None => notes.add(
            ProblemKind::Unchecked,
            None,
            None,
            "the end of the chain was written with a key that is not at hand: a cut tail would not show".into(),
        ),
        Some(computed) if computed != mac => notes.add(
            ProblemKind::Changed,
            None,
            None,
            "the record of how long the chain is was changed".into(),
        ),
        Some(_) => {}
    }
    let [(events, event_hash), (pieces, piece_hash)] = found;
    for (what, stored, count, ends) in [
        ("events", head.events, events, head.hash == event_hash),
        (
            "pieces of evidence",
            head.evidence,
            pieces,
            head.evidence_hash == piece_hash,
        ),
    ] {
        if stored != count {
            notes.add(
                ProblemKind::Missing,
                None,
                None,
                format!("{stored} {what} were written, {count} are there"),
            );
        } else if !ends {
            notes.add(
                ProblemKind::Changed,
                None,
                None,
                format!("the last of the {what} is not the one that was written"),
            );
        }
    }
    Ok(())
}

fn audit(r: &Reader<'_>, present: &BTreeSet<String>, out: &mut Verified) -> Result<(), StoreError> {
    let chain = &r.shared.key;
    let mut notes = Notes {
        out,
        case: None,
        count: 0,
    };
    let (mut prev, mut count) = (START, 0_u64);
    let mut keys = Keys::default();
    let mut expected = BTreeSet::new();
    let mut statement = r.conn.prepare(
        "SELECT seq, at_ms, what, ifnull(case_id, ''), principal, detail, key_id, hash
         FROM audit ORDER BY seq",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let seq = uint(row.get(0)?);
        let at_ms: i64 = row.get(1)?;
        let texts: [String; 4] = [row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?];
        let key_id: Option<String> = row.get(6)?;
        let stored: Hash = row.get(7)?;
        count += 1;
        if seq != count {
            notes.add(
                ProblemKind::Missing,
                None,
                None,
                format!("rows of the audit before {seq} are missing"),
            );
            count = seq;
        }
        let [what, case, principal, detail] = &texts;
        let parts = audit_parts(&prev, seq, at_ms, [what, case, principal, detail]);
        let computed = chain.hash_as(key_id.as_deref(), Domain::Audit, &[&parts]);
        keys.see(seq, key_id.is_some(), computed.is_some());
        if computed.is_some_and(|h| h != stored) {
            notes.add(
                ProblemKind::Changed,
                None,
                None,
                format!("row {seq} of the audit or the one before it was changed"),
            );
        }
        match what.as_str() {
            "create" | "fork" => {
                expected.insert(case.clone());
            }
            "purge" => {
                expected.remove(case);
            }
            _ => {}
        }
        prev = stored;
    }
    keys.report(&mut notes, "rows of the audit", chain.id().is_some());
    head(r, AUDIT, &mut notes, [(count, prev), (0, START)])?;
    for gone in expected.difference(present) {
        notes.add(
            ProblemKind::Missing,
            None,
            None,
            format!("case {gone} is gone without having been purged"),
        );
    }
    for extra in present.difference(&expected) {
        notes.add(
            ProblemKind::Changed,
            None,
            None,
            format!("case {extra} was never opened by the program"),
        );
    }
    Ok(())
}

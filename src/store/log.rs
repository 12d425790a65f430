//! The log of cases: creation, appending along the hash chain, reading, recovery after a crash.

use super::chain::{ChainKey, Domain, Hash, START};
use super::error::StoreError;
use super::id::CaseId;
use super::{Reader, Tx, index, int, uint};
use crate::case::{Body, CaseState, Event, Status, TurnStatus, Usage};
use rusqlite::{Connection, OptionalExtension as _, params};

/// The key of the audit chain in `heads`.
pub(crate) const AUDIT: i64 = 0;

/// Where the chains of a case end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) events: u64,
    pub(crate) hash: Hash,
    pub(crate) evidence: u64,
    pub(crate) evidence_hash: Hash,
}

impl Head {
    pub(crate) const fn empty() -> Self {
        Self {
            events: 0,
            hash: START,
            evidence: 0,
            evidence_hash: START,
        }
    }

    /// The bytes that its MAC covers.
    pub(crate) fn parts(&self, scope: i64) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(88);
        bytes.extend(scope.to_be_bytes());
        bytes.extend(self.events.to_be_bytes());
        bytes.extend(self.hash);
        bytes.extend(self.evidence.to_be_bytes());
        bytes.extend(self.evidence_hash);
        bytes
    }
}

pub(crate) fn put_head(
    conn: &Connection,
    key: &ChainKey,
    scope: i64,
    head: &Head,
) -> Result<(), StoreError> {
    let mac = key.hash(Domain::Head, &[&head.parts(scope)]);
    conn.prepare_cached(
        "INSERT INTO heads (case_key, events, hash, evidence, evidence_hash, key_id, mac)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (case_key) DO UPDATE SET events = excluded.events, hash = excluded.hash,
             evidence = excluded.evidence, evidence_hash = excluded.evidence_hash,
             key_id = excluded.key_id, mac = excluded.mac",
    )?
    .execute(params![
        scope,
        int(head.events),
        head.hash,
        int(head.evidence),
        head.evidence_hash,
        key.id(),
        mac
    ])?;
    Ok(())
}

pub(crate) fn get_head(conn: &Connection, scope: i64) -> Result<Head, StoreError> {
    conn.prepare_cached(
        "SELECT events, hash, evidence, evidence_hash FROM heads WHERE case_key = ?1",
    )?
    .query_row([scope], |r| {
        Ok(Head {
            events: uint(r.get(0)?),
            hash: r.get(1)?,
            evidence: uint(r.get(2)?),
            evidence_hash: r.get(3)?,
        })
    })
    .optional()?
    .ok_or_else(|| StoreError::damaged("the head of a chain is missing"))
}

/// The parts that the hash of an event covers: the hash before it, the case, its place, its time, its
/// body; all but the last of fixed length.
pub(crate) fn event_parts(prev: &Hash, case: &str, seq: u64, at_ms: i64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(88);
    bytes.extend(prev);
    bytes.extend(case.as_bytes());
    bytes.extend(seq.to_be_bytes());
    bytes.extend(at_ms.to_be_bytes());
    bytes
}

/// The parts that the hash of an audit row covers, each with its length before it.
pub(crate) fn audit_parts(prev: &Hash, seq: u64, at_ms: i64, texts: [&str; 4]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(128);
    bytes.extend(prev);
    bytes.extend(seq.to_be_bytes());
    bytes.extend(at_ms.to_be_bytes());
    for text in texts {
        bytes.extend((text.len() as u64).to_be_bytes());
        bytes.extend(text.as_bytes());
    }
    bytes
}

impl Reader<'_> {
    /// The integer key of a case.
    pub(crate) fn key_of(&self, case: &CaseId) -> Result<i64, StoreError> {
        self.conn
            .prepare_cached("SELECT key FROM cases WHERE id = ?1")?
            .query_row([case.as_str()], |r| r.get(0))
            .optional()?
            .ok_or_else(|| StoreError::NotFound(format!("case {case}")))
    }

    /// The log of a case from its beginning.
    ///
    /// # Errors
    /// No such case, or an event that cannot be read.
    pub fn events(&self, case: &CaseId) -> Result<Vec<Event>, StoreError> {
        self.events_after(case, 0)
    }

    /// The events behind `seq`, for a reader that follows a case.
    ///
    /// # Errors
    /// No such case, or an event that cannot be read.
    pub fn events_after(&self, case: &CaseId, seq: u64) -> Result<Vec<Event>, StoreError> {
        let key = self.key_of(case)?;
        let mut events = Vec::new();
        each_event(self.conn, key, seq, |event| {
            events.push(event);
            Ok(())
        })?;
        Ok(events)
    }

    /// The state of a case: the fold over its log.
    ///
    /// # Errors
    /// No such case, or an event that cannot be read.
    pub fn case(&self, case: &CaseId) -> Result<CaseState, StoreError> {
        let key = self.key_of(case)?;
        let mut state = CaseState::default();
        each_event(self.conn, key, 0, |event| {
            state.apply(&event);
            Ok(())
        })?;
        Ok(state)
    }

    /// The end of a long case, to be shown while the whole of it is read: its last turns with what belongs
    /// to them, folded from the last 500 events alone. `None` for a case that is not longer than that.
    /// It holds no open proposal and must not be judged by: what was authorized or refused earlier is not
    /// in it.
    ///
    /// # Errors
    /// No such case, or an event that cannot be read.
    pub fn case_end(&self, case: &CaseId) -> Result<Option<CaseState>, StoreError> {
        let key = self.key_of(case)?;
        let Some(before) = get_head(self.conn, key)?.events.checked_sub(END) else {
            return Ok(None);
        };
        let summary = self.summary(case)?;
        let mut state = CaseState {
            title: summary.title,
            principal: summary.principal,
            tags: summary.tags.into_iter().collect(),
            closed: summary.closed,
            ..CaseState::default()
        };
        let mut begun = None;
        each_event(self.conn, key, before, |event| {
            if let Body::Human { turn, .. } | Body::TurnStarted { turn, .. } = &event.body {
                begun = begun.or(Some(*turn));
            }
            state.apply(&event);
            Ok(())
        })?;
        // Of the first turn in sight the beginning may be missing.
        state.turns.retain(|t| begun.is_some_and(|n| t.n >= n));
        state.open.clear();
        Ok(Some(state))
    }
}

/// Events at the end of a case that are enough to fill a screen.
const END: u64 = 500;

/// Reads events of a case one by one, in order.
pub(crate) fn each_event(
    conn: &Connection,
    case_key: i64,
    after: u64,
    mut f: impl FnMut(Event) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut statement = conn.prepare_cached(
        "SELECT seq, at_ms, body FROM events WHERE case_key = ?1 AND seq > ?2 ORDER BY seq",
    )?;
    let mut rows = statement.query(params![case_key, int(after)])?;
    while let Some(row) = rows.next()? {
        let seq = uint(row.get(0)?);
        let body = row.get_ref(2)?;
        let body = body
            .as_str()
            .map_err(|e| StoreError::damaged(format!("event {seq} is no text: {e}")))?;
        let body: Body = serde_json::from_str(body)
            .map_err(|e| StoreError::damaged(format!("event {seq} cannot be read: {e}")))?;
        f(Event {
            seq,
            at_ms: row.get(1)?,
            body,
        })?;
    }
    Ok(())
}

impl Tx<'_> {
    /// Begins a case; its first event is [`Body::Opened`].
    ///
    /// # Errors
    /// The database failed.
    pub fn create_case(
        &mut self,
        now_ms: i64,
        title: &str,
        principal: &str,
    ) -> Result<CaseId, StoreError> {
        let case = self.new_case(now_ms, principal, "create", "")?;
        self.append(
            &case,
            now_ms,
            &[Body::Opened {
                title: title.to_owned(),
                principal: principal.to_owned(),
            }],
        )?;
        Ok(case)
    }

    /// A case without events.
    pub(crate) fn new_case(
        &mut self,
        now_ms: i64,
        principal: &str,
        what: &str,
        detail: &str,
    ) -> Result<CaseId, StoreError> {
        // The short form is drawn again until it is free; the bound is never reached in practice.
        for _ in 0..64 {
            let case = CaseId::new(now_ms)?;
            let made = self
                .conn
                .prepare_cached(
                    "INSERT INTO cases (id, short, principal, created_ms) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT DO NOTHING",
                )?
                .execute(params![case.as_str(), case.short(), principal, now_ms])?;
            if made == 0 {
                continue;
            }
            let key = self.conn.last_insert_rowid();
            put_head(self.conn, &self.shared.key, key, &Head::empty())?;
            index::open(self.conn, key, now_ms)?;
            self.audit(now_ms, what, Some(&case), principal, detail)?;
            return Ok(case);
        }
        Err(StoreError::Other("no free short id".into()))
    }

    /// Appends events in order, all at the same time, and returns them with their places.
    ///
    /// # Errors
    /// No such case, or the database failed; then nothing of the transaction is kept.
    pub fn append(
        &mut self,
        case: &CaseId,
        at_ms: i64,
        bodies: &[Body],
    ) -> Result<Vec<Event>, StoreError> {
        let stamped: Vec<(i64, &Body)> = bodies.iter().map(|b| (at_ms, b)).collect();
        let events = self.append_each(case, &stamped)?;
        if tracing::enabled!(tracing::Level::INFO) {
            let said = bodies.iter().map(|b| (case.clone(), b.clone()));
            self.appended.extend(said);
        }
        Ok(events)
    }

    /// Appends events with a time each.
    pub(crate) fn append_each(
        &mut self,
        case: &CaseId,
        bodies: &[(i64, &Body)],
    ) -> Result<Vec<Event>, StoreError> {
        let key = self.key_of(case)?;
        let chain = &self.shared.key;
        let mut head = get_head(self.conn, key)?;
        let mut events = Vec::with_capacity(bodies.len());
        for (at_ms, body) in bodies {
            let json = serde_json::to_string(body)
                .map_err(|e| StoreError::Other(format!("an event cannot be written: {e}")))?;
            let seq = head.events.saturating_add(1);
            let hash = chain.hash(
                Domain::Event,
                &[
                    &event_parts(&head.hash, case.as_str(), seq, *at_ms),
                    json.as_bytes(),
                ],
            );
            self.conn
                .prepare_cached(
                    "INSERT INTO events (case_key, seq, at_ms, body, key_id, hash)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                )?
                .execute(params![key, int(seq), at_ms, json, chain.id(), hash])?;
            head.events = seq;
            head.hash = hash;
            let event = Event {
                seq,
                at_ms: *at_ms,
                body: (*body).clone(),
            };
            index::event(self.conn, key, &event)?;
            events.push(event);
        }
        put_head(self.conn, chain, key, &head)?;
        Ok(events)
    }

    /// The next proposal number: one sequence for the whole file; a number is never given twice, even
    /// when the case that had it is purged.
    ///
    /// # Errors
    /// The database failed.
    pub fn next_proposal_number(&mut self) -> Result<u64, StoreError> {
        self.conn
            .prepare_cached("INSERT INTO proposal_numbers DEFAULT VALUES")?
            .execute([])?;
        let n = self.conn.last_insert_rowid();
        // AUTOINCREMENT remembers the highest; the rows themselves are not needed.
        self.conn
            .prepare_cached("DELETE FROM proposal_numbers WHERE n < ?1")?
            .execute([n])?;
        Ok(uint(n))
    }

    /// After a crash: ends the turn that a dead process left. Call it only while holding the case's
    /// [`super::TurnLock`]: then nobody can still be working on that turn. Calls in flight end as
    /// `could not look: interrupted` and stay charged. Returns what was appended; empty when nothing was open.
    ///
    /// # Errors
    /// No such case, or the database failed.
    pub fn recover(&mut self, case: &CaseId, now_ms: i64) -> Result<Vec<Event>, StoreError> {
        let state = self.case(case)?;
        let mut bodies = Vec::new();
        for turn in &state.turns {
            for call in turn.calls.iter().filter(|c| c.in_flight()) {
                bodies.push(Body::CallDone {
                    turn: turn.n,
                    n: call.n,
                    status: Status::CouldNotLook,
                    detail: Some("interrupted".into()),
                    evidence: None,
                    verdict: None,
                    seen: Vec::new(),
                    age_s: 0,
                    ms: 0,
                });
            }
            if turn.status.is_none() {
                bodies.push(Body::TurnEnded {
                    turn: turn.n,
                    status: TurnStatus::Interrupted,
                    usage: Usage::default(),
                    warnings: Vec::new(),
                    error: Some("the program ended during this turn".into()),
                });
            }
        }
        if bodies.is_empty() {
            return Ok(Vec::new());
        }
        self.append(case, now_ms, &bodies)
    }

    /// Adds a row to the audit chain.
    pub(crate) fn audit(
        &mut self,
        at_ms: i64,
        what: &str,
        case: Option<&CaseId>,
        principal: &str,
        detail: &str,
    ) -> Result<(), StoreError> {
        let chain = &self.shared.key;
        let mut head = get_head(self.conn, AUDIT)?;
        let seq = head.events.saturating_add(1);
        let case = case.map(CaseId::as_str);
        let texts = [what, case.unwrap_or(""), principal, detail];
        let hash = chain.hash(
            Domain::Audit,
            &[&audit_parts(&head.hash, seq, at_ms, texts)],
        );
        self.conn
            .prepare_cached(
                "INSERT INTO audit (seq, at_ms, what, case_id, principal, detail, key_id, hash)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![
                int(seq),
                at_ms,
                what,
                case,
                principal,
                detail,
                chain.id(),
                hash
            ])?;
        head.events = seq;
        head.hash = hash;
        put_head(self.conn, chain, AUDIT, &head)
    }
}

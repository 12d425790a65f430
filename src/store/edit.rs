//! Edits of whole cases: fork, rename, tag, close, delete, purge.

use super::error::StoreError;
use super::id::CaseId;
use super::log::each_event;
use super::{Store, Tx, evidence, index, lock};
use crate::case::{Body, Event};
use std::collections::BTreeMap;

/// Longest title in characters.
const TITLE: usize = 200;
/// Longest tag in characters.
const TAG: usize = 40;

impl Tx<'_> {
    /// A new case that begins as a copy of `from` up to the end of `turn` (events before the next turn
    /// began), with its evidence. Proposals get new numbers, because a number stands for one proposal in
    /// the whole file. A turn that has not ended is ended as interrupted in the copy.
    ///
    /// # Errors
    /// No such case or turn.
    pub fn fork(
        &mut self,
        from: &CaseId,
        turn: u32,
        title: Option<&str>,
        principal: &str,
        now_ms: i64,
    ) -> Result<CaseId, StoreError> {
        let state = self.case(from)?;
        if state.turn(turn).is_none() {
            return Err(StoreError::NotFound(format!(
                "turn {turn} in case {}; it has {}",
                from.short(),
                state.turns.len()
            )));
        }
        let title = match title {
            Some(title) => checked_title(title)?,
            None => checked_title(&format!("{} (from turn {turn})", state.title))?,
        };
        let detail = format!("from {from} turn {turn}");
        let case = self.new_case(now_ms, principal, "fork", &detail)?;
        let mut taken: Vec<Event> = Vec::new();
        let mut over = false;
        each_event(self.conn, self.key_of(from)?, 0, |event| {
            over |= begins(&event.body).is_some_and(|n| n > turn);
            let of_action =
                matches!(&event.body, Body::Decided { n, .. } if state.actions.contains_key(n));
            if !over && copied(&event.body) && !of_action {
                taken.push(event);
            }
            Ok(())
        })?;
        let mut numbers = BTreeMap::new();
        let mut last_evidence = 0;
        for event in &mut taken {
            if let Body::CallDone {
                evidence: Some(n), ..
            } = &event.body
            {
                last_evidence = last_evidence.max(*n);
            }
            self.renumber(&mut event.body, &mut numbers)?;
        }
        evidence::copy(self, from, &case, last_evidence)?;
        let opened = Body::Opened {
            title,
            principal: principal.to_owned(),
        };
        let forked = Body::Forked {
            case: from.as_str().to_owned(),
            turn,
        };
        let mut bodies = vec![(now_ms, &opened), (now_ms, &forked)];
        bodies.extend(taken.iter().map(|e| (e.at_ms, &e.body)));
        self.append_each(&case, &bodies)?;
        self.recover(&case, now_ms)?;
        Ok(case)
    }

    fn renumber(
        &mut self,
        body: &mut Body,
        numbers: &mut BTreeMap<u64, u64>,
    ) -> Result<(), StoreError> {
        match body {
            Body::Proposed { n, .. } => {
                let new = self.next_proposal_number()?;
                numbers.insert(*n, new);
                *n = new;
            }
            Body::Decided { n, .. } => {
                if let Some(new) = numbers.get(n) {
                    *n = *new;
                }
            }
            Body::Human { shown, .. } => {
                *shown = shown
                    .iter()
                    .filter_map(|n| numbers.get(n).copied())
                    .collect();
            }
            _ => {}
        }
        Ok(())
    }

    /// Gives a case a new title.
    ///
    /// # Errors
    /// No such case, or a blank or overlong title.
    pub fn rename(&mut self, case: &CaseId, title: &str, now_ms: i64) -> Result<(), StoreError> {
        let title = checked_title(title)?;
        self.append(case, now_ms, &[Body::Renamed { title }])?;
        Ok(())
    }

    /// Puts tags on and takes tags off.
    ///
    /// # Errors
    /// No such case, or a tag that is blank, overlong, or holds blanks or control characters.
    pub fn tag(
        &mut self,
        case: &CaseId,
        add: &[String],
        remove: &[String],
        now_ms: i64,
    ) -> Result<(), StoreError> {
        for tag in add {
            let bad = tag.is_empty()
                || tag.chars().count() > TAG
                || tag.chars().any(|c| c.is_whitespace() || c.is_control());
            if bad {
                return Err(StoreError::Refused(format!(
                    "a tag is 1 to {TAG} characters without blanks; {tag:?} is not"
                )));
            }
        }
        let body = Body::Tagged {
            add: add.to_vec(),
            remove: remove.to_vec(),
        };
        self.append(case, now_ms, &[body])?;
        Ok(())
    }

    /// Closes a case; open proposals expire.
    ///
    /// # Errors
    /// No such case, or closed already.
    pub fn close(&mut self, case: &CaseId, now_ms: i64) -> Result<(), StoreError> {
        if self.summary(case)?.closed {
            return Err(refused(case, "is closed already"));
        }
        self.append(case, now_ms, &[Body::Closed])?;
        Ok(())
    }

    /// Opens a closed case again. Expired proposals stay expired.
    ///
    /// # Errors
    /// No such case, or not closed.
    pub fn reopen(&mut self, case: &CaseId, now_ms: i64) -> Result<(), StoreError> {
        if !self.summary(case)?.closed {
            return Err(refused(case, "is not closed"));
        }
        self.append(case, now_ms, &[Body::Reopened])?;
        Ok(())
    }

    /// Puts a tombstone on a case: it is in no list, search or memory, and can be taken back.
    ///
    /// # Errors
    /// No such case, or deleted already.
    pub fn delete(
        &mut self,
        case: &CaseId,
        principal: &str,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        if self.summary(case)?.deleted {
            return Err(refused(case, "is deleted already"));
        }
        self.append(case, now_ms, &[Body::Deleted])?;
        self.audit(now_ms, "delete", Some(case), principal, "")
    }

    /// Takes a tombstone back.
    ///
    /// # Errors
    /// No such case, or not deleted.
    pub fn undelete(
        &mut self,
        case: &CaseId,
        principal: &str,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        if !self.summary(case)?.deleted {
            return Err(refused(case, "is not deleted"));
        }
        self.append(case, now_ms, &[Body::Undeleted])?;
        self.audit(now_ms, "undelete", Some(case), principal, "")
    }

    /// Builds the tables derived from the log anew.
    ///
    /// # Errors
    /// A log that cannot be read.
    pub fn reindex(&mut self) -> Result<(), StoreError> {
        index::rebuild_all(self.conn)
    }

    /// Removes a case for good. The grant that the triggers ask for lives only inside this transaction.
    fn purge(&mut self, case: &CaseId, principal: &str, now_ms: i64) -> Result<(), StoreError> {
        let key = self.key_of(case)?;
        let (events, pieces): (i64, i64) = self.conn.query_row(
            "SELECT events, evidence FROM heads WHERE case_key = ?1",
            [key],
            |r| Ok((r.get(0)?, r.get(1)?)),
        )?;
        self.conn
            .execute("INSERT INTO purge_grants (case_key) VALUES (?1)", [key])?;
        index::forget(self.conn, key)?;
        for sql in [
            "DELETE FROM evidence WHERE case_key = ?1",
            "DELETE FROM events WHERE case_key = ?1",
            "DELETE FROM heads WHERE case_key = ?1",
            "DELETE FROM cases WHERE key = ?1",
            "DELETE FROM purge_grants WHERE case_key = ?1",
        ] {
            self.conn.execute(sql, [key])?;
        }
        // What was in the case is not in the audit: only that it was, and how much of it.
        let detail = format!("{events} events, {pieces} pieces of evidence");
        self.audit(now_ms, "purge", Some(case), principal, &detail)
    }
}

impl Store {
    /// Removes a case for good, its text overwritten in the file and in the write-ahead log. Audited, and
    /// the one exception to the log's being append-only. Answers kept in the cache and backups are not
    /// the case's and stay.
    ///
    /// # Errors
    /// No such case, or a turn of it runs.
    pub fn purge(&self, case: &CaseId, principal: &str, now_ms: i64) -> Result<(), StoreError> {
        let held = self.lock_turn(case)?;
        let (id, who) = (case.clone(), principal.to_owned());
        self.write(move |tx| tx.purge(&id, &who, now_ms))?;
        lock::remove(self.shared().dir(), case);
        drop(held);
        self.empty_wal()
    }
}

fn refused(case: &CaseId, why: &str) -> StoreError {
    StoreError::Refused(format!("case {} {why}", case.short()))
}

fn checked_title(title: &str) -> Result<String, StoreError> {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    if title.is_empty() || title.chars().any(char::is_control) {
        return Err(StoreError::Refused(
            "a title needs at least one character and no control characters".into(),
        ));
    }
    Ok(title.chars().take(TITLE).collect())
}

/// The turn that this event begins.
fn begins(body: &Body) -> Option<u32> {
    match body {
        Body::Human { turn, .. } | Body::TurnStarted { turn, .. } => Some(*turn),
        _ => None,
    }
}

/// What a fork takes over. The copy has its own title and is neither closed nor deleted.
fn copied(body: &Body) -> bool {
    !matches!(
        body,
        Body::Opened { .. }
            | Body::Forked { .. }
            | Body::Renamed { .. }
            | Body::Closed
            | Body::Reopened
            | Body::Deleted
            | Body::Undeleted
            // An action belongs to the case that proposed it: a copy could not release it.
            | Body::ActionProposed { .. }
            | Body::ActionNews { .. }
    )
}

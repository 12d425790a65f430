//! Tables derived from the log: summaries, proposals, indicators, full text. Kept current in the
//! transaction of each append, never authoritative, built anew from the log at any time.

use super::error::StoreError;
use super::evidence::EvidenceMeta;
use super::log::each_event;
use super::{int, uint};
use crate::case::{Body, Event, ProposalKind, ProposalState};
use kit::human::Stance;
use kit::indicator::Indicator;
use rusqlite::{Connection, OptionalExtension as _, params};
use std::collections::BTreeSet;

/// Bytes of one evidence's raw form that full-text search covers.
const SEARCHED: usize = 1 << 20;
/// Characters of the last answer that a summary keeps.
const CONCLUDED: usize = 200;

/// The stable name of a proposal's kind, as in `ask --json`.
pub(crate) const fn kind_name(kind: ProposalKind) -> &'static str {
    match kind {
        ProposalKind::Pivot => "pivot",
        ProposalKind::Job => "job",
        ProposalKind::DeviceOperation => "device_operation",
        ProposalKind::Task => "task",
        ProposalKind::Check => "check",
        ProposalKind::Policy => "policy",
    }
}

/// The summary of a case without events.
pub(crate) fn open(conn: &Connection, case_key: i64, now_ms: i64) -> Result<(), StoreError> {
    conn.prepare_cached(
        "INSERT INTO summaries (case_key, title, last_ms, turns, open_turn, tags, closed, deleted, answer)
         VALUES (?1, '', ?2, 0, NULL, '[]', 0, 0, '')",
    )?
    .execute(params![case_key, now_ms])?;
    Ok(())
}

/// Builds the derived tables of all cases from the log.
pub(crate) fn rebuild_all(conn: &Connection) -> Result<(), StoreError> {
    conn.execute_batch(
        "DELETE FROM summaries; DELETE FROM proposals; DELETE FROM indicators; DELETE FROM search;",
    )?;
    let cases: Vec<(i64, i64)> = conn
        .prepare("SELECT key, created_ms FROM cases ORDER BY key")?
        .query_map([], |r| Ok((r.get(0)?, r.get(1)?)))?
        .collect::<Result<_, _>>()?;
    for (key, created_ms) in cases {
        open(conn, key, created_ms)?;
        each_event(conn, key, 0, |e| event(conn, key, &e))?;
        let mut statement =
            conn.prepare("SELECT n, meta, raw FROM evidence WHERE case_key = ?1 ORDER BY n")?;
        let mut rows = statement.query([key])?;
        while let Some(row) = rows.next()? {
            let (n, json, raw): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let meta: EvidenceMeta = serde_json::from_str(&json)
                .map_err(|e| StoreError::damaged(format!("evidence {n} cannot be read: {e}")))?;
            evidence(conn, key, &meta, &raw)?;
        }
    }
    Ok(())
}

/// Removes what is derived from a case.
pub(crate) fn forget(conn: &Connection, case_key: i64) -> Result<(), StoreError> {
    for sql in [
        "DELETE FROM summaries WHERE case_key = ?1",
        "DELETE FROM proposals WHERE case_key = ?1",
        "DELETE FROM indicators WHERE case_key = ?1",
        "DELETE FROM search WHERE case_key = ?1",
    ] {
        conn.execute(sql, [case_key])?;
    }
    Ok(())
}

/// Derives from one piece of evidence.
pub(crate) fn evidence(
    conn: &Connection,
    case_key: i64,
    meta: &EvidenceMeta,
    raw: &str,
) -> Result<(), StoreError> {
    let mut cut = raw.len().min(SEARCHED);
    while !raw.is_char_boundary(cut) {
        cut -= 1;
    }
    let mut text = String::with_capacity(cut.saturating_add(256));
    text.push_str(&meta.tool);
    if let Some(subject) = &meta.subject {
        text.push(' ');
        text.push_str(subject.value());
    }
    for row in &meta.rows {
        for cell in row {
            text.push(' ');
            text.push_str(cell.as_str());
        }
    }
    text.push('\n');
    text.push_str(raw.get(..cut).unwrap_or_default());
    searchable(conn, case_key, "evidence", u64::from(meta.n), &text)
}

/// Derives from one event. Mirrors the fold in `case::state`, which alone is authoritative;
/// `case verify` compares the two.
#[allow(clippy::too_many_lines)] // one arm an event kind, as in the fold that it mirrors
pub(crate) fn event(conn: &Connection, case_key: i64, event: &Event) -> Result<(), StoreError> {
    let at = event.at_ms;
    let on = Case {
        conn,
        key: case_key,
        at,
    };
    on.set(
        "UPDATE summaries SET last_ms = max(last_ms, ?2) WHERE case_key = ?1",
        at,
    )?;
    match &event.body {
        Body::Opened {
            title,
            principal: _,
        }
        | Body::Renamed { title } => {
            on.set("UPDATE summaries SET title = ?2 WHERE case_key = ?1", title)?;
            searchable(conn, case_key, "title", 0, title)?;
        }
        Body::Human {
            turn,
            text,
            mentions,
            attachments,
            ..
        } => {
            on.turn(*turn)?;
            searchable(conn, case_key, "human", u64::from(*turn), text.as_str())?;
            for m in mentions {
                match m.stance {
                    Stance::Authorize => on.authorize(&m.indicator, "named")?,
                    Stance::Deny => on.deny(&m.indicator)?,
                    Stance::Red => on.red(&m.indicator)?,
                    Stance::Listed => on.seen(&m.indicator, "mentioned")?,
                }
            }
            for a in attachments {
                searchable(
                    conn,
                    case_key,
                    "attachment",
                    u64::from(*turn),
                    a.text.as_str(),
                )?;
                for i in &a.mentioned {
                    on.seen(i, "mentioned")?;
                }
            }
        }
        Body::TurnStarted { turn, .. } => on.turn(*turn)?,
        Body::TurnEnded { turn, .. } => on.set(
            "UPDATE summaries SET open_turn = NULL WHERE case_key = ?1 AND open_turn = ?2",
            turn,
        )?,
        Body::CallDone { seen, evidence, .. } => {
            if evidence.is_some() {
                for i in seen {
                    on.seen(i, "mentioned")?;
                }
            }
        }
        Body::Proposed {
            n,
            turn,
            what,
            indicator,
            why,
            ..
        } => {
            conn.prepare_cached(
                "INSERT INTO proposals (n, case_key, turn, kind, type, value, state, at_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'open', ?7) ON CONFLICT DO NOTHING",
            )?
            .execute(params![
                int(*n),
                case_key,
                turn,
                kind_name(*what),
                indicator.kind().name(),
                indicator.value(),
                at
            ])?;
            on.seen(indicator, "mentioned")?;
            searchable(conn, case_key, "proposal", *n, why.as_str())?;
        }
        Body::ActionProposed { action } => {
            let text = format!("{}\n{}", action.title.as_str(), action.why.as_str());
            searchable(conn, case_key, "proposal", action.n, &text)?;
        }
        Body::Decided { n, approve, .. } => on.decide(*n, *approve)?,
        Body::Authorized { indicators, .. } => {
            for i in indicators {
                on.authorize(i, "approved")?;
            }
        }
        Body::Revoked { indicator, .. } => on.seen(indicator, "mentioned")?,
        Body::Answer {
            turn,
            text,
            mentioned,
            ..
        } => {
            let short: String = text.as_str().chars().take(CONCLUDED).collect();
            on.set(
                "UPDATE summaries SET answer = ?2 WHERE case_key = ?1",
                short,
            )?;
            searchable(conn, case_key, "answer", u64::from(*turn), text.as_str())?;
            for s in mentioned {
                on.seen(&s.indicator, "mentioned")?;
            }
        }
        Body::Tagged { add, remove } => on.tag(add, remove)?,
        Body::Closed => {
            on.set("UPDATE summaries SET closed = ?2 WHERE case_key = ?1", true)?;
            on.set(
                "UPDATE proposals SET state = ?2 WHERE case_key = ?1 AND state = 'open'",
                ProposalState::Expired.name(),
            )?;
        }
        Body::Reopened => on.set(
            "UPDATE summaries SET closed = ?2 WHERE case_key = ?1",
            false,
        )?,
        Body::Deleted => on.set(
            "UPDATE summaries SET deleted = ?2 WHERE case_key = ?1",
            true,
        )?,
        Body::Undeleted => on.set(
            "UPDATE summaries SET deleted = ?2 WHERE case_key = ?1",
            false,
        )?,
        Body::Offered { .. }
        | Body::Progress { .. }
        | Body::Call { .. }
        | Body::RefusedMore { .. }
        | Body::ModeSet { .. }
        | Body::ActionNews { .. }
        | Body::Forked { .. } => {}
    }
    Ok(())
}

fn searchable(
    conn: &Connection,
    case_key: i64,
    kind: &str,
    n: u64,
    text: &str,
) -> Result<(), StoreError> {
    if text.trim().is_empty() {
        return Ok(());
    }
    conn.prepare_cached("INSERT INTO search (text, case_key, kind, n) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![text, case_key, kind, int(n)])?;
    Ok(())
}

/// One case at the time of one event.
struct Case<'c> {
    conn: &'c Connection,
    key: i64,
    at: i64,
}

impl Case<'_> {
    fn set(&self, sql: &str, value: impl rusqlite::ToSql) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(sql)?
            .execute(params![self.key, value])?;
        Ok(())
    }

    fn turn(&self, turn: u32) -> Result<(), StoreError> {
        self.set(
            "UPDATE summaries SET turns = max(turns, ?2), open_turn = ?2 WHERE case_key = ?1",
            turn,
        )
    }

    /// Notes that an indicator was seen. A person's own word outlives a mere mention.
    fn seen(&self, indicator: &Indicator, role: &str) -> Result<(), StoreError> {
        self.seen_one(indicator, role)?;
        // Who asks for the host later wants to hear of the URL's case too.
        match indicator.host() {
            Some(host) => self.seen_one(&host, "mentioned"),
            None => Ok(()),
        }
    }

    fn seen_one(&self, indicator: &Indicator, role: &str) -> Result<(), StoreError> {
        let new = self
            .conn
            .prepare_cached(
                "INSERT INTO indicators (case_key, type, value, role, first_ms, last_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?5) ON CONFLICT DO NOTHING",
            )?
            .execute(params![
                self.key,
                indicator.kind().name(),
                indicator.value(),
                role,
                self.at
            ])?;
        if new == 1 {
            return searchable(self.conn, self.key, "indicator", 0, indicator.value());
        }
        self.conn
            .prepare_cached(
                "UPDATE indicators SET first_ms = min(first_ms, ?5), last_ms = max(last_ms, ?5),
                     role = CASE WHEN ?4 = 'mentioned' THEN role ELSE ?4 END
                 WHERE case_key = ?1 AND type = ?2 AND value = ?3",
            )?
            .execute(params![
                self.key,
                indicator.kind().name(),
                indicator.value(),
                role,
                self.at
            ])?;
        Ok(())
    }

    fn authorize(&self, indicator: &Indicator, role: &str) -> Result<(), StoreError> {
        self.seen(indicator, role)?;
        self.settle_open(indicator, ProposalState::Approved)
    }

    /// `TLP:RED` names an indicator, and leaves a denial of it as it was.
    fn red(&self, indicator: &Indicator) -> Result<(), StoreError> {
        let known = self
            .conn
            .prepare_cached(
                "SELECT 1 FROM indicators WHERE case_key = ?1 AND type = ?2 AND value = ?3",
            )?
            .exists(params![
                self.key,
                indicator.kind().name(),
                indicator.value()
            ])?;
        self.seen(indicator, if known { "mentioned" } else { "named" })?;
        self.settle_open(indicator, ProposalState::Expired)
    }

    fn deny(&self, indicator: &Indicator) -> Result<(), StoreError> {
        self.seen(indicator, "denied")?;
        self.settle_open(indicator, ProposalState::Denied)
    }

    /// Open pivots to an indicator that a person decided about in another way.
    fn settle_open(&self, indicator: &Indicator, state: ProposalState) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(
                "UPDATE proposals SET state = ?4 WHERE case_key = ?1 AND state = 'open'
                     AND kind = 'pivot' AND type = ?2 AND value = ?3",
            )?
            .execute(params![
                self.key,
                indicator.kind().name(),
                indicator.value(),
                state.name()
            ])?;
        Ok(())
    }

    fn decide(&self, n: u64, approve: bool) -> Result<(), StoreError> {
        let row: Option<(String, String, String)> = self
            .conn
            .prepare_cached(
                "SELECT kind, type, value FROM proposals
                 WHERE n = ?1 AND case_key = ?2 AND state = 'open'",
            )?
            .query_row(params![int(n), self.key], |r| {
                Ok((r.get(0)?, r.get(1)?, r.get(2)?))
            })
            .optional()?;
        let Some((kind, type_name, value)) = row else {
            return Ok(());
        };
        let state = if approve {
            ProposalState::Approved
        } else {
            ProposalState::Denied
        };
        self.conn
            .prepare_cached("UPDATE proposals SET state = ?2 WHERE n = ?1")?
            .execute(params![int(n), state.name()])?;
        if kind != kind_name(ProposalKind::Pivot) {
            return Ok(());
        }
        let indicator = stored(&type_name, &value)?;
        if approve {
            self.authorize(&indicator, "approved")
        } else {
            self.deny(&indicator)
        }
    }

    fn tag(&self, add: &[String], remove: &[String]) -> Result<(), StoreError> {
        let json: String = self
            .conn
            .prepare_cached("SELECT tags FROM summaries WHERE case_key = ?1")?
            .query_row([self.key], |r| r.get(0))?;
        let mut tags: BTreeSet<String> = serde_json::from_str(&json).unwrap_or_default();
        tags.extend(add.iter().cloned());
        for tag in remove {
            tags.remove(tag);
        }
        let json = serde_json::to_string(&tags)
            .map_err(|e| StoreError::Other(format!("tags cannot be written: {e}")))?;
        self.set("UPDATE summaries SET tags = ?2 WHERE case_key = ?1", json)
    }
}

/// An indicator from its stored type and canonical value.
pub(crate) fn stored(type_name: &str, value: &str) -> Result<Indicator, StoreError> {
    serde_json::from_value(serde_json::json!({ "type": type_name, "value": value }))
        .map_err(|e| StoreError::damaged(format!("an indicator cannot be read: {e}")))
}

/// The events of a case, for comparing the derived tables with the fold.
pub(crate) fn derived_summary(
    conn: &Connection,
    case_key: i64,
) -> Result<Option<(String, u64, u64)>, StoreError> {
    Ok(conn
        .prepare_cached(
            "SELECT s.title, s.turns,
                    (SELECT count(*) FROM proposals p WHERE p.case_key = s.case_key AND p.state = 'open')
             FROM summaries s WHERE s.case_key = ?1",
        )?
        .query_row([case_key], |r| {
            Ok((r.get(0)?, uint(r.get(1)?), uint(r.get(2)?)))
        })
        .optional()?)
}

//! Reading the trail: counts by actor and family of actions, and rows.

use super::{AuditError, DAY_MS};
use crate::model::{ActResult, ActorKind};
use crate::sql::{Query, int, text};
use kit::principal::{Permission, Principal};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

/// Which rows. All that is given must fit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Filter {
    /// From this moment on (milliseconds since 1970).
    pub since_ms: Option<i64>,
    /// Before this moment.
    pub until_ms: Option<i64>,
    /// The actor's name.
    pub actor: Option<String>,
    /// `family.verb`, or the beginning of a family.
    pub action: Option<String>,
    /// The id it was done to.
    pub target: Option<String>,
}

/// How many rows of one kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group {
    /// The actor's name.
    pub actor: String,
    /// Person, model or program.
    pub actor_kind: ActorKind,
    /// The family of actions.
    pub family: String,
    /// How they ended.
    pub result: ActResult,
    /// How many.
    pub entries: i64,
}

/// A row of the trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number.
    pub seq: i64,
    /// When.
    pub at_ms: i64,
    /// Who.
    pub actor: String,
    /// Person, model or program.
    pub actor_kind: ActorKind,
    /// `family.verb`.
    pub action: String,
    /// How it ended.
    pub result: ActResult,
    /// To what.
    pub target: String,
    /// The client.
    pub client: Option<i64>,
    /// The case.
    pub case: Option<String>,
    /// Anything more.
    pub details: String,
}

/// Which part of the rows.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// At most so many rows.
    pub limit: u32,
    /// Only rows before this number (the last one of the page before).
    pub before: Option<i64>,
}

fn may_read(principal: &Principal) -> Result<(), AuditError> {
    if !principal.allow(Permission::AuditView) {
        return Err(AuditError::Denied(Permission::AuditView));
    }
    if principal.is_scoped() {
        return Err(AuditError::Scoped);
    }
    Ok(())
}

/// What comes after every text that begins with this one.
fn end_of(prefix: &str) -> String {
    format!("{prefix}\u{10FFFF}")
}

/// The conditions that a kept day can answer too.
fn who(query: &mut Query, filter: &Filter) {
    if let Some(actor) = &filter.actor {
        query.push("AND actor = ?", [text(actor.as_str())]);
    }
    if let Some(action) = &filter.action {
        match action.split_once('.') {
            Some((family, _)) => query.push("AND family = ?", [text(family)]),
            None => query.push(
                "AND family >= ? AND family < ?",
                [text(action.as_str()), text(end_of(action))],
            ),
        };
    }
}

/// The conditions that only rows can answer.
fn what(query: &mut Query, filter: &Filter) {
    if let Some((_, verb)) = filter.action.as_deref().and_then(|a| a.split_once('.')) {
        query.push("AND verb = ?", [text(verb)]);
    }
    if let Some(target) = &filter.target {
        // The index leaves rows without a target out, and is used only where that is said.
        query.push("AND target <> '' AND target = ?", [text(target.as_str())]);
    }
}

/// Counts by actor, kind, family and result, most first. Whole days come from the kept days, the ends of the
/// window from the rows, so that the answer is exact and does not grow with the trail.
///
/// # Errors
/// [`AuditError::Denied`], [`AuditError::Scoped`], or SQLite's.
pub fn summary(
    connection: &Connection,
    principal: &Principal,
    filter: &Filter,
) -> Result<Vec<Group>, AuditError> {
    may_read(principal)?;
    let since = filter.since_ms.unwrap_or(i64::MIN / 2);
    let until = filter.until_ms.unwrap_or(i64::MAX / 2);
    let first = since.div_euclid(DAY_MS) + i64::from(since.rem_euclid(DAY_MS) != 0);
    let last = until.div_euclid(DAY_MS);
    let by_rows = filter.target.is_some()
        || filter.action.as_deref().is_some_and(|a| a.contains('.'))
        || first >= last;
    let mut query =
        Query::new("SELECT actor, actor_kind, family, result, sum(n) AS entries FROM (");
    if by_rows {
        rows_between(&mut query, filter, since, until);
    } else {
        query.push(
            "SELECT actor, actor_kind, family, result, entries AS n FROM fleet_audit_days WHERE day >= ? AND day < ?",
            [int(first), int(last)],
        );
        who(&mut query, filter);
        for (from, to) in [
            (since, first.saturating_mul(DAY_MS)),
            (last.saturating_mul(DAY_MS), until),
        ] {
            if from < to {
                query.push("UNION ALL", []);
                rows_between(&mut query, filter, from, to);
            }
        }
    }
    query.push(
        ") GROUP BY 1, 2, 3, 4 ORDER BY entries DESC, 1, 3, 2, 4",
        [],
    );
    Ok(query.rows(connection, |r| {
        Ok(Group {
            actor: r.get(0)?,
            actor_kind: r.get(1)?,
            family: r.get(2)?,
            result: r.get(3)?,
            entries: r.get(4)?,
        })
    })?)
}

fn rows_between(query: &mut Query, filter: &Filter, from: i64, to: i64) {
    query.push(
        "SELECT actor, actor_kind, family, result, count(*) AS n FROM fleet_audit WHERE at_ms >= ? AND at_ms < ?",
        [int(from), int(to)],
    );
    who(query, filter);
    what(query, filter);
    query.push("GROUP BY 1, 2, 3, 4", []);
}

fn rows_where(query: &mut Query, filter: &Filter) {
    query.push("WHERE 1", []);
    // The trail is read in its own order. The index by time would give a window in another one, to be sorted;
    // it is worth it only where nothing else narrows and the window lies far back.
    let time = if filter.until_ms.is_some()
        && filter.since_ms.is_some()
        && filter.actor.is_none()
        && filter.action.is_none()
        && filter.target.is_none()
    {
        "at_ms"
    } else {
        "+at_ms"
    };
    if let Some(since) = filter.since_ms {
        query.push(&format!("AND {time} >= ?"), [int(since)]);
    }
    if let Some(until) = filter.until_ms {
        query.push(&format!("AND {time} < ?"), [int(until)]);
    }
    who(query, filter);
    what(query, filter);
}

/// The query of [`entries`] without order and limit, for an export that streams. Columns: seq, at_ms, actor,
/// actor_kind, action, result, target, client_id, case_id, details.
#[must_use]
pub fn selection(filter: &Filter) -> Query {
    let mut query = Query::new(
        "SELECT seq, at_ms, actor, actor_kind, family || '.' || verb, result, target, client_id, case_id, details FROM fleet_audit",
    );
    rows_where(&mut query, filter);
    query
}

/// How many rows fit. Reads them: give a window on a large trail.
///
/// # Errors
/// As [`summary`].
pub fn count(
    connection: &Connection,
    principal: &Principal,
    filter: &Filter,
) -> Result<u64, AuditError> {
    may_read(principal)?;
    let mut query = Query::new("SELECT count(*) FROM fleet_audit");
    rows_where(&mut query, filter);
    Ok(query.count(connection)?)
}

/// Rows, newest first.
///
/// # Errors
/// As [`summary`].
pub fn entries(
    connection: &Connection,
    principal: &Principal,
    filter: &Filter,
    page: Page,
) -> Result<Vec<Row>, AuditError> {
    may_read(principal)?;
    // One family is read by its index, newest first; a prefix that fits several has to be sorted.
    let mut filter = filter.clone();
    let whole = match filter.action.take() {
        Some(action) if !action.contains('.') => {
            let mut families = families(connection, &action)?;
            match (families.pop(), families.is_empty()) {
                (None, _) => return Ok(Vec::new()),
                (Some(only), true) => Some(only),
                (Some(_), false) => {
                    filter.action = Some(action);
                    None
                }
            }
        }
        action => {
            filter.action = action;
            None
        }
    };
    let mut query = selection(&filter);
    if let Some(family) = whole {
        query.push("AND family = ?", [text(family)]);
    }
    if let Some(before) = page.before {
        query.push("AND seq < ?", [int(before)]);
    }
    query.push("ORDER BY seq DESC LIMIT ?", [int(page.limit)]);
    Ok(query.rows(connection, read)?)
}

/// The families that begin like this, from the kept days.
fn families(connection: &Connection, prefix: &str) -> rusqlite::Result<Vec<String>> {
    let mut query = Query::new("SELECT DISTINCT family FROM fleet_audit_days");
    query.push(
        "WHERE family >= ? AND family < ?",
        [text(prefix), text(end_of(prefix))],
    );
    query.rows(connection, |r| r.get(0))
}

/// One row of [`selection`].
///
/// # Errors
/// SQLite's.
pub fn read(r: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    Ok(Row {
        seq: r.get(0)?,
        at_ms: r.get(1)?,
        actor: r.get(2)?,
        actor_kind: r.get(3)?,
        action: r.get(4)?,
        result: r.get(5)?,
        target: r.get(6)?,
        client: r.get(7)?,
        case: r.get(8)?,
        details: r.get(9)?,
    })
}

//! The rows that every proposal has, whatever its kind: numbers, provenance, expiry, decision.

use crate::model::{ActorKind, names};
use crate::scope;
use crate::sql::{Query, int, text};
use kit::principal::{Permission, Principal, Scope};
use rusqlite::{Connection, Row, params};

names! {
    /// What a proposal would change.
    Kind {
        /// Runs something on devices.
        Job = "job",
        /// Moves or deletes devices.
        Operation = "operation",
        /// A scheduled task.
        Task = "task",
        /// A check.
        Check = "check",
        /// A policy.
        Policy = "policy",
        /// Stops a job of somebody else.
        Cancel = "cancel",
    }
}

impl Kind {
    /// What deciding a proposal of this kind needs; of operations, whether it deletes makes the difference.
    pub(crate) const fn decided_with(self, deletes: bool) -> Permission {
        match self {
            Self::Job => Permission::JobsApprove,
            Self::Cancel => Permission::JobsManage,
            Self::Task => Permission::TasksManage,
            Self::Check => Permission::ChecksManage,
            Self::Policy => Permission::PoliciesManage,
            Self::Operation if deletes => Permission::DevicesDelete,
            Self::Operation => Permission::ClientsManage,
        }
    }
}

names! {
    /// Where a proposal stands between its maker and a person. What became of an approved job stands in the job.
    Status {
        /// Waits for a person.
        AwaitingApproval = "awaiting_approval",
        /// A person approved it.
        Approved = "approved",
        /// A person said no.
        Rejected = "rejected",
        /// Nobody decided in time, which is a no.
        Expired = "expired",
    }
}

/// A row of the ledger. `title`, `why` and `findings` hold text from models and machines.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) n: i64,
    pub(crate) kind: Kind,
    pub(crate) subject: i64,
    pub(crate) tool: String,
    pub(crate) title: String,
    pub(crate) why: String,
    pub(crate) findings: Vec<String>,
    pub(crate) devices: u32,
    pub(crate) count: bool,
    pub(crate) state: String,
    pub(crate) digest: String,
    pub(crate) proposed_by: String,
    pub(crate) proposer: ActorKind,
    pub(crate) case: Option<String>,
    pub(crate) proposed_ms: i64,
    pub(crate) expires_ms: i64,
    pub(crate) status: Status,
    pub(crate) decided_by: String,
    pub(crate) decided_ms: Option<i64>,
    pub(crate) reason: String,
}

const COLUMNS: &str = "p.n, p.kind, p.subject, p.tool, p.title, p.why, p.findings, p.devices, p.count, p.state, p.digest,
    p.proposed_by, p.proposer, p.case_id, p.proposed_ms, p.expires_ms, p.status, p.decided_by, p.decided_ms, p.reason";

fn read(row: &Row<'_>) -> rusqlite::Result<Entry> {
    let findings: String = row.get(6)?;
    Ok(Entry {
        n: row.get(0)?,
        kind: row.get(1)?,
        subject: row.get(2)?,
        tool: row.get(3)?,
        title: row.get(4)?,
        why: row.get(5)?,
        findings: serde_json::from_str(&findings).unwrap_or_default(),
        devices: row.get(7)?,
        count: row.get(8)?,
        state: row.get(9)?,
        digest: row.get(10)?,
        proposed_by: row.get(11)?,
        proposer: row.get(12)?,
        case: row.get(13)?,
        proposed_ms: row.get(14)?,
        expires_ms: row.get(15)?,
        status: row.get(16)?,
        decided_by: row.get(17)?,
        decided_ms: row.get(18)?,
        reason: row.get(19)?,
    })
}

impl Entry {
    /// What deciding it needs.
    pub(crate) fn permission(&self, connection: &Connection) -> rusqlite::Result<Permission> {
        let deletes = self.kind == Kind::Operation
            && connection
                .prepare_cached("SELECT kind = 'delete' FROM device_operations WHERE id = ?1")?
                .query_row([self.subject], |r| r.get(0))?;
        Ok(self.kind.decided_with(deletes))
    }

    /// What seeing it needs, where one could not decide it.
    pub(crate) const fn view(&self) -> Permission {
        match self.kind {
            Kind::Job | Kind::Cancel => Permission::JobsView,
            Kind::Operation => Permission::DevicesView,
            Kind::Task => Permission::TasksView,
            Kind::Check => Permission::ChecksView,
            Kind::Policy => Permission::PoliciesView,
        }
    }

    /// Whether this principal may look at it; its scope was part of the query.
    pub(crate) fn shown_to(
        &self,
        connection: &Connection,
        principal: &Principal,
    ) -> rusqlite::Result<bool> {
        Ok(principal.allow(self.view())
            || principal.allow(self.permission(connection)?)
            || self.proposed_by == principal.name)
    }

    pub(crate) const fn number(&self) -> u64 {
        self.n.unsigned_abs()
    }
}

/// Rows whose whole subject is inside the scope; what else the condition says stands behind.
fn inside(principal_scope: &Scope) -> Query {
    let mut query = Query::new("SELECT");
    query.push(COLUMNS, []);
    query.push("FROM fleet_proposals p WHERE (", []);
    let parts = [
        (
            "p.kind = 'job' AND EXISTS (SELECT 1 FROM jobs x WHERE x.id = p.subject AND",
            scope::jobs(principal_scope, "x"),
        ),
        (
            "OR p.kind = 'cancel' AND EXISTS (SELECT 1 FROM jobs x WHERE x.id = p.subject AND",
            scope::jobs(principal_scope, "x"),
        ),
        (
            "OR p.kind = 'operation' AND EXISTS (SELECT 1 FROM device_operations x WHERE x.id = p.subject AND",
            scope::operations(principal_scope, "x"),
        ),
        (
            "OR p.kind = 'task' AND EXISTS (SELECT 1 FROM tasks x WHERE x.id = p.subject AND",
            scope::monitoring(principal_scope, "x"),
        ),
        (
            "OR p.kind = 'check' AND EXISTS (SELECT 1 FROM checks x WHERE x.id = p.subject AND",
            scope::monitoring(principal_scope, "x"),
        ),
    ];
    for (head, condition) in &parts {
        query.push(head, []);
        query.append(condition).push(")", []);
    }
    if principal_scope.is_all() {
        query.push("OR p.kind = 'policy'", []);
    }
    query.push(")", []);
    query
}

/// The proposal with this number, where the principal may look at it.
pub(crate) fn visible(
    connection: &Connection,
    principal: &Principal,
    n: u64,
) -> rusqlite::Result<Option<Entry>> {
    let Ok(n) = i64::try_from(n) else {
        return Ok(None);
    };
    let mut query = inside(&principal.scope);
    query.push("AND p.n = ?", [int(n)]);
    let Some(entry) = query.first(connection, read)? else {
        return Ok(None);
    };
    Ok(entry.shown_to(connection, principal)?.then_some(entry))
}

/// Open proposals that this principal may look at, oldest first; of one case where one is given.
pub(crate) fn open(
    connection: &Connection,
    principal: &Principal,
    case: Option<&str>,
    now_ms: i64,
) -> rusqlite::Result<Vec<Entry>> {
    let mut query = inside(&principal.scope);
    query.push(
        "AND p.status = 'awaiting_approval' AND p.expires_ms > ?",
        [int(now_ms)],
    );
    if let Some(case) = case {
        query.push("AND p.case_id = ?", [text(case)]);
    }
    query.push("ORDER BY p.n", []);
    let mut out = Vec::new();
    for entry in query.rows(connection, read)? {
        if entry.shown_to(connection, principal)? {
            out.push(entry);
        }
    }
    Ok(out)
}

/// Proposals that this principal may look at, decided ones too, newest first; of one case where one is given.
pub(crate) fn every(
    connection: &Connection,
    principal: &Principal,
    case: Option<&str>,
    limit: u32,
) -> rusqlite::Result<Vec<Entry>> {
    let mut query = inside(&principal.scope);
    if let Some(case) = case {
        query.push("AND p.case_id = ?", [text(case)]);
    }
    query.push("ORDER BY p.n DESC LIMIT ?", [int(limit)]);
    let mut out = Vec::new();
    for entry in query.rows(connection, read)? {
        if entry.shown_to(connection, principal)? {
            out.push(entry);
        }
    }
    Ok(out)
}

/// Open proposals with these numbers, of everybody: for what made them is gone.
pub(crate) fn open_among(connection: &Connection, numbers: &[i64]) -> rusqlite::Result<Vec<Entry>> {
    let mut query = inside(&Scope::All);
    query.push(
        "AND p.status = 'awaiting_approval' AND p.n IN (SELECT value FROM json_each(?)) ORDER BY p.n",
        [crate::sql::list(numbers)],
    );
    query.rows(connection, read)
}

/// Open proposals whose time is over, of everybody: for the sweep.
pub(crate) fn overdue(connection: &Connection, now_ms: i64) -> rusqlite::Result<Vec<Entry>> {
    let mut query = inside(&Scope::All);
    query.push(
        "AND p.status = 'awaiting_approval' AND p.expires_ms <= ? ORDER BY p.n",
        [int(now_ms)],
    );
    query.rows(connection, read)
}

/// The proposal about this row; the newest where there are several.
pub(crate) fn about(
    connection: &Connection,
    kind: Kind,
    subject: i64,
) -> rusqlite::Result<Option<Entry>> {
    let mut query = inside(&Scope::All);
    query.push(
        "AND p.kind = ? AND p.subject = ? ORDER BY p.n DESC",
        [text(kind.name()), int(subject)],
    );
    query.first(connection, read)
}

pub(crate) fn insert(connection: &Connection, entry: &Entry) -> rusqlite::Result<()> {
    let findings = serde_json::Value::from(entry.findings.clone()).to_string();
    connection
        .prepare_cached(
            "INSERT INTO fleet_proposals (n, kind, subject, tool, title, why, findings, devices, count, state, digest,
                                          proposed_by, proposer, case_id, proposed_ms, expires_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
        )?
        .execute(params![
            entry.n,
            entry.kind,
            entry.subject,
            entry.tool,
            entry.title,
            entry.why,
            findings,
            entry.devices,
            entry.count,
            entry.state,
            entry.digest,
            entry.proposed_by,
            entry.proposer,
            entry.case,
            entry.proposed_ms,
            entry.expires_ms,
        ])?;
    Ok(())
}

/// Takes the one decision of a proposal; false where somebody was first.
pub(crate) fn decide(
    connection: &Connection,
    n: i64,
    status: Status,
    by: &str,
    reason: &str,
    now_ms: i64,
) -> rusqlite::Result<bool> {
    let rows = connection
        .prepare_cached(
            "UPDATE fleet_proposals SET status = ?2, decided_by = ?3, decided_ms = ?4, reason = ?5
             WHERE n = ?1 AND status = 'awaiting_approval'",
        )?
        .execute(params![n, status, by, now_ms, reason])?;
    Ok(rows == 1)
}

//! Lists of work for a person, a page at a time: jobs, operations, monitoring. They are no tools; the scope is a
//! part of each query all the same.

use super::monitoring::{Review, TARGET, review, target};
use crate::model::{
    CheckId, DeviceId, JobId, JobStatus, OperationId, OperationKind, PolicyId, TargetStatus, TaskId,
};
use crate::proposals::Kind;
use crate::scope;
use crate::sql::{Query, int, text};
use crate::tools::args::when;
use crate::tools::refer::{self, label};
use crate::tools::{Answer, Ctx, Refusal, RefusalKey, Sheet};
use kit::principal::Permission;
use serde_json::{Value, json};

/// Most rows of a page.
pub const PAGE_MAX: u32 = 500;

/// Which rows, and which page of them; all that is given must fit.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only with this status: of a job or an operation.
    pub status: Option<String>,
    /// Only of this client, by id or name.
    pub client: Option<String>,
    /// Only from this case, by its whole id.
    pub case: Option<String>,
    /// Of monitoring: only rows that stand like this.
    pub state: Option<Review>,
    /// Of monitoring: removed and rejected rows too.
    pub gone: bool,
    /// Rows on a page; 0: 50.
    pub limit: u32,
    /// Which page, from 1; 0: the first.
    pub page: u32,
}

impl Filter {
    fn paged(&self) -> ([rusqlite::types::Value; 2], String) {
        let limit = if self.limit == 0 {
            50
        } else {
            self.limit.min(PAGE_MAX)
        };
        let page = self.page.max(1);
        let skip = i64::from(page.saturating_sub(1)).saturating_mul(i64::from(limit));
        let words = if page == 1 {
            String::new()
        } else {
            format!(" Page {page}.")
        };
        ([int(limit), int(skip)], words)
    }
}

fn may(ctx: &Ctx<'_>, permission: Permission) -> Result<(), Refusal> {
    if ctx.principal.allow(permission) {
        return Ok(());
    }
    Err(Refusal::new(
        RefusalKey::Access,
        format!("This needs the permission {permission}, which you do not have."),
    ))
}

/// Jobs, newest first.
///
/// # Errors
/// The permission is missing, a status or client that is none.
pub fn jobs(ctx: &Ctx<'_>, filter: &Filter) -> Result<Answer, Refusal> {
    may(ctx, Permission::JobsView)?;
    let mut from = Query::new("FROM jobs j WHERE");
    from.append(&scope::jobs(&ctx.principal.scope, "j"));
    if let Some(given) = &filter.status {
        let status = JobStatus::from_name(given).ok_or_else(|| {
            Refusal::value(
                "status",
                "the status of a job is expected, as in awaiting_approval or failed",
            )
        })?;
        from.push("AND j.status = ?", [text(status.name())]);
    }
    if let Some(given) = &filter.client {
        let client = refer::client(ctx, given, "client")?;
        from.push("AND j.client_id = ?", [int(client.id.0)]);
    }
    if let Some(case) = &filter.case {
        from.push("AND j.case_id = ?", [text(case.clone())]);
    }
    let mut count = Query::new("SELECT count(*)");
    let total = count.append(&from).count(ctx.connection)?;
    let (page, words) = filter.paged();
    let mut query = Query::new(
        "SELECT j.id, j.title, j.status, j.target_count, (SELECT name FROM clients WHERE id = j.client_id),
                ifnull(j.proposal, 0), j.proposed_by, j.approved_by, j.proposed_ms, j.finished_ms, j.reason",
    );
    query
        .append(&from)
        .push("ORDER BY j.id DESC LIMIT ? OFFSET ?", page);
    let mut sheet = Sheet::new(&[
        "job",
        "title",
        "status",
        "devices",
        "client",
        "proposal",
        "proposed by",
        "approved by",
        "proposed",
        "finished",
        "why",
    ]);
    for row in query.rows(ctx.connection, |r| {
        Ok([
            json!(r.get::<_, JobId>(0)?),
            json!(r.get::<_, String>(1)?),
            json!(r.get::<_, JobStatus>(2)?),
            json!(r.get::<_, i64>(3)?),
            json!(r.get::<_, Option<String>>(4)?),
            json!(r.get::<_, i64>(5)?),
            json!(r.get::<_, String>(6)?),
            json!(r.get::<_, String>(7)?),
            when(r.get(8)?),
            when(r.get(9)?),
            json!(r.get::<_, String>(10)?),
        ])
    })? {
        sheet.row(row);
    }
    sheet.total(total);
    Ok(Answer::new(
        format!("{total} jobs, newest first.{words}"),
        sheet,
    ))
}

/// Moves and deletions, newest first.
///
/// # Errors
/// The permission is missing, a status that is none.
pub fn operations(ctx: &Ctx<'_>, filter: &Filter) -> Result<Answer, Refusal> {
    const STATUSES: [&str; 8] = [
        "awaiting_approval",
        "approved",
        "running",
        "succeeded",
        "failed",
        "lost",
        "rejected",
        "expired",
    ];
    may(ctx, Permission::DevicesView)?;
    let mut from = Query::new("FROM device_operations o WHERE");
    from.append(&scope::operations(&ctx.principal.scope, "o"));
    if let Some(given) = &filter.status {
        if !STATUSES.contains(&given.as_str()) {
            return Err(Refusal::value(
                "status",
                format!("one of these is expected: {}", STATUSES.join(", ")),
            ));
        }
        from.push("AND o.status = ?", [text(given.clone())]);
    }
    if let Some(case) = &filter.case {
        from.push("AND o.case_id = ?", [text(case.clone())]);
    }
    let mut count = Query::new("SELECT count(*)");
    let total = count.append(&from).count(ctx.connection)?;
    let (page, words) = filter.paged();
    let mut query = Query::new(
        "SELECT o.id, o.kind, o.status, o.device_count,
                (SELECT c.name || ' / ' || s.name FROM sites s JOIN clients c ON c.id = s.client_id WHERE s.id = o.dest_site_id),
                ifnull(o.proposal, 0), o.proposed_by, o.approved_by, o.proposed_ms, o.finished_ms, o.reason",
    );
    query
        .append(&from)
        .push("ORDER BY o.id DESC LIMIT ? OFFSET ?", page);
    let mut sheet = Sheet::new(&[
        "operation",
        "kind",
        "status",
        "devices",
        "to",
        "proposal",
        "proposed by",
        "approved by",
        "proposed",
        "finished",
        "why",
    ]);
    for row in query.rows(ctx.connection, |r| {
        Ok([
            json!(r.get::<_, OperationId>(0)?),
            json!(r.get::<_, OperationKind>(1)?),
            json!(r.get::<_, String>(2)?),
            json!(r.get::<_, i64>(3)?),
            json!(r.get::<_, Option<String>>(4)?),
            json!(r.get::<_, i64>(5)?),
            json!(r.get::<_, String>(6)?),
            json!(r.get::<_, String>(7)?),
            when(r.get(8)?),
            when(r.get(9)?),
            json!(r.get::<_, String>(10)?),
        ])
    })? {
        sheet.row(row);
    }
    sheet.total(total);
    Ok(Answer::new(
        format!("{total} moves and deletions, newest first.{words}"),
        sheet,
    ))
}

/// How a move or a deletion went on each device.
///
/// # Errors
/// The permission is missing, or there is no such operation in the scope.
pub fn operation(ctx: &Ctx<'_>, id: OperationId) -> Result<Answer, Refusal> {
    may(ctx, Permission::DevicesView)?;
    let mut query = Query::new("SELECT o.status, o.reason FROM device_operations o WHERE");
    query.append(&scope::operations(&ctx.principal.scope, "o"));
    query.push("AND o.id = ?", [int(id.0)]);
    let found = query.first(ctx.connection, |r| {
        Ok((r.get::<_, String>(0)?, r.get::<_, String>(1)?))
    })?;
    let Some((status, reason)) = found else {
        return Err(Refusal::new(
            RefusalKey::Scope,
            format!("There is no operation {id} here."),
        ));
    };
    let mut query = Query::new(
        "SELECT d.id, d.hostname, t.status, t.error FROM device_operation_targets t JOIN devices d ON d.id = t.device_id",
    );
    query.push("WHERE t.operation_id = ? ORDER BY d.id", [int(id.0)]);
    let mut sheet = Sheet::new(&["device", "status", "why"]);
    for row in query.rows(ctx.connection, |r| {
        Ok([
            json!(label(r.get::<_, DeviceId>(0)?, &r.get::<_, String>(1)?)),
            json!(r.get::<_, String>(2)?),
            json!(r.get::<_, String>(3)?),
        ])
    })? {
        sheet.row(row);
    }
    let why = if reason.is_empty() {
        String::new()
    } else {
        format!(": {reason}")
    };
    Ok(Answer::new(
        format!("Operation {id} is {status}{why}."),
        sheet,
    ))
}

/// What a job did on each device so far: status, exit code, how much was written. The output itself stands in
/// `get_job_status`.
///
/// # Errors
/// The permission is missing, or there is no such job in the scope.
pub fn job_targets(ctx: &Ctx<'_>, id: JobId) -> Result<Answer, Refusal> {
    may(ctx, Permission::JobsView)?;
    let mut query = Query::new("SELECT count(*) FROM jobs j WHERE");
    query.append(&scope::jobs(&ctx.principal.scope, "j"));
    query.push("AND j.id = ?", [int(id.0)]);
    if query.count(ctx.connection)? == 0 {
        return Err(Refusal::new(
            RefusalKey::Scope,
            format!("There is no job {id} here."),
        ));
    }
    let mut query = Query::new(
        "SELECT d.id, d.hostname, t.stage, t.status, t.exit_code, t.error, t.finished_ms FROM job_targets t JOIN devices d ON d.id = t.device_id",
    );
    query.push("WHERE t.job_id = ? ORDER BY t.stage, d.id", [int(id.0)]);
    let mut sheet = Sheet::new(&["device", "part", "status", "exit code", "why", "finished"]);
    for row in query.rows(ctx.connection, |r| {
        Ok([
            json!(label(r.get::<_, DeviceId>(0)?, &r.get::<_, String>(1)?)),
            json!(r.get::<_, i64>(2)?),
            json!(r.get::<_, TargetStatus>(3)?),
            json!(r.get::<_, Option<i64>>(4)?),
            json!(r.get::<_, String>(5)?),
            when(r.get(6)?),
        ])
    })? {
        sheet.row(row);
    }
    Ok(Answer::new(format!("Job {id}, device by device."), sheet))
}

/// The parts in which kinds of monitoring differ: table, permission, what it does, what it came to.
fn parts(kind: Kind) -> Option<(&'static str, Permission, &'static str, &'static str)> {
    match kind {
        Kind::Task => Some((
            "tasks",
            Permission::TasksView,
            "m.schedule || ' UTC, ' || m.shell",
            "m.last_status",
        )),
        Kind::Check => Some((
            "checks",
            Permission::ChecksView,
            "m.kind || ', every ' || m.every_s || ' s'",
            "ifnull((SELECT group_concat(x.n || ' ' || x.status, ', ') FROM (
                SELECT r.status, count(*) AS n FROM check_results r WHERE r.check_id = m.id AND r.at_ms = (
                    SELECT max(q.at_ms) FROM check_results q WHERE q.check_id = r.check_id AND q.device_id = r.device_id)
                GROUP BY r.status ORDER BY r.status) x), '')",
        )),
        Kind::Policy => Some(("policies", Permission::PoliciesView, "m.settings", "''")),
        Kind::Job | Kind::Operation | Kind::Cancel => None,
    }
}

fn shown(kind: Kind, id: i64) -> Value {
    match kind {
        Kind::Task => json!(TaskId(id)),
        Kind::Check => json!(CheckId(id)),
        _ => json!(PolicyId(id)),
    }
}

/// Tasks, checks or policies, oldest first.
///
/// # Errors
/// The permission is missing, a scope is in the way, a client that is none.
pub fn monitoring(ctx: &Ctx<'_>, kind: Kind, filter: &Filter) -> Result<Answer, Refusal> {
    let Some((table, permission, what, came_to)) = parts(kind) else {
        return Err(Refusal::new(RefusalKey::Internal, "This is no monitoring."));
    };
    may(ctx, permission)?;
    if kind == Kind::Policy && ctx.principal.is_scoped() {
        return Err(Refusal::new(
            RefusalKey::Access,
            "Policies are for principals of the whole fleet; this one has a scope.",
        ));
    }
    let mut from = Query::new("FROM");
    from.push(&format!("{table} m WHERE"), []);
    from.append(&scope::monitoring(&ctx.principal.scope, "m"));
    if let Some(state) = filter.state {
        from.push(state.condition(), []);
    }
    if !filter.gone {
        from.push("AND m.rejected_by = ''", []);
    }
    if let Some(given) = &filter.client {
        let client = refer::client(ctx, given, "client")?;
        from.push(
            "AND (m.client_id = ? OR m.site_id IN (SELECT id FROM sites WHERE client_id = ?)
                  OR m.device_id IN (SELECT id FROM devices WHERE client_id = ?))",
            [int(client.id.0), int(client.id.0), int(client.id.0)],
        );
    }
    if let Some(case) = &filter.case {
        from.push("AND m.case_id = ?", [text(case.clone())]);
    }
    let mut count = Query::new("SELECT count(*)");
    let total = count.append(&from).count(ctx.connection)?;
    let (page, words) = filter.paged();
    let mut query = Query::new("SELECT");
    query.push(
        &format!(
            "m.id, m.name, {what}, m.enabled, m.proposed_by, m.approved_by, m.rejected_by, ifnull(m.proposal, 0), {came_to}, {TARGET}"
        ),
        [],
    );
    query
        .append(&from)
        .push("ORDER BY m.id LIMIT ? OFFSET ?", page);
    let mut sheet = Sheet::new(match kind {
        Kind::Task => &[
            "task", "name", "target", "what", "enabled", "review", "proposal", "last",
        ],
        Kind::Check => &[
            "check", "name", "target", "what", "enabled", "review", "proposal", "last",
        ],
        _ => &[
            "policy", "name", "target", "what", "enabled", "review", "proposal", "last",
        ],
    });
    for row in query.rows(ctx.connection, |r| {
        let enabled = r.get(3)?;
        let (proposed, approved, rejected): (String, String, String) =
            (r.get(4)?, r.get(5)?, r.get(6)?);
        Ok([
            shown(kind, r.get(0)?),
            json!(r.get::<_, String>(1)?),
            json!(target(r, 9)?),
            json!(r.get::<_, String>(2)?),
            json!(enabled),
            json!(review(enabled, &proposed, &approved, &rejected)),
            json!(r.get::<_, i64>(7)?),
            json!(r.get::<_, String>(8)?),
        ])
    })? {
        sheet.row(row);
    }
    sheet.total(total);
    Ok(Answer::new(format!("{total} {table}.{words}"), sheet))
}

/// The number of the proposal that made a row. Whether the principal may see it is for the card to say.
///
/// # Errors
/// SQLite's.
pub fn proposal_of(ctx: &Ctx<'_>, kind: Kind, id: i64) -> rusqlite::Result<Option<u64>> {
    let table = match kind {
        Kind::Job | Kind::Cancel => "jobs",
        Kind::Operation => "device_operations",
        Kind::Task => "tasks",
        Kind::Check => "checks",
        Kind::Policy => "policies",
    };
    let mut query = Query::new("SELECT proposal FROM");
    query.push(&format!("{table} WHERE id = ?"), [int(id)]);
    Ok(query
        .first(ctx.connection, |r| r.get::<_, Option<i64>>(0))?
        .flatten()
        .map(i64::unsigned_abs))
}

//! Taking monitoring out of use for good. The row stays, for who proposed and who approved it is kept for ever; it
//! is off, nobody can switch it on again, and lists leave it out.

use super::switch::{SwitchError, person_with};
use crate::model::ActResult;
use crate::proposals::{Acting, Kind, Note, ProposalError, shown_id};
use crate::scope;
use crate::sql::{Query, int};
use kit::principal::Permission;
use rusqlite::params;

/// Removes a task, a check or a policy: true where it was there before. One that waits for a decision is denied
/// instead. Commit in both cases.
///
/// # Errors
/// The store failed. A refusal is the inner one.
pub fn retire(
    acting: &Acting<'_>,
    kind: Kind,
    id: i64,
) -> Result<Result<bool, SwitchError>, ProposalError> {
    let outcome = take_out(acting, kind, id)?;
    let (result, details) = match &outcome {
        Ok(changed) => (ActResult::Ok, serde_json::json!({ "changed": changed })),
        Err(e) => (
            ActResult::Refused,
            serde_json::json!({ "refusal": e.key(), "why": e.to_string() }),
        ),
    };
    acting.audit(&Note::new(
        &format!("{kind}.remove"),
        result,
        &shown_id(kind, id),
        details,
    ))?;
    Ok(outcome)
}

fn take_out(
    acting: &Acting<'_>,
    kind: Kind,
    id: i64,
) -> Result<Result<bool, SwitchError>, ProposalError> {
    let shown = shown_id(kind, id);
    let (table, permission) = match kind {
        Kind::Task => ("tasks", Permission::TasksManage),
        Kind::Check => ("checks", Permission::ChecksManage),
        Kind::Policy => ("policies", Permission::PoliciesManage),
        Kind::Job | Kind::Operation | Kind::Cancel => return Ok(Err(SwitchError::Unknown(shown))),
    };
    let by = match person_with(acting, permission)? {
        Ok(by) => by,
        Err(e) => return Ok(Err(e)),
    };
    if kind == Kind::Policy && by.is_scoped() {
        return Ok(Err(SwitchError::Scoped));
    }
    let mut query = Query::new(
        "SELECT x.proposed_by, x.approved_by, x.rejected_by, ifnull(x.proposal, 0) FROM",
    );
    query.push(&format!("{table} x WHERE"), []);
    query.append(&scope::monitoring(&by.scope, "x"));
    query.push("AND x.id = ?", [int(id)]);
    let found = query.first(acting.connection(), |r| {
        Ok((
            r.get::<_, String>(0)?,
            r.get::<_, String>(1)?,
            r.get::<_, String>(2)?,
            r.get::<_, i64>(3)?,
        ))
    })?;
    let Some((proposed_by, approved_by, rejected_by, n)) = found else {
        return Ok(Err(SwitchError::Unknown(shown)));
    };
    if !rejected_by.is_empty() {
        return Ok(Ok(false));
    }
    if !proposed_by.is_empty() && approved_by.is_empty() {
        return Ok(Err(SwitchError::Unreviewed {
            id: shown,
            by: proposed_by,
            n,
        }));
    }
    acting
        .connection()
        .prepare_cached(&format!(
            "UPDATE {table} SET enabled = 0, rejected_by = ?2 WHERE id = ?1"
        ))?
        .execute(params![id, by.name])?;
    Ok(Ok(true))
}

//! Taking monitoring out of use for good. The row stays, for who proposed and who approved it is kept for ever; it
//! is off, nobody can switch it on again, and lists leave it out.

use super::switch::{Monitored, SwitchError, note};
use crate::proposals::{Acting, Kind, ProposalError};
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
    note(acting, kind, id, "remove", &outcome)?;
    Ok(outcome)
}

fn take_out(
    acting: &Acting<'_>,
    kind: Kind,
    id: i64,
) -> Result<Result<bool, SwitchError>, ProposalError> {
    let row = match Monitored::find(acting, kind, id)? {
        Ok(row) => row,
        Err(e) => return Ok(Err(e)),
    };
    if !row.rejected_by.is_empty() {
        return Ok(Ok(false));
    }
    if let Err(e) = row.reviewed(kind, id) {
        return Ok(Err(e));
    }
    let sql = format!(
        "UPDATE {} SET enabled = 0, rejected_by = ?2 WHERE id = ?1",
        row.table
    );
    acting
        .connection()
        .prepare_cached(&sql)?
        .execute(params![id, row.by.name])?;
    Ok(Ok(true))
}

//! Monitoring on and off, and jobs that are stopped by hand.

use crate::approvals;
use crate::model::{ActResult, JobId, JobStatus};
use crate::proposals::{Acting, Kind, Note, ProposalError, shown_id};
use crate::scope;
use crate::sql::{Query, int};
use kit::principal::{Permission, Principal};
use rusqlite::params;

/// Why monitoring or a job was not switched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SwitchError {
    /// Not a person of this database.
    #[error("this is done by a person, with an account here that is not disabled")]
    NotAPerson,
    /// The permission is missing.
    #[error("this needs the permission {0}, which you do not have")]
    Denied(Permission),
    /// Only for principals of the whole fleet.
    #[error("policies are for principals of the whole fleet: yours has a scope")]
    Scoped,
    /// No such row, or none of this principal's scope: the same answer for both.
    #[error("there is no {0} here")]
    Unknown(String),
    /// It was proposed, and nobody has reviewed it.
    #[error(
        "{id} was proposed by {by} and nobody has reviewed it: look at it and approve proposal {n}"
    )]
    Unreviewed {
        /// The row.
        id: String,
        /// Who proposed it.
        by: String,
        /// The proposal.
        n: i64,
    },
    /// A person said no to it, or it expired.
    #[error("{0} was rejected and stays off: make a new one")]
    Rejected(String),
    /// The job has ended.
    #[error("{0} has ended already: it is {1}")]
    Ended(String, JobStatus),
}

impl SwitchError {
    pub(super) const fn key(&self) -> &'static str {
        match self {
            Self::NotAPerson => "not-a-person",
            Self::Denied(_) => "denied",
            Self::Scoped => "scoped",
            Self::Unknown(_) => "unknown",
            Self::Unreviewed { .. } => "not-approved",
            Self::Rejected(_) => "rejected",
            Self::Ended(..) => "ended",
        }
    }
}

/// Enables or disables a task, a check or a policy. What was proposed and not reviewed cannot be enabled here:
/// its approval does that. True where anything changed. Commit in both cases.
///
/// # Errors
/// The store failed. A refusal is the inner one.
pub fn set_enabled(
    acting: &Acting<'_>,
    kind: Kind,
    id: i64,
    enabled: bool,
) -> Result<Result<bool, SwitchError>, ProposalError> {
    let verb = if enabled { "enable" } else { "disable" };
    let outcome = switch(acting, kind, id, enabled)?;
    note(acting, kind, id, verb, &outcome)?;
    Ok(outcome)
}

pub(super) fn person_with(
    acting: &Acting<'_>,
    permission: Permission,
) -> Result<Result<Principal, SwitchError>, ProposalError> {
    Ok(match approvals::person(acting)? {
        None => Err(SwitchError::NotAPerson),
        Some(by) if !by.allow(permission) => Err(SwitchError::Denied(permission)),
        Some(by) => Ok(by),
    })
}

/// A task, a check or a policy that a person may change by hand, as it stands.
pub(super) struct Monitored {
    pub(super) table: &'static str,
    pub(super) by: Principal,
    pub(super) enabled: bool,
    pub(super) proposed_by: String,
    pub(super) approved_by: String,
    pub(super) rejected_by: String,
    /// Number of its proposal; 0 without one.
    pub(super) proposal: i64,
}

impl Monitored {
    /// Finds it: a person, with the permission of its kind, inside the scope.
    pub(super) fn find(
        acting: &Acting<'_>,
        kind: Kind,
        id: i64,
    ) -> Result<Result<Self, SwitchError>, ProposalError> {
        let unknown = || SwitchError::Unknown(shown_id(kind, id));
        let (table, permission) = match kind {
            Kind::Task => ("tasks", Permission::TasksManage),
            Kind::Check => ("checks", Permission::ChecksManage),
            Kind::Policy => ("policies", Permission::PoliciesManage),
            Kind::Job | Kind::Operation | Kind::Cancel => return Ok(Err(unknown())),
        };
        let by = match person_with(acting, permission)? {
            Ok(by) => by,
            Err(e) => return Ok(Err(e)),
        };
        if kind == Kind::Policy && by.is_scoped() {
            return Ok(Err(SwitchError::Scoped));
        }
        let mut query = Query::new(
            "SELECT x.enabled, x.proposed_by, x.approved_by, x.rejected_by, ifnull(x.proposal, 0) FROM",
        );
        query.push(&format!("{table} x WHERE"), []);
        query.append(&scope::monitoring(&by.scope, "x"));
        query.push("AND x.id = ?", [int(id)]);
        let found = query.first(acting.connection(), |r| {
            Ok(Self {
                table,
                by: by.clone(),
                enabled: r.get(0)?,
                proposed_by: r.get(1)?,
                approved_by: r.get(2)?,
                rejected_by: r.get(3)?,
                proposal: r.get(4)?,
            })
        })?;
        Ok(found.ok_or_else(unknown))
    }

    /// The refusal where it was proposed and nobody has reviewed it.
    pub(super) fn reviewed(&self, kind: Kind, id: i64) -> Result<(), SwitchError> {
        if self.proposed_by.is_empty() || !self.approved_by.is_empty() {
            return Ok(());
        }
        Err(SwitchError::Unreviewed {
            id: shown_id(kind, id),
            by: self.proposed_by.clone(),
            n: self.proposal,
        })
    }
}

/// The audit row of a change by hand, or of its refusal.
pub(super) fn note(
    acting: &Acting<'_>,
    kind: Kind,
    id: i64,
    verb: &str,
    outcome: &Result<bool, SwitchError>,
) -> Result<(), ProposalError> {
    let (result, details) = match outcome {
        Ok(changed) => (ActResult::Ok, serde_json::json!({ "changed": changed })),
        Err(e) => (
            ActResult::Refused,
            serde_json::json!({ "refusal": e.key(), "why": e.to_string() }),
        ),
    };
    acting.audit(&Note::new(
        &format!("{kind}.{verb}"),
        result,
        &shown_id(kind, id),
        details,
    ))?;
    Ok(())
}

fn switch(
    acting: &Acting<'_>,
    kind: Kind,
    id: i64,
    enabled: bool,
) -> Result<Result<bool, SwitchError>, ProposalError> {
    let row = match Monitored::find(acting, kind, id)? {
        Ok(row) => row,
        Err(e) => return Ok(Err(e)),
    };
    if enabled && !row.rejected_by.is_empty() {
        return Ok(Err(SwitchError::Rejected(shown_id(kind, id))));
    }
    if enabled && let Err(e) = row.reviewed(kind, id) {
        return Ok(Err(e));
    }
    if row.enabled != enabled {
        let sql = format!("UPDATE {} SET enabled = ?2 WHERE id = ?1", row.table);
        acting
            .connection()
            .prepare_cached(&sql)?
            .execute(params![id, enabled])?;
    }
    Ok(Ok(row.enabled != enabled))
}

/// Stops a job by hand: one that waits is rejected, one that has not begun is cancelled, a running one is asked
/// to stop. Gives what it is now, and a sentence where there is more to say. Commit in both cases.
///
/// # Errors
/// The store failed. A refusal is the inner one.
pub fn cancel_job(
    acting: &Acting<'_>,
    job: JobId,
    why: &str,
) -> Result<Result<(&'static str, String), SwitchError>, ProposalError> {
    let refusal = match person_with(acting, Permission::JobsManage)? {
        Err(e) => e,
        Ok(by) => {
            let mut query = Query::new("SELECT j.status FROM jobs j WHERE");
            query.append(&scope::jobs(&by.scope, "j"));
            query.push("AND j.id = ?", [int(job.0)]);
            match query.first(acting.connection(), |r| r.get::<_, JobStatus>(0))? {
                None => SwitchError::Unknown(job.to_string()),
                Some(status) if status.is_final() => SwitchError::Ended(job.to_string(), status),
                Some(_) => return Ok(Ok(approvals::stop_job(acting, job, why)?)),
            }
        }
    };
    acting.audit(&Note::new(
        "job.cancel",
        ActResult::Refused,
        &job.to_string(),
        serde_json::json!({ "refusal": refusal.key(), "why": refusal.to_string() }),
    ))?;
    Ok(Err(refusal))
}

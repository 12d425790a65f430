//! The second approval: a job that ran on a few devices first goes on to the rest only when a person, who has
//! seen what came of them, releases it. It is a decision of its own: permission, scope, digest, count and drift
//! are looked at once more.

use super::{Ask, Decision, Denial, Outcome, act, changed, looked_up_job};
use crate::backend::Ability;
use crate::model::{ActResult, JobStatus};
use crate::proposals::digest::Content;
use crate::proposals::ledger::{self, Entry};
use crate::proposals::{Acting, COUNT_FROM, Kind, Note, ProposalError, Status, shown_id};
use crate::scope;
use crate::sql::Query;
use kit::principal::Principal;
use kit::text::Untrusted;
use rusqlite::{Connection, params};

/// A job whose canary has ended and whose rest waits.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// Number of the proposal.
    pub n: u64,
    /// The job's id, as shown.
    pub id: String,
    /// One line: what, on what. Holds text from models and machines.
    pub title: Untrusted,
    /// The digest to approve.
    pub digest: String,
    /// Devices that wait.
    pub devices: u32,
    /// The number of waiting devices must be typed.
    pub count: bool,
    /// Devices of the canary that ended well, of how many.
    pub canary: (u32, u32),
    /// The rest can be released: the whole canary ended well.
    pub ready: bool,
}

struct State {
    status: JobStatus,
    released_by: String,
    released_ms: Option<i64>,
    first: u32,
    first_ended: u32,
    first_well: u32,
    waiting: u32,
}

fn state(connection: &Connection, job: i64) -> rusqlite::Result<State> {
    connection
        .prepare_cached(
            "SELECT j.status, j.canary_by, j.canary_ms,
                    (SELECT count(*) FROM job_targets t WHERE t.job_id = j.id AND t.stage = 1 AND t.status <> 'skipped'),
                    (SELECT count(*) FROM job_targets t WHERE t.job_id = j.id AND t.stage = 1
                        AND t.status IN ('succeeded', 'failed', 'timed_out', 'cancelled', 'lost')),
                    (SELECT count(*) FROM job_targets t WHERE t.job_id = j.id AND t.stage = 1 AND t.status = 'succeeded'),
                    (SELECT count(*) FROM job_targets t WHERE t.job_id = j.id AND t.stage = 2 AND t.status = 'pending')
             FROM jobs j WHERE j.id = ?1",
        )?
        .query_row([job], |r| {
            Ok(State {
                status: r.get(0)?,
                released_by: r.get(1)?,
                released_ms: r.get(2)?,
                first: r.get(3)?,
                first_ended: r.get(4)?,
                first_well: r.get(5)?,
                waiting: r.get(6)?,
            })
        })
}

const fn ready(state: &State) -> bool {
    state.first > 0 && state.first_well == state.first && state.waiting > 0
}

fn needs_count(entry: &Entry, waiting: u32) -> bool {
    entry.count || usize::try_from(waiting).is_ok_and(|n| n >= COUNT_FROM)
}

/// Jobs of this principal's scope whose canary has ended, oldest first.
///
/// # Errors
/// SQLite's.
pub fn waiting_canaries(
    connection: &Connection,
    principal: &Principal,
) -> Result<Vec<Waiting>, ProposalError> {
    let mut query = Query::new("SELECT j.id FROM jobs j WHERE");
    query.append(&scope::jobs(&principal.scope, "j"));
    query.push(
        "AND j.canary > 0 AND j.canary_by = '' AND j.cancel_by = '' AND j.status IN ('approved', 'dispatched', 'running')
         AND EXISTS (SELECT 1 FROM job_targets t WHERE t.job_id = j.id AND t.stage = 2 AND t.status = 'pending')
         AND NOT EXISTS (SELECT 1 FROM job_targets t WHERE t.job_id = j.id AND t.stage = 1 AND t.status IN ('pending', 'queued', 'running'))
         ORDER BY j.id",
        [],
    );
    let mut out = Vec::new();
    for job in query.rows(connection, |r| r.get::<_, i64>(0))? {
        let Some(entry) = ledger::about(connection, Kind::Job, job)? else {
            continue;
        };
        if !entry.shown_to(connection, principal)? {
            continue;
        }
        let state = state(connection, job)?;
        out.push(Waiting {
            n: entry.number(),
            id: shown_id(Kind::Job, job),
            count: needs_count(&entry, state.waiting),
            title: Untrusted::new(entry.title),
            digest: entry.digest,
            devices: state.waiting,
            canary: (state.first_well, state.first),
            ready: ready(&state),
        });
    }
    Ok(out)
}

/// Releases the rest of a job. `ask.n` is the number of its proposal; the typed count is the number of devices
/// that wait.
///
/// # Errors
/// The store failed: roll back. A refusal is a [`Decision::Refused`].
pub fn release_canary(acting: &Acting<'_>, ask: &Ask<'_>) -> Result<Decision, ProposalError> {
    let refuse = |denial| super::refuse(acting, "release", ask.n, denial);
    let entry = match looked_up_job(acting, ask.n)? {
        Ok(entry) => entry,
        Err(denial) => return refuse(denial),
    };
    let connection = acting.connection();
    let job = entry.subject;
    let state = state(connection, job)?;
    if !state.released_by.is_empty() {
        return refuse(Denial::Decided {
            n: ask.n,
            by: state.released_by,
            at_ms: state.released_ms.unwrap_or(0),
            status: Status::Approved,
        });
    }
    if state.status.is_final() || state.waiting == 0 {
        return refuse(Denial::Changed(vec![format!(
            "nothing of the job waits: it is {}",
            state.status
        )]));
    }
    if state.first_ended < state.first {
        return refuse(Denial::Changed(vec![format!(
            "the canary has not ended: {} of {} devices are done",
            state.first_ended, state.first
        )]));
    }
    if !ready(&state) {
        return refuse(Denial::Changed(vec![format!(
            "the canary ended well on {} of {} devices only",
            state.first_well, state.first
        )]));
    }
    let whole = Content::read(connection, Kind::Job, job)?
        .is_some_and(|content| content.digest() == entry.digest)
        && act::kept_digest(connection, &entry)?.as_deref() == Some(entry.digest.as_str());
    if !whole {
        return refuse(Denial::Tampered(ask.n));
    }
    if ask.digest != entry.digest {
        return refuse(Denial::NotShown(ask.n));
    }
    if (needs_count(&entry, state.waiting) || ask.typed_count.is_some())
        && ask.typed_count != Some(state.waiting)
    {
        return refuse(Denial::Count {
            expected: state.waiting,
            typed: ask.typed_count,
        });
    }
    let changes = changed::second_part(connection, job)?;
    if changes.fatal() {
        return refuse(Denial::Changed(changes.in_words()));
    }
    let claimed = connection
        .prepare_cached(
            "UPDATE jobs SET canary_by = ?2, canary_ms = ?3
             WHERE id = ?1 AND canary_by = '' AND cancel_by = '' AND status IN ('approved', 'dispatched', 'running')",
        )?
        .execute(params![job, acting.ctx.principal.name, acting.ctx.now_ms])?;
    if claimed != 1 {
        return refuse(Denial::Changed(vec![String::from(
            "the job was asked to stop",
        )]));
    }
    let sorted = act::sort_out(acting, job, &changes.targets, Ability::Run)?;
    let (status, detail) = act::finish_release(acting, job, sorted)?;
    let outcome = Outcome {
        n: ask.n,
        kind: Kind::Job,
        id: shown_id(Kind::Job, job),
        case: entry.case.clone(),
        title: Untrusted::new(entry.title.clone()),
        status: if status == "approved" {
            "released"
        } else {
            status
        },
        detail,
    };
    acting.audit(&Note {
        case: entry.case.as_deref(),
        ..Note::new(
            "job.release",
            ActResult::Ok,
            &outcome.id,
            serde_json::json!({
                "proposal": entry.n, "title": entry.title, "digest": entry.digest, "devices": state.waiting,
                "status": outcome.status, "detail": outcome.detail,
            }),
        )
    })?;
    Ok(Decision::Done(outcome))
}

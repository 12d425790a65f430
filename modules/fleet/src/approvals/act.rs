//! What an approval does. Devices are moved and deleted here and now, in the transaction of the approval; a job
//! is released to the executor; a monitoring row is enabled. What a refusal or an expiry closes is closed here too.

use super::changed::{Changes, Target};
use crate::backend::{Ability, Directory, EMBEDDED, Embedded};
use crate::model::{ActResult, DepartmentId, JobStatus, OperationKind, SiteId};
use crate::proposals::ledger::Entry;
use crate::proposals::{Acting, Device, Kind, Note, ProposalError, Status, shown_id};
use rusqlite::{Connection, OptionalExtension, params};

/// Whether anything could run on this device: its backend can, and there is a way to it.
///
/// # Errors
/// In words why not.
pub fn executor(backends: &Directory, device: &Device, ability: Ability) -> Result<(), String> {
    if !backends.has(&device.backend, ability) {
        return Err(format!(
            "no executor: the backend of {} cannot {}",
            device.id,
            ability.verb()
        ));
    }
    if device.backend == EMBEDDED && device.connection.is_empty() {
        return Err(format!(
            "no executor: nothing says how {} is reached (no connection)",
            device.id
        ));
    }
    Ok(())
}

/// The digest that the row of its kind keeps, where it keeps one.
pub(super) fn kept_digest(
    connection: &Connection,
    entry: &Entry,
) -> rusqlite::Result<Option<String>> {
    let table = match entry.kind {
        Kind::Job => "jobs",
        Kind::Operation => "device_operations",
        _ => return Ok(None),
    };
    connection
        .prepare_cached(&format!("SELECT digest FROM {table} WHERE id = ?1"))?
        .query_row([entry.subject], |r| r.get(0))
        .optional()
}

/// Does it; status and detail, or `None` where the row was not open any more.
pub(super) fn carry_out(
    acting: &Acting<'_>,
    entry: &Entry,
    typed: Option<u32>,
    changes: &Changes,
) -> Result<Option<(&'static str, String)>, ProposalError> {
    match entry.kind {
        Kind::Job => release(acting, entry, changes),
        Kind::Operation => operate(acting, entry, typed, changes),
        Kind::Task => enable(acting, entry, "tasks"),
        Kind::Check => enable(acting, entry, "checks"),
        Kind::Policy => enable(acting, entry, "policies"),
        Kind::Cancel => stop(acting, entry.subject).map(Some),
    }
}

fn release(
    acting: &Acting<'_>,
    entry: &Entry,
    changes: &Changes,
) -> Result<Option<(&'static str, String)>, ProposalError> {
    let (connection, now_ms) = (acting.connection(), acting.ctx.now_ms);
    let claimed = connection
        .prepare_cached(
            "UPDATE jobs SET status = 'approved', approved_by = ?2, approved_ms = ?3
             WHERE id = ?1 AND status = 'awaiting_approval'",
        )?
        .execute(params![entry.subject, acting.ctx.principal.name, now_ms])?;
    if claimed != 1 {
        return Ok(None);
    }
    let patches: bool = connection
        .prepare_cached("SELECT kind = 'install_patches' FROM jobs WHERE id = ?1")?
        .query_row([entry.subject], |r| r.get(0))?;
    let ability = if patches {
        Ability::PatchesInstall
    } else {
        Ability::Run
    };
    let sorted = sort_out(acting, entry.subject, &changes.targets, ability)?;
    finish_release(acting, entry.subject, sorted).map(Some)
}

/// Which targets can run, and what was said of those that cannot.
pub(super) struct Sorted {
    runs: usize,
    why_not: Vec<String>,
}

/// Marks targets that are left out (`skipped`) and those that nothing can reach (`failed`).
pub(super) fn sort_out(
    acting: &Acting<'_>,
    job: i64,
    targets: &[Target],
    ability: Ability,
) -> Result<Sorted, ProposalError> {
    let mut sorted = Sorted {
        runs: 0,
        why_not: Vec::new(),
    };
    let stage = targets.iter().map(|t| t.stage).min().unwrap_or(1);
    // What waits behind a canary is looked at when it is its turn.
    for target in targets.iter().filter(|t| t.stage == stage) {
        let (status, error, said) = if let Some(drift) = target.drift.first() {
            let error = format!("it {}", drift.in_words());
            let said = format!("{} left out: {error}", target.device.id);
            ("skipped", error, said)
        } else if let Err(why) = executor(acting.ctx.backends, &target.device, ability) {
            ("failed", why.clone(), why)
        } else {
            sorted.runs += 1;
            continue;
        };
        acting
            .connection()
            .prepare_cached(
                "UPDATE job_targets SET status = ?3, error = ?4, finished_ms = ?5
                 WHERE job_id = ?1 AND device_id = ?2 AND status = 'pending'",
            )?
            .execute(params![
                job,
                target.device.id,
                status,
                error,
                acting.ctx.now_ms
            ])?;
        sorted.why_not.push(said);
    }
    Ok(sorted)
}

/// A job of which nothing can run has failed, and says so at once.
pub(super) fn finish_release(
    acting: &Acting<'_>,
    job: i64,
    sorted: Sorted,
) -> Result<(&'static str, String), ProposalError> {
    let detail = shortened(&sorted.why_not);
    if sorted.runs > 0 {
        return Ok(("approved", detail));
    }
    let now_ms = acting.ctx.now_ms;
    acting
        .connection()
        .prepare_cached(
            "UPDATE job_targets SET status = 'skipped', error = 'the job failed before', finished_ms = ?2
             WHERE job_id = ?1 AND status = 'pending'",
        )?
        .execute(params![job, now_ms])?;
    acting
        .connection()
        .prepare_cached(
            "UPDATE jobs SET status = 'failed', reason = ?2, finished_ms = ?3 WHERE id = ?1",
        )?
        .execute(params![job, detail, now_ms])?;
    Ok(("failed", detail))
}

fn shortened(sentences: &[String]) -> String {
    const SHOWN: usize = 5;
    let mut out = sentences
        .iter()
        .take(SHOWN)
        .cloned()
        .collect::<Vec<_>>()
        .join("; ");
    if let Some(more) = sentences.len().checked_sub(SHOWN).filter(|n| *n > 0) {
        out.push_str(&format!("; and {more} more"));
    }
    out
}

fn operate(
    acting: &Acting<'_>,
    entry: &Entry,
    typed: Option<u32>,
    changes: &Changes,
) -> Result<Option<(&'static str, String)>, ProposalError> {
    let (connection, now_ms) = (acting.connection(), acting.ctx.now_ms);
    let claimed = connection
        .prepare_cached(
            "UPDATE device_operations SET status = 'approved', approved_by = ?2, approved_ms = ?3, typed_count = ?4
             WHERE id = ?1 AND status = 'awaiting_approval'",
        )?
        .execute(params![
            entry.subject,
            acting.ctx.principal.name,
            now_ms,
            typed
        ])?;
    if claimed != 1 {
        return Ok(None);
    }
    let (backend, kind, site, department) = connection
        .prepare_cached(
            "SELECT backend, kind, dest_site_id, dest_department_id FROM device_operations WHERE id = ?1",
        )?
        .query_row([entry.subject], |r| {
            Ok((
                r.get::<_, String>(0)?,
                r.get::<_, OperationKind>(1)?,
                r.get::<_, Option<SiteId>>(2)?,
                r.get::<_, Option<DepartmentId>>(3)?,
            ))
        })?;
    let ability = match kind {
        OperationKind::Move => Ability::Move,
        OperationKind::Delete => Ability::Delete,
    };
    if !acting.ctx.backends.has(&backend, ability) {
        let detail = format!("no executor: this backend cannot {}", ability.verb());
        operation_ends(acting, entry.subject, "failed", &detail)?;
        return Ok(Some(("failed", detail)));
    }
    if backend != EMBEDDED {
        // Its server is the source of truth: the runner tells it, and the copy here follows.
        return Ok(Some(("approved", String::new())));
    }
    let store = Embedded::new(connection, now_ms);
    for target in &changes.targets {
        let device = target.device.id;
        let done = match (kind, site) {
            (OperationKind::Move, Some(site)) => store.move_one(device, site, department),
            (OperationKind::Move, None) => continue,
            (OperationKind::Delete, _) => {
                leave_monitoring(connection, device.0, now_ms)?;
                store.delete_one(device)
            }
        };
        // Never half of it: the caller rolls all of it back, and the proposal stays open.
        done.map_err(|e| ProposalError::NotDone(format!("{device}: {e}")))?;
        connection
            .prepare_cached(
                "UPDATE device_operation_targets SET status = 'succeeded' WHERE operation_id = ?1 AND device_id = ?2",
            )?
            .execute(params![entry.subject, device])?;
        acting.audit(&Note {
            client: Some(target.device.client),
            case: entry.case.as_deref(),
            ..Note::new(
                &format!("device.{kind}"),
                ActResult::Ok,
                &device.to_string(),
                serde_json::json!({
                    "operation": shown_id(Kind::Operation, entry.subject), "proposal": entry.n,
                    "hostname": target.device.hostname, "from": target.device.plain_place(),
                    "site": site, "department": department,
                }),
            )
        })?;
    }
    operation_ends(acting, entry.subject, "succeeded", "")?;
    Ok(Some(("succeeded", String::new())))
}

fn operation_ends(
    acting: &Acting<'_>,
    operation: i64,
    status: &str,
    error: &str,
) -> rusqlite::Result<()> {
    if status == "failed" {
        acting
            .connection()
            .prepare_cached(
                "UPDATE device_operation_targets SET status = 'failed', error = ?2
                 WHERE operation_id = ?1 AND status = 'pending'",
            )?
            .execute(params![operation, error])?;
    }
    acting
        .connection()
        .prepare_cached(
            "UPDATE device_operations SET status = ?2, reason = ?3, finished_ms = ?4 WHERE id = ?1",
        )?
        .execute(params![operation, status, error, acting.ctx.now_ms])?;
    Ok(())
}

/// Nothing looks at a deleted device any more, and nothing that waits runs on it.
fn leave_monitoring(connection: &Connection, device: i64, now_ms: i64) -> rusqlite::Result<()> {
    for table in ["tasks", "checks", "policies"] {
        connection
            .prepare_cached(&format!(
                "UPDATE {table} SET enabled = 0 WHERE device_id = ?1 AND enabled = 1"
            ))?
            .execute([device])?;
    }
    connection
        .prepare_cached(
            "UPDATE job_targets SET status = 'skipped', error = 'the device was deleted', finished_ms = ?2
             WHERE device_id = ?1 AND status = 'pending'
               AND (SELECT status FROM jobs WHERE id = job_id) <> 'awaiting_approval'",
        )?
        .execute(params![device, now_ms])?;
    Ok(())
}

fn enable(
    acting: &Acting<'_>,
    entry: &Entry,
    table: &str,
) -> Result<Option<(&'static str, String)>, ProposalError> {
    let enabled = acting
        .connection()
        .prepare_cached(&format!(
            "UPDATE {table} SET enabled = 1, approved_by = ?2, approved_ms = ?3
             WHERE id = ?1 AND enabled = 0 AND approved_by = '' AND rejected_by = ''"
        ))?
        .execute(params![
            entry.subject,
            acting.ctx.principal.name,
            acting.ctx.now_ms
        ])?;
    Ok((enabled == 1).then(|| ("enabled", String::new())))
}

/// Stops a job: one that nobody decided is rejected, one that has not begun is cancelled, a running one is asked
/// to stop, which its executor does.
pub(crate) fn stop(acting: &Acting<'_>, job: i64) -> Result<(&'static str, String), ProposalError> {
    let (connection, now_ms) = (acting.connection(), acting.ctx.now_ms);
    let by = &acting.ctx.principal.name;
    let status: JobStatus = connection
        .prepare_cached("SELECT status FROM jobs WHERE id = ?1")?
        .query_row([job], |r| r.get(0))?;
    match status {
        JobStatus::AwaitingApproval => {
            match crate::proposals::ledger::about(connection, Kind::Job, job)? {
                Some(entry) if entry.status == Status::AwaitingApproval => {
                    super::reject(acting, &entry, "stopped before anybody decided")?;
                }
                _ => {
                    reject_job(connection, job, "rejected", by, "stopped", now_ms)?;
                }
            }
            Ok(("rejected", String::new()))
        }
        JobStatus::Approved => {
            connection
                .prepare_cached(
                    "UPDATE jobs SET status = 'cancelled', cancel_by = ?2, finished_ms = ?3 WHERE id = ?1 AND status = 'approved'",
                )?
                .execute(params![job, by, now_ms])?;
            cancel_pending(connection, job, now_ms)?;
            Ok(("cancelled", String::new()))
        }
        JobStatus::Dispatched | JobStatus::Running => {
            connection
                .prepare_cached("UPDATE jobs SET cancel_by = ?2 WHERE id = ?1 AND cancel_by = ''")?
                .execute(params![job, by])?;
            cancel_pending(connection, job, now_ms)?;
            Ok((
                "stopping",
                "it was asked to stop; what has begun may still end by itself".to_owned(),
            ))
        }
        ended => Ok(("ended", format!("it has ended already: it is {ended}"))),
    }
}

fn cancel_pending(connection: &Connection, job: i64, now_ms: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE job_targets SET status = 'cancelled', finished_ms = ?2 WHERE job_id = ?1 AND status = 'pending'",
        )?
        .execute(params![job, now_ms])?;
    give_patches_back(connection, job, now_ms)
}

/// What was taken for devices on which the job never began is approved as before.
fn give_patches_back(connection: &Connection, job: i64, now_ms: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE device_patches SET state = 'approved', changed_ms = ?2
             WHERE state = 'installing' AND EXISTS (
                SELECT 1 FROM jobs j, json_each(j.params, '$.patches') d, json_each(d.value) i, patches p
                WHERE j.id = ?1 AND j.kind = 'install_patches' AND d.key = 'd-' || device_patches.device_id
                  AND p.identifier = i.value AND p.id = device_patches.patch_id
                  AND (SELECT t.status FROM job_targets t WHERE t.job_id = j.id AND t.device_id = device_patches.device_id) = 'cancelled')",
        )?
        .execute(params![job, now_ms])?;
    Ok(())
}

fn reject_job(
    connection: &Connection,
    job: i64,
    status: &str,
    by: &str,
    reason: &str,
    now_ms: i64,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE jobs SET status = ?2, decided_by = ?3, reason = ?4, finished_ms = ?5
             WHERE id = ?1 AND status = 'awaiting_approval'",
        )?
        .execute(params![job, status, by, reason, now_ms])?;
    cancel_pending(connection, job, now_ms)
}

/// Closes the row of a proposal that was rejected or has expired.
pub(super) fn close(
    connection: &Connection,
    entry: &Entry,
    status: Status,
    by: &str,
    reason: &str,
    now_ms: i64,
) -> rusqlite::Result<()> {
    match entry.kind {
        Kind::Job => reject_job(connection, entry.subject, status.name(), by, reason, now_ms),
        Kind::Operation => {
            connection
                .prepare_cached(
                    "UPDATE device_operations SET status = ?2, decided_by = ?3, reason = ?4, finished_ms = ?5
                     WHERE id = ?1 AND status = 'awaiting_approval'",
                )?
                .execute(params![entry.subject, status, by, reason, now_ms])?;
            connection
                .prepare_cached(
                    "UPDATE device_operation_targets SET status = 'skipped' WHERE operation_id = ?1 AND status = 'pending'",
                )?
                .execute([entry.subject])?;
            Ok(())
        }
        Kind::Task | Kind::Check | Kind::Policy => {
            let table = match entry.kind {
                Kind::Task => "tasks",
                Kind::Check => "checks",
                _ => "policies",
            };
            connection
                .prepare_cached(&format!(
                    "UPDATE {table} SET rejected_by = ?2, enabled = 0 WHERE id = ?1 AND approved_by = '' AND rejected_by = ''"
                ))?
                .execute(params![entry.subject, by])?;
            if entry.kind == Kind::Policy {
                // Names of policies are taken once: a better proposal may have this one.
                connection
                    .prepare_cached(
                        "UPDATE policies SET name = name || ' (p-' || id || ' ' || ?2 || ')' WHERE id = ?1",
                    )?
                    .execute(params![entry.subject, status])?;
            }
            Ok(())
        }
        Kind::Cancel => Ok(()),
    }
}

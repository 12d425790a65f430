//! What became of a proposal's targets since it was made.

use crate::model::{DeviceId, JobStatus};
use crate::proposals::ledger::{Entry, Kind};
use crate::proposals::{Act, Device, Drift, devices};
use rusqlite::{Connection, OptionalExtension};
use std::collections::BTreeMap;

/// One thing that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which device.
    pub device: DeviceId,
    /// What became of it.
    pub drift: Drift,
}

/// Everything that changed, and the targets as they are now.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// By device.
    pub changes: Vec<Change>,
    /// Something that concerns no single device, in words.
    pub otherwise: Option<String>,
    pub(super) targets: Vec<Target>,
    fatal: bool,
}

/// A target with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) device: Device,
    pub(super) stage: i64,
    pub(super) drift: Vec<Drift>,
}

impl Target {
    /// Nothing that matters happened to it.
    pub(super) fn stands(&self) -> bool {
        self.drift.is_empty()
    }
}

impl Changes {
    /// Whether nothing of it may be done any more.
    #[must_use]
    pub const fn fatal(&self) -> bool {
        self.fatal
    }

    /// One sentence part each, ids only.
    #[must_use]
    pub fn in_words(&self) -> Vec<String> {
        self.changes
            .iter()
            .map(|c| format!("{} {}", c.device, c.drift.in_words()))
            .chain(self.otherwise.clone())
            .collect()
    }
}

/// Looks at the targets of a proposal.
pub(super) fn look(connection: &Connection, entry: &Entry) -> rusqlite::Result<Changes> {
    match entry.kind {
        Kind::Job => job(connection, entry.subject),
        Kind::Operation => operation(connection, entry.subject),
        Kind::Task => monitoring(connection, entry, "tasks"),
        Kind::Check => monitoring(connection, entry, "checks"),
        Kind::Policy => monitoring(connection, entry, "policies"),
        Kind::Cancel => cancel(connection, entry.subject),
    }
}

fn targets(
    connection: &Connection,
    sql: &str,
    subject: i64,
    act: Act,
) -> rusqlite::Result<Vec<Target>> {
    let rows: Vec<(i64, i64, String)> = connection
        .prepare_cached(sql)?
        .query_map([subject], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))?
        .collect::<Result<_, _>>()?;
    let ids: Vec<i64> = rows.iter().map(|r| r.0).collect();
    let mut now: BTreeMap<i64, Device> = devices(connection, &ids)?
        .into_iter()
        .map(|d| (d.id.0, d))
        .collect();
    Ok(rows
        .into_iter()
        .filter_map(|(id, stage, state)| {
            let device = now.remove(&id)?;
            let drift = device.drift(&state, act);
            Some(Target {
                device,
                stage,
                drift,
            })
        })
        .collect())
}

fn gathered(targets: Vec<Target>) -> Changes {
    let changes: Vec<Change> = targets
        .iter()
        .flat_map(|t| {
            t.drift.iter().map(|drift| Change {
                device: t.device.id,
                drift: *drift,
            })
        })
        .collect();
    Changes {
        changes,
        otherwise: None,
        targets,
        fatal: false,
    }
}

/// One that went offline is left out where others remain; anything else makes the script one for machines that
/// are not where they were.
pub(super) fn job_of(targets: Vec<Target>) -> Changes {
    let mut changes = gathered(targets);
    let worse = changes.changes.iter().any(|c| !c.drift.skips_only());
    // Only the first part runs after this approval: where nothing of it is left, there is nothing to approve.
    let stage = changes.targets.iter().map(|t| t.stage).min().unwrap_or(1);
    let left = changes
        .targets
        .iter()
        .any(|t| t.stage == stage && t.stands());
    changes.fatal = worse || !left;
    changes
}

fn job(connection: &Connection, job: i64) -> rusqlite::Result<Changes> {
    Ok(job_of(targets(
        connection,
        "SELECT device_id, stage, state_hash FROM job_targets WHERE job_id = ?1 ORDER BY device_id",
        job,
        Act::Run,
    )?))
}

/// The part of a job that waits behind its canary.
pub(super) fn second_part(connection: &Connection, job: i64) -> rusqlite::Result<Changes> {
    Ok(job_of(targets(
        connection,
        "SELECT device_id, stage, state_hash FROM job_targets WHERE job_id = ?1 AND stage = 2 AND status = 'pending' ORDER BY device_id",
        job,
        Act::Run,
    )?))
}

/// All or nothing: the approver typed how many.
fn operation(connection: &Connection, operation: i64) -> rusqlite::Result<Changes> {
    let deletes: bool = connection
        .prepare_cached("SELECT kind = 'delete' FROM device_operations WHERE id = ?1")?
        .query_row([operation], |r| r.get(0))?;
    let act = if deletes { Act::Delete } else { Act::Move };
    let mut changes = gathered(targets(
        connection,
        "SELECT device_id, 1, state_hash FROM device_operation_targets WHERE operation_id = ?1 ORDER BY device_id",
        operation,
        act,
    )?);
    changes.fatal = !changes.changes.is_empty();
    Ok(changes)
}

fn monitoring(connection: &Connection, entry: &Entry, table: &str) -> rusqlite::Result<Changes> {
    let device: Option<i64> = connection
        .prepare_cached(&format!("SELECT device_id FROM {table} WHERE id = ?1"))?
        .query_row([entry.subject], |r| r.get(0))?;
    let Some(device) = device else {
        return Ok(Changes::default());
    };
    let targets = devices(connection, &[device])?
        .into_iter()
        .map(|device| Target {
            // It runs again and again: that the device is offline now says nothing.
            drift: device
                .drift(&entry.state, Act::Run)
                .into_iter()
                .filter(|d| !d.skips_only())
                .collect(),
            device,
            stage: 1,
        })
        .collect();
    let mut changes = gathered(targets);
    changes.fatal = !changes.changes.is_empty();
    Ok(changes)
}

fn cancel(connection: &Connection, job: i64) -> rusqlite::Result<Changes> {
    let status: Option<JobStatus> = connection
        .prepare_cached("SELECT status FROM jobs WHERE id = ?1")?
        .query_row([job], |r| r.get(0))
        .optional()?;
    let mut changes = Changes {
        targets: targets(
            connection,
            "SELECT device_id, stage, state_hash FROM job_targets WHERE job_id = ?1 ORDER BY device_id",
            job,
            Act::Run,
        )?,
        ..Changes::default()
    };
    for target in &mut changes.targets {
        target.drift.clear();
    }
    if let Some(status) = status.filter(|s| s.is_final()) {
        changes.otherwise = Some(format!("the job has ended: it is {status}"));
        changes.fatal = true;
    }
    Ok(changes)
}

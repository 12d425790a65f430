//! Patches, monitoring, jobs and the audit of a made-up fleet.

use super::Plan;
use super::devices::Fleet;
use super::rng::Rng;
use crate::audit::{AuditError, Bulk, Chain, DAY_MS, Entry};
use crate::inventory::{self, MissingPatch};
use crate::model::{ActResult, ActorKind, PatchClass, Platform, Severity};
use kit::text::Redacted;
use rusqlite::{Connection, params};

pub(super) fn patches(
    connection: &Connection,
    rng: &mut Rng,
    fleet: &Fleet,
    now_ms: i64,
) -> rusqlite::Result<u64> {
    let mut rows = 0_u64;
    for machine in &fleet.machines {
        let missing: Vec<MissingPatch> = (0..rng.below(15))
            .map(|_| {
                let n = rng.below(120);
                let windows = machine.platform == Platform::Windows;
                MissingPatch {
                    identifier: if windows {
                        format!("KB50{n:05}")
                    } else {
                        format!("package-{n:04}=1.{n}")
                    },
                    title: format!("Update {n}"),
                    class: if n.is_multiple_of(3) {
                        PatchClass::Security
                    } else {
                        PatchClass::Other
                    },
                    severity: match n % 5 {
                        0 => Severity::Critical,
                        1 => Severity::Important,
                        2 => Severity::Moderate,
                        3 => Severity::Low,
                        _ => Severity::Unknown,
                    },
                    cves: Vec::new(),
                }
            })
            .collect();
        inventory::replace_missing_patches(connection, machine.id, &missing, now_ms)?;
        rows += missing.len() as u64;
    }
    connection.execute("UPDATE devices SET updated_ms = created_ms", [])?;
    Ok(rows)
}

pub(super) fn monitoring(
    connection: &Connection,
    rng: &mut Rng,
    fleet: &Fleet,
    now_ms: i64,
) -> rusqlite::Result<()> {
    let mut check = connection.prepare_cached(
        "INSERT INTO checks (name, site_id, kind, warning, error, enabled, created_by, created_ms) VALUES ('Disk space', ?1, 'disk', 80, 95, 1, 'owner', ?2) RETURNING id",
    )?;
    let mut result = connection.prepare_cached(
        "INSERT INTO check_results (check_id, device_id, at_ms, status, value) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    let mut by_site = std::collections::BTreeMap::new();
    for machine in &fleet.machines {
        let site = machine.place.site.0;
        let id = match by_site.get(&site) {
            Some(id) => *id,
            None => {
                let id: i64 = check.query_row(params![site, now_ms], |r| r.get(0))?;
                by_site.insert(site, id);
                id
            }
        };
        let used = rng.below(100);
        let status = match used {
            0..=79 => "passing",
            80..=94 => "warning",
            _ => "failing",
        };
        let value = f64::from(u32::try_from(used).unwrap_or(0));
        result.execute(params![id, machine.id, now_ms, status, value])?;
    }
    Ok(())
}

pub(super) fn jobs(
    connection: &Connection,
    rng: &mut Rng,
    fleet: &Fleet,
    now_ms: i64,
) -> rusqlite::Result<()> {
    let some = fleet.machines.len().min(200);
    for (n, machine) in fleet.machines.iter().take(some).enumerate() {
        connection
            .prepare_cached(
                "INSERT INTO jobs (client_id, title, shell, body, target_count, digest, proposed_by, proposer, proposed_ms, expires_ms)
                 VALUES (?1, ?2, 'sh', 'uptime', 1, ?3, 'owner', 'ai', ?4, ?5)",
            )?
            .execute(params![
                machine.place.client,
                format!("Look at the load, {n}"),
                format!("{:064x}", rng.next()),
                now_ms,
                now_ms.saturating_add(DAY_MS),
            ])?;
        let job = connection.last_insert_rowid();
        connection
            .prepare_cached("INSERT INTO job_targets (job_id, device_id) VALUES (?1, ?2)")?
            .execute(params![job, machine.id])?;
        if rng.chance(80) {
            connection
                .prepare_cached(
                    "UPDATE jobs SET status = 'approved', approved_by = 'owner', approved_ms = ?2 WHERE id = ?1",
                )?
                .execute(params![job, now_ms])?;
            let end = if rng.chance(85) {
                "succeeded"
            } else {
                "failed"
            };
            connection
                .prepare_cached("UPDATE job_targets SET status = ?2, exit_code = ?3, finished_ms = ?4 WHERE job_id = ?1")?
                .execute(params![job, end, i64::from(end == "failed"), now_ms])?;
            for status in ["running", end] {
                connection
                    .prepare_cached("UPDATE jobs SET status = ?2, finished_ms = ?3 WHERE id = ?1")?
                    .execute(params![job, status, now_ms])?;
            }
        }
    }
    Ok(())
}

const ACTIONS: &[&str] = &[
    "tool.list_devices",
    "tool.get_inventory",
    "tool.inventory_report",
    "job.propose",
    "job.approve",
    "job.finish",
    "job.reject",
    "device.enroll",
    "device.move",
    "patch.approve",
    "patch.install",
    "export.create",
    "export.open",
    "check.alert",
    "task.run",
    "principal.edit",
];

pub(super) fn audit(
    connection: &Connection,
    chain: &dyn Chain,
    rng: &mut Rng,
    fleet: &Fleet,
    plan: &Plan,
) -> Result<(), AuditError> {
    let mut bulk = Bulk::begin(connection, chain)?;
    let actors: Vec<String> = (0..20).map(|n| format!("technician{n:02}")).collect();
    let actors: Vec<&str> = actors.iter().map(String::as_str).collect();
    let begin = plan.now_ms.saturating_sub(DAY_MS.saturating_mul(100));
    let none = Redacted::default();
    let all = i128::from(plan.audit_rows.max(1));
    for n in 0..plan.audit_rows {
        let into = i128::from(n) * i128::from(DAY_MS) * 100 / all;
        let at = usize::try_from(rng.below(fleet.machines.len() as u64)).unwrap_or(0);
        let machine = fleet.machines.get(at);
        let target = machine.map(|m| m.id.to_string()).unwrap_or_default();
        let entry = Entry {
            at_ms: begin.saturating_add(i64::try_from(into).unwrap_or(0)),
            actor: rng.one(&actors),
            actor_kind: match rng.below(10) {
                0..=4 => ActorKind::Human,
                5..=7 => ActorKind::Ai,
                _ => ActorKind::System,
            },
            action: rng.one(ACTIONS),
            result: if rng.chance(95) {
                ActResult::Ok
            } else {
                ActResult::Refused
            },
            target: &target,
            client: machine.map(|m| m.place.client.0),
            case: None,
            details: &none,
        };
        bulk.write(&entry, "{\"made_up\":true}")?;
    }
    bulk.finish()
}

//! Patches: a person lets them into the fleet or keeps them out, and what was let in is installed.

use super::act;
use super::changed::Target;
use crate::backend::Ability;
use crate::model::{ActResult, JobId, JobKind, PatchState, TargetStatus};
use crate::proposals::draft::Job;
use crate::proposals::{Acting, Note, ProposalError};
use crate::scope;
use crate::sql::{Query, int, list, text};
use crate::tools::propose::install_patches::Group;
use kit::principal::Permission;
use rusqlite::{Connection, params_from_iter};

/// How long an installation may take, seconds.
const TIMEOUT_S: u32 = 7_200;

/// What a person decides about patches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchDecision {
    /// May be installed.
    Approve,
    /// Is not wanted.
    Ignore,
}

/// Lets patches in on devices, or keeps them out; gives how many rows changed (a patch on a device is one).
/// Devices are given by id; those outside the scope are as if they did not exist.
///
/// # Errors
/// The store failed. A refusal is the inner one.
pub fn decide_patches(
    acting: &Acting<'_>,
    decision: PatchDecision,
    devices: &[i64],
    identifiers: &[String],
) -> Result<Result<usize, super::Denial>, ProposalError> {
    let action = match decision {
        PatchDecision::Approve => "patch.approve",
        PatchDecision::Ignore => "patch.ignore",
    };
    let refuse = |denial: super::Denial| -> Result<Result<usize, super::Denial>, ProposalError> {
        acting.audit(&Note::new(
            action,
            ActResult::Refused,
            "",
            serde_json::json!({ "refusal": denial.key(), "why": denial.to_string(), "patches": identifiers }),
        ))?;
        Ok(Err(denial))
    };
    let Some(by) = super::person(acting)? else {
        return refuse(super::Denial::NotAPerson);
    };
    if !by.allow(Permission::PatchesApprove) {
        return refuse(super::Denial::Denied(Permission::PatchesApprove));
    }
    let (to, who, from) = match decision {
        PatchDecision::Approve => (
            PatchState::Approved,
            by.name.as_str(),
            "'missing', 'ignored', 'failed'",
        ),
        PatchDecision::Ignore => (PatchState::Ignored, "", "'missing', 'approved', 'failed'"),
    };
    let mut query = Query::new("UPDATE device_patches SET");
    query.push(
        "state = ?, approved_by = ?, approved_ms = ?, changed_ms = ? WHERE",
        [
            text(to.name()),
            text(who),
            int(acting.ctx.now_ms),
            int(acting.ctx.now_ms),
        ],
    );
    query.push(
        &format!("state IN ({from}) AND device_id IN (SELECT value FROM json_each(?))"),
        [list(devices)],
    );
    query.push(
        "AND patch_id IN (SELECT id FROM patches WHERE identifier IN (SELECT value FROM json_each(?))) AND",
        [text(serde_json::Value::from(identifiers.to_vec()).to_string())],
    );
    query.append(&scope::device_id(&by.scope, "device_patches.device_id"));
    query.push("RETURNING device_id, patch_id", []);
    let changed: Vec<(i64, i64)> =
        query.rows(acting.connection(), |r| Ok((r.get(0)?, r.get(1)?)))?;
    let mut touched: Vec<i64> = changed.iter().map(|c| c.0).collect();
    touched.sort_unstable();
    touched.dedup();
    for device in touched {
        let names = names_of(acting.connection(), &changed, device)?;
        acting.audit(&Note::new(
            action,
            ActResult::Ok,
            &format!("d-{device}"),
            serde_json::json!({ "patches": names }),
        ))?;
    }
    Ok(Ok(changed.len()))
}

fn names_of(
    connection: &Connection,
    changed: &[(i64, i64)],
    device: i64,
) -> rusqlite::Result<Vec<String>> {
    let ids: Vec<i64> = changed
        .iter()
        .filter(|c| c.0 == device)
        .map(|c| c.1)
        .collect();
    let mut query = Query::new("SELECT identifier FROM patches WHERE id IN");
    query.push(
        "(SELECT value FROM json_each(?)) ORDER BY identifier",
        [list(&ids)],
    );
    query.rows(connection, |r| r.get(0))
}

/// A job that installs patches.
#[derive(Clone, Debug)]
pub struct Installing {
    /// The job.
    pub job: JobId,
    /// `approved`, or `failed` where nothing could reach the devices.
    pub status: &'static str,
    /// In words, where there is more to say.
    pub detail: String,
}

/// Orders the installation of what people approved. The job is approved by the person who approved the patches;
/// the caller only asked for it.
pub(crate) fn install(
    acting: &Acting<'_>,
    tool: &str,
    groups: &[Group],
) -> Result<Vec<Installing>, ProposalError> {
    let mut out = Vec::with_capacity(groups.len());
    for group in groups {
        out.push(install_one(acting, tool, group)?);
    }
    Ok(out)
}

fn install_one(
    acting: &Acting<'_>,
    tool: &str,
    group: &Group,
) -> Result<Installing, ProposalError> {
    let (connection, now_ms) = (acting.connection(), acting.ctx.now_ms);
    let by_device: serde_json::Map<String, serde_json::Value> = group
        .patches
        .iter()
        .map(|(device, names)| (format!("d-{device}"), names.clone().into()))
        .collect();
    let n: usize = group.patches.values().map(Vec::len).sum();
    let what = match n {
        1 => String::from("Install 1 approved patch"),
        n => format!("Install {n} approved patches"),
    };
    let draft = Job {
        kind: JobKind::InstallPatches,
        what: &what,
        shell: None,
        body: "",
        params: serde_json::json!({ "patches": by_device }),
        effect: "The patches named are installed; a device may need a restart afterwards.",
        timeout_s: TIMEOUT_S,
        canary: 0,
        batch: "",
        bulk: false,
        targets: &group.devices,
    }
    .draft();
    let digest = draft.content.digest();
    let case = acting.ctx.case.map_or(rusqlite::types::Value::Null, text);
    let job = draft.content.write(
        connection,
        &[
            ("digest", text(digest.clone())),
            ("proposed_by", text(acting.ctx.principal.name.clone())),
            ("proposer", text(acting.actor_kind().name())),
            ("case_id", case),
            ("proposed_ms", int(now_ms)),
            (
                "expires_ms",
                int(now_ms.saturating_add(acting.expiry_ms.max(1_000))),
            ),
        ],
    )?;
    let mut approve = Query::new("UPDATE jobs SET status = 'approved',");
    approve.push(
        "approved_by = ?, approved_ms = ? WHERE id = ?",
        [text(group.approved_by.clone()), int(now_ms), int(job)],
    );
    connection.execute(approve.text(), params_from_iter(approve.values()))?;
    let targets: Vec<Target> = group
        .devices
        .iter()
        .map(|device| Target {
            device: device.clone(),
            stage: 1,
            drift: Vec::new(),
        })
        .collect();
    let sorted = act::sort_out(acting, job, &targets, Ability::PatchesInstall)?;
    let (status, detail) = act::finish_release(acting, job, sorted)?;
    // Only where it will run: the others stay approved and wait.
    let mut runs = Query::new("SELECT device_id FROM job_targets");
    runs.push(
        "WHERE job_id = ? AND status = ?",
        [int(job), text(TargetStatus::Pending.name())],
    );
    for device in runs.rows(connection, |r| r.get::<_, i64>(0))? {
        if !group.claim(connection, device, now_ms)? {
            return Err(ProposalError::NotDone(format!(
                "the approval of patches of d-{device} was taken back meanwhile"
            )));
        }
    }
    let id = JobId(job);
    acting.audit(&Note {
        client: draft.client,
        ..Note::new(
            "job.install_patches",
            if status == "approved" {
                ActResult::Ok
            } else {
                ActResult::Failed
            },
            &id.to_string(),
            serde_json::json!({
                "tool": tool, "title": draft.title, "digest": digest, "approved_by": group.approved_by,
                "patches": by_device, "status": status, "detail": detail,
            }),
        )
    })?;
    Ok(Installing {
        job: id,
        status,
        detail,
    })
}

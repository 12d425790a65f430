//! `install_patches`: installs what people approved, and nothing else. No tool approves a patch.
//!
//! It acts, so its job is born approved: by the person who approved the patches, never by the caller. Patches
//! that two people approved make two jobs.

use super::{Plan, Proposes, targets};
use crate::backend::Ability;
use crate::model::PatchState;
use crate::proposals::Device;
use crate::sql::{Query, int, list, text};
use crate::tools::{Ctx, Refusal, RefusalKey};
use kit::principal::Permission;
use kit::tool::Effect;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Arguments.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Devices as listed (`d-12`).
    #[schemars(length(min = 1, max = 500))]
    pub devices: Vec<String>,
    /// Identifiers as list_patches shows them; all approved ones of these devices when left out.
    #[serde(default)]
    #[schemars(length(max = 200))]
    pub patches: Vec<String>,
}

/// One job: devices of one client and backend, patches that one person approved.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) approved_by: String,
    pub(crate) devices: Vec<Device>,
    /// Identifiers by device.
    pub(crate) patches: BTreeMap<i64, Vec<String>>,
}

/// The tool.
pub struct InstallPatches;

/// Patches that a refusal names at most.
const NAMED: usize = 10;

struct Row {
    device: i64,
    identifier: String,
    state: PatchState,
    approved_by: String,
}

fn rows(ctx: &Ctx<'_>, devices: &[Device]) -> Result<Vec<Row>, Refusal> {
    let ids: Vec<i64> = devices.iter().map(|d| d.id.0).collect();
    let mut query = Query::new(
        "SELECT x.device_id, p.identifier, x.state, x.approved_by FROM device_patches x JOIN patches p ON p.id = x.patch_id WHERE",
    );
    query.push(
        "x.device_id IN (SELECT value FROM json_each(?)) ORDER BY x.device_id, p.identifier",
        [list(&ids)],
    );
    Ok(query.rows(ctx.connection, |r| {
        Ok(Row {
            device: r.get(0)?,
            identifier: r.get(1)?,
            state: r.get(2)?,
            approved_by: r.get(3)?,
        })
    })?)
}

/// Only identifiers of the usual letters are named in a refusal, and only those that a row has.
fn nameable(identifier: &str) -> bool {
    identifier.len() <= 120
        && identifier
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"._:+~=-/".contains(&b))
}

fn not_approved(mut names: Vec<String>) -> Refusal {
    names.sort();
    names.dedup();
    let n = names.len();
    let shown: Vec<&str> = names
        .iter()
        .filter(|name| nameable(name))
        .take(NAMED)
        .map(String::as_str)
        .collect();
    let which = if shown.len() == n {
        shown.join(", ")
    } else {
        format!("{} ({n} in all)", shown.join(", "))
    };
    Refusal::field(
        RefusalKey::NotApproved,
        "patches",
        format!(
            "Nothing was installed: no person approved {which}. Patches are approved by a person with `rmm-analyst patches approve`."
        ),
    )
}

impl Proposes for InstallPatches {
    const NAME: &'static str = "install_patches";
    const DOC: &'static str = "Installs patches that a person approved before; names the ones that nobody approved and then installs nothing. Patches cannot be approved from here.";
    const PERMISSION: Permission = Permission::PatchesManage;
    const EFFECT: Effect = Effect::ActOnApproved;
    type Args = Args;

    fn plan(ctx: &Ctx<'_>, args: Args) -> Result<Plan, Refusal> {
        let devices = targets::listed(ctx, &args.devices, "devices")?;
        targets::able(ctx, &devices, Ability::PatchesInstall)?;
        let wanted: BTreeSet<&str> = args.patches.iter().map(|p| p.trim()).collect();
        let rows = rows(ctx, &devices)?;
        let approved = |row: &Row| row.state == PatchState::Approved && !row.approved_by.is_empty();
        let asked = |row: &Row| wanted.is_empty() || wanted.contains(row.identifier.as_str());
        // One that is installed already needs nobody's leave, and one under way has it.
        let open = |row: &Row| {
            matches!(
                row.state,
                PatchState::Missing | PatchState::Ignored | PatchState::Failed
            )
        };
        if !wanted.is_empty() {
            let mut refused: Vec<String> = rows
                .iter()
                .filter(|r| asked(r) && open(r))
                .map(|r| r.identifier.clone())
                .collect();
            let known: BTreeSet<&str> = rows.iter().map(|r| r.identifier.as_str()).collect();
            refused.extend(
                wanted
                    .iter()
                    .filter(|w| !known.contains(*w))
                    .map(|w| (*w).to_owned()),
            );
            if !refused.is_empty() {
                return Err(not_approved(refused));
            }
        }
        let mut groups: BTreeMap<(i64, String, String), Group> = BTreeMap::new();
        let by_id: BTreeMap<i64, &Device> = devices.iter().map(|d| (d.id.0, d)).collect();
        for row in rows.iter().filter(|r| asked(r) && approved(r)) {
            let Some(device) = by_id.get(&row.device) else {
                continue;
            };
            let group = groups
                .entry((
                    device.client,
                    device.backend.clone(),
                    row.approved_by.clone(),
                ))
                .or_insert_with(|| Group {
                    approved_by: row.approved_by.clone(),
                    devices: Vec::new(),
                    patches: BTreeMap::new(),
                });
            let list = group.patches.entry(row.device).or_insert_with(|| {
                group.devices.push((*device).clone());
                Vec::new()
            });
            list.push(row.identifier.clone());
        }
        if groups.is_empty() {
            return Err(Refusal::new(
                RefusalKey::NotApproved,
                "Nothing was installed: of these devices no patch waits that a person approved.",
            ));
        }
        Ok(Plan::Install(groups.into_values().collect()))
    }
}

impl Group {
    /// Takes the patches of one device for a job: false where somebody was faster or took the approval back.
    pub(crate) fn claim(
        &self,
        connection: &rusqlite::Connection,
        device: i64,
        now_ms: i64,
    ) -> rusqlite::Result<bool> {
        let Some(identifiers) = self.patches.get(&device) else {
            return Ok(false);
        };
        let names = serde_json::Value::from(identifiers.clone()).to_string();
        let mut query = Query::new("UPDATE device_patches SET state = 'installing',");
        query.push(
            "changed_ms = ? WHERE device_id = ?",
            [int(now_ms), int(device)],
        );
        query.push(
            "AND state = 'approved' AND approved_by = ? AND patch_id IN (SELECT id FROM patches WHERE identifier IN (SELECT value FROM json_each(?)))",
            [text(self.approved_by.clone()), text(names)],
        );
        let n = connection
            .prepare_cached(query.text())?
            .execute(rusqlite::params_from_iter(query.values()))?;
        Ok(n == identifiers.len())
    }
}

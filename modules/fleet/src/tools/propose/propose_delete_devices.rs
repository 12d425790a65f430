//! `propose_delete_devices`: the devices and their inventory leave the fleet.

use super::{Plan, Proposes, targets};
use crate::backend::Ability;
use crate::model::OperationKind;
use crate::proposals::draft::Operation;
use crate::tools::{Ctx, Refusal};
use kit::principal::Permission;
use schemars::JsonSchema;
use serde::Deserialize;

/// Arguments.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Devices as listed (`d-12`).
    #[schemars(length(min = 1, max = 500))]
    pub devices: Vec<String>,
    /// Why it should be done.
    #[schemars(length(max = 500))]
    pub why: Option<String>,
}

/// The tool.
pub struct ProposeDeleteDevices;

impl Proposes for ProposeDeleteDevices {
    const NAME: &'static str = "propose_delete_devices";
    const DOC: &'static str = "Proposes to delete up to 500 devices with their inventory. Nothing is deleted until a person approves it and types the number of devices.";
    const PERMISSION: Permission = Permission::DevicesDelete;
    type Args = Args;

    fn plan(ctx: &Ctx<'_>, args: Args) -> Result<Plan, Refusal> {
        let devices = targets::listed(ctx, &args.devices, "devices")?;
        targets::able(ctx, &devices, Ability::Delete)?;
        let drafts = targets::grouped(devices, |d| d.backend.clone())
            .into_iter()
            .map(|(_, devices)| {
                Operation {
                    kind: OperationKind::Delete,
                    destination: None,
                    destination_name: "",
                    targets: &devices,
                }
                .draft()
                .why(args.why.as_deref())
            })
            .collect();
        Ok(Plan::Propose(drafts))
    }
}

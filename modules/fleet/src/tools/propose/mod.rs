//! Tools that propose, stop, or act on what was approved. Each file holds one tool: its arguments and its
//! `Plan`, which reads and never writes. [`crate::tools::perform`] examines and carries out plans.

pub mod cancel_job;
pub mod install_patches;
pub mod intents;
pub mod propose_bulk_deploy;
pub mod propose_check;
pub mod propose_delete_devices;
pub mod propose_move_devices;
pub mod propose_policy;
pub mod propose_script;
pub mod propose_task;
mod script;
mod targets;

use super::read::{export_audit, export_inventory};
use super::{Ctx, Refusal};
use crate::exports::Wanted;
use crate::proposals::draft::Draft;
use kit::principal::Permission;
use kit::tool::Effect;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

/// What a call would do. It was worked out by reading only.
#[derive(Debug)]
pub(crate) enum Plan {
    /// Makes these proposals.
    Propose(Vec<Draft>),
    /// Stops a job that this case started.
    Cancel(cancel_job::Own),
    /// Makes a proposal to stop a job that it did not start.
    AskCancel(Box<Draft>),
    /// Installs patches that people approved: one job for each client, backend and approver.
    Install(Vec<install_patches::Group>),
    /// Stores a query that a person opens: it reads, and leaves a trail.
    Export(Wanted),
}

/// A tool of this directory, as its author writes it.
pub(crate) trait Proposes {
    const NAME: &'static str;
    const DOC: &'static str;
    const PERMISSION: Permission;
    const EFFECT: Effect = Effect::Propose;
    const UNSCOPED_ONLY: bool = false;
    type Args: DeserializeOwned + JsonSchema;

    /// What the call would do; reads only. Permission and shape were checked; scope is checked here, in every
    /// reference.
    fn plan(ctx: &Ctx<'_>, args: Self::Args) -> Result<Plan, Refusal>;
}

type PlanFn = fn(&Ctx<'_>, &str) -> Result<Plan, Refusal>;

fn plan_of<T: Proposes>(ctx: &Ctx<'_>, arguments: &str) -> Result<Plan, Refusal> {
    T::plan(ctx, super::read_args::<T::Args>(arguments)?)
}

const PLANS: &[(&str, PlanFn)] = &[
    plan::<propose_script::ProposeScript>(),
    plan::<propose_bulk_deploy::ProposeBulkDeploy>(),
    plan::<propose_task::ProposeTask>(),
    plan::<propose_check::ProposeCheck>(),
    plan::<propose_policy::ProposePolicy>(),
    plan::<propose_move_devices::ProposeMoveDevices>(),
    plan::<propose_delete_devices::ProposeDeleteDevices>(),
    plan::<intents::InstallSoftware>(),
    plan::<intents::UninstallSoftware>(),
    plan::<intents::RestartService>(),
    plan::<intents::InstallPrinter>(),
    plan::<intents::FlushDns>(),
    plan::<intents::RebootDevice>(),
    plan::<install_patches::InstallPatches>(),
    plan::<cancel_job::CancelJob>(),
    plan::<export_inventory::ExportInventory>(),
    plan::<export_audit::ExportAudit>(),
];

const fn plan<T: Proposes>() -> (&'static str, PlanFn) {
    (T::NAME, plan_of::<T>)
}

/// The plan of a call; `None` where the tool reads and leaves no trail.
pub(crate) fn find(name: &str) -> Option<PlanFn> {
    PLANS.iter().find(|(n, _)| *n == name).map(|(_, f)| *f)
}

//! `propose_bulk_deploy`: one script on many devices, as one job for each client. Each waits for its own
//! approval; together they are a batch.

use super::{Plan, Proposes, script, targets};
use crate::model::{JobKind, Platform, Shell};
use crate::proposals::digest::Print;
use crate::proposals::draft::Job;
use crate::tools::{Ctx, Refusal};
use kit::principal::Permission;
use schemars::JsonSchema;
use serde::Deserialize;

/// Arguments: devices by name, by place, or both.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Devices as listed (`d-12`).
    #[serde(default)]
    #[schemars(length(max = 500))]
    pub devices: Vec<String>,
    /// Every device of this client (`c-3`).
    #[schemars(length(max = 200))]
    pub client: Option<String>,
    /// Every device of this site (`s-4`).
    #[schemars(length(max = 200))]
    pub site: Option<String>,
    /// Every device of this department (`u-5`).
    #[schemars(length(max = 200))]
    pub department: Option<String>,
    /// Of the places, only devices with this operating system.
    pub platform: Option<Platform>,
    /// What the script does, in a few words.
    #[schemars(length(min = 1, max = 120))]
    pub name: String,
    /// What runs it.
    pub shell: Shell,
    /// The whole script.
    #[schemars(length(min = 1, max = 65_536))]
    pub script: String,
    /// What will be different afterwards.
    #[schemars(length(min = 1, max = 500))]
    pub expected_effect: String,
    /// Seconds that it may run on each device, 300 unless given.
    #[schemars(range(min = 1, max = 86_400))]
    pub timeout_s: Option<u32>,
    /// At each client, run on this many devices first and wait for a second approval.
    #[schemars(range(min = 1, max = 499))]
    pub canary: Option<u32>,
    /// Why it should be done.
    #[schemars(length(max = 500))]
    pub why: Option<String>,
}

/// The tool.
pub struct ProposeBulkDeploy;

/// The name that the jobs of one call share. It follows from the call, so that no random bytes are needed.
pub(super) fn batch(ctx: &Ctx<'_>, what: &str, body: &str) -> String {
    let mut print = Print::new("batch");
    print
        .value(&crate::sql::int(ctx.now_ms))
        .bytes(ctx.principal.name.as_bytes())
        .bytes(ctx.case.unwrap_or_default().as_bytes())
        .bytes(what.as_bytes())
        .bytes(body.as_bytes());
    let mut hex = print.hex();
    hex.truncate(16);
    format!("b-{hex}")
}

impl Proposes for ProposeBulkDeploy {
    const NAME: &'static str = "propose_bulk_deploy";
    const DOC: &'static str = "Proposes one script for up to 500 devices, named or by place, as one job for each client. Every job waits for its own approval; nothing runs before.";
    const PERMISSION: Permission = Permission::JobsCreate;
    type Args = Args;

    fn plan(ctx: &Ctx<'_>, args: Args) -> Result<Plan, Refusal> {
        script::checked("script", &args.script)?;
        let places = (
            args.client.as_deref(),
            args.site.as_deref(),
            args.department.as_deref(),
        );
        let devices = targets::gathered(ctx, &args.devices, places, args.platform)?;
        targets::shell_fits(args.shell, &devices)?;
        let batch = batch(ctx, &args.name, &args.script);
        let findings = script::findings(args.shell, &args.script);
        let drafts = targets::grouped(devices, |d| (d.client, d.backend.clone()))
            .into_iter()
            .map(|(_, devices)| {
                Job {
                    kind: JobKind::Script,
                    what: &args.name,
                    shell: Some(args.shell),
                    body: &args.script,
                    params: serde_json::json!({}),
                    effect: &args.expected_effect,
                    timeout_s: args.timeout_s.unwrap_or(script::TIMEOUT_S),
                    canary: args.canary.unwrap_or(0),
                    batch: &batch,
                    bulk: true,
                    targets: &devices,
                }
                .draft()
                .why(args.why.as_deref())
                .findings(findings.clone())
            })
            .collect();
        Ok(Plan::Propose(drafts))
    }
}

//! `propose_script`: one script on devices of one client.

use super::{Plan, Proposes, script, targets};
use crate::model::{JobKind, Shell};
use crate::proposals::draft::Job;
use crate::tools::{Ctx, Refusal};
use kit::principal::Permission;
use schemars::JsonSchema;
use serde::Deserialize;

/// Arguments.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Devices of one client, as listed (`d-12`).
    #[schemars(length(min = 1, max = 500))]
    pub devices: Vec<String>,
    /// What the script does, in a few words.
    #[schemars(length(min = 1, max = 120))]
    pub name: String,
    /// What runs it.
    pub shell: Shell,
    /// The whole script. It prints what is to be known; it writes no report file.
    #[schemars(length(min = 1, max = 65_536))]
    pub script: String,
    /// What will be different afterwards.
    #[schemars(length(min = 1, max = 500))]
    pub expected_effect: String,
    /// Seconds that it may run, 300 unless given.
    #[schemars(range(min = 1, max = 86_400))]
    pub timeout_s: Option<u32>,
    /// Run on this many devices first, and wait for a second approval.
    #[schemars(range(min = 1, max = 499))]
    pub canary: Option<u32>,
    /// Why it should be done.
    #[schemars(length(max = 500))]
    pub why: Option<String>,
}

/// The tool.
pub struct ProposeScript;

impl Proposes for ProposeScript {
    const NAME: &'static str = "propose_script";
    const DOC: &'static str = "Proposes a script for devices of one client. Nothing runs until a person approves it. For questions use the tools that read: a report is an answer, not a script.";
    const PERMISSION: Permission = Permission::JobsCreate;
    type Args = Args;

    fn plan(ctx: &Ctx<'_>, args: Args) -> Result<Plan, Refusal> {
        script::checked("script", &args.script)?;
        let devices = targets::listed(ctx, &args.devices, "devices")?;
        targets::one_group(&devices)?;
        targets::shell_fits(args.shell, &devices)?;
        let draft = Job {
            kind: JobKind::Script,
            what: &args.name,
            shell: Some(args.shell),
            body: &args.script,
            params: serde_json::json!({}),
            effect: &args.expected_effect,
            timeout_s: args.timeout_s.unwrap_or(script::TIMEOUT_S),
            canary: args.canary.unwrap_or(0),
            batch: "",
            bulk: false,
            targets: &devices,
        }
        .draft()
        .why(args.why.as_deref())
        .findings(script::findings(args.shell, &args.script));
        Ok(Plan::Propose(vec![draft]))
    }
}

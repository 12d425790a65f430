//! `propose_task`: a script on a schedule. The row is disabled until a person enables it.

use super::{Plan, Proposes, script, targets};
use crate::backend::Ability;
use crate::model::Shell;
use crate::proposals::{cron, device, draft};
use crate::tools::{Ctx, Refusal};
use kit::principal::Permission;
use schemars::JsonSchema;
use serde::Deserialize;

/// Arguments: exactly one of client, site and device.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// What the task does, in a few words.
    #[schemars(length(min = 1, max = 120))]
    pub name: String,
    /// When: minute, hour, day of month, month, day of week, in UTC, as in `30 2 * * 1`.
    #[schemars(length(min = 9, max = 100))]
    pub schedule: String,
    /// What runs it.
    pub shell: Shell,
    /// The whole script.
    #[schemars(length(min = 1, max = 65_536))]
    pub script: String,
    /// Seconds that it may run, 300 unless given.
    #[schemars(range(min = 1, max = 86_400))]
    pub timeout_s: Option<u32>,
    /// Every device of this client (`c-3`), also those that come later.
    #[schemars(length(max = 200))]
    pub client: Option<String>,
    /// Every device of this site (`s-4`), also those that come later.
    #[schemars(length(max = 200))]
    pub site: Option<String>,
    /// This device (`d-12`).
    #[schemars(length(max = 300))]
    pub device: Option<String>,
    /// Why it should be done.
    #[schemars(length(max = 500))]
    pub why: Option<String>,
}

/// The tool.
pub struct ProposeTask;

impl Proposes for ProposeTask {
    const NAME: &'static str = "propose_task";
    const DOC: &'static str = "Proposes a script that runs on a schedule, for a client, a site or a device. It is disabled until a person has reviewed and enabled it.";
    const PERMISSION: Permission = Permission::TasksManage;
    type Args = Args;

    fn plan(ctx: &Ctx<'_>, args: Args) -> Result<Plan, Refusal> {
        script::checked("script", &args.script)?;
        cron::check(&args.schedule).map_err(|e| Refusal::value("schedule", e))?;
        let places = (
            args.client.as_deref(),
            args.site.as_deref(),
            args.device.as_deref(),
        );
        let aim = targets::aim(ctx, places)?;
        if let Some(id) = aim.device {
            let device = device::devices(ctx.connection, &[id])?;
            targets::shell_fits(args.shell, &device)?;
            targets::able(ctx, &device, Ability::Tasks)?;
        }
        let draft = draft::task(
            args.name.trim(),
            args.schedule.trim(),
            args.shell,
            &args.script,
            args.timeout_s.unwrap_or(script::TIMEOUT_S),
            &aim,
        )
        .why(args.why.as_deref())
        .findings(script::findings(args.shell, &args.script));
        Ok(Plan::Propose(vec![draft]))
    }
}

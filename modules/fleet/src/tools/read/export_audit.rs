//! `export_audit`: every entry of the trail that fits, for the person and not for the model.

use super::query_audit::{self, Mode, filter};
use crate::exports::Wanted;
use crate::tools::propose::{Plan, Proposes};
use crate::tools::{Ctx, Refusal};
use kit::principal::Permission;
use kit::tool::Effect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Arguments; all that is given must fit.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// From when on: 2026-01-31T12:00:00Z, 2026-01-31, or back from now as `7d`, `24h`, `30m`. Everything unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 40))]
    pub since: Option<String>,
    /// Until when, in the same forms.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 40))]
    pub until: Option<String>,
    /// Who acted: a principal's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 100))]
    pub actor: Option<String>,
    /// What was done: `job.approve`, or a family such as `job`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 100))]
    pub action: Option<String>,
    /// To what: an id such as `d-12` or `j-7`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 100))]
    pub target: Option<String>,
}

/// The tool.
pub struct ExportAudit;

impl Proposes for ExportAudit {
    const NAME: &'static str = "export_audit";
    const DOC: &'static str = "Prepares every matching entry of the audit trail as a CSV file that the person opens with a command; the entries are not shown to you. Give the person the command.";
    const PERMISSION: Permission = Permission::AuditView;
    const EFFECT: Effect = Effect::Read;
    const UNSCOPED_ONLY: bool = true;
    type Args = Args;

    fn plan(ctx: &Ctx<'_>, args: Args) -> Result<Plan, Refusal> {
        let args = query_audit::Args {
            mode: Some(Mode::Entries),
            since: args.since,
            until: args.until,
            actor: args.actor,
            action: args.action,
            target: args.target,
            ..query_audit::Args::default()
        };
        filter(ctx, &args).map(|f| Plan::Export(Wanted::Audit(f)))
    }
}

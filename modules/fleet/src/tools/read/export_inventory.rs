//! `export_inventory`: every row of the inventory, for the person and not for the model.

use super::inventory_report::filter;
use crate::exports::Wanted;
use crate::report::Kind;
use crate::tools::propose::{Plan, Proposes};
use crate::tools::{Ctx, Refusal};
use kit::principal::Permission;
use kit::tool::Effect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Arguments.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// What the rows are of.
    pub report_type: Kind,
    /// A part of the software title, or of host name, operating system, model or processor.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 200))]
    pub matching: Option<String>,
    /// A client as listed (`c-3`) or by its exact name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub client: Option<String>,
    /// A site as listed (`s-4`) or by its exact name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub site: Option<String>,
    /// A department as listed (`u-5`) or by its exact name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 200))]
    pub department: Option<String>,
}

/// The tool.
pub struct ExportInventory;

impl Proposes for ExportInventory {
    const NAME: &'static str = "export_inventory";
    const DOC: &'static str = "Prepares every row of an inventory report as a CSV file that the person opens with a command; the rows are not shown to you. Give the person the command.";
    const PERMISSION: Permission = Permission::ReportsView;
    const EFFECT: Effect = Effect::Read;
    type Args = Args;

    fn plan(ctx: &Ctx<'_>, args: Args) -> Result<Plan, Refusal> {
        let places = (
            args.client.as_deref(),
            args.site.as_deref(),
            args.department.as_deref(),
        );
        filter(ctx, args.report_type, args.matching.as_deref(), places)
            .map(|f| Plan::Export(Wanted::Inventory(f)))
    }
}

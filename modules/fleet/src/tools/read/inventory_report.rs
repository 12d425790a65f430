//! `inventory_report`: counts over the inventory, or rows.

use crate::report::{self, Filter, GroupBy, Kind};
use crate::sql::int;
use crate::tools::refer;
use crate::tools::{Answer, Ctx, FleetTool, Refusal, Sheet};
use kit::principal::Permission;
use kit::tool::Effect;
use rusqlite::types::ValueRef;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Most rows that are read.
pub const ROWS_MAX: u32 = 1000;

/// Counts or rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Counts by group.
    #[default]
    Summary,
    /// Rows.
    Rows,
}

/// Arguments.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// What the report is of.
    pub report_type: Kind,
    /// `summary` (counts; unless given) or `rows`.
    pub mode: Option<Mode>,
    /// By what a summary is grouped: software by title, version, publisher or source; hardware and machines by platform, os, kind, status, model, processor or memory; all by client, site or department.
    pub group_by: Option<GroupBy>,
    /// A part of the software title, or of host name, operating system, model or processor.
    #[serde(rename = "match")]
    #[schemars(length(min = 1, max = 200))]
    pub matching: Option<String>,
    /// A client as listed (`c-3`) or by its exact name.
    #[schemars(length(max = 200))]
    pub client: Option<String>,
    /// A site as listed (`s-4`) or by its exact name.
    #[schemars(length(max = 200))]
    pub site: Option<String>,
    /// A department as listed (`u-5`) or by its exact name.
    #[schemars(length(max = 200))]
    pub department: Option<String>,
    /// Most groups or rows, 50 unless given.
    #[schemars(range(min = 1, max = 1000))]
    pub limit: Option<u32>,
}

/// The filter that these arguments name; places are looked up inside the scope.
///
/// # Errors
/// A place that is not there.
pub fn filter(
    ctx: &Ctx<'_>,
    kind: Kind,
    matching: Option<&str>,
    (client, site, department): (Option<&str>, Option<&str>, Option<&str>),
) -> Result<Filter, Refusal> {
    Ok(Filter {
        kind,
        matching: matching
            .map(str::trim)
            .filter(|m| !m.is_empty())
            .map(str::to_owned),
        client: client
            .map(|given| refer::client(ctx, given, "client"))
            .transpose()?
            .map(|p| p.id.0),
        site: site
            .map(|given| refer::site(ctx, given, "site"))
            .transpose()?
            .map(|p| p.id.0),
        department: department
            .map(|given| refer::department(ctx, given, "department"))
            .transpose()?
            .map(|p| p.id.0),
    })
}

/// The tool.
pub struct InventoryReport;

impl FleetTool for InventoryReport {
    const NAME: &'static str = "inventory_report";
    const DOC: &'static str = "Counts over the inventory of the fleet, grouped in the database, or rows (at most 1,000, with the true total). For every row there is, use export_inventory.";
    const PERMISSION: Permission = Permission::ReportsView;
    const EFFECT: Effect = Effect::Read;
    type Args = Args;

    fn run(ctx: &Ctx<'_>, args: Args) -> Result<Answer, Refusal> {
        let places = (
            args.client.as_deref(),
            args.site.as_deref(),
            args.department.as_deref(),
        );
        let filter = filter(ctx, args.report_type, args.matching.as_deref(), places)?;
        let limit = args.limit.unwrap_or(50).clamp(1, ROWS_MAX);
        let unknown = unknown(ctx, &filter)?;
        match args.mode.unwrap_or_default() {
            Mode::Summary => {
                let by = args.group_by.unwrap_or(GroupBy::usual(filter.kind));
                if !by.fits(filter.kind) {
                    let fit: Vec<&str> = GroupBy::of(filter.kind).map(GroupBy::name).collect();
                    return Err(Refusal::value(
                        "group_by",
                        format!("a {} report is grouped by {}", filter.kind, fit.join(", ")),
                    ));
                }
                summary(ctx, &filter, by, limit, &unknown)
            }
            Mode::Rows => rows(ctx, &filter, limit, &unknown),
        }
    }
}

fn unknown(ctx: &Ctx<'_>, filter: &Filter) -> Result<String, Refusal> {
    let (devices, unread) = report::coverage(ctx.connection, &ctx.principal.scope, filter)?;
    Ok(match unread {
        0 => format!(" {devices} devices are covered."),
        _ => format!(
            " Of {devices} devices, {unread} were never read for this: what they have is unknown."
        ),
    })
}

fn summary(
    ctx: &Ctx<'_>,
    filter: &Filter,
    by: GroupBy,
    limit: u32,
    unknown: &str,
) -> Result<Answer, Refusal> {
    let found = report::summary(ctx.connection, &ctx.principal.scope, filter, by, limit)?;
    let mut sheet = Sheet::new(match filter.kind {
        Kind::Software => &["group", "devices", "installs"],
        Kind::Hardware => &["group", "devices", "cores", "memory bytes", "disk bytes"],
        Kind::Machines => &["group", "devices"],
    });
    let mut uncounted = false;
    for group in &found.groups {
        uncounted |= group.devices.is_none();
        let [cores, memory, disk] = group.sums.unwrap_or_default();
        match filter.kind {
            Kind::Software => sheet.row([
                json!(group.name),
                json!(group.devices),
                json!(group.installs),
            ]),
            Kind::Hardware => sheet.row([
                json!(group.name),
                json!(group.devices),
                json!(cores),
                json!(memory),
                json!(disk),
            ]),
            Kind::Machines => sheet.row([json!(group.name), json!(group.devices)]),
        }
    }
    sheet.total(found.total);
    let uncounted = if uncounted {
        " An empty number of devices was not counted: group by title or version, or narrow with match."
    } else {
        ""
    };
    Ok(Answer::new(
        format!(
            "{} groups by {by}; {} are shown.{unknown}{uncounted}",
            found.total,
            found.groups.len()
        ),
        sheet,
    ))
}

fn rows(ctx: &Ctx<'_>, filter: &Filter, limit: u32, unknown: &str) -> Result<Answer, Refusal> {
    let scope = &ctx.principal.scope;
    let total = report::total(ctx.connection, scope, filter)?;
    let columns = report::columns(filter.kind);
    let mut query = report::selection(scope, filter);
    query.push("ORDER BY d.id LIMIT ?", [int(limit)]);
    let mut sheet = Sheet::new(columns);
    for row in query.rows(ctx.connection, |r| {
        (0..columns.len())
            .map(|at| r.get_ref(at).map(value))
            .collect::<rusqlite::Result<Vec<Value>>>()
    })? {
        sheet.row(row);
    }
    sheet.total(total);
    let shown = sheet.len();
    Ok(Answer::new(
        format!("{total} rows; {shown} are shown.{unknown}"),
        sheet,
    ))
}

fn value(of: ValueRef<'_>) -> Value {
    match of {
        ValueRef::Integer(n) => json!(n),
        ValueRef::Real(n) => json!(n),
        ValueRef::Text(t) => json!(String::from_utf8_lossy(t)),
        ValueRef::Null | ValueRef::Blob(_) => Value::Null,
    }
}

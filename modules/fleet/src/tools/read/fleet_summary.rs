//! `fleet_summary`: the fleet in one table of counts.

use crate::backend::Ability;
use crate::scope;
use crate::sql::Query;
use crate::tools::{Answer, Ctx, FleetTool, Refusal, Sheet};
use kit::principal::Permission;
use kit::tool::Effect;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Arguments: none.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The tool.
pub struct FleetSummary;

impl FleetTool for FleetSummary {
    const NAME: &'static str = "fleet_summary";
    const DOC: &'static str = "The fleet in counts: devices by status, system and client, missing patches, failing checks, and jobs by status, as far as you may see them.";
    const PERMISSION: Permission = Permission::DevicesView;
    const EFFECT: Effect = Effect::Read;
    type Args = Args;

    fn run(ctx: &Ctx<'_>, _args: Args) -> Result<Answer, Refusal> {
        let scope = &ctx.principal.scope;
        let mut inside = Query::new("d.deleted_ms IS NULL AND");
        inside.append(&scope::devices(scope, "d"));
        let mut sheet = Sheet::new(&["what", "group", "count"]);
        let mut count = Query::new("SELECT count(*) FROM devices d WHERE");
        let devices = count.append(&inside).count(ctx.connection)?;
        for (what, key) in [
            ("status", "d.status"),
            ("platform", "d.platform"),
            ("kind", "d.kind"),
            ("backend", "d.backend"),
        ] {
            let mut query = Query::new(&format!("SELECT {key}, count(*) FROM devices d WHERE"));
            query
                .append(&inside)
                .push("GROUP BY 1 ORDER BY 2 DESC, 1", []);
            put(ctx, &mut sheet, what, &query)?;
        }
        let mut query = Query::new(
            "SELECT 'c-' || c.id || ' ' || c.name, count(*) FROM devices d JOIN clients c ON c.id = d.client_id WHERE",
        );
        query
            .append(&inside)
            .push("GROUP BY c.id ORDER BY 2 DESC, 1 LIMIT 10", []);
        put(ctx, &mut sheet, "largest clients", &query)?;
        for (what, condition) in [
            ("waits for a restart", "d.needs_reboot = 1"),
            ("in maintenance", "d.maintenance = 1"),
            (
                "never inventoried",
                "d.inventory_ms IS NULL AND d.software_ms IS NULL",
            ),
        ] {
            let mut query = Query::new("SELECT count(*) FROM devices d WHERE");
            query.append(&inside).push(&format!("AND {condition}"), []);
            let n = query.count(ctx.connection)?;
            sheet.row([json!("devices"), json!(what), json!(n)]);
        }
        let mut said = format!("{devices} devices.");
        if ctx.principal.allow(Permission::PatchesView) {
            patches(ctx, &inside, &mut sheet, &mut said)?;
        }
        if ctx.principal.allow(Permission::ChecksView) {
            let mut query = Query::new(
                "SELECT r.status, count(*) FROM checks m JOIN check_results r ON r.check_id = m.id JOIN devices d ON d.id = r.device_id
                 WHERE m.enabled = 1 AND r.at_ms = (SELECT max(x.at_ms) FROM check_results x WHERE x.check_id = r.check_id AND x.device_id = r.device_id) AND",
            );
            query
                .append(&inside)
                .push("AND", [])
                .append(&scope::monitoring(scope, "m"))
                .push("GROUP BY 1 ORDER BY 1", []);
            put(ctx, &mut sheet, "newest check results", &query)?;
        }
        if ctx.principal.allow(Permission::JobsView) {
            let mut query = Query::new("SELECT j.status, count(*) FROM jobs j WHERE");
            query
                .append(&scope::jobs(scope, "j"))
                .push("GROUP BY 1 ORDER BY 1", []);
            put(ctx, &mut sheet, "jobs", &query)?;
            let mut query = Query::new(
                "SELECT 'j-' || j.id || ' ' || j.title || ': ' || j.status, j.target_count FROM jobs j WHERE",
            );
            query
                .append(&scope::jobs(scope, "j"))
                .push("ORDER BY j.id DESC LIMIT 5", []);
            put(ctx, &mut sheet, "newest jobs, devices", &query)?;
        }
        Ok(Answer::new(said, sheet))
    }
}

fn put(ctx: &Ctx<'_>, sheet: &mut Sheet, what: &str, query: &Query) -> Result<(), Refusal> {
    for (group, n) in query.rows(ctx.connection, |r| {
        Ok((r.get::<_, String>(0)?, r.get::<_, f64>(1)?))
    })? {
        sheet.row([json!(what), json!(group), json!(n as i64)]);
    }
    Ok(())
}

fn patches(
    ctx: &Ctx<'_>,
    inside: &Query,
    sheet: &mut Sheet,
    said: &mut String,
) -> Result<(), Refusal> {
    let mut query = Query::new(
        "SELECT p.severity, count(*) FROM device_patches x JOIN patches p ON p.id = x.patch_id JOIN devices d ON d.id = x.device_id
         WHERE x.state = 'missing' AND",
    );
    query
        .append(inside)
        .push("GROUP BY 1 ORDER BY 2 DESC, 1", []);
    put(ctx, sheet, "missing patches by severity", &query)?;
    let mut query =
        Query::new("SELECT d.backend, count(*), total(d.patches_ms IS NULL) FROM devices d WHERE");
    query.append(inside).push("GROUP BY 1", []);
    for (backend, devices, unread) in query.rows(ctx.connection, |r| {
        Ok((
            r.get::<_, String>(0)?,
            r.get::<_, i64>(1)?,
            r.get::<_, f64>(2)? as i64,
        ))
    })? {
        match ctx.backends.need(&backend, Ability::PatchesList) {
            Err(e) => said.push_str(&format!(" Patches of {devices} devices are unknown: {e}.")),
            Ok(()) if unread > 0 => {
                said.push_str(&format!(
                    " Patches of {unread} devices were never read: unknown."
                ));
            }
            Ok(()) => {}
        }
    }
    Ok(())
}

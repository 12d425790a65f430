//! `list_patches`: what is missing, on one device or in a part of the fleet.

use crate::backend::Ability;
use crate::model::{PatchClass, PatchState, Severity};
use crate::scope;
use crate::sql::{Query, int, text};
use crate::tools::args::{when, within};
use crate::tools::refer::{self, Device};
use crate::tools::{Answer, Ctx, FleetTool, Refusal, Sheet};
use kit::principal::Permission;
use kit::tool::Effect;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Arguments; all that is given must fit.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// One device as listed (`d-12`); the fleet, counted by patch, unless given.
    #[schemars(length(min = 1, max = 300))]
    pub device: Option<String>,
    /// A client as listed (`c-3`) or by its exact name.
    #[schemars(length(max = 200))]
    pub client: Option<String>,
    /// A site as listed (`s-4`) or by its exact name.
    #[schemars(length(max = 200))]
    pub site: Option<String>,
    /// Only patches in this state; all that are not installed unless given.
    pub state: Option<PatchState>,
    /// Only patches that mend this.
    pub classification: Option<PatchClass>,
    /// Only patches of this severity.
    pub severity: Option<Severity>,
    /// Most rows, 100 unless given.
    #[schemars(range(min = 1, max = 1000))]
    pub limit: Option<u32>,
}

/// The tool.
pub struct ListPatches;

impl FleetTool for ListPatches {
    const NAME: &'static str = "list_patches";
    const DOC: &'static str = "Patches that a device misses, with class, severity and state; without a device, how many devices miss each patch. Only a person can approve a patch.";
    const PERMISSION: Permission = Permission::PatchesView;
    const EFFECT: Effect = Effect::Read;
    type Args = Args;

    fn run(ctx: &Ctx<'_>, args: Args) -> Result<Answer, Refusal> {
        let limit = args.limit.unwrap_or(100).clamp(1, 1000);
        match args.device.as_deref() {
            Some(given) => {
                let device = refer::device(ctx, given, "device")?;
                ctx.backends
                    .need(&device.backend, Ability::PatchesList)
                    .map_err(Refusal::from)?;
                of_device(ctx, &device, &args, limit)
            }
            None => of_fleet(ctx, &args, limit),
        }
    }
}

fn which(query: &mut Query, args: &Args) {
    match args.state {
        Some(state) => query.push("AND x.state = ?", [text(state.name())]),
        None => query.push("AND x.state <> 'installed'", []),
    };
    if let Some(class) = args.classification {
        query.push("AND p.classification = ?", [text(class.name())]);
    }
    if let Some(severity) = args.severity {
        query.push("AND p.severity = ?", [text(severity.name())]);
    }
}

const GRAVEST: &str = "CASE p.severity WHEN 'critical' THEN 0 WHEN 'important' THEN 1 WHEN 'moderate' THEN 2 WHEN 'low' THEN 3 ELSE 4 END";

fn of_device(ctx: &Ctx<'_>, device: &Device, args: &Args, limit: u32) -> Result<Answer, Refusal> {
    let mut read = Query::new("SELECT patches_ms FROM devices");
    read.push("WHERE id = ?", [int(device.id)]);
    let at = read
        .first(ctx.connection, |r| r.get::<_, Option<i64>>(0))?
        .flatten();
    let mut sheet = Sheet::new(&[
        "patch",
        "title",
        "class",
        "severity",
        "cves",
        "state",
        "approved by",
        "since",
    ]);
    let Some(at) = at else {
        return Ok(Answer::new(
            format!(
                "The patches of {} were never read: it is unknown what is missing.",
                device.label()
            ),
            sheet,
        ));
    };
    let mut from = Query::new("FROM device_patches x JOIN patches p ON p.id = x.patch_id");
    from.push("WHERE x.device_id = ?", [int(device.id)]);
    which(&mut from, args);
    let mut count = Query::new("SELECT count(*)");
    let total = count.append(&from).count(ctx.connection)?;
    let mut query = Query::new(
        "SELECT p.identifier, p.title, p.classification, p.severity, p.cves, x.state, x.approved_by, x.first_ms",
    );
    query.append(&from).push(
        &format!("ORDER BY {GRAVEST}, p.identifier LIMIT ?"),
        [int(limit)],
    );
    for row in query.rows(ctx.connection, |r| {
        let cves: Vec<String> = serde_json::from_str(&r.get::<_, String>(4)?).unwrap_or_default();
        Ok([
            json!(r.get::<_, String>(0)?),
            json!(r.get::<_, String>(1)?),
            json!(r.get::<_, PatchClass>(2)?),
            json!(r.get::<_, Severity>(3)?),
            json!(cves.join(" ")),
            json!(r.get::<_, PatchState>(5)?),
            json!(r.get::<_, String>(6)?),
            when(r.get(7)?),
        ])
    })? {
        sheet.row(row);
    }
    sheet.total(total);
    let read = when(Some(at));
    Ok(Answer::new(
        format!(
            "{total} patches of {}, as read {}.",
            device.label(),
            read.as_str().unwrap_or_default()
        ),
        sheet,
    ))
}

fn of_fleet(ctx: &Ctx<'_>, args: &Args, limit: u32) -> Result<Answer, Refusal> {
    let mut inside = Query::new("d.deleted_ms IS NULL AND");
    inside.append(&scope::devices(&ctx.principal.scope, "d"));
    within(
        ctx,
        &mut inside,
        (args.client.as_deref(), args.site.as_deref(), None),
        ["d.client_id", "d.site_id", "d.department_id"],
    )?;
    let mut query = Query::new(
        "SELECT p.identifier, p.title, p.classification, p.severity, total(x.state = 'missing'), total(x.state = 'approved'),
                count(*), count(*) OVER ()
         FROM device_patches x JOIN patches p ON p.id = x.patch_id JOIN devices d ON d.id = x.device_id WHERE",
    );
    query.append(&inside);
    which(&mut query, args);
    query.push(
        &format!("GROUP BY p.id ORDER BY {GRAVEST}, count(*) DESC, p.identifier LIMIT ?"),
        [int(limit)],
    );
    let mut sheet = Sheet::new(&[
        "patch", "title", "class", "severity", "missing", "approved", "devices",
    ]);
    let mut total = 0_i64;
    for (row, groups) in query.rows(ctx.connection, |r| {
        let row = [
            json!(r.get::<_, String>(0)?),
            json!(r.get::<_, String>(1)?),
            json!(r.get::<_, PatchClass>(2)?),
            json!(r.get::<_, Severity>(3)?),
            json!(r.get::<_, f64>(4)? as i64),
            json!(r.get::<_, f64>(5)? as i64),
            json!(r.get::<_, i64>(6)?),
        ];
        Ok((row, r.get::<_, i64>(7)?))
    })? {
        total = groups;
        sheet.row(row);
    }
    sheet.total(u64::try_from(total).unwrap_or(0));
    let mut said = format!("{total} patches.");
    for sentence in unknown(ctx, &inside)? {
        said.push(' ');
        said.push_str(&sentence);
    }
    Ok(Answer::new(said, sheet))
}

/// Devices of which nothing is known here, by reason: they are not without missing patches.
fn unknown(ctx: &Ctx<'_>, inside: &Query) -> Result<Vec<String>, Refusal> {
    let mut query =
        Query::new("SELECT d.backend, count(*), total(d.patches_ms IS NULL) FROM devices d WHERE");
    query.append(inside).push("GROUP BY 1", []);
    let mut said = Vec::new();
    for (backend, devices, unread) in query.rows(ctx.connection, |r| {
        Ok((
            r.get::<_, String>(0)?,
            r.get::<_, i64>(1)?,
            r.get::<_, f64>(2)? as i64,
        ))
    })? {
        match ctx.backends.need(&backend, Ability::PatchesList) {
            Err(e) => said.push(format!("{devices} devices are left out: {e}.")),
            Ok(()) if unread > 0 => said.push(format!(
                "{unread} devices were never read for patches: what they miss is unknown."
            )),
            Ok(()) => {}
        }
    }
    Ok(said)
}

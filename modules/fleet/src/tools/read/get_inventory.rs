//! `get_inventory`: what is known of one device, and from when.

use crate::backend::Ability;
use crate::model::{PatchState, SoftwareSource};
use crate::sql::{Query, anywhere, int};
use crate::tools::args::when;
use crate::tools::refer::{self, Device};
use crate::tools::{Answer, Ctx, FleetTool, Refusal, Sheet};
use kit::principal::Permission;
use kit::tool::Effect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A part of the inventory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Operating system, user, times.
    System,
    /// Processor, memory, disks.
    Hardware,
    /// Addresses.
    Network,
    /// Installed software.
    Software,
    /// Counts of patches by state.
    Patches,
}

/// Arguments.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The device as listed: `d-12`, or `d-12 web-01`.
    #[schemars(length(min = 1, max = 300))]
    pub device: String,
    /// Which parts; all unless given.
    #[schemars(length(max = 5))]
    pub parts: Option<Vec<Part>>,
    /// Only software whose name has this part.
    #[schemars(length(min = 1, max = 200))]
    pub software_match: Option<String>,
    /// Most software rows, 50 unless given.
    #[schemars(range(min = 1, max = 1000))]
    pub software_limit: Option<u32>,
}

/// The tool.
pub struct GetInventory;

impl FleetTool for GetInventory {
    const NAME: &'static str = "get_inventory";
    const DOC: &'static str = "The last inventory of one device: system, hardware, network, installed software, patches. Says when each part was read; a part that was never read is not empty but unknown.";
    const PERMISSION: Permission = Permission::DevicesView;
    const EFFECT: Effect = Effect::Read;
    type Args = Args;

    fn run(ctx: &Ctx<'_>, args: Args) -> Result<Answer, Refusal> {
        let device = refer::device(ctx, &args.device, "device")?;
        let wants = |part: Part| args.parts.as_ref().is_none_or(|p| p.contains(&part));
        let mut sheet = Sheet::new(&["part", "what", "value"]);
        let mut notes = Vec::new();
        if wants(Part::System) {
            system(ctx, &device, &mut sheet)?;
        }
        if wants(Part::Hardware) {
            hardware(ctx, &device, &mut sheet, &mut notes)?;
        }
        if wants(Part::Network) {
            network(ctx, &device, &mut sheet)?;
        }
        if wants(Part::Patches) && ctx.principal.allow(Permission::PatchesView) {
            patches(ctx, &device, &mut sheet, &mut notes)?;
        }
        if wants(Part::Software) {
            software(ctx, &device, &args, &mut sheet, &mut notes)?;
        }
        let mut said = format!("Inventory of {}.", device.label());
        for note in notes {
            said.push(' ');
            said.push_str(&note);
        }
        Ok(Answer::new(said, sheet))
    }
}

fn put(sheet: &mut Sheet, part: &str, what: &str, value: Value) {
    let empty = value.is_null() || value.as_str().is_some_and(str::is_empty);
    if !empty {
        sheet.row([json!(part), json!(what), value]);
    }
}

fn system(ctx: &Ctx<'_>, device: &Device, sheet: &mut Sheet) -> Result<(), Refusal> {
    let mut query = Query::new(
        "SELECT c.name, s.name, u.name, d.os, d.os_version, d.arch, d.kind, d.status, d.last_seen_ms, d.boot_ms,
                d.needs_reboot, d.serial, d.make_model, d.logged_in_user, d.tags, d.inventory_ms, d.fqdn, d.maintenance
         FROM devices d JOIN clients c ON c.id = d.client_id JOIN sites s ON s.id = d.site_id
              LEFT JOIN departments u ON u.id = d.department_id",
    );
    query.push("WHERE d.id = ?", [int(device.id)]);
    query.first(ctx.connection, |r| {
        let text = |at: usize| r.get::<_, Option<String>>(at).map(|t| json!(t));
        put(sheet, "system", "client", text(0)?);
        put(sheet, "system", "site", text(1)?);
        put(sheet, "system", "department", text(2)?);
        put(sheet, "system", "full name", text(16)?);
        put(sheet, "system", "os", text(3)?);
        put(sheet, "system", "os version", text(4)?);
        put(sheet, "system", "architecture", text(5)?);
        put(sheet, "system", "kind", text(6)?);
        put(sheet, "system", "status", text(7)?);
        put(sheet, "system", "last seen", when(r.get(8)?));
        put(sheet, "system", "started", when(r.get(9)?));
        put(
            sheet,
            "system",
            "waits for a restart",
            json!(r.get::<_, bool>(10)?),
        );
        put(sheet, "system", "maintenance", json!(r.get::<_, bool>(17)?));
        put(sheet, "system", "serial", text(11)?);
        put(sheet, "system", "model", text(12)?);
        put(sheet, "system", "user", text(13)?);
        put(sheet, "system", "tags", text(14)?);
        put(sheet, "system", "inventory read", when(r.get(15)?));
        Ok(())
    })?;
    Ok(())
}

fn hardware(
    ctx: &Ctx<'_>,
    device: &Device,
    sheet: &mut Sheet,
    notes: &mut Vec<String>,
) -> Result<(), Refusal> {
    if let Err(e) = ctx.backends.need(&device.backend, Ability::Hardware) {
        notes.push(format!("Hardware: {e}."));
        return Ok(());
    }
    let mut query = Query::new(
        "SELECT cpu, cores, memory_bytes, disk_bytes, disk_free_bytes, disks, gpus, nics, bios, collected_ms FROM hardware",
    );
    query.push("WHERE device_id = ?", [int(device.id)]);
    let found = query.first(ctx.connection, |r| {
        let number = |at: usize| r.get::<_, Option<i64>>(at).map(|n| json!(n));
        let list = |at: usize| {
            r.get::<_, String>(at)
                .map(|t| if t == "[]" { Value::Null } else { json!(t) })
        };
        put(
            sheet,
            "hardware",
            "processor",
            json!(r.get::<_, String>(0)?),
        );
        put(sheet, "hardware", "cores", number(1)?);
        put(sheet, "hardware", "memory, bytes", number(2)?);
        put(sheet, "hardware", "disks, bytes", number(3)?);
        put(sheet, "hardware", "free on disks, bytes", number(4)?);
        put(sheet, "hardware", "disks", list(5)?);
        put(sheet, "hardware", "graphics", list(6)?);
        put(sheet, "hardware", "network cards", list(7)?);
        put(sheet, "hardware", "firmware", json!(r.get::<_, String>(8)?));
        put(sheet, "hardware", "read", when(r.get(9)?));
        Ok(())
    })?;
    if found.is_none() {
        notes.push("Hardware was never read: it is unknown.".to_owned());
    }
    Ok(())
}

fn network(ctx: &Ctx<'_>, device: &Device, sheet: &mut Sheet) -> Result<(), Refusal> {
    let mut query = Query::new("SELECT origin, address FROM device_addresses");
    query.push(
        "WHERE device_id = ? ORDER BY origin, sort LIMIT 100",
        [int(device.id)],
    );
    for (origin, address) in query.rows(ctx.connection, |r| {
        Ok((r.get::<_, String>(0)?, r.get::<_, String>(1)?))
    })? {
        put(
            sheet,
            "network",
            &format!("{origin} address"),
            json!(address),
        );
    }
    Ok(())
}

fn patches(
    ctx: &Ctx<'_>,
    device: &Device,
    sheet: &mut Sheet,
    notes: &mut Vec<String>,
) -> Result<(), Refusal> {
    if let Err(e) = ctx.backends.need(&device.backend, Ability::PatchesList) {
        notes.push(format!("Patches: {e}."));
        return Ok(());
    }
    let mut read = Query::new("SELECT patches_ms FROM devices");
    read.push("WHERE id = ?", [int(device.id)]);
    let at = read
        .first(ctx.connection, |r| r.get::<_, Option<i64>>(0))?
        .flatten();
    if at.is_none() {
        notes.push("Patches were never read: it is unknown what is missing.".to_owned());
        return Ok(());
    }
    let mut query = Query::new("SELECT state, count(*) FROM device_patches");
    query.push(
        "WHERE device_id = ? GROUP BY state ORDER BY state",
        [int(device.id)],
    );
    let counts = query.rows(ctx.connection, |r| {
        Ok((r.get::<_, PatchState>(0)?, r.get::<_, i64>(1)?))
    })?;
    if !counts.iter().any(|(s, _)| *s == PatchState::Missing) {
        put(sheet, "patches", "missing", json!(0));
    }
    for (state, n) in counts {
        put(sheet, "patches", state.name(), json!(n));
    }
    put(sheet, "patches", "read", when(at));
    Ok(())
}

fn software(
    ctx: &Ctx<'_>,
    device: &Device,
    args: &Args,
    sheet: &mut Sheet,
    notes: &mut Vec<String>,
) -> Result<(), Refusal> {
    if let Err(e) = ctx.backends.need(&device.backend, Ability::Software) {
        notes.push(format!("Software: {e}."));
        return Ok(());
    }
    let mut read = Query::new("SELECT software_ms FROM devices");
    read.push("WHERE id = ?", [int(device.id)]);
    let at = read
        .first(ctx.connection, |r| r.get::<_, Option<i64>>(0))?
        .flatten();
    let Some(at) = at else {
        notes.push("Software was never read: it is unknown.".to_owned());
        return Ok(());
    };
    let mut from = Query::new(
        "FROM device_software i JOIN software_titles t ON t.id = i.title_id JOIN software_versions v ON v.id = i.version_id",
    );
    from.push("WHERE i.device_id = ?", [int(device.id)]);
    if let Some(needle) = args.software_match.as_deref() {
        from.push("AND t.name LIKE ? ESCAPE '\\'", [anywhere(needle)]);
    }
    let mut count = Query::new("SELECT count(*)");
    let total = count.append(&from).count(ctx.connection)?;
    let limit = args.software_limit.unwrap_or(50).clamp(1, 1000);
    let mut query = Query::new("SELECT t.name, v.version, t.source, t.publisher");
    query
        .append(&from)
        .push("ORDER BY t.name, v.version LIMIT ?", [int(limit)]);
    let rows = query.rows(ctx.connection, |r| {
        Ok((
            r.get::<_, String>(0)?,
            r.get::<_, String>(1)?,
            r.get::<_, SoftwareSource>(2)?,
        ))
    })?;
    let shown = rows.len() as u64;
    for (name, version, source) in rows {
        put(
            sheet,
            "software",
            &name,
            json!(format!("{version} ({source})").trim()),
        );
    }
    put(sheet, "software", "read", when(Some(at)));
    if shown < total {
        notes.push(format!(
            "{shown} of {total} software rows are shown: narrow with software_match."
        ));
    } else {
        notes.push(format!("{total} software rows."));
    }
    Ok(())
}

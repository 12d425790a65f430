//! `list_devices`: a page of devices.

use crate::model::{DeviceKind, DeviceStatus, Platform};
use crate::scope;
use crate::sql::{Query, anywhere, int, text};
use crate::tools::args::{when, within};
use crate::tools::refer::label;
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
    /// A client as listed (`c-3`) or by its exact name.
    #[schemars(length(max = 200))]
    pub client: Option<String>,
    /// A site as listed (`s-4`) or by its exact name.
    #[schemars(length(max = 200))]
    pub site: Option<String>,
    /// A department as listed (`u-5`) or by its exact name.
    #[schemars(length(max = 200))]
    pub department: Option<String>,
    /// Whether the device answers.
    pub status: Option<DeviceStatus>,
    /// Operating system.
    pub platform: Option<Platform>,
    /// Server or workstation.
    pub kind: Option<DeviceKind>,
    /// A part of the host name, of the operating system, of a tag, of the serial number or of an address.
    #[schemars(length(min = 1, max = 200))]
    pub search: Option<String>,
    /// Only devices that wait for a restart.
    pub needs_reboot: Option<bool>,
    /// Rows on a page, 50 unless given.
    #[schemars(range(min = 1, max = 200))]
    pub limit: Option<u32>,
    /// Which page, from 1.
    #[schemars(range(min = 1, max = 100_000))]
    pub page: Option<u32>,
}

/// The tool.
pub struct ListDevices;

impl FleetTool for ListDevices {
    const NAME: &'static str = "list_devices";
    const DOC: &'static str = "Lists devices with client, site, operating system and status, a page at a time, and says how many there are in all. Refer to a device by its id, as in `d-12`.";
    const PERMISSION: Permission = Permission::DevicesView;
    const EFFECT: Effect = Effect::Read;
    type Args = Args;

    fn run(ctx: &Ctx<'_>, args: Args) -> Result<Answer, Refusal> {
        let conditions = conditions(ctx, &args)?;
        let mut count = Query::new("SELECT count(*) FROM devices d WHERE");
        count.append(&conditions);
        let total = count.count(ctx.connection)?;
        let limit = args.limit.unwrap_or(50).clamp(1, 200);
        let page = args.page.unwrap_or(1).max(1);
        let mut query = Query::new(
            "SELECT d.id, d.hostname, c.name, s.name, u.name, d.platform, d.os, d.os_version, d.kind, d.status,
                    d.last_seen_ms, d.needs_reboot, d.logged_in_user, d.backend,
                    (SELECT group_concat(address, ' ') FROM (SELECT address FROM device_addresses a WHERE a.device_id = d.id ORDER BY sort LIMIT 4))
             FROM (SELECT d.id AS id FROM devices d WHERE",
        );
        // The page is found first: what a row shows is read for the rows of the page only.
        query.append(&conditions).push(
            "ORDER BY d.hostname, d.id LIMIT ? OFFSET ?) page
             JOIN devices d ON d.id = page.id JOIN clients c ON c.id = d.client_id JOIN sites s ON s.id = d.site_id
             LEFT JOIN departments u ON u.id = d.department_id ORDER BY d.hostname, d.id",
            [
                int(limit),
                int(i64::from(limit).saturating_mul(i64::from(page - 1))),
            ],
        );
        let mut sheet = Sheet::new(&[
            "device",
            "client",
            "site",
            "department",
            "os",
            "kind",
            "status",
            "last seen",
            "reboot",
            "user",
            "addresses",
            "backend",
        ]);
        let rows = query.rows(ctx.connection, |r| {
            let platform: Platform = r.get(5)?;
            let (os, version): (String, String) = (r.get(6)?, r.get(7)?);
            let os = match (os.is_empty(), version.is_empty()) {
                (true, _) => platform.name().to_owned(),
                (false, true) => os,
                (false, false) => format!("{os} {version}"),
            };
            Ok([
                json!(label(
                    r.get::<_, crate::model::DeviceId>(0)?,
                    &r.get::<_, String>(1)?
                )),
                json!(r.get::<_, String>(2)?),
                json!(r.get::<_, String>(3)?),
                json!(r.get::<_, Option<String>>(4)?),
                json!(os),
                json!(r.get::<_, DeviceKind>(8)?),
                json!(r.get::<_, DeviceStatus>(9)?),
                when(r.get(10)?),
                json!(r.get::<_, bool>(11)?),
                json!(r.get::<_, String>(12)?),
                json!(r.get::<_, Option<String>>(14)?),
                json!(r.get::<_, String>(13)?),
            ])
        })?;
        rows.into_iter().for_each(|row| sheet.row(row));
        sheet.total(total);
        let pages = total.div_ceil(u64::from(limit)).max(1);
        let said = match (total, pages) {
            (0, _) => "No device fits.".to_owned(),
            (1, _) => "1 device.".to_owned(),
            (_, 1) => format!("{total} devices."),
            _ => format!("{total} devices; this is page {page} of {pages}."),
        };
        Ok(Answer::new(said, sheet))
    }
}

fn conditions(ctx: &Ctx<'_>, args: &Args) -> Result<Query, Refusal> {
    let mut query = Query::new("d.deleted_ms IS NULL AND");
    query.append(&scope::devices(&ctx.principal.scope, "d"));
    let places = (
        args.client.as_deref(),
        args.site.as_deref(),
        args.department.as_deref(),
    );
    within(
        ctx,
        &mut query,
        places,
        ["d.client_id", "d.site_id", "d.department_id"],
    )?;
    if let Some(status) = args.status {
        query.push("AND d.status = ?", [text(status.name())]);
    }
    if let Some(platform) = args.platform {
        query.push("AND d.platform = ?", [text(platform.name())]);
    }
    if let Some(kind) = args.kind {
        query.push("AND d.kind = ?", [text(kind.name())]);
    }
    if let Some(reboot) = args.needs_reboot {
        query.push("AND d.needs_reboot = ?", [int(reboot)]);
    }
    if let Some(search) = args.search.as_deref() {
        let like = anywhere(search.trim());
        query.push(
            "AND (d.hostname LIKE ? ESCAPE '\\' OR d.fqdn LIKE ? ESCAPE '\\' OR d.os || ' ' || d.os_version LIKE ? ESCAPE '\\'
                  OR d.tags LIKE ? ESCAPE '\\' OR d.serial LIKE ? ESCAPE '\\'
                  OR EXISTS (SELECT 1 FROM device_addresses a WHERE a.device_id = d.id AND a.address LIKE ? ESCAPE '\\'))",
            [like.clone(), like.clone(), like.clone(), like.clone(), like.clone(), like],
        );
    }
    Ok(query)
}

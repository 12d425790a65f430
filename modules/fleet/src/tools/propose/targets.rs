//! From the places and devices of a call to what is proposed for them.

use crate::backend::Ability;
use crate::model::{Platform, Shell};
use crate::proposals::device::{self, Device};
use crate::proposals::draft::{Aim, count_of};
use crate::scope;
use crate::sql::{Query, int};
use crate::tools::refer::{self, DEVICES_MAX};
use crate::tools::{Ctx, Refusal, RefusalKey};

/// Ids that a refusal names at most.
const NAMED: usize = 10;

/// `d-1, d-2 and 7 more`. Ids only: a refusal holds no text of a machine.
pub(super) fn named<'a>(devices: impl IntoIterator<Item = &'a Device>) -> String {
    let ids: Vec<String> = devices.into_iter().map(|d| d.id.to_string()).collect();
    let shown = ids
        .iter()
        .take(NAMED)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    match ids.len().checked_sub(NAMED) {
        Some(more) if more > 0 => format!("{shown} and {more} more"),
        _ => shown,
    }
}

/// The devices that these texts name, with what a proposal needs of them.
pub(super) fn listed(ctx: &Ctx<'_>, given: &[String], field: &str) -> Result<Vec<Device>, Refusal> {
    let found = refer::devices(ctx, given, field)?;
    let ids: Vec<i64> = found.iter().map(|d| d.id.0).collect();
    Ok(device::devices(ctx.connection, &ids)?)
}

/// Every living device of these places that is inside the scope, and the devices named besides.
pub(super) fn gathered(
    ctx: &Ctx<'_>,
    given: &[String],
    places: (Option<&str>, Option<&str>, Option<&str>),
    platform: Option<Platform>,
) -> Result<Vec<Device>, Refusal> {
    let mut ids: Vec<i64> = Vec::new();
    if !given.is_empty() {
        ids.extend(
            refer::devices(ctx, given, "devices")?
                .iter()
                .map(|d| d.id.0),
        );
    }
    if places.0.or(places.1).or(places.2).is_some() {
        let mut query = Query::new("SELECT d.id FROM devices d WHERE d.deleted_ms IS NULL AND");
        query.append(&scope::devices(&ctx.principal.scope, "d"));
        crate::tools::args::within(
            ctx,
            &mut query,
            places,
            ["d.client_id", "d.site_id", "d.department_id"],
        )?;
        if let Some(platform) = platform {
            query.push("AND d.platform = ?", [crate::sql::text(platform.name())]);
        }
        // One more than is taken, so that too many is seen.
        query.push("ORDER BY d.id LIMIT 501", []);
        ids.extend(query.rows(ctx.connection, |r| r.get::<_, i64>(0))?);
    }
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() {
        return Err(Refusal::value(
            "devices",
            "at least one device is expected, by name or as a place that holds some",
        ));
    }
    if ids.len() > DEVICES_MAX {
        return Err(Refusal::value(
            "devices",
            format!("at most {DEVICES_MAX} devices are taken at once"),
        ));
    }
    Ok(device::devices(ctx.connection, &ids)?)
}

/// The devices as groups with one key, in the order of the keys.
pub(super) fn grouped<K: Ord>(
    devices: Vec<Device>,
    key: impl Fn(&Device) -> K,
) -> Vec<(K, Vec<Device>)> {
    let mut groups: std::collections::BTreeMap<K, Vec<Device>> = std::collections::BTreeMap::new();
    for device in devices {
        groups.entry(key(&device)).or_default().push(device);
    }
    groups.into_iter().collect()
}

/// One client and one backend, as a job needs them.
pub(super) fn one_group(devices: &[Device]) -> Result<(), Refusal> {
    let Some(first) = devices.first() else {
        return Err(Refusal::value("devices", "at least one device is expected"));
    };
    if devices.iter().any(|d| d.client != first.client) {
        return Err(Refusal::value(
            "devices",
            "they stand at more than one client, and a job never spans clients: use propose_bulk_deploy, which makes one for each",
        ));
    }
    if devices.iter().any(|d| d.backend != first.backend) {
        return Err(Refusal::value(
            "devices",
            "they are reached by more than one backend: use propose_bulk_deploy, which makes one job for each",
        ));
    }
    Ok(())
}

/// Every device has this shell, as far as its system is known.
pub(super) fn shell_fits(shell: Shell, devices: &[Device]) -> Result<(), Refusal> {
    let fits = |d: &Device| match (d.platform, shell) {
        (Platform::Other, _) | (_, Shell::Python) => true,
        (Platform::Windows, s) => matches!(s, Shell::Powershell | Shell::Cmd),
        (Platform::Linux | Platform::Macos, s) => matches!(s, Shell::Sh | Shell::Bash),
    };
    let wrong: Vec<&Device> = devices.iter().filter(|d| !fits(d)).collect();
    if wrong.is_empty() {
        return Ok(());
    }
    let n = wrong.len();
    Err(Refusal::value(
        "shell",
        format!(
            "{shell} does not fit the system of {} ({n} of {}): one script is for one kind of system",
            named(wrong),
            devices.len()
        ),
    ))
}

/// Every backend of the devices can do this.
pub(super) fn able(ctx: &Ctx<'_>, devices: &[Device], ability: Ability) -> Result<(), Refusal> {
    for device in devices {
        ctx.backends.need(&device.backend, ability)?;
    }
    Ok(())
}

/// What monitoring is aimed at: exactly one of client, site and device, inside the scope as a whole.
pub(super) fn aim(
    ctx: &Ctx<'_>,
    (client, site, device): (Option<&str>, Option<&str>, Option<&str>),
) -> Result<Aim, Refusal> {
    let principal_scope = &ctx.principal.scope;
    match (client, site, device) {
        (Some(given), None, None) => {
            let place = refer::client(ctx, given, "client")?;
            if !principal_scope.holds(place.id.0, 0, None) {
                return Err(not_whole("client"));
            }
            Ok(Aim {
                client: Some(place.id.0),
                site: None,
                device: None,
                name: format!("{} {}", place.id, place.name),
                of_client: Some(place.id.0),
                devices: standing(ctx, "client_id", place.id.0)?,
                state: String::new(),
            })
        }
        (None, Some(given), None) => {
            let place = refer::site(ctx, given, "site")?;
            let client = client_of_site(ctx, place.id.0)?;
            if !principal_scope.holds(client, place.id.0, None) {
                return Err(not_whole("site"));
            }
            Ok(Aim {
                client: None,
                site: Some(place.id.0),
                device: None,
                name: format!("{} {}", place.id, place.name),
                of_client: Some(client),
                devices: standing(ctx, "site_id", place.id.0)?,
                state: String::new(),
            })
        }
        (None, None, Some(given)) => {
            let found = refer::device(ctx, given, "device")?;
            let device = device::devices(ctx.connection, &[found.id.0])?
                .pop()
                .ok_or_else(|| not_whole("device"))?;
            Ok(Aim {
                client: None,
                site: None,
                device: Some(device.id.0),
                name: format!("{} ({})", device.plain_name(), device.plain_place()),
                of_client: Some(device.client),
                devices: 1,
                state: device.state(),
            })
        }
        _ => Err(Refusal::new(
            RefusalKey::Arguments,
            "Exactly one of the fields \"client\", \"site\" and \"device\" is expected.",
        )),
    }
}

/// The whole fleet, for a policy of a principal without a scope.
pub(super) fn everywhere(ctx: &Ctx<'_>) -> Result<Aim, Refusal> {
    let n = Query::new("SELECT count(*) FROM devices WHERE deleted_ms IS NULL")
        .count(ctx.connection)?;
    Ok(Aim {
        client: None,
        site: None,
        device: None,
        name: String::from("the whole fleet"),
        of_client: None,
        devices: count_of(usize::try_from(n).unwrap_or(usize::MAX)),
        state: String::new(),
    })
}

fn standing(ctx: &Ctx<'_>, column: &str, id: i64) -> Result<u32, Refusal> {
    let mut query = Query::new("SELECT count(*) FROM devices WHERE deleted_ms IS NULL AND");
    query.push(&format!("{column} = ?"), [int(id)]);
    let n = query.count(ctx.connection)?;
    Ok(count_of(usize::try_from(n).unwrap_or(usize::MAX)))
}

/// The client of a site.
pub(super) fn client_of_site(ctx: &Ctx<'_>, site: i64) -> Result<i64, Refusal> {
    let mut query = Query::new("SELECT client_id FROM sites");
    query.push("WHERE id = ?", [int(site)]);
    query
        .first(ctx.connection, |r| r.get(0))?
        .ok_or_else(|| not_whole("site"))
}

/// Only a part of it is inside the scope.
pub(super) fn not_whole(field: &str) -> Refusal {
    Refusal::field(
        RefusalKey::Scope,
        field,
        format!("You do not have the whole of this {field} (field \"{field}\")."),
    )
}

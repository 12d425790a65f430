//! From what a caller wrote to a row: `d-12`, `d-12 web-01`, or a name that only one row has. What is outside
//! the scope is not found, with the same words as what does not exist.

use super::{Ctx, Refusal, RefusalKey};
use crate::model::{ClientId, DepartmentId, DeviceId, DeviceStatus, Platform, SiteId};
use crate::scope;
use crate::sql::{Query, int, text};
use kit::text::Untrusted;

/// Most devices in one call.
pub const DEVICES_MAX: usize = 500;

/// How many of the rows that fit an ambiguous name are said.
const MATCHES_SHOWN: usize = 10;

/// A device that was found inside the scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Id.
    pub id: DeviceId,
    /// Name of the machine. Untrusted.
    pub hostname: String,
    /// Its backend.
    pub backend: String,
    /// Family of its operating system.
    pub platform: Platform,
    /// Whether it answers.
    pub status: DeviceStatus,
    /// Client.
    pub client: ClientId,
    /// Site.
    pub site: SiteId,
    /// Department.
    pub department: Option<DepartmentId>,
}

impl Device {
    /// `d-12 web-01`, as devices are shown to a model. Untrusted.
    #[must_use]
    pub fn label(&self) -> String {
        label(self.id, &self.hostname)
    }
}

/// `d-12 web-01`.
#[must_use]
pub fn label(id: impl std::fmt::Display, name: &str) -> String {
    format!("{id} {name}")
}

/// An id with its prefix and, behind a space, the name that it should have.
fn split<T>(text: &str, parse: impl Fn(&str) -> Option<T>) -> Option<(T, Option<&str>)> {
    let text = text.trim();
    match text.split_once(char::is_whitespace) {
        Some((id, name)) => parse(id).map(|id| (id, Some(name.trim()))),
        None => parse(text).map(|id| (id, None)),
    }
}

fn nothing(field: &str, what: &str) -> Refusal {
    Refusal::field(
        RefusalKey::Scope,
        field,
        format!("There is no such {what} here (field \"{field}\")."),
    )
}

fn ambiguous(field: &str, what: &str, matches: Vec<String>) -> Refusal {
    let n = matches.len();
    Refusal {
        matches: matches
            .into_iter()
            .take(MATCHES_SHOWN)
            .map(Untrusted::new)
            .collect(),
        ..Refusal::field(
            RefusalKey::Ambiguous,
            field,
            format!("{n} {what}s fit the field \"{field}\": say which one by its id."),
        )
    }
}

const DEVICE: &str = "SELECT d.id, d.hostname, d.backend, d.platform, d.status, d.client_id, d.site_id, d.department_id
                      FROM devices d WHERE d.deleted_ms IS NULL AND";

fn read_device(r: &rusqlite::Row<'_>) -> rusqlite::Result<Device> {
    Ok(Device {
        id: r.get(0)?,
        hostname: r.get(1)?,
        backend: r.get(2)?,
        platform: r.get(3)?,
        status: r.get(4)?,
        client: r.get(5)?,
        site: r.get(6)?,
        department: r.get(7)?,
    })
}

/// The device that this text names.
///
/// # Errors
/// [`RefusalKey::Scope`] for none, [`RefusalKey::Ambiguous`] for several.
pub fn device(ctx: &Ctx<'_>, given: &str, field: &str) -> Result<Device, Refusal> {
    let mut query = Query::new(DEVICE);
    query.append(&scope::devices(&ctx.principal.scope, "d"));
    let by_id = split(given, DeviceId::parse);
    match by_id {
        Some((id, _)) => query.push("AND d.id = ?", [int(id.0)]),
        None => query.push(
            "AND (d.hostname = ? OR (d.fqdn <> '' AND d.fqdn = ?)) ORDER BY d.id LIMIT 100",
            [text(given.trim()), text(given.trim())],
        ),
    };
    let mut found = query.rows(ctx.connection, read_device)?;
    if found.len() > 1 {
        let labels = found.iter().map(Device::label).collect();
        return Err(ambiguous(field, "device", labels));
    }
    let device = found.pop().ok_or_else(|| nothing(field, "device"))?;
    // An id with the name of another machine is a slip, or a trick: neither is acted on.
    let renamed = by_id.and_then(|(_, name)| name).is_some_and(|name| {
        !name.is_empty() && name.to_lowercase() != device.hostname.to_lowercase()
    });
    if renamed {
        return Err(Refusal::field(
            RefusalKey::Ambiguous,
            field,
            format!(
                "{} does not have this name (field \"{field}\"): look it up again with list_devices.",
                device.id
            ),
        ));
    }
    Ok(device)
}

/// The devices that these texts name, each once, in the order given.
///
/// # Errors
/// As [`device`]; more than [`DEVICES_MAX`], or none.
pub fn devices(ctx: &Ctx<'_>, given: &[String], field: &str) -> Result<Vec<Device>, Refusal> {
    if given.is_empty() {
        return Err(Refusal::value(field, "at least one device is expected"));
    }
    if given.len() > DEVICES_MAX {
        return Err(Refusal::value(
            field,
            format!("at most {DEVICES_MAX} devices are taken at once"),
        ));
    }
    let mut found: Vec<Device> = Vec::with_capacity(given.len());
    let mut seen = std::collections::BTreeSet::new();
    for (at, one) in given.iter().enumerate() {
        let device = device(ctx, one, &format!("{field}[{at}]"))?;
        if seen.insert(device.id) {
            found.push(device);
        }
    }
    Ok(found)
}

/// A place with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place<T> {
    /// Id.
    pub id: T,
    /// Name. Untrusted.
    pub name: String,
}

struct Kind {
    what: &'static str,
    table: &'static str,
}

fn place<T>(
    ctx: &Ctx<'_>,
    given: &str,
    field: &str,
    kind: &Kind,
    inside: &Query,
    parse: impl Fn(&str) -> Option<T>,
    wrap: impl Fn(i64) -> T,
) -> Result<Place<T>, Refusal>
where
    T: std::fmt::Display + Copy + Into<i64>,
{
    let mut query = Query::new(&format!("SELECT x.id, x.name FROM {} x WHERE", kind.table));
    query.append(inside);
    let by_id = split(given, parse);
    match by_id {
        Some((id, _)) => query.push("AND x.id = ?", [int(id)]),
        None => query.push(
            "AND x.name = ? ORDER BY x.id LIMIT 100",
            [text(given.trim())],
        ),
    };
    let mut found = query.rows(ctx.connection, |r| {
        Ok(Place {
            id: wrap(r.get(0)?),
            name: r.get::<_, String>(1)?,
        })
    })?;
    if found.len() > 1 {
        let labels = found.iter().map(|p| label(p.id, &p.name)).collect();
        return Err(ambiguous(field, kind.what, labels));
    }
    let place = found.pop().ok_or_else(|| nothing(field, kind.what))?;
    if by_id
        .and_then(|(_, name)| name)
        .is_some_and(|name| !name.is_empty() && name.to_lowercase() != place.name.to_lowercase())
    {
        return Err(Refusal::field(
            RefusalKey::Ambiguous,
            field,
            format!(
                "{} does not have this name (field \"{field}\"): look it up again with list_org.",
                place.id
            ),
        ));
    }
    Ok(place)
}

/// The client that this text names: inside the scope, or holding something that is.
///
/// # Errors
/// As [`device`].
pub fn client(ctx: &Ctx<'_>, given: &str, field: &str) -> Result<Place<ClientId>, Refusal> {
    let kind = Kind {
        what: "client",
        table: "clients",
    };
    let inside = scope::clients(&ctx.principal.scope, "x");
    place(ctx, given, field, &kind, &inside, ClientId::parse, ClientId)
}

/// The site that this text names: inside the scope, or holding a department that is.
///
/// # Errors
/// As [`device`].
pub fn site(ctx: &Ctx<'_>, given: &str, field: &str) -> Result<Place<SiteId>, Refusal> {
    let kind = Kind {
        what: "site",
        table: "sites",
    };
    let inside = scope::sites(&ctx.principal.scope, "x");
    place(ctx, given, field, &kind, &inside, SiteId::parse, SiteId)
}

/// The department that this text names.
///
/// # Errors
/// As [`device`].
pub fn department(ctx: &Ctx<'_>, given: &str, field: &str) -> Result<Place<DepartmentId>, Refusal> {
    let kind = Kind {
        what: "department",
        table: "departments",
    };
    let inside = scope::departments(&ctx.principal.scope, "x");
    place(
        ctx,
        given,
        field,
        &kind,
        &inside,
        DepartmentId::parse,
        DepartmentId,
    )
}

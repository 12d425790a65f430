//! Writing what a collection, a sync or an import found. Every writer of inventory goes this way, so that
//! names are trimmed and capped once, sets are replaced by their difference, and the kept counts stay right.

mod place;
pub(crate) mod software;

pub use place::{Placed, UNNAMED, place};
pub use software::{Found, rebuild_counts, replace_software};

use crate::model::{DeviceId, DeviceKind, DeviceStatus, PatchClass, Platform, Severity};
use rusqlite::{Connection, OptionalExtension, params};
use std::net::IpAddr;

/// Longest name that is kept, in characters: what is longer comes from a broken or hostile machine.
pub const NAME_MAX: usize = 256;

/// What is known of a device, without its lists.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Its backend.
    pub backend: String,
    /// Its name there, opaque.
    pub external_id: String,
    /// Name of the machine.
    pub hostname: String,
    /// Full name, where known.
    pub fqdn: String,
    /// Where it stands.
    pub place: Placed,
    /// Family of the operating system.
    pub platform: Platform,
    /// Operating system.
    pub os: String,
    /// Its version.
    pub os_version: String,
    /// Architecture.
    pub arch: String,
    /// Server or workstation.
    pub kind: DeviceKind,
    /// Whether it answers.
    pub status: DeviceStatus,
    /// Last time it was seen.
    pub last_seen_ms: Option<i64>,
    /// Serial number.
    pub serial: String,
    /// Who is logged in.
    pub user: String,
    /// Tags.
    pub tags: Vec<String>,
    /// How the executor reaches it.
    pub connection: String,
}

impl Facts {
    /// A device of the embedded backend of which only the name is known.
    #[must_use]
    pub fn named(hostname: impl Into<String>, place: Placed) -> Self {
        let hostname = hostname.into();
        Self {
            backend: crate::backend::EMBEDDED.to_owned(),
            external_id: hostname.clone(),
            hostname,
            fqdn: String::new(),
            place,
            platform: Platform::Other,
            os: String::new(),
            os_version: String::new(),
            arch: String::new(),
            kind: DeviceKind::Workstation,
            status: DeviceStatus::Unknown,
            last_seen_ms: None,
            serial: String::new(),
            user: String::new(),
            tags: Vec::new(),
            connection: String::new(),
        }
    }
}

/// Text of a machine as it is kept: without control characters, trimmed, capped.
#[must_use]
pub fn clean(text: &str) -> String {
    let kept: String = text
        .chars()
        .filter(|c| !c.is_control())
        .take(NAME_MAX)
        .collect();
    kept.trim().to_owned()
}

/// Makes or updates a device by its backend and external id. A device that is there keeps its place unless
/// `move_it`: where it stands is decided by people.
///
/// # Errors
/// SQLite refuses (an empty name, a place that does not hold together).
pub fn put_device(
    connection: &Connection,
    facts: &Facts,
    move_it: bool,
    now_ms: i64,
) -> rusqlite::Result<DeviceId> {
    let tags = serde_json::Value::from(facts.tags.iter().map(|t| clean(t)).collect::<Vec<_>>());
    let known: Option<DeviceId> = connection
        .prepare_cached(
            "SELECT id FROM devices WHERE backend = ?1 AND external_id = ?2 AND deleted_ms IS NULL",
        )?
        .query_row(params![facts.backend, facts.external_id], |r| r.get(0))
        .optional()?;
    if let Some(id) = known {
        connection
            .prepare_cached(
                "UPDATE devices SET hostname = ?2, fqdn = ?3, platform = ?4, os = ?5, os_version = ?6, arch = ?7, kind = ?8,
                        status = ?9, last_seen_ms = ifnull(?10, last_seen_ms), serial = ?11, logged_in_user = ?12, tags = ?13,
                        connection = CASE WHEN ?14 = '' THEN connection ELSE ?14 END, updated_ms = ?15
                 WHERE id = ?1",
            )?
            .execute(params![
                id,
                clean(&facts.hostname),
                clean(&facts.fqdn),
                facts.platform,
                clean(&facts.os),
                clean(&facts.os_version),
                clean(&facts.arch),
                facts.kind,
                facts.status,
                facts.last_seen_ms,
                clean(&facts.serial),
                clean(&facts.user),
                tags.to_string(),
                facts.connection,
                now_ms,
            ])?;
        if move_it {
            connection
                .prepare_cached("UPDATE devices SET client_id = ?2, site_id = ?3, department_id = ?4 WHERE id = ?1")?
                .execute(params![id, facts.place.client, facts.place.site, facts.place.department])?;
        }
        return Ok(id);
    }
    connection
        .prepare_cached(
            "INSERT INTO devices (backend, external_id, hostname, fqdn, client_id, site_id, department_id, platform, os, os_version,
                                  arch, kind, status, last_seen_ms, serial, logged_in_user, tags, connection, created_ms, updated_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?19)",
        )?
        .execute(params![
            facts.backend,
            facts.external_id,
            clean(&facts.hostname),
            clean(&facts.fqdn),
            facts.place.client,
            facts.place.site,
            facts.place.department,
            facts.platform,
            clean(&facts.os),
            clean(&facts.os_version),
            clean(&facts.arch),
            facts.kind,
            facts.status,
            facts.last_seen_ms,
            clean(&facts.serial),
            clean(&facts.user),
            tags.to_string(),
            facts.connection,
            now_ms,
        ])?;
    Ok(DeviceId(connection.last_insert_rowid()))
}

/// An address as bytes that sort: IPv4 as mapped IPv6.
#[must_use]
pub fn sortable(address: IpAddr) -> [u8; 16] {
    match address {
        IpAddr::V4(v4) => v4.to_ipv6_mapped().octets(),
        IpAddr::V6(v6) => v6.octets(),
    }
}

/// Replaces the addresses of one origin (`local` or `public`). What is no address is left out.
///
/// # Errors
/// SQLite's.
pub fn replace_addresses(
    connection: &Connection,
    device: DeviceId,
    public: bool,
    addresses: &[String],
) -> rusqlite::Result<()> {
    let origin = if public { "public" } else { "local" };
    connection
        .prepare_cached("DELETE FROM device_addresses WHERE device_id = ?1 AND origin = ?2")?
        .execute(params![device, origin])?;
    let mut statement = connection.prepare_cached(
        "INSERT INTO device_addresses (device_id, address, sort, origin) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
    )?;
    for text in addresses {
        // A zone (`fe80::1%eth0`) or a prefix length is not part of the address.
        let bare = text.trim().split(['%', '/']).next().unwrap_or_default();
        if let Ok(address) = bare.parse::<IpAddr>() {
            let address = address.to_canonical();
            statement.execute(params![
                device,
                address.to_string(),
                sortable(address).as_slice(),
                origin
            ])?;
        }
    }
    Ok(())
}

/// A patch that a device misses.
#[derive(Clone, Debug)]
pub struct MissingPatch {
    /// KB number, advisory, or `package=version`.
    pub identifier: String,
    /// Title.
    pub title: String,
    /// What it mends.
    pub class: PatchClass,
    /// How grave.
    pub severity: Severity,
    /// CVE numbers.
    pub cves: Vec<String>,
}

/// Says what a device misses now. Decisions stay: a patch that is still missing keeps its approval. One that is
/// no longer missing becomes installed where a person had approved it, else its row goes.
///
/// # Errors
/// SQLite's.
pub fn replace_missing_patches(
    connection: &Connection,
    device: DeviceId,
    missing: &[MissingPatch],
    now_ms: i64,
) -> rusqlite::Result<()> {
    let mut put = connection.prepare_cached(
        "INSERT INTO patches (identifier, title, classification, severity, cves) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (identifier) DO UPDATE SET title = CASE WHEN excluded.title = '' THEN title ELSE excluded.title END
         RETURNING id",
    )?;
    let mut link = connection.prepare_cached(
        "INSERT INTO device_patches (device_id, patch_id, state, first_ms, changed_ms) VALUES (?1, ?2, 'missing', ?3, ?3)
         ON CONFLICT DO UPDATE SET state = 'missing', approved_by = '', approved_ms = NULL, result = '', changed_ms = excluded.changed_ms
         WHERE state = 'installed'",
    )?;
    let mut ids = Vec::with_capacity(missing.len());
    for patch in missing {
        let identifier = clean(&patch.identifier);
        if identifier.is_empty() {
            continue;
        }
        let cves = serde_json::Value::from(patch.cves.iter().map(|c| clean(c)).collect::<Vec<_>>());
        let id: i64 = put.query_row(
            params![
                identifier,
                clean(&patch.title),
                patch.class,
                patch.severity,
                cves.to_string()
            ],
            |r| r.get(0),
        )?;
        link.execute(params![device, id, now_ms])?;
        ids.push(id);
    }
    let still = crate::sql::list(&ids);
    connection
        .prepare_cached(
            "UPDATE device_patches SET state = 'installed', changed_ms = ?3
             WHERE device_id = ?1 AND state IN ('approved', 'installing', 'failed')
               AND patch_id NOT IN (SELECT value FROM json_each(?2))",
        )?
        .execute(params![device, still, now_ms])?;
    connection
        .prepare_cached(
            "DELETE FROM device_patches WHERE device_id = ?1 AND state IN ('missing', 'ignored')
               AND patch_id NOT IN (SELECT value FROM json_each(?2))",
        )?
        .execute(params![device, still])?;
    connection
        .prepare_cached("UPDATE devices SET patches_ms = ?2, updated_ms = ?2 WHERE id = ?1")?
        .execute(params![device, now_ms])?;
    Ok(())
}

//! A row of a file of devices. A device is known again by its client and its host name: two clients may each
//! have a `dc01`. What a row leaves empty stays as it is.

use super::{Import, NAMES_MAX, RowError, Spot, bad, cell, spot};
use crate::backend::EMBEDDED;
use crate::inventory::{Facts, NAME_MAX, Placed, clean, put_device, replace_addresses};
use crate::model::{DeviceId, DeviceKind, Platform};
use crate::proposals::Acting;
use rusqlite::{OptionalExtension, params};
use std::net::IpAddr;

use super::rows::Row;

pub(super) const COLUMNS: &[&str] = &[
    "hostname",
    "client",
    "site",
    "department",
    "os",
    "os_version",
    "ip",
    "serial",
    "tags",
    "connection",
];

/// A row with its cells read.
struct Wanted<'r> {
    hostname: String,
    client: &'r str,
    site: &'r str,
    department: &'r str,
    os: String,
    os_version: String,
    addresses: Vec<String>,
    serial: String,
    tags: Vec<String>,
    connection: &'r str,
}

fn read(row: &Row) -> Result<Wanted<'_>, RowError> {
    let hostname = clean(row.get(0));
    if hostname.is_empty() {
        return bad("it has no host name");
    }
    if row.get(0).chars().count() > NAME_MAX {
        return bad(format!(
            "its host name is longer than {NAME_MAX} characters"
        ));
    }
    if DeviceId::parse(&hostname).is_some() {
        return bad(format!(
            "{} looks like the id of a device, not like a host name",
            cell(&hostname)
        ));
    }
    let mut addresses = Vec::new();
    for part in row
        .get(6)
        .split([' ', ',', ';', '\t', '\n'])
        .filter(|p| !p.is_empty())
    {
        let bare = part.split(['%', '/']).next().unwrap_or_default();
        let Ok(address) = bare.parse::<IpAddr>() else {
            return bad(format!("{} is no address", cell(part)));
        };
        addresses.push(address.to_canonical().to_string());
    }
    let tags = row
        .get(8)
        .split([',', ';', '\n'])
        .map(clean)
        .filter(|t| !t.is_empty())
        .collect();
    let connection = row.get(9);
    if !connection.is_empty() && !good_connection(connection) {
        return bad(format!(
            "{} is no way to reach a device: ssh://user@host:port, local, or nothing is expected",
            cell(connection)
        ));
    }
    Ok(Wanted {
        hostname,
        client: row.get(1),
        site: row.get(2),
        department: row.get(3),
        os: clean(row.get(4)),
        os_version: clean(row.get(5)),
        addresses,
        serial: clean(row.get(7)),
        tags,
        connection,
    })
}

/// `local`, or `ssh://[user@]host[:port]` of plain characters: nothing that a command line could take for an
/// option, and no password.
fn good_connection(text: &str) -> bool {
    if text == "local" {
        return true;
    }
    let Some(rest) = text.strip_prefix("ssh://") else {
        return false;
    };
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    let (user, place) = match rest.split_once('@') {
        Some((user, place)) => (Some(user), place),
        None => (None, rest),
    };
    let word = |w: &str, more: &[char]| {
        !w.is_empty()
            && !w.starts_with('-')
            && w.len() <= 253
            && w.chars()
                .all(|c| c.is_ascii_alphanumeric() || more.contains(&c))
    };
    let port = |p: &str| p.parse::<u16>().is_ok_and(|n| n > 0);
    let host = match place.strip_prefix('[') {
        Some(six) => six.split_once(']').is_some_and(|(address, after)| {
            address.parse::<std::net::Ipv6Addr>().is_ok()
                && (after.is_empty() || after.strip_prefix(':').is_some_and(port))
        }),
        None => match place.split_once(':') {
            Some((host, p)) => word(host, &['.', '-', '_']) && port(p),
            None => word(place, &['.', '-', '_']),
        },
    };
    host && user.is_none_or(|u| word(u, &['.', '-', '_', '\\', '+']))
}

/// The family that the name of an operating system belongs to.
fn platform(os: &str) -> Platform {
    let os = os.to_lowercase();
    let any = |words: &[&str]| words.iter().any(|w| os.contains(w));
    if any(&["windows"]) {
        Platform::Windows
    } else if any(&["macos", "mac os", "os x", "darwin"]) {
        Platform::Macos
    } else if any(&[
        "linux", "ubuntu", "debian", "fedora", "red hat", "rhel", "centos", "rocky", "alma",
        "suse", "alpine", "arch", "mint", "raspbian", "proxmox", "nixos", "gentoo",
    ]) {
        Platform::Linux
    } else {
        Platform::Other
    }
}

fn kind(os: &str) -> DeviceKind {
    if os.to_lowercase().contains("server") {
        DeviceKind::Server
    } else {
        DeviceKind::Workstation
    }
}

/// Takes one row in.
pub(super) fn take(import: &mut Import<'_>, row: &Row) -> Result<(), RowError> {
    let wanted = read(row)?;
    let known = import.devices_named(&wanted.hostname, wanted.client)?;
    let changed = match known.as_slice() {
        [] => {
            let id = make(import.acting, &wanted)?;
            see(import.acting, id, row.at)?;
            import.report.created += 1;
            remember(import, &wanted, id);
            import.report.devices += 1;
            return Ok(());
        }
        [id] => {
            see(import.acting, *id, row.at)?;
            remember(import, &wanted, *id);
            update(import.acting, *id, &wanted)?
        }
        _ => {
            return bad(format!(
                "several devices are called {}: name the client, or the ids stand in `devices list`",
                cell(&wanted.hostname)
            ));
        }
    };
    import.report.devices += 1;
    import.report.updated += u64::from(changed);
    Ok(())
}

fn remember(import: &mut Import<'_>, wanted: &Wanted<'_>, id: DeviceId) {
    if import.found.len() >= NAMES_MAX {
        import.found.clear();
    }
    let key = (wanted.client.to_lowercase(), wanted.hostname.to_lowercase());
    import.found.insert(key, id);
}

/// Each device once in a file.
fn see(acting: &Acting<'_>, id: DeviceId, at: u64) -> Result<(), RowError> {
    let connection = acting.connection();
    let new = connection
        .prepare_cached("INSERT OR IGNORE INTO temp.import_seen (device_id, at) VALUES (?1, ?2)")?
        .execute(params![id, i64::try_from(at).unwrap_or(i64::MAX)])?;
    if new == 1 {
        return Ok(());
    }
    let first: i64 = connection
        .prepare_cached("SELECT at FROM temp.import_seen WHERE device_id = ?1")?
        .query_row([id], |r| r.get(0))?;
    bad(format!("it is the same device as the one at {first}"))
}

fn make(acting: &Acting<'_>, wanted: &Wanted<'_>) -> Result<DeviceId, RowError> {
    let connection = acting.connection();
    let place = spot(acting, wanted.client, wanted.site, wanted.department)?;
    let mut facts = Facts::named(wanted.hostname.clone(), placed(place));
    facts.external_id = external_id(acting, place, &wanted.hostname)?;
    facts.platform = platform(&wanted.os);
    facts.kind = kind(&wanted.os);
    facts.os.clone_from(&wanted.os);
    facts.os_version.clone_from(&wanted.os_version);
    facts.serial.clone_from(&wanted.serial);
    facts.tags.clone_from(&wanted.tags);
    wanted.connection.clone_into(&mut facts.connection);
    let id = put_device(connection, &facts, false, acting.ctx.now_ms)?;
    if !wanted.addresses.is_empty() {
        replace_addresses(connection, id, false, &wanted.addresses)?;
    }
    Ok(id)
}

const fn placed(spot: Spot) -> Placed {
    Placed {
        client: spot.client,
        site: spot.site,
        department: spot.department,
    }
}

/// A name of the device in the embedded backend that nothing else has: one that was moved keeps its own.
fn external_id(acting: &Acting<'_>, place: Spot, hostname: &str) -> Result<String, RowError> {
    let base = format!("{}/{}", place.client, hostname.to_lowercase());
    let mut taken = acting
        .connection()
        .prepare_cached("SELECT 1 FROM devices WHERE backend = ?1 AND external_id = ?2")?;
    let mut n = 1_u32;
    loop {
        let name = if n == 1 {
            base.clone()
        } else {
            format!("{base}#{n}")
        };
        if taken
            .query_row(params![EMBEDDED, name], |_| Ok(()))
            .optional()?
            .is_none()
        {
            return Ok(name);
        }
        n = n.saturating_add(1);
    }
}

/// Changes what the row says otherwise, and gives whether anything did change.
fn update(acting: &Acting<'_>, id: DeviceId, wanted: &Wanted<'_>) -> Result<bool, RowError> {
    let connection = acting.connection();
    let now_ms = acting.ctx.now_ms;
    let mut changed = false;
    let tags = serde_json::Value::from(wanted.tags.clone()).to_string();
    let platform = platform(&wanted.os);
    changed |= connection
        .prepare_cached(
            "UPDATE devices SET
                os = CASE WHEN ?2 = '' THEN os ELSE ?2 END, os_version = CASE WHEN ?3 = '' THEN os_version ELSE ?3 END,
                platform = CASE WHEN ?4 = 'other' THEN platform ELSE ?4 END, serial = CASE WHEN ?5 = '' THEN serial ELSE ?5 END,
                tags = CASE WHEN ?6 = '[]' THEN tags ELSE ?6 END, connection = CASE WHEN ?7 = '' THEN connection ELSE ?7 END,
                updated_ms = ?8
             WHERE id = ?1 AND NOT (?2 IN ('', os) AND ?3 IN ('', os_version) AND ?4 IN ('other', platform) AND ?5 IN ('', serial)
                                    AND ?6 IN ('[]', tags) AND ?7 IN ('', connection))",
        )?
        .execute(params![
            id,
            wanted.os,
            wanted.os_version,
            platform,
            wanted.serial,
            tags,
            wanted.connection,
            now_ms
        ])?
        > 0;
    changed |= moved(acting, id, wanted)?;
    if !wanted.addresses.is_empty() {
        let there: Vec<String> = connection
            .prepare_cached(
                "SELECT address FROM device_addresses WHERE device_id = ?1 AND origin = 'local' ORDER BY sort",
            )?
            .query_map([id], |r| r.get(0))?
            .collect::<Result<_, _>>()?;
        let mut now = wanted.addresses.clone();
        now.sort_by_key(|a| {
            a.parse::<IpAddr>()
                .map(crate::inventory::sortable)
                .unwrap_or_default()
        });
        now.dedup();
        if there != now {
            replace_addresses(connection, id, false, &now)?;
            connection
                .prepare_cached("UPDATE devices SET updated_ms = ?2 WHERE id = ?1")?
                .execute(params![id, now_ms])?;
            changed = true;
        }
    }
    Ok(changed)
}

/// Moves it where the row says so: within its client, for the client is how it was found.
fn moved(acting: &Acting<'_>, id: DeviceId, wanted: &Wanted<'_>) -> Result<bool, RowError> {
    if wanted.site.is_empty() && wanted.department.is_empty() {
        return Ok(false);
    }
    let connection = acting.connection();
    let (client, site, department): (String, String, String) = connection
        .prepare_cached(
            "SELECT c.name, s.name, ifnull(u.name, '') FROM devices d JOIN clients c ON c.id = d.client_id
             JOIN sites s ON s.id = d.site_id LEFT JOIN departments u ON u.id = d.department_id WHERE d.id = ?1",
        )?
        .query_row([id], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))?;
    let same = |wanted: &str, there: &str| {
        wanted.is_empty() || clean(wanted).to_lowercase() == there.to_lowercase()
    };
    if same(wanted.site, &site) && same(wanted.department, &department) {
        return Ok(false);
    }
    let to = if wanted.site.is_empty() {
        &site
    } else {
        wanted.site
    };
    let place = spot(acting, &client, to, wanted.department)?;
    connection
        .prepare_cached(
            "UPDATE devices SET client_id = ?2, site_id = ?3, department_id = ?4, updated_ms = ?5
             WHERE id = ?1 AND (site_id, ifnull(department_id, 0)) IS NOT (?3, ifnull(?4, 0))",
        )?
        .execute(params![
            id,
            place.client,
            place.site,
            place.department,
            acting.ctx.now_ms
        ])
        .map(|n| n > 0)
        .map_err(RowError::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_to_reach_a_device_is_plain() {
        for good in [
            "local",
            "ssh://web-01",
            "ssh://admin@web-01.example:2222",
            "ssh://u@[2001:db8::1]:22",
            "ssh://u@192.0.2.1/",
        ] {
            assert!(good_connection(good), "{good}");
        }
        for wrong in [
            "web-01",
            "http://web-01",
            "ssh://",
            "ssh://-oProxyCommand=x",
            "ssh://-l@host",
            "ssh://u@-host",
            "ssh://u:pass@host",
            "ssh://host:0",
            "ssh://host:99999",
            "ssh://ho st",
            "ssh://u@[nonsense]",
            "ssh://a@b@c",
        ] {
            assert!(!good_connection(wrong), "{wrong}");
        }
    }

    #[test]
    fn families_of_systems() {
        assert_eq!(platform("Windows Server 2022"), Platform::Windows);
        assert_eq!(platform("Ubuntu 24.04"), Platform::Linux);
        assert_eq!(platform("macOS"), Platform::Macos);
        assert_eq!(platform("Junos"), Platform::Other);
        assert_eq!(kind("Windows Server 2022"), DeviceKind::Server);
    }
}

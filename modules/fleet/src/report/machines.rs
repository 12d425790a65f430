//! Machines and their hardware: ten thousand rows are read at once.

use super::{Filter, Group, GroupBy, Kind, Summary, places};
use crate::scope;
use crate::sql::{Query, anywhere, int};
use kit::principal::Scope;
use rusqlite::Connection;

/// Heads of the rows of machines.
pub(super) const MACHINES: &[&str] = &[
    "device",
    "hostname",
    "client",
    "site",
    "department",
    "platform",
    "os",
    "os version",
    "kind",
    "status",
    "serial",
    "model",
    "user",
    "addresses",
];

/// Heads of the rows of hardware.
pub(super) const HARDWARE: &[&str] = &[
    "device",
    "hostname",
    "client",
    "site",
    "department",
    "model",
    "processor",
    "cores",
    "memory bytes",
    "disk bytes",
    "disk free bytes",
    "serial",
];

const FROM: &str = "FROM devices d LEFT JOIN hardware h ON h.device_id = d.id JOIN clients c ON c.id = d.client_id
     JOIN sites s ON s.id = d.site_id LEFT JOIN departments u ON u.id = d.department_id WHERE d.deleted_ms IS NULL AND";

fn inside(query: &mut Query, scope: &Scope, filter: &Filter) {
    query.append(&scope::devices(scope, "d"));
    places(
        query,
        filter,
        ["d.client_id", "d.site_id", "d.department_id"],
    );
    if let Some(needle) = &filter.matching {
        let like = anywhere(needle);
        query.push(
            "AND (d.hostname LIKE ? ESCAPE '\\' OR d.os || ' ' || d.os_version LIKE ? ESCAPE '\\'
                  OR d.make_model LIKE ? ESCAPE '\\' OR ifnull(h.cpu, '') LIKE ? ESCAPE '\\')",
            [like.clone(), like.clone(), like.clone(), like],
        );
    }
}

pub(super) fn total(
    connection: &Connection,
    scope: &Scope,
    filter: &Filter,
) -> rusqlite::Result<u64> {
    let mut query = Query::new("SELECT count(*)");
    query.push(FROM, []);
    inside(&mut query, scope, filter);
    query.count(connection)
}

pub(super) fn summary(
    connection: &Connection,
    scope: &Scope,
    filter: &Filter,
    by: GroupBy,
    limit: u32,
) -> rusqlite::Result<Summary> {
    let key = match by {
        GroupBy::Client => "'c-' || c.id || ' ' || c.name",
        GroupBy::Site => "'s-' || s.id || ' ' || s.name",
        GroupBy::Department => "ifnull('u-' || u.id || ' ' || u.name, '(none)')",
        GroupBy::Platform => "d.platform",
        GroupBy::MachineKind => "d.kind",
        GroupBy::Status => "d.status",
        GroupBy::Model => "CASE d.make_model WHEN '' THEN '(unknown)' ELSE d.make_model END",
        GroupBy::Processor => "CASE ifnull(h.cpu, '') WHEN '' THEN '(unknown)' ELSE h.cpu END",
        GroupBy::Memory => {
            "ifnull(((h.memory_bytes + 536870912) / 1073741824) || ' GiB', '(unknown)')"
        }
        _ => {
            "CASE trim(d.os || ' ' || d.os_version) WHEN '' THEN '(unknown)' ELSE trim(d.os || ' ' || d.os_version) END"
        }
    };
    let mut query = Query::new(&format!(
        "SELECT k, n, cores, memory, disk, count(*) OVER () FROM (
           SELECT {key} AS k, count(*) AS n, ifnull(sum(h.cores), 0) AS cores, ifnull(sum(h.memory_bytes), 0) AS memory,
                  ifnull(sum(h.disk_bytes), 0) AS disk"
    ));
    query.push(FROM, []);
    inside(&mut query, scope, filter);
    query.push("GROUP BY 1) ORDER BY n DESC, k LIMIT ?", [int(limit)]);
    let hardware = filter.kind == Kind::Hardware;
    let mut summary = Summary::default();
    for (group, groups) in query.rows(connection, |r| {
        let group = Group {
            name: r.get(0)?,
            devices: Some(r.get(1)?),
            installs: None,
            sums: if hardware {
                Some([r.get(2)?, r.get(3)?, r.get(4)?])
            } else {
                None
            },
        };
        Ok((group, r.get::<_, i64>(5)?))
    })? {
        summary.total = u64::try_from(groups).unwrap_or(0);
        summary.groups.push(group);
    }
    Ok(summary)
}

pub(super) fn selection(scope: &Scope, filter: &Filter) -> Query {
    let mut query = Query::new("SELECT 'd-' || d.id, d.hostname, c.name, s.name, u.name,");
    query.push(
        if filter.kind == Kind::Hardware {
            "d.make_model, h.cpu, h.cores, h.memory_bytes, h.disk_bytes, h.disk_free_bytes, d.serial"
        } else {
            "d.platform, d.os, d.os_version, d.kind, d.status, d.serial, d.make_model, d.logged_in_user,
             (SELECT group_concat(a.address, ' ') FROM device_addresses a WHERE a.device_id = d.id)"
        },
        [],
    );
    query.push(FROM, []);
    inside(&mut query, scope, filter);
    query
}

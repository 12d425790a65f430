//! Software: from the kept counts, never from the rows, so that three million rows cost what a few hundred
//! thousand counts cost.

use super::{Filter, Group, GroupBy, Summary, places};
use crate::scope;
use crate::sql::{Query, anywhere, int};
use kit::principal::Scope;
use rusqlite::Connection;
use std::collections::BTreeMap;

/// Heads of the rows.
pub(super) const COLUMNS: &[&str] = &[
    "device",
    "hostname",
    "client",
    "site",
    "department",
    "title",
    "version",
    "publisher",
    "source",
];

/// Up to so many installations, the devices of a place are counted one by one.
const COUNTED_LIVE: i64 = 100_000;

/// The conditions on counts under the alias `c`, titles included.
fn inside(query: &mut Query, scope: &Scope, filter: &Filter) {
    query.append(&scope::columns(
        scope,
        "c.client_id",
        "c.site_id",
        "c.department_id",
    ));
    places(
        query,
        filter,
        ["c.client_id", "c.site_id", "c.department_id"],
    );
    if let Some(needle) = &filter.matching {
        query.push(
            "AND c.title_id IN (SELECT id FROM software_titles WHERE name LIKE ? ESCAPE '\\')",
            [anywhere(needle)],
        );
    }
}

pub(super) fn total(
    connection: &Connection,
    scope: &Scope,
    filter: &Filter,
) -> rusqlite::Result<u64> {
    let mut query = Query::new("SELECT ifnull(sum(c.installs), 0) FROM title_counts c WHERE");
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
    // Counted first, named afterwards: names are read for the rows that are shown.
    let (key, table, devices) = match by {
        GroupBy::Version => ("c.version_id", "software_counts", "sum(c.installs)"),
        GroupBy::Client => ("c.client_id", "title_counts", "NULL"),
        GroupBy::Site => ("c.site_id", "title_counts", "NULL"),
        GroupBy::Department => ("c.department_id", "title_counts", "NULL"),
        GroupBy::Publisher => ("t.publisher", "title_counts", "NULL"),
        GroupBy::Source => ("t.source", "title_counts", "NULL"),
        _ => ("c.title_id", "title_counts", "sum(c.devices)"),
    };
    let order = if devices == "NULL" {
        "installs"
    } else {
        "devices"
    };
    let join = if key.starts_with("t.") {
        "JOIN software_titles t ON t.id = c.title_id"
    } else {
        ""
    };
    let name = match by {
        GroupBy::Version => {
            "(SELECT t.name || ' ' || v.version || ' (' || t.source || ')' FROM software_versions v JOIN software_titles t ON t.id = v.title_id WHERE v.id = k)"
        }
        GroupBy::Client => "(SELECT 'c-' || x.id || ' ' || x.name FROM clients x WHERE x.id = k)",
        GroupBy::Site => "(SELECT 's-' || x.id || ' ' || x.name FROM sites x WHERE x.id = k)",
        GroupBy::Department => {
            "ifnull((SELECT 'u-' || x.id || ' ' || x.name FROM departments x WHERE x.id = k), '(none)')"
        }
        GroupBy::Publisher => "CASE k WHEN '' THEN '(unknown)' ELSE k END",
        GroupBy::Source => "k",
        _ => "(SELECT t.name || ' (' || t.source || ')' FROM software_titles t WHERE t.id = k)",
    };
    let mut query = Query::new(&format!(
        "SELECT {name}, devices, installs, groups, k FROM (
           SELECT k, devices, installs, count(*) OVER () AS groups FROM (
             SELECT {key} AS k, {devices} AS devices, sum(c.installs) AS installs FROM {table} c {join} WHERE"
    ));
    inside(&mut query, scope, filter);
    query.push(
        &format!("GROUP BY 1) WHERE installs > 0 ORDER BY {order} DESC, k LIMIT ?)"),
        [int(limit)],
    );
    let mut summary = Summary::default();
    let mut keys = Vec::new();
    for (group, groups, key) in query.rows(connection, |r| {
        let group = Group {
            name: r.get(0)?,
            devices: r.get(1)?,
            installs: r.get(2)?,
            sums: None,
        };
        Ok((
            group,
            r.get::<_, i64>(3)?,
            r.get::<_, rusqlite::types::Value>(4)?,
        ))
    })? {
        summary.total = u64::try_from(groups).unwrap_or(0);
        summary.groups.push(group);
        keys.push(key);
    }
    if matches!(by, GroupBy::Client | GroupBy::Site | GroupBy::Department) {
        live_devices(connection, scope, filter, by, &keys, &mut summary)?;
    }
    Ok(summary)
}

/// Devices by place cannot be summed over titles (one device has many). Where the match is narrow they are
/// counted; where it is not, they stay unknown.
fn live_devices(
    connection: &Connection,
    scope: &Scope,
    filter: &Filter,
    by: GroupBy,
    keys: &[rusqlite::types::Value],
    summary: &mut Summary,
) -> rusqlite::Result<()> {
    let Some(needle) = &filter.matching else {
        return Ok(());
    };
    if total(connection, scope, filter)? > COUNTED_LIVE as u64 {
        return Ok(());
    }
    let key = match by {
        GroupBy::Client => "d.client_id",
        GroupBy::Site => "d.site_id",
        _ => "ifnull(d.department_id, 0)",
    };
    let mut query = Query::new(&format!(
        "SELECT {key}, count(DISTINCT i.device_id) FROM software_titles t JOIN software_versions v ON v.title_id = t.id
              JOIN device_software i ON i.version_id = v.id JOIN devices d ON d.id = i.device_id WHERE"
    ));
    query.push("t.name LIKE ? ESCAPE '\\' AND", [anywhere(needle)]);
    query.append(&scope::devices(scope, "d"));
    places(
        &mut query,
        filter,
        ["d.client_id", "d.site_id", "d.department_id"],
    );
    query.push("GROUP BY 1", []);
    let counts: BTreeMap<i64, i64> = query
        .rows(connection, |r| Ok((r.get(0)?, r.get(1)?)))?
        .into_iter()
        .collect();
    for (group, key) in summary.groups.iter_mut().zip(keys) {
        if let rusqlite::types::Value::Integer(key) = key {
            group.devices = counts.get(key).copied();
        }
    }
    Ok(())
}

pub(super) fn selection(scope: &Scope, filter: &Filter) -> Query {
    // `CROSS JOIN` keeps the order: device by device, which is how the rows lie. With a match, from its titles.
    let mut query = Query::new(
        "SELECT 'd-' || d.id, d.hostname, c.name, s.name, u.name, t.name, v.version, t.publisher, t.source FROM",
    );
    match &filter.matching {
        None => {
            query.push(
                "devices d CROSS JOIN device_software i ON i.device_id = d.id JOIN software_versions v ON v.id = i.version_id
                 JOIN software_titles t ON t.id = i.title_id",
                [],
            );
        }
        Some(_) => {
            query.push(
                "software_titles t CROSS JOIN software_versions v ON v.title_id = t.id CROSS JOIN device_software i ON i.version_id = v.id
                 CROSS JOIN devices d ON d.id = i.device_id",
                [],
            );
        }
    }
    query.push(
        "JOIN clients c ON c.id = d.client_id JOIN sites s ON s.id = d.site_id LEFT JOIN departments u ON u.id = d.department_id
         WHERE d.deleted_ms IS NULL AND",
        [],
    );
    query.append(&scope::devices(scope, "d"));
    places(
        &mut query,
        filter,
        ["d.client_id", "d.site_id", "d.department_id"],
    );
    if let Some(needle) = &filter.matching {
        query.push("AND t.name LIKE ? ESCAPE '\\'", [anywhere(needle)]);
    }
    query
}

//! Software. Counts are kept per client, so that a summary of three million rows costs what some hundred
//! thousand counts cost; where sites or departments are asked for, or limit what is seen, the rows of the
//! devices there are counted.

use super::{Filter, Group, GroupBy, Summary, places};
use crate::scope;
use crate::sql::{Query, anywhere, int};
use kit::principal::Scope;
use rusqlite::Connection;
use rusqlite::types::Value;
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
const COUNTED_ONE_BY_ONE: u64 = 50_000;

const DEVICE_PLACE: [&str; 3] = ["d.client_id", "d.site_id", "d.department_id"];

/// Whether the counts of clients answer: nothing finer is asked for, and nothing finer limits what is seen.
fn kept(scope: &Scope, filter: &Filter) -> bool {
    let whole_clients = match scope {
        Scope::All => true,
        Scope::Only(p) => p.sites.is_empty() && p.departments.is_empty(),
    };
    whole_clients && filter.site.is_none() && filter.department.is_none()
}

fn of_titles(query: &mut Query, column: &str, filter: &Filter) {
    if let Some(needle) = &filter.matching {
        query.push(
            &format!(
                "AND {column} IN (SELECT id FROM software_titles WHERE name LIKE ? ESCAPE '\\')"
            ),
            [anywhere(needle)],
        );
    }
}

/// From the counts of clients, under the alias `c`.
fn from_kept(query: &mut Query, table: &str, scope: &Scope, filter: &Filter) {
    query.push(&format!("FROM {table} c WHERE"), []);
    // Sites and departments are empty here; 0 is no place.
    query.append(&scope::columns(scope, "c.client_id", "0", "0"));
    places(query, filter, ["c.client_id", "0", "0"]);
    of_titles(query, "c.title_id", filter);
}

/// From the rows, devices under `d` and installations under `i`: with a match from its titles, else device by
/// device, which is how the rows lie.
fn from_rows(query: &mut Query, scope: &Scope, filter: &Filter) {
    match &filter.matching {
        None => query.push(
            "FROM devices d CROSS JOIN device_software i ON i.device_id = d.id WHERE d.deleted_ms IS NULL AND",
            [],
        ),
        Some(needle) => query.push(
            "FROM software_titles m CROSS JOIN software_versions n ON n.title_id = m.id
                  CROSS JOIN device_software i ON i.version_id = n.id CROSS JOIN devices d ON d.id = i.device_id
             WHERE m.name LIKE ? ESCAPE '\\' AND d.deleted_ms IS NULL AND",
            [anywhere(needle)],
        ),
    };
    query.append(&scope::devices(scope, "d"));
    places(query, filter, DEVICE_PLACE);
}

pub(super) fn total(
    connection: &Connection,
    scope: &Scope,
    filter: &Filter,
) -> rusqlite::Result<u64> {
    let mut query = Query::default();
    if kept(scope, filter) {
        query.push("SELECT ifnull(sum(c.installs), 0)", []);
        from_kept(&mut query, "title_counts", scope, filter);
    } else {
        query.push("SELECT count(*)", []);
        from_rows(&mut query, scope, filter);
    }
    query.count(connection)
}

/// One row per key `k` with `devices` (or NULL) and `installs`.
fn counted(scope: &Scope, filter: &Filter, by: GroupBy) -> Query {
    let by_place = matches!(by, GroupBy::Client | GroupBy::Site | GroupBy::Department);
    let fine = matches!(by, GroupBy::Site | GroupBy::Department);
    let mut query = Query::default();
    if kept(scope, filter) && !fine {
        let (key, table, devices) = match by {
            GroupBy::Version => ("c.version_id", "software_counts", "sum(c.installs)"),
            GroupBy::Client => ("c.client_id", "title_counts", "NULL"),
            _ => ("c.title_id", "title_counts", "sum(c.devices)"),
        };
        query.push(
            &format!("SELECT {key} AS k, {devices} AS devices, sum(c.installs) AS installs"),
            [],
        );
        from_kept(&mut query, table, scope, filter);
    } else {
        let key = match by {
            GroupBy::Version => "i.version_id",
            GroupBy::Client => "d.client_id",
            GroupBy::Site => "d.site_id",
            GroupBy::Department => "ifnull(d.department_id, 0)",
            _ => "i.title_id",
        };
        let devices = match by {
            GroupBy::Version => "count(*)",
            _ if by_place => "NULL",
            _ => "count(DISTINCT i.device_id)",
        };
        query.push(
            &format!("SELECT {key} AS k, {devices} AS devices, count(*) AS installs"),
            [],
        );
        from_rows(&mut query, scope, filter);
    }
    query.push("GROUP BY 1", []);
    query
}

pub(super) fn summary(
    connection: &Connection,
    scope: &Scope,
    filter: &Filter,
    by: GroupBy,
    limit: u32,
) -> rusqlite::Result<Summary> {
    let counted = counted(scope, filter, by);
    // Names are read for the rows that are shown only.
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
    let order = match by {
        GroupBy::Title | GroupBy::Version => "devices",
        _ => "installs",
    };
    let mut query = Query::new(&format!(
        "SELECT {name}, devices, installs, groups, k FROM (SELECT k, devices, installs, count(*) OVER () AS groups FROM ("
    ));
    match by {
        GroupBy::Publisher | GroupBy::Source => {
            let column = if by == GroupBy::Source {
                "source"
            } else {
                "publisher"
            };
            query.push(
                &format!(
                    "SELECT t.{column} AS k, NULL AS devices, sum(x.installs) AS installs FROM ("
                ),
                [],
            );
            query
                .append(&counted)
                .push(") x JOIN software_titles t ON t.id = x.k GROUP BY 1", []);
        }
        _ => {
            query.append(&counted);
        }
    }
    query.push(
        &format!(") WHERE installs > 0 ORDER BY {order} DESC, k LIMIT ?)"),
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
        Ok((group, r.get::<_, i64>(3)?, r.get::<_, Value>(4)?))
    })? {
        summary.total = u64::try_from(groups).unwrap_or(0);
        summary.groups.push(group);
        keys.push(key);
    }
    if matches!(by, GroupBy::Client | GroupBy::Site | GroupBy::Department) {
        one_by_one(connection, scope, filter, by, &keys, &mut summary)?;
    }
    Ok(summary)
}

/// Devices by place cannot be summed over titles (one device has many). Where the match is narrow they are
/// counted; where it is not, they stay unknown.
fn one_by_one(
    connection: &Connection,
    scope: &Scope,
    filter: &Filter,
    by: GroupBy,
    keys: &[Value],
    summary: &mut Summary,
) -> rusqlite::Result<()> {
    if filter.matching.is_none() || total(connection, scope, filter)? > COUNTED_ONE_BY_ONE {
        return Ok(());
    }
    let key = match by {
        GroupBy::Client => "d.client_id",
        GroupBy::Site => "d.site_id",
        _ => "ifnull(d.department_id, 0)",
    };
    let mut query = Query::new(&format!("SELECT {key}, count(DISTINCT d.id)"));
    from_rows(&mut query, scope, filter);
    query.push("GROUP BY 1", []);
    let counts: BTreeMap<i64, i64> = query
        .rows(connection, |r| Ok((r.get(0)?, r.get(1)?)))?
        .into_iter()
        .collect();
    for (group, key) in summary.groups.iter_mut().zip(keys) {
        if let Value::Integer(key) = key {
            group.devices = counts.get(key).copied();
        }
    }
    Ok(())
}

pub(super) fn selection(scope: &Scope, filter: &Filter) -> Query {
    let mut query = Query::new(
        "SELECT 'd-' || d.id, d.hostname, c.name, s.name, u.name, t.name, v.version, t.publisher, t.source FROM",
    );
    query.push(
        match filter.matching {
            // By number, so that a page in this order stops as soon as it is full; the scope is looked at per device.
            None => "devices d NOT INDEXED CROSS JOIN device_software i ON i.device_id = d.id CROSS JOIN software_versions v ON v.id = i.version_id
                     CROSS JOIN software_titles t ON t.id = i.title_id",
            Some(_) => "software_titles t CROSS JOIN software_versions v ON v.title_id = t.id CROSS JOIN device_software i ON i.version_id = v.id
                        CROSS JOIN devices d ON d.id = i.device_id",
        },
        [],
    );
    query.push(
        "CROSS JOIN clients c ON c.id = d.client_id CROSS JOIN sites s ON s.id = d.site_id LEFT JOIN departments u ON u.id = d.department_id
         WHERE d.deleted_ms IS NULL AND",
        [],
    );
    query.append(&scope::devices(scope, "d"));
    places(&mut query, filter, DEVICE_PLACE);
    if let Some(needle) = &filter.matching {
        query.push("AND t.name LIKE ? ESCAPE '\\'", [anywhere(needle)]);
    }
    query
}

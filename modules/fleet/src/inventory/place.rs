//! Clients, sites and departments by name: made where they are missing.

use crate::model::{ClientId, DepartmentId, SiteId};
use rusqlite::{Connection, OptionalExtension, params};

/// The name of a client or a site that nobody named.
pub const UNNAMED: &str = "Unassigned";

/// Where a device stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Client.
    pub client: ClientId,
    /// Site of that client.
    pub site: SiteId,
    /// Department of that site.
    pub department: Option<DepartmentId>,
}

/// The place of these names; what is missing is made, what is empty is `Unassigned` (a department: none).
///
/// # Errors
/// SQLite's.
pub fn place(
    connection: &Connection,
    client: &str,
    site: &str,
    department: &str,
    now_ms: i64,
) -> rusqlite::Result<Placed> {
    let or_unnamed = |name: &str| {
        let name = super::clean(name);
        if name.is_empty() {
            UNNAMED.to_owned()
        } else {
            name
        }
    };
    let client = one(connection, "clients", None, &or_unnamed(client), now_ms)?;
    let site = one(
        connection,
        "sites",
        Some(("client_id", client)),
        &or_unnamed(site),
        now_ms,
    )?;
    let department = super::clean(department);
    let department = if department.is_empty() {
        None
    } else {
        let id = one(
            connection,
            "departments",
            Some(("site_id", site)),
            &department,
            now_ms,
        )?;
        Some(DepartmentId(id))
    };
    Ok(Placed {
        client: ClientId(client),
        site: SiteId(site),
        department,
    })
}

fn one(
    connection: &Connection,
    table: &str,
    parent: Option<(&str, i64)>,
    name: &str,
    now_ms: i64,
) -> rusqlite::Result<i64> {
    let (column, id) = parent.unwrap_or(("0", 0));
    let known = connection
        .prepare_cached(&format!(
            "SELECT id FROM {table} WHERE name = ?1 AND {column} = ?2"
        ))?
        .query_row(params![name, id], |r| r.get(0))
        .optional()?;
    if let Some(known) = known {
        return Ok(known);
    }
    match parent {
        Some((column, id)) => connection
            .prepare_cached(&format!(
                "INSERT INTO {table} (name, {column}, created_ms) VALUES (?1, ?2, ?3)"
            ))?
            .execute(params![name, id, now_ms])?,
        None => connection
            .prepare_cached(&format!(
                "INSERT INTO {table} (name, created_ms) VALUES (?1, ?2)"
            ))?
            .execute(params![name, now_ms])?,
    };
    Ok(connection.last_insert_rowid())
}

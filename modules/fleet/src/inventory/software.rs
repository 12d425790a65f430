//! The software of a device, replaced by its difference to what is there, and the kept counts.

use super::clean;
use crate::model::{DeviceId, SoftwareSource};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::BTreeSet;

/// One installed thing as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Name.
    pub name: String,
    /// Version, as its packager writes it.
    pub version: String,
    /// Publisher, where known.
    pub publisher: String,
    /// Where it was listed.
    pub source: SoftwareSource,
}

/// Says what a device has now. Only the difference is written, so that a collection without news costs reads.
///
/// # Errors
/// SQLite's; a deleted device is refused.
pub fn replace_software(
    connection: &Connection,
    device: DeviceId,
    found: &[Found],
    now_ms: i64,
) -> rusqlite::Result<()> {
    let mut wanted = BTreeSet::new();
    for one in found {
        let name = clean(&one.name);
        if !name.is_empty() {
            let title = title(connection, &name, &clean(&one.publisher), one.source)?;
            wanted.insert((title, version(connection, title, &clean(&one.version))?));
        }
    }
    let there: BTreeSet<(i64, i64)> = connection
        .prepare_cached("SELECT title_id, version_id FROM device_software WHERE device_id = ?1")?
        .query_map([device], |r| Ok((r.get(0)?, r.get(1)?)))?
        .collect::<Result<_, _>>()?;
    let mut remove = connection.prepare_cached(
        "DELETE FROM device_software WHERE device_id = ?1 AND title_id = ?2 AND version_id = ?3",
    )?;
    for (title, version) in there.difference(&wanted) {
        remove.execute(params![device, title, version])?;
    }
    let mut add = connection.prepare_cached(
        "INSERT INTO device_software (device_id, title_id, version_id, first_ms) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for (title, version) in wanted.difference(&there) {
        add.execute(params![device, title, version, now_ms])?;
    }
    connection
        .prepare_cached("UPDATE devices SET software_ms = ?2, updated_ms = ?2 WHERE id = ?1")?
        .execute(params![device, now_ms])?;
    Ok(())
}

pub(crate) fn title(
    connection: &Connection,
    name: &str,
    publisher: &str,
    source: SoftwareSource,
) -> rusqlite::Result<i64> {
    let known = connection
        .prepare_cached(
            "SELECT id FROM software_titles WHERE name = ?1 AND publisher = ?2 AND source = ?3",
        )?
        .query_row(params![name, publisher, source], |r| r.get(0))
        .optional()?;
    if let Some(known) = known {
        return Ok(known);
    }
    connection
        .prepare_cached(
            "INSERT INTO software_titles (name, publisher, source) VALUES (?1, ?2, ?3)",
        )?
        .execute(params![name, publisher, source])?;
    Ok(connection.last_insert_rowid())
}

pub(crate) fn version(connection: &Connection, title: i64, version: &str) -> rusqlite::Result<i64> {
    let known = connection
        .prepare_cached("SELECT id FROM software_versions WHERE title_id = ?1 AND version = ?2")?
        .query_row(params![title, version], |r| r.get(0))
        .optional()?;
    if let Some(known) = known {
        return Ok(known);
    }
    connection
        .prepare_cached("INSERT INTO software_versions (title_id, version) VALUES (?1, ?2)")?
        .execute(params![title, version])?;
    Ok(connection.last_insert_rowid())
}

/// Builds the kept counts anew from the rows: at the end of a bulk load.
///
/// # Errors
/// SQLite's.
pub fn rebuild_counts(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(
        "DELETE FROM software_counts;
         INSERT INTO software_counts (title_id, version_id, client_id, installs)
         SELECT i.title_id, i.version_id, d.client_id, count(*)
         FROM device_software i JOIN devices d ON d.id = i.device_id GROUP BY 1, 2, 3;
         DELETE FROM title_counts;
         INSERT INTO title_counts (title_id, client_id, devices, installs)
         SELECT i.title_id, d.client_id, count(DISTINCT i.device_id), count(*)
         FROM device_software i JOIN devices d ON d.id = i.device_id GROUP BY 1, 2;",
    )
}

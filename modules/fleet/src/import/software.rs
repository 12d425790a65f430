//! A row of a file of installed software. Rows of one device may stand anywhere in the file: they are gathered in a
//! table on the disk and applied at the end, as a difference to what is known.

use super::rows::Row;
use super::{Import, ImportError, NAMES_MAX, RowError, bad, cell};
use crate::inventory::software::{title, version};
use crate::inventory::{clean, rebuild_counts};
use crate::model::SoftwareSource;
use rusqlite::{Connection, params};
use std::collections::HashMap;

pub(super) const COLUMNS: &[&str] = &[
    "hostname",
    "name",
    "client",
    "version",
    "publisher",
    "source",
];

/// From this many rows on, the kept counts are built anew at the end instead of row by row.
const BULK: u64 = 20_000;

/// Titles and versions met before.
#[derive(Default)]
pub(super) struct Names {
    titles: HashMap<(String, String, SoftwareSource), i64>,
    versions: HashMap<(i64, String), i64>,
}

impl Names {
    fn title(
        &mut self,
        connection: &Connection,
        name: String,
        publisher: String,
        source: SoftwareSource,
    ) -> rusqlite::Result<i64> {
        let key = (name, publisher, source);
        if let Some(id) = self.titles.get(&key) {
            return Ok(*id);
        }
        if self.titles.len() >= NAMES_MAX {
            self.titles.clear();
        }
        let id = title(connection, &key.0, &key.1, source)?;
        self.titles.insert(key, id);
        Ok(id)
    }

    fn version(
        &mut self,
        connection: &Connection,
        title: i64,
        text: String,
    ) -> rusqlite::Result<i64> {
        let key = (title, text);
        if let Some(id) = self.versions.get(&key) {
            return Ok(*id);
        }
        if self.versions.len() >= NAMES_MAX {
            self.versions.clear();
        }
        let id = version(connection, title, &key.1)?;
        self.versions.insert(key, id);
        Ok(id)
    }
}

/// Takes one row in.
pub(super) fn take(import: &mut Import<'_>, row: &Row, names: &mut Names) -> Result<(), RowError> {
    let name = clean(row.get(1));
    if name.is_empty() {
        return bad("it has no name of a software");
    }
    let source = match row.get(5) {
        "" => SoftwareSource::Other,
        given => match SoftwareSource::from_name(&given.to_lowercase()) {
            Some(source) => source,
            None => {
                let all: Vec<&str> = SoftwareSource::ALL.iter().map(|s| s.name()).collect();
                return bad(format!(
                    "{} is no source: one of {} is expected",
                    cell(given),
                    all.join(", ")
                ));
            }
        },
    };
    let device = import.device(row.get(0), row.get(2))?;
    let connection = import.acting.connection();
    let title = names.title(connection, name, clean(row.get(4)), source)?;
    let version = names.version(connection, title, clean(row.get(3)))?;
    connection
        .prepare_cached(
            "INSERT OR IGNORE INTO temp.import_rows (device_id, a, b) VALUES (?1, ?2, ?3)",
        )?
        .execute(params![device, title, version])?;
    import.report.software += 1;
    Ok(())
}

/// Replaces what is known of every device that occurred.
pub(super) fn apply(import: &mut Import<'_>) -> Result<(), ImportError> {
    let connection = import.acting.connection();
    let now_ms = import.acting.ctx.now_ms;
    let bulk = import.report.software > BULK;
    if bulk {
        connection.execute("INSERT INTO bulk_loads (id) VALUES (1)", [])?;
    }
    import.report.software_removed += connection.execute(
        "DELETE FROM device_software WHERE device_id IN (SELECT DISTINCT device_id FROM temp.import_rows)
           AND NOT EXISTS (SELECT 1 FROM temp.import_rows i WHERE i.device_id = device_software.device_id
                           AND i.a = device_software.title_id AND i.b = device_software.version_id)",
        [],
    )? as u64;
    import.report.software_added += connection.execute(
        "INSERT INTO device_software (device_id, title_id, version_id, first_ms)
         SELECT i.device_id, i.a, i.b, ?1 FROM temp.import_rows i
         WHERE NOT EXISTS (SELECT 1 FROM device_software s WHERE s.device_id = i.device_id AND s.title_id = i.a AND s.version_id = i.b)
         ORDER BY i.device_id, i.a, i.b",
        [now_ms],
    )? as u64;
    connection.execute(
        "UPDATE devices SET software_ms = ?1, updated_ms = ?1
         WHERE id IN (SELECT DISTINCT device_id FROM temp.import_rows)",
        [now_ms],
    )?;
    if bulk {
        connection.execute("DELETE FROM bulk_loads", [])?;
        rebuild_counts(connection)?;
    }
    Ok(())
}

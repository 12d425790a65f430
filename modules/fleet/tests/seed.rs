//! A made-up fleet is the same for the same seed, holds together, and its counts are those of its rows.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests fail like tests"
)]

mod support;

use fleet::audit::{self, Plain};
use fleet::inventory;
use fleet::seed::{Plan, Size, generate};
use kit::principal::Principal;
use rusqlite::Connection;
use serde_json::json;
use support::{NOW, call, empty, json_of};

fn make(seed: u64) -> Connection {
    let mut db = empty();
    let tx = db.transaction().unwrap();
    let plan = Plan {
        size: Size::S,
        seed,
        audit_rows: 500,
        now_ms: NOW,
    };
    let made = generate(&tx, &Plain, &plan).unwrap();
    assert_eq!(
        (made.clients, made.devices, made.software, made.audit),
        (3, 25, 25 * 40, 500)
    );
    tx.commit().unwrap();
    db
}

fn dump(db: &Connection, sql: &str) -> String {
    db.query_row(
        &format!("SELECT json_group_array(json_array(a, b, c)) FROM ({sql})"),
        [],
        |r| r.get(0),
    )
    .unwrap()
}

#[test]
fn the_same_seed_makes_the_same_fleet() {
    let (one, same, other) = (make(7), make(7), make(8));
    for sql in [
        "SELECT hostname AS a, serial AS b, site_id AS c FROM devices ORDER BY id",
        "SELECT device_id AS a, title_id AS b, version_id AS c FROM device_software ORDER BY 1, 2, 3",
        "SELECT seq AS a, actor AS b, hex(hash) AS c FROM fleet_audit ORDER BY seq",
    ] {
        assert_eq!(dump(&one, sql), dump(&same, sql));
        assert_ne!(dump(&one, sql), dump(&other, sql));
    }
}

#[test]
fn a_made_up_fleet_holds_together() {
    let db = make(1);
    assert_eq!(audit::verify(&db, &Plain).unwrap().fault, None);
    let broken: i64 = db
        .query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |r| {
            r.get(0)
        })
        .unwrap();
    assert_eq!(broken, 0);
    // What was set aside is there again.
    let fresh = empty();
    let schema = "SELECT type AS a, name AS b, sql AS c FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY 1, 2";
    assert_eq!(dump(&db, schema), dump(&fresh, schema));
    let counts = "SELECT title_id AS a, devices AS b, installs AS c FROM title_counts ORDER BY title_id, client_id";
    let kept = dump(&db, counts);
    inventory::rebuild_counts(&db).unwrap();
    assert_eq!(kept, dump(&db, counts));
    let anna = Principal::owner("anna");
    let report = json_of(
        &call(
            &db,
            &anna,
            "inventory_report",
            &json!({"report_type": "software", "group_by": "title", "limit": 1000}),
        )
        .unwrap(),
    );
    let installs: i64 = report["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["installs"].as_i64().unwrap())
        .sum();
    assert_eq!(installs, 1000);
    for tool in fleet::tools::all().filter(|t| t.effect == kit::Effect::Read && !t.trail) {
        let args = match tool.name {
            "get_inventory" => json!({"device": "d-1"}),
            "inventory_report" => json!({"report_type": "machines"}),
            "find_on_fleet" => json!({"software": "openssl", "versions": "<9"}),
            _ => json!({}),
        };
        if tool.spec().parameters.get("required").is_none_or(|r| {
            r.as_array()
                .is_none_or(|r| r.iter().all(|f| args.get(f.as_str().unwrap()).is_some()))
        }) {
            call(&db, &anna, tool.name, &args).unwrap();
        }
    }
}

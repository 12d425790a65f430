//! What the tools that read say, on small fleets that can be counted by hand.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests fail like tests"
)]

mod support;

use fleet::inventory::{self, MissingPatch};
use fleet::model::{PatchClass, Severity};
use fleet::tools::RefusalKey;
use kit::principal::{Permission, Places, Principal, Scope};
use rusqlite::Connection;
use serde_json::{Value, json};
use support::{NOW, call, device, empty, json_of, open, software};

fn fleet() -> Connection {
    let db = empty();
    let web = device(&db, "web-01", "Acme", "Berlin", "");
    let db1 = device(&db, "db-01", "Acme", "Berlin", "");
    let mail = device(&db, "mail", "Globex", "Paris", "");
    device(&db, "new", "Globex", "Paris", "");
    db.execute(
        "UPDATE devices SET fqdn = 'web-01.acme.example' WHERE id = 1",
        [],
    )
    .unwrap();
    for (id, found) in [
        (
            web,
            vec![
                software("openssl", "3.0.11-1~deb12u2"),
                software("curl", "7.88.1-10"),
            ],
        ),
        (
            db1,
            vec![
                software("openssl", "3.0.14-1~deb12u1"),
                software("openssl", "1.1.1n-0"),
            ],
        ),
        (mail, vec![software("openssl", "3.0.9-1")]),
    ] {
        inventory::replace_software(&db, id, &found, NOW).unwrap();
    }
    inventory::replace_addresses(&db, web, false, &["10.0.0.7".into()]).unwrap();
    inventory::replace_addresses(
        &db,
        mail,
        false,
        &["10.0.1.1".into(), "2001:db8::25".into()],
    )
    .unwrap();
    inventory::replace_addresses(&db, mail, true, &["203.0.113.9".into()]).unwrap();
    db.execute(
        "INSERT INTO device_files (device_id, algorithm, hash, path, seen_ms) VALUES (2, 'sha256', ?1, '/tmp/x', 1)",
        ["ab".repeat(32)],
    )
    .unwrap();
    db
}

fn anna() -> Principal {
    Principal::owner("anna")
}

fn hosts(db: &Connection, args: Value) -> (Vec<String>, String) {
    let answer = call(db, &anna(), "find_on_fleet", &args).unwrap();
    let rows = json_of(&answer);
    let hosts = rows["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["device"].as_str().unwrap().to_owned())
        .collect();
    (hosts, open(&answer.said))
}

#[test]
fn an_indicator_is_found_on_the_devices_that_have_it() {
    let db = fleet();
    for (given, expected) in [
        ("10.0.0.7", vec!["d-1 web-01"]),
        ("10.0.0.0/23", vec!["d-3 mail", "d-1 web-01"]),
        ("10.0.0.8/29", vec![]),
        ("0.0.0.0/0", vec!["d-3 mail", "d-3 mail", "d-1 web-01"]),
        ("2001:DB8::25", vec!["d-3 mail"]),
        ("2001:db8::/32", vec!["d-3 mail"]),
        ("203.0.113.9", vec!["d-3 mail"]),
        ("https://203.0.113.9/x?y", vec!["d-3 mail"]),
        ("web-01.acme.example", vec!["d-1 web-01"]),
        ("WEB-01", vec!["d-1 web-01"]),
        ("web-0", vec![]),
        (&"AB".repeat(32), vec!["d-2 db-01"]),
        (&"cd".repeat(32), vec![]),
    ] {
        assert_eq!(
            hosts(&db, json!({"indicator": given})).0,
            expected,
            "{given}"
        );
    }
    let (_, said) = hosts(&db, json!({"indicator": "cd".repeat(32)}));
    assert!(
        said.contains("No device in the inventory") && said.contains("not found does not mean"),
        "{said}"
    );
    let (_, said) = hosts(&db, json!({"indicator": "10.9.9.9"}));
    assert!(said.contains("Nothing is known of 2 devices"), "{said}");
}

#[test]
fn software_is_found_by_the_order_of_its_own_packager() {
    let db = fleet();
    let found = |versions: &str| hosts(&db, json!({"software": "openssl", "versions": versions})).0;
    assert_eq!(found("<3.0.14"), ["d-2 db-01", "d-3 mail", "d-1 web-01"]);
    assert_eq!(found(">=3.0.9 <3.0.14"), ["d-3 mail", "d-1 web-01"]);
    assert_eq!(found("<1.1"), Vec::<String>::new());
    // A bound without a revision says nothing of fixes that a distribution carried back; one with it does.
    let said = |versions: &str| hosts(&db, json!({"software": "openssl", "versions": versions})).1;
    assert!(said("<3.0.14").contains("Distributions carry fixes back"));
    assert!(!said("<3.0.14-1").contains("Distributions"));
    assert!(!said("<1.1").contains("Distributions"), "nothing is listed");
    let (all, said) = hosts(&db, json!({"software": "OPENSSL"}));
    assert_eq!(all.len(), 4);
    assert!(
        said.starts_with("3 devices have it.") && said.contains("1 devices: they were never read"),
        "{said}"
    );
    for (args, field) in [
        (json!({}), "indicator"),
        (
            json!({"indicator": "10.0.0.7", "software": "x"}),
            "software",
        ),
        (
            json!({"indicator": "10.0.0.7", "versions": "1"}),
            "versions",
        ),
        (
            json!({"software": "openssl", "versions": "><1"}),
            "versions",
        ),
        (json!({"indicator": "CVE-2024-1234"}), "indicator"),
        (json!({"indicator": "what is this"}), "indicator"),
    ] {
        let refusal = call(&db, &anna(), "find_on_fleet", &args).unwrap_err();
        assert_eq!(
            (refusal.key, refusal.field.as_deref()),
            (RefusalKey::Arguments, Some(field)),
            "{args}"
        );
    }
}

#[test]
fn a_report_counts_devices_once_and_says_what_is_unknown() {
    let db = fleet();
    let report = |args: Value| call(&db, &anna(), "inventory_report", &args).unwrap();
    let by_title = report(json!({"report_type": "software"}));
    let rows = json_of(&by_title);
    assert_eq!(
        rows["rows"][0],
        json!({"group": "openssl (dpkg)", "devices": 3, "installs": 4})
    );
    assert!(open(&by_title.said).contains("Of 4 devices, 1 were never read"));
    let by_client = json_of(&report(
        json!({"report_type": "software", "group_by": "client", "match": "ssl"}),
    ));
    assert_eq!(
        by_client["rows"][0],
        json!({"group": "c-1 Acme", "devices": 2, "installs": 3})
    );
    let wide = json_of(&report(
        json!({"report_type": "software", "group_by": "site"}),
    ));
    assert_eq!(
        wide["rows"][0],
        json!({"group": "s-1 Berlin", "devices": null, "installs": 4})
    );
    let rows = report(json!({"report_type": "software", "mode": "rows", "limit": 2}));
    assert_eq!((rows.total, rows.table.rows.len()), (Some(5), 2));
    let refusal = call(
        &db,
        &anna(),
        "inventory_report",
        &json!({"report_type": "machines", "group_by": "title"}),
    )
    .unwrap_err();
    assert_eq!(refusal.field.as_deref(), Some("group_by"));
    let machines = json_of(&report(
        json!({"report_type": "machines", "group_by": "client"}),
    ));
    assert_eq!(
        machines["rows"][1],
        json!({"group": "c-2 Globex", "devices": 2})
    );
}

fn missing(identifier: &str, severity: Severity) -> MissingPatch {
    MissingPatch {
        identifier: identifier.into(),
        title: "t".into(),
        class: PatchClass::Security,
        severity,
        cves: vec!["CVE-2024-1".into()],
    }
}

#[test]
fn patches_keep_their_decisions_and_what_was_never_read_is_unknown() {
    let db = fleet();
    let list = |args: Value| call(&db, &anna(), "list_patches", &args).unwrap();
    assert!(open(&list(json!({"device": "d-1"})).said).contains("never read"));
    let d = fleet::model::DeviceId(1);
    inventory::replace_missing_patches(
        &db,
        d,
        &[
            missing("KB1", Severity::Low),
            missing("KB2", Severity::Critical),
        ],
        NOW,
    )
    .unwrap();
    let rows = json_of(&list(json!({"device": "d-1"})));
    assert_eq!(
        (rows["total"].clone(), rows["rows"][0]["patch"].clone()),
        (json!(2), json!("KB2"))
    );
    db.execute("UPDATE device_patches SET state = 'approved', approved_by = 'bob', approved_ms = 1 WHERE patch_id = 1", []).unwrap();
    // Still missing: the approval stays. Gone: what was approved is installed, what was not is forgotten.
    inventory::replace_missing_patches(&db, d, &[missing("KB1", Severity::Low)], NOW).unwrap();
    let rows = json_of(&list(json!({"device": "d-1"})));
    assert_eq!(
        (
            rows["total"].clone(),
            rows["rows"][0]["state"].clone(),
            rows["rows"][0]["approved by"].clone()
        ),
        (json!(1), json!("approved"), json!("bob"))
    );
    inventory::replace_missing_patches(&db, d, &[], NOW).unwrap();
    assert_eq!(json_of(&list(json!({"device": "d-1"})))["total"], 0);
    assert_eq!(
        json_of(&list(json!({"device": "d-1", "state": "installed"})))["total"],
        1
    );
    // Missing again after an update was rolled back: the old approval does not count.
    inventory::replace_missing_patches(&db, d, &[missing("KB1", Severity::Low)], NOW).unwrap();
    let rows = json_of(&list(json!({})));
    assert_eq!(rows["rows"][0]["missing"], 1);
    assert!(
        rows["said"]
            .as_str()
            .unwrap()
            .contains("3 devices were never read")
    );
}

#[test]
fn proposals_among_monitoring_are_marked() {
    let db = fleet();
    db.execute_batch(
        "INSERT INTO checks (name, site_id, kind, proposed_by, created_by, created_ms) VALUES ('a', 1, 'disk', 'model', 'anna', 1);
         INSERT INTO checks (name, device_id, kind, enabled, created_by, created_ms) VALUES ('b', 1, 'cpu', 1, 'anna', 1);
         INSERT INTO check_results (check_id, device_id, at_ms, status) VALUES (2, 1, 1, 'failing'), (2, 1, 2, 'passing');
         INSERT INTO policies (name, proposed_by, created_by, created_ms) VALUES ('p', 'model', 'anna', 1);
         INSERT INTO tasks (name, client_id, schedule, shell, body, proposed_by, approved_by, enabled, created_by, created_ms)
             VALUES ('t', 1, '* * * * *', 'sh', 'id', 'model', 'bob', 1, 'anna', 1);",
    )
    .unwrap();
    let rows = |tool: &str, args: Value| {
        json_of(&call(&db, &anna(), tool, &args).unwrap())["rows"].clone()
    };
    let checks = rows("list_checks", json!({}));
    assert!(
        checks[0]["review"]
            .as_str()
            .unwrap()
            .contains("awaits review")
    );
    assert_eq!(
        (
            checks[0]["newest results"].clone(),
            checks[1]["newest results"].clone()
        ),
        (json!("never ran"), json!("1 passing"))
    );
    assert_eq!(
        rows("list_checks", json!({"state": "awaiting_review"}))
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(
        rows("list_checks", json!({"result": "failing"}))
            .as_array()
            .unwrap()
            .len(),
        0
    );
    assert_eq!(
        rows("list_checks", json!({"device": "d-2"}))
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(
        rows("list_policies", json!({}))[0]["target"],
        "the whole fleet"
    );
    assert_eq!(
        rows("list_tasks", json!({}))[0]["review"],
        "proposed by model, approved by bob"
    );
}

#[test]
fn a_summary_of_the_fleet_shows_only_what_may_be_seen() {
    let db = fleet();
    let whole = json_of(&call(&db, &anna(), "fleet_summary", &json!({})).unwrap());
    assert!(whole["said"].as_str().unwrap().starts_with("4 devices."));
    assert!(
        whole["said"]
            .as_str()
            .unwrap()
            .contains("Patches of 4 devices were never read")
    );
    let site = Scope::Only(Places {
        sites: [2].into(),
        ..Places::default()
    });
    let carl = Principal::with("carl", [Permission::DevicesView], site);
    let answer = call(&db, &carl, "fleet_summary", &json!({})).unwrap();
    let part = json_of(&answer);
    assert!(
        part["said"].as_str().unwrap().starts_with("2 devices.")
            && !part["rows"].to_string().contains("Acme")
    );
    assert!(!part["said"].as_str().unwrap().contains("atches"));
}

#[test]
fn the_audit_is_asked_for_the_last_seven_days_unless_told_otherwise() {
    let mut db = fleet();
    let tx = db.transaction().unwrap();
    let details = support::redacted("");
    for days in [0, 6, 8] {
        let entry = fleet::audit::Entry {
            at_ms: NOW - days * fleet::audit::DAY_MS - 1000,
            actor: "bob",
            actor_kind: fleet::model::ActorKind::Ai,
            action: "job.propose",
            result: fleet::model::ActResult::Ok,
            target: "j-1",
            client: None,
            case: None,
            details: &details,
        };
        fleet::audit::append(&tx, &fleet::audit::Plain, &entry).unwrap();
    }
    tx.commit().unwrap();
    let ask = |args: Value| json_of(&call(&db, &anna(), "query_audit", &args).unwrap());
    assert_eq!(
        ask(json!({}))["rows"][0],
        json!({"actor": "bob", "by": "ai", "family": "job", "result": "ok", "entries": 2})
    );
    assert_eq!(ask(json!({"since": "30d"}))["rows"][0]["entries"], 3);
    assert_eq!(ask(json!({"since": "2h"}))["rows"][0]["entries"], 1);
    assert_eq!(
        ask(json!({"mode": "entries", "action": "jo", "limit": 2}))["rows"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert_eq!(
        ask(json!({"mode": "entries", "before": 2}))["rows"][0]["entry"],
        1
    );
    for (field, value) in [
        ("since", "yesterday"),
        ("until", "7w"),
        ("since", "99999999999999d"),
    ] {
        let refusal = call(&db, &anna(), "query_audit", &json!({field: value})).unwrap_err();
        assert_eq!(refusal.field.as_deref(), Some(field));
    }
}

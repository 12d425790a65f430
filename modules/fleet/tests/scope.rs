//! A scope never leaks: over random fleets and random scopes, every tool that reads gives the same answer as
//! on a fleet from which everything outside the scope was left out, and its counts are those of a naive filter.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests fail like tests"
)]

mod support;

use fleet::inventory::{self, MissingPatch};
use fleet::model::{DeviceId, PatchClass, Severity};
use kit::principal::{Permission, Places, Principal, Scope};
use proptest::prelude::*;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use support::{NOW, call, device, empty, json_of, open, software};

/// A device: client, site, department (0: none), software, patches. Names say where it stands, so that a leak
/// of any text shows.
#[derive(Clone, Debug)]
struct Machine {
    client: u8,
    site: u8,
    department: u8,
    software: Vec<(u8, u8)>,
    patches: Vec<u8>,
}

#[derive(Clone, Debug)]
struct Where {
    clients: BTreeSet<u8>,
    sites: BTreeSet<(u8, u8)>,
    departments: BTreeSet<(u8, u8, u8)>,
}

impl Where {
    fn holds(&self, m: &Machine) -> bool {
        self.clients.contains(&m.client)
            || self.sites.contains(&(m.client, m.site))
            || (m.department > 0 && self.departments.contains(&(m.client, m.site, m.department)))
    }
}

fn machine() -> impl Strategy<Value = Machine> {
    let titles = prop::collection::vec((0..4_u8, 0..3_u8), 0..5);
    (
        0..3_u8,
        0..2_u8,
        0..3_u8,
        titles,
        prop::collection::vec(0..4_u8, 0..3),
    )
        .prop_map(|(client, site, department, software, patches)| Machine {
            client,
            site,
            department,
            software,
            patches,
        })
}

fn places() -> impl Strategy<Value = Where> {
    (
        prop::collection::btree_set(0..3_u8, 0..2),
        prop::collection::btree_set((0..3_u8, 0..2_u8), 0..3),
        prop::collection::btree_set((0..3_u8, 0..2_u8, 1..3_u8), 0..3),
    )
        .prop_map(|(clients, sites, departments)| Where {
            clients,
            sites,
            departments,
        })
}

fn name(n: usize, m: &Machine) -> String {
    format!("host{n}x{}{}{}", m.client, m.site, m.department)
}

fn build(machines: &[Machine], keep: impl Fn(&Machine) -> bool) -> Connection {
    let db = empty();
    // Every place is there in both fleets, with the same ids.
    for c in 0..3 {
        for s in 0..2 {
            for u in 0..3 {
                let department = if u == 0 {
                    String::new()
                } else {
                    format!("dept{c}{s}{u}")
                };
                inventory::place(
                    &db,
                    &format!("client{c}"),
                    &format!("site{c}{s}"),
                    &department,
                    NOW,
                )
                .unwrap();
            }
        }
    }
    // So are titles and versions: rows of one device stand in the order of these ids.
    for t in 0..4 {
        db.execute(
            "INSERT INTO software_titles (name, source) VALUES (?1, 'dpkg')",
            [format!("title{t}")],
        )
        .unwrap();
        let title = db.last_insert_rowid();
        for v in 0..3 {
            db.execute(
                "INSERT INTO software_versions (title_id, version) VALUES (?1, ?2)",
                (title, format!("1.{v}")),
            )
            .unwrap();
        }
    }
    for (n, m) in machines.iter().enumerate() {
        // Ids are the same too: who is left out is deleted before anything is known of it.
        let department = if m.department == 0 {
            String::new()
        } else {
            format!("dept{}{}{}", m.client, m.site, m.department)
        };
        let id = device(
            &db,
            &name(n, m),
            &format!("client{}", m.client),
            &format!("site{}{}", m.client, m.site),
            &department,
        );
        if !keep(m) {
            db.execute("UPDATE devices SET deleted_ms = 1 WHERE id = ?1", [id.0])
                .unwrap();
            continue;
        }
        fill(&db, id, m);
    }
    db
}

fn fill(db: &Connection, id: DeviceId, m: &Machine) {
    let found: Vec<_> = m
        .software
        .iter()
        .map(|(t, v)| software(&format!("title{t}"), &format!("1.{v}")))
        .collect();
    inventory::replace_software(db, id, &found, NOW).unwrap();
    inventory::replace_addresses(
        db,
        id,
        false,
        &[format!("10.{}.{}.{}", m.client, m.site, id.0)],
    )
    .unwrap();
    let missing: Vec<_> = m
        .patches
        .iter()
        .map(|p| MissingPatch {
            identifier: format!("KB{p}"),
            title: String::new(),
            class: PatchClass::Security,
            severity: Severity::Critical,
            cves: Vec::new(),
        })
        .collect();
    inventory::replace_missing_patches(db, id, &missing, NOW).unwrap();
    db.execute("INSERT INTO device_files (device_id, algorithm, hash, path, seen_ms) VALUES (?1, 'md5', ?2, '/x', 1)", (id.0, "d41d8cd98f00b204e9800998ecf8427e"))
        .unwrap();
}

fn scope(db: &Connection, w: &Where) -> Scope {
    let id = |sql: &str, name: String| -> i64 { db.query_row(sql, [name], |r| r.get(0)).unwrap() };
    Scope::Only(Places {
        clients: w
            .clients
            .iter()
            .map(|c| {
                id(
                    "SELECT id FROM clients WHERE name = ?1",
                    format!("client{c}"),
                )
            })
            .collect(),
        sites: w
            .sites
            .iter()
            .map(|(c, s)| {
                id(
                    "SELECT id FROM sites WHERE name = ?1",
                    format!("site{c}{s}"),
                )
            })
            .collect(),
        departments: w
            .departments
            .iter()
            .map(|(c, s, u)| {
                id(
                    "SELECT id FROM departments WHERE name = ?1",
                    format!("dept{c}{s}{u}"),
                )
            })
            .collect(),
    })
}

fn questions() -> Vec<(&'static str, Value)> {
    let mut all = vec![
        ("list_devices", json!({"limit": 200})),
        ("list_devices", json!({"search": "host1"})),
        (
            "list_devices",
            json!({"client": "client1", "limit": 1, "page": 2}),
        ),
        ("fleet_summary", json!({})),
        ("list_org", json!({})),
        ("list_org", json!({"client": "client1"})),
        ("list_patches", json!({})),
        ("find_on_fleet", json!({"indicator": "10.1.0.0/16"})),
        ("find_on_fleet", json!({"indicator": "10.0.1.3"})),
        (
            "find_on_fleet",
            json!({"indicator": "d41d8cd98f00b204e9800998ecf8427e"}),
        ),
        (
            "find_on_fleet",
            json!({"software": "title", "versions": ">1.0"}),
        ),
        ("find_on_fleet", json!({"indicator": "host3x000"})),
        ("get_job_status", json!({})),
        ("list_tasks", json!({})),
        ("list_checks", json!({})),
    ];
    for kind in ["software", "hardware", "machines"] {
        all.push((
            "inventory_report",
            json!({"report_type": kind, "mode": "rows", "limit": 1000}),
        ));
        all.push((
            "inventory_report",
            json!({"report_type": kind, "mode": "rows", "match": "2"}),
        ));
        for by in ["client", "site", "department"] {
            all.push((
                "inventory_report",
                json!({"report_type": kind, "group_by": by}),
            ));
            all.push((
                "inventory_report",
                json!({"report_type": kind, "group_by": by, "match": "1"}),
            ));
        }
    }
    for by in ["title", "version", "publisher", "source"] {
        all.push((
            "inventory_report",
            json!({"report_type": "software", "group_by": by}),
        ));
        all.push((
            "inventory_report",
            json!({"report_type": "software", "group_by": by, "site": "site10"}),
        ));
    }
    for by in [
        "platform",
        "os",
        "kind",
        "status",
        "model",
        "processor",
        "memory",
    ] {
        all.push((
            "inventory_report",
            json!({"report_type": "machines", "group_by": by}),
        ));
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_scope_shows_what_a_smaller_fleet_would_show(machines in prop::collection::vec(machine(), 0..14), w in places()) {
        let whole = build(&machines, |_| true);
        let part = build(&machines, |m| w.holds(m));
        let inside = scope(&whole, &w);
        let bob = Principal::with("bob", Permission::ALL, inside);
        for (tool, args) in questions() {
            // The part is asked with the same scope too: a place outside is refused in both.
            let one = call(&whole, &bob, tool, &args);
            let other = call(&part, &bob, tool, &args);
            match (one, other) {
                (Ok(one), Ok(other)) => {
                    prop_assert_eq!(json_of(&one), json_of(&other), "{} {}", tool, args);
                    prop_assert_eq!(open(&one.said), open(&other.said));
                }
                (Err(one), Err(other)) => prop_assert_eq!(one.sentence, other.sentence),
                (one, other) => prop_assert!(false, "{} {}: {:?} {:?}", tool, args, one, other),
            }
        }
        // Against a filter that shares nothing with the queries.
        let mut expected: Vec<String> = machines.iter().enumerate().filter(|(_, m)| w.holds(m)).map(|(n, m)| name(n, m)).collect();
        expected.sort();
        let listed = json_of(&call(&whole, &bob, "list_devices", &json!({"limit": 200})).unwrap());
        let hosts: Vec<String> = listed["rows"].as_array().unwrap().iter()
            .map(|r| r["device"].as_str().unwrap().split(' ').nth(1).unwrap().to_owned()).collect();
        prop_assert_eq!(&hosts, &expected);
        for (n, m) in machines.iter().enumerate() {
            let found = call(&whole, &bob, "get_inventory", &json!({"device": name(n, m)}));
            prop_assert_eq!(found.is_ok(), w.holds(m));
            let found = call(&whole, &bob, "list_patches", &json!({"device": format!("d-{}", n + 1)}));
            prop_assert_eq!(found.is_ok(), w.holds(m));
        }
        for t in 0..4_u8 {
            let naive = machines.iter().filter(|m| w.holds(m) && m.software.iter().any(|(x, _)| *x == t)).count();
            let found = json_of(&call(&whole, &bob, "inventory_report", &json!({"report_type": "software", "match": format!("title{t}")})).unwrap());
            prop_assert_eq!(found["rows"].as_array().unwrap().iter().map(|r| r["devices"].as_u64().unwrap()).sum::<u64>(), naive as u64);
        }
    }

    /// The kept counts are those of the rows after any sequence of collections, moves and deletions.
    #[test]
    fn kept_counts_follow_every_change(
        machines in prop::collection::vec(machine(), 1..6),
        steps in prop::collection::vec((0..6_usize, machine(), 0..4_u8), 0..12),
    ) {
        let db = build(&machines, |_| true);
        for (n, m, what) in steps {
            let id = DeviceId((n % machines.len()) as i64 + 1);
            let alive: bool = db.query_row("SELECT deleted_ms IS NULL FROM devices WHERE id = ?1", [id.0], |r| r.get(0)).unwrap();
            if !alive { continue; }
            match what {
                0 => { db.execute("UPDATE devices SET deleted_ms = 1 WHERE id = ?1", [id.0]).unwrap(); }
                1 => {
                    let department = if m.department == 0 { String::new() } else { format!("dept{}{}{}", m.client, m.site, m.department) };
                    let p = inventory::place(&db, &format!("client{}", m.client), &format!("site{}{}", m.client, m.site), &department, NOW).unwrap();
                    db.execute("UPDATE devices SET client_id = ?2, site_id = ?3, department_id = ?4 WHERE id = ?1", (id.0, p.client, p.site, p.department)).unwrap();
                }
                2 => { db.execute("INSERT OR IGNORE INTO device_software SELECT ?1, title_id, id, 0 FROM software_versions ORDER BY id LIMIT 2", [id.0]).unwrap(); }
                _ => fill_software(&db, id, &m),
            }
        }
        let counts = |db: &Connection| -> Vec<(i64, i64, i64, i64, i64)> {
            let mut all = Vec::new();
            for sql in [
                "SELECT title_id, version_id, client_id, 0, installs FROM software_counts WHERE installs > 0 ORDER BY 1, 2, 3",
                "SELECT title_id, client_id, 0, devices, installs FROM title_counts WHERE installs > 0 OR devices > 0 ORDER BY 1, 2, 3",
            ] {
                let mut s = db.prepare(sql).unwrap();
                all.extend(s.query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?, r.get(3)?, r.get(4)?))).unwrap().map(Result::unwrap));
            }
            all
        };
        let kept = counts(&db);
        inventory::rebuild_counts(&db).unwrap();
        prop_assert_eq!(kept, counts(&db));
    }
}

fn fill_software(db: &Connection, id: DeviceId, m: &Machine) {
    let found: Vec<_> = m
        .software
        .iter()
        .map(|(t, v)| software(&format!("title{t}"), &format!("1.{v}")))
        .collect();
    inventory::replace_software(db, id, &found, NOW).unwrap();
}

fn fixed() -> Connection {
    let db = empty();
    device(&db, "in", "A", "S", "dev");
    device(&db, "out", "A", "S", "");
    device(&db, "far", "B", "T", "");
    db
}

#[test]
fn one_target_outside_hides_the_whole_job_even_without_a_department() {
    let db = fixed();
    for (title, targets) in [
        ("mine", vec![1]),
        ("mixed", vec![1, 2]),
        ("theirs", vec![3]),
    ] {
        db.execute(
            "INSERT INTO jobs (title, shell, body, target_count, digest, proposed_by, proposer, proposed_ms, expires_ms)
             VALUES (?1, 'sh', 'id', ?2, ?3, 'anna', 'ai', 1, 2)",
            (title, targets.len() as i64, "0".repeat(64)),
        )
        .unwrap();
        let job = db.last_insert_rowid();
        for d in targets {
            db.execute(
                "INSERT INTO job_targets (job_id, device_id) VALUES (?1, ?2)",
                (job, d),
            )
            .unwrap();
        }
    }
    // The scope is the department; `out` has none, and NULL must not read as inside.
    let department = Scope::Only(Places {
        departments: [1].into(),
        ..Places::default()
    });
    let bob = Principal::with("bob", Permission::ALL, department);
    let jobs = json_of(&call(&db, &bob, "get_job_status", &json!({})).unwrap());
    assert_eq!(
        (jobs["total"].clone(), jobs["rows"][0]["title"].clone()),
        (json!(1), json!("mine"))
    );
    let hidden = call(&db, &bob, "get_job_status", &json!({"job": "j-2"})).unwrap_err();
    let unknown = call(&db, &bob, "get_job_status", &json!({"job": "j-99"})).unwrap_err();
    assert_eq!(hidden.sentence, unknown.sentence);
    let all = json_of(&call(&db, &Principal::owner("anna"), "get_job_status", &json!({})).unwrap());
    assert_eq!(all["total"], 3);
    let said = open(
        &call(&db, &bob, "get_job_status", &json!({"job": "j-1"}))
            .unwrap()
            .said,
    );
    assert!(
        said.contains("waits for approval: nothing has run"),
        "{said}"
    );
}

#[test]
fn monitoring_and_operations_are_seen_only_where_all_of_their_target_is() {
    let db = fixed();
    for (name, column, id) in [
        ("c", "client_id", 1),
        ("s", "site_id", 1),
        ("d", "device_id", 1),
        ("o", "device_id", 2),
        ("x", "client_id", 2),
    ] {
        db.execute(
            &format!("INSERT INTO tasks (name, {column}, schedule, shell, body, created_by, created_ms) VALUES (?1, ?2, '* * * * *', 'sh', 'id', 'anna', 1)"),
            (name, id),
        )
        .unwrap();
    }
    let seen = |places: Places| -> String {
        let bob = Principal::with("bob", Permission::ALL, Scope::Only(places));
        let rows = json_of(&call(&db, &bob, "list_tasks", &json!({})).unwrap());
        rows["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|r| r["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        seen(Places {
            departments: [1].into(),
            ..Places::default()
        }),
        "d"
    );
    assert_eq!(
        seen(Places {
            sites: [1].into(),
            ..Places::default()
        }),
        "sdo"
    );
    assert_eq!(
        seen(Places {
            clients: [1].into(),
            ..Places::default()
        }),
        "csdo"
    );
    assert_eq!(seen(Places::default()), "");

    for (devices, site) in [(vec![1], 1), (vec![1], 2), (vec![1, 3], 1)] {
        db.execute(
            "INSERT INTO device_operations (kind, dest_site_id, device_count, digest, proposed_by, proposer, proposed_ms, expires_ms)
             VALUES ('move', ?1, ?2, ?3, 'anna', 'ai', 1, 2)",
            (site, devices.len() as i64, "0".repeat(64)),
        )
        .unwrap();
        let op = db.last_insert_rowid();
        for d in devices {
            db.execute(
                "INSERT INTO device_operation_targets (operation_id, device_id) VALUES (?1, ?2)",
                (op, d),
            )
            .unwrap();
        }
    }
    let seen = |places: Places| -> Vec<i64> {
        let mut query = fleet::sql::Query::new("SELECT o.id FROM device_operations o WHERE");
        query.append(&fleet::scope::operations(&Scope::Only(places), "o"));
        query.push("ORDER BY 1", []);
        query.rows(&db, |r| r.get(0)).unwrap()
    };
    assert_eq!(
        seen(Places {
            sites: [1].into(),
            ..Places::default()
        }),
        [1]
    );
    assert_eq!(
        seen(Places {
            clients: [1, 2].into(),
            ..Places::default()
        }),
        [1, 2, 3]
    );
    // A department is not the site: nothing may be moved to the site by who sees the department only.
    assert_eq!(
        seen(Places {
            departments: [1].into(),
            ..Places::default()
        }),
        Vec::<i64>::new()
    );
}

#[test]
fn a_scoped_principal_reads_neither_audit_nor_policies() {
    let db = fixed();
    let bob = Principal::with(
        "bob",
        Permission::ALL,
        Scope::Only(Places {
            clients: [1, 2].into(),
            ..Places::default()
        }),
    );
    for tool in ["query_audit", "list_policies"] {
        assert_eq!(
            call(&db, &bob, tool, &json!({})).unwrap_err().key,
            fleet::tools::RefusalKey::Access
        );
    }
    assert!(matches!(
        fleet::audit::summary(&db, &bob, &fleet::audit::Filter::default()),
        Err(fleet::audit::AuditError::Scoped)
    ));
}

//! Whatever is proposed, whatever changes, whoever tries: nothing happens unless one who may approved it, and
//! then once. And two who approve at the same time: one wins, and the other is told who.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "helpers of tests fail like tests"
)]

mod desk;
mod support;

use desk::{Desk, HOUR, desk, fill, owner, script, task};
use fleet::approvals::{self, Ask, Decision, Denial};
use fleet::audit::Plain;
use fleet::backend::Directory;
use fleet::model::{DeviceId, PrincipalKind};
use fleet::proposals::{Acting, Proposed, Status};
use fleet::tools::Ctx;
use kit::principal::{Permission as P, Places, Principal, Scope};
use proptest::prelude::*;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Barrier};
use std::time::Duration;
use support::{NOW, Open};

#[derive(Clone, Debug)]
enum Ask1 {
    Script(Vec<usize>),
    Move(Vec<usize>, usize),
    Delete(Vec<usize>),
    Task(usize),
}

#[derive(Clone, Debug)]
enum Step {
    Propose(Ask1),
    Drift(usize, usize),
    /// Which proposal, which person, the right digest, the right count, a change of heart.
    Decide {
        which: usize,
        who: usize,
        digest: bool,
        count: bool,
        deny: bool,
    },
    TakePermission(usize, usize),
    Wait(i64),
}

const ALL: [P; 7] = [
    P::JobsApprove,
    P::JobsView,
    P::ClientsManage,
    P::DevicesDelete,
    P::DevicesView,
    P::TasksManage,
    P::TasksView,
];

fn scopes() -> [Scope; 5] {
    let only = |clients: &[i64], sites: &[i64], departments: &[i64]| {
        Scope::Only(Places {
            clients: clients.iter().copied().collect(),
            sites: sites.iter().copied().collect(),
            departments: departments.iter().copied().collect(),
        })
    };
    [
        Scope::All,
        only(&[1], &[], &[]),
        only(&[], &[1], &[]),
        only(&[2], &[], &[1]),
        only(&[], &[], &[]),
    ]
}

fn devices() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::btree_set(1_usize..=3, 1..=3).prop_map(|s| s.into_iter().collect())
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => prop_oneof![
            devices().prop_map(Ask1::Script),
            (devices(), 2_usize..=3).prop_map(|(d, s)| Ask1::Move(d, s)),
            devices().prop_map(Ask1::Delete),
            (1_usize..=4).prop_map(Ask1::Task),
        ].prop_map(Step::Propose),
        2 => (0_usize..4, 0_usize..5).prop_map(|(d, k)| Step::Drift(d, k)),
        6 => (0_usize..6, 0_usize..4, prop::bool::weighted(0.95), prop::bool::weighted(0.95), prop::bool::weighted(0.05))
            .prop_map(|(which, who, digest, count, deny)| Step::Decide { which, who, digest, count, deny }),
        1 => (0_usize..4, 0_usize..ALL.len()).prop_map(|(w, p)| Step::TakePermission(w, p)),
        1 => prop_oneof![Just(HOUR), Just(23 * HOUR), Just(24 * HOUR)].prop_map(Step::Wait),
    ]
}

/// Everything that an act would change.
fn world(desk: &Desk) -> String {
    desk.text(
        "SELECT json_array(
            (SELECT json_group_array(json_array(id, client_id, site_id, department_id, deleted_ms)) FROM devices),
            (SELECT json_group_array(json_array(id, status, approved_by)) FROM jobs),
            (SELECT json_group_array(json_array(job_id, device_id, status)) FROM job_targets),
            (SELECT json_group_array(json_array(id, status, approved_by)) FROM device_operations),
            (SELECT json_group_array(json_array(id, enabled, approved_by)) FROM tasks))",
    )
}

/// What the rules say by themselves, written a second time and in another way: in terms of single devices.
fn may(
    desk: &Desk,
    who: &Principal,
    p: &Proposed,
    names: &BTreeMap<i64, String>,
    live: &BTreeSet<P>,
) -> bool {
    let needed = match p.tool.as_str() {
        "propose_script" => P::JobsApprove,
        "propose_move_devices" => P::ClientsManage,
        "propose_delete_devices" => P::DevicesDelete,
        _ => P::TasksManage,
    };
    let id: i64 = p.subject;
    let (targets, state) = match p.tool.as_str() {
        "propose_script" => (
            format!("SELECT device_id, state_hash FROM job_targets WHERE job_id = {id}"),
            "jobs",
        ),
        "propose_task" => (
            format!(
                "SELECT device_id, (SELECT state FROM fleet_proposals WHERE n = {}) AS state_hash FROM tasks WHERE id = {id}",
                p.n
            ),
            "tasks",
        ),
        _ => (
            format!(
                "SELECT device_id, state_hash FROM device_operation_targets WHERE operation_id = {id}"
            ),
            "device_operations",
        ),
    };
    let open: bool = desk
        .db
        .query_row(
            &format!("SELECT status = 'awaiting_approval' AND expires_ms > {} FROM fleet_proposals WHERE n = {}", desk.now, p.n),
            [],
            |r| r.get(0),
        )
        .unwrap();
    let mut statement = desk.db.prepare(&format!(
        "SELECT d.client_id, d.site_id, d.department_id, d.status, d.deleted_ms, d.hostname, t.state_hash, d.id FROM ({targets}) t JOIN devices d ON d.id = t.device_id"
    )).unwrap();
    let mut rows = statement.query([]).unwrap();
    let (mut inside, mut same, mut n, mut online) = (true, true, 0, 0);
    while let Some(r) = rows.next().unwrap() {
        let (client, site, department): (i64, i64, Option<i64>) =
            (r.get(0).unwrap(), r.get(1).unwrap(), r.get(2).unwrap());
        let state: String = r.get(6).unwrap();
        let was_online = state.contains("/on/");
        let is_online = r.get::<_, String>(3).unwrap() == "online";
        n += 1;
        inside &= who.scope.holds(client, site, department);
        same &= state.starts_with(&format!("{client}.{site}.{}/", department.unwrap_or(0)));
        same &= r.get::<_, Option<i64>>(4).unwrap().is_none();
        same &= names.get(&r.get(7).unwrap()) == Some(&r.get(5).unwrap());
        match p.tool.as_str() {
            "propose_script" => online += usize::from(!was_online || is_online),
            "propose_task" => online += 1,
            "propose_move_devices" => same &= !was_online || is_online,
            _ => same &= was_online == is_online,
        }
    }
    if matches!(p.tool.as_str(), "propose_script" | "propose_task") {
        same &= online > 0;
    }
    if p.tool == "propose_move_devices" {
        let (client, site): (i64, i64) = desk
            .db
            .query_row(&format!("SELECT s.client_id, s.id FROM {state} o JOIN sites s ON s.id = o.dest_site_id WHERE o.id = {id}"), [], |r| Ok((r.get(0)?, r.get(1)?)))
            .unwrap();
        inside &= who.scope.holds(client, site, None);
    }
    open && n > 0 && inside && same && live.contains(&needed)
}

fn names(desk: &Desk) -> BTreeMap<i64, String> {
    let mut statement = desk.db.prepare("SELECT id, hostname FROM devices").unwrap();
    let rows = statement
        .query_map([], |r| Ok((r.get(0)?, r.get(1)?)))
        .unwrap();
    rows.map(Result::unwrap).collect()
}

fn drift(desk: &Desk, device: usize, kind: usize) {
    let id = device + 1;
    let change = match kind {
        0 => "status = 'offline'",
        1 => "status = 'online'",
        2 => "client_id = 1, site_id = 2, department_id = NULL",
        3 => "client_id = 2, site_id = 3, department_id = NULL",
        _ => "hostname = hostname || 'x'",
    };
    desk.run(&format!(
        "UPDATE devices SET {change} WHERE id = {id} AND deleted_ms IS NULL"
    ));
}

fn args(ask: &Ask1) -> (&'static str, serde_json::Value) {
    let ids = |d: &[usize]| d.iter().map(|n| format!("d-{n}")).collect::<Vec<_>>();
    match ask {
        Ask1::Script(d) => {
            let mut args = script(&[]);
            args["devices"] = json!(ids(d));
            ("propose_script", args)
        }
        Ask1::Move(d, site) => (
            "propose_move_devices",
            json!({ "devices": ids(d), "site": format!("s-{site}") }),
        ),
        Ask1::Delete(d) => ("propose_delete_devices", json!({ "devices": ids(d) })),
        Ask1::Task(d) => ("propose_task", task(DeviceId(i64::try_from(*d).unwrap()))),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn nothing_happens_unless_one_who_may_approved_it_and_then_once(
        people in proptest::collection::vec((proptest::collection::vec(prop::bool::weighted(0.85), ALL.len()), 0_usize..5, prop::bool::weighted(0.85)), 4),
        steps in proptest::collection::vec(step(), 1..40),
    ) {
        let mut desk = desk();
        let mut persons: Vec<(Principal, BTreeSet<P>)> = Vec::new();
        for (n, (permissions, scope, person)) in people.iter().enumerate() {
            let held: BTreeSet<P> = ALL.into_iter().zip(permissions).filter(|(_, held)| **held).map(|(p, _)| p).collect();
            let list: Vec<P> = held.iter().copied().collect();
            let kind = if *person { PrincipalKind::Person } else { PrincipalKind::Connector };
            let who = desk.principal(&format!("p{n}"), kind, &list, scopes()[*scope].clone());
            persons.push((who, if *person { held } else { BTreeSet::new() }));
        }
        let mut made: Vec<(Proposed, BTreeMap<i64, String>)> = Vec::new();
        let mut done: BTreeSet<u64> = BTreeSet::new();
        for step in &steps {
            match step {
                Step::Propose(ask) => {
                    let (tool, args) = args(ask);
                    // Refused where the fleet is not as the call expects: two clients, already there, deleted.
                    if let Ok((_, new)) = desk.try_call(&owner(), tool, &args) {
                        let names = names(&desk);
                        made.extend(new.into_iter().map(|p| (p, names.clone())));
                    }
                }
                Step::Drift(device, kind) => drift(&desk, *device, *kind),
                Step::TakePermission(who, permission) => {
                    let (person, live) = &mut persons[*who];
                    live.remove(&ALL[*permission]);
                    desk.run(&format!(
                        "DELETE FROM principal_permissions WHERE permission = '{}' AND principal_id = (SELECT id FROM principals WHERE name = '{}')",
                        ALL[*permission], person.name
                    ));
                }
                Step::Wait(ms) => desk.now += ms,
                Step::Decide { which, who, digest, count, deny } => {
                    let Some((p, names)) = made.get(*which).cloned() else { continue };
                    let (person, live) = &persons[*who];
                    let before = world(&desk);
                    if *deny {
                        let denied = desk.step(person, false, |a| approvals::deny(a, p.n, "no")).unwrap();
                        if matches!(denied, Decision::Done(_)) {
                            prop_assert!(done.insert(p.n), "decided twice");
                        }
                        continue;
                    }
                    let may = may(&desk, person, &p, &names, live);
                    let typed = if p.count == *count { Some(p.devices) } else if p.count { None } else { Some(p.devices + 1) };
                    let right_count = if p.count { *count } else { typed.is_none() || typed == Some(p.devices) };
                    let digest_given = if *digest { p.digest.clone() } else { "0".repeat(64) };
                    let ask = Ask { n: p.n, digest: &digest_given, typed_count: typed };
                    let decision = desk.step(person, false, |a| approvals::approve(a, &ask)).unwrap();
                    let expected = may && *digest && right_count;
                    match decision {
                        Decision::Done(outcome) => {
                            prop_assert!(expected, "{outcome:?} by {person:?}");
                            prop_assert!(done.insert(p.n), "decided twice: {outcome:?}");
                            prop_assert_ne!(before, world(&desk), "approved and nothing happened");
                        }
                        Decision::Refused(denial) => {
                            prop_assert!(!expected, "{denial} for {p:?} by {person:?}");
                            if !matches!(denial, Denial::Expired(_)) {
                                prop_assert_eq!(before, world(&desk), "refused and something happened: {}", denial);
                            }
                        }
                    }
                }
            }
        }
        // Nothing is approved but by one decision of a proposal, and every act has its row in the audit.
        let acts = desk.text(
            "SELECT (SELECT count(*) FROM jobs WHERE approved_by <> '') + (SELECT count(*) FROM device_operations WHERE approved_by <> '')
                  + (SELECT count(*) FROM tasks WHERE approved_by <> '')",
        );
        prop_assert_eq!(&acts, &desk.text("SELECT count(*) FROM fleet_proposals WHERE status = 'approved'"));
        prop_assert_eq!(&acts, &desk.text("SELECT count(*) FROM fleet_audit WHERE verb = 'approve' AND result = 'ok'"));
        desk.audit_is_whole();
    }
}

#[test]
fn two_who_delete_the_same_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("fleet.db");
    for round in 0..10 {
        let path = path.with_extension(format!("{round}.db"));
        let db = Connection::open(&path).unwrap();
        db.pragma_update(None, "journal_mode", "wal").unwrap();
        let desk = fill(db);
        for name in ["ann", "bob"] {
            desk.person(name, &[P::DevicesDelete], Scope::All);
        }
        let args = json!({ "devices": [desk.web, desk.sql] });
        let p = desk.propose(&owner(), "propose_delete_devices", &args);
        let start = Arc::new(Barrier::new(2));
        let threads: Vec<_> = ["ann", "bob"]
            .into_iter()
            .map(|name| {
                let (path, start, digest, n) =
                    (path.clone(), Arc::clone(&start), p.digest.clone(), p.n);
                std::thread::spawn(move || {
                    let db = Connection::open(&path).unwrap();
                    db.busy_timeout(Duration::from_secs(30)).unwrap();
                    db.pragma_update(None, "foreign_keys", true).unwrap();
                    let backends = Directory::default();
                    let who = Principal::with(name, [P::DevicesDelete], Scope::All);
                    start.wait();
                    let tx =
                        Transaction::new_unchecked(&db, TransactionBehavior::Immediate).unwrap();
                    let acting = Acting {
                        ctx: Ctx {
                            connection: &tx,
                            principal: &who,
                            backends: &backends,
                            now_ms: NOW + 1,
                            case: None,
                            by_model: false,
                            random: [7; 32],
                        },
                        chain: &Plain,
                        redactor: &Open,
                        expiry_ms: HOUR,
                    };
                    let ask = Ask {
                        n,
                        digest: &digest,
                        typed_count: Some(2),
                    };
                    let decision = approvals::approve(&acting, &ask).unwrap();
                    tx.commit().unwrap();
                    (name, decision)
                })
            })
            .collect();
        let decisions: Vec<_> = threads.into_iter().map(|t| t.join().unwrap()).collect();
        let winner: Vec<&str> = decisions
            .iter()
            .filter(|(_, d)| matches!(d, Decision::Done(_)))
            .map(|(name, _)| *name)
            .collect();
        assert_eq!(winner.len(), 1, "{decisions:?}");
        let told = decisions.iter().find_map(|(_, d)| match d {
            Decision::Refused(Denial::Decided { by, status, .. }) => Some((by.as_str(), *status)),
            _ => None,
        });
        assert_eq!(told, Some((winner[0], Status::Approved)));
        assert_eq!(
            desk.text(
                "SELECT count(*) FROM fleet_audit WHERE family = 'device' AND verb = 'delete'"
            ),
            "2"
        );
        assert_eq!(
            desk.text("SELECT approved_by FROM device_operations"),
            winner[0]
        );
        desk.audit_is_whole();
    }
}

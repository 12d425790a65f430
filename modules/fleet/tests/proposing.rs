//! Who may propose what and where, and what a call becomes.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod desk;
mod support;

use desk::{desk, examine, last, of_a, of_b, of_dev, owner, patch, script, task};
use fleet::model::DeviceId;
use fleet::tools;
use kit::Scope;
use kit::principal::{Permission as P, Principal};
use kit::tool::Effect;
use serde_json::{Value, json};
use support::device;

/// Every tool of this part with the permission it needs and a call about d-1 (client A, department dev).
fn calls() -> Vec<(&'static str, P, Value)> {
    let web = DeviceId(1);
    vec![
        ("propose_script", P::JobsCreate, script(&[web])),
        ("propose_bulk_deploy", P::JobsCreate, script(&[web])),
        (
            "install_software",
            P::JobsCreate,
            json!({ "devices": [web], "package": "htop" }),
        ),
        (
            "uninstall_software",
            P::JobsCreate,
            json!({ "devices": [web], "package": "htop" }),
        ),
        (
            "restart_service",
            P::JobsCreate,
            json!({ "devices": [web], "service": "nginx" }),
        ),
        (
            "install_printer",
            P::JobsCreate,
            json!({ "devices": [web], "name": "desk", "host": "192.0.2.5" }),
        ),
        ("flush_dns", P::JobsCreate, json!({ "devices": [web] })),
        (
            "reboot_device",
            P::JobsCreate,
            json!({ "devices": [web], "delay_minutes": 5 }),
        ),
        ("propose_task", P::TasksManage, task(web)),
        (
            "propose_check",
            P::ChecksManage,
            json!({ "name": "cpu", "kind": "cpu", "error": 95, "device": web }),
        ),
        (
            "propose_delete_devices",
            P::DevicesDelete,
            json!({ "devices": [web] }),
        ),
        (
            "install_patches",
            P::PatchesManage,
            json!({ "devices": [web], "patches": ["KB1"] }),
        ),
    ]
}

#[test]
fn permission_and_scope_are_two_gates_for_every_tool() {
    let desk = desk();
    patch(&desk, desk.web, 1, "KB1", "olga");
    for (tool, permission, args) in calls() {
        for held in P::ALL {
            for (scope, inside) in [
                (Scope::All, true),
                (of_a(), true),
                (of_dev(), true),
                (of_b(), false),
                (Scope::default(), false),
            ] {
                let who = Principal::with("who", [held], scope);
                let listed = tools::catalog(&who).any(|t| t.name == tool);
                let seen = examine(&desk, &who, tool, &args);
                assert_eq!(listed, held == permission, "{tool} {held}");
                assert_eq!(seen.access.is_ok(), held == permission, "{tool} {held}");
                if held == permission {
                    assert_eq!(seen.scope.is_ok(), inside, "{tool} {held} {:?}", who.scope);
                    assert_eq!(seen.arguments.as_ref().err(), None, "{tool}");
                }
            }
        }
        // The same again when the call arrives.
        let all_but: Vec<P> = P::ALL.into_iter().filter(|p| *p != permission).collect();
        let denied = desk
            .try_call(&Principal::with("x", all_but, Scope::All), tool, &args)
            .unwrap_err();
        assert_eq!(denied.key.name(), "access", "{tool}");
        let blind = desk
            .try_call(&Principal::with("x", P::ALL, of_b()), tool, &args)
            .unwrap_err();
        assert_eq!(blind.key.name(), "scope", "{tool}");
        // What is outside and what does not exist read alike.
        let mut gone = args.clone();
        if gone.get("device").is_some() {
            gone["device"] = json!("d-1");
        }
        let text = gone.to_string().replace("d-1", "d-999");
        let missing = desk
            .try_call(
                &Principal::with("x", P::ALL, of_b()),
                tool,
                &serde_json::from_str(&text).unwrap(),
            )
            .unwrap_err();
        assert_eq!(missing.sentence, blind.sentence, "{tool}");
    }
    assert_eq!(desk.text("SELECT count(*) FROM fleet_proposals"), "0");
    let refusals: usize = desk
        .text("SELECT count(*) FROM fleet_audit WHERE result = 'refused' AND family = 'tool'")
        .parse()
        .unwrap();
    assert_eq!(refusals, calls().len() * 3);
    desk.audit_is_whole();
}

#[test]
fn a_proposal_changes_nothing_but_rows_that_wait() {
    let desk = desk();
    for (tool, _, args) in calls().into_iter().filter(|c| c.0 != "install_patches") {
        let before = desk.text(
            "SELECT json_group_array(hostname || site_id || ifnull(deleted_ms, '')) FROM devices",
        );
        desk.propose(&owner(), tool, &args);
        assert_eq!(desk.text("SELECT json_group_array(hostname || site_id || ifnull(deleted_ms, '')) FROM devices"), before);
    }
    assert_eq!(
        desk.text(
            "SELECT count(*) FROM jobs WHERE status <> 'awaiting_approval' OR approved_by <> ''"
        ),
        "0"
    );
    assert_eq!(desk.text("SELECT (SELECT count(*) FROM tasks WHERE enabled) + (SELECT count(*) FROM checks WHERE enabled)"), "0");
}

#[test]
fn arguments_are_named_when_they_are_wrong() {
    let desk = desk();
    let cases = [
        (
            "propose_script",
            json!({ "devices": ["d-1"], "shell": "zsh", "name": "x", "script": "id", "expected_effect": "e" }),
            "shell",
        ),
        (
            "propose_script",
            json!({ "devices": [], "shell": "sh", "name": "x", "script": "id", "expected_effect": "e" }),
            "devices",
        ),
        (
            "propose_script",
            json!({ "devices": ["d-1"], "shell": "sh", "name": "x", "script": "id\u{0}", "expected_effect": "e" }),
            "script",
        ),
        (
            "propose_script",
            json!({ "devices": ["d-1"], "shell": "powershell", "name": "x", "script": "id", "expected_effect": "e" }),
            "shell",
        ),
        (
            "propose_script",
            json!({ "devices": ["d-1", "d-4"], "shell": "sh", "name": "x", "script": "id", "expected_effect": "e" }),
            "devices",
        ),
        (
            "propose_script",
            json!({ "devices": ["d-1"], "shell": "sh", "name": "x", "script": "id", "expected_effect": "e", "as": "root" }),
            "field too many",
        ),
        (
            "propose_task",
            json!({ "name": "x", "schedule": "61 * * * *", "shell": "sh", "script": "id", "device": "d-1" }),
            "schedule",
        ),
        (
            "propose_task",
            json!({ "name": "x", "schedule": "1 * * * *", "shell": "sh", "script": "id" }),
            "site",
        ),
        (
            "propose_task",
            json!({ "name": "x", "schedule": "1 * * * *", "shell": "sh", "script": "id", "site": "S", "client": "A" }),
            "site",
        ),
        (
            "propose_check",
            json!({ "name": "x", "kind": "disk", "target": "/", "site": "S" }),
            "error",
        ),
        (
            "propose_check",
            json!({ "name": "x", "kind": "disk", "target": "/", "site": "S", "warning": 90, "error": 80 }),
            "error",
        ),
        (
            "propose_check",
            json!({ "name": "x", "kind": "cpu", "target": "/", "site": "S", "error": 80 }),
            "target",
        ),
        (
            "propose_check",
            json!({ "name": "x", "kind": "script", "site": "S" }),
            "script",
        ),
        (
            "propose_policy",
            json!({ "name": "x", "settings": { "a": [1] } }),
            "settings.a",
        ),
        (
            "propose_move_devices",
            json!({ "devices": ["d-1"], "site": "T", "department": "u-1" }),
            "department",
        ),
        (
            "restart_service",
            json!({ "devices": ["d-1"], "service": "nginx; reboot" }),
            "service",
        ),
        (
            "install_printer",
            json!({ "devices": ["d-1"], "name": "p", "host": "$(id)" }),
            "host",
        ),
        ("cancel_job", json!({ "job": "seven" }), "job"),
    ];
    for (tool, args, field) in cases {
        let seen = examine(&desk, &owner(), tool, &args);
        let sentence = seen.arguments.unwrap_err();
        assert!(sentence.contains(field), "{tool}: {sentence}");
        let refusal = desk.try_call(&owner(), tool, &args).unwrap_err();
        assert_eq!(
            (refusal.key.name(), refusal.sentence),
            ("arguments", sentence)
        );
    }
    // Already where it should go.
    let there = json!({ "devices": ["d-1"], "site": "S", "department": "dev" });
    assert_eq!(
        desk.try_call(&owner(), "propose_move_devices", &there)
            .unwrap_err()
            .key
            .name(),
        "conflict"
    );
}

#[test]
fn the_same_call_has_one_form() {
    let desk = desk();
    let a = examine(
        &desk,
        &owner(),
        "propose_delete_devices",
        &json!({ "why": "old", "devices": ["d-1"] }),
    );
    let b = examine(
        &desk,
        &owner(),
        "propose_delete_devices",
        &json!({ "devices": ["d-1"], "why": "old" }),
    );
    let c = examine(
        &desk,
        &owner(),
        "propose_delete_devices",
        &json!({ "devices": ["d-1"], "why": null }),
    );
    assert_eq!(
        a.arguments.as_ref().unwrap().to_string(),
        b.arguments.unwrap().to_string()
    );
    assert_eq!(c.arguments.unwrap().to_string(), r#"{"devices":["d-1"]}"#);
    assert_eq!(a.effect, Effect::Propose);
}

#[test]
fn five_hundred_and_no_more() {
    let desk = desk();
    let tx = desk.db.unchecked_transaction().unwrap();
    for n in 0..501 {
        device(&tx, &format!("pc{n}"), "C", "V", "");
    }
    tx.commit().unwrap();
    desk.run("UPDATE devices SET platform = 'linux', connection = 'local' WHERE id > 4");
    let ids: Vec<String> = (5..=505).map(|n| format!("d-{n}")).collect();
    for tool in [
        "propose_delete_devices",
        "propose_script",
        "propose_bulk_deploy",
    ] {
        let mut args = if tool == "propose_delete_devices" {
            json!({})
        } else {
            script(&[])
        };
        args["devices"] = json!(ids);
        assert_eq!(
            desk.try_call(&owner(), tool, &args).unwrap_err().key.name(),
            "arguments",
            "{tool}"
        );
        args["devices"] = json!(ids[..500]);
        let p = desk.propose(&owner(), tool, &args);
        assert_eq!((p.devices, p.count), (500, true));
    }
    let mut site = script(&[]);
    site["devices"] = json!([]);
    site["site"] = json!("V");
    assert_eq!(
        desk.try_call(&owner(), "propose_bulk_deploy", &site)
            .unwrap_err()
            .key
            .name(),
        "arguments"
    );
    assert_eq!(
        desk.approved(&owner(), &last(&desk), Some(500)).status,
        "approved"
    );
}

#[test]
fn a_bulk_deployment_never_spans_clients() {
    let desk = desk();
    let args = script(&[desk.web, desk.sql, desk.mail, desk.other]);
    let (said, made) = desk
        .try_call(&owner(), "propose_bulk_deploy", &args)
        .unwrap();
    assert!(
        said.starts_with("Nothing has happened yet. 2 proposals"),
        "{said}"
    );
    assert_eq!(
        made.iter()
            .map(|p| (p.devices, p.count))
            .collect::<Vec<_>>(),
        [(3, true), (1, true)]
    );
    assert_eq!(desk.text("SELECT count(DISTINCT batch) || ' ' || count(DISTINCT client_id) FROM jobs WHERE batch <> ''"), "1 2");
    assert_eq!(
        desk.text("SELECT count(*) FROM jobs j JOIN job_targets t ON t.job_id = j.id JOIN devices d ON d.id = t.device_id WHERE d.client_id <> j.client_id"),
        "0"
    );
    // One approval each, with its own number.
    assert_eq!(desk.refused(&owner(), &made[0], Some(4)).key(), "count");
    assert_eq!(
        desk.approved(&owner(), &made[0], Some(3)).status,
        "approved"
    );
    assert_eq!(
        desk.text("SELECT group_concat(status) FROM jobs"),
        "approved,awaiting_approval"
    );
    // A scope takes its own part only.
    let ann = desk.person("ann", &[P::JobsCreate], of_b());
    let mut site = script(&[]);
    site["client"] = json!("B");
    let (_, made) = desk.try_call(&ann, "propose_bulk_deploy", &site).unwrap();
    assert_eq!(made[0].devices, 1);
}

#[test]
fn an_intent_becomes_one_job_for_each_system() {
    let desk = desk();
    desk.run("UPDATE devices SET platform = 'windows', os = 'Windows 11' WHERE id = 2");
    desk.run("UPDATE devices SET os = 'Red Hat Enterprise Linux' WHERE id = 3");
    let args = json!({ "devices": ["d-1", "d-2", "d-4"], "package": "Git.Git" });
    // A name that winget takes and apt does not.
    assert!(
        desk.try_call(&owner(), "install_software", &args)
            .unwrap_err()
            .sentence
            .contains("Linux with apt")
    );
    let args = json!({ "devices": ["d-1", "d-2", "d-3", "d-4"] });
    let (_, made) = desk.try_call(&owner(), "flush_dns", &args).unwrap();
    assert_eq!(made.len(), 4);
    assert_eq!(
        desk.text("SELECT group_concat(shell, ' ') FROM jobs"),
        "powershell sh sh sh"
    );
    assert_eq!(desk.text("SELECT count(DISTINCT batch) FROM jobs"), "1");
    assert_eq!(
        desk.text("SELECT json_extract(params, '$.needs_root') FROM jobs LIMIT 1"),
        "1"
    );
    let other = json!({ "devices": ["d-1"] });
    desk.run("UPDATE devices SET platform = 'other' WHERE id = 1");
    assert_eq!(
        desk.try_call(&owner(), "flush_dns", &other)
            .unwrap_err()
            .key
            .name(),
        "unsupported"
    );
}

#[test]
fn a_plain_call_of_a_tool_that_writes_is_refused() {
    let desk = desk();
    for (tool, _, args) in calls() {
        let olga = owner();
        let refusal = tools::call(
            &desk.ctx(&desk.db, &olga, true),
            tools::find(tool).unwrap(),
            &args.to_string(),
        )
        .unwrap_err();
        assert_eq!(refusal.key.name(), "internal", "{tool}");
    }
    assert_eq!(desk.text("SELECT count(*) FROM jobs"), "0");
}

#[test]
fn schemas_are_closed_and_small() {
    for tool in tools::all() {
        let spec = tool.spec();
        assert_eq!(
            spec.parameters["additionalProperties"],
            json!(false),
            "{}",
            spec.name
        );
        let text = spec.parameters.to_string();
        assert!(
            !text.contains("$ref") && !text.contains("\"null\""),
            "{text}"
        );
        assert!(text.len() < 4_000, "{} {}", spec.name, text.len());
        assert!(!spec.description.is_empty() && spec.description.len() < 300);
    }
    assert!(
        tools::all().all(|t| !t.name.contains("approve")),
        "no tool approves"
    );
}

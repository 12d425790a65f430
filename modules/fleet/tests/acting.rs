//! What acts without a proposal: patches that a person let in, and the stop of what a case started.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod desk;
mod support;

use desk::{CASE, desk, examine, last, of_a, of_b, owner, patch, script};
use fleet::approvals::{self, PatchDecision};
use fleet::proposals::Kind;
use fleet::tools;
use kit::principal::{Permission as P, Principal};
use kit::tool::Effect;
use serde_json::json;

#[test]
fn patches_are_installed_only_when_a_person_let_them_in() {
    let desk = desk();
    for (n, name) in [(1, "KB1"), (2, "KB2"), (3, "KB3")] {
        patch(&desk, desk.web, n, name, "");
    }
    let all = json!({ "devices": ["d-1"], "patches": ["KB1", "KB2"] });
    let seen = examine(&desk, &owner(), "install_patches", &all);
    assert_eq!(seen.effect, Effect::ActOnApproved);
    let why = seen.approved.unwrap_err();
    assert!(why.contains("no person approved KB1, KB2."), "{why}");
    let refusal = desk
        .try_call(&owner(), "install_patches", &all)
        .unwrap_err();
    assert_eq!(
        (refusal.key.name(), refusal.sentence),
        ("not-approved", why)
    );
    // A model approves nothing, nor does who has no right to.
    let names = ["KB1".to_owned(), "KB2".to_owned()];
    let decide = |who: &Principal, by_model: bool, what| {
        desk.step(who, by_model, |a| {
            approvals::decide_patches(a, what, &[1, 4], &names)
        })
        .unwrap()
    };
    let pat = desk.person("pat", &[P::PatchesApprove], of_a());
    let quin = desk.person("quin", &[P::PatchesApprove], of_b());
    let max = desk.person("max", &[P::PatchesManage], of_a());
    assert_eq!(
        decide(&pat, true, PatchDecision::Approve)
            .unwrap_err()
            .key(),
        "not-a-person"
    );
    assert_eq!(
        decide(&max, false, PatchDecision::Approve)
            .unwrap_err()
            .key(),
        "denied"
    );
    assert_eq!(decide(&quin, false, PatchDecision::Approve), Ok(0));
    assert_eq!(decide(&pat, false, PatchDecision::Approve), Ok(2));
    assert_eq!(decide(&pat, false, PatchDecision::Ignore), Ok(2));
    assert_eq!(
        desk.text("SELECT group_concat(state || approved_by) FROM device_patches"),
        "ignored,ignored,missing"
    );
    assert_eq!(decide(&pat, false, PatchDecision::Approve), Ok(2));
    // One of three is not approved: nothing is installed.
    let more = json!({ "devices": ["d-1"], "patches": ["KB1", "KB3", "KB9"] });
    let refusal = desk.try_call(&max, "install_patches", &more).unwrap_err();
    assert!(
        refusal.sentence.contains("no person approved KB3, KB9."),
        "{}",
        refusal.sentence
    );
    assert_eq!(desk.text("SELECT count(*) FROM jobs"), "0");
    let (said, made) = desk.try_call(&max, "install_patches", &all).unwrap();
    assert!(said.contains("ordered") && made.is_empty(), "{said}");
    assert_eq!(
        desk.text("SELECT kind || ' ' || status || ' ' || approved_by || ' ' || proposed_by || ' ' || params FROM jobs"),
        r#"install_patches approved pat max {"patches":{"d-1":["KB1","KB2"]}}"#
    );
    assert_eq!(
        desk.text("SELECT group_concat(state) FROM device_patches"),
        "installing,installing,missing"
    );
    // Not twice.
    assert_eq!(
        desk.try_call(&max, "install_patches", &all)
            .unwrap_err()
            .key
            .name(),
        "not-approved"
    );
    // What never began gives them back.
    let stop = json!({ "job": "j-1" });
    assert_eq!(
        desk.try_call(&owner(), "cancel_job", &stop)
            .unwrap()
            .1
            .len(),
        0
    );
    assert_eq!(
        desk.text("SELECT group_concat(state || approved_by) FROM device_patches"),
        "approvedpat,approvedpat,missing"
    );
    desk.run("UPDATE devices SET connection = ''");
    let (said, _) = desk
        .try_call(&max, "install_patches", &json!({ "devices": ["d-1"] }))
        .unwrap();
    assert!(said.contains("could not begin"), "{said}");
    assert_eq!(desk.text("SELECT status FROM jobs WHERE id = 2"), "failed");
    assert_eq!(
        desk.text("SELECT group_concat(state) FROM device_patches"),
        "approved,approved,missing"
    );
}

#[test]
fn two_approvers_of_patches_make_two_jobs() {
    let desk = desk();
    patch(&desk, desk.web, 1, "KB1", "pat");
    patch(&desk, desk.web, 2, "KB2", "quin");
    patch(&desk, desk.other, 1, "KB1", "pat");
    desk.try_call(
        &owner(),
        "install_patches",
        &json!({ "devices": ["d-1", "d-4"] }),
    )
    .unwrap();
    assert_eq!(
        desk.text("SELECT group_concat(client_id || approved_by || json_extract(params, '$.patches'), ' ') FROM jobs"),
        r#"1pat{"d-1":["KB1"]} 1quin{"d-1":["KB2"]} 2pat{"d-4":["KB1"]}"#
    );
}

#[test]
fn a_case_stops_what_it_started_and_asks_for_the_rest() {
    let desk = desk();
    let mine = desk.propose(&owner(), "propose_script", &script(&[desk.web]));
    let stop = json!({ "job": mine.id });
    assert_eq!(
        examine(&desk, &owner(), "cancel_job", &stop).approved,
        Ok(())
    );
    let (said, made) = desk.try_call(&owner(), "cancel_job", &stop).unwrap();
    assert!(said.contains("taken back") && made.is_empty());
    assert_eq!(desk.text("SELECT j.status || p.status || p.decided_by FROM jobs j JOIN fleet_proposals p ON p.subject = j.id"), "rejectedrejectedolga");
    assert_eq!(
        desk.try_call(&owner(), "cancel_job", &stop)
            .unwrap_err()
            .key
            .name(),
        "conflict"
    );

    // A job of another case.
    let theirs = desk
        .step(&owner(), false, |a| {
            tools::perform(
                a,
                tools::find("propose_script").unwrap(),
                &script(&[desk.web]).to_string(),
            )
        })
        .unwrap();
    assert!(
        matches!(theirs, tools::Performed::Answer { ref proposals, .. } if proposals[0].n == 2)
    );
    let p = last(&desk);
    desk.approved(&owner(), &p, None);
    desk.run("UPDATE jobs SET status = 'running' WHERE id = 2; UPDATE job_targets SET status = 'running' WHERE job_id = 2;");
    let stop = json!({ "job": "j-2", "why": "wrong host" });
    assert!(
        examine(&desk, &owner(), "cancel_job", &stop)
            .approved
            .is_err()
    );
    let ask = desk.propose(&owner(), "cancel_job", &stop);
    assert_eq!(ask.kind, Kind::Cancel);
    assert_eq!(desk.text("SELECT cancel_by FROM jobs WHERE id = 2"), "");
    let jim = desk.person("jim", &[P::JobsManage, P::JobsView], of_a());
    let ben = desk.person("ben", &[P::JobsManage], of_b());
    let few = desk.person("few", &[P::JobsApprove, P::JobsView], of_a());
    assert_eq!(desk.refused(&ben, &ask, None).key(), "unknown");
    assert_eq!(desk.refused(&few, &ask, None).key(), "denied");
    assert_eq!(desk.approved(&jim, &ask, None).status, "stopping");
    assert_eq!(
        desk.text("SELECT status || cancel_by FROM jobs WHERE id = 2"),
        "runningjim"
    );
    // Somebody else's job that is out of sight.
    assert_eq!(
        desk.try_call(&ben, "cancel_job", &stop)
            .unwrap_err()
            .key
            .name(),
        "scope"
    );
    assert_eq!(
        desk.text(&format!(
            "SELECT count(*) FROM fleet_audit WHERE case_id = '{CASE}' AND verb = 'cancel'"
        )),
        "1"
    );
}

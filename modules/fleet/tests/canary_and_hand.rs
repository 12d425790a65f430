//! The second approval behind a canary, and the same acts by hand.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod desk;
mod support;

use desk::{Desk, desk, of_a, of_b, owner, script, task};
use fleet::approvals::{self, Ask, Decision, Denial};
use fleet::hand::{self, ByHand, OrgError, Place, SwitchError};
use fleet::model::{ClientId, DepartmentId, JobId, SiteId};
use fleet::proposals::{Kind, Proposed};
use fleet::tools;
use kit::Scope;
use kit::principal::{Permission as P, Principal};
use serde_json::{Value, json};

fn release(desk: &Desk, who: &Principal, p: &Proposed, typed_count: Option<u32>) -> Decision {
    let ask = Ask {
        n: p.n,
        digest: &p.digest,
        typed_count,
    };
    desk.step(who, false, |a| approvals::release_canary(a, &ask))
        .unwrap()
}

fn refused(decision: Decision) -> Denial {
    match decision {
        Decision::Refused(denial) => denial,
        Decision::Done(outcome) => panic!("{outcome:?}"),
    }
}

#[test]
fn the_rest_waits_for_a_second_approval() {
    let desk = desk();
    let mut args = script(&[desk.web, desk.sql, desk.mail]);
    args["canary"] = json!(1);
    desk.run("UPDATE devices SET status = 'offline' WHERE id = 1");
    let p = desk.propose(&owner(), "propose_script", &args);
    assert_eq!(
        desk.text("SELECT group_concat(stage) FROM job_targets"),
        "2,1,2",
        "what is online goes first"
    );
    assert_eq!(
        refused(release(&desk, &owner(), &p, None)),
        Denial::Unknown(p.n),
        "not before the first"
    );
    desk.approved(&owner(), &p, None);
    let waiting = |who: &Principal| approvals::waiting_canaries(&desk.db, who).unwrap();
    assert!(waiting(&owner()).is_empty());
    assert!(
        refused(release(&desk, &owner(), &p, None))
            .to_string()
            .contains("has not ended: 0 of 1")
    );
    let early = desk
        .db
        .execute(
            "UPDATE job_targets SET status = 'queued' WHERE stage = 2",
            [],
        )
        .unwrap_err();
    assert!(early.to_string().contains("nothing runs before"), "{early}");
    desk.run("UPDATE jobs SET status = 'running'; UPDATE job_targets SET status = 'failed' WHERE stage = 1;");
    assert!(
        refused(release(&desk, &owner(), &p, None))
            .to_string()
            .contains("0 of 1 devices only")
    );
    assert!(!waiting(&owner())[0].ready);
    desk.run("UPDATE job_targets SET status = 'succeeded' WHERE stage = 1");
    let ann = desk.person("ann", &[P::JobsApprove], of_a());
    let ben = desk.person("ben", &[P::JobsApprove], of_b());
    let few = desk.person("few", &[P::JobsView], of_a());
    assert!(waiting(&ben).is_empty());
    assert_eq!(
        (waiting(&ann)[0].devices, waiting(&ann)[0].ready),
        (2, true)
    );
    assert_eq!(
        refused(release(&desk, &ben, &p, None)),
        Denial::Unknown(p.n)
    );
    assert_eq!(
        refused(release(&desk, &few, &p, None)),
        Denial::Denied(P::JobsApprove)
    );
    assert_eq!(refused(release(&desk, &ann, &p, Some(3))).key(), "count");
    let seen = Proposed {
        digest: "0".repeat(64),
        ..p.clone()
    };
    assert_eq!(
        refused(release(&desk, &ann, &seen, None)).key(),
        "not-shown"
    );
    desk.run("UPDATE devices SET status = 'offline' WHERE id = 3");
    assert!(
        matches!(release(&desk, &ann, &p, Some(2)), Decision::Done(o) if o.status == "released" && o.detail.contains("d-3 left out"))
    );
    assert_eq!(
        desk.text("SELECT canary_by || (SELECT group_concat(status) FROM job_targets) FROM jobs"),
        "annpending,succeeded,skipped"
    );
    assert!(
        matches!(refused(release(&desk, &owner(), &p, None)), Denial::Decided { by, .. } if by == "ann")
    );
    desk.run("UPDATE job_targets SET status = 'queued' WHERE device_id = 1");
    assert!(desk.trail().contains(&"job.release ok j-1".to_owned()));
    desk.audit_is_whole();
}

fn act(desk: &Desk, who: &Principal, tool: &str, args: &Value, typed: Option<u32>) -> ByHand {
    desk.step(who, false, |a| {
        hand::act(a, tools::find(tool).unwrap(), &args.to_string(), typed)
    })
    .unwrap()
}

#[test]
fn by_hand_it_is_proposed_and_approved_in_one_step() {
    let desk = desk();
    let both = json!({ "devices": ["web", "d-2"] });
    let ann = desk.person(
        "ann",
        &[P::DevicesDelete, P::JobsCreate, P::ClientsManage],
        of_a(),
    );
    assert!(matches!(
        act(&desk, &ann, "propose_delete_devices", &both, None),
        ByHand::Denied(Denial::Count {
            expected: 2,
            typed: None
        })
    ));
    assert!(matches!(
        act(&desk, &ann, "propose_script", &script(&[desk.web]), None),
        ByHand::Denied(Denial::Denied(P::JobsApprove))
    ));
    assert!(
        matches!(act(&desk, &ann, "propose_delete_devices", &json!({ "devices": ["other"] }), Some(1)), ByHand::Refused(r) if r.key.name() == "scope")
    );
    assert!(
        matches!(act(&desk, &ann, "list_devices", &json!({}), None), ByHand::Refused(r) if r.key.name() == "access")
    );
    // Nothing was left waiting by what was refused.
    assert_eq!(desk.text("SELECT count(*) FROM fleet_proposals"), "0");
    let done = act(
        &desk,
        &ann,
        "propose_move_devices",
        &json!({ "devices": ["web"], "site": "T" }),
        None,
    );
    assert!(matches!(done, ByHand::Done(o) if o[0].status == "succeeded"));
    assert!(matches!(
        act(&desk, &ann, "propose_delete_devices", &both, Some(2)),
        ByHand::Done(_)
    ));
    assert_eq!(desk.text("SELECT group_concat(status || proposer || proposed_by || approved_by) FROM device_operations"), "succeededhumanannann,succeededhumanannann");
    assert!(matches!(
        act(
            &desk,
            &owner(),
            "propose_task",
            &json!({ "name": "t", "schedule": "0 3 * * *", "shell": "sh", "script": "id", "site": "T" }),
            None
        ),
        ByHand::Done(_)
    ));
    assert_eq!(
        desk.text("SELECT enabled || proposed_by || approved_by FROM tasks"),
        "1olgaolga"
    );
    let by_model = desk
        .step(&owner(), true, |a| {
            hand::act(
                a,
                tools::find("propose_script").unwrap(),
                &script(&[desk.mail]).to_string(),
                None,
            )
        })
        .unwrap();
    assert!(matches!(by_model, ByHand::Denied(Denial::NotAPerson)));
    desk.audit_is_whole();
}

#[test]
fn what_nobody_reviewed_is_not_switched_on() {
    let desk = desk();
    let p = desk.propose(&owner(), "propose_task", &task(desk.web));
    let switch = |who: &Principal, id, on| {
        desk.step(who, false, |a| hand::set_enabled(a, Kind::Task, id, on))
            .unwrap()
    };
    let ann = desk.person("ann", &[P::TasksManage], of_a());
    let ben = desk.person("ben", &[P::TasksManage], of_b());
    let few = desk.person("few", &[P::TasksView], of_a());
    assert!(
        matches!(switch(&ann, 1, true), Err(SwitchError::Unreviewed { n, .. }) if n as u64 == p.n)
    );
    assert_eq!(
        switch(&ben, 1, true),
        Err(SwitchError::Unknown("t-1".into()))
    );
    assert_eq!(
        switch(&ben, 9, true),
        Err(SwitchError::Unknown("t-9".into()))
    );
    assert_eq!(
        switch(&few, 1, true),
        Err(SwitchError::Denied(P::TasksManage))
    );
    desk.approved(&ann, &p, None);
    assert_eq!(switch(&ann, 1, true), Ok(false));
    assert_eq!(switch(&ann, 1, false), Ok(true));
    assert_eq!(switch(&ann, 1, true), Ok(true));
    let q = desk.propose(&owner(), "propose_task", &task(desk.web));
    desk.step(&ann, false, |a| approvals::deny(a, q.n, ""))
        .unwrap();
    assert_eq!(
        switch(&ann, 2, true),
        Err(SwitchError::Rejected("t-2".into()))
    );
    assert!(
        desk.db
            .execute(
                "UPDATE tasks SET enabled = 1, approved_by = 'x' WHERE id = 2",
                []
            )
            .is_err()
    );
    assert_eq!(desk.text("SELECT count(*) FROM fleet_audit WHERE family = 'task' AND verb = 'enable' AND result = 'refused'"), "5");
}

#[test]
fn jobs_are_stopped_by_hand_inside_the_scope() {
    let desk = desk();
    desk.propose(&owner(), "propose_script", &script(&[desk.web]));
    let stop = |who: &Principal| {
        desk.step(who, false, |a| hand::cancel_job(a, JobId(1), "no"))
            .unwrap()
    };
    let ben = desk.person("ben", &[P::JobsManage], of_b());
    let few = desk.person("few", &[P::JobsApprove], of_a());
    let ann = desk.person("ann", &[P::JobsManage], of_a());
    assert_eq!(stop(&ben), Err(SwitchError::Unknown("j-1".into())));
    assert_eq!(stop(&few), Err(SwitchError::Denied(P::JobsManage)));
    assert_eq!(stop(&ann).unwrap().0, "rejected");
    assert!(matches!(stop(&ann), Err(SwitchError::Ended(..))));
}

#[test]
fn places_are_made_by_those_who_have_what_is_above() {
    let desk = desk();
    let ann = desk.person("ann", &[P::ClientsManage], of_a());
    let few = desk.person("few", &[P::ClientsView], Scope::All);
    let add = |who: &Principal, name: &str| {
        desk.step(who, false, |a| hand::add_client(a, name))
            .unwrap()
    };
    assert_eq!(add(&ann, "C"), Err(OrgError::Scoped));
    assert_eq!(add(&few, "C"), Err(OrgError::Denied));
    assert_eq!(add(&owner(), "a"), Err(OrgError::Taken));
    assert_eq!(add(&owner(), " \u{1b}[2J"), Err(OrgError::BadName));
    assert_eq!(add(&owner(), "C"), Ok(ClientId(3)));
    let site = |who: &Principal, client| {
        desk.step(who, false, |a| hand::add_site(a, ClientId(client), "New"))
            .unwrap()
    };
    assert!(matches!(site(&ann, 2), Err(OrgError::Unknown(_))));
    assert!(matches!(site(&owner(), 99), Err(OrgError::Unknown(_))));
    assert_eq!(site(&ann, 1), Ok(SiteId(4)));
    let department = |who: &Principal, s| {
        desk.step(who, false, |a| hand::add_department(a, SiteId(s), "lab"))
            .unwrap()
    };
    assert!(matches!(department(&ann, 3), Err(OrgError::Unknown(_))));
    assert_eq!(department(&ann, 4), Ok(DepartmentId(3)));
    let rename = |place, name: &str| {
        desk.step(&ann, false, |a| hand::rename(a, place, name))
            .unwrap()
    };
    assert!(matches!(
        rename(Place::Client(ClientId(2)), "X"),
        Err(OrgError::Unknown(_))
    ));
    assert_eq!(rename(Place::Site(SiteId(4)), "s"), Err(OrgError::Taken));
    assert_eq!(rename(Place::Site(SiteId(4)), "Newer"), Ok(()));
    assert_eq!(rename(Place::Department(DepartmentId(3)), "labs"), Ok(()));
    assert!(desk.trail().contains(&"site.rename ok s-4".to_owned()));
}

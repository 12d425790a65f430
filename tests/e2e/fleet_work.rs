//! The fleet's work in a person's hands: a job that is stopped, monitoring that is reviewed, added, switched and
//! removed.

use super::fleet::{RESTART, fleet, propose, text};
use super::model::sent;

#[test]
fn a_job_stopped_by_hand_is_known_to_its_case() {
    let (model, world) = fleet(1);
    let (v, a) = propose(&world, RESTART);
    let case = text(&v["case"]).to_owned();
    let stopped = world
        .run(&["jobs", "cancel", "j-1", "--reason", "not now", "--json"])
        .exits(0)
        .json();
    assert_eq!(stopped["status"], "rejected", "{stopped}");
    world
        .run(&["jobs", "cancel", "j-1"])
        .exits(2)
        .says("has ended already");
    let v = world.ask(0, &["--case", &case, "--continue"]);
    assert_eq!(v["status"], "answered");
    let told = sent(model.rounds().last().unwrap());
    assert!(
        told.contains(&format!("Action {} was refused by the person", a["n"])),
        "{told}"
    );
}

#[test]
fn monitoring_is_reviewed_added_switched_and_removed() {
    let (_model, world) = fleet(2);
    let (_, a) = propose(&world, "check the disk of the servers in Berlin");
    assert_eq!(a["kind"], "check", "{a}");
    let n = a["n"].as_u64().unwrap().to_string();
    world
        .run(&["checks", "enable", "k-1"])
        .exits(2)
        .says("nobody has reviewed it");
    world
        .run(&["checks", "remove", "k-1"])
        .exits(2)
        .says(&format!("approve {n}"));
    let card = world.run(&["approve", &n]).exits(2).stdout();
    assert!(
        card.contains("every device of the site") && card.contains("95"),
        "{card}"
    );
    world
        .run(&["approve", &n, "--digest", text(&a["digest"])])
        .exits(0);
    let list = world
        .run(&["checks", "list", "--state", "enabled", "--json"])
        .exits(0)
        .json();
    assert_eq!(list["rows"][0]["enabled"], true, "{list}");
    world.run(&["checks", "disable", "k-1"]).exits(0);
    world.run(&["checks", "disable", "k-1"]).exits(0);
    world.run(&["checks", "enable", "k-1"]).exits(0);
    world
        .run(&["--as", "vera", "checks", "disable", "k-1"])
        .exits(2)
        .says("checks.manage");
    world
        .run(&["--as", "fay", "checks", "disable", "k-1"])
        .exits(2)
        .says("there is no k-1 here");
    world.run(&["checks", "remove", "k-1"]).exits(0);
    assert_eq!(
        world.run(&["checks", "list", "--json"]).exits(0).json()["total"],
        0
    );
    assert_eq!(
        world
            .run(&["checks", "list", "--all", "--json"])
            .exits(0)
            .json()["total"],
        1
    );
    world
        .run(&["checks", "enable", "k-1"])
        .exits(2)
        .says("stays off");

    let script = world.data_dir().join("clean.sh");
    std::fs::write(&script, "find /tmp -mtime +30 -delete\n").unwrap();
    let added = world
        .run(&[
            "tasks",
            "add",
            "clean tmp",
            "--schedule",
            "30 2 * * 1",
            "--shell",
            "sh",
            "--script",
            script.to_str().unwrap(),
            "--client",
            "Contoso",
            "--json",
        ])
        .exits(0)
        .json();
    assert_eq!(added[0]["status"], "enabled", "{added}");
    let shown = world.run(&["tasks", "show", "t-1"]).exits(0).stdout();
    assert!(
        shown.contains("find /tmp -mtime +30 -delete") && shown.contains("30 2 * * 1"),
        "{shown}"
    );
    world
        .run(&[
            "tasks",
            "add",
            "x",
            "--schedule",
            "61 2 * * 1",
            "--shell",
            "sh",
            "--script",
            script.to_str().unwrap(),
            "--client",
            "Contoso",
        ])
        .exits(2)
        .says("schedule");
    world
        .run(&[
            "policies",
            "add",
            "window",
            "--set",
            "start=02:00",
            "--set",
            "reboot=true",
        ])
        .exits(0);
    let policies = world.run(&["policies", "list", "--json"]).exits(0).json();
    assert_eq!(policies["total"], 1, "{policies}");
    world
        .run(&["--as", "fay", "policies", "list"])
        .exits(2)
        .says("polic");
    world.run(&["policies", "remove", "p-1"]).exits(0);
}

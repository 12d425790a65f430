//! A model proposes actions on machines; nothing happens before a person has read the card and named its digest.

use super::model::{Mode, Model, Round, Say, answer, sent};
use super::world::{World, base, finish, modelled, signal, until};
use serde_json::{Value, json};

const DELETE: &str = "delete the device";
pub(crate) const RESTART: &str = "restart nginx on the server web-01";

/// Goes for the tool that the question asks for, once, then answers.
fn script(r: &Round<'_>) -> Say {
    let body = r.asked.json();
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    let user = messages
        .iter()
        .rposition(|m| m["role"] == "user")
        .unwrap_or_default();
    let text = messages[user]["content"].as_str().unwrap_or_default();
    let tools = messages[user..]
        .iter()
        .filter(|m| m["role"] == "tool")
        .count();
    if text.contains("decided on your proposals") {
        return answer("I read what became of it.");
    }
    if tools > 0 {
        return answer("I proposed it.");
    }
    let tool =
        |name: &str, arguments: Value| Say::Calls(vec![(json!(name), arguments.to_string())]);
    if text.contains(DELETE) {
        let id = text
            .split_whitespace()
            .find(|w| w.starts_with("d-"))
            .unwrap_or("d-1");
        tool(
            "propose_delete_devices",
            json!({"devices": [id], "why": "it is gone"}),
        )
    } else if text.contains("restart nginx") {
        tool(
            "restart_service",
            json!({"devices": ["d-1"], "service": "nginx", "why": "it does not answer"}),
        )
    } else if text.contains("check the disk") {
        tool(
            "propose_check",
            json!({"name": "root disk", "kind": "disk", "target": "/", "error": 95, "site": "Berlin"}),
        )
    } else {
        answer("Nothing to do.")
    }
}

/// Devices d-1 web-01 to d-N web-0N of Contoso in Berlin, and one of Fabrikam; people beside the owner.
pub(crate) fn fleet(devices: u32) -> (Model, World) {
    let model = Model::start(Mode::Native, script);
    let world = World::new(&modelled(base(), &model));
    for n in 1..=devices {
        add(&world, &format!("web-{n:02}"), "Contoso", "Berlin");
    }
    add(&world, "erp-01", "Fabrikam", "Bonn");
    for (name, allow) in [("ben", "technician,devices.delete"), ("vera", "read-only")] {
        world
            .run(&[
                "principal",
                "add",
                name,
                "--allow",
                allow,
                "--whole-fleet",
                "--os-user",
                "analyst",
            ])
            .exits(0);
    }
    world
        .run(&[
            "principal",
            "add",
            "fay",
            "--allow",
            "technician",
            "--client",
            "Fabrikam",
            "--os-user",
            "analyst",
        ])
        .exits(0);
    (model, world)
}

fn add(world: &World, host: &str, client: &str, site: &str) {
    world
        .run(&[
            "device",
            "add",
            host,
            "--client",
            client,
            "--site",
            site,
            "--os",
            "Debian GNU/Linux",
            "--os-version",
            "12",
        ])
        .exits(0);
}

/// Asks, and gives the report and the one action that it proposed.
#[track_caller]
pub(crate) fn propose(world: &World, question: &str) -> (Value, Value) {
    let v = world.ask(6, &[question]);
    let proposals = v["proposals"].as_array().unwrap();
    assert_eq!(proposals.len(), 1, "{v}");
    (v.clone(), proposals[0].clone())
}

pub(crate) fn text(v: &Value) -> &str {
    v.as_str().unwrap_or_default()
}

#[test]
fn a_restart_is_proposed_read_approved_and_its_failure_is_told_plainly() {
    let (model, world) = fleet(1);
    let plain = world.run(&["ask", "--no-input", RESTART]).exits(6);
    let (out, err) = (plain.stdout(), plain.stderr());
    assert!(
        out.contains("Proposed, nothing has happened: 1 Restart the service nginx on d-1 web-01"),
        "{out}"
    );
    assert!(out.contains("Actions (nothing has happened"), "{out}");
    assert!(err.contains("rmm-analyst approve 1 --digest "), "{err}");

    let listed = world.run(&["proposals", "--json"]).exits(0).json();
    let (v, a) = propose(&world, RESTART);
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
    let n = a["n"].as_u64().unwrap().to_string();
    assert_eq!(
        (&a["kind"], &a["state"], &a["devices"], &a["count"]),
        (&json!("job"), &json!("open"), &json!(1), &json!(false)),
        "{a}"
    );
    assert_eq!(v["jobs_created"].as_array().unwrap().len(), 1);

    // Without the digest: the whole card, and nothing is approved.
    let card = world.run(&["approve", &n]).exits(2);
    for words in [
        "systemctl restart",
        "d-1 web-01  client Contoso",
        "the backend embedded",
        "it does not answer",
        "by a model in a case of analyst",
        text(&a["digest"]),
        "nothing since it was proposed",
    ] {
        assert!(card.stdout().contains(words), "{words}: {}", card.stdout());
    }
    let card = card.says("nothing was approved").says("--digest");
    drop(card);
    let json = world.run(&["approve", &n, "--json"]).exits(2).json();
    assert_eq!(json["state"], "open");
    assert_eq!(
        json["command"],
        format!("rmm-analyst approve {n} --digest {}", text(&a["digest"]))
    );

    let done = world
        .run(&["approve", &n, "--digest", text(&a["digest"])])
        .exits(0);
    assert!(
        done.stdout().contains("approved, failed"),
        "{}",
        done.stdout()
    );
    assert!(done.stdout().contains("no executor"), "{}", done.stdout());
    let case = text(&v["case"]).to_owned();
    let all = world.run(&["proposals", &case, "--all"]).exits(0).stdout();
    assert!(all.contains("approved, failed: "), "{all}");
    let job = world
        .run(&["jobs", "list", "--status", "failed", "--json"])
        .exits(0)
        .json();
    assert_eq!(job["total"], 1, "{job}");
    let id = text(&job["rows"][0]["job"]).to_owned();
    let shown = world.run(&["jobs", "show", &id]).exits(0).stdout();
    assert!(
        shown.contains("no executor") && shown.contains("systemctl restart"),
        "{shown}"
    );

    // Once more: told who was first.
    world
        .run(&["approve", &n, "--digest", text(&a["digest"])])
        .exits(2)
        .says("analyst was first");
    // The model is told.
    let v = world.ask(0, &["--case", &case, "--continue"]);
    assert_eq!(v["status"], "answered", "{v}");
    let told = sent(model.rounds().last().unwrap());
    assert!(
        told.contains(&format!("Action {n} was approved and is failed: "))
            && told.contains("no executor"),
        "{told}"
    );
    // Nothing new: nothing to continue.
    world.run(&["ask", "--case", &case, "--continue"]).exits(2);
    world.verify(&case);
    world.run(&["case", "export", &case]).exits(0);
}

#[test]
fn two_people_approve_one_deletion_and_one_of_them_is_told_who_was_first() {
    let (_model, world) = fleet(4);
    for n in 1..=4 {
        let (_, a) = propose(&world, &format!("{DELETE} d-{n}"));
        assert_eq!(a["kind"], "device_operation", "{a}");
        assert_eq!(a["count"], true, "a deletion wants its count: {a}");
        let number = a["n"].as_u64().unwrap().to_string();
        let digest = text(&a["digest"]);
        let args = |who: &'static str| {
            let mut all = vec!["--as", who, "approve", number.as_str(), "--digest", digest];
            all.extend(["--count", "1"]);
            all
        };
        let first = world.command(&args("analyst")).spawn().unwrap();
        let second = world.command(&args("ben")).spawn().unwrap();
        let (first, second) = (finish(first), finish(second));
        let (winner, loser) = if first.code() == 0 {
            ("analyst", second)
        } else {
            assert_eq!(second.code(), 0, "{} {}", first.stderr(), second.stderr());
            ("ben", first)
        };
        loser.exits(2).says(&format!("{winner} was first"));
        let ops = world
            .run(&["ops", "list", "--status", "succeeded", "--json"])
            .exits(0)
            .json();
        assert_eq!(ops["total"], n, "{ops}");
        assert_eq!(ops["rows"][0]["approved_by"], winner, "{ops}");
    }
    let left = world.run(&["devices", "list", "--json"]).exits(0).json();
    assert_eq!(left["total"], 1, "{left}");
    world.run(&["ops", "show", "o-1"]).exits(0);
}

#[test]
fn a_typed_yes_and_all_never_cover_an_action() {
    let (_model, world) = fleet(1);
    let (v, a) = propose(&world, RESTART);
    let case = text(&v["case"]).to_owned();
    let n = a["n"].as_u64().unwrap().to_string();
    for words in [
        "yes",
        "yes, all of them",
        &n,
        &format!("approve {n}"),
        "do it",
    ] {
        world.run(&["ask", "--no-input", "--case", &case, words]);
        let listed = world.run(&["proposals", &case, "--json"]).exits(0).json();
        assert!(
            listed
                .as_array()
                .unwrap()
                .iter()
                .any(|p| p["n"] == a["n"] && p["state"] == "open"),
            "{words}: {listed}"
        );
    }
    world.run(&["approve", &case, "--all"]).exits(2);
    world
        .run(&["approve", &n, "999"])
        .exits(2)
        .says("decided one by one");
    world.run(&["approve", &n, "--all"]).exits(2);
    world
        .run(&["approve", &n, "2", "--digest", text(&a["digest"])])
        .exits(2);
    world.run(&["deny", &case, "--all"]).exits(2);
    let jobs = world.run(&["jobs", "list", "--json"]).exits(0).json();
    assert!(
        jobs["rows"]
            .as_array()
            .unwrap()
            .iter()
            .all(|j| j["status"] == "awaiting_approval"),
        "{jobs}"
    );
}

#[test]
fn who_may_not_decide_is_told_so_and_who_does_not_see_it_hears_nothing() {
    let (_model, world) = fleet(1);
    let (_, a) = propose(&world, RESTART);
    let n = a["n"].as_u64().unwrap().to_string();
    let digest = text(&a["digest"]);
    // May look, may not decide.
    let listed = world
        .run(&["--as", "vera", "proposals", "--json"])
        .exits(0)
        .json();
    assert_eq!(listed[0]["may_decide"], false, "{listed}");
    for verb in [
        vec!["--as", "vera", "approve", &n, "--digest", digest],
        vec!["--as", "vera", "deny", &n],
    ] {
        world.run(&verb).exits(2).says("jobs.approve");
    }
    world
        .run(&["--as", "vera", "approve", &n])
        .exits(2)
        .says("would not count");
    // Out of scope is unknown, in the same words as a number that never was.
    let listed = world
        .run(&["--as", "fay", "proposals", "--json"])
        .exits(0)
        .json();
    assert_eq!(listed, json!([]));
    let words = |n: &str, args: &[&str]| {
        let mut all = vec!["--as", "fay"];
        all.extend(args);
        let ran = world.run(&all).exits(2);
        assert!(ran.stdout().is_empty(), "{}", ran.stdout());
        ran.stderr().replace(n, "N")
    };
    assert_eq!(
        words(&n, &["approve", &n, "--digest", digest]),
        words("4711", &["approve", "4711", "--digest", digest])
    );
    assert_eq!(
        words(&n, &["approve", &n]),
        words("4711", &["approve", "4711"])
    );
    assert_eq!(words(&n, &["deny", &n]), words("4711", &["deny", "4711"]));
    assert_eq!(
        words("j-1", &["jobs", "show", "j-1"]),
        words("j-99", &["jobs", "show", "j-99"])
    );
    assert_eq!(
        words("j-1", &["jobs", "cancel", "j-1"]),
        words("j-99", &["jobs", "cancel", "j-99"])
    );
    assert_eq!(
        world
            .run(&["--as", "fay", "jobs", "list", "--json"])
            .exits(0)
            .json()["total"],
        0
    );
    // A permission that was taken away counts at once.
    world
        .run(&["principal", "edit", "ben", "--revoke", "jobs.approve"])
        .exits(0);
    world
        .run(&["--as", "ben", "approve", &n, "--digest", digest])
        .exits(2)
        .says("jobs.approve");
    assert_eq!(
        world.run(&["proposals", "--json"]).exits(0).json()[0]["state"],
        "open"
    );
}

#[test]
fn a_wrong_digest_a_wrong_count_and_an_edited_row_approve_nothing() {
    let (_model, world) = fleet(2);
    let (_, a) = propose(&world, &format!("{DELETE} d-1"));
    let n = a["n"].as_u64().unwrap().to_string();
    let digest = text(&a["digest"]);
    let count = |k: &'static str| world.run(&["approve", &n, "--digest", digest, "--count", k]);
    world
        .run(&["approve", &n, "--digest", digest])
        .exits(2)
        .says("--count 1");
    count("2").exits(2).says("2 is not the number of devices");
    count("0").exits(2);
    let other = if digest.starts_with('0') {
        "1111111111"
    } else {
        "0000000000"
    };
    for wrong in [other, &digest[..7], "", "zzzzzzzzzz"] {
        world
            .run(&["approve", &n, "--digest", wrong, "--count", "1"])
            .exits(2)
            .says("the digest is not that of proposal");
    }
    assert_eq!(
        world.run(&["devices", "list", "--json"]).exits(0).json()["total"],
        3
    );
    // Somebody writes past the program, triggers and all.
    let db = rusqlite::Connection::open(world.db()).unwrap();
    db.execute_batch(
        "DROP TRIGGER operation_targets_fixed; UPDATE device_operation_targets SET device_id = 2 WHERE operation_id = 1;",
    )
    .unwrap();
    drop(db);
    count("1").exits(2).says("are not what was proposed");
    assert_eq!(
        world.run(&["devices", "list", "--json"]).exits(0).json()["total"],
        3
    );
    world
        .run(&["deny", &n, "--reason", "somebody changed it"])
        .exits(0);
    assert_eq!(
        world.run(&["proposals", "--json"]).exits(0).json(),
        json!([])
    );
    world
        .run(&["approve", &n, "--digest", digest, "--count", "1"])
        .exits(2)
        .says("was denied by analyst");
}

#[test]
fn an_action_is_approved_while_its_turn_still_runs() {
    let model = Model::start(Mode::Native, |r| {
        let told = r.asked.json()["messages"]
            .as_array()
            .is_some_and(|m| m.iter().any(|m| m["role"] == "tool"));
        if told {
            return Say::Hang;
        }
        let arguments = json!({"devices": ["d-1"], "service": "nginx"});
        Say::Calls(vec![(json!("restart_service"), arguments.to_string())])
    });
    let world = World::new(&modelled(base(), &model));
    add(&world, "web-01", "Contoso", "Berlin");
    let turn = world
        .command(&["ask", "--no-input", RESTART])
        .spawn()
        .unwrap();
    let mut listed = json!([]);
    until("the proposal is there", || {
        listed = world.run(&["proposals", "--json"]).exits(0).json();
        listed.as_array().is_some_and(|l| l.len() == 1)
    });
    let n = listed[0]["n"].as_u64().unwrap().to_string();
    world
        .run(&["approve", &n, "--digest", text(&listed[0]["digest"])])
        .exits(0);
    let case = text(&listed[0]["case"]).to_owned();
    let shown = world.run(&["case", "show", &case]).exits(0).stdout();
    assert!(shown.contains("approved, failed: no executor"), "{shown}");
    signal(&turn, "INT");
    let ended = finish(turn);
    assert_eq!(ended.code(), 130, "{}", ended.stderr());
    world.verify(&case);
}

#[test]
fn the_first_digits_of_the_digest_are_enough() {
    let (_model, world) = fleet(1);
    let (_, a) = propose(&world, &format!("{DELETE} d-1"));
    let n = a["n"].as_u64().unwrap().to_string();
    let done = world
        .run(&[
            "approve",
            &n,
            "--digest",
            &text(&a["digest"])[..8],
            "--count",
            "1",
            "--json",
        ])
        .exits(0)
        .json();
    assert_eq!(done[0]["status"], "succeeded", "{done}");
}

#[test]
fn what_expired_or_stood_in_a_closed_case_is_over() {
    let (_model, world) = fleet(1);
    let (v, a) = propose(&world, RESTART);
    let (_, b) = propose(&world, RESTART);
    let case = text(&v["case"]).to_owned();
    let (n, m) = (a["n"].as_u64().unwrap(), b["n"].as_u64().unwrap());
    // The clock cannot be set: the row's time is.
    let db = rusqlite::Connection::open(world.db()).unwrap();
    db.execute_batch("DROP TRIGGER fleet_proposals_fixed;")
        .unwrap();
    db.execute(
        "UPDATE fleet_proposals SET expires_ms = proposed_ms + 1 WHERE n = ?1",
        [i64::try_from(m).unwrap()],
    )
    .unwrap();
    drop(db);
    let listed = world.run(&["proposals", "--json"]).exits(0).json();
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
    world
        .run(&["approve", &m.to_string(), "--digest", text(&b["digest"])])
        .exits(2)
        .says("has expired");
    let shown = world.run(&[
        "case",
        "show",
        text(&world.run(&["proposals", "--all", "--json"]).json()[1]["case"]),
    ]);
    assert!(shown.stdout().contains("expired"), "{}", shown.stdout());
    world.run(&["case", "close", &case]).exits(0);
    assert_eq!(
        world.run(&["proposals", "--json"]).exits(0).json(),
        json!([])
    );
    world
        .run(&["approve", &n.to_string(), "--digest", text(&a["digest"])])
        .exits(2)
        .says("has expired");
    let jobs = world
        .run(&["jobs", "list", "--status", "expired", "--json"])
        .exits(0)
        .json();
    assert_eq!(jobs["total"], 2, "{jobs}");
    world.verify(&case);
}

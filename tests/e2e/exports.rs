//! A model that is asked for an export gets a command for the person and no row; the person gets the rows.

use super::model::{Mode, Model, Say, answer, sent};
use super::world::{World, base, modelled, signal};
use fleet::audit::Plain;
use fleet::seed::{Plan, Size, generate};
use rmm_analyst::store::{Store, StoreError, StoreOptions};
use serde_json::{Value, json};

fn world(model: &Model) -> World {
    let world = World::new(&modelled(base(), model));
    std::fs::create_dir_all(world.data_dir()).unwrap();
    let store = Store::open(&world.db(), StoreOptions::default()).unwrap();
    store
        .write(|tx| {
            let plan = Plan {
                size: Size::S,
                seed: 1,
                audit_rows: 10,
                now_ms: rmm_analyst::engine::now_ms(),
            };
            generate(tx.fleet(), &Plain, &plan)
                .map(drop)
                .map_err(|e| StoreError::Other(e.to_string()))
        })
        .unwrap();
    world
}

fn asks_for(tool: &str, arguments: &Value) -> Say {
    Say::Calls(vec![(json!(tool), arguments.to_string())])
}

#[test]
fn rows_go_to_the_person_and_not_through_the_model() {
    let model = Model::saying(
        Mode::Native,
        vec![
            asks_for("export_inventory", &json!({"report_type": "software"})),
            answer("The export is ready: open it with the command above."),
        ],
    );
    let world = world(&model);
    let v = world.ask(0, &["export the software inventory of all devices as CSV"]);
    assert_eq!(v["status"], "answered", "{v}");
    assert_eq!(v["ledger"][0]["tool"], "export_inventory", "{v}");
    assert_eq!(v["ledger"][0]["verdict"], "permit", "{v}");
    let case = v["case"].as_str().unwrap();
    let evidence = world
        .run(&["evidence", case, "1", "--json"])
        .exits(0)
        .json();
    let raw: Value = serde_json::from_str(evidence["raw"].as_str().unwrap()).unwrap();
    assert_eq!(raw["rows"][0]["rows"], 1000);
    let opens = raw["rows"][0]["opens with"].as_str().unwrap();
    let words: Vec<&str> = opens.split(' ').collect();
    assert_eq!(words[..3], ["rmm-analyst", "export", "open"]);
    let file = world.data_dir().join("software.csv");
    let place = file.to_str().unwrap();
    world
        .run(&["export", "open", words[3], "--out", place])
        .exits(0)
        .says("1000 rows");
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count(), 1001);
    // No row was in any request.
    let said: String = model.rounds().iter().map(sent).collect();
    for line in text.lines().skip(1) {
        let host = line.split(',').nth(1).unwrap();
        assert!(!said.contains(host), "{host}");
    }
    assert!(said.contains("export open"), "{said}");
    // The audit knows who asked, and who opened.
    let trail = world
        .run(&[
            "audit", "list", "--action", "export", "--since", "1h", "--json",
        ])
        .exits(0)
        .json();
    let kinds: Vec<(&str, &str)> = trail["rows"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|r| r["actor"] == "analyst")
        .map(|r| (r["action"].as_str().unwrap(), r["by"].as_str().unwrap()))
        .collect();
    assert_eq!(
        kinds,
        [
            ("export.finish", "human"),
            ("export.open", "human"),
            ("export.create", "ai"),
        ]
    );
    world.run(&["audit", "verify"]).exits(0);
    world.verify(case);
}

#[test]
fn a_wrong_export_is_refused_and_makes_nothing() {
    let model = Model::saying(
        Mode::Native,
        vec![
            asks_for("export_inventory", &json!({"report_type": "tapes"})),
            asks_for(
                "export_inventory",
                &json!({"report_type": "software", "client": "c-99"}),
            ),
            answer("That cannot be exported."),
        ],
    );
    let world = world(&model);
    let v = world.ask(0, &["export the inventory of all devices"]);
    assert_eq!(v["ledger"][0]["reason"], "arguments", "{v}");
    assert_eq!(v["ledger"][1]["reason"], "scope", "{v}");
    let list = world.run(&["export", "list"]).exits(0);
    assert_eq!(list.stdout(), "No exports.\n");
}

/// Nobody reads the pipe, so that a write waits for ever: an interrupt ends the export all the same.
#[test]
fn an_export_into_a_pipe_that_nobody_reads_can_be_interrupted() {
    let model = Model::saying(Mode::Native, vec![answer("Nothing.")]);
    let world = world(&model);
    let args = ["export", "inventory", "--type", "software", "--out", "-"];
    let mut child = world.command(&args).spawn().unwrap();
    // The first bytes are there: more than the pipe holds are to come, and they are left in it.
    let mut first = [0_u8; 6];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut first).unwrap();
    assert_eq!(&first, b"device");
    signal(&child, "INT");
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130));
}

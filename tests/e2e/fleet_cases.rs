//! Cases belong to who began them: what stands in one of another person is not there, for any command, whatever
//! the scope and the permissions.

use super::fleet_asked::fleet;
use super::model::Mode;
use serde_json::json;

/// Every command that takes a case; `ID` stands for it.
const COMMANDS: [&[&str]; 18] = [
    &["case", "show", "ID"],
    &["case", "show", "ID", "--json"],
    &["case", "export", "ID"],
    &["case", "export", "ID", "--format", "json"],
    &["case", "verify", "ID"],
    &["case", "fork", "ID"],
    &["case", "rename", "ID", "mine"],
    &["case", "tag", "ID", "mine"],
    &["case", "close", "ID"],
    &["case", "reopen", "ID"],
    &["case", "delete", "ID"],
    &["evidence", "ID"],
    &["evidence", "ID", "1"],
    &["evidence", "ID", "1", "--csv"],
    &["export", "answer", "ID"],
    &["proposals", "ID"],
    &["ask", "--no-input", "--case", "ID", "and our devices?"],
    &["ask", "--no-input", "--case", "ID", "--continue"],
];

#[test]
fn the_cases_of_others_are_not_there() {
    let fleet = fleet(Mode::Native);
    let call = (
        "get_inventory".to_owned(),
        json!({"device": fleet.there.device}),
    );
    fleet.plan.lock().unwrap().push_back(call);
    let v = fleet.world.ask(0, &["what is on our device graz-web?"]);
    let case = v["case"].as_str().unwrap().to_owned();
    let story = || {
        let mut all = fleet
            .world
            .run(&["case", "export", &case, "--format", "json"])
            .exits(0)
            .json();
        // The moment of the export.
        all.as_object_mut()
            .unwrap()
            .retain(|k, _| !k.contains("export"));
        all.to_string()
    };
    let before = story();
    assert!(
        before.contains("GRAZSN1"),
        "the evidence is there: {before}"
    );
    let unknown = format!("{}0000{}", &case[..9], &case[13..]);
    // `fay` may do everything, and see the cases of others: inside her scope, which no case of others is.
    for who in ["fay", "vera", "nil"] {
        let run = |args: &[&str], id: &str| {
            let mut all = vec!["--as", who];
            all.extend(args.iter().map(|a| if *a == "ID" { id } else { a }));
            let ran = fleet.world.run(&all);
            assert_ne!(ran.code(), 0, "{who} {args:?}: {}", ran.stdout());
            let said = format!("{}{}", ran.stdout(), ran.stderr());
            assert!(
                !said.to_lowercase().contains("graz"),
                "{who} {args:?}: {said}"
            );
            (ran.code(), said.replace(id, "ID"))
        };
        for args in COMMANDS {
            assert_eq!(
                run(args, &case),
                run(args, &unknown),
                "{who} {args:?}: as if there were none"
            );
        }
        for args in [
            &["case", "list", "--json"][..],
            &["case", "search", "graz", "--json"],
            &["proposals", "--all", "--json"],
        ] {
            let mut all = vec!["--as", who];
            all.extend(args);
            if who == "vera" && args[0] == "proposals" {
                continue; // jobs of the whole fleet are hers to see, also those that wait
            }
            let said = fleet.world.run(&all).stdout();
            assert!(
                !said.contains(&case) && !said.contains("graz-"),
                "{who} {args:?}: {said}"
            );
        }
    }
    assert_eq!(story(), before, "nobody changed it");
    fleet.world.verify(&case);
}

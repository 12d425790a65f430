//! The commands for people and devices, as a person or a script runs them: both streams and the exit code, on
//! installations of their own.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

#[path = "fleet_support/mod.rs"]
mod fleet_support;

use fleet_support::{FLEET, Home, with_berta};
use serde_json::Value;
use std::fs;

#[test]
fn the_first_start_makes_the_first_owner() {
    let home = Home::with(FLEET);
    let me = home.json(&["principal", "show", "--json"]);
    assert_eq!(me["name"], "anna");
    assert_eq!(
        (&me["first_owner"], &me["whole_fleet"], &me["acting"]),
        (&true.into(), &true.into(), &true.into())
    );
    assert_eq!(me["permissions"].as_array().unwrap().len(), 22);
    // Another user of the system is nobody here, whatever it asks for.
    for args in [
        &["devices", "list"][..],
        &["case", "list"],
        &["proposals"],
        &["principal", "list"],
    ] {
        let ran = home.run_as("mallory", args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(
            ran.err.contains("mallory") && ran.err.contains("--os-user mallory"),
            "{}",
            ran.err
        );
    }
    let ran = home.run_as("mallory", &["--as", "anna", "devices", "list"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.err.contains("there is no principal anna that mallory"),
        "{}",
        ran.err
    );
}

#[test]
fn one_acts_as_those_that_one_may_act_as() {
    let home = with_berta();
    assert_eq!(
        home.names(&["--as", "berta", "devices", "list", "--json"]),
        ["dc01", "web-01", "web-02"]
    );
    let ran = home.run_as("berta", &["devices", "list"]);
    assert!(ran.code == 0 && !ran.out.contains("Fabrikam"), "{ran:?}");
    home.no(
        &["--as", "nobody", "devices", "list"],
        &["no principal nobody"],
    );
    // Unless it is disabled; then the cases and the audit still name it.
    home.ok(&["principal", "disable", "berta"]);
    home.no(&["--as", "berta", "devices", "list"], &["disabled"]);
    assert!(home.ok(&["principal", "list"]).contains("disabled"));
    home.ok(&["principal", "edit", "berta", "--enable"]);
    home.ok(&["--as", "berta", "devices", "list"]);
    home.ok(&["principal", "edit", "berta", "--remove-os-user", "anna"]);
    home.no(
        &["--as", "berta", "devices", "list"],
        &["no principal berta"],
    );
}

#[test]
fn nobody_gives_what_they_lack_or_changes_themselves() {
    let home = with_berta();
    home.ok(&["principal", "edit", "berta", "--allow", "principals.manage"]);
    let as_berta = |args: &[&'static str]| [&["--as", "berta", "principal"], args].concat();
    home.no(
        &as_berta(&["edit", "berta", "--allow", "audit.view"]),
        &["their own permissions"],
    );
    home.no(
        &as_berta(&["edit", "berta", "--whole-fleet"]),
        &["their own permissions"],
    );
    home.no(
        &as_berta(&["edit", "anna", "--revoke", "all"]),
        &["first owner"],
    );
    home.no(&as_berta(&["disable", "anna"]), &["first owner"]);
    home.no(
        &as_berta(&["add", "x", "--allow", "audit.view", "--client", "Contoso"]),
        &["cannot give audit.view"],
    );
    home.no(
        &as_berta(&["add", "x", "--allow", "devices.view", "--whole-fleet"]),
        &["the whole fleet"],
    );
    home.no(
        &as_berta(&[
            "add",
            "x",
            "--allow",
            "devices.view",
            "--client",
            "Fabrikam",
        ]),
        &["no such client"],
    );
    home.no(
        &as_berta(&["add", "x", "--allow", "devices.view", "--client", "c-2"]),
        &["no such client"],
    );
    home.ok(&as_berta(&[
        "add",
        "carl",
        "--allow",
        "read-only",
        "--site",
        "Bonn",
        "--os-user",
        "anna",
    ]));
    assert_eq!(
        home.names(&["--as", "carl", "devices", "list", "--json"]),
        ["dc01"]
    );
    home.no(
        &[
            "--as",
            "carl",
            "principal",
            "add",
            "x",
            "--allow",
            "devices.view",
            "--site",
            "Bonn",
        ],
        &["principals.manage"],
    );
    // It sees itself only.
    assert_eq!(
        home.json(&["--as", "carl", "principal", "list", "--json"])
            .as_array()
            .unwrap()
            .len(),
        1
    );
    home.no(
        &["--as", "carl", "principal", "show", "anna"],
        &["that you may see"],
    );
    home.no(
        &["principal", "add", "a b", "--allow", "all", "--whole-fleet"],
        &["cannot be a name"],
    );
    home.no(
        &[
            "principal",
            "add",
            "Berta",
            "--allow",
            "all",
            "--whole-fleet",
        ],
        &["exists already"],
    );
    home.no(
        &[
            "principal",
            "add",
            "x",
            "--allow",
            "technican",
            "--whole-fleet",
        ],
        &["did you mean technician?"],
    );
    home.no(
        &["principal", "add", "x", "--allow", "all"],
        &["where this principal may act"],
    );
    // The first owner may change itself.
    home.ok(&["principal", "edit", "anna", "--revoke", "cases.view_all"]);
}

/// Every command sees, counts and changes only what is inside; what is outside is as if it were not there.

#[test]
fn a_scope_holds_for_every_command() {
    let home = with_berta();
    home.write("p.csv", "hostname,client,identifier,severity\nweb-01,Contoso,KB1,critical\nmail,Fabrikam,KB1,critical\nmail,Fabrikam,KB2,low\n");
    home.write(
        "s.csv",
        "hostname,client,name,version\nweb-01,Contoso,openssl,3.0\nmail,Fabrikam,postfix,3.9\n",
    );
    home.ok(&[
        "device",
        "import",
        "--patches",
        "p.csv",
        "--software",
        "s.csv",
    ]);
    let as_berta = |args: &[&'static str]| [&["--as", "berta"], args].concat();

    assert_eq!(
        home.json(&as_berta(&["devices", "list", "--json"]))["total"],
        3
    );
    assert_eq!(home.json(&["devices", "list", "--json"])["total"], 5);
    // Only one `dc01` is there for berta, two for anna.
    home.ok(&as_berta(&["devices", "show", "dc01"]));
    home.no(
        &["devices", "show", "dc01"],
        &["2 devices", "d-3 dc01", "d-4 dc01"],
    );
    let org = home.ok(&as_berta(&["org", "list"]));
    assert!(
        org.contains("Contoso") && !org.contains("Fabrikam"),
        "{org}"
    );
    let patches = home.json(&as_berta(&["patches", "--json"]));
    assert_eq!(
        (&patches["total"], &patches["rows"][0]["devices"]),
        (&1.into(), &1.into())
    );
    assert_eq!(home.json(&["patches", "--json"])["total"], 2);
    for name in ["mail", "d-5", "d-99", "nothing"] {
        let words = &["there is no such device here"][..];
        home.no(&["--as", "berta", "devices", "show", name], words);
        home.no(&["--as", "berta", "inventory", name], words);
        home.no(&["--as", "berta", "patches", name], words);
        home.no(
            &[
                "--as", "berta", "devices", "move", name, "--site", "Bonn", "--count", "1", "--yes",
            ],
            words,
        );
        home.no(
            &[
                "--as", "berta", "devices", "remove", "web-01", name, "--count", "2", "--yes",
            ],
            words,
        );
        home.no(
            &[
                "--as", "berta", "patches", "approve", "KB1", "--device", name,
            ],
            words,
        );
    }
    for site in ["Graz", "s-3", "s-99"] {
        home.no(
            &["--as", "berta", "devices", "list", "--site", site],
            &["there is no such site here"],
        );
        home.no(
            &[
                "--as", "berta", "devices", "move", "web-01", "--site", site, "--count", "1",
                "--yes",
            ],
            &["there is no such site here"],
        );
    }
    home.no(
        &as_berta(&["device", "add", "mail", "--client", "Fabrikam"]),
        &["there is no client `Fabrikam` here"],
    );
    home.no(
        &as_berta(&["org", "add", "client", "New"]),
        &["yours has a scope"],
    );
    home.no(
        &as_berta(&["org", "add", "site", "New", "--client", "Fabrikam"]),
        &["there is no such client"],
    );
    home.no(
        &as_berta(&["patches", "--client", "Fabrikam"]),
        &["there is no such client"],
    );
    // A decision on every device reaches those inside.
    home.ok(&as_berta(&[
        "patches",
        "approve",
        "KB1",
        "KB2",
        "--everywhere",
    ]));
    let state =
        |device: &str| home.json(&["patches", device, "--json"])["rows"][0]["state"].clone();
    assert_eq!(
        (state("web-01"), state("mail")),
        ("approved".into(), "missing".into())
    );
    assert_eq!(
        home.ok(&as_berta(&["complete", "devices"])),
        "dc01\nweb-01\nweb-02\n"
    );
    assert_eq!(home.ok(&as_berta(&["complete", "clients"])), "Contoso\n");
    assert_eq!(home.ok(&["complete", "devices", "M"]), "mail\n");
    assert_eq!(home.ok(&["complete", "principals"]), "anna\nberta\n");
}

#[test]
fn a_permission_that_is_missing_is_named() {
    let home = Home::with(FLEET);
    home.ok(&[
        "principal",
        "add",
        "none",
        "--allow",
        "lookups.run",
        "--whole-fleet",
        "--os-user",
        "anna",
    ]);
    for (args, permission) in [
        (&["devices", "list"][..], "devices.view"),
        (&["devices", "show", "web-01"], "devices.view"),
        (&["inventory", "web-01"], "devices.view"),
        (&["org", "list"], "clients.view"),
        (&["org", "add", "client", "X"], "clients.manage"),
        (&["patches"], "patches.view"),
        (&["device", "add", "x"], "clients.manage"),
        (&["device", "import", "fleet.csv"], "clients.manage"),
        (
            &["principal", "add", "x", "--allow", "all", "--whole-fleet"],
            "principals.manage",
        ),
    ] {
        home.no(&[&["--as", "none"], args].concat(), &[permission]);
    }
    home.ok(&[
        "principal",
        "add",
        "looks",
        "--allow",
        "read-only",
        "--whole-fleet",
        "--os-user",
        "anna",
    ]);
    for (args, permission) in [
        (
            &[
                "devices", "move", "web-01", "--site", "Bonn", "--count", "1", "--yes",
            ][..],
            "clients.manage",
        ),
        (
            &["devices", "remove", "web-01", "--count", "1", "--yes"],
            "devices.delete",
        ),
        (
            &["patches", "approve", "KB1", "--device", "web-01"],
            "patches.approve",
        ),
    ] {
        home.no(&[&["--as", "looks"], args].concat(), &[permission]);
    }
    // Look-ups are a permission too.
    let ran = home.run(&["--as", "looks", "lookup", "@special", "192.0.2.1"]);
    assert!(
        ran.code == 8 && ran.out.contains("may not run look-ups"),
        "{ran:?}"
    );
    assert_eq!(home.json(&["devices", "list", "--json"])["total"], 5);
}

#[test]
fn moves_and_removals_are_confirmed_by_their_number() {
    let home = Home::with(FLEET);
    let site = |name: &str| {
        home.json(&["devices", "list", "--search", name, "--json"])["rows"][0]["site"].clone()
    };
    home.no(
        &["devices", "move", "web-01", "web-02", "--site", "Bonn"],
        &["2 devices would be moved to site Bonn", "--count 2 --yes"],
    );
    home.no(
        &[
            "devices", "move", "web-01", "--site", "Bonn", "--count", "2", "--yes",
        ],
        &["1 device would be changed, not 2"],
    );
    // The same device twice is one device.
    home.no(
        &[
            "devices", "move", "web-01", "d-1", "--site", "Bonn", "--count", "2", "--yes",
        ],
        &["1 device would be changed"],
    );
    let half = home.run(&["devices", "move", "web-01", "--site", "Bonn", "--yes"]);
    assert_eq!(half.code, 2, "{half:?}");
    assert_eq!(site("web-01"), "Berlin");
    assert_eq!(
        home.ok(&[
            "devices", "move", "web-01", "--site", "Bonn", "--why", "new desk", "--count", "1",
            "--yes"
        ]),
        "1 device was moved.\n"
    );
    assert_eq!(site("web-01"), "Bonn");
    home.no(
        &[
            "devices", "move", "web-01", "--site", "Bonn", "--count", "1", "--yes",
        ],
        &["already there"],
    );
    let gone = home.json(&[
        "device", "remove", "web-01", "mail", "--count", "2", "--yes", "--json",
    ]);
    assert_eq!(gone["removed"], 2);
    assert_eq!(
        home.names(&["devices", "list", "--json"]),
        ["dc01", "dc01", "web-02"]
    );
    home.no(&["devices", "show", "mail"], &["no such device"]);
    // One comes back as another device.
    home.ok(&["device", "add", "mail", "--client", "Fabrikam"]);
    assert!(home.ok(&["devices", "list"]).contains("d-6 mail"));
}

#[test]
fn pages_filters_and_places() {
    let home = Home::with(FLEET);
    assert_eq!(
        home.names(&["devices", "list", "--limit", "2", "--page", "3", "--json"]),
        ["web-02"]
    );
    let ran = home.run(&["devices", "list", "--limit", "2"]);
    assert!(ran.err.contains("this is page 1 of 3"), "{ran:?}");
    assert_eq!(home.names(&["devices", "list", "--all", "--json"]).len(), 5);
    assert_eq!(
        home.names(&[
            "devices",
            "list",
            "--platform",
            "windows",
            "--client",
            "fabrikam",
            "--json"
        ]),
        ["dc01"]
    );
    assert_eq!(
        home.names(&["devices", "list", "--search", "10.0.0.2", "--json"]),
        ["web-02"]
    );
    assert_eq!(home.run(&["devices", "list", "--limit", "0"]).code, 2);
    assert_eq!(
        home.ok(&["devices", "list", "--search", "none"]),
        "No device fits.\n"
    );
    assert_eq!(
        home.ok(&["org", "add", "site", "Kiel", "--client", "Contoso"]),
        "s-4 Kiel was made.\n"
    );
    home.no(
        &["org", "add", "site", "kiel", "--client", "Contoso"],
        &["in use"],
    );
    assert_eq!(
        home.json(&[
            "org",
            "add",
            "department",
            "Lab",
            "--client",
            "Contoso",
            "--site",
            "Kiel",
            "--json"
        ])["id"],
        "u-1"
    );
    home.ok(&[
        "org", "rename", "--site", "Kiel", "--client", "Contoso", "Lübeck",
    ]);
    home.no(
        &[
            "org", "rename", "--site", "Kiel", "--client", "Contoso", "x",
        ],
        &["no such site"],
    );
    let org = home.json(&["org", "list", "--client", "Contoso", "--json"]);
    let last = org["rows"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (
            &last["client"],
            &last["site_name"],
            &last["department_name"]
        ),
        (&"c-1".into(), &"Lübeck".into(), &"Lab".into())
    );
}

#[test]
fn a_file_is_taken_whole_or_not_at_all() {
    let home = Home::with(FLEET);
    home.write(
        "bad.csv",
        "hostname,ip\nnew-1,10.0.0.9\nnew-2,10.0.0.999\n\u{fffd},\n",
    );
    let ran = home.run(&["device", "import", "bad.csv"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran:?}");
    assert!(
        ran.err
            .contains("devices line 3: `10.0.0.999` is no address")
            && ran.err.contains("1 row is wrong: nothing was imported"),
        "{}",
        ran.err
    );
    assert_eq!(home.json(&["devices", "list", "--json"])["total"], 5);
    // The same as JSON on stdout, for scripts.
    let ran = home.run(&["device", "import", "bad.csv", "--json"]);
    assert_eq!(
        serde_json::from_str::<Value>(&ran.out).unwrap()["error"]["kind"],
        "user"
    );
    let dry = home.json(&["device", "import", "bad.csv", "--dry-run", "--json"]);
    assert_eq!(
        (&dry["kept"], &dry["created"], &dry["bad"]),
        (&false.into(), &2.into(), &1.into())
    );
    assert_eq!(dry["bad_rows"][0]["line"], 3);
    assert_eq!(home.json(&["devices", "list", "--json"])["total"], 5);
    let ran = home.run(&["device", "import", "bad.csv", "--skip-bad"]);
    assert!(
        ran.code == 0 && ran.out.contains("2 new") && ran.out.contains("1 wrong rows left out"),
        "{ran:?}"
    );
    assert_eq!(home.json(&["devices", "list", "--json"])["total"], 7);
    home.write("new.csv", "hostname,cleint\n");
    home.no(
        &["device", "import", "new.csv"],
        &["`cleint`", "did you mean client?"],
    );
    // One bad file of several: none of them counts.
    home.write("good.csv", "hostname\ngood\n");
    home.write("soft.csv", "hostname,name\ngood,openssl\nnobody,openssl\n");
    home.no(
        &["device", "import", "good.csv", "--software", "soft.csv"],
        &["there is no device `nobody` here"],
    );
    home.no(&["devices", "show", "good"], &["no such device"]);
    home.no(
        &["device", "import", "missing.csv"],
        &["missing.csv cannot be read"],
    );
    home.no(&["device", "import", "."], &["it is a directory"]);
    assert_eq!(home.run(&["device", "import"]).code, 2);
}

/// Names that would move the cursor, hide, or run from right to left are shown as what they are made of.

#[test]
fn hostile_names_are_shown_as_visible_symbols() {
    let home = Home::with(
        "hostname,client,site,os,tags\nweb\u{202e}gpj.exe,Evil\u{1b}]0;title\u{7}Corp,\u{200b}Site,a\u{1b}[2Jb,=cmd|' /C calc'!A1\n",
    );
    for args in [
        &["devices", "list"][..],
        &["devices", "list", "--wide"],
        &["devices", "show", "d-1"],
        &["inventory", "d-1", "--system"],
        &["org", "list"],
        &["devices", "list", "--json"],
        &["org", "list", "--json"],
        &["devices", "move", "d-1", "--site", "s-1"],
        &["complete", "devices"],
        &["complete", "clients"],
    ] {
        let ran = home.run(args);
        let hidden =
            |c: char| c.is_control() && c != '\n' || matches!(u32::from(c), 0x200b | 0x202e);
        let text = format!("{}{}", ran.out, ran.err);
        assert!(!text.chars().any(hidden), "{args:?}: {text:?}");
    }
    // Control characters are not kept at all; what is only invisible is, and is the same name in JSON.
    let names = home.names(&["devices", "list", "--json"]);
    assert_eq!(names, ["web\u{202e}gpj.exe"]);
}

#[test]
fn a_database_that_may_not_be_written_is_read() {
    let home = with_berta();
    let data = home.dir.path().join("data");
    home.ok(&["case", "list"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let rights = |mode| fs::set_permissions(&data, fs::Permissions::from_mode(mode)).unwrap();
        rights(0o500);
        // Whoever may write everywhere cannot try this.
        let writes = fs::write(data.join("probe"), "").is_ok();
        if !writes {
            assert_eq!(
                home.names(&["--as", "berta", "devices", "list", "--json"])
                    .len(),
                3
            );
            assert_eq!(
                home.run(&["--as", "berta", "devices", "show", "mail"]).code,
                2
            );
            let ran = home.run(&["device", "add", "x"]);
            assert_eq!(ran.code, 3, "{ran:?}");
        }
        rights(0o700);
    }
    home.ok(&["db", "check"]);
    let ran = home.run(&["--as", "nobody", "db", "check"]);
    assert_eq!(ran.code, 2, "{ran:?}");
}

#[test]
fn a_made_up_fleet_is_made_once_and_never_beside_another() {
    let home = Home {
        dir: tempfile::tempdir().unwrap(),
    };
    let made = home.json(&[
        "dev",
        "seed-fleet",
        "--size",
        "s",
        "--audit",
        "50",
        "--json",
    ]);
    assert_eq!(
        (&made["devices"], &made["clients"], &made["audit"]),
        (&25.into(), &3.into(), &50.into())
    );
    assert_eq!(
        home.json(&["devices", "list", "--all", "--json"])["total"],
        25
    );
    home.no(
        &["dev", "seed-fleet"],
        &["there are devices in this database already"],
    );
    let device = home
        .names(&["devices", "list", "--limit", "1", "--json"])
        .remove(0);
    let soft = home.json(&["inventory", &device, "--software", "--json"]);
    assert!(soft["rows"].as_array().unwrap().len() > 10, "{soft}");
}

/// The program behind a terminal: `typed` is in the terminal before it starts, `answer` is typed at its question.
#[cfg(target_os = "linux")]
fn at_a_terminal(home: &Home, args: &str, typed: &str, answer: &str) -> String {
    use std::io::{Read as _, Write as _};
    use std::process::{Command, Stdio};

    let program = env!("CARGO_BIN_EXE_rmm-analyst");
    let line = format!("stty -echo; echo READY; read go; {program} {args}; echo LEFT-$?");
    let mut child = Command::new("script")
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", home.dir.path())
        .env("USER", "anna")
        .env("SHELL", "/bin/sh")
        .env("RMM_ANALYST_DATA_DIR", home.dir.path().join("data"))
        .args(["-q", "-e", "-c", &line, "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, mut out) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut seen = String::new();
    let mut until = |words: &str| {
        let mut byte = [0_u8; 1];
        while !seen.contains(words) && out.read(&mut byte).unwrap() == 1 {
            seen.push(char::from(byte[0]));
        }
        assert!(seen.contains(words), "{words} did not come: {seen}");
        seen.clone()
    };
    until("READY");
    stdin.write_all(format!("go\n{typed}").as_bytes()).unwrap();
    until("to do it: ");
    stdin.write_all(answer.as_bytes()).unwrap();
    let text = until("LEFT-");
    let _ = child.wait();
    text
}

/// At a terminal the devices are shown, and their number is typed: behind the question, not before it.
#[test]
#[cfg(target_os = "linux")]
fn a_person_types_the_number() {
    let home = Home::with(FLEET);
    let total = || home.json(&["devices", "list", "--json"])["total"].clone();
    let text = at_a_terminal(&home, "devices remove web-01 mail", "2\n", "3\n");
    assert!(
        text.contains("d-1 web-01  Contoso / Berlin") && text.contains("d-5 mail  Fabrikam / Graz"),
        "{text}"
    );
    assert!(
        text.contains("it was not confirmed: nothing was changed"),
        "{text}"
    );
    for wrong in ["y\n", "\n", "yes\n"] {
        at_a_terminal(&home, "devices remove web-01 mail", "", wrong);
    }
    assert_eq!(total(), 5);
    let text = at_a_terminal(&home, "devices remove web-01 mail", "", "2\n");
    assert!(text.contains("2 devices were removed."), "{text}");
    assert_eq!(total(), 3);
}

//! What concerns a whole installation: who may copy it and change its settings, what never enters it, and what a
//! shell completes out of it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

#[path = "fleet_support/mod.rs"]
mod fleet_support;

use assert_cmd::Command;
use fleet_support::{FLEET, Home, with_berta};

#[test]
fn what_concerns_the_whole_installation_is_its_owners() {
    let home = with_berta();
    home.ok(&["principal", "edit", "berta", "--allow", "principals.manage"]);
    home.ok(&[
        "principal",
        "add",
        "bot",
        "--connector",
        "--allow",
        "all",
        "--whole-fleet",
        "--os-user",
        "anna",
    ]);
    for who in ["berta", "bot"] {
        for command in [
            &["db", "backup", "copy.db"] as &[&str],
            &["db", "restore", "copy.db", "--yes"],
            &["config", "set", "model.name", "x"],
            &["config", "init", "--force"],
            &["secret", "remove", "threatfox"],
        ] {
            let args = [&["--as", who], command].concat();
            home.no(&args, &["may not", "whole installation"]);
        }
    }
    // A connector makes nobody, itself least; who manages one client shuts nobody else out.
    home.no(
        &[
            "--as",
            "bot",
            "principal",
            "add",
            "y",
            "--allow",
            "all",
            "--whole-fleet",
            "--os-user",
            "anna",
        ],
        &["a connector manages nobody"],
    );
    home.ok(&[
        "principal",
        "add",
        "carl",
        "--allow",
        "read-only",
        "--whole-fleet",
        "--os-user",
        "carl",
    ]);
    home.no(
        &["--as", "berta", "principal", "disable", "carl"],
        &["whole fleet"],
    );
    home.ok(&["db", "backup", "copy.db"]);
    home.ok(&["principal", "disable", "carl"]);
}

#[test]
fn a_secret_of_this_installation_is_imported_nowhere() {
    let home = Home::with(FLEET);
    home.write("leak.csv", "hostname,tags\nweb-9,c0nfigured-Secret-9f2a7\n");
    let output = Command::new(env!("CARGO_BIN_EXE_rmm-analyst"))
        .env_clear()
        .env("HOME", home.dir.path())
        .env("USER", "anna")
        .env("RMM_ANALYST_SECRET_THREATFOX", "c0nfigured-Secret-9f2a7")
        .args(["--data-dir", "data", "device", "import", "leak.csv"])
        .current_dir(home.dir.path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("line 2: it holds a secret of this installation"),
        "{said}"
    );
    for file in std::fs::read_dir(home.dir.path().join("data")).unwrap() {
        let path = file.unwrap().path();
        let bytes = if path.is_file() {
            std::fs::read(&path).unwrap()
        } else {
            Vec::new()
        };
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("c0nfigured-Secret"), "{}", path.display());
    }
}

#[test]
fn bash_completes_names_of_the_database() {
    let home = Home::with(FLEET);
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_rmm-analyst"));
    let script = "source completions.bash; COMP_WORDS=(rmm-analyst inventory ''); COMP_CWORD=2; \
                  _rmm_analyst_names; printf '%s\\n' \"${COMPREPLY[@]}\"; \
                  COMP_WORDS=(rmm-analyst devices list --client Con); COMP_CWORD=4; _rmm_analyst_names; \
                  printf '%s\\n' \"${COMPREPLY[@]}\"";
    home.write("completions.bash", home.ok(&["completions", "bash"]));
    let output = Command::new("bash")
        .args(["-c", script])
        .env_clear()
        .env("HOME", home.dir.path())
        .env("USER", "anna")
        .env(
            "PATH",
            format!("{}:/usr/bin:/bin", program.parent().unwrap().display()),
        )
        .env("RMM_ANALYST_DATA_DIR", home.dir.path().join("data"))
        .current_dir(home.dir.path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let devices = home.names(&["devices", "list", "--json"]);
    assert!(!devices.is_empty());
    for name in devices {
        assert!(said.lines().any(|l| l == name), "{name}: {said}");
    }
    assert!(said.lines().any(|l| l == "Contoso"), "{said}");
}

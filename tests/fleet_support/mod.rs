//! An installation of its own with a small fleet, and the program run on it as a person or a script does.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests; each file uses a part"
)]

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

pub(crate) struct Home {
    pub(crate) dir: TempDir,
}

#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Home {
    /// With this file imported by anna, who becomes the first owner.
    pub(crate) fn with(csv: &str) -> Self {
        let home = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        home.write("fleet.csv", csv);
        home.ok(&["device", "import", "fleet.csv"]);
        home
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.dir.path().join(name), text).unwrap();
    }

    pub(crate) fn run_as(&self, user: &str, args: &[&str]) -> Ran {
        let output = Command::new(env!("CARGO_BIN_EXE_rmm-analyst"))
            .env_clear()
            .env("HOME", self.dir.path())
            .env("USER", user)
            .env("RMM_ANALYST_DATA_DIR", self.dir.path().join("data"))
            .current_dir(self.dir.path())
            .args(args)
            .output()
            .unwrap();
        Ran {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_as("anna", args)
    }

    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let ran = self.run(args);
        assert_eq!(ran.code, 0, "{args:?}: {ran:?}");
        ran.out
    }

    pub(crate) fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.ok(args)).unwrap()
    }

    /// Refused: exit 2, nothing on stdout, and these words on stderr.
    pub(crate) fn no(&self, args: &[&str], words: &[&str]) {
        let ran = self.run(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}: {ran:?}");
        for word in words {
            assert!(ran.err.contains(word), "{args:?}: {word}: {}", ran.err);
        }
        assert!(ran.err.contains(" hint: "), "{args:?}: {}", ran.err);
    }

    pub(crate) fn names(&self, args: &[&str]) -> Vec<String> {
        self.json(args)["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|r| r["hostname"].as_str().unwrap().to_owned())
            .collect()
    }
}

pub(crate) const FLEET: &str = "hostname,client,site,os,ip\n\
    web-01,Contoso,Berlin,Ubuntu 24.04,10.0.0.1\n\
    web-02,Contoso,Berlin,Ubuntu 24.04,10.0.0.2\n\
    dc01,Contoso,Bonn,Windows Server 2022,10.0.0.3\n\
    dc01,Fabrikam,Graz,Windows Server 2019,10.1.0.3\n\
    mail,Fabrikam,Graz,Debian 13,10.1.0.4\n";

/// Contoso only, with what a technician may.
pub(crate) fn with_berta() -> Home {
    let home = Home::with(FLEET);
    home.ok(&[
        "principal",
        "add",
        "berta",
        "--allow",
        "technician,devices.delete",
        "--client",
        "Contoso",
        "--os-user",
        "anna",
        "--os-user",
        "berta",
    ]);
    home
}

//! `report`, `export` and `audit` as commands: what goes to stdout and stderr, exit codes, files that are whole
//! or not there, and what the audit says of it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod store_support;

use assert_cmd::Command;
use fleet::audit::Plain;
use fleet::backend::Directory;
use fleet::exports::{self, Token, Wanted};
use fleet::principal;
use fleet::proposals::Acting;
use fleet::report::{Filter, Kind};
use fleet::seed::{Plan, Size, generate};
use fleet::tools::Ctx;
use kit::principal::{Permission, Places, Scope};
use kit::text::Redactor;
use rmm_analyst::case::TurnStatus;
use rmm_analyst::redact::Redact;
use rmm_analyst::store::{Store, StoreError};
use rusqlite::Connection;
use serde_json::Value;
use std::path::{Path, PathBuf};
use store_support::{T0, answer, call, done, ended, evidence, human, ip, open, started};
use tempfile::TempDir;

struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Ran {
    fn ok(self) -> String {
        assert_eq!(self.code, 0, "{}{}", self.out, self.err);
        self.out
    }

    fn json(self) -> Value {
        serde_json::from_str(&self.ok()).unwrap()
    }

    /// Refused as a wrong command: nothing on stdout, words on stderr.
    fn refused(self, words: &str) {
        assert_eq!(self.code, 2, "{}{}", self.out, self.err);
        assert_eq!(self.out, "");
        assert!(self.err.starts_with("error: "), "{}", self.err);
        assert!(self.err.contains(words), "{}", self.err);
    }
}

struct Home {
    dir: TempDir,
}

impl Home {
    /// A made-up fleet S with 500 audit rows; `anna` is the first owner, `bob` may do everything for client 1.
    fn fleet() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("config.toml"), "").unwrap();
        let home = Self { dir };
        let store = open(&home.db());
        store
            .write(|tx| {
                let plan = Plan {
                    size: Size::S,
                    seed: 1,
                    audit_rows: 500,
                    now_ms: now(),
                };
                let db = tx.fleet();
                generate(db, &Plain, &plan).map_err(|e| StoreError::Other(e.to_string()))?;
                let other = |e: principal::PrincipalError| StoreError::Other(e.to_string());
                let anna = principal::acting(db, "anna", None, now()).map_err(other)?;
                let bob = principal::New {
                    name: "bob".into(),
                    kind: fleet::model::PrincipalKind::Person,
                    permissions: Permission::ALL.into_iter().collect(),
                    scope: Scope::Only(Places {
                        clients: [1].into(),
                        ..Places::default()
                    }),
                    users: ["bob".to_owned()].into(),
                };
                principal::add(db, &anna, &bob, now()).map_err(other)?;
                Ok(())
            })
            .unwrap();
        home
    }

    fn db(&self) -> PathBuf {
        self.dir.path().join("rmm-analyst.db")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join("out").join(name)
    }

    fn run_as(&self, user: &str, args: &[&str]) -> Ran {
        std::fs::create_dir_all(self.dir.path().join("out")).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_rmm-analyst"))
            .env_clear()
            .env("HOME", self.dir.path())
            .env("USER", user)
            .env("RMM_ANALYST_DATA_DIR", self.dir.path())
            .env("RMM_ANALYST_CONFIG", self.dir.path().join("config.toml"))
            .current_dir(self.dir.path().join("out"))
            .args(args)
            .output()
            .unwrap();
        Ran {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn run(&self, args: &[&str]) -> Ran {
        self.run_as("anna", args)
    }

    /// An export as a model's call leaves it.
    fn prepared(&self, owner: &str, now_ms: i64) -> Token {
        let owner = owner.to_owned();
        open(&self.db())
            .write(move |tx| {
                let who = principal::present(tx.fleet(), &owner)
                    .map_err(|e| StoreError::Other(e.to_string()))?;
                let backends = Directory::default();
                let acting = Acting {
                    ctx: Ctx {
                        connection: tx.fleet(),
                        principal: &who,
                        backends: &backends,
                        now_ms,
                        case: None,
                        by_model: true,
                        random: [42; 32],
                    },
                    chain: tx.fleet_chain(),
                    redactor: &Redact::default(),
                    expiry_ms: 1000,
                };
                let wanted = Wanted::Inventory(Filter::of(Kind::Software));
                exports::create(&acting, &wanted)
                    .map(|made| made.token)
                    .map_err(|e| StoreError::Other(e.to_string()))
            })
            .unwrap()
    }

    fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.dir.path().join("out"))
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Actions of the trail that begin with `export`, oldest first, with their results.
    fn trail(&self) -> Vec<String> {
        let found = self
            .run(&[
                "audit", "list", "--action", "export", "--since", "1h", "--json",
            ])
            .json();
        let mut rows: Vec<String> = found["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|r| {
                format!(
                    "{} {} {}",
                    r["actor"].as_str().unwrap(),
                    r["action"].as_str().unwrap(),
                    r["result"].as_str().unwrap()
                )
            })
            .filter(|r| !r.starts_with("technician"))
            .collect();
        rows.reverse();
        rows
    }

    /// Somebody who can write the file takes the guards away first.
    fn forge(&self, sql: &str) {
        let db = Connection::open(self.db()).unwrap();
        db.execute_batch("DROP TRIGGER fleet_audit_no_update; DROP TRIGGER fleet_audit_no_delete;")
            .unwrap();
        db.execute_batch(sql).unwrap();
    }
}

fn now() -> i64 {
    rmm_analyst::engine::now_ms()
}

fn lines(path: &Path) -> Vec<String> {
    std::fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_report_is_a_table_json_or_csv() {
    let home = Home::fleet();
    let ran = home.run(&[
        "report",
        "inventory",
        "--type",
        "machines",
        "--group-by",
        "client",
    ]);
    assert_eq!(ran.err, "");
    let text = ran.ok();
    assert!(text.starts_with("group"), "{text}");
    assert!(text.contains("3 groups by client"), "{text}");
    let json = home
        .run(&["report", "inventory", "--type", "software", "--json"])
        .json();
    // Fifty groups are shown unless more are asked for, and the object says how many there are.
    assert_eq!(json["rows"].as_array().unwrap().len(), 50);
    assert!(json["total"].as_u64().unwrap() > 50);
    assert!(json["rows"][0]["installs"].as_i64().unwrap() > 0);
    let csv = home
        .run(&[
            "report",
            "inventory",
            "--type",
            "machines",
            "--rows",
            "--csv",
        ])
        .ok();
    assert!(csv.starts_with("device,hostname,client,"), "{csv}");
    assert_eq!(csv.lines().count(), 26);
    assert!(
        home.run(&["report", "summary"])
            .ok()
            .contains("25 devices.")
    );
}

#[test]
fn some_rows_do_not_look_like_all() {
    let home = Home::fleet();
    let ran = home.run(&[
        "report",
        "inventory",
        "--type",
        "software",
        "--rows",
        "--limit",
        "5",
        "--csv",
    ]);
    assert!(ran.err.contains("5 of 1000 rows"), "{}", ran.err);
    assert_eq!(ran.ok().lines().count(), 6);
}

#[test]
fn what_does_not_fit_is_refused_with_words() {
    let home = Home::fleet();
    home.run(&[
        "report",
        "inventory",
        "--type",
        "software",
        "--client",
        "c-99",
    ])
    .refused("There is no such client");
    home.run(&[
        "report",
        "inventory",
        "--type",
        "software",
        "--group-by",
        "memory",
    ])
    .refused("is grouped by");
    home.run(&["report", "inventory", "--type", "tapes"])
        .refused("tapes");
    home.run(&["audit", "list", "--since", "soon"])
        .refused("a moment is expected");
    home.run(&["export", "inventory", "--type", "software"])
        .refused("--out");
    home.run(&["export", "open", "nothing", "--out", "a.csv"])
        .refused("no such export");
    assert_eq!(home.files(), Vec::<String>::new());
}

#[test]
fn an_export_by_hand_is_a_whole_file() {
    let home = Home::fleet();
    let args = [
        "export",
        "inventory",
        "--type",
        "software",
        "--out",
        "a.csv",
    ];
    let ran = home.run(&args);
    assert!(ran.err.contains("1000 rows in a.csv"), "{}", ran.err);
    assert_eq!(ran.ok(), "");
    let first = lines(&home.file("a.csv"));
    assert_eq!(first.len(), 1001);
    assert!(first[0].starts_with("device,hostname,client,site,department,title"));
    home.run(&args).refused("is there already");
    std::fs::write(home.file("a.csv"), "old").unwrap();
    home.run(&[&args[..], &["--force"]].concat()).ok();
    assert_eq!(lines(&home.file("a.csv")), first);
    // The same on standard output, and nothing else there.
    let piped = home
        .run(&["export", "inventory", "--type", "software", "--out", "-"])
        .ok();
    assert_eq!(piped.lines().collect::<Vec<_>>(), first);
    assert_eq!(home.files(), ["a.csv"]);
    let one = [
        "anna export.create ok",
        "anna export.open ok",
        "anna export.finish ok",
    ];
    // The refused file was refused before anything was made.
    assert_eq!(home.trail(), [one, one, one].concat());
}

#[test]
fn a_token_is_opened_once_and_by_its_principal() {
    let home = Home::fleet();
    let token = home.prepared("anna", now());
    let open = ["export", "open", token.as_str(), "--out", "a.csv"];
    home.run_as("bob", &open).refused("no such export of yours");
    assert_eq!(home.files(), Vec::<String>::new());
    // A place that cannot be written does not use it up.
    let nowhere = ["export", "open", token.as_str(), "--out", "no/such/a.csv"];
    assert_eq!(home.run(&nowhere).code, 3);
    let list = home.run(&["export", "list"]).ok();
    assert!(
        list.contains(&token.id()) && list.contains("open until"),
        "{list}"
    );
    assert!(!list.contains(token.as_str()));
    home.run(&open).ok();
    assert_eq!(lines(&home.file("a.csv")).len(), 1001);
    home.run(&[&open[..], &["--force"]].concat())
        .refused("opened already");
    let list = home.run(&["export", "list", "--json"]).json();
    assert!(list[0]["opened_ms"].as_i64().is_some());
    assert_eq!(
        home.trail(),
        [
            "anna export.create ok",
            "bob export.open refused",
            "anna export.open ok",
            "anna export.finish ok",
            "anna export.open refused",
        ]
    );
}

#[test]
fn a_token_expires_and_can_be_taken_back() {
    let home = Home::fleet();
    let old = home.prepared("anna", now() - exports::EXPIRY_MS);
    home.run(&["export", "open", old.as_str(), "--out", "-"])
        .refused("has expired");
    home.run(&["export", "revoke", "x-000000000000"])
        .refused("no such export");
    let said = home.run(&["export", "revoke", &old.id()]).ok();
    assert_eq!(said, format!("{} was taken back\n", old.id()));
    assert_eq!(home.run(&["export", "list"]).ok(), "No exports.\n");
}

#[test]
fn a_scope_counts_when_it_is_opened() {
    let home = Home::fleet();
    let whole = home
        .run(&["export", "inventory", "--type", "machines", "--out", "-"])
        .ok();
    let part = home
        .run_as(
            "bob",
            &["export", "inventory", "--type", "machines", "--out", "-"],
        )
        .ok();
    let inside = whole.lines().filter(|l| part.contains(*l)).count();
    assert_eq!(part.lines().count(), inside);
    assert!(inside > 1 && inside < whole.lines().count());
    home.run_as("bob", &["audit", "export", "--out", "audit.csv"])
        .refused("scope");
    assert_eq!(home.files(), Vec::<String>::new());
}

#[test]
fn an_interrupted_reader_ends_quietly() {
    let home = Home::fleet();
    let token = home.prepared("anna", now());
    // `head -1` goes away after the first line; 1000 rows are more than a pipe holds for it.
    let output = Command::new("sh")
        .env_clear()
        .env("HOME", home.dir.path())
        .env("USER", "anna")
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("RMM_ANALYST_DATA_DIR", home.dir.path())
        .args([
            "-c",
            "{ \"$1\" export open \"$2\" --out -; echo \"exit $?\" >&2; } | head -n 1",
            "sh",
            env!("CARGO_BIN_EXE_rmm-analyst"),
            token.as_str(),
        ])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("device,"));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "exit 0\n");
}

#[test]
fn the_trail_is_filtered_and_counted() {
    let home = Home::fleet();
    let all = home
        .run(&["audit", "list", "--limit", "1000", "--json"])
        .json();
    let all = all["rows"].as_array().unwrap();
    assert_eq!(all.len(), 500);
    let actor = all[0]["actor"].as_str().unwrap();
    let by = home
        .run(&[
            "audit", "list", "--actor", actor, "--limit", "1000", "--json",
        ])
        .json();
    let wanted = all.iter().filter(|r| r["actor"] == actor).count();
    assert_eq!(by["rows"].as_array().unwrap().len(), wanted);
    let jobs = home
        .run(&[
            "audit", "list", "--action", "job", "--limit", "1000", "--json",
        ])
        .json();
    let wanted = all
        .iter()
        .filter(|r| r["action"].as_str().unwrap().starts_with("job."))
        .count();
    assert_eq!(jobs["rows"].as_array().unwrap().len(), wanted);
    let summary = home
        .run(&["audit", "summary", "--since", "200d", "--json"])
        .json();
    let sum: i64 = summary["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["entries"].as_i64().unwrap())
        .sum();
    assert_eq!(sum, 500);
    let page = home.run(&["audit", "list", "--before", "3", "--csv"]).ok();
    assert_eq!(page.lines().count(), 3);
    home.run(&["audit", "export", "--actor", actor, "--out", "a.csv"])
        .ok();
    assert!(
        lines(&home.file("a.csv"))[1..]
            .iter()
            .all(|l| l.contains(actor))
    );
}

#[test]
fn a_changed_row_shows_with_its_number() {
    let home = Home::fleet();
    let whole = home.run(&["audit", "verify"]).ok();
    assert!(whole.starts_with("intact: 500 entries"), "{whole}");
    home.forge("UPDATE fleet_audit SET actor = 'eve' WHERE seq = 250");
    let ran = home.run(&["audit", "verify"]);
    assert_eq!(ran.code, 3);
    assert_eq!(ran.err, "");
    assert!(
        ran.out.contains("entry 250  this row was changed"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains(" eve "), "{}", ran.out);
    assert!(
        ran.out.contains("NOT intact: read up to entry 250"),
        "{}",
        ran.out
    );
    let json = home.run(&["audit", "verify", "--json"]);
    assert_eq!(json.code, 3);
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["fault"]["kind"], "hash");
    assert_eq!(json["fault"]["entry"], 250);
}

#[test]
fn a_cut_tail_and_a_missing_row_show() {
    for (sql, kind, entry) in [
        ("DELETE FROM fleet_audit WHERE seq > 490", "head", 490),
        ("DELETE FROM fleet_audit WHERE seq = 100", "gap", 101),
    ] {
        let home = Home::fleet();
        home.forge(sql);
        let ran = home.run(&["audit", "verify", "--json"]);
        assert_eq!(ran.code, 3, "{sql}");
        let json: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(json["fault"]["kind"], kind, "{sql}");
        assert_eq!(json["fault"]["entry"], entry, "{sql}");
    }
}

#[test]
fn counts_that_drifted_are_made_anew() {
    let home = Home::fleet();
    home.forge("UPDATE fleet_audit_days SET entries = entries + 1");
    let ran = home.run(&["audit", "verify"]);
    assert_eq!(ran.code, 3);
    assert!(ran.out.contains("--repair"), "{}", ran.out);
    assert!(
        home.run(&["audit", "verify", "--repair"])
            .ok()
            .starts_with("intact")
    );
    assert!(home.run(&["audit", "verify"]).ok().starts_with("intact"));
}

/// A case with evidence, and an answer with two tables.
fn case(home: &Home) -> String {
    let store: Store = open(&home.db());
    let id = store
        .write(|tx| {
            let case = tx.create_case(T0, "what about 203.0.113.1?", "anna")?;
            let e = tx.put_evidence(&case, &evidence(1, &ip(1), "{}"))?;
            let text =
                "Two:\n\n| name | formula |\n|---|---|\n| a, b | =1+1 |\n\n```csv\nx,y\n1,2\n```\n";
            tx.append(
                &case,
                T0,
                &[
                    human(1, "what about 203.0.113.1?", &[ip(1)]),
                    started(1),
                    call(1, 1, &ip(1)),
                    done(1, 1, Some(e), &[]),
                    answer(1, text),
                    ended(1, TurnStatus::Answered),
                ],
            )?;
            Ok(case)
        })
        .unwrap();
    id.to_string()
}

#[test]
fn tables_of_answers_and_evidence_are_saved() {
    let home = Home::fleet();
    let case = case(&home);
    let csv = home.run(&["evidence", &case, "1", "--csv"]).ok();
    assert_eq!(csv, "port,name\n443,a|b ![x](http://evil.example/)\n");
    let ran = home.run(&["export", "answer", &case, "--out", "t.csv"]);
    assert!(ran.err.contains("table 1 of 2"), "{}", ran.err);
    ran.ok();
    assert_eq!(
        lines(&home.file("t.csv")),
        ["name,formula", "\"a, b\",'=1+1"]
    );
    let second = home
        .run(&["export", "answer", &case, "--table", "2", "--out", "-"])
        .ok();
    assert_eq!(second, "x,y\n1,2\n");
    home.run(&["export", "answer", &case, "--table", "3", "--out", "-"])
        .refused("has 2 tables");
    home.run(&["export", "answer", &case, "--turn", "9", "--out", "-"])
        .refused("turn 9 has no table");
    home.run(&["export", "answer", &case, "--out", "t.csv"])
        .refused("is there already");
}

/// A token goes through the redactor and the extraction of indicators like any text of a tool.
#[test]
fn a_token_survives_redaction_and_is_no_indicator() {
    let redact = Redact::new(&[], &[]).unwrap();
    for n in 1..=200_u8 {
        let mut random = [n; 32];
        for (at, byte) in random.iter_mut().enumerate() {
            *byte = byte.wrapping_mul(167).wrapping_add(at as u8).rotate_left(3);
        }
        let token = Token::of(&random).unwrap();
        let said = format!(
            "The export of 1000 rows is ready for this person and no one else; no row passes through here. It is opened once, within 15 minutes, with: rmm-analyst export open {} --out FILE.csv",
            token.as_str()
        );
        assert_eq!(redact.redact(&said), said);
        let found: Vec<String> = kit::extract::extract(&said)
            .into_iter()
            .map(|f| f.indicator.value().to_owned())
            .filter(|v| v.contains(token.as_str()))
            .collect();
        assert!(found.is_empty(), "{found:?}");
    }
}

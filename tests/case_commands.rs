//! Commands over stored cases in the states that a person meets: a turn that runs, nothing open, a narrow
//! terminal, words that hold a secret.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod store_support;

use clap::Parser as _;
use rmm_analyst::case::TurnStatus;
use rmm_analyst::cli::case::{CaseArgs, run as run_case};
use rmm_analyst::cli::evidence::{EvidenceArgs, run as run_evidence};
use rmm_analyst::cli::proposals::{ProposalsArgs, run as run_proposals};
use rmm_analyst::cli::view::{View, exit_code};
use rmm_analyst::redact::Redact;
use rmm_analyst::store::{CaseId, Store, StoreError};
use secrecy::SecretString;
use serde_json::Value;
use std::sync::Arc;
use store_support::{
    T0, anna, answer, call, done, ended, evidence, human, ip, open, proposed, started,
};

#[derive(clap::Parser)]
struct CaseCli {
    #[command(flatten)]
    args: CaseArgs,
}
#[derive(clap::Parser)]
struct EvidenceCli {
    #[command(flatten)]
    args: EvidenceArgs,
}
#[derive(clap::Parser)]
struct ProposalsCli {
    #[command(flatten)]
    args: ProposalsArgs,
}

const SECRET: &str = "kv9Zq7Tr4pLw2Xm8sNd6Bh3";

fn on(store: &Store, line: &[&str], width: Option<usize>) -> Result<(u8, String), StoreError> {
    let known = [(
        "abuseipdb".to_owned(),
        SecretString::from(SECRET.to_owned()),
    )];
    let who = anna();
    let view = View {
        store,
        principal: &who,
        now_ms: T0 + 77,
        defang: true,
        redact: Arc::new(Redact::new(&known, &[]).unwrap()),
        width,
    };
    let mut out = Vec::new();
    let code = match line[0] {
        "case" => run_case(&CaseCli::parse_from(line).args, &view, &mut out),
        "evidence" => run_evidence(&EvidenceCli::parse_from(line).args, &view, &mut out),
        "proposals" => run_proposals(&ProposalsCli::parse_from(line).args, &view, &mut out),
        other => panic!("{other}"),
    };
    match code {
        Ok(code) => Ok((code, String::from_utf8(out).unwrap())),
        Err(e) => Err(e.downcast::<StoreError>().unwrap()),
    }
}

fn command(store: &Store, line: &[&str]) -> Result<(u8, String), StoreError> {
    on(store, line, None)
}

fn text(store: &Store, line: &[&str]) -> String {
    command(store, line).unwrap().1
}

fn temp() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir.path().join("rmm-analyst.db"));
    (dir, store)
}

/// A case whose first turn is answered, with evidence and a proposal, and whose second has a call out.
fn begun(store: &Store) -> CaseId {
    store
        .write(|tx| {
            let case = tx.create_case(T0, "what about 203.0.113.1?", "anna")?;
            let n = tx.next_proposal_number()?;
            let e = tx.put_evidence(&case, &evidence(1, &ip(1), "{}"))?;
            tx.append(
                &case,
                T0,
                &[
                    human(1, "what about it?", &[ip(1)]),
                    started(1),
                    call(1, 1, &ip(1)),
                    done(1, 1, Some(e), &[]),
                    proposed(n, 1, &ip(2), Some(e)),
                    answer(1, "a host (E1)"),
                    ended(1, TurnStatus::Waiting),
                    human(2, "and now?", &[]),
                    started(2),
                    call(2, 1, &ip(1)),
                ],
            )?;
            Ok(case)
        })
        .unwrap()
}

#[test]
fn a_running_turn_is_shown_as_running_until_its_process_is_gone() {
    let (_dir, store) = temp();
    let case = begun(&store);
    let show = |args: &[&str]| text(&store, &[&["case", "show", case.short()], args].concat());
    let ledger = |shown: &str| {
        let v: Value = serde_json::from_str(shown).unwrap();
        let turn = v["turns"][1].clone();
        let call = &turn["ledger"][0];
        (
            turn["status"].clone(),
            call["status"].clone(),
            call["detail"].clone(),
        )
    };
    let held = store.lock_turn(&case).unwrap();
    let shown = show(&[]);
    assert!(
        shown.contains("-- running") && shown.contains(": in flight"),
        "{shown}"
    );
    assert!(!shown.contains("interrupted"), "{shown}");
    assert_eq!(
        ledger(&show(&["--json"])),
        ("running".into(), Value::Null, "in flight".into())
    );
    for format in ["markdown", "csv"] {
        let report = text(
            &store,
            &["case", "export", case.short(), "--format", format],
        );
        assert!(
            report.contains("in flight") && !report.contains("interrupted"),
            "{report}"
        );
    }
    drop(held);
    let shown = show(&[]);
    assert!(
        shown.contains("-- interrupted") && !shown.contains("in flight"),
        "{shown}"
    );
    assert_eq!(
        ledger(&show(&["--json"])),
        (
            "interrupted".into(),
            "could_not_look".into(),
            "interrupted".into()
        )
    );
}

#[test]
fn what_would_end_a_running_case_is_refused_as_busy() {
    let (_dir, store) = temp();
    let case = begun(&store);
    let held = store.lock_turn(&case).unwrap();
    let id = case.as_str();
    let events = store.read(|r| r.events(&case)).unwrap().len();
    for line in [
        &["case", "close", id][..],
        &["case", "delete", id],
        &["case", "purge", id, "--yes"],
    ] {
        let e = command(&store, line).unwrap_err();
        assert_eq!(exit_code(&e), 9, "{line:?}: {e}");
    }
    assert_eq!(store.read(|r| r.events(&case)).unwrap().len(), events);
    // A name does no harm to a turn.
    command(&store, &["case", "rename", id, "busy"]).unwrap();
    command(&store, &["case", "tag", id, "busy"]).unwrap();
    drop(held);
    command(&store, &["case", "close", id]).unwrap();
    command(&store, &["case", "delete", id]).unwrap();
    // Neither leaves the case locked.
    assert!(!store.is_running(&case));
}

#[test]
fn no_words_of_a_person_carry_a_secret_into_the_file() {
    let (dir, store) = temp();
    let case = begun(&store);
    let id = case.as_str();
    let with = |before: &str| format!("{before}{SECRET}");
    command(&store, &["case", "rename", id, &with("the key is ")]).unwrap();
    command(&store, &["case", "tag", id, &with("key-")]).unwrap();
    command(&store, &["case", "tag", id, &with("key-"), "--remove"]).unwrap();
    command(&store, &["case", "tag", id, &with("gone-"), "--remove"]).unwrap();
    command(&store, &["case", "fork", id, "--title", &with("fork ")]).unwrap();
    assert!(
        store
            .read(|r| r.summary(&case))
            .unwrap()
            .title
            .contains("[redacted:")
    );
    assert!(store.read(|r| r.summary(&case)).unwrap().tags.is_empty());
    drop(store);
    for entry in std::fs::read_dir(dir.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            let found = bytes.windows(SECRET.len()).any(|w| w == SECRET.as_bytes());
            assert!(!found, "{}", path.display());
        }
    }
}

#[test]
fn a_list_without_open_cases_says_what_there_is() {
    let (_dir, store) = temp();
    assert!(text(&store, &["case", "list"]).starts_with("No cases. `rmm-analyst ask"));
    let (one, two) = (begun(&store), begun(&store));
    command(&store, &["case", "close", one.as_str()]).unwrap();
    command(&store, &["case", "delete", two.as_str()]).unwrap();
    let empty = text(&store, &["case", "list"]);
    assert!(
        empty.contains("1 closed, 1 deleted") && empty.contains("--all"),
        "{empty}"
    );
    let tagged = text(&store, &["case", "list", "--tag", "phishing"]);
    assert_eq!(tagged, "No case has the tag phishing.\n");
    assert_eq!(text(&store, &["case", "list", "--all"]).lines().count(), 3);
    assert_eq!(text(&store, &["case", "list", "--json"]), "[]\n");
}

#[test]
fn what_is_not_there_comes_with_the_command_that_lists_it() {
    let (_dir, store) = temp();
    let case = begun(&store);
    let short = case.short();
    for (line, hint) in [
        (
            &["evidence", short, "99"][..],
            format!("rmm-analyst evidence {short}"),
        ),
        (
            &["evidence", short, "E0"],
            format!("rmm-analyst evidence {short}"),
        ),
        (
            &["case", "fork", short, "--turn", "9"],
            format!("rmm-analyst case show {short}"),
        ),
        (
            &["case", "show", "ffffffff"],
            "rmm-analyst case list".into(),
        ),
    ] {
        let e = command(&store, line).unwrap_err();
        assert!(e.hint().contains(&hint), "{line:?}: {}", e.hint());
    }
}

#[test]
fn a_narrow_terminal_breaks_no_word_and_a_pipe_stays_wide() {
    let (_dir, store) = temp();
    let case = begun(&store);
    store
        .write({
            let case = case.clone();
            move |tx| tx.tag(&case, &["phishing".into()], &[], T0)
        })
        .unwrap();
    for line in [
        &["case", "list"][..],
        &["proposals"],
        &["evidence", case.short()],
        &["evidence", case.short(), "1"],
    ] {
        let wide = text(&store, line);
        let narrow = on(&store, line, Some(40)).unwrap().1;
        assert_eq!(on(&store, line, Some(400)).unwrap().1, wide);
        let words = |t: &str| {
            let mut all: Vec<String> = t.split_whitespace().map(str::to_owned).collect();
            all.sort();
            all.dedup();
            all
        };
        let kept = words(&narrow);
        // The head of a column without content goes; nothing else does.
        let heads = ["case", "waiting", "tags", "found", "in", "why"];
        for word in words(&wide) {
            assert!(
                kept.contains(&word) || heads.contains(&word.as_str()),
                "{word} in {narrow}"
            );
        }
        // Only a line with one long word in it is wider than the terminal.
        for l in narrow.lines().filter(|l| l.chars().count() > 40) {
            let value = l.trim_start().split_once("  ").map_or(l, |(_, v)| v).trim();
            assert!(
                l.starts_with("stored") || l.starts_with("asked") || !value.contains(' '),
                "{l}"
            );
        }
    }
}

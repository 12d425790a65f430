//! Whole cases: fork, close, delete, purge, exports, and the commands that show them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking"
)]

mod store_support;

use clap::Parser as _;
use kit::human::Stance;
use rmm_analyst::case::{Body, ProposalState, TurnStatus};
use rmm_analyst::cli::case::{CaseArgs, run as run_case};
use rmm_analyst::cli::db::{DbArgs, run as run_db};
use rmm_analyst::cli::evidence::{EvidenceArgs, run as run_evidence};
use rmm_analyst::cli::proposals::{ProposalsArgs, run as run_proposals};
use rmm_analyst::cli::view::{View, exit_code};
use rmm_analyst::store::export::Format;
use rmm_analyst::store::{
    CaseFilter, CaseId, EvidenceMeta, EvidenceRow, ProposalFilter, Store, StoreError, StoreOptions,
};
use serde_json::Value;
use store_support::*;

fn temp() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir.path().join("a.db"));
    (dir, store)
}

const EVIL: &str = "evil.example.com";

/// Three turns; hostile text wherever text comes from outside. The first proposal is approved, the second
/// denied, the third open.
fn sample(store: &Store) -> CaseId {
    store
        .write(|tx| {
            let case = tx.create_case(T0, "is evil.example.com | <b>bad</b>?", "anna")?;
            let evil = ind("domain", EVIL);
            let url = ind("url", "https://evil.example.com/a");
            for turn in 1..=3 {
                let at = T0 + i64::from(turn) * 1000;
                let n = tx.next_proposal_number()?;
                tx.append(
                    &case,
                    at,
                    &[
                        human(turn, "look at evil.example.com\n# not a heading", &[evil.clone(), url.clone()]),
                        started(turn),
                        call(turn, 1, &evil),
                    ],
                )?;
                let mut meta = EvidenceMeta::new(turn, "urlhaus", rmm_analyst::case::Status::Found, at);
                meta.subject = Some(evil.clone());
                meta.verdict = Some(kit::Verdict::Malicious);
                meta.columns = vec!["url".into(), "note".into()];
                meta.rows = vec![vec![red("http://evil.example.com/x"), red("![i](http://evil.example.com/p.png) | <script>x</script>\n|a|")]];
                meta.source_url = red("https://urlhaus.abuse.ch/host/evil.example.com/");
                let e = tx.put_evidence(&case, &EvidenceRow { meta, raw: red(&format!("{{\"zebra{turn}\": 1}}")) })?;
                let mut over = done(turn, 1, Some(e), &[ip(turn as u8)]);
                if let Body::CallDone { verdict, .. } = &mut over {
                    *verdict = Some(kit::Verdict::Malicious);
                }
                tx.append(
                    &case,
                    at,
                    &[
                        over,
                        proposed(n, turn, &ip(turn as u8), Some(e)),
                        answer(turn, "![x](https://evil.example.com/q) says [click](https://evil.example.com/a) <img src=//x>\n\n## Sources\n- one | two"),
                        ended(turn, TurnStatus::Waiting),
                    ],
                )?;
                if turn < 3 {
                    tx.append(&case, at, &[decided(n, turn == 1)])?;
                }
            }
            Ok(case)
        })
        .unwrap()
}

fn state(store: &Store, case: &CaseId) -> rmm_analyst::case::CaseState {
    store.read(|r| r.case(case)).unwrap()
}

#[test]
fn a_fork_is_the_case_as_it_was_at_the_end_of_the_turn() {
    let (_dir, store) = temp();
    let case = sample(&store);
    let id = case.clone();
    let fork = store
        .write(move |tx| tx.fork(&id, 2, Some("the fork"), "bob", T0 + 9000))
        .unwrap();
    let (old, new) = (state(&store, &case), state(&store, &fork));
    assert_eq!(
        (new.title.as_str(), new.principal.as_str()),
        ("the fork", "bob")
    );
    assert_eq!((new.turns.len(), new.evidence.len(), new.used), (2, 2, 2));
    assert_eq!(new.turns[1].answer, old.turns[1].answer);
    // Proposals have numbers of their own and the same decisions.
    let states: Vec<_> = new.proposals.values().map(|p| (p.n, p.state)).collect();
    assert_eq!(
        states,
        [(4, ProposalState::Approved), (5, ProposalState::Denied)]
    );
    assert!(new.authorized.contains_key(&ip(1)) && new.denied.contains(&ip(2)));
    assert_eq!(
        store.read(|r| r.evidence(&fork, 2)).unwrap().raw.as_str(),
        "{\"zebra2\": 1}"
    );
    assert!(store.check().unwrap().ok(), "{:?}", store.check().unwrap());
    // The two go on apart.
    let id = fork.clone();
    store
        .write(move |tx| tx.append(&id, T0, &[decided(5, true)]))
        .unwrap();
    assert_eq!(state(&store, &case), old);
    for turn in [0, 4, 99] {
        let id = case.clone();
        assert!(matches!(
            store.write(move |tx| tx.fork(&id, turn, None, "anna", T0)),
            Err(StoreError::NotFound(_))
        ));
    }
    // Of a turn that has no end.
    let id = case.clone();
    store
        .write(move |tx| {
            tx.append(
                &id,
                T0,
                &[human(4, "x", &[]), started(4), call(4, 1, &ip(7))],
            )
        })
        .unwrap();
    let id = case.clone();
    let fork = store
        .write(move |tx| tx.fork(&id, 4, None, "anna", T0))
        .unwrap();
    let new = state(&store, &fork);
    assert_eq!((new.open_turn(), new.used), (None, 4));
    assert!(new.title.ends_with("(from turn 4)"));
}

#[test]
fn closing_expires_and_reopening_does_not_bring_back() {
    let (_dir, store) = temp();
    let case = sample(&store);
    let open_count = || {
        store
            .read(|r| r.open_proposals(&ProposalFilter::default()))
            .unwrap()
            .len()
    };
    let edit = |f: fn(&mut rmm_analyst::store::Tx<'_>, &CaseId) -> Result<(), StoreError>| {
        let id = case.clone();
        store.write(move |tx| f(tx, &id))
    };
    assert_eq!(open_count(), 1);
    edit(|tx, id| tx.close(id, T0)).unwrap();
    assert!(matches!(
        edit(|tx, id| tx.close(id, T0)),
        Err(StoreError::Refused(_))
    ));
    assert_eq!(open_count(), 0);
    assert!(store.read(|r| r.last_case(&anna())).unwrap().is_none());
    edit(|tx, id| tx.reopen(id, T0)).unwrap();
    assert!(matches!(
        edit(|tx, id| tx.reopen(id, T0)),
        Err(StoreError::Refused(_))
    ));
    assert_eq!(open_count(), 0);
    assert_eq!(
        state(&store, &case).proposals[&3].state,
        ProposalState::Expired
    );
    assert!(matches!(
        edit(|tx, id| tx.rename(id, " \n ", T0)),
        Err(StoreError::Refused(_))
    ));
    assert!(matches!(
        edit(|tx, id| tx.rename(id, "a\u{1b}[2J", T0)),
        Err(StoreError::Refused(_))
    ));
    edit(|tx, id| tx.rename(id, &"long ".repeat(100), T0)).unwrap();
    assert_eq!(state(&store, &case).title.chars().count(), 200);
    assert!(matches!(
        edit(|tx, id| tx.tag(id, &["a b".into()], &[], T0)),
        Err(StoreError::Refused(_))
    ));
    edit(|tx, id| tx.tag(id, &["x".into(), "y".into()], &["x".into()], T0)).unwrap();
    assert_eq!(store.read(|r| r.summary(&case)).unwrap().tags, ["y"]);
}

#[test]
fn deleting_hides_and_undo_brings_back() {
    let (_dir, store) = temp();
    let case = sample(&store);
    let evil = ind("domain", EVIL);
    let found = || {
        store
            .read(|r| {
                Ok((
                    r.list_cases(&CaseFilter::default())?.len(),
                    r.search("zebra1", &anna())?.len(),
                    r.sightings(&evil, None, &anna())?.len(),
                    r.open_proposals(&ProposalFilter::default())?.len(),
                ))
            })
            .unwrap()
    };
    assert_eq!(found(), (1, 1, 1, 1));
    let id = case.clone();
    store.write(move |tx| tx.delete(&id, "anna", T0)).unwrap();
    assert_eq!(found(), (0, 0, 0, 0));
    assert_eq!(
        store.read(|r| r.find_case(case.short(), &anna())).unwrap(),
        case
    );
    let id = case.clone();
    store.write(move |tx| tx.undelete(&id, "anna", T0)).unwrap();
    assert_eq!(found(), (1, 1, 1, 1));
    assert!(store.check().unwrap().ok());
}

#[test]
fn a_purged_case_is_in_no_file_any_more_and_its_numbers_are_not_given_again() {
    let (dir, store) = temp();
    let other = sample(&store);
    let case = store
        .write(|tx| {
            let case = tx.create_case(T0, "SECRETTITLE", "anna")?;
            let n = tx.next_proposal_number()?;
            tx.append(
                &case,
                T0,
                &[
                    human(1, "SECRETWORDS", &[ip(7)]),
                    proposed(n, 1, &ip(200), None),
                ],
            )?;
            tx.put_evidence(&case, &evidence(1, &ip(7), &"SECRETEVIDENCE ".repeat(5000)))?;
            Ok(case)
        })
        .unwrap();
    drop(store.lock_turn(&case).unwrap());
    let holds = |word: &str| {
        std::fs::read_dir(dir.path())
            .unwrap()
            .map(|e| e.unwrap().path())
            .filter(|p| p.is_file())
            .any(|p| {
                let bytes = std::fs::read(p).unwrap();
                bytes.windows(word.len()).any(|w| w == word.as_bytes())
            })
    };
    for word in [
        "SECRETTITLE",
        "SECRETWORDS",
        "SECRETEVIDENCE",
        "203.0.113.200",
    ] {
        assert!(holds(word), "{word}");
    }
    store.purge(&case, "anna", T0).unwrap();
    for word in [
        "SECRETTITLE",
        "SECRETWORDS",
        "SECRETEVIDENCE",
        "secretwords",
        "203.0.113.200",
    ] {
        assert!(!holds(word), "{word} is still there");
    }
    assert!(matches!(
        store.read(|r| r.events(&case)),
        Err(StoreError::NotFound(_))
    ));
    assert!(matches!(
        store.purge(&case, "anna", T0),
        Err(StoreError::NotFound(_))
    ));
    assert_eq!(store.read(|r| r.events(&other)).unwrap().len(), 24);
    assert_eq!(store.write(|tx| tx.next_proposal_number()).unwrap(), 5);
    assert!(store.check().unwrap().ok(), "{:?}", store.check().unwrap());
    let raw = rusqlite::Connection::open(store.path()).unwrap();
    let (who, what): (String, String) = raw
        .query_row(
            "SELECT principal, detail FROM audit WHERE what = 'purge' AND case_id = ?1",
            [case.as_str()],
            |r| Ok((r.get(0)?, r.get(1)?)),
        )
        .unwrap();
    assert_eq!(
        (who.as_str(), what.as_str()),
        ("anna", "3 events, 1 pieces of evidence")
    );
    // The grant is gone, and with it the exception.
    assert!(raw.execute("DELETE FROM events", []).is_err());
}

/// No character of these begins an image, a link, a table cell, code or HTML.
fn inert(markdown: &str) {
    for live in [
        "![",
        "](",
        "<b>",
        "<img",
        "<script",
        "http://",
        "https://",
        EVIL,
        "\n## Sources",
        "\n# not",
    ] {
        assert!(!markdown.contains(live), "{live} in\n{markdown}");
    }
}

#[test]
fn a_report_is_inert_and_defanged_and_the_same_every_time() {
    let (_dir, store) = temp();
    let case = sample(&store);
    let export = |f| store.read(|r| r.export(&case, f)).unwrap();
    let report = export(Format::Markdown);
    inert(&report);
    assert!(report.contains("evil\\[.\\]example.com"));
    for word in [
        "### E2",
        "named",
        "denied",
        "malicious",
        "Proposal 1, approved",
        "verified, 24 events",
    ] {
        assert!(report.contains(word), "{word} in\n{report}");
    }
    for row in report
        .lines()
        .filter(|l| l.starts_with("| E") || l.contains("script"))
    {
        let bars = row.replace("\\|", "").matches('|').count();
        assert!(bars == 3 || bars == 6, "{row}");
    }
    for format in [
        Format::Markdown,
        Format::Json,
        Format::Jsonl,
        Format::Csv,
        Format::Stix,
    ] {
        assert_eq!(export(format), export(format));
    }
    let json: Value = serde_json::from_str(&export(Format::Json)).unwrap();
    assert_eq!(json["events"].as_array().unwrap().len(), 24);
    assert_eq!(json["evidence"][1]["raw"], "{\"zebra2\": 1}");
    assert_eq!(export(Format::Jsonl).lines().count(), 24);
    let csv = export(Format::Csv);
    assert_eq!(csv.lines().count(), 4);
    assert!(csv.contains("\"urlhaus\"") || csv.contains("\"internetdb\""));
}

#[test]
fn a_call_without_an_answer_is_not_clean_in_any_export() {
    let (_dir, store) = temp();
    let case = sample(&store);
    let id = case.clone();
    store
        .write(move |tx| tx.append(&id, T0, &[started(4), call(4, 1, &ip(7))]))
        .unwrap();
    let export = |f| store.read(|r| r.export(&case, f)).unwrap();
    assert!(export(Format::Markdown).contains("could not look: interrupted"));
    assert!(export(Format::Csv).contains("\"could_not_look\",\"interrupted\""));
}

#[test]
fn the_stix_bundle_has_the_ids_of_the_standard_and_keeps_red_at_home() {
    let (_dir, store) = temp();
    let case = sample(&store);
    let id = case.clone();
    store
        .write(move |tx| {
            let red_one = ind("domain", "red.example.com");
            let mut body = human(
                4,
                "x",
                &[
                    ind("sha256", &"ab".repeat(32)),
                    ind("cve", "CVE-2024-3094"),
                    ind("asn", "AS64500"),
                    ind("cidr", "198.51.100.0/24"),
                    ind("btc", "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"),
                    ind("url", "https://e.example/?q='x'\\y"),
                    red_one.clone(),
                ],
            );
            if let Body::Human { mentions, .. } = &mut body {
                mentions.push(mention(&red_one, Stance::Red));
            }
            tx.append(&id, T0 + 5000, &[body])
        })
        .unwrap();
    let text = store.read(|r| r.export(&case, Format::Stix)).unwrap();
    assert!(!text.contains("red.example.com"));
    let bundle: Value = serde_json::from_str(&text).unwrap();
    let objects = bundle["objects"].as_array().unwrap();
    let by = |kind: &str| {
        objects
            .iter()
            .filter(|o| o["type"] == kind)
            .collect::<Vec<_>>()
    };
    // Computed by hand from section 2.9: UUIDv5 of {"value":"203.0.113.1"} in the name space of the standard.
    let space = uuid::Uuid::parse_str("00abedb4-aa42-466c-9c01-fed23315a9b7").unwrap();
    let wanted = uuid::Uuid::new_v5(&space, br#"{"value":"203.0.113.1"}"#);
    assert!(
        by("ipv4-addr")
            .iter()
            .any(|o| o["id"] == format!("ipv4-addr--{wanted}"))
    );
    let domain = by("indicator")
        .into_iter()
        .find(|o| o["name"] == EVIL)
        .unwrap();
    assert_eq!(domain["indicator_types"][0], "malicious-activity");
    assert_eq!(domain["pattern"], format!("[domain-name:value = '{EVIL}']"));
    let patterns: Vec<&str> = by("indicator")
        .iter()
        .map(|o| o["pattern"].as_str().unwrap())
        .collect();
    for pattern in [
        format!("[file:hashes.'SHA-256' = '{}']", "ab".repeat(32)),
        "[autonomous-system:number = 64500]".into(),
        "[ipv4-addr:value ISSUBSET '198.51.100.0/24']".into(),
        r"[url:value = 'https://e.example/?q=\'x\'\\y']".into(),
    ] {
        assert!(
            patterns.contains(&pattern.as_str()),
            "{pattern} in {patterns:?}"
        );
    }
    assert_eq!(by("vulnerability")[0]["name"], "CVE-2024-3094");
    let grouping = by("grouping")[0];
    assert!(
        grouping["description"]
            .as_str()
            .unwrap()
            .contains("2 more are left out")
    );
    let ids: std::collections::BTreeSet<_> =
        objects.iter().map(|o| o["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), objects.len(), "ids are unique");
    for reference in grouping["object_refs"].as_array().unwrap() {
        assert!(ids.contains(reference.as_str().unwrap()));
    }
}

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
#[derive(clap::Parser)]
struct DbCli {
    #[command(flatten)]
    args: DbArgs,
}

/// Runs a command line and gives exit code and output, or the store's error.
fn command(store: &Store, line: &[&str]) -> Result<(u8, String), StoreError> {
    command_as(store, line, &anna())
}

fn command_as(
    store: &Store,
    line: &[&str],
    who: &kit::principal::Principal,
) -> Result<(u8, String), StoreError> {
    let view = View {
        store,
        principal: who,
        now_ms: T0 + 77,
        defang: true,
        redact: std::sync::Arc::new(rmm_analyst::redact::Redact::default()),
        width: None,
    };
    let mut out = Vec::new();
    let code = match line[0] {
        "case" => run_case(&CaseCli::parse_from(line).args, &view, &mut out),
        "evidence" => run_evidence(&EvidenceCli::parse_from(line).args, &view, &mut out),
        "proposals" => run_proposals(&ProposalsCli::parse_from(line).args, &view, &mut out),
        "db" => run_db(
            &DbCli::parse_from(line).args,
            store.path(),
            StoreOptions::default(),
            "anna",
            T0,
            &mut out,
        ),
        other => panic!("{other}"),
    };
    match code {
        Ok(code) => Ok((code, String::from_utf8(out).unwrap())),
        Err(e) => Err(e.downcast::<StoreError>().unwrap()),
    }
}

#[test]
fn the_commands_show_a_case() {
    let (dir, store) = temp();
    let case = sample(&store);
    let short = case.short().to_owned();
    let run = |line: &[&str]| command(&store, line).unwrap();
    let (code, text) = run(&["case", "list"]);
    assert!(
        code == 0 && text.contains(&short) && text.contains("evil[.]example.com"),
        "{text}"
    );
    let (_, text) = run(&["case", "list", "--json"]);
    let list: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (list[0]["id"].as_str(), list[0]["turns"].as_u64()),
        (Some(case.as_str()), Some(3))
    );
    let (_, text) = run(&["case", "show", &short]);
    for word in [
        "Turn 3",
        "[E1]",
        "proposal 3 (open): 203[.]0.113.3",
        "approve 3",
        "-- waiting",
    ] {
        assert!(text.contains(word), "{word} in\n{text}");
    }
    assert!(!text.contains(EVIL), "{text}");
    let (_, text) = run(&["case", "show", &short, "--json"]);
    let shown: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(shown["turns"][0]["ledger"][0]["evidence"], "E1");
    assert_eq!(shown["turns"][0]["ledger"][0]["status"], "found");
    assert_eq!(shown["authorized"].as_array().unwrap().len(), 3);
    assert_eq!(shown["proposals"][2]["state"], "open");
    let (_, text) = run(&["case", "search", "zebra2"]);
    assert!(text.contains(&short) && text.contains("E2"), "{text}");
    assert_eq!(
        run(&["case", "search", "nothing-like-it"]).1,
        "Nothing found.\n"
    );
    let (code, text) = run(&["case", "verify"]);
    assert!(
        code == 0 && text.starts_with("intact: 1 cases, 24 events"),
        "{text}"
    );
    assert_eq!(
        run(&["case", "verify", &short, "--json"]),
        (0, "[]\n".into())
    );
    let file = dir.path().join("report.md");
    let name = file.to_str().unwrap();
    assert_eq!(
        run(&["case", "export", &short, "--out", name]),
        (0, String::new())
    );
    inert(&std::fs::read_to_string(&file).unwrap());
    let again = command(&store, &["case", "export", &short, "--out", name]);
    assert!(matches!(again, Err(StoreError::Refused(why)) if why.contains("exists and is kept")));
    assert!(
        run(&["case", "export", &short, "--format", "stix"])
            .1
            .starts_with('{')
    );
    let (_, text) = run(&["evidence", &short]);
    assert!(
        text.contains("E3") && text.contains("found, malicious"),
        "{text}"
    );
    let (_, text) = run(&["evidence", &short, "E2"]);
    assert!(
        text.contains("SHA-256") && text.contains("note") && !text.contains("https://"),
        "{text}"
    );
    assert_eq!(
        run(&["evidence", &short, "2", "--raw"]).1,
        "{\"zebra2\": 1}\n"
    );
    let (_, text) = run(&["evidence", &short, "2", "--json"]);
    let one: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (one["evidence"].as_str(), one["raw"].as_str()),
        (Some("E2"), Some("{\"zebra2\": 1}"))
    );
    let (_, text) = run(&["proposals"]);
    assert!(
        text.contains("203[.]0.113.3") && text.contains("E3") && !text.contains("203[.]0.113.1"),
        "{text}"
    );
    let (_, text) = run(&["proposals", &short, "--all", "--json"]);
    let all: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(all.as_array().unwrap().len(), 3);
    assert_eq!(
        (all[0]["state"].as_str(), all[0]["found_in"].as_str()),
        (Some("approved"), Some("E1"))
    );
    assert!(all[0]["digest"].is_null());
}

#[test]
fn the_commands_change_a_case_and_say_how_to_undo() {
    let (_dir, store) = temp();
    let case = sample(&store);
    let short = case.short().to_owned();
    let run = |line: &[&str]| command(&store, line).unwrap();
    run(&["case", "rename", &short, "a new title"]);
    run(&["case", "tag", &short, "x", "y"]);
    run(&["case", "tag", &short, "x", "--remove"]);
    assert_eq!(state(&store, &case).title, "a new title");
    assert_eq!(store.read(|r| r.summary(&case)).unwrap().tags, ["y"]);
    let (_, fork) = run(&["case", "fork", &short, "--turn", "1"]);
    assert_eq!(
        state(&store, &CaseId::parse(fork.trim()).unwrap())
            .turns
            .len(),
        1
    );
    run(&["case", "close", &short]);
    run(&["case", "reopen", &short]);
    let (_, text) = run(&["case", "delete", &short]);
    assert!(text.contains(&format!("rmm-analyst case delete {short} --undo")));
    run(&["case", "delete", &short, "--undo"]);
    for line in [
        vec!["case", "purge", &short, "--yes"],
        vec!["case", "purge", case.as_str()],
    ] {
        assert!(matches!(
            command(&store, &line),
            Err(StoreError::Refused(_))
        ));
    }
    run(&["case", "purge", case.as_str(), "--yes"]);
    let error = command(&store, &["case", "show", &short]).unwrap_err();
    assert_eq!(
        (exit_code(&error), error.hint().contains("case list")),
        (2, true)
    );
    let fork = fork.trim();
    let busy = store.lock_turn(&CaseId::parse(fork).unwrap()).unwrap();
    let error = command(&store, &["case", "purge", fork, "--yes"]).unwrap_err();
    assert_eq!(exit_code(&error), 9);
    drop(busy);
}

#[test]
fn the_cases_of_others_are_not_there_for_who_may_not_see_them() {
    let (_dir, store) = temp();
    let case = sample(&store);
    let bob = bob_only_own();
    for line in [
        vec!["case", "show", case.as_str()],
        vec!["case", "export", case.as_str()],
        vec!["case", "verify", case.as_str()],
        vec!["case", "rename", case.as_str(), "mine"],
        vec!["case", "delete", case.as_str()],
        vec!["case", "purge", case.as_str(), "--yes"],
        vec!["evidence", case.as_str()],
        vec!["proposals", case.as_str()],
    ] {
        assert!(
            matches!(
                command_as(&store, &line, &bob),
                Err(StoreError::NotFound(_))
            ),
            "{line:?}"
        );
    }
    for line in [
        vec!["case", "list", "--all", "--json"],
        vec!["case", "search", "zebra1", "--json"],
        vec!["proposals", "--all", "--json"],
    ] {
        assert_eq!(
            command_as(&store, &line, &bob).unwrap().1,
            "[]\n",
            "{line:?}"
        );
    }
}

#[test]
fn db_commands() {
    let (dir, store) = temp();
    sample(&store);
    let run = |line: &[&str]| command(&store, line);
    let copy = dir.path().join("copy.db");
    let copy = copy.to_str().unwrap();
    assert_eq!(run(&["db", "backup", copy]).unwrap().0, 0);
    assert!(matches!(
        run(&["db", "backup", copy]),
        Err(StoreError::Refused(_))
    ));
    assert!(matches!(
        run(&["db", "restore", copy]),
        Err(StoreError::Refused(_))
    ));
    assert!(
        run(&["db", "restore", copy, "--yes"])
            .unwrap()
            .1
            .starts_with("Restored.")
    );
    assert!(
        run(&["db", "check"])
            .unwrap()
            .1
            .starts_with("sound: 1 cases")
    );
    let raw = rusqlite::Connection::open(store.path()).unwrap();
    raw.execute("UPDATE summaries SET title = 'wrong'", [])
        .unwrap();
    assert_eq!(run(&["db", "check"]).unwrap().0, 3);
    assert_eq!(run(&["db", "check", "--repair"]).unwrap().0, 0);
    let size: Value = serde_json::from_str(&run(&["db", "size", "--json"]).unwrap().1).unwrap();
    assert_eq!(
        (size["cases"].as_u64(), size["evidence"][0].as_u64()),
        (Some(1), Some(3))
    );
    assert!(run(&["db", "size"]).unwrap().1.contains("write-ahead log"));
}

#[test]
fn json_and_tables_survive_control_characters() {
    let (_dir, store) = temp();
    let case = store
        .write(|tx| {
            let case = tx.create_case(T0, "t", "anna")?;
            tx.append(&case, T0, &[human(1, "a\u{1b}]0;x\u{7}b\u{202e}c", &[])])?;
            tx.put_evidence(&case, &evidence(1, &ip(7), "\u{1b}[2J\u{9b}5n"))?;
            Ok(case)
        })
        .unwrap();
    for line in [
        vec!["case", "show", case.as_str(), "--json"],
        vec!["evidence", case.as_str(), "1", "--json"],
    ] {
        let (_, text) = command(&store, &line).unwrap();
        assert!(
            !text.trim_end().chars().any(char::is_control) && !text.contains('\u{202e}'),
            "{text:?}"
        );
        serde_json::from_str::<Value>(&text).unwrap();
    }
}

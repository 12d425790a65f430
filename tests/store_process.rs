//! Several processes, and processes that die: over a real file, with the test binary as its own child.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking"
)]

mod store_support;

use rmm_analyst::case::{Body, Mode, TurnStatus};
use rmm_analyst::store::{CaseFilter, CaseId, RateTake, Store, StoreError};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use store_support::*;

/// Starts this binary with one of the `child_*` functions below.
fn child(name: &str, db: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args([
            "--exact",
            name,
            "--ignored",
            "--nocapture",
            "--test-threads=1",
        ])
        .env("STORE_DB", db)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command
}

/// The file that a child works on; `None` when the function is not run as a child.
fn db_of_child() -> Option<std::path::PathBuf> {
    std::env::var_os("STORE_DB").map(Into::into)
}

/// Says something to the parent. Lines begin with `=` so that the test harness' own are told apart.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n={text}").unwrap();
    out.flush().unwrap();
}

fn said(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok)
        .filter_map(|l| l.strip_prefix('=').map(str::to_owned))
}

fn sound(store: &Store) {
    let report = store.check().unwrap();
    assert!(report.ok(), "{report:?}");
}

/// Writes turns for ever and says after each commit how far it got.
#[test]
#[ignore = "a child of killed_at_any_moment"]
fn child_writes_turns() {
    let Some(db) = db_of_child() else { return };
    let store = open(&db);
    let case = store.read(|r| r.last_case(&anna())).unwrap().unwrap();
    let _lock = store.lock_turn(&case).unwrap();
    let id = case.clone();
    store.write(move |tx| tx.recover(&id, T0)).unwrap();
    for _ in 0..100_000 {
        let turn = store.read(|r| r.case(&case)).unwrap().next_turn();
        let step = |bodies: Vec<Body>| {
            let id = case.clone();
            let events = store.write(move |tx| tx.append(&id, T0, &bodies)).unwrap();
            say(&events.last().unwrap().seq.to_string());
        };
        step(vec![human(turn, "and?", &[ip(7)]), started(turn)]);
        step(vec![call(turn, 1, &ip(7))]);
        let id = case.clone();
        let events = store
            .write(move |tx| {
                let e = tx.put_evidence(&id, &evidence(turn, &ip(7), &"x".repeat(20_000)))?;
                let n = tx.next_proposal_number()?;
                tx.append(
                    &id,
                    T0,
                    &[
                        done(turn, 1, Some(e), &[]),
                        proposed(n, turn, &ip(9), Some(e)),
                    ],
                )
            })
            .unwrap();
        say(&events.last().unwrap().seq.to_string());
        step(vec![
            answer(turn, "so it is"),
            ended(turn, TurnStatus::Waiting),
        ]);
    }
}

#[test]
fn killed_at_any_moment_nothing_acknowledged_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let db = dir.path().join("a.db");
    let case = open(&db)
        .write(|tx| tx.create_case(T0, "x", "anna"))
        .unwrap();
    let mut random = 0x9E37_79B9_u64;
    let mut interrupted = 0;
    let rounds = if std::env::var_os("RMM_ANALYST_DEEP").is_some() {
        100
    } else {
        20
    };
    for round in 0..rounds {
        let mut process = child("child_writes_turns", &db).spawn().unwrap();
        let mut lines = said(&mut process);
        let mut last: u64 = lines.next().expect("the child died").parse().unwrap();
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(round);
        std::thread::sleep(Duration::from_micros((random >> 33) % 40_000));
        process.kill().unwrap();
        process.wait().unwrap();
        for line in lines {
            // The kill may have cut the last line.
            last = line.parse().map_or(last, |n: u64| n.max(last));
        }
        let store = open(&db);
        sound(&store);
        let state = store.read(|r| r.case(&case)).unwrap();
        assert!(
            state.seq >= last,
            "acknowledged {last}, found {}",
            state.seq
        );
        assert!(!store.is_running(&case), "the lock outlived its process");
        let open_calls: usize = state
            .turns
            .iter()
            .flat_map(|t| &t.calls)
            .filter(|c| c.in_flight())
            .count();
        interrupted += open_calls;
        let used = state.used;
        let _lock = store.lock_turn(&case).unwrap();
        let id = case.clone();
        store.write(move |tx| tx.recover(&id, T0)).unwrap();
        let state = store.read(|r| r.case(&case)).unwrap();
        assert_eq!(
            (state.used, state.open_turn()),
            (used, None),
            "round {round}"
        );
        assert!(
            state
                .turns
                .iter()
                .flat_map(|t| &t.calls)
                .all(|c| !c.in_flight())
        );
        sound(&store);
    }
    println!("{rounds} rounds, {interrupted} calls were in flight");
}

/// Works on a case of its own and on one that all share.
#[test]
#[ignore = "a child of many_processes"]
fn child_shares() {
    let Some(db) = db_of_child() else { return };
    let store = open(&db);
    let mine = store
        .write(|tx| tx.create_case(T0, "mine", "anna"))
        .unwrap();
    let shared = store
        .write(|tx| match tx.kv_get("shared")? {
            Some(id) => tx.find_case(&id, &anna()),
            None => {
                let case = tx.create_case(T0, "shared", "anna")?;
                tx.kv_put("shared", case.as_str(), T0)?;
                Ok(case)
            }
        })
        .unwrap();
    let mut taken = 0;
    for turn in 1..=10 {
        let (a, b) = (mine.clone(), shared.clone());
        store
            .write(move |tx| {
                let n = tx.next_proposal_number()?;
                tx.append(
                    &a,
                    T0,
                    &[human(turn, "x", &[]), proposed(n, turn, &ip(9), None)],
                )?;
                tx.put_evidence(&a, &evidence(turn, &ip(7), "raw"))?;
                tx.append(&b, T0, &[Body::ModeSet { mode: Mode::Full }])
            })
            .unwrap();
        let limits = [kit::RateLimit {
            calls: 25,
            per_s: 3600,
        }];
        let take = store
            .write(move |tx| tx.rate_take("k", &limits, T0))
            .unwrap();
        taken += u32::from(matches!(take, RateTake::Ok { .. }));
        let id = mine.clone();
        store
            .write(move |tx| tx.append(&id, T0, &[ended(turn, TurnStatus::Waiting)]))
            .unwrap();
    }
    say(&taken.to_string());
}

#[test]
fn many_processes_work_on_one_file() {
    // The long version (`tests/run --deep`) takes as many as the design promises.
    let many = if std::env::var_os("RMM_ANALYST_DEEP").is_some() {
        50
    } else {
        8
    };
    let dir = tempfile::tempdir().unwrap();
    // Not there yet: all of them find no file and make one.
    let db = dir.path().join("data/a.db");
    let mut children: Vec<Child> = (0..many)
        .map(|_| child("child_shares", &db).spawn().unwrap())
        .collect();
    let mut taken = 0;
    for process in &mut children {
        let numbers: Vec<u32> = said(process).map(|l| l.parse().unwrap()).collect();
        assert!(process.wait().unwrap().success());
        taken += numbers[0];
    }
    assert_eq!(taken, 25.min(10 * many), "the rate limit is shared");
    let store = open(&db);
    sound(&store);
    let cases = store
        .read(|r| r.list_cases(&CaseFilter::default()))
        .unwrap();
    assert_eq!(cases.len() as u32, many + 1);
    for c in cases {
        let state = store.read(|r| r.case(&c.id)).unwrap();
        if c.title == "shared" {
            assert_eq!(state.seq, u64::from(1 + 10 * many));
        } else {
            assert_eq!((c.turns, state.proposals.len()), (10, 10));
        }
    }
    let n = store.write(|tx| tx.next_proposal_number()).unwrap();
    assert_eq!(n, u64::from(10 * many + 1), "numbers were given once each");
    let leftovers: Vec<_> = std::fs::read_dir(db.parent().unwrap())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .filter(|n| n.contains(".new-"))
        .collect();
    assert!(leftovers.is_empty(), "{leftovers:?}");
}

#[test]
#[ignore = "a child of a_case_is_written_by_one_turn"]
fn child_holds_the_lock() {
    let Some(db) = db_of_child() else { return };
    let store = open(&db);
    let case = store.read(|r| r.last_case(&anna())).unwrap().unwrap();
    let _lock = store.lock_turn(&case).unwrap();
    say("held");
    // Until the parent closes the pipe or kills us.
    let _ = std::io::stdin().read(&mut [0]);
}

#[test]
fn a_case_is_written_by_one_turn_at_a_time_over_processes() {
    let dir = tempfile::tempdir().unwrap();
    let db = dir.path().join("a.db");
    let store = open(&db);
    let case: CaseId = store.write(|tx| tx.create_case(T0, "x", "anna")).unwrap();
    let id = case.clone();
    store
        .write(move |tx| tx.append(&id, T0, &[human(1, "x", &[])]))
        .unwrap();
    let mut process = child("child_holds_the_lock", &db).spawn().unwrap();
    assert_eq!(said(&mut process).next().as_deref(), Some("held"));
    match store.lock_turn(&case) {
        Err(StoreError::CaseBusy { pid, .. }) => assert_eq!(pid, Some(process.id())),
        other => panic!("{other:?}"),
    }
    assert!(store.is_running(&case));
    assert!(store.read(|r| r.summary(&case)).unwrap().running);
    match store.purge(&case, "anna", T0) {
        Err(StoreError::CaseBusy { .. }) => {}
        other => panic!("{other:?}"),
    }
    // Approving from here goes on.
    let id = case.clone();
    store
        .write(move |tx| tx.append(&id, T0, &[Body::ModeSet { mode: Mode::Full }]))
        .unwrap();
    process.kill().unwrap();
    process.wait().unwrap();
    drop(store.lock_turn(&case).unwrap());
    assert!(store.read(|r| r.summary(&case)).unwrap().interrupted);
}

/// Fills the disk and says which event was the last that was acknowledged, and with which error it ended.
#[test]
#[ignore = "a child of a_full_disk"]
fn child_fills() {
    let Some(db) = db_of_child() else { return };
    let store = open(&db);
    let case = store.write(|tx| tx.create_case(T0, "x", "anna")).unwrap();
    for _ in 0..10_000 {
        let id = case.clone();
        let stored =
            store.write(move |tx| tx.put_evidence(&id, &evidence(1, &ip(7), &"y".repeat(30_000))));
        match stored {
            Ok(n) => say(&format!("{n}")),
            Err(e) => {
                say(&format!("error {} {}", e.kind(), e.hint()));
                // Reading goes on, and the writer is not wedged.
                store.read(|r| r.events(&case)).unwrap();
                return;
            }
        }
    }
    say("never full");
}

fn fills(mut command: Command, db: &Path) {
    let mut process = command.spawn().unwrap();
    let lines: Vec<String> = said(&mut process).collect();
    assert!(process.wait().unwrap().success(), "{lines:?}");
    let (error, stored) = lines.split_last().expect("nothing was said");
    assert!(error.starts_with("error full make room"), "{error}");
    let last: usize = stored.last().expect("nothing fitted").parse().unwrap();
    let store = open(db);
    sound(&store);
    let case = store.read(|r| r.last_case(&anna())).unwrap().unwrap();
    assert_eq!(store.read(|r| r.evidence_list(&case)).unwrap().len(), last);
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_said_and_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let db = dir.path().join("a.db");
    open(&db);
    // A limit on the size of files acts like a full disk and needs no rights.
    let direct = child("child_fills", &db);
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 1500; exec \"$@\"", "sh"])
        .arg(direct.get_program())
        .args(direct.get_args())
        .env("STORE_DB", &db)
        .stdout(Stdio::piped());
    fills(limited, &db);
}

/// Unmounts what the test mounted.
struct Mounted(std::path::PathBuf);
impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_file_system_is_said_and_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let disk = dir.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"])
        .arg(&disk)
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success());
    if !mounted {
        // Only root may mount; `a_full_disk_is_said_and_loses_nothing` covers the same without.
        println!("NOT RUN: a small file system could not be mounted");
        return;
    }
    let unmount = Mounted(disk.clone());
    let db = disk.join("a.db");
    open(&db);
    let mut process = child("child_fills", &db).spawn().unwrap();
    let lines: Vec<String> = said(&mut process).collect();
    assert!(process.wait().unwrap().success(), "{lines:?}");
    let (error, stored) = lines.split_last().expect("nothing was said");
    assert!(error.starts_with("error full make room"), "{error}");
    let last: usize = stored.last().expect("nothing fitted").parse().unwrap();
    // Room is made, and all that was acknowledged is there.
    let roomy = Command::new("mount")
        .args(["-o", "remount,size=8m"])
        .arg(&disk)
        .status()
        .unwrap();
    assert!(roomy.success());
    let store = open(&db);
    sound(&store);
    let case = store.read(|r| r.last_case(&anna())).unwrap().unwrap();
    assert_eq!(store.read(|r| r.evidence_list(&case)).unwrap().len(), last);
    store
        .write(|tx| tx.create_case(T0, "more", "anna"))
        .unwrap();
    drop(store);
    drop(unmount);
}

//! The log, evidence, index and running work, over a real file.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking"
)]

mod store_support;

use kit::module::RateLimit;
use rmm_analyst::case::{Body, Mode, ProposalState, Status, TurnStatus};
use rmm_analyst::store::{
    CacheRow, CaseFilter, CaseId, ProposalFilter, RateTake, Store, StoreError,
};
use std::collections::BTreeSet;
use store_support::*;

fn temp() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir.path().join("data/rmm-analyst.db"));
    (dir, store)
}

/// A case with one finished turn, one evidence and one open proposal.
fn sample(store: &Store) -> (CaseId, u64) {
    store
        .write(|tx| {
            let case = tx.create_case(T0, "what is 203.0.113.7", "anna")?;
            let n = tx.next_proposal_number()?;
            tx.append(
                &case,
                T0,
                &[
                    human(1, "what is 203[.]0[.]113[.]7?", &[ip(7)]),
                    started(1),
                    call(1, 1, &ip(7)),
                ],
            )?;
            let e = tx.put_evidence(&case, &evidence(1, &ip(7), "{\"zebra\": \"203.0.113.9\"}"))?;
            tx.append(
                &case,
                T0 + 5,
                &[
                    done(1, 1, Some(e), &[ip(9)]),
                    proposed(n, 1, &ip(9), Some(e)),
                    answer(1, "It answers on port 443. Shall I look up 203.0.113.9?"),
                    ended(1, TurnStatus::Waiting),
                ],
            )?;
            Ok((case, n))
        })
        .unwrap()
}

#[test]
fn what_is_appended_is_read_back_in_order_and_folds() {
    let (_dir, store) = temp();
    let (case, n) = sample(&store);
    let events = store.read(|r| r.events(&case)).unwrap();
    assert_eq!(
        events.iter().map(|e| e.seq).collect::<Vec<_>>(),
        (1..=8).collect::<Vec<_>>()
    );
    let state = store.read(|r| r.case(&case)).unwrap();
    assert_eq!(state.seq, 8);
    assert_eq!(state.used, 1);
    assert!(state.authorized.contains_key(&ip(7)));
    assert_eq!(state.proposals[&n].state, ProposalState::Open);
    let tail = store.read(|r| r.events_after(&case, 6)).unwrap();
    assert_eq!(tail, events[6..]);
    assert!(
        store
            .read(|r| r.verify(Some(&case)))
            .unwrap()
            .problems
            .iter()
            .all(|p| !p.kind.is_damage())
    );
}

#[test]
fn an_error_in_a_transaction_leaves_nothing() {
    let (_dir, store) = temp();
    let (case, _) = sample(&store);
    let before = store.read(|r| r.events(&case)).unwrap();
    let at = case.clone();
    let failed: Result<(), StoreError> = store.write(move |tx| {
        tx.append(&at, T0 + 9, &[Body::ModeSet { mode: Mode::Full }])?;
        tx.put_evidence(&at, &evidence(1, &ip(7), "second"))?;
        Err(StoreError::Refused("no".into()))
    });
    assert_eq!(failed, Err(StoreError::Refused("no".into())));
    let at = case.clone();
    let panicked: Result<(), StoreError> = store.write(move |tx| {
        tx.append(&at, T0 + 9, &[Body::ModeSet { mode: Mode::Full }])?;
        panic!("in a closure")
    });
    assert!(matches!(panicked, Err(StoreError::Other(_))));
    assert_eq!(store.read(|r| r.events(&case)).unwrap(), before);
    assert_eq!(store.read(|r| r.evidence_list(&case)).unwrap().len(), 1);
    let inner = store.clone();
    let nested = store.write(move |_| inner.write(|tx| tx.next_proposal_number()));
    assert!(
        matches!(nested, Err(StoreError::Other(_))),
        "waits for itself"
    );
    // And the writer still works.
    let n = store.write(|tx| tx.next_proposal_number()).unwrap();
    assert!(n >= 2);
}

#[test]
fn events_and_evidence_cannot_be_changed_or_replaced() {
    let (dir, store) = temp();
    sample(&store);
    drop(store);
    let db = rusqlite::Connection::open(dir.path().join("data/rmm-analyst.db")).unwrap();
    for sql in [
        "UPDATE events SET at_ms = 0 WHERE seq = 2",
        "DELETE FROM events WHERE seq = 2",
        "INSERT OR REPLACE INTO events SELECT case_key, seq, 0, body, key_id, hash FROM events WHERE seq = 2",
        "UPDATE evidence SET raw = ''",
        "DELETE FROM evidence",
        "INSERT OR REPLACE INTO evidence SELECT case_key, n, meta, 'x', key_id, hash FROM evidence",
        "UPDATE audit SET what = 'x'",
        "DELETE FROM audit",
    ] {
        let error = db.execute(sql, []).unwrap_err().to_string();
        assert!(
            error.contains("append-only") || error.contains("immutable"),
            "{sql}: {error}"
        );
    }
}

#[test]
fn a_case_is_found_by_id_prefix_and_short_form_but_only_by_who_may_read_it() {
    let (_dir, store) = temp();
    let cases: Vec<CaseId> = (0..30)
        .map(|i| {
            store
                .write(move |tx| tx.create_case(T0, &format!("case {i}"), "anna"))
                .unwrap()
        })
        .collect();
    let shorts: BTreeSet<&str> = cases.iter().map(CaseId::short).collect();
    assert_eq!(shorts.len(), 30);
    for case in &cases {
        assert!(case.short().parse::<u64>().is_err(), "taken for a number");
        for text in [
            case.as_str().to_owned(),
            case.as_str().to_uppercase(),
            case.as_str().replace('-', ""),
            case.short().to_owned(),
            format!(" {} ", case.short()),
        ] {
            let found = store.read(|r| r.find_case(&text, &anna())).unwrap();
            assert_eq!(&found, case, "{text}");
        }
    }
    // All were created in the same millisecond: the beginning fits all.
    let prefix = &cases[0].as_str()[..8];
    match store.read(|r| r.find_case(prefix, &anna())) {
        Err(StoreError::Ambiguous { matches, .. }) => assert_eq!(matches.len(), 10),
        other => panic!("{other:?}"),
    }
    for text in ["", "zz", "%", "*", "0198*", "[0-9]", &"a".repeat(400)] {
        assert!(
            matches!(
                store.read(|r| r.find_case(text, &anna())),
                Err(StoreError::NotFound(_))
            ),
            "{text:?}"
        );
    }
    assert!(matches!(
        store.read(|r| r.find_case(cases[0].as_str(), &bob_only_own())),
        Err(StoreError::NotFound(_))
    ));
    assert!(
        store
            .read(|r| r.list_cases(&CaseFilter {
                principal: Some(bob_only_own()),
                ..CaseFilter::default()
            }))
            .unwrap()
            .is_empty()
    );
}

#[test]
fn the_list_is_kept_current() {
    let (_dir, store) = temp();
    let (case, n) = sample(&store);
    let list = || {
        store
            .read(|r| r.list_cases(&CaseFilter::default()))
            .unwrap()
    };
    let one = &list()[0];
    assert_eq!(one.title, "what is 203.0.113.7");
    assert_eq!(
        (one.turns, one.open_proposals, one.running, one.interrupted),
        (1, 1, false, false)
    );
    assert_eq!(one.last_ms, T0 + 5);
    let at = case.clone();
    store
        .write(move |tx| {
            tx.append(
                &at,
                T0 + 10,
                &[
                    decided(n, true),
                    Body::Renamed {
                        title: "renamed".into(),
                    },
                    Body::Tagged {
                        add: vec!["b".into(), "a".into()],
                        remove: vec![],
                    },
                    human(2, "and?", &[]),
                ],
            )
        })
        .unwrap();
    let one = &list()[0];
    assert_eq!(
        (one.title.as_str(), one.turns, one.open_proposals),
        ("renamed", 2, 0)
    );
    assert_eq!(one.tags, ["a", "b"]);
    assert!(one.interrupted && !one.running);
    let lock = store.lock_turn(&case).unwrap();
    assert!(list()[0].running);
    drop(lock);
    assert!(!list()[0].running);
    assert_eq!(store.read(|r| r.last_case(&anna())).unwrap(), Some(case));
    assert_eq!(store.read(|r| r.last_case(&bob_only_own())).unwrap(), None);
}

#[test]
fn proposals_are_numbered_over_all_cases_and_listed() {
    let (_dir, store) = temp();
    let (first, a) = sample(&store);
    let (second, b) = sample(&store);
    assert_eq!((a, b), (1, 2));
    let (case, row) = store.read(|r| r.proposal(b)).unwrap();
    assert_eq!((case, row.indicator), (second, ip(9)));
    assert!(matches!(
        store.read(|r| r.proposal(99)),
        Err(StoreError::NotFound(_))
    ));
    let at = first.clone();
    store
        .write(move |tx| tx.append(&at, T0, &[decided(a, false)]))
        .unwrap();
    let open = |filter: ProposalFilter| -> Vec<u64> {
        store
            .read(|r| r.open_proposals(&filter))
            .unwrap()
            .iter()
            .map(|p| p.n)
            .collect()
    };
    assert_eq!(open(ProposalFilter::default()), [b]);
    assert_eq!(
        open(ProposalFilter {
            all: true,
            ..Default::default()
        }),
        [a, b]
    );
    assert_eq!(
        open(ProposalFilter {
            case: Some(first),
            ..Default::default()
        }),
        [0_u64; 0]
    );
    assert!(
        open(ProposalFilter {
            principal: Some(bob_only_own()),
            ..Default::default()
        })
        .is_empty()
    );
}

#[test]
fn sightings_say_where_and_in_which_role() {
    let (_dir, store) = temp();
    let (first, _) = sample(&store);
    let (second, n) = sample(&store);
    let at = second.clone();
    store
        .write(move |tx| tx.append(&at, T0 + 50, &[decided(n, false)]))
        .unwrap();
    let seen = store.read(|r| r.sightings(&ip(9), None, &anna())).unwrap();
    assert_eq!(
        seen.iter()
            .map(|s| (s.case.as_str(), s.role.as_str()))
            .collect::<Vec<_>>(),
        [(second.as_str(), "denied"), (first.as_str(), "mentioned")]
    );
    assert!(seen[0].concluded.starts_with("It answers on port 443"));
    let seen = store
        .read(|r| r.sightings(&ip(9), Some(&second), &anna()))
        .unwrap();
    assert_eq!(seen.len(), 1);
    assert!(
        store
            .read(|r| r.sightings(&ip(9), None, &bob_only_own()))
            .unwrap()
            .is_empty()
    );
    assert!(
        store
            .read(|r| r.sightings(&ind("ip", "192.0.2.1"), None, &anna()))
            .unwrap()
            .is_empty()
    );
}

#[test]
fn search_finds_narrative_evidence_and_indicators() {
    let (_dir, store) = temp();
    let (case, _) = sample(&store);
    let hits = |q: &str| store.read(|r| r.search(q, &anna())).unwrap();
    let evidence = hits("zebra");
    assert_eq!((evidence[0].kind.as_str(), evidence[0].n), ("evidence", 1));
    let (from, to) = evidence[0].matched[0];
    assert_eq!(&evidence[0].snippet.as_str()[from..to], "zebra");
    assert!(hits("203.0.113.9").iter().any(|h| h.kind == "indicator"));
    assert!(hits("PORT answer").iter().any(|h| h.kind == "answer"));
    assert!(hits("\" OR * NEAR( -").is_empty());
    assert!(hits("nowhere").is_empty());
    assert!(
        store
            .read(|r| r.search("zebra", &bob_only_own()))
            .unwrap()
            .is_empty()
    );
    store
        .write(move |tx| tx.append(&case, T0, &[Body::Deleted]))
        .unwrap();
    assert!(hits("zebra").is_empty());
}

#[test]
fn a_second_turn_on_a_case_is_refused_and_names_the_process() {
    let (_dir, store) = temp();
    let (case, _) = sample(&store);
    let (other, _) = sample(&store);
    let lock = store.lock_turn(&case).unwrap();
    match store.lock_turn(&case) {
        Err(StoreError::CaseBusy { pid, .. }) => assert_eq!(pid, Some(std::process::id())),
        other => panic!("{other:?}"),
    }
    assert!(store.is_running(&case) && !store.is_running(&other));
    drop(store.lock_turn(&other).unwrap());
    // Approving is possible meanwhile.
    let at = case.clone();
    store
        .write(move |tx| tx.append(&at, T0, &[decided(1, true)]))
        .unwrap();
    drop(lock);
    drop(store.lock_turn(&case).unwrap());
}

#[test]
fn recovery_ends_the_turn_and_keeps_the_charge() {
    let (_dir, store) = temp();
    let (case, _) = sample(&store);
    let at = case.clone();
    store
        .write(move |tx| {
            tx.append(
                &at,
                T0,
                &[
                    human(2, "more", &[]),
                    started(2),
                    call(2, 1, &ip(7)),
                    call(2, 2, &ip(8)),
                    done(2, 2, None, &[]),
                ],
            )
        })
        .unwrap();
    let before = store.read(|r| r.case(&case)).unwrap();
    assert!(before.turns[1].calls[0].in_flight());
    assert_eq!(before.used, 3);
    let at = case.clone();
    let added = store.write(move |tx| tx.recover(&at, T0 + 1)).unwrap();
    assert_eq!(added.len(), 2);
    let after = store.read(|r| r.case(&case)).unwrap();
    let call = &after.turns[1].calls[0];
    assert_eq!(
        (call.status, call.detail.as_deref(), call.charged),
        (Some(Status::CouldNotLook), Some("interrupted"), true)
    );
    assert_eq!(after.turns[1].status, Some(TurnStatus::Interrupted));
    assert_eq!((after.used, after.open_turn()), (3, None));
    let at = case.clone();
    assert!(
        store
            .write(move |tx| tx.recover(&at, T0 + 2))
            .unwrap()
            .is_empty()
    );
}

#[test]
fn only_answers_are_cached_and_a_new_key_empties_the_module() {
    let (_dir, store) = temp();
    let row = |fp: &str| CacheRow {
        stored_ms: T0,
        key_fingerprint: fp.into(),
        outcome_json: "{}".into(),
    };
    let get = |m: &'static str, v: &'static str| store.read(|r| r.cache_get(m, v)).unwrap();
    let (a, b, c) = (row("k1"), row("k1"), row("k2"));
    assert!(
        store
            .write(move |tx| tx.cache_put("m", "1", Status::Found, &a))
            .unwrap()
    );
    assert!(
        store
            .write(move |tx| tx.cache_put("m", "2", Status::NotFound, &b))
            .unwrap()
    );
    assert!(
        !store
            .write(move |tx| tx.cache_put("m", "3", Status::CouldNotLook, &row("k1")))
            .unwrap()
    );
    assert!(get("m", "1").is_some() && get("m", "2").is_some() && get("m", "3").is_none());
    assert!(
        store
            .write(move |tx| tx.cache_put("m", "4", Status::Found, &c))
            .unwrap()
    );
    assert!(get("m", "1").is_none() && get("m", "4").is_some());
    assert_eq!(store.write(|tx| tx.cache_clear(Some("other"))).unwrap(), 0);
    assert_eq!(store.write(|tx| tx.cache_clear(None)).unwrap(), 1);
}

#[test]
fn rate_limits_hold_in_every_window_and_survive_a_clock_set_back() {
    let (_dir, store) = temp();
    let limits = [
        RateLimit {
            calls: 2,
            per_s: 10,
        },
        RateLimit {
            calls: 3,
            per_s: 60,
        },
    ];
    let take = |now: i64| {
        store
            .write(move |tx| tx.rate_take("k", &limits, now))
            .unwrap()
    };
    assert_eq!(take(T0), RateTake::Ok { remaining: 1 });
    assert_eq!(take(T0 + 1_000), RateTake::Ok { remaining: 0 });
    assert_eq!(take(T0 + 2_000), RateTake::Wait { ms: 8_000 });
    assert_eq!(take(T0 + 10_000), RateTake::Ok { remaining: 0 });
    assert_eq!(take(T0 + 20_000), RateTake::Wait { ms: 40_000 });
    assert_eq!(
        store
            .read(|r| r.rate_left("k", &limits, T0 + 20_000))
            .unwrap(),
        Some(0)
    );
    assert_eq!(
        store.read(|r| r.rate_left("other", &limits, T0)).unwrap(),
        Some(2)
    );
    // A year back: at most one window of waiting.
    let back = T0 - 31_536_000_000;
    match take(back) {
        RateTake::Wait { ms } => assert!(ms <= 60_000, "{ms}"),
        RateTake::Ok { .. } => panic!("the calls were forgotten"),
    }
    assert!(matches!(take(back + 60_000), RateTake::Ok { .. }));
    let none = [RateLimit { calls: 0, per_s: 5 }];
    assert_eq!(
        store.write(move |tx| tx.rate_take("z", &none, T0)).unwrap(),
        RateTake::Wait { ms: 5_000 }
    );
    assert_eq!(
        store.write(|tx| tx.rate_take("y", &[], T0)).unwrap(),
        RateTake::Ok {
            remaining: u32::MAX
        }
    );
}

#[test]
fn a_flight_is_taken_once_and_expires() {
    let (_dir, store) = temp();
    let begin = |pid: u32, now: i64| {
        store
            .write(move |tx| tx.flight_begin("m", "v", pid, now, now + 30_000))
            .unwrap()
    };
    assert!(begin(1, T0));
    assert!(!begin(2, T0 + 1));
    assert_eq!(
        store.read(|r| r.flight("m", "v", T0 + 1)).unwrap(),
        Some((1, T0 + 30_000))
    );
    // Somebody else's end changes nothing.
    store.write(|tx| tx.flight_end("m", "v", 2)).unwrap();
    assert!(!begin(2, T0 + 1));
    store.write(|tx| tx.flight_end("m", "v", 1)).unwrap();
    assert!(begin(2, T0 + 2));
    assert!(begin(3, T0 + 30_002), "its process died");
    assert!(begin(4, T0 - 500), "the clock went back");
    assert_eq!(store.read(|r| r.kv_get("probe")).unwrap(), None);
    store.write(|tx| tx.kv_put("probe", "native", T0)).unwrap();
    store
        .write(|tx| tx.kv_put("probe", "constrained", T0))
        .unwrap();
    assert_eq!(
        store.read(|r| r.kv_get("probe")).unwrap().as_deref(),
        Some("constrained")
    );
}

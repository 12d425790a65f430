//! Properties of the fold over a case's log.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking"
)]

mod store_support;

use kit::human::Stance;
use proptest::prelude::*;
use rmm_analyst::case::{
    Body, CallVerdict, CaseState, Event, Mode, ProposalState, Seen, Status, TurnStatus,
};
use rmm_analyst::store::{CaseFilter, ProposalFilter};
use std::collections::BTreeSet;
use store_support::*;

/// Any event, over few turns, numbers and indicators, so that they meet.
fn body() -> impl Strategy<Value = Body> {
    let stance = prop_oneof![
        4 => Just(Stance::Authorize),
        2 => Just(Stance::Deny),
        1 => Just(Stance::Listed),
        1 => Just(Stance::Red),
    ];
    let verdict = prop_oneof![
        3 => Just(CallVerdict::Permit),
        1 => Just(CallVerdict::Cached),
        1 => Just(CallVerdict::Ask),
        1 => Just(CallVerdict::Refuse),
    ];
    let (turn, n, who) = (1_u32..5, 1_u32..6, 1_u8..6);
    prop_oneof![
        (
            turn.clone(),
            proptest::collection::vec((who.clone(), stance), 0..3)
        )
            .prop_map(|(turn, named)| {
                let mut body = human(turn, "text", &[]);
                if let Body::Human { mentions, .. } = &mut body {
                    *mentions = named.into_iter().map(|(i, s)| mention(&ip(i), s)).collect();
                }
                body
            }),
        (turn.clone(), proptest::option::of(1_u32..5)).prop_map(|(turn, c)| {
            let mut body = started(turn);
            if let Body::TurnStarted { continues, .. } = &mut body {
                *continues = c;
            }
            body
        }),
        (turn.clone(), n.clone(), who.clone(), verdict, any::<bool>()).prop_map(
            |(turn, n, who, v, c)| {
                let mut body = call(turn, n, &ip(who));
                if let Body::Call {
                    verdict, charged, ..
                } = &mut body
                {
                    (*verdict, *charged) = (v, c);
                }
                body
            }
        ),
        (turn.clone(), n, proptest::option::of(1_u32..4), who.clone())
            .prop_map(|(turn, n, e, who)| done(turn, n, e, &[ip(who)])),
        (1_u64..6, turn.clone(), who.clone()).prop_map(|(n, turn, who)| proposed(
            n,
            turn,
            &ip(who),
            None
        )),
        (1_u64..6, any::<bool>()).prop_map(|(n, yes)| decided(n, yes)),
        who.clone().prop_map(|i| Body::Authorized {
            indicators: vec![ip(i)],
            how: "--authorize-input".into(),
            principal: "anna".into(),
        }),
        who.clone().prop_map(|i| Body::Revoked {
            indicator: ip(i),
            principal: "anna".into()
        }),
        (turn.clone(), who).prop_map(|(turn, i)| {
            let mut body = answer(turn, "an answer");
            if let Body::Answer { mentioned, .. } = &mut body {
                *mentioned = vec![Seen {
                    indicator: ip(i),
                    found_in: None,
                }];
            }
            body
        }),
        turn.clone()
            .prop_map(|turn| ended(turn, TurnStatus::Answered)),
        (turn, 0_u32..9).prop_map(|(turn, count)| Body::RefusedMore { turn, count }),
        "[a-c]".prop_map(|t| Body::Tagged {
            add: vec![t],
            remove: vec!["b".into()]
        }),
        "[a-z]{1,8}".prop_map(|title| Body::Renamed { title }),
        Just(Body::Closed),
        Just(Body::Reopened),
        Just(Body::Deleted),
        Just(Body::Undeleted),
        Just(Body::ModeSet { mode: Mode::Full }),
        Just(Body::Offered {
            tools: vec!["crtsh".into()]
        }),
    ]
}

fn log(bodies: Vec<Body>) -> Vec<Event> {
    bodies
        .into_iter()
        .zip(1..)
        .map(|(body, seq)| Event {
            seq,
            at_ms: T0,
            body,
        })
        .collect()
}

proptest! {
    #[test]
    fn any_order_folds_and_what_must_hold_holds(bodies in proptest::collection::vec(body(), 0..80)) {
        let events = log(bodies);
        let mut state = CaseState::default();
        let (mut used, mut evidence) = (0, 0);
        for event in &events {
            state.apply(event);
            prop_assert!(state.used >= used, "a charge was taken back");
            used = state.used;
            prop_assert!(state.evidence.len() >= evidence);
            evidence = state.evidence.len();
            for i in &state.denied {
                prop_assert!(!state.authorized.contains_key(i), "denied and authorized");
                prop_assert!(state.authorization(i, true).is_none());
            }
            let _ = (state.open_turn(), state.next_turn(), state.used_in_turn(1));
            prop_assert!(state.evidence.is_sorted_by_key(|e| e.n));
        }
        prop_assert_eq!(state.seq, events.len() as u64);
        // A replay, in one go, in two pieces, and through JSON.
        prop_assert_eq!(&CaseState::fold(&events), &state);
        let json: Vec<Event> = events
            .iter()
            .map(|e| serde_json::from_str(&serde_json::to_string(e).unwrap()).unwrap())
            .collect();
        prop_assert_eq!(&CaseState::fold(&json), &state);
        // Charges are counted once each: a number of a turn's ledger stands for one call, the first.
        let mut numbers = BTreeSet::new();
        let charged = events
            .iter()
            .filter(|e| match &e.body {
                Body::Call { turn, n, charged, .. } => numbers.insert((*turn, *n)) && *charged,
                _ => false,
            })
            .count();
        prop_assert_eq!(state.used as usize, charged);
        let open: Vec<u64> = state
            .proposals
            .values()
            .filter(|p| p.state == ProposalState::Open)
            .map(|p| p.n)
            .collect();
        prop_assert_eq!(state.open_proposals().map(|p| p.n).collect::<Vec<_>>(), open);
    }

    #[test]
    fn a_decision_stands(bodies in proptest::collection::vec(body(), 0..60), n in 1_u64..6, yes in any::<bool>()) {
        let mut state = CaseState::fold(&log(bodies));
        let before = state.proposals.get(&n).map(|p| p.state);
        state.apply(&Event { seq: 999, at_ms: T0, body: decided(n, yes) });
        let after = state.proposals.get(&n).map(|p| p.state);
        match before {
            Some(ProposalState::Open) => {
                let wanted = if yes { ProposalState::Approved } else { ProposalState::Denied };
                prop_assert_eq!(after, Some(wanted));
                let what = &state.proposals[&n].indicator;
                prop_assert!(state.open_proposals().all(|p| &p.indicator != what), "asked again");
                prop_assert_eq!(state.denied.contains(what), !yes);
                prop_assert_eq!(state.authorized.contains_key(what), yes);
            }
            other => prop_assert_eq!(after, other, "decided twice"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// The tables derived from the log say what the fold says.
    #[test]
    fn the_index_mirrors_the_fold(bodies in proptest::collection::vec(body(), 0..60)) {
        let dir = tempfile::tempdir().unwrap();
        let store = open(&dir.path().join("a.db"));
        let all = bodies.clone();
        let case = store.write(move |tx| {
            let case = tx.create_case(T0, "first", "anna")?;
            tx.append(&case, T0, &all)?;
            Ok(case)
        }).unwrap();
        let look = || store.read(|r| {
            let filter = CaseFilter { deleted: true, ..CaseFilter::default() };
            let rows = r.open_proposals(&ProposalFilter { all: true, case: Some(case.clone()), ..ProposalFilter::default() })?;
            Ok((r.case(&case)?, r.list_cases(&filter)?.remove(0), rows))
        }).unwrap();
        let (state, summary, rows) = look();
        prop_assert_eq!(&summary.title, &state.title);
        prop_assert_eq!(summary.tags.clone(), state.tags.iter().cloned().collect::<Vec<_>>());
        prop_assert_eq!((summary.closed, summary.deleted), (state.closed, state.deleted));
        prop_assert_eq!(summary.open_proposals as usize, state.open_proposals().count());
        prop_assert_eq!(
            rows.iter().map(|p| (p.n, p.state.clone())).collect::<Vec<_>>(),
            state.proposals.values().map(|p| (p.n, p.state.name().to_owned())).collect::<Vec<_>>()
        );
        for i in state.authorized.keys().chain(&state.denied) {
            let role = store.read(|r| r.sightings(i, None, &anna())).unwrap();
            if !state.deleted {
                prop_assert_eq!(role.len(), 1);
                prop_assert!(!state.denied.contains(i) || role[0].role == "denied");
            }
        }
        // Built anew from the log, it is the same.
        store.write(|tx| tx.reindex()).unwrap();
        prop_assert_eq!(look(), (state, summary, rows));
    }
}

#[test]
fn a_call_without_an_answer_is_in_flight_and_charged() {
    let state = CaseState::fold(&log(vec![
        human(1, "x", &[ip(1)]),
        started(1),
        call(1, 1, &ip(1)),
        call(1, 2, &ip(1)),
        done(1, 2, None, &[]),
    ]));
    assert_eq!(state.used, 2);
    let turn = state.open_turn().unwrap();
    assert!(turn.calls[0].in_flight());
    assert_eq!(turn.calls[1].status, Some(Status::NotFound));
}

/// A message of a program that did not know of sending as it is: it folds, and it is written as it was, so
/// that the hash chain over it holds.
#[test]
fn messages_from_before_the_choice_fold_and_stay_byte_for_byte() {
    let old = r#"{"kind":"human","turn":1,"text":"whose is [redacted:token]?","mentions":[],"attachments":[],"shown":[],"principal":"anna","surface":"cli"}"#;
    let body: Body = serde_json::from_str(old).unwrap();
    assert_eq!(serde_json::to_string(&body).unwrap(), old);
    let event = |body| Event {
        seq: 1,
        at_ms: 0,
        body,
    };
    assert_eq!(CaseState::fold([&event(body)]).turns[0].sent, None);
    let new = old.replace(r#""mentions""#, r#""sent":"whose is ghp_x?","mentions""#);
    let body: Body = serde_json::from_str(&new).unwrap();
    assert_eq!(serde_json::to_string(&body).unwrap(), new);
    let event = event(body);
    let turn = &CaseState::fold([&event]).turns[0];
    assert_eq!(turn.sent.as_ref().unwrap().as_str(), "whose is ghp_x?");
    assert_eq!(turn.text.as_str(), "whose is [redacted:token]?");
    // What leaves the program is the redacted form.
    assert_eq!(
        serde_json::to_string(&event.for_export().body).unwrap(),
        old
    );
}

//! Folding a case of 100,000 events: in memory, and read from the file.
#![allow(
    clippy::expect_used,
    reason = "a bench that cannot be set up has nothing to say"
)]

use rmm_analyst::case::{CaseState, Event};

#[path = "../tests/store_support/mod.rs"]
mod store_support;

use rmm_analyst::case::{Body, TurnStatus};
use store_support::{T0, answer, call, decided, done, ended, human, ip, open, proposed, started};

const EVENTS: usize = 100_000;

fn main() {
    divan::main();
}

/// Turns of an investigation as they are: a question, three look-ups, a proposal, a decision, an answer.
fn bodies() -> Vec<Body> {
    let mut all = Vec::with_capacity(EVENTS);
    let (mut turn, mut evidence, mut n) = (0, 0, 0);
    while all.len() < EVENTS {
        turn += 1;
        n += 1;
        let subject = ip(u8::try_from(turn % 200).unwrap_or(0));
        all.push(human(
            turn,
            "and what of this one? It came up in the mail log.",
            std::slice::from_ref(&subject),
        ));
        all.push(started(turn));
        for i in 1..=3 {
            evidence += 1;
            all.push(call(turn, i, &subject));
            all.push(done(
                turn,
                i,
                Some(evidence),
                &[ip(u8::try_from(evidence % 250).unwrap_or(0))],
            ));
        }
        all.push(proposed(
            n,
            turn,
            &ip(u8::try_from(n % 250).unwrap_or(0)),
            Some(evidence),
        ));
        all.push(answer(
            turn,
            "It answers on port 443 and is listed nowhere. Shall I look at its neighbour?",
        ));
        all.push(ended(turn, TurnStatus::Waiting));
        all.push(decided(n, n % 3 != 0));
    }
    all.truncate(EVENTS);
    all
}

#[divan::bench(sample_count = 20)]
fn fold_100_000_events(bencher: divan::Bencher<'_, '_>) {
    let events: Vec<Event> = bodies()
        .into_iter()
        .zip(1..)
        .map(|(body, seq)| Event {
            seq,
            at_ms: T0,
            body,
        })
        .collect();
    bencher.bench_local(|| CaseState::fold(divan::black_box(&events)).used);
}

#[divan::bench(sample_count = 10)]
fn read_and_fold_100_000_events(bencher: divan::Bencher<'_, '_>) {
    let dir = tempfile::tempdir().expect("a directory");
    let store = open(&dir.path().join("a.db"));
    let case = store
        .write(|tx| {
            let case = tx.create_case(T0, "large", "anna")?;
            tx.append(&case, T0, &bodies())?;
            Ok(case)
        })
        .expect("written");
    bencher.bench_local(|| store.read(|r| r.case(&case)).expect("read").used);
}

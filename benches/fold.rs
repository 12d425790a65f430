//! Folding a case of 100,000 events: in memory, and read from the file.
#![allow(
    clippy::expect_used,
    reason = "a bench that cannot be set up has nothing to say"
)]

use rmm_analyst::case::{CaseState, Event};

#[path = "../tests/store_support/mod.rs"]
mod store_support;

#[path = "../tests/support_large/mod.rs"]
mod support_large;

use store_support::{T0, open};
use support_large::bodies;

const EVENTS: usize = 100_000;

fn main() {
    divan::main();
}

#[divan::bench(sample_count = 20)]
fn fold_100_000_events(bencher: divan::Bencher<'_, '_>) {
    let events: Vec<Event> = bodies(EVENTS)
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
            tx.append(&case, T0, &bodies(EVENTS))?;
            Ok(case)
        })
        .expect("written");
    bencher.bench_local(|| store.read(|r| r.case(&case)).expect("read").used);
}

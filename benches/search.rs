//! Search over 1,000 cases and 200 MB of evidence. The database is made once, below the target directory.
#![allow(
    clippy::unwrap_used,
    reason = "a bench that cannot be set up has nothing to say"
)]

#[path = "../tests/store_support/mod.rs"]
mod store_support;

use rmm_analyst::case::TurnStatus;
use rmm_analyst::store::Store;
use std::path::Path;
use store_support::{T0, anna, answer, ended, evidence, human, ip, open, started};

const CASES: usize = 1_000;
const BYTES: usize = 200_000;

fn main() {
    divan::main();
}

/// Rows as sources give them: mostly the same words, and hosts and numbers of which no two are alike.
fn raw(case: usize) -> String {
    let mut out = String::with_capacity(BYTES + 200);
    let mut n = case * 7_919;
    while out.len() < BYTES {
        n = n
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let (a, b) = (n >> 40, (n >> 20) & 0xff_ffff);
        out.push_str(&format!(
            "{{\"name\": \"host-{a:x}.example-{b:x}.net\", \"issuer\": \"C=US, O=Let's Encrypt, CN=R3\", \"serial\": \"{a:x}{b:x}\", \"not_after\": \"2026-11-30\"}},\n"
        ));
    }
    out
}

fn store() -> Store {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bench-search-{CASES}.db"));
    let store = open(&file);
    let made = store
        .read(|r| r.list_cases(&rmm_analyst::store::CaseFilter::default()))
        .unwrap()
        .len();
    for i in made..CASES {
        let subject = ip(u8::try_from(i % 250).unwrap());
        store
            .write(move |tx| {
                let case = tx.create_case(T0 + i as i64, &format!("case number {i}"), "anna")?;
                tx.put_evidence(&case, &evidence(1, &subject, &raw(i)))?;
                tx.append(
                    &case,
                    T0,
                    &[
                        human(1, &format!("what of the mail relay zebra{i}?"), &[subject]),
                        started(1),
                        answer(1, "It is listed nowhere."),
                        ended(1, TurnStatus::Answered),
                    ],
                )?;
                Ok(())
            })
            .unwrap();
    }
    store
}

/// A word of one case, a word of every case, two words of which one is rare, an address, and the beginning
/// of a word as it is typed.
#[divan::bench(args = ["zebra777", "encrypt", "encrypt zebra777", "203[.]0[.]113[.]7", "h", "ho", "host", "nothing-like-it"], sample_count = 20)]
fn search(bencher: divan::Bencher<'_, '_>, words: &str) {
    let store = store();
    let who = anna();
    bencher.bench_local(|| store.read(|r| r.search(words, &who)).unwrap().len());
}

/// The list of cases that a screen shows.
#[divan::bench(sample_count = 20)]
fn list(bencher: divan::Bencher<'_, '_>) {
    let store = store();
    let filter = rmm_analyst::store::CaseFilter {
        principal: Some(anna()),
        limit: 1_000,
        ..rmm_analyst::store::CaseFilter::default()
    };
    bencher.bench_local(|| store.read(|r| r.list_cases(&filter)).unwrap().len());
}

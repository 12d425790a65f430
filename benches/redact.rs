//! Speed of redaction. `cargo bench --bench redact`.

use divan::counter::BytesCount;
use rmm_analyst::redact::Redact;
use secrecy::SecretString;

#[path = "support/dense.rs"]
mod dense;
use dense::{Rng, log};

fn main() {
    divan::main();
}

fn redactor(keys: usize) -> Redact {
    let mut r = Rng(7);
    let secrets: Vec<(String, SecretString)> = (0..keys)
        .map(|i| (format!("k{i}"), SecretString::from(r.hex(40))))
        .collect();
    Redact::new(&secrets, &[]).unwrap_or_default()
}

#[divan::bench(args = [0, 10, 40], sample_count = 3, sample_size = 1)]
fn dense_log_with_secrets(bencher: divan::Bencher, keys: usize) {
    let text = log(4_000_000, true);
    let redact = redactor(keys);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| redact.redact_counted(divan::black_box(&text)));
}

#[divan::bench(args = [0, 10], sample_count = 3, sample_size = 1)]
fn log_without_secrets(bencher: divan::Bencher, keys: usize) {
    let text = log(4_000_000, false);
    let redact = redactor(keys);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| redact.redact_counted(divan::black_box(&text)));
}

#[divan::bench(sample_count = 3, sample_size = 10)]
fn build(bencher: divan::Bencher) {
    bencher.bench(|| redactor(10));
}

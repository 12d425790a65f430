//! Speed of extraction: a synthetic security log of 10 MB, and short texts made to be slow for readers
//! that look back and forth.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test says what is wrong by panicking, and prints its score"
)]

use divan::counter::BytesCount;

#[path = "support/log.rs"]
mod log;
use log::log;

fn main() {
    divan::main();
}

#[divan::bench(sample_count = 10)]
fn log_10_mb(bencher: divan::Bencher<'_, '_>) {
    let text = log(10 << 20);
    bencher
        .counter(BytesCount::new(text.len()))
        .bench(|| kit::extract(divan::black_box(&text)).len());
}

/// Running text with few indicators.
#[divan::bench(sample_count = 10)]
fn prose_10_mb(bencher: divan::Bencher<'_, '_>) {
    let text = "The analyst wrote that nothing was found on the machine; a second look (by another team) is planned for tomorrow, see kit-panel[.]shop. "
        .repeat((10 << 20) / 136);
    bencher
        .counter(BytesCount::new(text.len()))
        .bench(|| kit::extract(divan::black_box(&text)).len());
}

/// What the stress texts repeat, up to 20 kB each.
const STRESS: [&str; 24] = [
    "http://a.b:99999/",
    "kit.shop/",
    "a.",
    "1.",
    "[.]",
    "http://",
    "hxxp://a.b/",
    ":",
    "@",
    "a@",
    "deadbeef",
    "\u{200b}",
    "a-",
    "a_",
    "(.",
    " dot ",
    "a dot ",
    " at b dot ",
    "\\.",
    "http://a.com/,",
    "１．",
    "cve-",
    "aa:",
    "[.a",
];

#[divan::bench(args = STRESS)]
fn stress_20_kb(bencher: divan::Bencher<'_, '_>, unit: &str) {
    let text = unit.repeat(20_000 / unit.len());
    bencher
        .counter(BytesCount::new(text.len()))
        .bench(|| kit::extract(divan::black_box(&text)).len());
}

#[divan::bench(args = STRESS, sample_count = 2, sample_size = 1)]
fn stress_10_mb(bencher: divan::Bencher<'_, '_>, unit: &str) {
    let text = unit.repeat((10 << 20) / unit.len());
    bencher
        .counter(BytesCount::new(text.len()))
        .bench(|| kit::extract(divan::black_box(&text)).len());
}

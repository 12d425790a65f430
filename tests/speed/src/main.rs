//! Prints how many megabytes a second redaction and extraction take. Nothing is asserted: a busy machine is slow.
//! What counts is the fastest of a few runs, which other work on the machine disturbs least.

use redact::Redact;
use secrecy::SecretString;
use std::hint::black_box;
use std::time::{Duration, Instant};

#[path = "../../../benches/support/dense.rs"]
mod dense;
#[path = "../../../modules/kit/benches/support/log.rs"]
mod log;
#[allow(dead_code, reason = "the program uses all of it")]
#[path = "../../../src/redact/mod.rs"]
mod redact;

const SIZE: usize = 4_000_000;
const RUNS: usize = 7;

fn fastest(bytes: usize, mut run: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let (clock, used) = (Instant::now(), processor_time());
        run();
        let took = match (used, processor_time()) {
            (Some(before), Some(after)) => after.saturating_sub(before),
            _ => clock.elapsed(),
        };
        best = best.min(took.as_secs_f64());
    }
    bytes as f64 / 1e6 / best
}

/// What this thread has had of the processor, where the system says it (Linux).
fn processor_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    stat.split(' ')
        .next()?
        .parse()
        .ok()
        .map(Duration::from_nanos)
}

fn redactor(keys: usize) -> Redact {
    let mut r = dense::Rng(7);
    let secrets: Vec<(String, SecretString)> = (0..keys)
        .map(|i| (format!("k{i}"), SecretString::from(r.hex(40))))
        .collect();
    Redact::new(&secrets, &[]).unwrap_or_default()
}

fn main() {
    println!("Speed of optimised code, one thread, the fastest of {RUNS} runs (not asserted)");
    println!("  redaction, MB/s                    no keys  10 keys  40 keys");
    for (name, secrets) in [("every tenth line a secret", true), ("no secrets", false)] {
        let text = dense::log(SIZE, secrets);
        let figures: String = [0, 10, 40]
            .into_iter()
            .map(|keys| {
                let redact = redactor(keys);
                let speed = fastest(text.len(), || {
                    black_box(redact.redact_counted(black_box(&text)));
                });
                format!("{speed:9.1}")
            })
            .collect();
        println!("    {name:<30}{figures}");
    }
    let text = log::log(SIZE);
    let speed = fastest(text.len(), || {
        black_box(kit::extract(black_box(&text)));
    });
    println!("  extraction, security log, MB/s    {speed:8.1}");
}

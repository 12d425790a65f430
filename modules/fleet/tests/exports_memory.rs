//! An export of 225,000 rows takes no more memory than one of a few. A process of its own: what is measured is
//! what the process held at most.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests fail like tests"
)]

use fleet::audit::Plain;
use fleet::backend::Directory;
use fleet::exports::{self, Wanted};
use fleet::report::{Filter, Kind};
use fleet::seed::{Plan, Size, generate};
use fleet::tools::Ctx;
use kit::principal::Principal;
use kit::text::Redactor;
use rusqlite::Connection;
use std::io::Write;

const NOW: i64 = 1_760_000_000_000;

struct Same;

impl Redactor for Same {
    fn redact(&self, text: &str) -> String {
        text.to_owned()
    }
}

/// A figure of the process in KiB.
fn held(what: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|l| l.starts_with(what)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Forgets the highest figure.
fn forget() {
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
}

#[derive(Default)]
struct Counted(u64);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn memory_does_not_grow_with_the_rows() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("fleet.db");
    let mut db = Connection::open(&file).unwrap();
    db.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;")
        .unwrap();
    fleet::schema::create(&db).unwrap();
    let tx = db.transaction().unwrap();
    let plan = Plan {
        size: Size::M,
        seed: 1,
        audit_rows: 100_000,
        now_ms: NOW,
    };
    generate(&tx, &Plain, &plan).unwrap();
    tx.commit().unwrap();
    drop(db);
    let db = Connection::open(&file).unwrap();
    let anna = Principal::owner("anna");
    let backends = Directory::default();
    let ctx = Ctx {
        connection: &db,
        principal: &anna,
        backends: &backends,
        now_ms: NOW,
        case: None,
        by_model: false,
        random: [0; 32],
    };
    for (wanted, least) in [
        (Wanted::Inventory(Filter::of(Kind::Software)), 225_000),
        (
            Wanted::Inventory(Filter {
                matching: Some("package".into()),
                ..Filter::of(Kind::Software)
            }),
            10_000,
        ),
        (Wanted::Audit(fleet::audit::Filter::default()), 100_000),
        (
            Wanted::Audit(fleet::audit::Filter {
                since_ms: Some(NOW - 50 * fleet::audit::DAY_MS),
                ..Default::default()
            }),
            40_000,
        ),
    ] {
        forget();
        let before = held("VmRSS");
        let mut out = Counted::default();
        let streamed = exports::stream(&ctx, &wanted, &Same, &mut out, &mut |_| true).unwrap();
        let grown = held("VmHWM").saturating_sub(before);
        assert!(streamed.rows >= least, "{streamed:?}");
        // All rows together are many times that.
        assert!(out.0 > 2_000_000, "{} bytes", out.0);
        assert!(
            grown < 8 * 1024,
            "{wanted:?}: {grown} KiB for {} bytes",
            out.0
        );
    }
}

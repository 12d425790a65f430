//! How answers grow with the fleet: S, M and L, one after the other, in a file of their own that goes away
//! again. Prints a table for docs/performance.md: the median of nine in milliseconds, the first (with cold caches
//! of SQLite) among them, for a principal of the whole fleet and, in parentheses, for one with a scope; rows a
//! second, and what the process held while it exported. The targets are those for L.
//! `FLEET_BENCH=S,M` leaves sizes out. L needs 4 GB of disk in `TMPDIR`.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench prints and fails like a test"
)]

use fleet::audit::{self, Plain};
use fleet::backend::Directory;
use fleet::exports::{self, Wanted};
use fleet::report::{Filter, Kind};
use fleet::seed::{Made, Plan, Size, generate};
use fleet::tools::{self, Ctx};
use kit::principal::{Permission, Places, Principal, Scope};
use kit::text::Redactor;
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

const NOW: i64 = 1_760_000_000_000;

/// What is asked, its arguments, and the target for L in milliseconds.
const QUESTIONS: &[(&str, &str, &str, u32)] = &[
    ("page of devices, first", "list_devices", "{}", 50),
    (
        "page of devices, in the middle",
        "list_devices",
        r#"{"page":100,"limit":50}"#,
        50,
    ),
    (
        "page of devices, search",
        "list_devices",
        r#"{"search":"web-0"}"#,
        50,
    ),
    (
        "software by title",
        "inventory_report",
        r#"{"report_type":"software"}"#,
        300,
    ),
    (
        "software by version",
        "inventory_report",
        r#"{"report_type":"software","group_by":"version"}"#,
        300,
    ),
    (
        "software by client",
        "inventory_report",
        r#"{"report_type":"software","group_by":"client"}"#,
        300,
    ),
    (
        "software by client, match",
        "inventory_report",
        r#"{"report_type":"software","group_by":"client","match":"openssl"}"#,
        300,
    ),
    (
        "machines by system",
        "inventory_report",
        r#"{"report_type":"machines"}"#,
        300,
    ),
    (
        "hardware by model",
        "inventory_report",
        r#"{"report_type":"hardware"}"#,
        300,
    ),
    (
        "1,000 rows of software",
        "inventory_report",
        r#"{"report_type":"software","mode":"rows","limit":1000}"#,
        300,
    ),
    (
        "audit, 7 days by actor and family",
        "query_audit",
        "{}",
        200,
    ),
    (
        "audit, newest 50 of a family",
        "query_audit",
        r#"{"mode":"entries","action":"principal"}"#,
        200,
    ),
    (
        "find an address",
        "find_on_fleet",
        r#"{"indicator":"10.0.3.7"}"#,
        100,
    ),
    (
        "find a host name",
        "find_on_fleet",
        r#"{"indicator":"web-00007.example.com"}"#,
        100,
    ),
    (
        "find software below a version",
        "find_on_fleet",
        r#"{"software":"openssl","versions":"<5"}"#,
        100,
    ),
    ("fleet in one table", "fleet_summary", "{}", 300),
];

struct Same;

impl Redactor for Same {
    fn redact(&self, text: &str) -> String {
        text.to_owned()
    }
}

fn main() {
    let wanted = std::env::var("FLEET_BENCH").unwrap_or_else(|_| "S,M,L".into());
    let sizes: Vec<Size> = wanted.split(',').filter_map(Size::from_name).collect();
    let mut table: BTreeMap<usize, (String, String, Vec<String>)> = BTreeMap::new();
    for size in &sizes {
        let figures = measure(*size);
        for (at, (what, target, figure)) in figures.into_iter().enumerate() {
            table
                .entry(at)
                .or_insert_with(|| (what, target, Vec::new()))
                .2
                .push(figure);
        }
    }
    let heads: Vec<&str> = sizes.iter().map(|s| s.name()).collect();
    println!("| what | wanted on L | {} |", heads.join(" | "));
    println!("|---|---|{}", "---|".repeat(heads.len()));
    for (what, target, figures) in table.into_values() {
        println!("| {what} | {target} | {} |", figures.join(" | "));
    }
}

type Figure = (String, String, String);

fn measure(size: Size) -> Vec<Figure> {
    let audit_rows = match size {
        Size::S => 5_000,
        Size::M => 500_000,
        Size::L => 5_000_000,
    };
    let dir = tempfile::tempdir().unwrap();
    let mut figures = Vec::new();
    // As the program writes: one transaction, with a log that can be taken back.
    let (made, seconds) = make(&dir.path().join("load.db"), size, 0, "WAL");
    std::fs::remove_file(dir.path().join("load.db")).unwrap();
    figures.push((
        "bulk load: the whole fleet without its audit".into(),
        "< 60 s".into(),
        format!("{seconds:.1} s, {} rows of software", made.software),
    ));
    let file = dir.path().join("fleet.db");
    let (made, seconds) = make(&file, size, audit_rows, "OFF");
    eprintln!("{size}: {made:?} in {seconds:.0} s");
    let db = Connection::open(&file).unwrap();
    let anna = Principal::owner("anna");
    let places = Places {
        clients: (1..20).collect(),
        ..Places::default()
    };
    let bob = Principal::with("bob", Permission::ALL, Scope::Only(places));
    for (what, tool, args, target) in QUESTIONS {
        let mut cell = format!("{:.1}", median(&file, &anna, tool, args));
        if tools::find(tool).is_some_and(|t| t.open_to(&bob)) {
            cell.push_str(&format!(" ({:.1})", median(&file, &bob, tool, args)));
        }
        figures.push(((*what).into(), format!("< {target} ms"), cell));
    }
    for (what, wanted) in [
        (
            "export of all software",
            Wanted::Inventory(Filter::of(Kind::Software)),
        ),
        (
            "export of software that matches",
            Wanted::Inventory(Filter {
                matching: Some("package".into()),
                ..Filter::of(Kind::Software)
            }),
        ),
        (
            "export of the audit",
            Wanted::Audit(audit::Filter::default()),
        ),
        (
            "export of the audit of one actor",
            Wanted::Audit(audit::Filter {
                actor: Some("technician03".into()),
                ..audit::Filter::default()
            }),
        ),
    ] {
        figures.push((
            what.into(),
            "≥ 200,000 rows/s, < 60 MB".into(),
            export(&file, &anna, &wanted),
        ));
    }
    let begin = Instant::now();
    let found = audit::verify(&db, &Plain).unwrap();
    assert_eq!(found.fault, None);
    let rate = found.entries as f64 / begin.elapsed().as_secs_f64();
    figures.push((
        "`audit verify`".into(),
        "–".into(),
        format!("{:.1} s, {rate:.0} rows/s", begin.elapsed().as_secs_f64()),
    ));
    let bytes = std::fs::metadata(&file).unwrap().len();
    figures.push((
        "file".into(),
        "–".into(),
        format!("{} MB", bytes / 1_000_000),
    ));
    figures
}

fn make(file: &Path, size: Size, audit_rows: u64, journal: &str) -> (Made, f64) {
    let mut db = Connection::open(file).unwrap();
    db.execute_batch(&format!(
        "PRAGMA journal_mode = {journal}; PRAGMA synchronous = NORMAL;"
    ))
    .unwrap();
    fleet::schema::create(&db).unwrap();
    let begin = Instant::now();
    let tx = db.transaction().unwrap();
    let plan = Plan {
        size,
        seed: 1,
        audit_rows,
        now_ms: NOW,
    };
    let made = generate(&tx, &Plain, &plan).unwrap();
    tx.commit().unwrap();
    (made, begin.elapsed().as_secs_f64())
}

/// A connection of its own for each, as a new process has one.
fn median(file: &Path, who: &Principal, tool: &str, args: &str) -> f64 {
    let db = Connection::open(file).unwrap();
    let tool = tools::find(tool).unwrap();
    let backends = Directory::default();
    let mut times: Vec<f64> = (0..9)
        .map(|_| {
            let begin = Instant::now();
            // Not on the border of a day: both ends of the window are counted from rows.
            let ctx = ctx(&db, who, &backends, NOW - 1_234_567);
            tools::call(&ctx, tool, args).unwrap();
            begin.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn ctx<'a>(
    db: &'a Connection,
    principal: &'a Principal,
    backends: &'a Directory,
    now_ms: i64,
) -> Ctx<'a> {
    Ctx {
        connection: db,
        principal,
        backends,
        now_ms,
        case: None,
        by_model: true,
        random: [0; 32],
    }
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

/// Rows a second and what the process held more than before, at most.
fn export(file: &Path, who: &Principal, wanted: &Wanted) -> String {
    let db = Connection::open(file).unwrap();
    let backends = Directory::default();
    let ctx = ctx(&db, who, &backends, NOW);
    let measured = std::fs::write("/proc/self/clear_refs", "5").is_ok();
    let begin = Instant::now();
    let mut out = Counted::default();
    let streamed = exports::stream(&ctx, wanted, &Same, &mut out, &mut |_| true).unwrap();
    let seconds = begin.elapsed().as_secs_f64();
    let memory = if measured {
        format!(", {} MB held", held("VmHWM") / 1000)
    } else {
        String::new()
    };
    format!(
        "{} rows, {:.0} rows/s{memory}",
        streamed.rows,
        streamed.rows as f64 / seconds
    )
}

/// A figure of the process in KiB; 0 where the system says none.
fn held(what: &str) -> u64 {
    std::fs::read_to_string("/proc/self/status")
        .ok()
        .and_then(|s| {
            let line = s.lines().find(|l| l.starts_with(what))?.to_owned();
            line.split_whitespace().nth(1)?.parse().ok()
        })
        .unwrap_or(0)
}

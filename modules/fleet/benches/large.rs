//! The sizes to hold: a fleet L (10,000 devices, 3 million software rows) with 5 million audit rows, made in a
//! file and asked. Prints milliseconds, the fastest and the slowest of seven; `FLEET_BENCH=M` for a smaller one, and
//! `FLEET_AUDIT_ROWS` for another audit.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a bench prints and fails like a test"
)]

use fleet::audit::Plain;
use fleet::backend::Directory;
use fleet::seed::{Plan, Size, generate};
use fleet::tools::{self, Ctx};
use kit::principal::{Permission, Places, Principal, Scope};
use rusqlite::Connection;
use std::time::Instant;

const NOW: i64 = 1_760_000_000_000;

fn main() {
    let size = std::env::var("FLEET_BENCH")
        .ok()
        .and_then(|s| Size::from_name(&s))
        .unwrap_or(Size::L);
    let audit_rows = std::env::var("FLEET_AUDIT_ROWS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(5_000_000);
    let dir = tempfile::tempdir().unwrap();
    let mut db = Connection::open(dir.path().join("fleet.db")).unwrap();
    db.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")
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
    println!("made in {:.1} s: {made:?}", begin.elapsed().as_secs_f64());
    let anna = Principal::owner("anna");
    let places = Places {
        clients: (1..20).collect(),
        ..Places::default()
    };
    let bob = Principal::with("bob", Permission::ALL, Scope::Only(places));
    for (who, principal) in [("whole", &anna), ("scoped", &bob)] {
        for (tool, args) in QUESTIONS {
            if tools::find(tool).is_none_or(|t| !t.open_to(principal)) {
                continue;
            }
            let mut times: Vec<f64> = (0..7).map(|_| ask(&db, principal, tool, args)).collect();
            times.sort_by(f64::total_cmp);
            println!(
                "{:8.1} {:8.1} ms  {who:6} {tool} {args}",
                times[0], times[6]
            );
        }
    }
}

const QUESTIONS: &[(&str, &str)] = &[
    ("list_devices", "{}"),
    ("list_devices", r#"{"page":150,"limit":50}"#),
    ("list_devices", r#"{"search":"web-0"}"#),
    ("list_org", "{}"),
    ("fleet_summary", "{}"),
    ("get_inventory", r#"{"device":"d-5000"}"#),
    ("inventory_report", r#"{"report_type":"software"}"#),
    (
        "inventory_report",
        r#"{"report_type":"software","group_by":"version"}"#,
    ),
    (
        "inventory_report",
        r#"{"report_type":"software","group_by":"publisher"}"#,
    ),
    (
        "inventory_report",
        r#"{"report_type":"software","group_by":"client"}"#,
    ),
    (
        "inventory_report",
        r#"{"report_type":"software","group_by":"client","match":"openssl"}"#,
    ),
    (
        "inventory_report",
        r#"{"report_type":"software","match":"package-01"}"#,
    ),
    (
        "inventory_report",
        r#"{"report_type":"software","mode":"rows","limit":1000}"#,
    ),
    (
        "inventory_report",
        r#"{"report_type":"software","mode":"rows","match":"openssl"}"#,
    ),
    ("inventory_report", r#"{"report_type":"machines"}"#),
    ("inventory_report", r#"{"report_type":"hardware"}"#),
    ("list_patches", "{}"),
    ("find_on_fleet", r#"{"indicator":"10.0.3.7"}"#),
    ("find_on_fleet", r#"{"software":"openssl","versions":"<5"}"#),
    ("query_audit", "{}"),
    ("query_audit", r#"{"mode":"entries"}"#),
    ("query_audit", r#"{"mode":"entries","action":"principal"}"#),
];

fn ask(db: &Connection, principal: &Principal, tool: &str, args: &str) -> f64 {
    let backends = Directory::default();
    let ctx = Ctx {
        connection: db,
        principal,
        backends: &backends,
        // Not on the border of a day: both ends of the window are counted from rows.
        now_ms: NOW - 1_234_567,
        case: None,
        by_model: true,
        random: [0; 32],
    };
    let begin = Instant::now();
    // A scoped principal does not see every device by its id.
    let _ = tools::call(&ctx, tools::find(tool).unwrap(), args);
    begin.elapsed().as_secs_f64() * 1000.0
}

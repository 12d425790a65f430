//! Files of devices, software and patches: whatever is in them, by whoever brings them.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod desk;
mod support;

use desk::{Desk, desk, of_a, owner};
use fleet::import::{self, Format, ImportError, Input, ROW_MAX, Report, What};
use kit::principal::{Permission, Principal};
use proptest::prelude::*;
use rusqlite::Connection;
use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

fn run(
    desk: &Desk,
    who: &Principal,
    what: What,
    format: Format,
    bytes: &[u8],
) -> Result<Report, ImportError> {
    desk.step(who, false, |acting| {
        let input = Input {
            what,
            format,
            read: Box::new(bytes),
        };
        Ok(import::run(acting, [input], &mut |_, _| {}))
    })
    .unwrap()
}

fn csv(desk: &Desk, what: What, text: &str) -> Report {
    run(desk, &owner(), what, Format::Csv, text.as_bytes()).unwrap()
}

fn bad(report: &Report) -> Vec<(u64, &str)> {
    report
        .bad_rows
        .iter()
        .map(|b| (b.at, b.why.as_str()))
        .collect()
}

fn rows(db: &Connection, sql: &str) -> Vec<String> {
    let mut statement = db.prepare(sql).unwrap();
    let n = statement.column_count();
    statement
        .query_map([], |r| {
            let cells: Vec<String> = (0..n)
                .map(|i| match r.get_ref(i).unwrap() {
                    rusqlite::types::ValueRef::Null => "-".to_owned(),
                    rusqlite::types::ValueRef::Integer(n) => n.to_string(),
                    rusqlite::types::ValueRef::Text(t) => String::from_utf8_lossy(t).into_owned(),
                    other => panic!("{other:?}"),
                })
                .collect();
            Ok(cells.join("|"))
        })
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap()
}

const DEVICES: &str = "SELECT d.hostname, c.name, s.name, u.name, d.os, d.os_version, d.platform, d.serial, d.tags, d.connection,
    (SELECT group_concat(address, ' ') FROM (SELECT address FROM device_addresses a WHERE a.device_id = d.id ORDER BY sort))
    FROM devices d JOIN clients c ON c.id = d.client_id JOIN sites s ON s.id = d.site_id LEFT JOIN departments u ON u.id = d.department_id
    WHERE d.deleted_ms IS NULL AND d.id > 4 ORDER BY d.id";

/// What a spreadsheet writes: a mark of the order of bytes, semicolons, quotes, carriage returns, its own idea of the
/// names of columns, an apostrophe before a formula.
#[test]
fn a_file_of_a_spreadsheet_is_read_as_it_is_meant() {
    let desk = desk();
    let text = "\u{feff}Hostname;Client;Site;OS;OS-Version;IP;Serial;Tags;;Connection\r\n\
        \"w;1\";\"Graz \"\"old\"\"\";;Ubuntu;24.04;10.0.0.9, 10.0.0.5;'=S1;web, prod;;ssh://admin@w1:2222\r\n\
        \r\n\
        w2;;;Windows Server 2022;;2001:db8::1/64;;;;\r\n\
        ;;;;;;;;;\r\n";
    let report = csv(&desk, What::Devices, text);
    assert_eq!(bad(&report), []);
    assert_eq!((report.devices, report.created, report.places), (2, 2, 4));
    assert_eq!(
        rows(&desk.db, DEVICES),
        [
            "w;1|Graz \"old\"|Unassigned|-|Ubuntu|24.04|linux|=S1|[\"web\",\"prod\"]|ssh://admin@w1:2222|10.0.0.5 10.0.0.9",
            "w2|Unassigned|Unassigned|-|Windows Server 2022||windows||[]||2001:db8::1",
        ]
    );
}

#[test]
fn the_same_file_again_changes_nothing_and_an_empty_cell_wipes_nothing() {
    let desk = desk();
    let text = "hostname,client,site,department,os,ip,tags,serial\nw1,A,S,dev,Debian,10.0.0.1,x,S1\nw2,N,,,,,,\n";
    assert_eq!(csv(&desk, What::Devices, text).created, 2);
    let before = rows(&desk.db, "SELECT * FROM devices ORDER BY id");
    let again = csv(&desk, What::Devices, text);
    assert_eq!((again.devices, again.created, again.updated), (2, 0, 0));
    assert_eq!(rows(&desk.db, "SELECT * FROM devices ORDER BY id"), before);
    let less = csv(
        &desk,
        What::Devices,
        "hostname,client,os\nw1,A,\nW2,n,macOS\n",
    );
    assert_eq!((less.created, less.updated), (0, 1));
    assert_eq!(
        rows(&desk.db, DEVICES),
        [
            "w1|A|S|dev|Debian||linux|S1|[\"x\"]||10.0.0.1",
            "w2|N|Unassigned|-|macOS||macos||[]||-",
        ]
    );
    // Moved within its client, to a site that is made.
    let moved = csv(&desk, What::Devices, "hostname,site\nw1,New\n");
    assert_eq!((moved.updated, moved.places), (1, 1));
    assert!(rows(&desk.db, DEVICES)[0].starts_with("w1|A|New|-|"));
}

/// Two clients have a machine of the same name; without a client the file does not say which is meant.
#[test]
fn a_device_is_known_by_its_client_and_its_name() {
    let desk = desk();
    let report = csv(&desk, What::Devices, "hostname,client\ndc01,A\ndc01,B\n");
    assert_eq!(report.created, 2);
    let report = csv(
        &desk,
        What::Devices,
        "hostname,os\ndc01,Windows\nweb,Debian 13\n",
    );
    assert_eq!((report.bad, report.updated), (1, 1));
    assert!(bad(&report)[0].1.contains("name the client"), "{report:?}");
    // A deleted one comes back as another device.
    desk.db
        .execute(
            "UPDATE devices SET deleted_ms = 1 WHERE hostname = 'dc01'",
            [],
        )
        .unwrap();
    assert_eq!(
        csv(&desk, What::Devices, "hostname,client\ndc01,A\n").created,
        1
    );
}

#[test]
fn every_wrong_line_is_named() {
    let desk = desk();
    let text = b"hostname,ip,client,connection\n\
        a,10.0.0.300,A,\n\
        b,10.0.0.1\n\
        c,,A,\n\
        C,,a,\n\
        \xff\xfe,,A,\n\
        ,,B,\n\
        d-12,,A,\n\
        d,,A,ssh://-oProxyCommand=x\n\
        \"e\n\
        e\",,A,\n\
        f,,A,,\n";
    let report = run(&desk, &owner(), What::Devices, Format::Csv, text).unwrap();
    let lines: Vec<u64> = report.bad_rows.iter().map(|b| b.at).collect();
    assert_eq!(lines, [2, 3, 5, 6, 7, 8, 9, 12], "{report:?}");
    assert_eq!((report.bad, report.created), (8, 2));
    assert_eq!(bad(&report)[2].1, "it is the same device as the one at 4");
    let software = "hostname,name,source\nnobody,x,\nweb,,\nweb,x,floppy\nweb,x,dpkg\n";
    let report = csv(&desk, What::Software, software);
    assert_eq!(
        bad(&report).iter().map(|b| b.0).collect::<Vec<_>>(),
        [2, 3, 4]
    );
    let patches = "hostname,identifier,severity,classification\nweb,,,\nweb,KB1,grave,\nweb,KB1,,fun\nweb,KB1,Critical,Security\n";
    let report = csv(&desk, What::Patches, patches);
    assert_eq!((report.bad, report.patches_added), (3, 1));
}

#[test]
fn what_is_no_such_file_is_said_at_once() {
    let desk = desk();
    let said = |bytes: &[u8], format| {
        run(&desk, &owner(), What::Devices, format, bytes)
            .unwrap_err()
            .to_string()
    };
    for (bytes, why) in [
        (&b""[..], "it is empty"),
        (b" \r\n\n", "it is empty"),
        (b"\xff\xfeh\0", "UTF-16"),
        (b"hostname,cl\xffient\n", "not UTF-8"),
        (b"hostname,cleint\n", "`cleint`"),
        (b"hostname,client,Host Name\n", "`Host Name`"),
        (b"hostname,HOSTNAME\n", "twice"),
        (b"client\nA\n", "no column `hostname`"),
        (b"{\"hostname\":\"a\"}", "not known"),
    ] {
        let text = said(bytes, Format::Csv);
        assert!(text.contains(why), "{text}");
    }
    for (bytes, why) in [
        (&b"[{\"hostname\":\"a\"}"[..], "EOF"),
        (b"[{\"hostname\":\"a\"}] x", "after entry 1"),
        (b"{\"hostname\":\"a\"}{\"hostname\":", "after entry 1"),
        (b"[{\"hostname\":\"a\",\"nope\":1}]", "`nope`"),
        (b"{\"hostname\":\"\xff\"}", "cannot be read"),
    ] {
        let text = said(bytes, Format::Json);
        assert!(text.contains(why), "{text}");
    }
    let nested = "[".repeat(100_000);
    assert!(said(nested.as_bytes(), Format::Json).contains("cannot be read"));
}

#[test]
fn json_says_the_same() {
    let desk = desk();
    let array = r#" [{"hostname":"w1","client":"A","ip":["10.0.0.1","10.0.0.2"],"tags":["a","b c"],"serial":7},
        3, {"hostname":true}, {"hostname":"w2","os":null,"tags":[1]}]"#;
    let report = run(
        &desk,
        &owner(),
        What::Devices,
        Format::Json,
        array.as_bytes(),
    )
    .unwrap();
    assert_eq!(
        bad(&report),
        [
            (2, "it is not an object"),
            (3, "`hostname` is no text"),
            (4, "`tags` holds no texts")
        ]
    );
    assert_eq!(
        rows(&desk.db, DEVICES),
        ["w1|A|Unassigned|-|||other|7|[\"a\",\"b c\"]||10.0.0.1 10.0.0.2"]
    );
    let lines =
        "{\"hostname\":\"w3\"}\n{\"Hostname\":\"w4\"} {\"hostname\":\"w1\",\"client\":\"A\"}";
    let report = run(
        &desk,
        &owner(),
        What::Devices,
        Format::Json,
        lines.as_bytes(),
    )
    .unwrap();
    assert_eq!((report.created, report.devices), (2, 3));
}

/// What is outside the scope is not changed, not found, and not told from what is not there.
#[test]
fn a_scope_holds_for_files_too() {
    let desk = desk();
    let who = desk.person("tina", &[Permission::ClientsManage], of_a());
    let text = "hostname,client,site,os\nother,B,,x\nother,,,x\nnew,B,U,\nnew,Nowhere,,\nnew,A,Fresh,\nweb,,,Debian 13\nweb,A,T,\n";
    let report = run(&desk, &who, What::Devices, Format::Csv, text.as_bytes()).unwrap();
    assert_eq!(
        bad(&report),
        [
            (2, "there is no client `B` here"),
            (3, "there is no client `Unassigned` here"),
            (4, "there is no client `B` here"),
            (5, "there is no client `Nowhere` here"),
            (8, "it is the same device as the one at 7"),
        ]
    );
    assert_eq!((report.created, report.updated), (1, 1));
    assert_eq!(
        rows(&desk.db, "SELECT os FROM devices WHERE hostname = 'other'"),
        ["Debian GNU/Linux"]
    );
    for (what, columns) in [
        (What::Software, "hostname,client,name"),
        (What::Patches, "hostname,client,identifier"),
    ] {
        let text = format!("{columns}\nother,B,x\nother,,x\nnothing,,x\nweb,A,x\n");
        let report = run(&desk, &who, what, Format::Csv, text.as_bytes()).unwrap();
        assert_eq!(
            bad(&report),
            [
                (2, "there is no device `other` here"),
                (3, "there is no device `other` here"),
                (4, "there is no device `nothing` here")
            ]
        );
    }
    let part = desk.person("dev", &[Permission::ClientsManage], desk::of_dev());
    let text = "hostname,client,site,department\nn1,A,S,dev\nn2,A,S,\nn3,A,S,ops\nn4,A,Fresh2,\nn5,A,S,new\n";
    let report = run(&desk, &part, What::Devices, Format::Csv, text.as_bytes()).unwrap();
    assert_eq!((report.created, report.bad), (1, 4), "{report:?}");
    let nobody = desk.person("none", &[Permission::DevicesView], of_a());
    let refused = run(&desk, &nobody, What::Devices, Format::Csv, b"hostname\nx\n");
    assert!(
        matches!(refused, Err(ImportError::Denied(_))),
        "{refused:?}"
    );
    let trail = rows(
        &desk.db,
        "SELECT actor, result FROM fleet_audit WHERE family = 'device' AND verb = 'import' ORDER BY seq DESC LIMIT 2",
    );
    assert_eq!(trail, ["none|refused", "dev|ok"]);
}

const COUNTS: &str = "SELECT t.name, k.devices, k.installs FROM title_counts k JOIN software_titles t ON t.id = k.title_id
    WHERE k.installs > 0 ORDER BY t.name, k.client_id";

/// Rows of a device stand anywhere in the file; what it had before and the file does not name is gone.
#[test]
fn software_is_replaced_for_the_devices_that_occur() {
    let desk = desk();
    let first = "hostname,name,version,publisher,source\nweb,openssl,1,,dpkg\nsql,openssl,1,,dpkg\nweb,curl,8,,dpkg\nweb,curl,8,,dpkg\nsql,vim,9,,\n";
    let report = csv(&desk, What::Software, first);
    assert_eq!((report.software, report.software_added), (5, 4));
    let report = csv(
        &desk,
        What::Software,
        "hostname,name,version,source\nweb,openssl,2,dpkg\n",
    );
    assert_eq!((report.software_added, report.software_removed), (1, 2));
    assert_eq!(rows(&desk.db, COUNTS), ["openssl|2|2", "vim|1|1"]);
    let kept = rows(&desk.db, COUNTS);
    fleet::inventory::rebuild_counts(&desk.db).unwrap();
    assert_eq!(rows(&desk.db, COUNTS), kept);
}

/// Many rows go another way (counts at the end): the same comes out.
#[test]
fn a_large_file_keeps_the_counts_right() {
    let desk = desk();
    let mut text = String::from("hostname,name,version\n");
    for n in 0..12_000 {
        text.push_str(&format!("web,package-{n},1\nsql,package-{n},{}\n", n % 3));
    }
    let report = csv(&desk, What::Software, &text);
    assert_eq!((report.bad, report.software_added), (0, 24_000));
    let kept = rows(&desk.db, COUNTS);
    fleet::inventory::rebuild_counts(&desk.db).unwrap();
    assert_eq!(rows(&desk.db, COUNTS), kept);
    assert_eq!(rows(&desk.db, "SELECT count(*) FROM bulk_loads"), ["0"]);
    // And counts go on by themselves afterwards.
    csv(&desk, What::Software, "hostname,name\nweb,one\n");
    let kept = rows(&desk.db, COUNTS);
    fleet::inventory::rebuild_counts(&desk.db).unwrap();
    assert_eq!(rows(&desk.db, COUNTS), kept);
}

/// What a person decided about a patch stays while it is missing.
#[test]
fn decisions_about_patches_stay() {
    let desk = desk();
    csv(
        &desk,
        What::Patches,
        "hostname,identifier,severity,cves\nweb,KB1,critical,CVE-2026-1 CVE-2026-2\nweb,KB2,,\nweb,KB3,,\n",
    );
    desk.db
        .execute_batch(
            "UPDATE device_patches SET state = 'approved', approved_by = 'olga' WHERE patch_id IN (1, 2);
             UPDATE device_patches SET state = 'ignored' WHERE patch_id = 3;",
        )
        .unwrap();
    csv(
        &desk,
        What::Patches,
        "hostname,identifier\nweb,KB1\nweb,KB4\n",
    );
    assert_eq!(
        rows(
            &desk.db,
            "SELECT p.identifier, x.state, p.cves FROM device_patches x JOIN patches p ON p.id = x.patch_id ORDER BY 1"
        ),
        [
            "KB1|approved|[\"CVE-2026-1\",\"CVE-2026-2\"]",
            "KB2|installed|[]",
            "KB4|missing|[]"
        ]
    );
}

/// Rows out of nothing, one at a time; counts how much was taken.
struct Endless {
    rows: u64,
    at: u64,
    left: Vec<u8>,
    taken: Rc<Cell<u64>>,
}

impl Read for Endless {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.left.is_empty() && self.at < self.rows {
            self.left = if self.at == 0 {
                b"hostname,name,version,client\n".to_vec()
            } else {
                let n = self.at;
                format!("web,package-{},{},A\n", n % 70_000, n % 7).into_bytes()
            };
            self.at += 1;
        }
        let n = self.left.len().min(into.len());
        into[..n].copy_from_slice(&self.left[..n]);
        self.left.drain(..n);
        self.taken.set(self.taken.get() + n as u64);
        Ok(n)
    }
}

/// Never more is held than what is read ahead: bytes taken run at most one buffer ahead of the rows that came
/// out. (The tables of names in memory are emptied at 50,000.) 50 MB with `RMM_ANALYST_DEEP=1`.
#[test]
fn a_file_streams() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk::fill(Connection::open(dir.path().join("db")).unwrap());
    let deep = std::env::var_os("RMM_ANALYST_DEEP").is_some();
    let rows = if deep { 2_500_000 } else { 60_000 };
    let taken = Rc::new(Cell::new(0));
    let read = Endless {
        rows,
        at: 0,
        left: Vec::new(),
        taken: Rc::clone(&taken),
    };
    let mut ahead = 0;
    let report = desk
        .step(&owner(), false, |acting| {
            let input = Input {
                what: What::Software,
                format: Format::Csv,
                read: Box::new(read),
            };
            Ok(import::run(acting, [input], &mut |_, rows| {
                // A row is at least 17 bytes and at most 30.
                ahead = ahead.max(taken.get().saturating_sub(rows * 17));
                assert!(
                    taken.get() < rows * 30 + 100_000,
                    "{} bytes for {rows} rows",
                    taken.get()
                );
            }))
        })
        .unwrap()
        .unwrap();
    assert_eq!((report.software, report.bad), (rows - 1, 0));
    assert!(ahead > 0 && taken.get() > rows * 17);
}

/// A quote that nobody closes does not take the rest of the file into memory.
#[test]
fn a_row_has_an_end() {
    struct Quote(u64, Rc<Cell<u64>>);
    impl Read for Quote {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            into.fill(b'x');
            let head = b"hostname\n\"";
            if self.0 == 0 {
                into[..head.len()].copy_from_slice(head);
            }
            self.0 += 1;
            self.1.set(self.1.get() + into.len() as u64);
            Ok(into.len())
        }
    }
    let desk = desk();
    for format in [Format::Csv, Format::Json] {
        let taken = Rc::new(Cell::new(0));
        let read: Box<dyn Read> = match format {
            Format::Csv => Box::new(Quote(0, Rc::clone(&taken))),
            Format::Json => {
                Box::new((&b"[{\"hostname\":\""[..]).chain(Quote(1, Rc::clone(&taken))))
            }
        };
        let error = desk
            .step(&owner(), false, |acting| {
                let input = Input {
                    what: What::Devices,
                    format,
                    read,
                };
                Ok(import::run(acting, [input], &mut |_, _| {}))
            })
            .unwrap()
            .unwrap_err();
        assert!(error.to_string().contains("longer than 1 MiB"), "{error}");
        assert!(taken.get() < 2 * ROW_MAX as u64, "{}", taken.get());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if std::env::var_os("RMM_ANALYST_DEEP").is_some() { 5_000 } else { 200 }))]

    /// Whatever bytes come, nothing panics, and every row is taken or counted as bad.
    #[test]
    fn any_bytes(tail in prop::collection::vec(any::<u8>(), 0..200), json in any::<bool>()) {
        let desk = desk();
        let (head, format) = if json { (&b"[{\"hostname\":\"a\"},"[..], Format::Json) } else { (&b"hostname,ip,tags\n"[..], Format::Csv) };
        let bytes = [head, &tail].concat();
        if let Ok(report) = run(&desk, &owner(), What::Devices, format, &bytes) {
            prop_assert_eq!(report.devices, report.created + report.updated);
            prop_assert!(report.bad_rows.len() as u64 <= report.bad);
        }
    }

    /// Any name that is a name comes back as it was written, whatever has to be quoted in it.
    #[test]
    fn any_name(name in "[^\\p{C}\\s'=+@-][^\\p{C}]{0,40}[^\\p{C}\\s]") {
        prop_assume!(fleet::model::DeviceId::parse(&name).is_none());
        let desk = desk();
        let mut out = csv::Writer::from_writer(Vec::new());
        out.write_record(["hostname", "client"]).unwrap();
        out.write_record([name.as_str(), "A"]).unwrap();
        let bytes = out.into_inner().unwrap();
        let report = run(&desk, &owner(), What::Devices, Format::Csv, &bytes).unwrap();
        prop_assert_eq!((report.created, report.bad), (1, 0));
        let there = rows(&desk.db, "SELECT hostname FROM devices WHERE id > 4");
        prop_assert_eq!(there, [name]);
    }
}

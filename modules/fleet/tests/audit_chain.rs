//! The chain as a property: whatever the rows hold, one that is changed, taken out, moved or put in without its
//! hash is found, at its place.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests fail like tests"
)]

mod support;

use fleet::audit::{self, Entry, Fault, Plain};
use fleet::model::{ActResult, ActorKind};
use proptest::prelude::*;
use rusqlite::{Connection, params};
use support::{NOW, empty, redacted};

#[derive(Clone, Debug)]
struct Row {
    at_ms: i64,
    actor: String,
    action: &'static str,
    result: ActResult,
    target: String,
    client: Option<i64>,
    case: Option<String>,
    details: String,
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let row = (
        -1_000_000_i64..1_000_000,
        "[a-z]{1,8}|\u{1f600}é.{0,4}",
        prop::sample::select(&["job.propose", "job.approve", "jo.bapprove", "export.open"][..]),
        prop::sample::select(&[ActResult::Ok, ActResult::Refused, ActResult::Failed][..]),
        "[a-z]?(-[0-9]{1,3})?",
        prop::option::of(-3_i64..3),
        prop::option::of("[a-z]{0,3}"),
        any::<String>(),
    )
        .prop_map(
            |(at, actor, action, result, target, client, case, details)| Row {
                at_ms: NOW + at,
                actor,
                action,
                result,
                target,
                client,
                case,
                details: details.replace('\0', ""),
            },
        );
    prop::collection::vec(row, 2..10)
}

fn written(rows: &[Row]) -> Connection {
    let mut db = empty();
    let tx = db.transaction().unwrap();
    for row in rows {
        let details = redacted(&row.details);
        let entry = Entry {
            at_ms: row.at_ms,
            actor: &row.actor,
            actor_kind: ActorKind::Ai,
            action: row.action,
            result: row.result,
            target: &row.target,
            client: row.client,
            case: row.case.as_deref(),
            details: &details,
        };
        audit::append(&tx, &Plain, &entry).unwrap();
    }
    tx.commit().unwrap();
    db.execute_batch(
        "DROP TRIGGER fleet_audit_no_update; DROP TRIGGER fleet_audit_no_delete;
         DROP TRIGGER fleet_audit_no_replace; DROP TRIGGER fleet_audit_day;",
    )
    .unwrap();
    db
}

fn fault(db: &Connection) -> Option<(i64, Fault)> {
    audit::verify(db, &Plain).unwrap().fault
}

/// Another value for each column that is hashed.
const CHANGES: &[&str] = &[
    "at_ms = at_ms + 1",
    "actor = actor || 'x'",
    "actor_kind = 'human'",
    "family = family || 'x'",
    "verb = verb || 'x'",
    // What moves from one text to the next is no longer the same row.
    "family = family || substr(verb, 1, 1), verb = substr(verb, 2)",
    "result = CASE result WHEN 'ok' THEN 'failed' ELSE 'ok' END",
    "target = target || 'x'",
    "client_id = CASE WHEN client_id IS NULL THEN 0 ELSE NULL END",
    "client_id = ifnull(client_id, 0) + 1",
    "case_id = CASE WHEN case_id IS NULL THEN '' ELSE NULL END",
    "details = details || ' '",
    "hash = zeroblob(32)",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_change_of_any_row_is_found_at_that_row(rows in rows(), at in any::<prop::sample::Index>(), change in 0..CHANGES.len()) {
        let db = written(&rows);
        prop_assert_eq!(fault(&db), None);
        let seq = at.index(rows.len()) as i64 + 1;
        db.execute(&format!("UPDATE fleet_audit SET {} WHERE seq = ?1", CHANGES[change]), [seq]).unwrap();
        prop_assert_eq!(fault(&db), Some((seq, Fault::Hash)), "{}", CHANGES[change]);
    }

    #[test]
    fn any_row_that_is_gone_is_missed(rows in rows(), at in any::<prop::sample::Index>(), many in 1_i64..4) {
        let db = written(&rows);
        let first = at.index(rows.len()) as i64 + 1;
        db.execute("DELETE FROM fleet_audit WHERE seq >= ?1 AND seq < ?1 + ?2", params![first, many]).unwrap();
        let after = first + many;
        let wanted = if after <= rows.len() as i64 {
            // The next that is there stands where another should.
            (after, Fault::Gap)
        } else {
            (first - 1, Fault::Head)
        };
        prop_assert_eq!(fault(&db), Some(wanted));
        // Closing the gap by renumbering helps nobody: the hash covers the number and the row before.
        if wanted.1 == Fault::Gap {
            for seq in after..=rows.len() as i64 {
                db.execute("UPDATE fleet_audit SET seq = seq - ?2 WHERE seq = ?1", params![seq, many]).unwrap();
            }
            prop_assert_eq!(fault(&db), Some((first, Fault::Hash)));
        }
    }

    #[test]
    fn rows_that_changed_places_are_found(rows in rows(), a in any::<prop::sample::Index>(), b in any::<prop::sample::Index>()) {
        let (a, b) = (a.index(rows.len()) as i64 + 1, b.index(rows.len()) as i64 + 1);
        prop_assume!(a != b);
        let db = written(&rows);
        db.execute_batch(&format!(
            "UPDATE fleet_audit SET seq = 1000 WHERE seq = {a};
             UPDATE fleet_audit SET seq = {a} WHERE seq = {b};
             UPDATE fleet_audit SET seq = {b} WHERE seq = 1000;"
        )).unwrap();
        prop_assert_eq!(fault(&db), Some((a.min(b), Fault::Hash)));
    }

    /// A row that somebody puts behind the last one, with a hash that fits it: the head does not know it.
    #[test]
    fn a_row_put_in_behind_is_found(rows in rows()) {
        let db = written(&rows);
        let more: Vec<Row> = rows.iter().chain(rows.first()).cloned().collect();
        let longer = written(&more);
        let seq = more.len() as i64;
        let hash: Vec<u8> = longer.query_row("SELECT hash FROM fleet_audit WHERE seq = ?1", [seq], |r| r.get(0)).unwrap();
        db.execute(
            "INSERT INTO fleet_audit (seq, at_ms, actor, actor_kind, family, verb, result, target, client_id, case_id, details, hash)
             SELECT ?1, at_ms, actor, actor_kind, family, verb, result, target, client_id, case_id, details, ?2 FROM fleet_audit WHERE seq = 1",
            params![seq, hash],
        ).unwrap();
        prop_assert_eq!(fault(&db), Some((seq, Fault::Head)));
    }
}

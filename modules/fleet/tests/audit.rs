//! The trail: what was changed behind its back shows; a summary says what the rows say.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests fail like tests"
)]

mod support;

use fleet::audit::{self, Chain, DAY_MS, Entry, Fault, Filter, Page, Plain};
use fleet::model::{ActResult, ActorKind};
use kit::principal::Principal;
use proptest::prelude::*;
use rusqlite::Connection;
use std::collections::BTreeMap;
use support::{NOW, empty, redacted};

fn write(db: &mut Connection, chain: &dyn Chain, rows: &[(i64, &str, &str)]) {
    let tx = db.transaction().unwrap();
    for (at_ms, actor, action) in rows {
        let details = redacted("{\"n\":1}");
        let entry = Entry {
            at_ms: *at_ms,
            actor,
            actor_kind: ActorKind::Human,
            action,
            result: ActResult::Ok,
            target: "d-1",
            client: Some(1),
            case: Some("c"),
            details: &details,
        };
        audit::append(&tx, chain, &entry).unwrap();
    }
    tx.commit().unwrap();
}

fn three() -> Connection {
    let mut db = empty();
    write(
        &mut db,
        &Plain,
        &[
            (NOW, "anna", "job.propose"),
            (NOW + 1, "bob", "job.approve"),
            (NOW + 2, "bob", "device.move"),
        ],
    );
    db
}

/// A forger who can write the file: the triggers are taken away first.
fn forge(db: &Connection, sql: &str) {
    db.execute_batch("DROP TRIGGER fleet_audit_no_update; DROP TRIGGER fleet_audit_no_delete;")
        .unwrap();
    db.execute_batch(sql).unwrap();
}

#[test]
fn a_whole_chain_verifies() {
    let db = three();
    let found = audit::verify(&db, &Plain).unwrap();
    assert_eq!((found.entries, found.unread, found.fault), (3, 0, None));
    assert_eq!(audit::verify(&empty(), &Plain).unwrap().fault, None);
}

#[test]
fn every_change_shows() {
    for (sql, fault) in [
        (
            "UPDATE fleet_audit SET actor = 'eve' WHERE seq = 2",
            (2, Fault::Hash),
        ),
        (
            "UPDATE fleet_audit SET at_ms = at_ms + 1 WHERE seq = 1",
            (1, Fault::Hash),
        ),
        (
            "UPDATE fleet_audit SET verb = 'reject' WHERE seq = 2",
            (2, Fault::Hash),
        ),
        (
            "UPDATE fleet_audit SET result = 'refused' WHERE seq = 2",
            (2, Fault::Hash),
        ),
        (
            "UPDATE fleet_audit SET target = 'd-2' WHERE seq = 3",
            (3, Fault::Hash),
        ),
        (
            "UPDATE fleet_audit SET client_id = NULL WHERE seq = 3",
            (3, Fault::Hash),
        ),
        (
            "UPDATE fleet_audit SET case_id = NULL WHERE seq = 3",
            (3, Fault::Hash),
        ),
        (
            "UPDATE fleet_audit SET details = '' WHERE seq = 3",
            (3, Fault::Hash),
        ),
        (
            "UPDATE fleet_audit SET actor_kind = 'ai' WHERE seq = 1",
            (1, Fault::Hash),
        ),
        (
            "UPDATE fleet_audit SET family = 'jo', verb = 'bpropose' WHERE seq = 1",
            (1, Fault::Hash),
        ),
        ("DELETE FROM fleet_audit WHERE seq = 2", (3, Fault::Gap)),
        ("DELETE FROM fleet_audit WHERE seq = 3", (2, Fault::Head)),
        ("DELETE FROM fleet_audit", (0, Fault::Head)),
        ("UPDATE fleet_audit_head SET entries = 2", (3, Fault::Head)),
        ("DELETE FROM fleet_audit_head", (3, Fault::Head)),
        (
            "UPDATE fleet_audit_days SET entries = entries + 1",
            (3, Fault::Days),
        ),
    ] {
        let db = three();
        forge(&db, sql);
        assert_eq!(
            audit::verify(&db, &Plain).unwrap().fault,
            Some(fault),
            "{sql}"
        );
    }
}

/// As the store's keyed chain: the same parts under a key.
struct Keyed(&'static str);

impl Chain for Keyed {
    fn key_id(&self) -> Option<&str> {
        Some(self.0)
    }
    fn hash(&self, parts: &[&[u8]]) -> audit::Hash {
        let mut all = vec![self.0.as_bytes()];
        all.extend(parts);
        Plain.hash(&all)
    }
    fn hash_as(&self, key_id: Option<&str>, parts: &[&[u8]]) -> Option<audit::Hash> {
        match key_id {
            None => Plain.hash_as(None, parts),
            Some(id) => (id == self.0).then(|| self.hash(parts)),
        }
    }
}

#[test]
fn a_chain_may_change_its_key_and_says_what_it_cannot_read() {
    let mut db = three();
    write(&mut db, &Keyed("one"), &[(NOW, "anna", "job.propose")]);
    let found = audit::verify(&db, &Keyed("one")).unwrap();
    assert_eq!(
        (found.entries, found.unread, found.unkeyed, found.fault),
        (4, 0, 3, None)
    );
    assert_eq!(audit::verify(&db, &Keyed("two")).unwrap().unread, 1);
    forge(&db, "UPDATE fleet_audit SET actor = 'eve' WHERE seq = 4");
    assert_eq!(
        audit::verify(&db, &Keyed("one")).unwrap().fault,
        Some((4, Fault::Hash))
    );
}

#[test]
fn an_action_has_a_family_and_a_verb() {
    let mut db = empty();
    let tx = db.transaction().unwrap();
    let details = redacted("");
    for action in [
        "",
        "job",
        ".approve",
        "job.",
        "job.approve.now",
        "Job.approve",
        "job approve.x",
    ] {
        let entry = Entry {
            at_ms: NOW,
            actor: "a",
            actor_kind: ActorKind::Ai,
            action,
            result: ActResult::Ok,
            target: "",
            client: None,
            case: None,
            details: &details,
        };
        assert!(
            matches!(
                audit::append(&tx, &Plain, &entry),
                Err(audit::AuditError::BadAction(_))
            ),
            "{action}"
        );
    }
}

#[test]
fn entries_are_filtered_and_paged_newest_first() {
    let db = three();
    let anna = Principal::owner("anna");
    let seqs = |filter: &Filter, limit, before| -> Vec<i64> {
        audit::entries(&db, &anna, filter, Page { limit, before })
            .unwrap()
            .iter()
            .map(|r| r.seq)
            .collect()
    };
    let all = Filter::default();
    assert_eq!(seqs(&all, 2, None), [3, 2]);
    assert_eq!(seqs(&all, 2, Some(2)), [1]);
    let by = |f: Filter| seqs(&f, 10, None);
    assert_eq!(
        by(Filter {
            action: Some("job".into()),
            ..all.clone()
        }),
        [2, 1]
    );
    assert_eq!(
        by(Filter {
            action: Some("job.approve".into()),
            ..all.clone()
        }),
        [2]
    );
    assert_eq!(
        by(Filter {
            action: Some("jo%".into()),
            ..all.clone()
        }),
        Vec::<i64>::new()
    );
    assert_eq!(
        by(Filter {
            actor: Some("bob".into()),
            ..all.clone()
        }),
        [3, 2]
    );
    assert_eq!(
        by(Filter {
            target: Some("d-2".into()),
            ..all.clone()
        }),
        Vec::<i64>::new()
    );
    assert_eq!(
        by(Filter {
            since_ms: Some(NOW + 1),
            until_ms: Some(NOW + 2),
            ..all.clone()
        }),
        [2]
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whole days from the kept days, the ends from the rows: together what counting gives.
    #[test]
    fn a_summary_is_what_counting_gives(
        rows in prop::collection::vec((-3 * DAY_MS..6 * DAY_MS, 0..2_usize, 0..3_usize), 0..40),
        since in prop::option::of(-4 * DAY_MS..7 * DAY_MS),
        until in prop::option::of(-4 * DAY_MS..7 * DAY_MS),
        actor in prop::option::of(0..3_usize),
        action in prop::option::of(0..5_usize),
    ) {
        let actors = ["anna", "bob", "carl"];
        let actions = ["job.propose", "job.approve", "device.move"];
        let mut db = empty();
        let events: Vec<_> = rows.iter().map(|(at, who, what)| (*at, actors[*who], actions[*what])).collect();
        write(&mut db, &Plain, &events);
        let wanted = ["job", "job.approve", "device", "j", "nothing"];
        let filter = Filter {
            since_ms: since,
            until_ms: until,
            actor: actor.map(|a| actors[a].to_owned()),
            action: action.map(|a| wanted[a].to_owned()),
            target: None,
        };
        let mut naive: BTreeMap<(String, String), i64> = BTreeMap::new();
        for (at, who, what) in &events {
            let (family, _) = what.split_once('.').unwrap();
            let fits = since.is_none_or(|s| *at >= s)
                && until.is_none_or(|u| *at < u)
                && actor.is_none_or(|a| actors[a] == *who)
                && action.is_none_or(|a| if wanted[a].contains('.') { *what == wanted[a] } else { family.starts_with(wanted[a]) });
            if fits {
                *naive.entry(((*who).to_owned(), family.to_owned())).or_default() += 1;
            }
        }
        let found: BTreeMap<(String, String), i64> = audit::summary(&db, &Principal::owner("x"), &filter)
            .unwrap().into_iter().map(|g| ((g.actor, g.family), g.entries)).collect();
        prop_assert_eq!(found, naive);
        prop_assert_eq!(audit::verify(&db, &Plain).unwrap().fault, None);
    }
}

//! What must hold of a case whatever happened to the processes that wrote it.

use super::world::World;
use rmm_analyst::case::{CallVerdict, CaseState, Event, Status};
use rmm_analyst::store::{CaseFilter, CaseId, Store, StoreOptions};

pub(crate) fn open(world: &World) -> Store {
    let options = StoreOptions {
        read_only: true,
        ..StoreOptions::default()
    };
    Store::open(&world.db(), options).expect("the database opens")
}

pub(crate) fn cases(world: &World) -> Vec<CaseId> {
    let list = open(world)
        .read(|r| r.list_cases(&CaseFilter::default()))
        .unwrap();
    list.into_iter().map(|c| c.id).collect()
}

/// Reads a case and checks it: the log has no gap, its fold is its state, the file and its index are sound.
pub(crate) fn case(world: &World, id: &CaseId) -> (Vec<Event>, CaseState) {
    let store = open(world);
    let report = store.check().unwrap();
    assert!(report.ok(), "{report:?}");
    let events = store.read(|r| r.events(id)).unwrap();
    for (event, seq) in events.iter().zip(1..) {
        assert_eq!(event.seq, seq, "a gap in the log");
    }
    let state = CaseState::fold(&events);
    assert_eq!(store.read(|r| r.case(id)).unwrap(), state);
    for e in &state.evidence {
        store
            .read(|r| r.evidence(id, e.n))
            .expect("evidence that the log numbers is there");
    }
    // A call that went out is charged, answered or not. Others stay on the machine, or have no key here.
    let go_out = ["crtsh", "rdap"];
    for t in &state.turns {
        for c in &t.calls {
            if c.verdict == CallVerdict::Permit
                && c.in_flight()
                && go_out.contains(&c.tool.as_str())
            {
                assert!(c.charged, "in flight and not charged: {c:?}");
            }
        }
    }
    drop(store);
    world.run(&["case", "verify", id.as_str()]).exits(0);
    (events, state)
}

/// After a later turn: what was in flight when the process died is closed as interrupted.
pub(crate) fn closed(before: &CaseState, after: &CaseState) -> usize {
    let mut interrupted = 0;
    for (was, is) in before.turns.iter().zip(&after.turns) {
        for (c, d) in was.calls.iter().zip(&is.calls) {
            assert_eq!(c.charged, d.charged, "a charge changed");
            if c.in_flight() {
                interrupted += 1;
                assert_eq!(d.status, Some(Status::CouldNotLook), "{d:?}");
                assert!(
                    d.detail
                        .as_deref()
                        .is_some_and(|t| t.contains("interrupted")),
                    "{d:?}"
                );
            }
        }
        assert!(is.status.is_some(), "a turn stayed open");
    }
    interrupted
}

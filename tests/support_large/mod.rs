//! Large cases: what the benches measure and the soak test works in.
#![allow(dead_code, reason = "each test binary uses a part of it")]
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use super::store_support::{
    T0, answer, call, decided, done, ended, evidence, human, ip, open, proposed, started,
};
use rmm_analyst::case::{Body, TurnStatus};
use rmm_analyst::store::CaseId;
use std::path::Path;

/// What the last turn of a large case answers.
pub(crate) const LAST_ANSWER: &str = "That was the last one of them.";

/// What the last turn of a large case asks.
pub(crate) const LAST_QUESTION: &str = "and the last one?";

/// Events of one of its turns.
pub(crate) const PER_TURN: usize = 12;

/// Turns of an investigation as they are: a question, three look-ups, a proposal, a decision, an answer.
/// [`PER_TURN`] events each; at least `events` of them, ended after a whole turn.
pub(crate) fn bodies(events: usize) -> Vec<Body> {
    let small = |n: u64, most: u64| u8::try_from(n % most).unwrap();
    let mut all = Vec::with_capacity(events + 16);
    let (mut turn, mut found) = (0_u32, 0_u32);
    while all.len() < events {
        turn += 1;
        let n = u64::from(turn);
        let subject = ip(small(n, 200));
        let question = "and what of this one? It came up in the mail log.";
        all.push(human(turn, question, std::slice::from_ref(&subject)));
        all.push(started(turn));
        for i in 1..=3 {
            found += 1;
            all.push(call(turn, i, &subject));
            let seen = [ip(small(found.into(), 250))];
            all.push(done(turn, i, Some(found), &seen));
        }
        all.push(proposed(n, turn, &ip(small(n, 250)), Some(found)));
        all.push(answer(
            turn,
            "It answers on port 443 and is listed nowhere. Shall I look at its neighbour?",
        ));
        all.push(ended(turn, TurnStatus::Waiting));
        all.push(decided(n, n % 3 != 0));
    }
    all
}

/// A database with one case of this many events and a piece of evidence, number 1, of this many
/// bytes.
pub(crate) fn database(file: &Path, events: usize, bytes: usize) -> CaseId {
    let store = open(file);
    store
        .write(move |tx| {
            let case = tx.create_case(T0, "large", "anna")?;
            let all = bodies(events);
            let turn = u32::try_from(all.len() / PER_TURN + 1).unwrap();
            tx.append(&case, T0, &all)?;
            let line = "{\"port\": 443, \"name\": \"a host among others\"},\n";
            let raw = line.repeat(bytes / line.len() + 1);
            // It gets number 1; the other numbers of the log have no rows, which nothing here asks for.
            let n = tx.put_evidence(&case, &evidence(turn, &ip(1), &raw))?;
            tx.append(
                &case,
                T0,
                &[
                    human(turn, LAST_QUESTION, &[ip(1)]),
                    started(turn),
                    call(turn, 1, &ip(1)),
                    done(turn, 1, Some(n), &[]),
                    answer(turn, LAST_ANSWER),
                    ended(turn, TurnStatus::Answered),
                ],
            )?;
            Ok(case)
        })
        .unwrap()
}

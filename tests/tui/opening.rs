//! A long case shows its end first, and whole a moment later.

use crate::screen::{Screen, case};
use crate::store_support::{T0, call, human, ip, open, proposed, started};
use crate::support_large::{LAST_ANSWER, bodies, database};
use crossterm::event::KeyCode;
use rmm_analyst::case::CaseState;
use rmm_analyst::engine::session::Update;
use rmm_analyst::tui::app::Msg;

fn end_and_whole(events: usize) -> (Option<CaseState>, CaseState) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.db");
    let id = database(&file, events, 100);
    let store = open(&file);
    store
        .read(|r| Ok((r.case_end(&id)?, r.case(&id)?)))
        .unwrap()
}

fn show(s: &mut Screen, update: impl FnOnce(u64) -> Update) {
    let room = s.app.current;
    s.msg(Msg::Update(Box::new(update(room))));
}

#[test]
fn the_end_is_what_the_whole_ends_with() {
    let (end, whole) = end_and_whole(2_000);
    let end = end.unwrap();
    assert!(end.turns.len() > 30 && end.turns.len() < whole.turns.len());
    let from = whole.turns.len() - end.turns.len();
    assert_eq!(end.turns, whole.turns[from..]);
    assert_eq!((end.seq, &end.title), (whole.seq, &whole.title));
    for t in &end.turns {
        for n in &t.proposals {
            assert_eq!(end.proposals.get(n), whole.proposals.get(n));
        }
    }
}

#[test]
fn a_short_case_comes_whole() {
    assert_eq!(end_and_whole(100).0, None);
}

#[test]
fn nothing_can_be_decided_by_the_end_of_a_case() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir.path().join("a.db"));
    let written = store.write(|tx| {
        let id = tx.create_case(T0, "large", "anna")?;
        tx.append(&id, T0, &bodies(1_200))?;
        let last = [
            human(101, "and?", &[ip(9)]),
            started(101),
            call(101, 1, &ip(9)),
        ];
        tx.append(&id, T0, &last)?;
        tx.append(&id, T0, &[proposed(9_000, 101, &ip(251), None)])?;
        Ok(id)
    });
    let id = written.unwrap();
    let (end, whole) = store
        .read(|r| Ok((r.case_end(&id)?, r.case(&id)?)))
        .unwrap();
    assert_eq!(whole.open.len(), 1);
    let mut s = Screen::new(100, 40);
    show(&mut s, |room| {
        Update::End(room, case(), Box::new(end.unwrap()))
    });
    assert!(s.text().contains("> and?"), "{}", s.text());
    s.wait(2_000);
    s.key(KeyCode::Char('a'));
    s.wait(2_000);
    assert_eq!(s.approvals(), 0, "no card came with it");
    s.key(KeyCode::Backspace);
    show(&mut s, |room| Update::Loaded(room, case(), Box::new(whole)));
    s.wait(2_000);
    s.key(KeyCode::Char('a'));
    s.wait(2_000);
    assert_eq!(s.approvals(), 1, "{}", s.text());
}

#[test]
fn the_view_stays_where_it_was_when_the_rest_comes() {
    let (end, whole) = end_and_whole(2_000);
    let mut s = Screen::new(100, 30);
    show(&mut s, |room| {
        Update::End(room, case(), Box::new(end.unwrap()))
    });
    assert!(s.text().contains(LAST_ANSWER), "{}", s.text());
    for _ in 0..3 {
        s.key(KeyCode::PageUp);
    }
    let story = |s: &Screen| -> Vec<String> {
        // Between the heading and the status the story stands; the heading tells that the rest is missing.
        let text = s.text();
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines[1..lines.len() - 3].to_vec()
    };
    let before = story(&s);
    show(&mut s, |room| Update::Loaded(room, case(), Box::new(whole)));
    assert_eq!(story(&s), before);
}

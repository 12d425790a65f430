//! The highlight of the case list follows its case.

use crate::screen::{Screen, WALL};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use rmm_analyst::engine::session::{Edit, Order, Update};
use rmm_analyst::engine::view::{CaseId, CaseSummary};
use rmm_analyst::tui::app::{Focus, Msg};
use std::collections::HashMap;

fn id(n: u8) -> CaseId {
    CaseId::parse(&format!("0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a{n:02x}")).unwrap()
}

fn list(s: &mut Screen, order: &[u8]) {
    let all = order
        .iter()
        .map(|n| CaseSummary {
            id: id(*n),
            short: id(*n).short().to_owned(),
            title: format!("case number {n}"),
            principal: "ana".into(),
            created_ms: WALL - 7_200_000,
            last_ms: WALL - 60_000,
            turns: 1,
            open_proposals: 0,
            tags: Vec::new(),
            closed: false,
            deleted: false,
            running: false,
            interrupted: false,
        })
        .collect();
    s.msg(Msg::Update(Box::new(Update::Cases(all, HashMap::new()))));
}

fn closed(s: &Screen) -> Vec<CaseId> {
    s.orders
        .iter()
        .filter_map(|o| match o {
            Order::Edit(id, Edit::Close) => Some(id.clone()),
            _ => None,
        })
        .collect()
}

fn c(s: &mut Screen) {
    s.now += 1_000;
    s.msg(Msg::Key(KeyEvent::new(
        KeyCode::Char('c'),
        KeyModifiers::NONE,
    )));
}

#[test]
fn the_highlight_follows_its_case_through_a_new_order() {
    let mut s = Screen::new(100, 30);
    list(&mut s, &[1, 2, 3]);
    s.app.focus = Focus::Cases;
    s.key(KeyCode::Down);
    c(&mut s);
    // The case that changed last stands first.
    list(&mut s, &[2, 1, 3]);
    c(&mut s);
    list(&mut s, &[3, 1, 2]);
    c(&mut s);
    assert_eq!(closed(&s), [id(2), id(2), id(2)]);
}

#[test]
fn the_highlight_follows_its_case_out_of_the_filter() {
    let mut s = Screen::new(100, 30);
    list(&mut s, &[1, 2, 3]);
    s.app.focus = Focus::Cases;
    s.key(KeyCode::Char('/'));
    s.keys("number 3");
    s.key(KeyCode::Enter);
    s.key(KeyCode::Esc);
    c(&mut s);
    assert_eq!(closed(&s), [id(3)]);
}

#[test]
fn where_the_case_is_gone_the_highlight_keeps_its_place_in_the_list() {
    let mut s = Screen::new(100, 30);
    list(&mut s, &[1, 2]);
    s.app.focus = Focus::Cases;
    s.key(KeyCode::Down);
    list(&mut s, &[1]);
    c(&mut s);
    assert_eq!(closed(&s), [id(1)]);
}

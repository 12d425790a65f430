//! Keys of the narrative, the evidence and the list of cases.

use super::{commands, scroll, undo};
use crate::engine::session::{Edit, Order};
use crate::tui::app::{App, Effect, Focus};
use crate::tui::clipboard;
use crate::tui::draw::shown_cases;
use crate::tui::evidence::{self, Form, Shows};
use crate::tui::keys::Action;
use crate::tui::layout;
use crate::tui::narrative::Scroll;
use crate::tui::overlay::{Overlay, Question};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A motion that every pane knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    Up,
    Down,
    Top,
    Bottom,
}

pub(super) fn motion(key: KeyEvent) -> Option<Motion> {
    Some(match key.code {
        KeyCode::Up | KeyCode::Char('k') => Motion::Up,
        KeyCode::Down | KeyCode::Char('j') => Motion::Down,
        KeyCode::Home | KeyCode::Char('g') => Motion::Top,
        KeyCode::End | KeyCode::Char('G') => Motion::Bottom,
        _ => return None,
    })
}

fn moved(at: usize, len: usize, m: Motion) -> usize {
    match m {
        Motion::Up => at.saturating_sub(1),
        Motion::Down => (at + 1).min(len.saturating_sub(1)),
        Motion::Top => 0,
        Motion::Bottom => len.saturating_sub(1),
    }
}

pub(super) fn go(app: &mut App, m: Motion, _out: &mut Vec<Effect>) {
    match app.focus {
        Focus::Composer => {}
        Focus::Narrative => match m {
            Motion::Up => scroll(app, -1),
            Motion::Down => scroll(app, 1),
            Motion::Top => app.room_mut().narrative.scroll = Scroll::At(0, 0),
            Motion::Bottom => app.room_mut().narrative.scroll = Scroll::Follow,
        },
        Focus::Cases => {
            let len = shown_cases(app).len();
            app.cases.selected = moved(app.cases.selected, len, m);
        }
        Focus::Evidence => {
            let room = app.room();
            let len = match room.evidence.shows {
                Shows::List => room.state.evidence.len(),
                Shows::Mentioned => evidence::mentioned(room).len(),
                Shows::Piece => {
                    let wide = pane_width(app);
                    let defang = app.settings.defang;
                    let len = evidence::piece(app.room_mut(), wide, defang).len();
                    let e = &mut app.room_mut().evidence;
                    e.scroll = moved(e.scroll, len, m);
                    return;
                }
            };
            let e = &mut app.room_mut().evidence;
            e.selected = moved(e.selected, len, m);
        }
    }
}

fn pane_width(app: &App) -> usize {
    usize::from(layout::areas(app).evidence.width)
}

pub(super) fn page(app: &mut App, by: isize) {
    let rows = isize::try_from(app.size.1.saturating_sub(6).max(2)).unwrap_or(10);
    match app.focus {
        Focus::Evidence | Focus::Cases => {
            let m = if by < 0 { Motion::Up } else { Motion::Down };
            for _ in 0..rows {
                go(app, m, &mut Vec::new());
            }
        }
        Focus::Composer | Focus::Narrative => {
            let room = app.room_mut();
            // A card that does not fit is read with the same keys.
            if room.card.current().is_some() && by > 0 && !room.card.end_seen() {
                room.card.scroll += 3;
                return;
            }
            let height = layout::areas(app).narrative.height.saturating_sub(3).max(1);
            scroll(app, by * isize::try_from(height).unwrap_or(10));
        }
    }
}

pub(super) fn act(app: &mut App, action: Action, out: &mut Vec<Effect>) {
    match action {
        Action::Up => go(app, Motion::Up, out),
        Action::Down => go(app, Motion::Down, out),
        Action::Top => go(app, Motion::Top, out),
        Action::Bottom => go(app, Motion::Bottom, out),
        Action::NextRef => step(app, 1, out),
        Action::PrevRef => step(app, -1, out),
        Action::CopyAnswer => copy_answer(app, out),
        Action::SaveTables => commands::export(app, "tables", out),
        Action::Fork => commands::fork(app, None, out),
        Action::Open => match app.room().evidence.shows {
            Shows::List => {
                let at = app.room().evidence.selected;
                let n = app.room().state.evidence.iter().rev().nth(at).map(|e| e.n);
                if let Some(n) = n {
                    open_evidence(app, n, out);
                }
            }
            Shows::Mentioned => propose(app, out),
            Shows::Piece => {}
        },
        Action::Form => form(app, out),
        Action::Search => {
            app.overlay = Some(Overlay::ask(
                "search in the evidence",
                Question::InEvidence,
                "",
            ));
        }
        Action::NextHit => next_hit(app),
        Action::Copy => match evidence::copy(app.room()) {
            Some(text) => copy(app, text, out),
            None => app.say("open a piece of evidence first"),
        },
        Action::Mentioned => {
            let e = &mut app.room_mut().evidence;
            e.shows = if e.shows == Shows::Mentioned {
                Shows::List
            } else {
                Shows::Mentioned
            };
            e.selected = 0;
        }
        Action::Propose => propose(app, out),
        Action::OpenCase => {
            let id = selected_case(app);
            if let Some(id) = id {
                commands::open_case(app, id, out);
                app.focus = Focus::Composer;
            }
        }
        Action::Filter => app.cases.filtering = true,
        Action::Rename => {
            if let Some(id) = selected_case(app) {
                let title = app
                    .cases
                    .all
                    .iter()
                    .find(|c| c.id == id)
                    .map(|c| c.title.clone())
                    .unwrap_or_default();
                app.overlay = Some(Overlay::ask("new title", Question::Rename(id), title));
            }
        }
        Action::Tag => {
            if let Some(id) = selected_case(app) {
                app.overlay = Some(Overlay::ask(
                    "tags; -tag takes one off",
                    Question::Tag(id),
                    "",
                ));
            }
        }
        Action::Close => {
            if let Some(id) = selected_case(app) {
                let closed = app.cases.all.iter().any(|c| c.id == id && c.closed);
                let edit = if closed { Edit::Reopen } else { Edit::Close };
                undo::edit(app, id, edit, out);
            }
        }
        Action::Delete => {
            if let Some(id) = selected_case(app) {
                commands::delete(app, id, out);
            }
        }
        Action::Undo => undo::last(app, out),
        _ => {}
    }
}

fn selected_case(app: &App) -> Option<crate::engine::view::CaseId> {
    shown_cases(app)
        .get(app.cases.selected)
        .map(|c| c.id.clone())
}

/// The case that the highlight is on; none while it rests at the top and nobody looks.
pub(super) fn chosen_case(app: &App) -> Option<crate::engine::view::CaseId> {
    (app.focus == Focus::Cases || app.cases.selected > 0)
        .then(|| selected_case(app))
        .flatten()
}

/// Puts the highlight on this case again after the list changed: a key never hits another one because
/// the order did. Where it is gone, the highlight keeps its place.
pub(super) fn follow_case(app: &mut App, case: Option<crate::engine::view::CaseId>) {
    let shown = shown_cases(app);
    let last = shown.len().saturating_sub(1);
    let at = case.and_then(|id| shown.iter().position(|c| c.id == id));
    app.cases.selected = at.unwrap_or(app.cases.selected).min(last);
}

/// Keys while the filter of the cases takes them.
pub(super) fn filter_key(app: &mut App, key: KeyEvent, out: &mut Vec<Effect>) {
    match key.code {
        KeyCode::Enter => app.cases.filtering = false,
        KeyCode::Esc => {
            app.cases.filtering = false;
            let chosen = chosen_case(app);
            app.cases.filter.clear();
            follow_case(app, chosen);
        }
        KeyCode::Backspace => {
            let chosen = chosen_case(app);
            app.cases.filter.pop();
            follow_case(app, chosen);
        }
        KeyCode::Up => go(app, Motion::Up, out),
        KeyCode::Down => go(app, Motion::Down, out),
        KeyCode::Char(c)
            if !key
                .modifiers
                .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) =>
        {
            app.cases.filter.push(c);
            app.cases.selected = 0;
        }
        _ => {}
    }
}

/// Opens a piece of evidence in the pane.
pub(super) fn open_evidence(app: &mut App, n: u32, out: &mut Vec<Effect>) {
    let narrow = app.size.0 < layout::WIDE;
    let room = app.room_mut();
    if !room.state.evidence.iter().any(|e| e.n == n) {
        app.complain(format!("there is no E{n} in this case"));
        return;
    }
    let at = room.state.evidence.iter().rev().position(|e| e.n == n);
    let e = &mut room.evidence;
    e.shows = Shows::Piece;
    e.open = Some(n);
    e.scroll = 0;
    e.selected = at.unwrap_or(0);
    if !e.rows.contains_key(&n) {
        out.push(Effect::Order(Order::Evidence(room.id, n)));
    }
    if narrow {
        app.drawer = true;
    }
    app.focus = Focus::Evidence;
}

/// Opens the next or the earlier evidence.
fn step(app: &mut App, by: i32, out: &mut Vec<Effect>) {
    let room = app.room();
    let numbers: Vec<u32> = room.state.evidence.iter().map(|e| e.n).collect();
    let next = match room.evidence.open {
        None => numbers.last().copied(),
        Some(open) if by > 0 => numbers.iter().copied().find(|n| *n > open),
        Some(open) => numbers.iter().copied().rev().find(|n| *n < open),
    };
    let focus = app.focus;
    match next {
        Some(n) => {
            open_evidence(app, n, out);
            if app.size.0 >= layout::MIDDLE {
                app.focus = focus;
            }
        }
        None => app.say("there is no further evidence"),
    }
}

fn form(app: &mut App, out: &mut Vec<Effect>) {
    let room = app.room_mut();
    room.evidence.form = match room.evidence.form {
        Form::Table => Form::Raw,
        Form::Raw => Form::Difference,
        Form::Difference => Form::Table,
    };
    room.evidence.scroll = 0;
    if room.evidence.form == Form::Difference
        && let Some(n) = room.evidence.open
        && let Some(before) = evidence::earlier(room, n)
        && !room.evidence.rows.contains_key(&before)
    {
        out.push(Effect::Order(Order::Evidence(room.id, before)));
    }
}

/// Goes to the next line that holds the words looked for.
pub(super) fn next_hit(app: &mut App) {
    let wide = pane_width(app);
    let defang = app.settings.defang;
    let room = app.room_mut();
    let words = room.evidence.search.clone();
    let from = room.evidence.scroll;
    let hits = evidence::hits(evidence::piece(room, wide, defang), &words);
    let next = hits.iter().find(|h| **h > from).or(hits.first()).copied();
    match next {
        Some(at) => {
            room.evidence.scroll = at;
            let n = hits.len();
            app.say(format!("{n} lines hold it; n goes on"));
        }
        None if words.is_empty() => app.say("/ searches"),
        None => app.say("it does not occur here"),
    }
}

fn propose(app: &mut App, out: &mut Vec<Effect>) {
    let room = app.room();
    if room.evidence.shows != Shows::Mentioned {
        app.say("m lists what is mentioned");
        return;
    }
    let chosen = evidence::mentioned(room)
        .into_iter()
        .nth(room.evidence.selected);
    if let Some((indicator, found)) = chosen {
        out.push(Effect::Order(Order::Propose(room.id, indicator, found)));
    }
}

pub(super) fn copy_answer(app: &mut App, out: &mut Vec<Effect>) {
    let text = app
        .room()
        .state
        .turns
        .iter()
        .rev()
        .find(|t| t.answer.is_some())
        .map(|t| {
            let d = crate::engine::view::Defang::plain();
            let d = app.settings.defang.then_some(&d);
            crate::engine::view::answer(t, d)
        });
    match text {
        Some(text) => {
            let text = crate::engine::view::screen(&text).as_str().to_owned();
            copy(app, text, out);
        }
        None => app.say("there is no answer yet"),
    }
}

fn copy(app: &mut App, text: String, out: &mut Vec<Effect>) {
    let bytes = text.len();
    match clipboard::osc52(&text, app.settings.tmux) {
        Some(sequence) => {
            out.push(Effect::Terminal(sequence));
            app.say(format!(
                "{bytes} bytes sent to the terminal's clipboard; whether it takes them, it does not say"
            ));
        }
        None => {
            out.push(Effect::Order(Order::Keep(text)));
        }
    }
}

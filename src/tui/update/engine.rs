//! What the engine says.

use super::{as_is, commands, overlays, panes, setup, submit};
use crate::engine::Progress;
use crate::engine::lookup::Looked;
use crate::engine::session::{Failure, Order, Update};
use crate::engine::view::{
    self, Body, CaseId, Event, EvidenceRow, Mode, ProposalState, Status, TurnStatus,
};
use crate::tui::app::{App, Effect, Note, NoteBody, Phase, Room};
use crate::tui::evidence::Shows;
use crate::tui::narrative::{self, Scroll};
use crate::tui::overlay::Overlay;
use crate::tui::style::Look;

/// Evidence rows that a room keeps in memory.
const ROWS: usize = 200;

pub(super) fn on(app: &mut App, update: Update, out: &mut Vec<Effect>) {
    match update {
        Update::Cases(list, seen) => {
            let chosen = panes::chosen_case(app);
            app.cases.all = list;
            for (k, v) in seen {
                let mine = app.cases.seen.entry(k).or_insert(v);
                *mine = v.max(*mine);
            }
            panes::follow_case(app, chosen);
            let current = app.room().case.clone();
            seen_now(app, current, out);
        }
        Update::Loaded(room, case, state) => loaded(app, room, case, *state, out),
        Update::End(room, case, state) => {
            if let Some(r) = app.rooms.get_mut(&room).filter(|r| !r.loaded) {
                r.case = Some(case);
                r.state = *state;
                fetch(r, out);
            }
        }
        Update::Events(room, events) => events_of(app, room, events, out),
        Update::Progress(room, p) => progress(app, room, p),
        Update::Ended(room, report) => ended(app, room, report.turn.n, report.status(), out),
        Update::Failed(room, failure) => failed(app, room, failure, out),
        Update::Looked(room, title, looked) => looked_up(app, room, title, looked),
        Update::Evidence(room, row) => {
            if let Some(r) = app.rooms.get_mut(&room) {
                keep(r, *row);
            }
        }
        Update::Hits(stamp, found) => {
            if stamp == app.stamp
                && let Some(Overlay::Find { hits, selected, .. }) = &mut app.overlay
            {
                *hits = found;
                *selected = 0;
            }
        }
        Update::Sightings(room, indicator, seen) => {
            if let Some(r) = app.rooms.get_mut(&room) {
                r.sightings.insert(indicator, seen);
            }
        }
        Update::Modules(facts) => app.modules = facts,
        Update::Server(line) => {
            app.server = Some(*line);
            as_is::model_changed(app);
        }
        Update::OwnWords(words) => {
            app.words = words;
            for r in app.rooms.values_mut() {
                r.narrative.forget();
            }
            as_is::weigh_all(app);
        }
        Update::Made(case) => commands::open_case(app, case, out),
        Update::Done(words) => app.say(words),
        Update::NotSet(key, why) => {
            if !setup::set(app, Some(&why.message)) {
                overlays::refused(app, key, why.message);
            }
        }
        Update::Servers(found) => setup::servers(app, found),
        Update::Trying(stamp, step) => setup::trial(app, stamp, Ok(step)),
        Update::Tried(stamp, ability) => setup::trial(app, stamp, Err(ability)),
        Update::Kept(name, place) => setup::kept(app, &name, place),
        Update::Action(room, action) => {
            if let Some(r) = app.rooms.get_mut(&room) {
                r.actions.insert(action.n, *action);
            }
        }
        Update::Settings(config) => {
            app.asked_setting = None;
            app.settings.defang = config.ui.defang;
            app.settings.notify.clone_from(&config.ui.notify);
            app.settings.turn_max = config.limits.calls_per_turn;
            app.settings.case_max = config.limits.calls_per_case;
            let secrets: Vec<_> = app
                .settings
                .all
                .drain(..)
                .filter(|(k, _)| k.starts_with("secret "))
                .collect();
            app.settings.all = crate::surface::settings_of(&config);
            app.settings.all.extend(secrets);
            app.keys = crate::tui::keys::Keymap::new(&config.ui.keys);
            if let Some(p) = app.keys.problems.first().cloned() {
                app.complain(p);
            } else if !setup::set(app, None) {
                app.say("set; it applies from now on");
            }
            out.push(Effect::Order(Order::Server(
                app.ask_input(app.room(), String::new()).model,
            )));
        }
    }
}

/// Remembers that everything of a case has been seen.
pub(super) fn seen(app: &mut App, case: Option<CaseId>, out: &mut Vec<Effect>) {
    seen_now(app, case, out);
}

fn seen_now(app: &mut App, case: Option<CaseId>, out: &mut Vec<Effect>) {
    let Some(case) = case else { return };
    let Some(last) = app
        .cases
        .all
        .iter()
        .find(|c| c.id == case)
        .map(|c| c.last_ms)
    else {
        return;
    };
    let known = app.cases.seen.get(case.as_str()).copied();
    if known != Some(last) {
        app.cases.seen.insert(case.as_str().to_owned(), last);
        // While a turn runs it would be written with every event; the end is enough.
        if app.room().live.is_none() {
            out.push(Effect::Order(Order::Seen(case, last)));
        }
    }
}

fn loaded(app: &mut App, room: u64, case: CaseId, state: view::CaseState, out: &mut Vec<Effect>) {
    let Some(r) = app.rooms.get_mut(&room) else {
        return;
    };
    // Until now the end of the case may have been there alone: places are counted anew, and what was
    // rendered under them is not taken for something else.
    let more = state.turns.len().saturating_sub(r.state.turns.len());
    let scroll = match r.narrative.scroll {
        Scroll::At(block, line) => Scroll::At(block + more, line),
        Scroll::Follow => Scroll::Follow,
    };
    r.narrative = narrative::Narrative::default();
    r.narrative.scroll = scroll;
    r.case = Some(case);
    r.state = state;
    r.loaded = true;
    if r.history.is_empty() {
        r.history = r
            .state
            .turns
            .iter()
            .map(|t| t.text.as_str().to_owned())
            .filter(|t| !t.is_empty())
            .collect();
    }
    fetch(r, out);
    if let Some((kind, n)) = r.jump.take() {
        jump(app, &kind, n, out);
    }
    let current = app.room().case.clone();
    seen_now(app, current, out);
}

/// Goes to a hit of a search.
pub(super) fn jump(app: &mut App, kind: &str, n: u32, out: &mut Vec<Effect>) {
    let room = app.room_mut();
    match kind {
        "evidence" if n > 0 => super::panes::open_evidence(app, n, out),
        "human" | "answer" | "attachment" if n > 0 => {
            let all = narrative::blocks(room);
            let at = room.state.turns.iter().position(|t| t.n == n);
            if let Some(at) =
                at.and_then(|i| all.iter().position(|b| *b == narrative::Block::Turn(i)))
            {
                room.narrative.scroll = Scroll::At(at, 0);
                app.focus = crate::tui::app::Focus::Narrative;
            }
        }
        _ => {}
    }
}

fn events_of(app: &mut App, room: u64, events: Vec<Event>, out: &mut Vec<Effect>) {
    let current = app.current == room;
    let Some(r) = app.rooms.get_mut(&room) else {
        return;
    };
    let open_before = r.open_proposals();
    let mut decided = Vec::new();
    let mut ended = false;
    for e in &events {
        if e.seq <= r.state.seq {
            continue;
        }
        if let Body::Decided { n, .. } = &e.body {
            decided.push(*n);
        }
        if let Body::Authorized { .. } | Body::Revoked { .. } = &e.body {
            decided.extend(&open_before);
        }
        ended |= matches!(e.body, Body::TurnEnded { .. });
        r.state.apply(e);
    }
    fetch(r, out);
    let open = r.open_proposals();
    let new = open.iter().any(|n| !open_before.contains(n));
    if !current {
        r.unread = true;
    }
    if new || ended && !current {
        let title = view::screen(&r.state.title).as_str().to_owned();
        let words = if new {
            format!("a decision waits: {title}")
        } else {
            format!("an answer came: {title}")
        };
        out.push(Effect::Ring(words));
    }
    // The last decision of a turn starts its continuation, when something was approved.
    let turns: Vec<u32> = decided
        .iter()
        .filter_map(|n| r.state.proposals.get(n))
        .map(|p| p.turn)
        .collect();
    let go = turns.iter().any(|t| {
        let of = || r.state.proposals.values().filter(|p| p.turn == *t);
        of().all(|p| p.state != ProposalState::Open)
            && of().any(|p| {
                p.state == ProposalState::Approved && r.state.authorized.contains_key(&p.indicator)
            })
    });
    if go && r.live.is_none() && r.state.open_turn().is_none() {
        submit::go_on(app, room, out);
    }
    let pasted = app.settings.paste_authorizes;
    if let Some(r) = app.rooms.get_mut(&room)
        && !r.composer.is_empty()
    {
        let completion = r.completion;
        r.read(pasted);
        r.completion = completion;
    }
}

/// Asks for evidence that the narrative or the pane shows.
fn fetch(r: &mut Room, out: &mut Vec<Effect>) {
    let mut wanted: Vec<u32> = Vec::new();
    for t in r.state.turns.iter().rev().take(20) {
        wanted.extend(narrative::shown_evidence(r, t));
    }
    if r.state.mode == Mode::Full
        && let Some(last) = r.state.evidence.last()
        && r.evidence.shows == Shows::List
    {
        wanted.push(last.n);
    }
    wanted.sort_unstable();
    wanted.dedup();
    for n in wanted {
        if !r.evidence.rows.contains_key(&n) && r.state.evidence.iter().any(|e| e.n == n) {
            out.push(Effect::Order(Order::Evidence(r.id, n)));
        }
    }
}

fn keep(r: &mut Room, row: EvidenceRow) {
    if r.evidence.rows.len() >= ROWS {
        let open = r.evidence.open;
        let oldest = r
            .evidence
            .rows
            .keys()
            .copied()
            .filter(|n| Some(*n) != open)
            .min();
        if let Some(n) = oldest {
            r.evidence.rows.remove(&n);
        }
    }
    r.evidence.rows.insert(row.meta.n, row);
}

fn progress(app: &mut App, room: u64, p: Progress) {
    let now = app.now;
    let Some(r) = app.rooms.get_mut(&room) else {
        return;
    };
    let Some(l) = &mut r.live else { return };
    let stopping = l.phase == Phase::Stopping;
    let mut phase = None;
    match p {
        Progress::Started { case, .. } => {
            r.case = Some(case);
        }
        Progress::Loading => phase = Some(Phase::Loading),
        Progress::Thinking { round } => {
            let text = std::mem::take(&mut l.text);
            if !text.trim().is_empty() {
                l.progress.push(text);
            }
            if !l.reasoning.trim().is_empty() {
                l.thoughts.push(std::mem::take(&mut l.reasoning));
            }
            phase = Some(Phase::Thinking(round));
        }
        Progress::Text(t) => {
            l.text.push_str(t.as_str());
            phase = Some(Phase::Answering);
        }
        Progress::Reasoning(t) => l.reasoning.push_str(t.as_str()),
        Progress::Calling { tool, argument } => {
            let value = view::Defang::plain().text(argument.as_str());
            phase = Some(Phase::Calling(format!(
                "{} {}",
                tool.as_str(),
                crate::tui::text::one_line(&value, 40)
            )));
        }
        // Warnings stand in the turn, where they are not gone after some seconds.
        Progress::Called { .. }
        | Progress::Refused { .. }
        | Progress::Round { .. }
        | Progress::Warning(_) => {}
    }
    if let Some(phase) = phase
        && !stopping
        && let Some(l) = app.rooms.get_mut(&room).and_then(|r| r.live.as_mut())
        && l.phase != phase
    {
        l.phase = phase;
        l.phase_since = now;
    }
}

fn ended(app: &mut App, room: u64, turn: u32, status: TurnStatus, out: &mut Vec<Effect>) {
    let Some(r) = app.rooms.get_mut(&room) else {
        return;
    };
    let long = r
        .live
        .as_ref()
        .is_some_and(|l| app.now.saturating_sub(l.since) > 10_000);
    if let Some(l) = r.live.take() {
        r.remember_thoughts(turn, l);
    }
    if status == TurnStatus::Interrupted {
        r.parked = !r.queue.is_empty();
    }
    if long {
        let title = view::screen(&r.state.title).as_str().to_owned();
        out.push(Effect::Ring(format!("an answer came: {title}")));
    }
    let waits = r
        .state
        .turns
        .last()
        .is_some_and(|t| t.proposals.iter().any(|n| r.state.open.contains(n)));
    if !waits && r.queue.is_empty() && decided_meanwhile(r) {
        submit::go_on(app, room, out);
    }
    submit::next(app, room, out);
    let current = app.room().case.clone();
    seen_now(app, current, out);
}

/// Something of the last turn was approved while the turn still ran: it goes on now.
fn decided_meanwhile(r: &Room) -> bool {
    let Some(t) = r.state.turns.last() else {
        return false;
    };
    if t.status != Some(TurnStatus::Waiting) && t.status != Some(TurnStatus::Answered) {
        return false;
    }
    t.proposals
        .iter()
        .filter_map(|n| r.state.proposals.get(n))
        .any(|p| {
            p.state == ProposalState::Approved
                && !t
                    .calls
                    .iter()
                    .any(|c| c.subject.as_ref() == Some(&p.indicator) && c.status.is_some())
        })
}

fn failed(app: &mut App, room: Option<u64>, failure: Failure, out: &mut Vec<Effect>) {
    let words = if failure.hint.is_empty() {
        failure.message.clone()
    } else {
        format!("{}: {}", failure.message, failure.hint)
    };
    if let Some(r) = room.and_then(|r| app.rooms.get_mut(&r))
        && failure.turn
    {
        r.live = None;
        r.parked = !r.queue.is_empty();
        let after = r.state.turns.last().map_or(0, |t| t.n);
        let mut lines = vec![(Look::Bad, failure.message)];
        if !failure.hint.is_empty() {
            lines.push((Look::Plain, failure.hint));
        }
        r.notes.push(Note {
            after,
            title: "the turn did not begin".into(),
            body: NoteBody::Words(lines),
        });
        // The message is not lost.
        if r.composer.is_empty()
            && let Some(last) = r.history.last().cloned()
        {
            r.composer.set(last);
            r.weigh(&app.words);
        }
        return;
    }
    let _ = out;
    app.complain(words);
}

fn looked_up(app: &mut App, room: u64, title: String, looked: Vec<Looked>) {
    app.toast = None;
    let defang = app.settings.defang;
    let Some(r) = app.rooms.get_mut(&room) else {
        return;
    };
    let head = ["module", "value", "outcome", "what it says", "time"]
        .map(str::to_owned)
        .to_vec();
    let rows: Vec<Vec<String>> = looked
        .iter()
        .map(|l| {
            let o = &l.done.outcome;
            let word = match o.status {
                Status::Found => "found".to_owned(),
                Status::NotFound => "not found".to_owned(),
                Status::CouldNotLook => {
                    let why = o.detail().unwrap_or_default();
                    format!("could not look: {}", kit::outcome::plain_reason(&why))
                }
            };
            let mut says = Vec::new();
            if o.verdict.name() != "unknown" {
                says.push(format!("{} ({})", o.verdict.name(), o.basis.as_str()));
            }
            if let Some(first) = o.rows.first() {
                for (c, v) in o.columns.iter().zip(first).take(6) {
                    if !v.as_str().is_empty() {
                        let v: String = v.as_str().chars().take(60).collect();
                        says.push(format!("{c}: {v}"));
                    }
                }
            }
            if o.rows.len() > 1 {
                says.push(format!("and {} more rows", o.rows.len() - 1));
            }
            let time = match l.done.age_s {
                Some(a) => format!("{} old", view::age(a)),
                None => format!("{}.{} s", l.done.ms / 1000, l.done.ms % 1000 / 100),
            };
            let says = says.join("; ");
            vec![
                l.module.to_owned(),
                if defang {
                    l.subject.defanged()
                } else {
                    l.subject.value().to_owned()
                },
                word,
                if defang {
                    view::Defang::plain().text(&says)
                } else {
                    says
                },
                time,
            ]
        })
        .collect();
    let after = r.state.turns.last().map_or(0, |t| t.n);
    let body = if rows.is_empty() {
        NoteBody::Words(vec![(Look::Warn, "no module takes this".into())])
    } else {
        NoteBody::Table(head, rows)
    };
    r.notes.push(Note {
        after,
        title: view::Defang::plain().text(&title),
        body,
    });
    r.narrative.scroll = Scroll::Follow;
}

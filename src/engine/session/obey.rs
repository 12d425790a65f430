//! Carrying out orders, and telling the screen what was written.

use super::work::edit_case;
use super::{
    CaseId, Engine, EngineError, Inner, Order, Rebuild, Room, RoomId, Said, Update, failure, words,
};
use crate::case::Body;
use crate::engine::now_ms;
use crate::engine::setup::SETUP;
use crate::store::{CaseFilter, StoreError};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Under this key the store remembers what of each case was seen.
const SEEN: &str = "tui-seen";

impl Inner {
    pub(super) fn engine(&self) -> Rc<Engine> {
        self.engine.borrow().clone()
    }

    pub(super) fn tell(&self, update: Update) {
        let _ = self.updates.send(update);
    }

    pub(super) fn fail(&self, room: Option<RoomId>, error: impl Into<EngineError>) {
        self.tell(Update::Failed(room, words(&error.into())));
    }

    /// Tells what a turn said, behind what was written before.
    pub(super) fn said(&self, said: Said) {
        if let Some(upto) = said.upto {
            self.pump_upto(said.room, upto);
            // What was just proposed is read on its card, so its content comes right behind its event.
            self.actions_of(said.room, false);
        }
        let over = matches!(said.update, Update::Ended(..) | Update::Failed(..));
        self.tell(said.update);
        if over {
            self.cases();
        }
    }

    /// Sends what was written to the case of a room since the last look, up to an event.
    fn pump_upto(&self, room: RoomId, upto: u64) {
        let at = self
            .rooms
            .borrow()
            .get(&room)
            .map(|r| (r.case.clone(), r.seq));
        let Some((case, seq)) = at else { return };
        match self.engine().store.read(|r| r.events_after(&case, seq)) {
            Ok(mut events) => {
                events.retain(|e| e.seq <= upto);
                let Some(last) = events.last().map(|e| e.seq) else {
                    return;
                };
                if let Some(r) = self.rooms.borrow_mut().get_mut(&room) {
                    r.seq = last;
                    for event in &events {
                        follow_actions(&mut r.actions, &event.body);
                    }
                }
                self.tell(Update::Events(room, events));
            }
            Err(e) => self.fail(Some(room), e),
        }
    }

    /// Tells the screen what there is to know about the open actions of a room, of those that it knows `again` where
    /// anything changed: a device that went offline changes the card, and arms it anew.
    fn actions_of(&self, room: RoomId, again: bool) {
        let open: Vec<(u64, u64)> = match self.rooms.borrow().get(&room) {
            Some(r) => r
                .actions
                .iter()
                .filter(|(_, stamp)| again || **stamp == 0)
                .map(|(n, stamp)| (*n, *stamp))
                .collect(),
            None => return,
        };
        let engine = self.engine();
        for (n, told) in open {
            let view = match engine.action_view(n) {
                Ok(Some(view)) => view,
                // Out of this principal's scope, or decided a moment ago: its events come.
                Ok(None) => continue,
                Err(e) => {
                    self.fail(Some(room), e);
                    continue;
                }
            };
            let stamp = view.stamp();
            if stamp == told {
                continue;
            }
            if let Some(known) = self
                .rooms
                .borrow_mut()
                .get_mut(&room)
                .and_then(|r| r.actions.get_mut(&n))
            {
                *known = stamp;
            }
            self.tell(Update::Action(room, Box::new(view)));
        }
    }

    /// Whether an action of an open case waits, so that time alone can change what is shown.
    pub(super) fn something_waits(&self) -> bool {
        self.rooms.borrow().values().any(|r| !r.actions.is_empty())
    }

    /// Closes what waited too long.
    pub(super) fn sweep(&self) {
        if let Err(e) = self.engine().sweep_actions() {
            tracing::warn!(error = %e, "expired actions could not be closed");
        }
    }

    pub(super) fn pump_all(&self) {
        let rooms: Vec<RoomId> = self.rooms.borrow().keys().copied().collect();
        for room in rooms {
            self.pump_upto(room, u64::MAX);
            self.actions_of(room, true);
        }
    }

    pub(super) fn cases(&self) {
        let engine = self.engine();
        let filter = CaseFilter {
            principal: Some(engine.principal.clone()),
            limit: 1000,
            ..CaseFilter::default()
        };
        let found = engine
            .store
            .read(|r| Ok((r.list_cases(&filter)?, r.kv_get(SEEN)?)));
        match found {
            Ok((list, seen)) => {
                let seen = seen
                    .and_then(|s| serde_json::from_str(&s).ok())
                    .unwrap_or_default();
                self.tell(Update::Cases(list, seen));
            }
            Err(e) => self.fail(None, e),
        }
    }

    pub(super) fn follow(&self, room: RoomId, case: CaseId) {
        let engine = self.engine();
        let end = engine.store.read(|r| {
            if r.visible(&case, &engine.principal)? {
                r.case_end(&case)
            } else {
                Ok(None)
            }
        });
        // What is wrong with the case is said below.
        if let Ok(Some(end)) = end {
            self.tell(Update::End(room, case.clone(), Box::new(end)));
        }
        let found = engine.store.read(|r| {
            if !r.visible(&case, &engine.principal)? {
                return Err(StoreError::NotFound(format!("case {}", case.short())));
            }
            r.case(&case)
        });
        match found {
            Ok(state) => {
                self.rooms.borrow_mut().insert(
                    room,
                    Room {
                        case: case.clone(),
                        seq: state.seq,
                        actions: state.open_actions().map(|a| (a.proposed.n, 0)).collect(),
                    },
                );
                self.tell(Update::Loaded(room, case, Box::new(state)));
                self.actions_of(room, false);
            }
            Err(e) => self.fail(Some(room), e),
        }
    }

    fn waits_as_action(&self, room: RoomId, n: u64) -> bool {
        self.rooms
            .borrow()
            .get(&room)
            .is_some_and(|r| r.actions.contains_key(&n))
    }

    /// Stops the trial of a model, and with it the request.
    pub(super) fn stop_trial(&self) {
        if let Some(task) = self.trial.borrow_mut().take() {
            task.abort();
        }
    }

    pub(super) fn case_of(&self, room: RoomId) -> Option<CaseId> {
        self.rooms.borrow().get(&room).map(|r| r.case.clone())
    }

    pub(super) fn obey(self: Rc<Self>, order: Order, rebuild: &mut Rebuild) {
        let engine = self.engine();
        match order {
            Order::Quit => {}
            Order::Cases => self.cases(),
            Order::Modules => self.tell(Update::Modules(engine.module_facts())),
            Order::Follow(room, case) => self.follow(room, case),
            Order::Leave(room) => {
                self.rooms.borrow_mut().remove(&room);
            }
            Order::Ask(room, input, choices) => {
                tokio::task::spawn_local(self.turn(room, *input, choices));
            }
            Order::Stop(room) => {
                if let Some(stop) = self.running.borrow_mut().remove(&room) {
                    let _ = stop.send(());
                }
            }
            Order::Decide {
                room,
                numbers,
                approve,
                reason,
            } => {
                let case = self.case_of(room);
                // An approval of an action never comes this way: it names a digest.
                let (actions, pivots): (Vec<u64>, Vec<u64>) = numbers
                    .iter()
                    .partition(|n| !approve && self.waits_as_action(room, **n));
                let mut done = Ok(());
                for n in actions {
                    let reason = reason.as_deref().unwrap_or_default();
                    let one = engine.deny_action(case.as_ref(), n, reason, self.surface);
                    done = done.and(one.map(drop));
                }
                if !pivots.is_empty() {
                    let some = engine.decide(
                        case.as_ref().map(CaseId::as_str),
                        &pivots,
                        approve,
                        reason.as_deref(),
                        self.surface,
                    );
                    done = done.and(some.map(drop));
                }
                self.after(Some(room), done);
            }
            Order::Propose(room, indicator, found_in) => {
                self.in_case(room, |case| engine.propose(case, indicator, found_in));
            }
            Order::Revoke(room, indicator) => {
                self.in_case(room, |case| engine.revoke(case, &indicator));
            }
            Order::Mode(room, mode) => {
                self.in_case(room, |case| engine.set_mode(case, mode));
            }
            Order::LookUp {
                room,
                module,
                value,
                fresh,
                anyway,
            } => {
                tokio::task::spawn_local(async move {
                    self.look_up(room, &module, &value, fresh, anyway).await;
                });
            }
            Order::Evidence(room, n) => {
                if let Some(case) = self.case_of(room) {
                    match engine.store.read(|r| r.evidence(&case, n)) {
                        Ok(row) => self.tell(Update::Evidence(room, Box::new(row))),
                        Err(e) => self.fail(Some(room), e),
                    }
                }
            }
            Order::Search(stamp, query) => {
                match engine.store.read(|r| r.search(&query, &engine.principal)) {
                    Ok(hits) => self.tell(Update::Hits(stamp, hits)),
                    Err(e) => self.fail(None, e),
                }
            }
            Order::Sightings(room, indicator) => {
                let case = self.case_of(room);
                let seen = engine
                    .store
                    .read(|r| r.sightings(&indicator, case.as_ref(), &engine.principal));
                if let Ok(seen) = seen {
                    self.tell(Update::Sightings(room, indicator, seen));
                }
            }
            Order::Edit(case, edit) => {
                let done = edit_case(&engine, &case, edit);
                // A case that is closed ends what waits in it.
                self.sweep();
                self.after(None, done);
            }
            Order::Fork(case, turn) => {
                let (who, now) = (engine.principal.name.clone(), now_ms());
                match engine
                    .store
                    .write(move |tx| tx.fork(&case, turn, None, &who, now))
                {
                    Ok(made) => {
                        self.cases();
                        self.tell(Update::Made(made));
                    }
                    Err(e) => self.fail(None, e),
                }
            }
            Order::Export(case, form, file) => self.export(&case, &form, &file),
            Order::Keep(text) => self.keep(&text),
            Order::Server(wish) => {
                tokio::task::spawn_local(async move {
                    let line = engine.server(&wish).await;
                    self.tell(Update::Server(Box::new(line)));
                });
            }
            Order::Set(key, value) => self.obey(Order::SetAll(vec![(key, value)]), rebuild),
            Order::SetAll(changes) => {
                for (key, value) in changes {
                    match rebuild(Some((&key, value.as_deref()))) {
                        Ok(engine) => *self.engine.borrow_mut() = Rc::new(engine),
                        Err(why) => {
                            return self.tell(Update::NotSet(key, failure(&why, "")));
                        }
                    }
                }
                self.tell(Update::Modules(self.engine().module_facts()));
                self.tell(Update::OwnWords(self.engine().own_words()));
                let config = self.engine().config.clone();
                self.tell(Update::Settings(Box::new((*config).clone())));
            }
            Order::Servers => {
                tokio::task::spawn_local(async move {
                    let found = engine.servers().await;
                    self.tell(Update::Servers(found));
                });
            }
            Order::Try(stamp, base_url, model) => {
                self.stop_trial();
                let updates = self.updates.clone();
                let task = tokio::task::spawn_local(async move {
                    let mut on = |step| {
                        let _ = updates.send(Update::Trying(stamp, step));
                    };
                    let ability = engine.try_model(&base_url, &model, &mut on).await;
                    let _ = updates.send(Update::Tried(stamp, ability));
                });
                *self.trial.borrow_mut() = Some(task.abort_handle());
            }
            Order::StopTrying => self.stop_trial(),
            Order::KeepSecret(name, value) => {
                match engine.keep_secret(&name, &value) {
                    Ok(place) => {
                        // What is redacted and which modules are ready depends on what is set.
                        match rebuild(None) {
                            Ok(engine) => *self.engine.borrow_mut() = Rc::new(engine),
                            Err(why) => self.tell(Update::Failed(None, failure(&why, ""))),
                        }
                        self.tell(Update::Modules(self.engine().module_facts()));
                        self.tell(Update::OwnWords(self.engine().own_words()));
                        self.tell(Update::Kept(name, Ok(place)));
                    }
                    Err(e) => self.tell(Update::Kept(name, Err(words(&e)))),
                }
            }
            Order::SetupOver(done) => {
                let word = if done { "done" } else { "skipped" };
                if let Err(e) = engine
                    .store
                    .write(move |tx| tx.kv_put(SETUP, word, now_ms()))
                {
                    tracing::warn!(error = %e, "that the setup is over could not be remembered");
                }
            }
            Order::Act {
                room,
                n,
                digest,
                count,
            } => {
                let case = self.case_of(room);
                let done = engine.approve_action(case.as_ref(), n, &digest, count, self.surface);
                self.after(Some(room), done.map(drop));
            }
            Order::Seen(case, at) => {
                let known = engine.store.read(|r| r.kv_get(SEEN)).ok().flatten();
                let mut seen: HashMap<String, i64> = known
                    .and_then(|s| serde_json::from_str(&s).ok())
                    .unwrap_or_default();
                seen.insert(case.as_str().to_owned(), at);
                if let Ok(text) = serde_json::to_string(&seen)
                    && let Err(e) = engine
                        .store
                        .write(move |tx| tx.kv_put(SEEN, &text, now_ms()))
                {
                    tracing::warn!(error = %e, "what was seen could not be remembered");
                }
            }
        }
    }

    pub(super) fn in_case(&self, room: RoomId, f: impl FnOnce(&CaseId) -> Result<(), EngineError>) {
        let done = match self.case_of(room) {
            Some(case) => f(&case),
            None => Err(EngineError::User {
                message: "there is no case yet".into(),
                hint: "ask something first".into(),
            }),
        };
        self.after(Some(room), done);
    }

    pub(super) fn after(&self, room: Option<RoomId>, done: Result<(), EngineError>) {
        if let Err(e) = done {
            self.fail(room, e);
        }
        self.pump_all();
        self.cases();
    }
}

/// Which actions of a room are open, after this event.
fn follow_actions(open: &mut BTreeMap<u64, u64>, body: &Body) {
    match body {
        Body::ActionProposed { action } => {
            open.insert(action.n, 0);
        }
        Body::Decided { n, .. } => {
            open.remove(n);
        }
        Body::ActionNews { news } => {
            open.remove(&news.n);
        }
        Body::Closed => open.clear(),
        _ => {}
    }
}

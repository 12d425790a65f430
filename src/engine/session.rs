//! The seam between the screens and the engine: orders in, updates out. The session lives on a thread of
//! its own, so that no disk and no server ever keeps a key from being drawn.
//!
//! A screen follows any number of cases in *rooms* (numbers that it chooses). The state of a case comes
//! once, whole; afterwards its events come as they are written, by this process or another, and the
//! screen folds them itself.

use super::connect::ModelWish;
use super::lookup::Looked;
use super::own_words::OwnWords;
use super::server::ServerLine;
use super::turn::{AskInput, Choices};
use super::view::{
    CaseId, CaseState, CaseSummary, Event, EvidenceRow, Hit, Mode, ModuleFact, Sighting,
};
use super::{Engine, EngineError, Progress, TurnReport, now_ms};
use crate::store::export::Format;
use crate::store::{CaseFilter, StoreError};
use kit::indicator::Indicator;
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

/// A number that a screen chose for a case that it follows.
pub type RoomId = u64;

/// What a screen may order. Nothing here names the store, a tool or a model.
#[derive(Debug)]
pub enum Order {
    /// Send the list of cases.
    Cases,
    /// Follow a case.
    Follow(RoomId, CaseId),
    /// Stop following it.
    Leave(RoomId),
    /// A message, or a continuation.
    Ask(RoomId, Box<AskInput>, Choices),
    /// Stop the turn that runs in this room.
    Stop(RoomId),
    /// Decide proposals.
    Decide {
        /// Room.
        room: RoomId,
        /// Numbers.
        numbers: Vec<u64>,
        /// Approve or deny.
        approve: bool,
        /// Reason given.
        reason: Option<String>,
    },
    /// Make a proposal out of a mentioned indicator.
    Propose(RoomId, Indicator, Option<u32>),
    /// Withdraw an authorization.
    Revoke(RoomId, Indicator),
    /// Evidence mode.
    Mode(RoomId, Mode),
    /// A person's own look-up (`@ioc`, `@crtsh`).
    LookUp {
        /// Room.
        room: RoomId,
        /// Module, or `ioc`.
        module: String,
        /// What the person typed behind it.
        value: String,
        /// Past the cache.
        fresh: bool,
        /// Past reach.
        anyway: bool,
    },
    /// Fetch evidence.
    Evidence(RoomId, u32),
    /// Search everything; the number comes back with the hits.
    Search(u64, String),
    /// Other cases that know an indicator.
    Sightings(RoomId, Indicator),
    /// Change a case as a whole.
    Edit(CaseId, Edit),
    /// A new case from a part of one.
    Fork(CaseId, u32),
    /// Write a case to a file.
    Export(CaseId, String, PathBuf),
    /// Write text to a new private file in the data directory (where no clipboard is).
    Keep(String),
    /// Look for the model server.
    Server(ModelWish),
    /// Set a configuration key (`None` removes it); applies at once.
    Set(String, Option<String>),
    /// Tell which look-up modules there are.
    Modules,
    /// What has been seen of a case.
    Seen(CaseId, i64),
    /// End.
    Quit,
}

/// Changes of a case as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Title.
    Rename(String),
    /// Tags on and off.
    Tag(Vec<String>, Vec<String>),
    /// Close.
    Close,
    /// Open again.
    Reopen,
    /// Tombstone.
    Delete,
    /// Take it back.
    Undelete,
}

/// What a screen is told.
#[derive(Debug)]
pub enum Update {
    /// The list of cases, newest first, and what has been seen of them (last event).
    Cases(Vec<CaseSummary>, HashMap<String, i64>),
    /// A case, whole.
    Loaded(RoomId, CaseId, Box<CaseState>),
    /// New events of a case.
    Events(RoomId, Vec<Event>),
    /// A turn moves.
    Progress(RoomId, Progress),
    /// A turn ended.
    Ended(RoomId, Box<TurnReport>),
    /// What was ordered for a room failed.
    Failed(Option<RoomId>, Failure),
    /// A person's own look-up answered.
    Looked(RoomId, String, Vec<Looked>),
    /// Evidence.
    Evidence(RoomId, Box<EvidenceRow>),
    /// Hits of a search.
    Hits(u64, Vec<Hit>),
    /// Other cases that know an indicator.
    Sightings(RoomId, Indicator, Vec<Sighting>),
    /// The model server.
    Server(Box<ServerLine>),
    /// The look-up modules.
    Modules(Vec<ModuleFact>),
    /// A new case was made (fork).
    Made(CaseId),
    /// One sentence about something that was done.
    Done(String),
    /// What tells what of a message would be hidden, made anew.
    OwnWords(OwnWords),
    /// The settings changed.
    Settings(Box<crate::config::Config>),
}

/// Why something failed, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What and why.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// It was a turn that could not begin.
    pub turn: bool,
}

/// Makes the engine anew after a change of the configuration; the words say why it cannot.
pub type Rebuild = Box<dyn FnMut(Option<(&str, Option<&str>)>) -> Result<Engine, String> + Send>;

/// The screen's end of a session.
pub struct Session {
    orders: UnboundedSender<Order>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Session {
    /// Starts a session over an engine.
    ///
    /// # Errors
    /// The operating system gives no thread.
    pub fn start(
        engine: Engine,
        rebuild: Rebuild,
    ) -> std::io::Result<(Self, UnboundedReceiver<Update>)> {
        let (orders, queue) = unbounded_channel();
        let (updates, screen) = unbounded_channel();
        let own = orders.clone();
        let thread = std::thread::Builder::new()
            .name("session".into())
            .spawn(move || run(engine, rebuild, own, queue, updates))?;
        Ok((
            Self {
                orders,
                thread: Some(thread),
            },
            screen,
        ))
    }

    /// Gives an order. Never blocks; after the end it does nothing.
    pub fn order(&self, order: Order) {
        let _ = self.orders.send(order);
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.orders.send(Order::Quit);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Room {
    case: CaseId,
    seq: u64,
}

struct Inner {
    engine: RefCell<Rc<Engine>>,
    rooms: RefCell<HashMap<RoomId, Room>>,
    running: RefCell<HashMap<RoomId, oneshot::Sender<()>>>,
    updates: UnboundedSender<Update>,
    pumps: UnboundedSender<RoomId>,
}

fn run(
    engine: Engine,
    mut rebuild: Rebuild,
    orders: UnboundedSender<Order>,
    mut queue: UnboundedReceiver<Order>,
    updates: UnboundedSender<Update>,
) {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    else {
        let _ = updates.send(Update::Failed(
            None,
            failure("the operating system gives no runtime", ""),
        ));
        return;
    };
    let (pumps, mut pumped) = unbounded_channel();
    let (changed, mut changes) = unbounded_channel::<()>();
    let pending = Arc::new(AtomicBool::new(false));
    let _watch = watch(engine.store.path().to_path_buf(), changed, pending.clone());
    let inner = Rc::new(Inner {
        engine: RefCell::new(Rc::new(engine)),
        rooms: RefCell::default(),
        running: RefCell::default(),
        updates,
        pumps,
    });
    let local = tokio::task::LocalSet::new();
    drop(orders);
    local.block_on(&runtime, async {
        loop {
            tokio::select! {
                order = queue.recv() => match order {
                    None | Some(Order::Quit) => break,
                    Some(order) => inner.clone().obey(order, &mut rebuild),
                },
                Some(room) = pumped.recv() => inner.pump(room),
                Some(()) = changes.recv() => {
                    // A transaction writes several pages; one look is enough for all of them.
                    tokio::time::sleep(std::time::Duration::from_millis(15)).await;
                    pending.store(false, Ordering::SeqCst);
                    inner.pump_all();
                    inner.cases();
                }
            }
        }
        // Running turns are closed as interrupted before the process ends.
        let stops: Vec<_> = inner.running.borrow_mut().drain().collect();
        let any = !stops.is_empty();
        for (_, stop) in stops {
            let _ = stop.send(());
        }
        if any {
            for _ in 0..100 {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
                if Rc::strong_count(&inner) == 1 {
                    break;
                }
            }
        }
    });
}

/// Tells of changes of the database by any process. Without a watcher own changes still show.
fn watch(
    db: PathBuf,
    changed: UnboundedSender<()>,
    pending: Arc<AtomicBool>,
) -> Option<notify::RecommendedWatcher> {
    use notify::Watcher as _;
    let name = db.file_name()?.to_string_lossy().into_owned();
    let wal = format!("{name}-wal");
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let Ok(event) = event else { return };
        // Reading opens the files too; only what was written counts, or a look would cause the next.
        let written = matches!(
            event.kind,
            notify::EventKind::Modify(_)
                | notify::EventKind::Create(_)
                | notify::EventKind::Remove(_)
        );
        let ours = event
            .paths
            .iter()
            .filter_map(|p| p.file_name())
            .any(|f| *f == *name || *f == *wal);
        if written && ours && !pending.swap(true, Ordering::SeqCst) {
            let _ = changed.send(());
        }
    })
    .ok()?;
    watcher
        .watch(db.parent()?, notify::RecursiveMode::NonRecursive)
        .ok()?;
    Some(watcher)
}

impl Inner {
    fn engine(&self) -> Rc<Engine> {
        self.engine.borrow().clone()
    }

    fn tell(&self, update: Update) {
        let _ = self.updates.send(update);
    }

    fn fail(&self, room: Option<RoomId>, error: impl Into<EngineError>) {
        self.tell(Update::Failed(room, words(&error.into())));
    }

    /// Sends what was written to the case of a room since the last look.
    fn pump(&self, room: RoomId) {
        let at = self
            .rooms
            .borrow()
            .get(&room)
            .map(|r| (r.case.clone(), r.seq));
        let Some((case, seq)) = at else { return };
        match self.engine().store.read(|r| r.events_after(&case, seq)) {
            Ok(events) => {
                let Some(last) = events.last().map(|e| e.seq) else {
                    return;
                };
                if let Some(r) = self.rooms.borrow_mut().get_mut(&room) {
                    r.seq = last;
                }
                self.tell(Update::Events(room, events));
            }
            Err(e) => self.fail(Some(room), e),
        }
    }

    fn pump_all(&self) {
        let rooms: Vec<RoomId> = self.rooms.borrow().keys().copied().collect();
        for room in rooms {
            self.pump(room);
        }
    }

    fn cases(&self) {
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

    fn follow(&self, room: RoomId, case: CaseId) {
        let engine = self.engine();
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
                    },
                );
                self.tell(Update::Loaded(room, case, Box::new(state)));
            }
            Err(e) => self.fail(Some(room), e),
        }
    }

    fn case_of(&self, room: RoomId) -> Option<CaseId> {
        self.rooms.borrow().get(&room).map(|r| r.case.clone())
    }

    fn obey(self: Rc<Self>, order: Order, rebuild: &mut Rebuild) {
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
                let done = engine.decide(
                    case.as_ref().map(CaseId::as_str),
                    &numbers,
                    approve,
                    reason.as_deref(),
                    "tui",
                );
                self.after(Some(room), done.map(drop));
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
            Order::Set(key, value) => match rebuild(Some((&key, value.as_deref()))) {
                Ok(engine) => {
                    let config = engine.config.clone();
                    *self.engine.borrow_mut() = Rc::new(engine);
                    let facts = self.engine().module_facts();
                    self.tell(Update::Modules(facts));
                    self.tell(Update::OwnWords(self.engine().own_words()));
                    self.tell(Update::Settings(Box::new((*config).clone())));
                }
                Err(why) => self.tell(Update::Failed(None, failure(&why, ""))),
            },
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

    fn in_case(&self, room: RoomId, f: impl FnOnce(&CaseId) -> Result<(), EngineError>) {
        let done = match self.case_of(room) {
            Some(case) => f(&case),
            None => Err(EngineError::User {
                message: "there is no case yet".into(),
                hint: "ask something first".into(),
            }),
        };
        self.after(Some(room), done);
    }

    fn after(&self, room: Option<RoomId>, done: Result<(), EngineError>) {
        if let Err(e) = done {
            self.fail(room, e);
        }
        self.pump_all();
        self.cases();
    }

    async fn turn(self: Rc<Self>, room: RoomId, input: AskInput, choices: Choices) {
        let (stop, stopped) = oneshot::channel::<()>();
        if self.running.borrow().contains_key(&room) {
            self.tell(Update::Failed(
                Some(room),
                failure(
                    "a turn runs in this case already",
                    "wait for it, or stop it with Esc",
                ),
            ));
            return;
        }
        self.running.borrow_mut().insert(room, stop);
        let engine = self.engine();
        let (updates, pumps) = (self.updates.clone(), self.pumps.clone());
        let (followed, mut follow) = unbounded_channel::<CaseId>();
        let mut on = move |p: Progress| {
            if let Progress::Started { case, .. } = &p {
                let _ = followed.send(case.clone());
            }
            let written = !matches!(p, Progress::Text(_) | Progress::Reasoning(_));
            let _ = updates.send(Update::Progress(room, p));
            if written {
                let _ = pumps.send(room);
            }
        };
        let cancel = async move {
            // A sender that is gone is no order to stop: it stays with `running` until the end.
            let _ = stopped.await;
        };
        let result = {
            let ask = engine.ask_chosen(input, &choices, cancel, &mut on);
            tokio::pin!(ask);
            loop {
                tokio::select! {
                    result = &mut ask => break result,
                    Some(case) = follow.recv() => {
                        let known = self.case_of(room);
                        if known.as_ref() != Some(&case) {
                            self.follow(room, case);
                        }
                    }
                }
            }
        };
        self.running.borrow_mut().remove(&room);
        self.pump(room);
        match result {
            Ok(report) => {
                if self.case_of(room).is_none() {
                    self.follow(room, report.case.clone());
                }
                self.tell(Update::Ended(room, Box::new(report)));
            }
            Err(e) => {
                let mut failed = words(&e);
                failed.turn = true;
                self.tell(Update::Failed(Some(room), failed));
            }
        }
        self.cases();
    }

    async fn look_up(&self, room: RoomId, module: &str, value: &str, fresh: bool, anyway: bool) {
        let engine = self.engine();
        let specs = match engine.modules_for(module) {
            Ok(specs) => specs,
            Err(e) => return self.fail(Some(room), e),
        };
        let mut subjects: Vec<Indicator> = Vec::new();
        for found in kit::extract(value) {
            if !subjects.contains(&found.indicator) && subjects.len() < 20 {
                subjects.push(found.indicator);
            }
        }
        if subjects.is_empty()
            && let Some(one) = kit::classify(value.trim())
        {
            subjects.push(one);
        }
        if subjects.is_empty() {
            return self.tell(Update::Failed(
                Some(room),
                failure(
                    "that is no indicator that a look-up takes",
                    "an address, domain, URL, hash, CVE, e-mail or AS number",
                ),
            ));
        }
        let all = module.trim_start_matches('@') == "ioc";
        let title = format!("@{} {}", module.trim_start_matches('@'), value.trim());
        let title = engine.redacted(&title).as_str().to_owned();
        let looked = engine.look_up(&specs, all, &subjects, fresh, anyway).await;
        self.tell(Update::Looked(room, title, looked));
    }

    fn export(&self, case: &CaseId, form: &str, file: &std::path::Path) {
        let engine = self.engine();
        let form = match form {
            "json" => Format::Json,
            "jsonl" => Format::Jsonl,
            "csv" => Format::Csv,
            "stix" => Format::Stix,
            _ => Format::Markdown,
        };
        match engine.store.read(|r| r.export(case, form)) {
            Ok(text) => match write_new(file, text.as_bytes()) {
                Ok(()) => self.tell(Update::Done(format!("written to {}", file.display()))),
                Err(why) => self.tell(Update::Failed(
                    None,
                    failure(&why, "name another file: /export markdown FILE"),
                )),
            },
            Err(e) => self.fail(None, e),
        }
    }

    fn keep(&self, text: &str) {
        let engine = self.engine();
        let dir = engine
            .store
            .path()
            .parent()
            .map(|p| p.join("copies"))
            .unwrap_or_default();
        let made = crate::config::edit::create_private_dir(&dir).map_err(|e| e.to_string());
        let file = dir.join(format!("copy-{}.txt", now_ms()));
        match made.and_then(|()| write_new(&file, text.as_bytes())) {
            Ok(()) => self.tell(Update::Done(format!("kept in {}", file.display()))),
            Err(why) => self.tell(Update::Failed(None, failure(&why, ""))),
        }
    }
}

/// Under this key the store remembers what of each case was seen.
const SEEN: &str = "tui-seen";

fn edit_case(engine: &Engine, case: &CaseId, edit: Edit) -> Result<(), EngineError> {
    let (case, who, now) = (case.clone(), engine.principal.name.clone(), now_ms());
    engine.store.write(move |tx| match edit {
        Edit::Rename(title) => tx.rename(&case, &title, now),
        Edit::Tag(add, remove) => tx.tag(&case, &add, &remove, now),
        Edit::Close => tx.close(&case, now),
        Edit::Reopen => tx.reopen(&case, now),
        Edit::Delete => tx.delete(&case, &who, now),
        Edit::Undelete => tx.undelete(&case, &who, now),
    })?;
    Ok(())
}

fn failure(message: &str, hint: &str) -> Failure {
    Failure {
        message: message.to_owned(),
        hint: hint.to_owned(),
        turn: false,
    }
}

fn words(error: &EngineError) -> Failure {
    let hint = match error {
        EngineError::User { hint, .. } | EngineError::Config { hint, .. } => hint.clone(),
        EngineError::Store(e) => e.hint().to_owned(),
        EngineError::Model(e) => e.hint().to_owned(),
        EngineError::Interrupted => "nothing was sent and nothing was written".to_owned(),
    };
    Failure {
        message: error.to_string(),
        hint,
        turn: false,
    }
}

/// Writes a file that must not exist, readable by its owner only.
fn write_new(file: &std::path::Path, bytes: &[u8]) -> Result<(), String> {
    use std::io::Write as _;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let shown = file.display();
    let mut open = options
        .open(file)
        .map_err(|e| format!("{shown} cannot be made: {e}"))?;
    open.write_all(bytes)
        .map_err(|e| format!("{shown} cannot be written: {e}"))
}

//! The seam between the screens and the engine: orders in, updates out. The session lives on a thread of
//! its own, so that no disk and no server ever keeps a key from being drawn.
//!
//! A screen follows any number of cases in *rooms* (numbers that it chooses). The state of a case comes
//! once, whole; afterwards its events come as they are written, by this process or another, and the
//! screen folds them itself.

mod obey;
mod work;

use super::connect::ModelWish;
use super::lookup::Looked;
use super::own_words::OwnWords;
use super::server::ServerLine;
use super::setup::{Ability, FoundServer, TrialStep};
use super::turn::{AskInput, Choices};
use super::view::{
    ActionView, CaseId, CaseState, CaseSummary, Event, EvidenceRow, Hit, Mode, ModuleFact, Sighting,
};
use super::{Engine, EngineError, Progress, TurnReport};
use kit::indicator::Indicator;
use secrecy::SecretString;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::time::Instant;

/// When is looked again after a change was told of: the pages of a transaction are written before they are synced, and
/// only then does anybody see them. The telling may come before all of that, and comes once.
const LATER: [std::time::Duration; 3] = [
    std::time::Duration::from_millis(60),
    std::time::Duration::from_millis(300),
    std::time::Duration::from_millis(1500),
];

/// How often is looked for actions that waited too long.
const SWEEP: std::time::Duration = std::time::Duration::from_secs(60);

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
    /// Approve one action on devices, as it was on the card.
    Act {
        /// Room.
        room: RoomId,
        /// Number.
        n: u64,
        /// Digest of what was shown.
        digest: String,
        /// The count that the person typed, where one was asked for.
        count: Option<u32>,
    },
    /// Set a configuration key (`None` removes it); applies at once.
    Set(String, Option<String>),
    /// The same for several keys, in order; ends at the first that is refused.
    SetAll(Vec<(String, Option<String>)>),
    /// Look for every model server on this machine.
    Servers,
    /// Try whether a model (address, name) can call tools. The number comes back with what is found.
    Try(u64, String, String),
    /// Stop that.
    StopTrying,
    /// Store a secret by name. Its value never shows in `Debug`.
    KeepSecret(String, SecretString),
    /// The guided setup was done, or skipped: it does not come by itself again.
    SetupOver(bool),
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
    /// The end of a long case, to look at until the whole of it comes.
    End(RoomId, CaseId, Box<CaseState>),
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
    /// A setting (its key) could not be changed; nothing was written.
    NotSet(String, Failure),
    /// The model servers of this machine.
    Servers(Vec<FoundServer>),
    /// The trial of a model goes on.
    Trying(u64, TrialStep),
    /// What the trial found.
    Tried(u64, Ability),
    /// A secret (its name) was stored, with where it is now; or why not.
    Kept(String, Result<String, Failure>),
    /// What there is to know about an action that waits, for its card.
    Action(RoomId, Box<ActionView>),
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
    /// Starts a session over an engine. `surface` is the name that the log keeps with each decision.
    ///
    /// # Errors
    /// The operating system gives no thread.
    pub fn start(
        engine: Engine,
        rebuild: Rebuild,
        surface: &'static str,
    ) -> std::io::Result<(Self, UnboundedReceiver<Update>)> {
        let (orders, queue) = unbounded_channel();
        let (updates, screen) = unbounded_channel();
        let own = orders.clone();
        let thread = std::thread::Builder::new()
            .name("session".into())
            .spawn(move || run(engine, rebuild, surface, own, queue, updates))?;
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
    /// Open actions, and what the screen was last told of each: a number that differs when anything of it does.
    actions: BTreeMap<u64, u64>,
}

struct Inner {
    surface: &'static str,
    engine: RefCell<Rc<Engine>>,
    rooms: RefCell<HashMap<RoomId, Room>>,
    running: RefCell<HashMap<RoomId, oneshot::Sender<()>>>,
    trial: RefCell<Option<tokio::task::AbortHandle>>,
    updates: UnboundedSender<Update>,
    pumps: UnboundedSender<Said>,
}

/// What a turn says. What was written before it was said is told first, so that a screen sees both in the
/// order in which they happened.
struct Said {
    room: RoomId,
    update: Update,
    /// The last event that was written before; `None`: nothing is to be looked for.
    upto: Option<u64>,
}

fn run(
    engine: Engine,
    mut rebuild: Rebuild,
    surface: &'static str,
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
        surface,
        engine: RefCell::new(Rc::new(engine)),
        rooms: RefCell::default(),
        running: RefCell::default(),
        trial: RefCell::default(),
        updates,
        pumps,
    });
    let local = tokio::task::LocalSet::new();
    drop(orders);
    local.block_on(&runtime, async {
        inner.sweep();
        // Time alone ends what waits for too long.
        let mut minute = tokio::time::interval(SWEEP);
        minute.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        minute.tick().await;
        let mut later: VecDeque<Instant> = VecDeque::new();
        loop {
            tokio::select! {
                order = queue.recv() => match order {
                    None | Some(Order::Quit) => break,
                    Some(order) => inner.clone().obey(order, &mut rebuild),
                },
                Some(said) = pumped.recv() => inner.said(said),
                // With nothing that could run out, nothing wakes an idle screen.
                _ = minute.tick(), if inner.something_waits() => {
                    inner.sweep();
                    inner.pump_all();
                }
                Some(()) = changes.recv() => {
                    // A transaction writes several pages; one look is enough for all of them.
                    tokio::time::sleep(std::time::Duration::from_millis(15)).await;
                    pending.store(false, Ordering::SeqCst);
                    // What turns said before comes first.
                    while let Ok(said) = pumped.try_recv() {
                        inner.said(said);
                    }
                    inner.pump_all();
                    inner.cases();
                    later = LATER.iter().map(|after| Instant::now() + *after).collect();
                }
                () = tokio::time::sleep_until(later.front().copied().unwrap_or_else(Instant::now)), if !later.is_empty() => {
                    later.pop_front();
                    while let Ok(said) = pumped.try_recv() {
                        inner.said(said);
                    }
                    inner.pump_all();
                    if later.is_empty() {
                        inner.cases();
                    }
                }
            }
        }
        inner.stop_trial();
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

//! The one database file and its one writer thread.
//!
//! * [`Store`] opens the file (`open`: creation, checks, migrations) and runs closures: [`Store::write`]
//!   on the writer thread inside `BEGIN IMMEDIATE`, [`Store::read`] on a separate connection in one
//!   consistent snapshot.
//! * [`Tx`] and [`Reader`] carry what can be done: the log and its hash chain (`log`, `chain`), evidence,
//!   tables derived from the log (`index`, `list`, `search`), running work shared by processes (`work`),
//!   edits of whole cases (`edit`).
//! * [`TurnLock`] keeps a case to one running turn; it dies with its process.
//! * `verify`, `admin` and [`export`] look at what is stored and copy it out.
//!
//! **Durability.** WAL with `synchronous = FULL`: a commit is flushed to the disk before `write` returns.
//! `NORMAL` would survive `kill -9` just as well (the pages are with the kernel) but could lose the last
//! commits at a power cut, and with them the record that a question was sent and charged; the program
//! promises not to repeat such a question unasked. A turn commits some tens of times, so the price is small.

mod admin;
mod chain;
mod edit;
mod error;
mod evidence;
pub mod export;
mod fleet;
mod id;
mod index;
mod journal;
mod list;
mod lock;
mod log;
mod migrate;
mod open;
mod search;
mod verify;
mod work;

pub use admin::{CheckReport, SizeReport, restore_file};
pub use chain::sha256_hex;
pub use error::StoreError;
pub use evidence::{EvidenceMeta, EvidenceRow};
pub use id::CaseId;
pub use list::{CaseFilter, CaseSummary, ProposalFilter, ProposalRow};
pub use lock::TurnLock;
pub use migrate::KNOWN_VERSION;
pub use search::Hit;
pub use verify::{Problem, ProblemKind, Verified};
pub use work::{CacheRow, RateTake};

/// What [`Tx::cache_put`] is told about an answer; here for callers that know no cases.
pub use crate::case::Status;

use chain::ChainKey;
use rusqlite::{Connection, TransactionBehavior};
use secrecy::SecretString;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// The usual name of the file in the data directory.
pub const FILE_NAME: &str = "rmm-analyst.db";

/// How to open the file.
#[derive(Clone, Debug, Default)]
pub struct StoreOptions {
    /// The key of the hash chains, from the secret store. Without one the chains are plain SHA-256.
    pub chain_key: Option<SecretString>,
    /// Never write: [`Store::write`] and [`Store::lock_turn`] answer [`StoreError::ReadOnly`].
    pub read_only: bool,
}

/// What every part of an open store knows.
pub(crate) struct Shared {
    pub(crate) path: PathBuf,
    pub(crate) key: ChainKey,
    pub(crate) read_only: bool,
    /// The file is opened as one that nothing changes (a read-only directory).
    immutable: bool,
}

impl Shared {
    /// The directory of the file.
    pub(crate) fn dir(&self) -> &Path {
        match self.path.parent() {
            Some(dir) if !dir.as_os_str().is_empty() => dir,
            _ => Path::new("."),
        }
    }
}

type Job = Box<dyn FnOnce(&mut Connection) + Send>;

struct Inner {
    shared: Arc<Shared>,
    jobs: Option<Sender<Job>>,
    writer: Option<JoinHandle<()>>,
    readers: Mutex<Vec<Connection>>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        // The channel closes first, so the thread ends after the job at hand.
        self.jobs = None;
        if let Some(writer) = self.writer.take()
            && writer.thread().id() != std::thread::current().id()
        {
            let _ = writer.join();
        }
    }
}

/// The open database. Cheap to clone; the last clone closes it.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store")
            .field("path", &self.inner.shared.path)
            .finish_non_exhaustive()
    }
}

impl Store {
    /// Opens the file, creating it (and its directory, mode 0700) where it is missing and bringing an
    /// older format up to date after a backup into `backups/` beside it.
    ///
    /// # Errors
    /// [`StoreError`]; a file that is damaged, newer, or of another program is left untouched.
    pub fn open(path: &Path, options: StoreOptions) -> Result<Self, StoreError> {
        let key = ChainKey::new(options.chain_key.as_ref())?;
        let opened = open::open(path, options.read_only, &key).map_err(|e| e.at(path))?;
        let shared = Arc::new(Shared {
            path: path.to_path_buf(),
            key,
            read_only: options.read_only,
            immutable: opened.immutable,
        });
        let mut inner = Inner {
            shared,
            jobs: None,
            writer: None,
            readers: Mutex::default(),
        };
        if options.read_only {
            inner.readers = Mutex::new(vec![opened.connection]);
        } else {
            let (jobs, queue) = mpsc::channel::<Job>();
            let mut connection = opened.connection;
            let writer = std::thread::Builder::new()
                .name("store-writer".into())
                .spawn(move || {
                    while let Ok(job) = queue.recv() {
                        job(&mut connection);
                    }
                })
                .map_err(|e| StoreError::Other(format!("no writer thread: {e}")))?;
            inner.jobs = Some(jobs);
            inner.writer = Some(writer);
        }
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.inner.shared.path
    }

    /// True when opened read-only.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.inner.shared.read_only
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.inner.shared
    }

    /// Runs `f` on the writer thread inside one `BEGIN IMMEDIATE` transaction and waits for it. `Ok`
    /// commits, `Err` (and a panic) rolls back. Blocks the caller: on an async surface, call it where
    /// blocking is allowed. Inside `f`, use its `Tx`, not the store.
    ///
    /// # Errors
    /// What `f` returns, or why the transaction could not begin or commit.
    pub fn write<T, F>(&self, f: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut Tx<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        let shared = Arc::clone(&self.inner.shared);
        self.on_writer(move |connection| {
            let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut writing = Tx {
                reader: Reader {
                    conn: &tx,
                    shared: &shared,
                },
                appended: Vec::new(),
            };
            let value = f(&mut writing)?;
            let appended = std::mem::take(&mut writing.appended);
            tx.commit()?;
            // Only what is really kept is said.
            for (case, body) in &appended {
                journal::event(case, body);
            }
            Ok(value)
        })
    }

    /// Runs `f` on the writer's connection, outside of a transaction.
    pub(crate) fn on_writer<T, F>(&self, f: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let path = &self.inner.shared.path;
        let Some(jobs) = &self.inner.jobs else {
            return Err(StoreError::ReadOnly { path: path.clone() });
        };
        let this = std::thread::current().id();
        if self
            .inner
            .writer
            .as_ref()
            .is_some_and(|w| w.thread().id() == this)
        {
            // The writer would wait for itself.
            return Err(StoreError::Other("a write inside a write".into()));
        }
        let gone = || StoreError::Other("the writer thread is gone".into());
        let (reply, answer): (SyncSender<Result<T, StoreError>>, _) = mpsc::sync_channel(1);
        jobs.send(Box::new(move |connection| {
            // A panic in one closure must not take the writer of all others with it; the transaction
            // rolled back while it unwound.
            let run = std::panic::AssertUnwindSafe(|| f(connection));
            let result = std::panic::catch_unwind(run).unwrap_or_else(|_| {
                Err(StoreError::Other("an internal error while writing".into()))
            });
            let _ = reply.send(result);
        }))
        .map_err(|_| gone())?;
        answer.recv().map_err(|_| gone())?.map_err(|e| e.at(path))
    }

    /// Runs `f` on a reading connection, in one consistent snapshot.
    ///
    /// # Errors
    /// What `f` returns, or why the file could not be read.
    pub fn read<T>(
        &self,
        f: impl FnOnce(&Reader<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let shared = &self.inner.shared;
        let pooled = self.pool().pop();
        let connection = match pooled {
            Some(connection) => connection,
            None => open::reader(&shared.path, shared.read_only, shared.immutable)
                .map_err(|e| e.at(&shared.path))?,
        };
        let result = (|| {
            let tx = connection.unchecked_transaction()?;
            f(&Reader { conn: &tx, shared })
        })();
        // Kept for the next reader; a few are enough for a person and a background task.
        let mut pool = self.pool();
        if pool.len() < 4 {
            pool.push(connection);
        }
        result.map_err(|e| e.at(&shared.path))
    }

    fn pool(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.inner
            .readers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes idle reading connections, so that the file can be replaced.
    pub(crate) fn drop_readers(&self) {
        self.pool().clear();
    }
}

/// Reads one consistent snapshot.
pub struct Reader<'c> {
    pub(crate) conn: &'c Connection,
    pub(crate) shared: &'c Shared,
}

/// One writing transaction. Reads through it (it derefs to [`Reader`]) see what it wrote.
pub struct Tx<'c> {
    reader: Reader<'c>,
    /// What the log says once the transaction holds.
    appended: Vec<(CaseId, crate::case::Body)>,
}

impl<'c> Deref for Tx<'c> {
    type Target = Reader<'c>;

    fn deref(&self) -> &Reader<'c> {
        &self.reader
    }
}

/// An unsigned number as SQLite holds it.
pub(crate) fn int(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// A number of SQLite as an unsigned one; negative ones, which are never written, become 0.
pub(crate) fn uint(n: i64) -> u64 {
    u64::try_from(n).unwrap_or(0)
}

/// A number of SQLite as a small unsigned one.
pub(crate) fn small(n: i64) -> u32 {
    u32::try_from(n).unwrap_or(if n < 0 { 0 } else { u32::MAX })
}

/// Text that was redacted before it was stored, read back.
pub(crate) fn redacted(text: String) -> kit::text::Redacted {
    use serde::Deserialize as _;
    use serde::de::IntoDeserializer as _;
    let from: serde::de::value::StringDeserializer<serde::de::value::Error> =
        text.into_deserializer();
    kit::text::Redacted::deserialize(from).unwrap_or_default()
}

//! Data sets on disk: downloaded once, kept under `<data-dir>/data`, fetched again when they are older
//! than their spec says. An old copy is better than none: it is used when the network fails.
//!
//! The file's modification time is the time of the download. A download replaces the file by rename, so
//! a reader (another process too) sees the old set or the new one, never half of one.

use futures_util::future::join_all;
use kit::ModuleSpec;
use kit::ports::{DataPort, DataSet, DataSpec, Fut, HttpError, HttpPort, HttpRequest};
use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// After a download failed, an old copy is served without another try for this long.
const RETRY_AFTER: Duration = Duration::from_secs(600);
/// The same where there is no copy: as long as one look-up may take, so that it waits once and not for
/// each of its sets and each of its questions.
const RETRY_AFTER_NOTHING: Duration = Duration::from_secs(30);

/// How long a download may take that a person asked for.
const UPDATE_TIMEOUT: Duration = Duration::from_secs(120);
/// The same inside a look-up.
const DOWNLOAD_TIMEOUT: Duration = Duration::from_secs(20);
/// The same where an old copy waits: short, so that it is used well before a look-up's own deadline.
const REFRESH_TIMEOUT: Duration = Duration::from_secs(8);

/// Makes the HTTP port for one download; the argument is the URL, whose host is the only one the port
/// may reach.
pub type HttpFor = dyn Fn(&str) -> Arc<dyn HttpPort> + Send + Sync;

/// What is known of one set, for `data list`.
#[derive(Clone, Debug)]
pub struct DataInfo {
    /// What the set is and where it is from.
    pub spec: DataSpec,
    /// When the copy on disk was downloaded, milliseconds since the Unix epoch; `None` without a copy.
    pub fetched_ms: Option<i64>,
    /// Size of the copy in bytes; 0 without one.
    pub bytes: u64,
    /// Whether the copy is younger than the spec asks for.
    pub fresh: bool,
}

/// Why `data update` did not bring a set.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError {
    /// No set has this name.
    #[error("there is no data set named {0}")]
    Unknown(String),
    /// The download failed; an old copy, where there is one, stays.
    #[error(transparent)]
    Download(#[from] HttpError),
}

/// The data sets of these modules, each once.
#[must_use]
pub fn sets_of(modules: &[&dyn kit::Module]) -> Vec<DataSpec> {
    let mut out: Vec<DataSpec> = Vec::new();
    for set in modules.iter().flat_map(|m| m.spec().data) {
        if !out.iter().any(|known| known.name == set.name) {
            out.push(*set);
        }
    }
    out
}

/// Data sets under one directory.
pub struct DataStore {
    dir: PathBuf,
    specs: Vec<DataSpec>,
    http_for: Box<HttpFor>,
    clock: Box<dyn Fn() -> SystemTime + Send + Sync>,
    /// One download of a set at a time; who waits finds it there.
    downloads: Vec<tokio::sync::Mutex<()>>,
    memory: Mutex<HashMap<&'static str, DataSet>>,
    failed: Mutex<HashMap<&'static str, (SystemTime, HttpError)>>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn to_ms(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(d) => i64::try_from(d.as_millis()).unwrap_or(i64::MAX),
        Err(e) => i64::try_from(e.duration().as_millis()).map_or(i64::MIN, |ms| -ms),
    }
}

fn disk(what: &str, e: &std::io::Error) -> HttpError {
    HttpError::Unreachable(format!("{what} ({})", e.kind()))
}

impl DataStore {
    /// Sets under `<data_dir>/data`. Nothing is read or made before it is needed.
    #[must_use]
    pub fn new(data_dir: &Path, specs: Vec<DataSpec>, http_for: Box<HttpFor>) -> Self {
        Self {
            dir: data_dir.join("data"),
            downloads: specs.iter().map(|_| tokio::sync::Mutex::new(())).collect(),
            specs,
            http_for,
            clock: Box::new(SystemTime::now),
            memory: Mutex::default(),
            failed: Mutex::default(),
        }
    }

    /// The same with another clock, for tests.
    #[must_use]
    pub fn with_clock(mut self, clock: Box<dyn Fn() -> SystemTime + Send + Sync>) -> Self {
        self.clock = clock;
        self
    }

    /// Every set with its age and size, in the order of the specs.
    #[must_use]
    pub fn list(&self) -> Vec<DataInfo> {
        self.specs
            .iter()
            .map(|spec| match std::fs::metadata(self.path(spec)) {
                Ok(meta) if meta.is_file() => {
                    let fetched_ms = meta.modified().map(to_ms).unwrap_or_default();
                    let fresh = self.is_fresh(spec, fetched_ms);
                    DataInfo {
                        spec: *spec,
                        fetched_ms: Some(fetched_ms),
                        bytes: meta.len(),
                        fresh,
                    }
                }
                _ => DataInfo {
                    spec: *spec,
                    fetched_ms: None,
                    bytes: 0,
                    fresh: false,
                },
            })
            .collect()
    }

    /// Downloads one set, or all, fresh or not. The sets follow one another; one that fails does not
    /// stop the others.
    ///
    /// # Errors
    /// [`UpdateError::Unknown`] for a name that no set has; failed downloads stand in the list.
    pub async fn update(
        &self,
        name: Option<&str>,
    ) -> Result<Vec<(&'static str, Result<DataSet, UpdateError>)>, UpdateError> {
        let wanted: Vec<DataSpec> = match name {
            None => self.specs.clone(),
            Some(name) => vec![
                *self
                    .spec(name)
                    .ok_or_else(|| UpdateError::Unknown(name.to_owned()))?,
            ],
        };
        let mut out = Vec::with_capacity(wanted.len());
        for spec in wanted {
            let _one = self.turn(&spec).await;
            out.push((
                spec.name,
                self.download(&spec, UPDATE_TIMEOUT)
                    .await
                    .map_err(UpdateError::from),
            ));
        }
        Ok(out)
    }

    /// The hosts that the module's data sets name, for the rule of its HTTP port. The sets are brought
    /// where they are missing, at the same time; one that cannot be had names nobody.
    pub async fn hosts_for(&self, module: &ModuleSpec) -> Vec<String> {
        let sets = module.hosts_from.iter().map(|from| async move {
            let set = self.fetch(from.set).await;
            set.map(|set| (from.hosts)(&set.bytes)).unwrap_or_default()
        });
        let mut hosts = join_all(sets).await.concat();
        hosts.sort_unstable();
        hosts.dedup();
        hosts
    }

    fn spec(&self, name: &str) -> Option<&DataSpec> {
        self.specs.iter().find(|s| s.name == name)
    }

    fn path(&self, spec: &DataSpec) -> PathBuf {
        self.dir.join(spec.name)
    }

    fn is_fresh(&self, spec: &DataSpec, fetched_ms: i64) -> bool {
        // A copy "from the future" (the clock was set back) is no reason to keep it for years.
        let age = to_ms((self.clock)()).saturating_sub(fetched_ms);
        let limit = i64::try_from(spec.fresh_s.saturating_mul(1000)).unwrap_or(i64::MAX);
        (0..limit).contains(&age)
    }

    /// The copy on disk, read again only when the file is another one than the one in memory.
    fn copy(&self, spec: &DataSpec) -> Option<DataSet> {
        let path = self.path(spec);
        let Ok(modified) = std::fs::metadata(&path).and_then(|m| m.modified()) else {
            // It could not be written, or was taken away: what was downloaded is still good.
            return lock(&self.memory).get(spec.name).cloned();
        };
        let fetched_ms = to_ms(modified);
        if let Some(known) = lock(&self.memory).get(spec.name)
            && known.fetched_ms == fetched_ms
        {
            return Some(known.clone());
        }
        let bytes = std::fs::read(&path)
            .ok()
            .filter(|b| plausible(spec, b).is_ok())?;
        let set = DataSet {
            bytes: bytes.into(),
            fetched_ms,
        };
        lock(&self.memory).insert(spec.name, set.clone());
        Some(set)
    }

    async fn fetch(&self, name: &str) -> Result<DataSet, HttpError> {
        let unknown = || HttpError::Unreachable(format!("no data set is named {name}"));
        let spec = *self.spec(name).ok_or_else(unknown)?;
        if let Some(known) = self.known(&spec) {
            return known;
        }
        let _one = self.turn(&spec).await;
        // Another task may have brought it while this one waited.
        if let Some(known) = self.known(&spec) {
            return known;
        }
        let old = self.copy(&spec);
        let limit = if old.is_some() {
            REFRESH_TIMEOUT
        } else {
            DOWNLOAD_TIMEOUT
        };
        match self.download(&spec, limit).await {
            Ok(set) => Ok(set),
            Err(error) => {
                tracing::info!(set = spec.name, %error, old = old.is_some(), "not downloaded");
                lock(&self.failed).insert(spec.name, ((self.clock)(), error.clone()));
                old.ok_or(error)
            }
        }
    }

    /// Waits until nobody else downloads this set.
    async fn turn(&self, spec: &DataSpec) -> Option<tokio::sync::MutexGuard<'_, ()>> {
        let at = self.specs.iter().position(|s| s.name == spec.name)?;
        Some(self.downloads.get(at)?.lock().await)
    }

    /// What can be said without a download: a fresh copy, or what there is when a try has just failed.
    fn known(&self, spec: &DataSpec) -> Option<Result<DataSet, HttpError>> {
        let copy = self.copy(spec);
        if copy
            .as_ref()
            .is_some_and(|c| self.is_fresh(spec, c.fetched_ms))
        {
            return copy.map(Ok);
        }
        let wait = if copy.is_some() {
            RETRY_AFTER
        } else {
            RETRY_AFTER_NOTHING
        };
        let (at, error) = lock(&self.failed).get(spec.name).cloned()?;
        let age = (self.clock)().duration_since(at).ok()?;
        (age < wait).then(|| copy.ok_or(error))
    }

    async fn download(&self, spec: &DataSpec, limit: Duration) -> Result<DataSet, HttpError> {
        let http = (self.http_for)(spec.url);
        let request = HttpRequest::get(spec.url).header("accept", "*/*");
        let response = tokio::time::timeout(limit, http.send(request))
            .await
            .map_err(|_| HttpError::TimedOut)??;
        if response.status != 200 {
            return Err(HttpError::Unreachable(format!(
                "the server answered {}",
                response.status
            )));
        }
        plausible(spec, &response.body)?;
        let bytes: Arc<[u8]> = response.body.into();
        let fetched = (self.clock)();
        let (dir, path, copy) = (self.dir.clone(), self.path(spec), Arc::clone(&bytes));
        let written = tokio::task::spawn_blocking(move || write(&dir, &path, &copy, fetched)).await;
        // A set that cannot be kept is still good for this once.
        let fetched_ms = match written {
            Ok(Ok(stored)) => to_ms(stored),
            Ok(Err(e)) => {
                tracing::warn!(set = spec.name, error = %disk("the data directory cannot be written", &e), "not kept");
                to_ms(fetched)
            }
            Err(_) => to_ms(fetched),
        };
        let set = DataSet { bytes, fetched_ms };
        lock(&self.memory).insert(spec.name, set.clone());
        lock(&self.failed).remove(spec.name);
        Ok(set)
    }
}

impl DataPort for DataStore {
    fn get<'a>(&'a self, name: &'a str) -> Fut<'a, Result<DataSet, HttpError>> {
        Box::pin(self.fetch(name))
    }
}

/// Refuses what is plainly not the set (a login page of a hotel's network, a cut file), so that it does
/// not stand in for it until it is old.
fn plausible(spec: &DataSpec, bytes: &[u8]) -> Result<(), HttpError> {
    if bytes.is_empty() {
        return Err(HttpError::Unreachable("the server sent nothing".into()));
    }
    if spec.name.ends_with(".json")
        && serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_err()
    {
        return Err(HttpError::Unreachable(
            "the server sent something that is not JSON".into(),
        ));
    }
    Ok(())
}

/// Writes the set under another name, then renames it; gives the modification time as the file system
/// keeps it.
fn write(
    dir: &Path,
    path: &Path,
    bytes: &[u8],
    fetched: SystemTime,
) -> std::io::Result<SystemTime> {
    make_dir(dir)?;
    let name = path
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    let temporary = dir.join(format!(".{name}.{}.part", std::process::id()));
    let result = (|| {
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&temporary)?;
        file.write_all(bytes)?;
        file.set_modified(fetched)?;
        file.sync_all()?;
        drop(file);
        std::fs::rename(&temporary, path)?;
        std::fs::metadata(path)?.modified()
    })();
    if result.is_err() {
        let _gone_or_never_made = std::fs::remove_file(&temporary);
    }
    result
}

fn make_dir(dir: &Path) -> std::io::Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

//! The runner: the only caller of modules, for people and for models alike. A permit goes in, a redacted
//! outcome comes out. Deadline, real cancellation (the future is dropped), parallel calls up to a limit,
//! single flight, cache, rate limits.

pub mod actions;
pub mod by_hand;
pub mod fleet;
pub mod ports;
pub mod reports;
pub mod stored;
pub mod tools;

pub use stored::StoredOutcome;

use crate::config::Config;
use crate::gate::Permit;
use crate::redact::Redact;
use crate::secrets::Secrets;
use crate::store::{CacheRow, CaseId, RateTake, Store};
use kit::module::{Activity, Context, Module, ModuleSpec};
use kit::outcome::{CouldNot, Outcome};
use kit::ports::HttpPort;
use ports::{DataStore, HostRule, LazyHttp, Resolver};
use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OnceCell, Semaphore};

/// Seconds until a module call is given up, where the configuration says nothing.
pub const DEADLINE_S: u64 = 30;

/// Longest wait for a rate limit inside one call; past that the call ends as `rate limited`.
const RATE_PATIENCE: Duration = Duration::from_secs(5);

/// What came of a call.
#[derive(Clone, Debug)]
pub struct Done {
    /// The outcome.
    pub outcome: StoredOutcome,
    /// Age in seconds where it came from the cache.
    pub age_s: Option<u64>,
    /// Milliseconds it took.
    pub ms: u64,
}

/// What a call would need, found out before anything is sent, so that it can be charged first.
#[derive(Clone, Debug)]
pub enum Plan {
    /// Answered from the cache, free.
    Cached(Box<Done>),
    /// Cannot be asked (no key), free.
    Cannot(CouldNot),
    /// Stays on this machine, free.
    Offline,
    /// Goes out, charged.
    Send,
}

/// Look-ups that are out, by module and value.
type Flights = HashMap<(String, String), Arc<OnceCell<Done>>>;

/// What the runner is made of.
pub struct Runner {
    config: Arc<Config>,
    store: Store,
    secrets: Arc<Secrets>,
    redact: Arc<Redact>,
    data: DataStore,
    dns: Resolver,
    http: Arc<LazyHttp>,
    slots: Semaphore,
    flights: Mutex<Flights>,
    now_ms: fn() -> i64,
    principal: kit::principal::Principal,
}

impl Runner {
    /// A runner over this store and these settings.
    #[must_use]
    pub fn new(
        config: Arc<Config>,
        store: Store,
        secrets: Arc<Secrets>,
        redact: Arc<Redact>,
        data_dir: &Path,
        principal: kit::principal::Principal,
        now_ms: fn() -> i64,
    ) -> Self {
        let slots = Semaphore::new(config.limits.parallel.max(1));
        let http = Arc::new(LazyHttp::new(config.network.clone()));
        let for_downloads = Arc::clone(&http);
        let sets = ports::data::sets_of(registry());
        let data = DataStore::new(
            data_dir,
            sets,
            Box::new(move |url| for_downloads.for_download(url)),
        );
        Self {
            config,
            store,
            secrets,
            redact,
            data,
            dns: Resolver::system(),
            http,
            slots,
            flights: Mutex::new(HashMap::new()),
            now_ms,
            principal,
        }
    }

    /// Data sets, for `data list` and `data update`.
    #[must_use]
    pub const fn data(&self) -> &DataStore {
        &self.data
    }

    /// The key of a module: the configured secret's name, else the module's own names, first that is set.
    ///
    /// # Errors
    /// A secret that is set but cannot be read switches its module off.
    pub fn key(&self, spec: &ModuleSpec) -> Result<Option<SecretString>, CouldNot> {
        let configured = self
            .config
            .modules
            .get(spec.name)
            .and_then(|m| m.key.as_deref());
        let names: Vec<&str> = configured.map_or_else(|| spec.secrets.to_vec(), |n| vec![n]);
        for name in names {
            match self.secrets.get(name) {
                Ok(Some((key, _))) => return Ok(Some(key)),
                Ok(None) => {}
                Err(_) => {
                    return Err(CouldNot::Unsupported {
                        detail: format!(
                            "the secret {name} cannot be read (rmm-analyst secret list)"
                        ),
                    });
                }
            }
        }
        Ok(None)
    }

    /// Whether a module has what it needs to be asked.
    #[must_use]
    pub fn ready(&self, spec: &ModuleSpec) -> bool {
        !spec.key.required() || matches!(self.key(spec), Ok(Some(_)))
    }

    /// Seconds for which answers of a module are served from the cache.
    #[must_use]
    pub fn ttl_s(&self, spec: &ModuleSpec) -> u64 {
        self.config
            .modules
            .get(spec.name)
            .and_then(|m| m.ttl)
            .unwrap_or(spec.ttl_s)
    }

    /// Finds out what a call would need. `fresh` goes past the cache.
    #[must_use]
    pub fn plan(&self, permit: &Permit, fresh: bool) -> Plan {
        let spec = permit.spec();
        let key = match self.key(spec) {
            Ok(key) => key,
            Err(why) => return Plan::Cannot(why),
        };
        if spec.key.required() && key.is_none() {
            return Plan::Cannot(CouldNot::NoKey);
        }
        if !fresh
            && let Some(done) =
                self.cached(spec, permit.subject().value(), &fingerprint(key.as_ref()))
        {
            return Plan::Cached(Box::new(done));
        }
        if spec.activity == Activity::Offline {
            Plan::Offline
        } else {
            Plan::Send
        }
    }

    fn cached(&self, spec: &ModuleSpec, value: &str, fingerprint: &str) -> Option<Done> {
        if spec.activity == Activity::Offline {
            return None; // costs nothing to do again, and the case memory changes
        }
        let row: CacheRow = self
            .store
            .read(|r| r.cache_get(spec.name, value))
            .ok()
            .flatten()?;
        let age_ms = (self.now_ms)()
            .checked_sub(row.stored_ms)
            .filter(|a| *a >= 0)?;
        let age_s = u64::try_from(age_ms / 1000).ok()?;
        if row.key_fingerprint != fingerprint || age_s >= self.ttl_s(spec) {
            return None;
        }
        let outcome: StoredOutcome = serde_json::from_str(&row.outcome_json).ok()?;
        Some(Done {
            outcome,
            age_s: Some(age_s),
            ms: 0,
        })
    }

    /// Runs a permitted call; `case` is the one that asks, which the case memory leaves out. Dropping the
    /// future drops the request.
    pub async fn run(&self, permit: Permit, plan: Plan, case: Option<&CaseId>) -> Done {
        let started = Instant::now();
        let spec = permit.spec();
        let mut done = match plan {
            Plan::Cached(done) => return *done,
            Plan::Cannot(why) => Done {
                outcome: StoredOutcome::could_not(why, &*self.redact),
                age_s: None,
                ms: 0,
            },
            Plan::Offline | Plan::Send => self.once(spec, &permit, case).await,
        };
        done.ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        done
    }

    /// Single flight: the same look-up at the same time is asked once, failures included.
    async fn once(
        &self,
        spec: &'static ModuleSpec,
        permit: &Permit,
        case: Option<&CaseId>,
    ) -> Done {
        let id = (spec.name.to_owned(), permit.subject().value().to_owned());
        let cell = {
            let mut flights = self.flights.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(flights.entry(id.clone()).or_default())
        };
        let done = cell
            .get_or_init(|| self.ask(spec, permit, case))
            .await
            .clone();
        self.flights
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&id);
        done
    }

    async fn ask(&self, spec: &'static ModuleSpec, permit: &Permit, case: Option<&CaseId>) -> Done {
        let outcome = match self.ask_in_time(spec, permit, case).await {
            Ok(outcome) => StoredOutcome::redact(&outcome, &*self.redact),
            Err(why) => StoredOutcome::could_not(why, &*self.redact),
        };
        Done {
            outcome,
            age_s: None,
            ms: 0,
        }
    }

    async fn ask_in_time(
        &self,
        spec: &'static ModuleSpec,
        permit: &Permit,
        case: Option<&CaseId>,
    ) -> Result<Outcome, CouldNot> {
        let settings = self.config.modules.get(spec.name);
        let key = self.key(spec)?;
        let _slot = self
            .slots
            .acquire()
            .await
            .map_err(|_| CouldNot::Interrupted)?;
        if spec.activity != Activity::Offline {
            self.wait_for_rate(spec, key.as_ref()).await?;
        }
        let deadline = Duration::from_secs(
            settings
                .and_then(|m| m.timeout)
                .unwrap_or(DEADLINE_S)
                .max(1),
        );
        let outcome =
            tokio::time::timeout(deadline, self.call(spec, permit, key.as_ref(), case)).await;
        let outcome = outcome.map_err(|_| CouldNot::TimedOut)??;
        if spec.activity != Activity::Offline && !matches!(outcome, Outcome::CouldNotLook(_)) {
            let stored = StoredOutcome::redact(&outcome, &*self.redact);
            let status = stored.status;
            if let Ok(json) = serde_json::to_string(&stored) {
                let (module, value) = (spec.name.to_owned(), permit.subject().value().to_owned());
                let row = CacheRow {
                    stored_ms: (self.now_ms)(),
                    key_fingerprint: fingerprint(key.as_ref()),
                    outcome_json: json,
                };
                // The cache saves time; a failure to write it changes no answer.
                if let Err(e) = self
                    .store
                    .write(move |tx| tx.cache_put(&module, &value, status, &row))
                {
                    tracing::warn!(module = spec.name, error = %e, "an answer could not be cached");
                }
            }
        }
        Ok(outcome)
    }

    async fn call(
        &self,
        spec: &'static ModuleSpec,
        permit: &Permit,
        key: Option<&SecretString>,
        case: Option<&CaseId>,
    ) -> Result<Outcome, CouldNot> {
        let Some(module) = module(spec.name) else {
            return Err(CouldNot::Unsupported {
                detail: "no such module".into(),
            });
        };
        let configured = self
            .config
            .modules
            .get(spec.name)
            .and_then(|m| m.base_url.as_deref());
        let nothing = ports::Nothing;
        let bound;
        let http: &dyn HttpPort = if spec.activity == Activity::Offline
            || spec.base_url.is_empty() && configured.is_none()
        {
            &nothing
        } else {
            let mut rule =
                HostRule::for_module(spec, configured).map_err(|e| CouldNot::Unreachable {
                    detail: format!("base_url of {}: {e}", spec.name),
                })?;
            if configured.is_none() {
                for host in self.data.hosts_for(spec).await {
                    rule = rule.allow(&host);
                }
            }
            bound = self.http.get()?.bound(rule);
            &bound
        };
        let history = ports::History {
            store: &self.store,
            except: case,
            principal: &self.principal,
        };
        let base_url = configured.unwrap_or(spec.base_url).trim_end_matches('/');
        let cx = Context {
            http,
            dns: &self.dns,
            data: &self.data,
            history: &history,
            now_ms: (self.now_ms)(),
            key,
            base_url,
            base_url_configured: configured.is_some(),
        };
        Ok(module.lookup(permit.subject(), &cx).await)
    }

    /// Takes a token for one call, waiting a little where the bucket is empty.
    async fn wait_for_rate(
        &self,
        spec: &'static ModuleSpec,
        key: Option<&SecretString>,
    ) -> Result<(), CouldNot> {
        let configured = self.config.modules.get(spec.name).and_then(|m| m.rate);
        let limits = configured.map_or_else(
            || spec.rate.to_vec(),
            |calls| vec![kit::RateLimit { calls, per_s: 60 }],
        );
        if limits.is_empty() {
            return Ok(());
        }
        let bucket = format!("{}:{}", spec.name, fingerprint(key));
        let started = Instant::now();
        loop {
            let (bucket, limits, now) = (bucket.clone(), limits.clone(), (self.now_ms)());
            match self
                .store
                .write(move |tx| tx.rate_take(&bucket, &limits, now))
            {
                Ok(RateTake::Ok { .. }) => return Ok(()),
                Ok(RateTake::Wait { ms }) => {
                    let wait = Duration::from_millis(ms.max(1));
                    if started.elapsed() + wait > RATE_PATIENCE {
                        return Err(CouldNot::RateLimited {
                            retry_s: Some(ms.div_ceil(1000).max(1)),
                        });
                    }
                    tokio::time::sleep(wait).await;
                }
                Err(e) => {
                    return Err(CouldNot::Unsupported {
                        detail: format!("the rate limit could not be read: {e}"),
                    });
                }
            }
        }
    }
}

/// Every look-up module of the program, in name order.
#[must_use]
pub fn registry() -> &'static [&'static dyn Module] {
    intel::registry()
}

/// The module with this name.
#[must_use]
pub fn module(name: &str) -> Option<&'static dyn Module> {
    intel::registry()
        .iter()
        .copied()
        .find(|m| m.spec().name == name)
}

/// Tells two keys apart without holding either: the first 8 bytes of a SHA-256, hex; empty without a key.
fn fingerprint(key: Option<&SecretString>) -> String {
    let Some(key) = key else { return String::new() };
    let mut hash = Sha256::new();
    hash.update(b"rmm-analyst key fingerprint\0");
    hash.update(key.expose_secret().as_bytes());
    hash.finalize()
        .iter()
        .take(8)
        .map(|b| format!("{b:02x}"))
        .collect()
}

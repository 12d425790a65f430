//! The installation that an investigation runs in: a temporary data directory, sources on loopback, keys
//! that are no keys, and the person's own model.

use super::server::Sources;
use crate::cli::error::Error;
use crate::cli::open::from_model;
use crate::cli::registry;
use crate::cli::session::Session;
use crate::config::Config;
use crate::engine::connect::{ModelWish, NoModel, Planning};
use crate::engine::{Engine, Parts};
use crate::secrets::{Env, Secrets};
use crate::store::{Store, StoreOptions};
use secrecy::ExposeSecret as _;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Stands for every source's key. `circlpdns` wants user and password.
const KEY: &str = "eval-user:eval-only-not-a-key";

/// A directory that goes away with the value.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// # Errors
    /// No place for temporary files.
    pub(super) fn new() -> Result<Self, Error> {
        let mut random = [0_u8; 8];
        getrandom::fill(&mut random)
            .map_err(|e| Error::internal("no random bytes").why(e.to_string()))?;
        let name = format!("rmm-analyst-eval-{:016x}", u64::from_ne_bytes(random));
        let dir = std::env::temp_dir().join(name);
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&dir).map_err(|e| {
            Error::config("no temporary directory could be made")
                .why(e.to_string())
                .hint("set TMPDIR to a directory that you may write to")
        })?;
        Ok(Self(dir))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays behind is only what this command made.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What all investigations share.
pub(super) struct Bench {
    config: Config,
    secrets: Secrets,
    redact: Arc<crate::redact::Redact>,
    principal: kit::principal::Principal,
    pub(super) sources: Sources,
    pub(super) wish: ModelWish,
    pub(super) server: Option<Server>,
    memory: Option<(String, &'static str)>,
}

/// The model that is measured.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Server {
    pub(super) server: &'static str,
    pub(super) version: String,
    pub(super) model: String,
    pub(super) context: Option<u32>,
    pub(super) tools: &'static str,
    pub(super) remote: bool,
}

impl Bench {
    /// Starts the sources, finds the model and tries how it calls tools, once for all investigations.
    ///
    /// # Errors
    /// Configuration, or a model that cannot be used: here nothing stands in for it.
    pub(super) async fn start(wish: &ModelWish, session: &mut Session) -> Result<Self, Error> {
        let loaded = session.config(&[])?;
        let redact = session.redactor(&loaded)?;
        let sources = Sources::start().await?;
        let name = loaded.config.model.api_key.as_deref().unwrap_or("model");
        let mut env: Vec<(String, String)> = registry::specs()
            .iter()
            .filter(|s| s.key.required())
            .map(|s| (Secrets::variable(s.name), KEY.to_owned()))
            .collect();
        let found = session.secrets()?.get(name).map_err(|e| {
            Error::config(e.to_string())
                .hint("rmm-analyst secret list shows where each secret is looked for")
        })?;
        if let Some((key, _)) = found {
            env.push((Secrets::variable(name), key.expose_secret().to_owned()));
        }
        let mut config = Config {
            model: loaded.config.model.clone(),
            redact: loaded.config.redact.clone(),
            ..Config::default()
        };
        config.model.fallback_to_rules = false;
        config
            .network
            .proxy
            .clone_from(&loaded.config.network.proxy);
        config
            .network
            .ca_file
            .clone_from(&loaded.config.network.ca_file);
        config
            .network
            .internal_suffixes
            .clone_from(&loaded.config.network.internal_suffixes);
        config.network.reach_allow = ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"]
            .map(str::to_owned)
            .to_vec();
        let mut bench = Self {
            config,
            secrets: Secrets::with_layers(Env::given(env), false, None),
            redact,
            principal: kit::principal::Principal::owner("bench"),
            sources,
            wish: wish.clone(),
            server: None,
            memory: None,
        };
        if !wish.no_model {
            bench.find_model(session).await?;
        }
        Ok(bench)
    }

    async fn find_model(&mut self, session: &mut Session) -> Result<(), Error> {
        session
            .out
            .progress("asking the model server what it can do");
        let scratch = Scratch::new()?;
        let engine = self.engine(&[], &[], 0, scratch.path())?;
        match engine.planning(&self.wish, &mut |_| {}).await? {
            Ok(Planning::Model { client, mode, .. }) => {
                let info = client.info();
                // Found by itself: every investigation uses the same one.
                if self.wish.base_url.is_none() && self.config.model.base_url.is_none() {
                    self.config.model.base_url = Some(info.base_url.clone());
                }
                self.memory = Some((format!("probe:{}", info.probe_key()), mode.name()));
                self.server = Some(Server {
                    server: info.kind.name(),
                    version: info.version.clone(),
                    model: info.model.clone(),
                    context: info.context,
                    tools: mode.name(),
                    remote: info.remote,
                });
                Ok(())
            }
            Ok(Planning::Rules { .. }) => Err(Error::model("there is no model to measure").hint(
                "rmm-analyst doctor says how to add one; --no-model measures the built-in rules",
            )),
            Err(NoModel::Unreachable(e)) => Err(from_model(&e)),
            Err(NoModel::NoTools(why)) => Err(Error::no_tool_calls(why)
                .hint("set [model] tools = \"auto\", or choose another model")),
        }
    }

    /// An engine with only these sources switched on, and an empty database in `dir`.
    ///
    /// # Errors
    /// The database cannot be made.
    pub(super) fn engine(
        &self,
        on: &[&str],
        no_key: &[&str],
        budget: u32,
        dir: &Path,
    ) -> Result<Engine, Error> {
        let mut config = self.config.clone();
        for spec in registry::specs() {
            let module = config.modules.entry(spec.name.to_owned()).or_default();
            module.enabled = on.contains(&spec.name);
            module.base_url = module.enabled.then(|| self.sources.base_url(spec.name));
            if no_key.contains(&spec.name) {
                module.key = Some("eval-unset".to_owned());
            }
        }
        if budget > 0 {
            config.limits.calls_per_turn = budget;
        }
        let store = Store::open(&dir.join("eval.db"), StoreOptions::default())?;
        if let Some((key, mode)) = self.memory.clone() {
            store.write(move |tx| tx.kv_put(&key, mode, 0))?;
        }
        Ok(Engine::new(Parts {
            config: Arc::new(config),
            store,
            secrets: Arc::new(self.secrets.clone()),
            redact: Arc::clone(&self.redact),
            principal: self.principal.clone(),
            data_dir: dir.to_path_buf(),
        })?)
    }
}

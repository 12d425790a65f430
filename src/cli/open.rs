//! Opening what a command works on: the database and the engine over it.

use crate::cli::db::{self, DbArgs};
use crate::cli::error::{Error, Kind};
use crate::cli::exit::Exit;
use crate::cli::session::Session;
use crate::cli::view::View;
use crate::config::{Flag, Loaded};
use crate::engine::by_hand::{ByHandError, people};
use crate::engine::{Engine, EngineError, Parts};
use crate::model::ModelError;
use crate::store::{Store, StoreError, StoreOptions};
use kit::principal::Principal;
use secrecy::SecretString;
use std::future::Future;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Name of the secret that keys the hash chain of cases. Made by the program where a keyring works.
pub const CHAIN_SECRET: &str = "case-log";

impl Session {
    /// Who acts: the principal of the operating-system user, or the one named with `--as` that this user may act
    /// as. The first start on a database makes its first owner.
    ///
    /// # Errors
    /// There is no such principal for this user, or it is disabled (exit 2).
    pub fn principal(&self, store: &Store) -> Result<Principal, Error> {
        let name = self.globals.as_principal.as_deref();
        Ok(people::acting(
            store,
            &os_user(),
            name,
            crate::engine::now_ms(),
        )?)
    }

    /// Says no where the acting principal may not do what concerns the whole installation: copies of the database,
    /// its settings, its secrets. A database that is not there, or that cannot be read, has nobody to ask.
    ///
    /// # Errors
    /// It is not a person of the whole fleet who manages principals, or nobody that this user may act as.
    pub fn whole_installation(&self, what: &str) -> Result<(), Error> {
        let path = self.paths()?.db_file();
        if !path.exists() {
            return Ok(());
        }
        let options = StoreOptions {
            chain_key: None,
            read_only: true,
        };
        let Ok(store) = Store::open(&path, options) else {
            return Ok(());
        };
        let principal = self.principal(&store)?;
        if people::is_steward(&store, &principal)? {
            return Ok(());
        }
        Err(Error::user(format!("{} may not {what}", principal.name))
            .why("it concerns the whole installation: that takes a person with principals.manage and without a scope")
            .hint("ask the owner of this installation: rmm-analyst principal list"))
    }

    /// The name under which the database as a file is worked on, whatever state it is in: that of the principal
    /// where it can be read, else that of the operating-system user.
    fn name_for_file(&self, path: &Path, options: &StoreOptions) -> Result<String, Error> {
        let options = StoreOptions {
            read_only: true,
            ..options.clone()
        };
        let user = os_user();
        match Store::open(path, options) {
            Ok(store) => Ok(self.principal(&store)?.name),
            Err(_) => match &self.globals.as_principal {
                Some(name) if *name != user => Err(Error::user(format!(
                    "there is no principal {name} to act as"
                ))
                .why("the database cannot be asked who may act as whom")
                .hint("leave --as out")),
                _ => Ok(user),
            },
        }
    }

    /// Checks that the data directory is one, or can become one: everything else that is wrong then would
    /// be said ten times, once for each secret that is looked for in it.
    fn place(&self) -> Result<(), Error> {
        let paths = self.paths()?;
        let dir = paths.data_dir();
        let in_the_way = match std::fs::metadata(dir) {
            Ok(m) => !m.is_dir(),
            Err(e) => e.kind() == std::io::ErrorKind::NotADirectory,
        };
        if in_the_way {
            return Err(Error::config(format!(
                "the data directory {} cannot be used",
                dir.display()
            ))
            .why("a file stands in its place, or in the place of a directory above it")
            .hint("move the file away, or name another place with --data-dir DIR"));
        }
        Ok(())
    }

    /// The database.
    ///
    /// # Errors
    /// It cannot be opened; it is left as it is.
    pub fn store(&mut self) -> Result<Store, Error> {
        self.place()?;
        let paths = self.paths()?;
        let new = !paths.db_file().exists();
        let chain_key = self.chain_key(new)?;
        let options = StoreOptions {
            chain_key,
            read_only: false,
        };
        match Store::open(&paths.db_file(), options.clone()) {
            // What can be read is still worth reading.
            Err(StoreError::ReadOnly { .. }) => {
                let options = StoreOptions {
                    read_only: true,
                    ..options
                };
                Store::open(&paths.db_file(), options).map_err(Error::from)
            }
            opened => opened.map_err(Error::from),
        }
    }

    /// The key of the hash chain, from the secret store; made with a new database where a keyring works.
    pub(super) fn chain_key(&self, new: bool) -> Result<Option<SecretString>, Error> {
        let secrets = self.secrets()?;
        match secrets.get(CHAIN_SECRET) {
            Ok(Some((key, _))) => Ok(Some(key)),
            Ok(None) if new && secrets.store_status().works => {
                let mut bytes = [0_u8; 32];
                if getrandom::fill(&mut bytes).is_err() {
                    return Ok(None);
                }
                let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
                let key = SecretString::from(hex);
                let kept = secrets.set(CHAIN_SECRET, &key, crate::secrets::Where::Keyring);
                Ok(kept.is_ok().then_some(key))
            }
            Ok(None) => Ok(None),
            Err(e) => Err(
                Error::config("the key of the case log is set but cannot be read")
                    .why(e.to_string())
                    .hint("unlock the keyring, or see: rmm-analyst secret list"),
            ),
        }
    }

    /// The engine, with the settings that the flags of the command change.
    ///
    /// # Errors
    /// Configuration, secrets or the database.
    pub fn engine(&mut self, flags: &[Flag<'_>]) -> Result<(Engine, Loaded), Error> {
        let loaded = self.config(flags)?;
        self.place()?;
        let redact = self.redactor(&loaded)?;
        super::logging::start(&self.paths()?, &loaded.config.log, redact.clone());
        let secrets = Arc::new(self.secrets()?);
        let store = self.store()?;
        let principal = self.principal(&store)?;
        let parts = Parts {
            config: Arc::new(loaded.config.clone()),
            store,
            secrets,
            redact,
            principal,
            data_dir: self.paths()?.data_dir().to_path_buf(),
        };
        let engine = Engine::new(parts).map_err(Error::from)?;
        Ok((engine, loaded))
    }
}

impl Session {
    /// Runs a command over what is stored and prints what it wrote. `writes`: it changes the
    /// store, so every secret of the installation is made known to the redactor first and the log is started.
    ///
    /// # Errors
    /// What the command or the database says.
    pub fn stored(
        &mut self,
        writes: bool,
        run: impl FnOnce(&View<'_>, &mut dyn Write) -> anyhow::Result<u8>,
    ) -> Result<Exit, Error> {
        let loaded = self.config(&[])?;
        // Reading a case needs no secret, so that a locked keyring is no hindrance to it.
        if writes {
            let redact = self.redactor(&loaded)?;
            super::logging::start(&self.paths()?, &loaded.config.log, redact);
        }
        let store = self.store()?;
        let principal = self.principal(&store)?;
        let view = View {
            store: &store,
            principal: &principal,
            now_ms: crate::engine::now_ms(),
            defang: loaded.config.ui.defang,
            redact: self.out.redactor(),
            width: self.out.width(),
        };
        let mut text = Vec::new();
        let code = run(&view, &mut text).map_err(from_any)?;
        self.out.generated(&text)?;
        Ok(Exit::from_code(code))
    }

    /// Runs a command over the database file, whatever state it is in.
    ///
    /// # Errors
    /// What the command or the database says.
    pub fn database(&mut self, args: &DbArgs) -> Result<Exit, Error> {
        let paths = self.paths()?;
        let options = StoreOptions {
            chain_key: self.chain_key(false)?,
            read_only: false,
        };
        let mut text = Vec::new();
        let path = paths.db_file();
        if matches!(
            args.command,
            db::DbCommand::Backup { .. } | db::DbCommand::Restore { .. }
        ) {
            self.whole_installation("copy or replace the database")?;
        }
        let name = self.name_for_file(&path, &options)?;
        let now = crate::engine::now_ms();
        let code = db::run(args, &path, options, &name, now, &mut text).map_err(from_any)?;
        self.out.generated(&text)?;
        Ok(Exit::from_code(code))
    }
}

pub(super) fn from_any(e: anyhow::Error) -> Error {
    match e.downcast::<StoreError>() {
        Ok(e) => Error::from(e),
        Err(e) => match e.downcast::<std::io::Error>() {
            Ok(e) => Error::output(&e),
            Err(e) => Error::internal(e.to_string()),
        },
    }
}

/// Checks the value of a flag that stands for `model.base_url`, as the configuration checks the key: before
/// anything is opened, asked or kept.
///
/// # Errors
/// A wrong command line (exit 2): no `http` or `https` address, or one with credentials, query or fragment.
pub fn check_base_url(text: &str) -> Result<(), Error> {
    crate::config::check::base_url(text).map_err(|(what, hint)| {
        let error = Error::user(format!("--base-url: {what}"));
        match hint {
            Some(hint) => error.hint(hint),
            None => error,
        }
    })
}

/// A runtime for the commands that wait for the network. One thread: nothing here is heavy.
///
/// # Errors
/// The operating system gives no runtime.
pub fn runtime() -> Result<tokio::runtime::Runtime, Error> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| Error::internal("no asynchronous runtime").why(e.to_string()))
}

/// Resolves at Ctrl-C, SIGTERM or SIGHUP. It listens from the moment of the call, not of the first poll, so
/// that nothing is missed in between; must be called inside a runtime ([`tokio::runtime::Runtime::enter`]).
pub fn interrupted() -> impl Future<Output = ()> {
    #[cfg(unix)]
    let signals = {
        use tokio::signal::unix::{SignalKind, signal};
        (
            signal(SignalKind::interrupt()),
            signal(SignalKind::terminate()),
            signal(SignalKind::hangup()),
        )
    };
    async move {
        #[cfg(unix)]
        if let (Ok(mut int), Ok(mut term), Ok(mut hup)) = signals {
            tokio::select! {
                _ = int.recv() => {}
                _ = term.recv() => {}
                _ = hup.recv() => {}
            }
            return;
        }
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl From<StoreError> for Error {
    fn from(e: StoreError) -> Self {
        let error = match &e {
            StoreError::NotFound(_) | StoreError::Ambiguous { .. } | StoreError::Refused(_) => {
                Self::user(e.to_string())
            }
            StoreError::CaseBusy { .. } => Self::busy(e.to_string()),
            _ => Self::config(e.to_string()),
        };
        let why = e.why();
        let error = if why.is_empty() {
            error
        } else {
            error.why(why)
        };
        let hint = e.hint();
        if hint.is_empty() {
            error
        } else {
            error.hint(hint)
        }
    }
}

/// The user of the operating system: as the environment names it, else as the system does.
fn os_user() -> String {
    ["USER", "LOGNAME", "USERNAME"]
        .iter()
        .filter_map(std::env::var_os)
        .filter_map(|v| v.into_string().ok())
        .find(|v| !v.trim().is_empty())
        .or_else(user_of_process)
        .unwrap_or_else(|| "local".to_owned())
}

/// Services and schedules start programs without a name in the environment.
#[cfg(unix)]
fn user_of_process() -> Option<String> {
    let id = rustix::process::getuid().as_raw().to_string();
    let known = std::fs::read_to_string("/etc/passwd").ok()?;
    let name = known.lines().find_map(|line| {
        let mut parts = line.split(':');
        let name = parts.next()?;
        (parts.nth(1)? == id).then(|| name.to_owned())
    });
    name.filter(|n| !n.is_empty())
}

#[cfg(not(unix))]
const fn user_of_process() -> Option<String> {
    None
}

impl From<ByHandError> for Error {
    fn from(e: ByHandError) -> Self {
        match e {
            ByHandError::Refused { message, hint } => Self::user(message).hint(hint),
            ByHandError::Store(e) => Self::from(e),
        }
    }
}

impl From<EngineError> for Error {
    fn from(e: EngineError) -> Self {
        match e {
            EngineError::User { message, hint } => Self::user(message).hint(hint),
            EngineError::Config { message, hint } => Self::config(message).hint(hint),
            EngineError::Store(e) => Self::from(e),
            EngineError::Model(e) => from_model(&e),
            EngineError::Interrupted => {
                Self::interrupted().hint("nothing was sent and nothing was written: ask again")
            }
        }
    }
}

/// An error of the model client.
#[must_use]
pub fn from_model(e: &ModelError) -> Error {
    Error::of(Kind::Model, e.to_string()).hint(e.hint())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_the_configuration_refuses_is_a_wrong_command_line() {
        for text in [
            "",
            " ",
            "ftp://127.0.0.1/",
            "file:///etc/passwd",
            "unix:/run/x.sock",
            "http://127.0.0.1:99999",
            "http://",
            "http://127.0.0.1:8080/?key=1",
            "http://127.0.0.1:8080/#x",
            "http://user:hunter2@127.0.0.1:8080",
            "127.0.0.1:8080",
            "http://a b/",
        ] {
            let e = check_base_url(text).unwrap_err();
            assert_eq!(e.exit(), Exit::Usage, "{text}");
            assert!(
                e.advice().is_some() && !e.to_string().contains("hunter2"),
                "{text}: {e}"
            );
        }
        for text in [
            "http://127.0.0.1:8080",
            "https://model.example/v1",
            "http://[::1]:11434/",
        ] {
            assert!(check_base_url(text).is_ok(), "{text}");
        }
    }
}

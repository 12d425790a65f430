//! The OS keyring. Every call runs on a helper thread with a limit of 1 s, because a Secret Service may hang or
//! ask a person; and none is ever unlocked by a prompt: on systems with a Secret Service the state is asked first,
//! and a locked item is an error. A keyring that is not there (no bus) is found out once and skipped quietly.

use secrecy::SecretString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::time::Duration;

/// The limit for one call.
const LIMIT: Duration = Duration::from_secs(1);
/// The service under which every secret is kept; the user name is the secret's name.
const SERVICE: &str = "rmm-analyst";

/// Whether the keyring works, for `doctor`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyringStatus {
    /// True when secrets can be read and written.
    pub works: bool,
    /// What it is, or why it does not work.
    pub why: String,
    /// What to do; empty when it works.
    pub hint: String,
}

/// What the keyring said about one name.
#[derive(Clone)]
pub(super) enum Read {
    Found(SecretString),
    /// No such entry, or no keyring at all.
    NotThere,
    /// There is an entry, or there may be one, and it cannot be read.
    Failed(String),
}

/// A keyring. One real implementation; the trait is for the tests of the layers.
pub(super) trait Keyring: Send + Sync {
    fn get(&self, name: &str) -> Read;
    fn set(&self, name: &str, value: &SecretString) -> Result<(), String>;
    /// True when it was there.
    fn remove(&self, name: &str) -> Result<bool, String>;
    fn status(&self) -> KeyringStatus;
}

/// Why a keyring cannot be used.
#[derive(Clone, Debug)]
enum Trouble {
    /// There is none on this machine.
    Absent(String),
    /// It is there and locked.
    Locked,
    /// It is there, and says no.
    Broken(String),
    /// It did not answer in time.
    Slow,
}

impl Trouble {
    fn why(&self) -> String {
        match self {
            Self::Absent(why) => format!("no keyring on this machine: {why}"),
            Self::Locked => "the keyring is locked".into(),
            Self::Broken(why) => format!("the keyring does not work: {why}"),
            Self::Slow => "the keyring did not answer within 1 s".into(),
        }
    }

    fn hint(&self) -> String {
        match self {
            Self::Absent(_) => "none is needed: `secret set` then uses a file that only you can read; RMM_ANALYST_SECRET_<NAME> works too".into(),
            Self::Locked => "unlock it in your desktop's keyring program and run this again; it is never unlocked by a prompt from here".into(),
            Self::Broken(_) | Self::Slow => "check the keyring service of your desktop, or keep the secret in the file: `secret set NAME --file`".into(),
        }
    }

    fn with_hint(&self) -> String {
        format!("{}; {}", self.why(), self.hint())
    }
}

/// The keyring of the operating system.
#[derive(Default)]
pub(super) struct OsKeyring {
    /// Set when there is no keyring at all; looked at once per process.
    absent: OnceLock<Option<String>>,
    /// A call that ran into the limit leaves its thread behind. Once is enough.
    hung: Arc<AtomicBool>,
}

impl OsKeyring {
    /// Runs `f` on a helper thread with the limit.
    fn call<T: Send + 'static>(
        &self,
        f: impl FnOnce() -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        if self.hung.load(Ordering::Relaxed) {
            return Err(Trouble::Slow);
        }
        let (tx, rx) = mpsc::sync_channel(1);
        let started = std::thread::Builder::new()
            .name("keyring".into())
            .spawn(move || {
                // The receiver is gone after the limit; then nobody wants the answer.
                let _ = tx.send(f());
            });
        if let Err(e) = started {
            return Err(Trouble::Broken(e.to_string()));
        }
        match rx.recv_timeout(LIMIT) {
            Ok(result) => result,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                self.hung.store(true, Ordering::Relaxed);
                Err(Trouble::Slow)
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                Err(Trouble::Broken("it ended without an answer".into()))
            }
        }
    }

    fn absent(&self) -> Option<String> {
        self.absent
            .get_or_init(|| match self.call(os::present) {
                Err(Trouble::Absent(why)) => Some(why),
                _ => None,
            })
            .clone()
    }
}

impl Keyring for OsKeyring {
    fn get(&self, name: &str) -> Read {
        if self.absent().is_some() {
            return Read::NotThere;
        }
        let user = name.to_owned();
        let read = self.call(move || {
            if !os::readable(&user)? {
                return Ok(None);
            }
            match entry(&user)?.get_password() {
                Ok(value) => Ok(Some(SecretString::from(value))),
                Err(keyring::Error::NoEntry) => Ok(None),
                Err(e) => Err(trouble(&e)),
            }
        });
        match read {
            Ok(Some(value)) => Read::Found(value),
            Ok(None) | Err(Trouble::Absent(_)) => Read::NotThere,
            Err(t) => Read::Failed(t.with_hint()),
        }
    }

    fn set(&self, name: &str, value: &SecretString) -> Result<(), String> {
        let (user, value) = (name.to_owned(), value.clone());
        self.call(move || {
            use secrecy::ExposeSecret;
            os::writable(&user)?;
            entry(&user)?
                .set_password(value.expose_secret())
                .map_err(|e| trouble(&e))
        })
        .map_err(|t| t.with_hint())
    }

    fn remove(&self, name: &str) -> Result<bool, String> {
        if self.absent().is_some() {
            return Ok(false);
        }
        let user = name.to_owned();
        let gone = self.call(move || {
            if !os::readable(&user)? {
                return Ok(false);
            }
            match entry(&user)?.delete_credential() {
                Ok(()) => Ok(true),
                Err(keyring::Error::NoEntry) => Ok(false),
                Err(e) => Err(trouble(&e)),
            }
        });
        match gone {
            Err(Trouble::Absent(_)) => Ok(false),
            other => other.map_err(|t| t.with_hint()),
        }
    }

    fn status(&self) -> KeyringStatus {
        match self.call(|| os::present().and_then(|()| os::unlocked())) {
            Ok(()) => KeyringStatus {
                works: true,
                why: os::NAME.into(),
                hint: String::new(),
            },
            Err(t) => KeyringStatus {
                works: false,
                why: t.why(),
                hint: t.hint(),
            },
        }
    }
}

fn entry(user: &str) -> Result<keyring::Entry, Trouble> {
    keyring::Entry::new(SERVICE, user).map_err(|e| trouble(&e))
}

/// Never through `Debug`: some variants carry the value that was read.
fn trouble(e: &keyring::Error) -> Trouble {
    use keyring::Error;
    match e {
        Error::PlatformFailure(e) => Trouble::Broken(e.to_string()),
        Error::NoStorageAccess(_) => Trouble::Locked,
        Error::NoEntry => Trouble::Broken("no such entry".into()),
        Error::BadEncoding(_) | Error::BadDataFormat(..) => {
            Trouble::Broken("the entry is not text".into())
        }
        Error::TooLong(_, limit) => {
            Trouble::Broken(format!("the value is longer than its limit of {limit}"))
        }
        Error::Ambiguous(_) => Trouble::Broken(
            "it holds more than one entry of that name: remove the extra ones".into(),
        ),
        Error::NoDefaultStore => Trouble::Absent("it could not be opened".into()),
        _ => Trouble::Broken("it refused the call".into()),
    }
}

/// Linux and the BSDs: a Secret Service on the D-Bus session bus. The `keyring` crate unlocks what it finds locked,
/// which opens a prompt; so the state is asked here first, over a connection that never asks for an unlock.
#[cfg(all(
    unix,
    not(any(target_os = "macos", target_os = "ios", target_os = "android"))
))]
mod os {
    use super::{SERVICE, Trouble};
    use secret_service::blocking::SecretService;
    use secret_service::{EncryptionType, Error};
    use std::collections::HashMap;

    pub(super) const NAME: &str = "Secret Service on the session bus";

    /// True where there cannot be a session bus: no address, and no socket in its usual place. Then the
    /// library of the bus is not started at all: it costs time, memory and threads.
    fn no_bus() -> bool {
        let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
        let usual = || {
            let uid = rustix::process::getuid().as_raw();
            let runtime = set("XDG_RUNTIME_DIR").map_or_else(
                || format!("/run/user/{uid}").into(),
                std::path::PathBuf::from,
            );
            runtime.join("bus").exists()
        };
        set("DBUS_SESSION_BUS_ADDRESS").is_none() && !usual()
    }

    fn connect() -> Result<SecretService<'static>, Trouble> {
        if no_bus() {
            return Err(Trouble::Absent("no D-Bus session bus".into()));
        }
        // No value travels over this connection, so it needs no session key.
        SecretService::connect(EncryptionType::Plain).map_err(|e| match e {
            Error::Unavailable => {
                Trouble::Absent("no Secret Service answers on the session bus".into())
            }
            Error::Zbus(e) => Trouble::Absent(format!("no D-Bus session bus ({e})")),
            other => Trouble::Absent(other.to_string()),
        })
    }

    fn broken(e: Error) -> Trouble {
        match e {
            Error::Locked => Trouble::Locked,
            other => Trouble::Broken(other.to_string()),
        }
    }

    pub(super) fn present() -> Result<(), Trouble> {
        connect().map(|_| ())
    }

    pub(super) fn unlocked() -> Result<(), Trouble> {
        let service = connect()?;
        let collection = match service.get_default_collection() {
            Ok(collection) => collection,
            Err(Error::NoResult) => {
                return Err(Trouble::Broken("it has no default collection".into()));
            }
            Err(e) => return Err(broken(e)),
        };
        if collection.is_locked().map_err(broken)? {
            Err(Trouble::Locked)
        } else {
            Ok(())
        }
    }

    /// True when there is an unlocked entry, false when there is none.
    pub(super) fn readable(user: &str) -> Result<bool, Trouble> {
        let service = connect()?;
        let found = service
            .search_items(HashMap::from([("service", SERVICE), ("username", user)]))
            .map_err(broken)?;
        if !found.locked.is_empty() {
            return Err(Trouble::Locked);
        }
        Ok(!found.unlocked.is_empty())
    }

    /// Whether an entry can be written without a prompt.
    pub(super) fn writable(user: &str) -> Result<(), Trouble> {
        if readable(user)? { Ok(()) } else { unlocked() }
    }
}

#[cfg(not(all(
    unix,
    not(any(target_os = "macos", target_os = "ios", target_os = "android"))
)))]
mod os {
    use super::Trouble;

    pub(super) const NAME: &str = "the system's keyring";

    pub(super) fn present() -> Result<(), Trouble> {
        match keyring::Entry::store_status() {
            Ok(()) => Ok(()),
            Err(e) => Err(Trouble::Absent(e.to_string())),
        }
    }

    pub(super) fn unlocked() -> Result<(), Trouble> {
        Ok(())
    }

    pub(super) fn readable(_user: &str) -> Result<bool, Trouble> {
        Ok(true)
    }

    pub(super) fn writable(_user: &str) -> Result<(), Trouble> {
        Ok(())
    }
}

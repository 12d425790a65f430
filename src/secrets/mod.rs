//! Secrets by name: environment, then the OS keyring (1 s limit, never prompting), then a 0600 file.
//!
//! * [`Secrets`] – looks up, sets, removes, lists; remembers what the keyring said for the life of the process.
//! * `env` – the environment as a value, so that tests need not change the process's own.
//! * `keyring` – the OS keyring behind a small trait; `file` – the 0600 file.

mod env;
mod file;
mod keyring;

pub use env::Env;
pub use keyring::KeyringStatus;

use keyring::{Keyring, OsKeyring, Read};
use secrecy::{ExposeSecret, SecretString};
use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Where a secret was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// `RMM_ANALYST_SECRET_<NAME>`.
    Environment,
    /// The OS keyring.
    Keyring,
    /// The 0600 file.
    File,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Environment => "environment",
            Self::Keyring => "keyring",
            Self::File => "file",
        })
    }
}

/// Where to put a secret.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Where {
    /// The keyring when it works, else the file.
    #[default]
    Auto,
    /// The OS keyring only.
    Keyring,
    /// The 0600 file only.
    File,
}

/// One name and where its value stands, without the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretStatus {
    /// Name.
    pub name: String,
    /// The layer that wins; `None` when the secret is not set.
    pub origin: Option<Origin>,
    /// Why it cannot be read, when it is set and cannot.
    pub error: Option<String>,
}

/// A secret that is set but cannot be read, or that cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the secret {name} cannot be used: {why}")]
pub struct SecretError {
    /// Name.
    pub name: String,
    /// Why, and what to do, without a value.
    pub why: String,
}

/// Looks secrets up. Values never show in `Debug`, logs or errors. Clones share what was read.
#[derive(Clone)]
pub struct Secrets {
    inner: Arc<Inner>,
}

struct Inner {
    env: Env,
    keyring: Option<Box<dyn Keyring>>,
    file: Option<PathBuf>,
    /// What the keyring said, by name: it is asked at most once per name and process.
    seen: Mutex<HashMap<String, Read>>,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secrets")
            .field("file", &self.inner.file)
            .finish_non_exhaustive()
    }
}

impl Default for Secrets {
    /// No layer at all: every name is unset.
    fn default() -> Self {
        Self::build(Env::empty(), None, None)
    }
}

impl Secrets {
    /// The real layers: the process's environment, the OS keyring, and `file`. Opens nothing yet.
    #[must_use]
    pub fn open(file: impl Into<PathBuf>) -> Self {
        Self::build(
            Env::process(),
            Some(Box::new(OsKeyring::default())),
            Some(file.into()),
        )
    }

    /// Layers by hand: an environment given as a value, the OS keyring or none, a file or none.
    #[must_use]
    pub fn with_layers(env: Env, os_keyring: bool, file: Option<PathBuf>) -> Self {
        let keyring: Option<Box<dyn Keyring>> = if os_keyring {
            Some(Box::new(OsKeyring::default()))
        } else {
            None
        };
        Self::build(env, keyring, file)
    }

    fn build(env: Env, keyring: Option<Box<dyn Keyring>>, file: Option<PathBuf>) -> Self {
        Self {
            inner: Arc::new(Inner {
                env,
                keyring,
                file,
                seen: Mutex::new(HashMap::new()),
            }),
        }
    }

    /// The environment variable that holds this secret: upper case, other characters as `_`.
    #[must_use]
    pub fn variable(name: &str) -> String {
        let mut out = String::from("RMM_ANALYST_SECRET_");
        out.extend(name.chars().map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_uppercase()
            } else {
                '_'
            }
        }));
        out
    }

    /// The secret with this name and where it was found. `None`: not set anywhere.
    ///
    /// # Errors
    /// A configured secret that cannot be read (permissions, locked keyring) is an error: its user is
    /// switched off, never run without it.
    pub fn get(&self, name: &str) -> Result<Option<(SecretString, Origin)>, SecretError> {
        check_name(name)?;
        if let Some(value) = self.read_env(name)? {
            return Ok(Some((value, Origin::Environment)));
        }
        if let Some(value) = self.read_keyring(name)? {
            return Ok(Some((value, Origin::Keyring)));
        }
        Ok(self.read_file(name)?.map(|v| (v, Origin::File)))
    }

    /// Sets a secret and says where it went. An environment variable of the same name still wins.
    ///
    /// # Errors
    /// A bad name, an empty value, a keyring that does not work (with [`Where::Keyring`]), a file that cannot be written.
    pub fn set(&self, name: &str, value: &SecretString, to: Where) -> Result<Origin, SecretError> {
        check_name(name)?;
        if value.expose_secret().is_empty() {
            return Err(error(name, "the value is empty"));
        }
        if to != Where::File {
            match self.set_keyring(name, value) {
                Ok(()) => return Ok(Origin::Keyring),
                Err(why) if to == Where::Keyring => return Err(error(name, why)),
                // Auto: the file is the answer to a keyring that does not work.
                Err(_) => {}
            }
        }
        let path = self
            .inner
            .file
            .as_ref()
            .ok_or_else(|| error(name, "there is no secrets file in this setup"))?;
        file::set(path, name, value).map_err(|why| error(name, why))?;
        Ok(Origin::File)
    }

    fn set_keyring(&self, name: &str, value: &SecretString) -> Result<(), String> {
        let keyring = self
            .inner
            .keyring
            .as_ref()
            .ok_or("there is no keyring in this setup")?;
        keyring.set(name, value)?;
        self.lock()
            .insert(name.to_owned(), Read::Found(value.clone()));
        Ok(())
    }

    /// Removes a secret from the keyring and from the file, and says from which. A variable in the environment
    /// is not ours to remove.
    ///
    /// # Errors
    /// A layer that holds it and cannot be changed.
    pub fn remove(&self, name: &str) -> Result<Vec<Origin>, SecretError> {
        check_name(name)?;
        let mut gone = Vec::new();
        if let Some(keyring) = &self.inner.keyring
            && keyring.remove(name).map_err(|why| error(name, why))?
        {
            gone.push(Origin::Keyring);
        }
        self.lock().remove(name);
        if let Some(path) = &self.inner.file
            && file::remove(path, name).map_err(|why| error(name, why))?
        {
            gone.push(Origin::File);
        }
        Ok(gone)
    }

    /// Where each of these secrets stands, without values.
    #[must_use]
    pub fn list(&self, names: &[&str]) -> Vec<SecretStatus> {
        names
            .iter()
            .map(|name| {
                let (origin, error) = match self.get(name) {
                    Ok(found) => (found.map(|(_, origin)| origin), None),
                    Err(e) => (None, Some(e.why)),
                };
                SecretStatus {
                    name: (*name).to_owned(),
                    origin,
                    error,
                }
            })
            .collect()
    }

    /// Whether the OS keyring works, why not, and what to do; for `doctor`. Takes at most about 1 s and never prompts.
    #[must_use]
    pub fn store_status(&self) -> KeyringStatus {
        match &self.inner.keyring {
            Some(keyring) => keyring.status(),
            None => KeyringStatus {
                works: false,
                why: "switched off".into(),
                hint: String::new(),
            },
        }
    }

    /// Every value that any layer holds under these names (not only the winning one), for the redactor; and what
    /// could not be read.
    #[must_use]
    pub fn all_known(&self, names: &[&str]) -> (Vec<(String, SecretString)>, Vec<SecretError>) {
        let (mut values, mut errors) = (
            Vec::<(String, SecretString)>::new(),
            Vec::<SecretError>::new(),
        );
        for name in names {
            if let Err(e) = check_name(name) {
                errors.push(e);
                continue;
            }
            for read in [
                self.read_env(name),
                self.read_keyring(name),
                self.read_file(name),
            ] {
                match read {
                    Ok(Some(v)) => {
                        if !values
                            .iter()
                            .any(|(n, old)| n == name && old.expose_secret() == v.expose_secret())
                        {
                            values.push(((*name).to_owned(), v));
                        }
                    }
                    Ok(None) => {}
                    Err(e) => errors.push(e),
                }
            }
        }
        (values, errors)
    }

    fn read_env(&self, name: &str) -> Result<Option<SecretString>, SecretError> {
        let variable = Self::variable(name);
        match self.inner.env.get(&variable) {
            Ok(value) => Ok(value),
            Err(()) => Err(error(
                name,
                format!("the environment variable {variable} is not valid UTF-8"),
            )),
        }
    }

    fn read_keyring(&self, name: &str) -> Result<Option<SecretString>, SecretError> {
        let Some(keyring) = &self.inner.keyring else {
            return Ok(None);
        };
        let cached = self.lock().get(name).cloned();
        let read = match cached {
            Some(read) => read,
            None => {
                // Not under the lock: a slow keyring must not hold up a name that is known already.
                let read = keyring.get(name);
                self.lock().entry(name.to_owned()).or_insert(read).clone()
            }
        };
        match read {
            Read::Found(value) => Ok(Some(value)),
            Read::NotThere => Ok(None),
            Read::Failed(why) => Err(error(name, why)),
        }
    }

    fn read_file(&self, name: &str) -> Result<Option<SecretString>, SecretError> {
        let Some(path) = &self.inner.file else {
            return Ok(None);
        };
        file::get(path, name).map_err(|why| error(name, why))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Read>> {
        self.inner
            .seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn error(name: &str, why: impl Into<String>) -> SecretError {
    SecretError {
        name: name.to_owned(),
        why: why.into(),
    }
}

fn check_name(name: &str) -> Result<(), SecretError> {
    let ok = !name.is_empty()
        && name.len() <= 64
        && name.bytes().all(|b| {
            b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-' | b'.')
        });
    if ok {
        return Ok(());
    }
    // A value pasted in place of a name must not come back in the message.
    Err(error(
        "(name not shown)",
        "a secret's name is 1 to 64 characters of a-z, 0-9, _ - .",
    ))
}

//! Secrets by name: environment, then the OS keyring (1 s limit, never prompting), then a 0600 file.

use secrecy::{ExposeSecret, SecretString};
use std::collections::BTreeMap;
use std::path::PathBuf;

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

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Environment => "environment",
            Self::Keyring => "keyring",
            Self::File => "file",
        })
    }
}

/// Where to store a secret.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Where {
    /// The keyring where it works, else the file.
    #[default]
    Auto,
    /// The OS keyring.
    Keyring,
    /// The 0600 file.
    File,
}

/// What `secret list` shows; never a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretStatus {
    /// Name.
    pub name: String,
    /// Where it is set; `None`: not set.
    pub origin: Option<Origin>,
    /// Why it cannot be read, where it is set but cannot.
    pub error: Option<String>,
}

/// Looks secrets up. Values never show in `Debug`, logs or errors.
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    file: PathBuf,
}

impl Secrets {
    /// The store of this installation. Nothing is read yet.
    #[must_use]
    pub fn open(file: impl Into<PathBuf>) -> Self {
        Self { file: file.into() }
    }

    /// The environment variable that holds this secret.
    #[must_use]
    pub fn variable(name: &str) -> String {
        let upper: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
        format!("RMM_ANALYST_SECRET_{upper}")
    }

    fn read(&self, name: &str) -> Result<BTreeMap<String, String>, SecretError> {
        let fail = |why: String| SecretError { name: name.to_owned(), why };
        match std::fs::read_to_string(&self.file) {
            Ok(text) => toml::from_str(&text).map_err(|_| fail("the file of secrets is damaged".into())),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(BTreeMap::new()),
            Err(e) => Err(fail(e.to_string())),
        }
    }

    fn write(&self, name: &str, all: &BTreeMap<String, String>) -> Result<(), SecretError> {
        let fail = |why: String| SecretError { name: name.to_owned(), why };
        let text = toml::to_string(all).map_err(|e| fail(e.to_string()))?;
        crate::config::edit::write(&self.file, &text).map_err(|e| fail(e.to_string()))
    }

    /// The secret with this name and where it was found. `None`: not set anywhere.
    ///
    /// # Errors
    /// A configured secret that cannot be read (permissions, locked keyring) is an error: its user is
    /// switched off, never run without it.
    pub fn get(&self, name: &str) -> Result<Option<(SecretString, Origin)>, SecretError> {
        if let Ok(value) = std::env::var(Self::variable(name))
            && !value.is_empty()
        {
            return Ok(Some((value.into(), Origin::Environment)));
        }
        Ok(self.read(name)?.remove(name).map(|v| (v.into(), Origin::File)))
    }

    /// Stores a secret and says where.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn set(&self, name: &str, value: &SecretString, _to: Where) -> Result<Origin, SecretError> {
        let mut all = self.read(name)?;
        all.insert(name.to_owned(), value.expose_secret().to_owned());
        self.write(name, &all).map(|()| Origin::File)
    }

    /// Removes a secret from every store and says from which.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn remove(&self, name: &str) -> Result<Vec<Origin>, SecretError> {
        let mut all = self.read(name)?;
        if all.remove(name).is_none() {
            return Ok(Vec::new());
        }
        self.write(name, &all).map(|()| vec![Origin::File])
    }

    /// Whether the OS keyring works, why not, and what to do.
    #[must_use]
    pub fn store_status(&self) -> KeyringStatus {
        KeyringStatus { works: false, why: "the keyring is not built in yet".into(), hint: String::new() }
    }

    /// Every value under these names, and what could not be read.
    #[must_use]
    pub fn all_known(&self, names: &[&str]) -> (Vec<(String, SecretString)>, Vec<SecretError>) {
        let (mut values, mut errors) = (Vec::new(), Vec::new());
        for name in names {
            match self.get(name) {
                Ok(Some((value, _))) => values.push(((*name).to_owned(), value)),
                Ok(None) => {}
                Err(e) => errors.push(e),
            }
        }
        (values, errors)
    }

    /// What is set, for these names.
    #[must_use]
    pub fn list(&self, names: &[&str]) -> Vec<SecretStatus> {
        let status = |name: &&str| match self.get(name) {
            Ok(found) => SecretStatus { name: (*name).to_owned(), origin: found.map(|(_, o)| o), error: None },
            Err(e) => SecretStatus { name: (*name).to_owned(), origin: None, error: Some(e.why) },
        };
        names.iter().map(status).collect()
    }
}

/// Whether the keyring works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyringStatus {
    /// True when secrets can be read and written.
    pub works: bool,
    /// What it is, or why it does not work.
    pub why: String,
    /// What to do; empty when it works.
    pub hint: String,
}

/// A secret that is set but cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the secret {name} cannot be used: {why}")]
pub struct SecretError {
    /// Name.
    pub name: String,
    /// Why, without a value.
    pub why: String,
}

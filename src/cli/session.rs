//! What every command gets. Nothing is opened before a command asks for it: help and version touch no
//! disk, no keyring and no network.

use crate::cli::Globals;
use crate::cli::error::Error;
use crate::cli::output::{Output, Text};
use crate::cli::registry;
use crate::config::paths::{NoHome, Paths};
use crate::config::{self, Flag, Loaded};
use crate::redact::Redact;
use crate::secrets::{SecretStatus, Secrets};
use secrecy::{ExposeSecret as _, SecretString};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// Names of secrets that belong to no module.
const OWN_SECRETS: [&str; 3] = ["case-log", "model", "mattermost"];

/// Global flags, output, and on demand everything else.
#[derive(Debug)]
pub struct Session {
    /// The global flags.
    pub globals: Globals,
    /// The output.
    pub out: Output,
    /// One for the whole command: the keyring is asked once for each name.
    secrets: OnceCell<Secrets>,
}

impl Session {
    /// Looks at flags and streams only.
    #[must_use]
    pub fn new(globals: Globals) -> Self {
        let out = Output::system(globals.color, globals.quiet, globals.verbose);
        Self {
            globals,
            out,
            secrets: OnceCell::new(),
        }
    }

    /// One that writes nothing anywhere, for work while a screen owns the terminal.
    #[must_use]
    pub fn quiet(globals: Globals) -> Self {
        Self {
            globals,
            out: Output::silent(),
            secrets: OnceCell::new(),
        }
    }

    /// Where the files are.
    ///
    /// # Errors
    /// No home directory and no directory named.
    pub fn paths(&self) -> Result<Paths, Error> {
        let named = |flag: &Option<PathBuf>, variable: &str| {
            flag.clone().or_else(|| {
                std::env::var_os(variable)
                    .filter(|v| !v.is_empty())
                    .map(PathBuf::from)
            })
        };
        let config = named(&self.globals.config, "RMM_ANALYST_CONFIG");
        let data_dir = named(&self.globals.data_dir, "RMM_ANALYST_DATA_DIR");
        Paths::find(config.as_deref(), data_dir.as_deref())
            .map_err(|e| Error::config(e.to_string()).hint(NoHome::HINT))
    }

    /// The configuration: defaults, file, environment, then `flags` of the command. Warnings are printed.
    ///
    /// # Errors
    /// The first thing that is wrong with it; `config check` lists them all.
    pub fn config(&mut self, flags: &[Flag<'_>]) -> Result<Loaded, Error> {
        let paths = self.paths()?;
        let loaded = config::load(&paths, std::env::vars_os(), flags, &registry::known())
            .map_err(|problems| Error::from_problems(&problems))?;
        for warning in &loaded.warnings {
            let text = self.out.outside_line(warning.to_string());
            self.out.warn(text);
        }
        Ok(loaded)
    }

    /// The secret store of this installation.
    ///
    /// # Errors
    /// No place for the file of secrets.
    pub fn secrets(&self) -> Result<Secrets, Error> {
        if let Some(secrets) = self.secrets.get() {
            return Ok(secrets.clone());
        }
        let secrets = Secrets::open(self.paths()?.secrets_file());
        Ok(self.secrets.get_or_init(|| secrets).clone())
    }

    /// Where these secrets stand; never a value.
    ///
    /// # Errors
    /// As [`Session::secrets`].
    pub fn statuses(&self, names: &[String]) -> Result<Vec<SecretStatus>, Error> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Ok(self.secrets()?.list(&names))
    }

    /// Builds the redactor that knows every secret of this installation and the operator's patterns, and
    /// lets the output use it. A secret that is set but cannot be read cannot be recognised: that is said.
    ///
    /// # Errors
    /// A pattern that is no regular expression.
    pub fn redactor(&mut self, loaded: &Loaded) -> Result<Arc<Redact>, Error> {
        let secrets = self.secrets()?;
        let names = secret_names(loaded);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (mut values, unreadable) = secrets.all_known(&names);
        // Host names are written in lower case: a secret in one would come out so.
        let lower: Vec<_> = values
            .iter()
            .map(|(n, v)| (n.clone(), v.expose_secret().to_lowercase()))
            .filter(|(n, l)| !values.iter().any(|(m, v)| m == n && v.expose_secret() == l))
            .map(|(n, l)| (n, SecretString::from(l)))
            .collect();
        values.extend(lower);
        for error in unreadable {
            let text = self.out.outside_line(error.to_string());
            self.out
                .warn(Text::from(text).then("; it cannot be recognised in text either"));
        }
        let redact = Redact::new(&values, &loaded.config.redact.extra_patterns)
            .map_err(|e| Error::config("[redact] extra_patterns cannot be used").why(e))?;
        let redact = Arc::new(redact);
        self.out.set_redactor(redact.clone());
        Ok(redact)
    }
}

/// Every name under which this installation may hold a secret: the modules', the program's own, and
/// those that the configuration names.
#[must_use]
pub fn secret_names(loaded: &Loaded) -> Vec<String> {
    let mut names: BTreeSet<String> = OWN_SECRETS.into_iter().map(str::to_owned).collect();
    for spec in registry::specs() {
        names.extend(spec.secrets.iter().map(|s| (*s).to_owned()));
    }
    names.extend(loaded.config.model.api_key.clone());
    names.extend(loaded.config.modules.values().filter_map(|m| m.key.clone()));
    names.into_iter().collect()
}

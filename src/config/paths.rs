//! Where the program keeps its files.
//!
//! The configuration file is in the system's configuration directory, everything else under one data
//! directory. `--config` and `--data-dir` (or `RMM_ANALYST_CONFIG`, `RMM_ANALYST_DATA_DIR`) name others.

use std::path::{Path, PathBuf};

/// Where the program keeps its files. Nothing is created here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    config_file: Option<PathBuf>,
    config_named: bool,
    data_dir: PathBuf,
}

/// There is no home directory, and the person named no directory either.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no home directory was found, so there is no place for the program's files")]
pub struct NoHome;

impl NoHome {
    /// What to do about it.
    pub const HINT: &'static str = "set HOME, or name the places with --data-dir DIR and --config FILE (RMM_ANALYST_DATA_DIR, RMM_ANALYST_CONFIG)";
}

impl Paths {
    /// Finds the places: what was named first, else the system's directories for this user.
    ///
    /// # Errors
    /// [`NoHome`] when the data directory was not named and the user has no home directory. A missing
    /// configuration file is no error: without a home there is just none.
    pub fn find(config: Option<&Path>, data_dir: Option<&Path>) -> Result<Self, NoHome> {
        let dirs = directories::ProjectDirs::from("", "", "rmm-analyst");
        let config_file = match config {
            Some(named) => Some(named.to_owned()),
            None => dirs.as_ref().map(|d| d.config_dir().join("config.toml")),
        };
        let data_dir = match data_dir {
            Some(named) => named.to_owned(),
            None => dirs.as_ref().ok_or(NoHome)?.data_local_dir().to_owned(),
        };
        Ok(Self {
            config_file,
            config_named: config.is_some(),
            data_dir,
        })
    }

    /// The configuration file, existing or not. `None` without a home directory and without `--config`.
    #[must_use]
    pub fn config_file(&self) -> Option<&Path> {
        self.config_file.as_deref()
    }

    /// True when the person named the configuration file: then it must exist.
    #[must_use]
    pub const fn config_named(&self) -> bool {
        self.config_named
    }

    /// The data directory.
    #[must_use]
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// The database: cases, evidence, cache, audit.
    #[must_use]
    pub fn db_file(&self) -> PathBuf {
        self.data_dir.join("rmm-analyst.db")
    }

    /// The file of secrets (mode 0600), used where there is no keyring.
    #[must_use]
    pub fn secrets_file(&self) -> PathBuf {
        self.data_dir.join("secrets.toml")
    }

    /// Log files.
    #[must_use]
    pub fn log_dir(&self) -> PathBuf {
        self.data_dir.join("log")
    }

    /// Downloaded data sets (`data update`).
    #[must_use]
    pub fn data_sets_dir(&self) -> PathBuf {
        self.data_dir.join("data")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_places_win_and_everything_else_is_under_the_data_directory() {
        let paths = Paths::find(Some(Path::new("/c/x.toml")), Some(Path::new("/d"))).unwrap();
        assert_eq!(paths.config_file(), Some(Path::new("/c/x.toml")));
        assert!(paths.config_named());
        for path in [
            paths.db_file(),
            paths.secrets_file(),
            paths.log_dir(),
            paths.data_sets_dir(),
        ] {
            assert!(path.starts_with("/d"), "{}", path.display());
        }
    }
}

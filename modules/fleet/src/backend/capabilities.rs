//! Flags that say what a backend can do. *Unsupported is never shown as zero*: before a list is called empty,
//! its flag is asked.

use super::BackendError;
use std::collections::BTreeMap;

/// The name of the backend of this program's own.
pub const EMBEDDED: &str = "embedded";

/// One ability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ability {
    /// Departments below sites.
    Departments,
    /// Hardware.
    Hardware,
    /// Installed software.
    Software,
    /// Missing patches.
    PatchesList,
    /// Installs named patches and no others.
    PatchesInstall,
    /// Hashes of files on request.
    Files,
    /// Runs scripts.
    Run,
    /// Gives exit codes.
    ExitCode,
    /// Keeps standard output and standard error apart.
    SplitStreams,
    /// Stops a run.
    Cancel,
    /// Scheduled tasks.
    Tasks,
    /// Checks.
    Checks,
    /// Policies.
    Policies,
    /// Moves devices.
    Move,
    /// Deletes devices.
    Delete,
}

impl Ability {
    /// Every ability.
    pub const ALL: [Self; 15] = [
        Self::Departments,
        Self::Hardware,
        Self::Software,
        Self::PatchesList,
        Self::PatchesInstall,
        Self::Files,
        Self::Run,
        Self::ExitCode,
        Self::SplitStreams,
        Self::Cancel,
        Self::Tasks,
        Self::Checks,
        Self::Policies,
        Self::Move,
        Self::Delete,
    ];

    /// What it is to have it, as a verb with its object.
    #[must_use]
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Departments => "hold departments",
            Self::Hardware => "report hardware",
            Self::Software => "list software",
            Self::PatchesList => "list patches",
            Self::PatchesInstall => "install exactly the patches that were approved",
            Self::Files => "report hashes of files",
            Self::Run => "run scripts",
            Self::ExitCode => "report exit codes",
            Self::SplitStreams => "keep standard output and standard error apart",
            Self::Cancel => "stop a run",
            Self::Tasks => "hold scheduled tasks",
            Self::Checks => "hold checks",
            Self::Policies => "hold policies",
            Self::Move => "move devices",
            Self::Delete => "delete devices",
        }
    }

    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// A set of abilities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities(u32);

impl Capabilities {
    /// All abilities.
    #[must_use]
    pub fn all() -> Self {
        Self::of(&Ability::ALL)
    }

    /// These and no others.
    #[must_use]
    pub fn of(abilities: &[Ability]) -> Self {
        Self(abilities.iter().fold(0, |set, a| set | a.bit()))
    }

    /// Whether it is there.
    #[must_use]
    pub const fn has(self, ability: Ability) -> bool {
        self.0 & ability.bit() != 0
    }
}

/// The backends of this installation and what each can do.
#[derive(Clone, Debug)]
pub struct Directory {
    backends: BTreeMap<String, Capabilities>,
}

impl Default for Directory {
    /// The embedded one.
    fn default() -> Self {
        Self {
            backends: BTreeMap::from([(EMBEDDED.to_owned(), Capabilities::all())]),
        }
    }
}

impl Directory {
    /// Adds a backend.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, capabilities: Capabilities) -> Self {
        self.backends.insert(name.into(), capabilities);
        self
    }

    /// What a backend can do; nothing where it is not configured any more.
    #[must_use]
    pub fn of(&self, backend: &str) -> Capabilities {
        self.backends.get(backend).copied().unwrap_or_default()
    }

    /// Whether it is there.
    #[must_use]
    pub fn has(&self, backend: &str, ability: Ability) -> bool {
        self.of(backend).has(ability)
    }

    /// Says no where the ability is missing.
    ///
    /// # Errors
    /// [`BackendError::Unsupported`].
    pub fn need(&self, backend: &str, ability: Ability) -> Result<(), BackendError> {
        if self.has(backend, ability) {
            Ok(())
        } else {
            Err(BackendError::Unsupported {
                backend: backend.to_owned(),
                what: ability.verb(),
            })
        }
    }

    /// Backends by name with what they can do.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Capabilities)> {
        self.backends.iter().map(|(n, c)| (n.as_str(), *c))
    }
}

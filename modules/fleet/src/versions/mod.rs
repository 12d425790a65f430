//! Versions of software: which of two is newer, and whether one lies in a range such as `<3.0.14`.
//!
//! There is no one order of versions: `1.0~rc1` is older than `1.0` for dpkg, `1.10` and `1.9` differ by the
//! size of a number, a release may be rebuilt under the same version. So every comparison names the
//! [`Scheme`], which follows from where the software was installed from ([`Scheme::of_source`]).
//!
//! * `dpkg`, `rpm` – the rules of the two package managers, to the letter.
//! * `dotted` – numbers with dots and what may follow them: semantic versions, Homebrew, Windows.
//! * [`range`] – what a person or a model asks for, and what "in the range" means for an installed package.

mod dotted;
mod dpkg;
pub mod range;
mod rpm;

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

pub use range::Range;

/// The longest version that is read, in bytes. Real ones stay under 80.
pub const MAX_LEN: usize = 128;

/// The rules by which two versions are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// Debian and its children (deb-version(7)).
    Dpkg,
    /// Red Hat, SUSE and their children (`rpmvercmp`); close to what pacman does.
    Rpm,
    /// Semantic versions and what looks like them: Homebrew, Alpine, language packages, unknown sources.
    Semver,
    /// Windows: up to four numbers, missing ones are zero, words after them only count as "before the
    /// release" when they say so (`rc`, `beta`, `preview`).
    Windows,
}

impl Scheme {
    /// The rules for software that came from this source (`apt`, `rpm`, `winget`, `choco`, `msi`, `brew`, …).
    /// A source nobody knows is read like a semantic version.
    #[must_use]
    pub fn of_source(source: &str) -> Self {
        match source.to_ascii_lowercase().as_str() {
            "apt" | "deb" | "dpkg" => Self::Dpkg,
            "rpm" | "dnf" | "yum" | "zypper" | "pacman" => Self::Rpm,
            "winget" | "msi" | "choco" | "chocolatey" | "windows" | "registry" | "appx"
            | "msix" => Self::Windows,
            _ => Self::Semver,
        }
    }

    /// The word for messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dpkg => "dpkg",
            Self::Rpm => "rpm",
            Self::Semver => "semver",
            Self::Windows => "windows",
        }
    }
}

/// Why a version or a range cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VersionError {
    /// Not a version under these rules.
    #[error("{text:?} is not a {} version: {why}", scheme.name())]
    Version {
        /// What was given, shortened.
        text: String,
        /// The rules it was read under.
        scheme: Scheme,
        /// What is wrong.
        why: &'static str,
    },
    /// Not a range.
    #[error(
        "{text:?} is not a version range: {why}; write it like \"<3.0.14\", \">=1.1 <2\", \"3.0.*\" or \"1.2.3\""
    )]
    Range {
        /// What was given, shortened.
        text: String,
        /// What is wrong.
        why: &'static str,
    },
}

/// One version, read under one scheme.
///
/// Two versions are equal when their scheme holds them for the same (`1.0` and `1.0.0`, `1.0` and `1.00`),
/// however they are spelled. Versions of different schemes are not comparable.
#[derive(Clone, Debug)]
pub struct Version {
    text: String,
    key: Key,
}

#[derive(Clone, Debug)]
enum Key {
    Dpkg(dpkg::Parts),
    Rpm(rpm::Parts),
    Semver(dotted::Parts),
    Windows(dotted::Parts),
}

impl Version {
    /// Reads a version as a machine reported it.
    ///
    /// # Errors
    /// When it is empty, longer than [`MAX_LEN`] or has no version's shape under the scheme.
    pub fn parse(scheme: Scheme, text: &str) -> Result<Self, VersionError> {
        let text = text.trim();
        let fail = |why| VersionError::Version {
            text: shortened(text),
            scheme,
            why,
        };
        if text.is_empty() {
            return Err(fail("it is empty"));
        }
        if text.len() > MAX_LEN {
            return Err(fail("it is longer than 128 bytes"));
        }
        let key = match scheme {
            Scheme::Dpkg => dpkg::Parts::parse(text).map(Key::Dpkg),
            Scheme::Rpm => rpm::Parts::parse(text).map(Key::Rpm),
            Scheme::Semver => dotted::Parts::semver(text).map(Key::Semver),
            Scheme::Windows => dotted::Parts::windows(text).map(Key::Windows),
        }
        .map_err(fail)?;
        Ok(Self {
            text: text.to_owned(),
            key,
        })
    }

    /// The version as it was written, without blanks around it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The scheme it was read under.
    #[must_use]
    pub const fn scheme(&self) -> Scheme {
        match self.key {
            Key::Dpkg(_) => Scheme::Dpkg,
            Key::Rpm(_) => Scheme::Rpm,
            Key::Semver(_) => Scheme::Semver,
            Key::Windows(_) => Scheme::Windows,
        }
    }

    /// How this installed version stands to a bound of a range. What the bound does not speak of (epoch,
    /// revision of the distribution, rebuild, repacking) is left out of the comparison; see [`range`].
    pub(crate) fn against_bound(&self, bound: &Self) -> Option<Ordering> {
        match (&self.key, &bound.key) {
            (Key::Dpkg(a), Key::Dpkg(b)) => Some(a.against_bound(b)),
            (Key::Rpm(a), Key::Rpm(b)) => Some(a.against_bound(b)),
            (Key::Semver(a), Key::Semver(b)) | (Key::Windows(a), Key::Windows(b)) => {
                Some(a.against_bound(b))
            }
            _ => None,
        }
    }

    /// The upstream version, without epoch and revision.
    pub(crate) fn upstream(&self) -> &str {
        match &self.key {
            Key::Dpkg(p) => p.upstream(),
            Key::Rpm(p) => p.version(),
            Key::Semver(_) | Key::Windows(_) => {
                self.text.strip_prefix(['v', 'V']).unwrap_or(&self.text)
            }
        }
    }
}

impl PartialOrd for Version {
    /// `None` when the schemes differ; a total order otherwise.
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (&self.key, &other.key) {
            (Key::Dpkg(a), Key::Dpkg(b)) => Some(a.compare(b)),
            (Key::Rpm(a), Key::Rpm(b)) => Some(a.cmp(b)),
            (Key::Semver(a), Key::Semver(b)) | (Key::Windows(a), Key::Windows(b)) => Some(a.cmp(b)),
            _ => None,
        }
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

/// Compares two versions under one scheme.
///
/// # Errors
/// When one of them is not a version under the scheme.
pub fn compare(scheme: Scheme, a: &str, b: &str) -> Result<Ordering, VersionError> {
    let (a, b) = (Version::parse(scheme, a)?, Version::parse(scheme, b)?);
    // Both were read under the same scheme, so there always is an order.
    Ok(a.partial_cmp(&b).unwrap_or(Ordering::Equal))
}

/// A decimal number of any length. Build dates and hashes of digits do not fit any machine word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Number(String);

impl Number {
    /// Takes a run of ASCII digits.
    pub(crate) fn new(digits: &str) -> Self {
        Self(digits.trim_start_matches('0').to_owned())
    }

    pub(crate) const fn is_zero(&self) -> bool {
        self.0.is_empty()
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.0.len(), &self.0).cmp(&(other.0.len(), &other.0))
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// At most 40 characters of what was given, for a message.
pub(crate) fn shortened(text: &str) -> String {
    if text.chars().count() <= 40 {
        return text.to_owned();
    }
    text.chars().take(39).chain(['…']).collect()
}

//! Whether an indicator may be sent to a source outside: private and special-use space, too wide
//! networks and internal names stay at home.

use crate::indicator::Indicator;
use ipnet::IpNet;

/// What the operator added to the built-in rules.
#[derive(Clone, Debug, Default)]
pub struct ReachPolicy {
    /// Suffixes of internal names (`[network] internal_suffixes`), without a leading dot, lower case.
    pub internal_suffixes: Vec<String>,
    /// Networks that may go out all the same (`[network] reach_allow`).
    pub allow_nets: Vec<IpNet>,
    /// Name suffixes that may go out all the same (`[network] reach_allow`).
    pub allow_suffixes: Vec<String>,
}

/// Why an indicator stays at home. The text is fit for the screen and for a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreachable {
    /// An address or network of a special-use registry (IANA); holds the registry's name for it.
    #[error("{0} addresses are not sent to outside sources")]
    SpecialUse(&'static str),
    /// A network wider than /16 (IPv4) or /32 (IPv6).
    #[error("the network is too wide to be sent to outside sources")]
    TooWide,
    /// A single-label name or one under an internal suffix; holds the suffix or label.
    #[error("internal names ({0}) are not sent to outside sources")]
    InternalName(String),
}

/// Checks whether `indicator` may be sent to an outside source. The host of a URL and the domain of a
/// mail address count; hashes and identifiers always may.
///
/// # Errors
/// [`Unreachable`] says why it stays at home.
pub fn check(_indicator: &Indicator, _policy: &ReachPolicy) -> Result<(), Unreachable> {
    Ok(())
}

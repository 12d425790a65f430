//! The contract of a look-up module. What a module may do is a fact in code: its types, whether a model
//! may use it, the hosts it may reach. Configuration can only subtract.

use crate::indicator::{Indicator, IndicatorType};
use crate::outcome::Outcome;
use crate::ports::{DataPort, DataSpec, DnsPort, Fut, HistoryPort, HttpPort};
use secrecy::SecretString;

/// Whether a look-up touches the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Asks a third party; the target learns nothing.
    Passive,
    /// Touches the target or its infrastructure. People only: never offered to a model.
    Active,
    /// Never leaves the machine.
    Offline,
}

/// Whether a key is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyNeed {
    /// No key.
    None,
    /// Works without, better with one.
    Optional,
    /// A free account.
    Free,
    /// A paid account.
    Paid,
}

impl KeyNeed {
    /// True when nothing can be asked without a key.
    #[must_use]
    pub const fn required(self) -> bool {
        matches!(self, Self::Free | Self::Paid)
    }
}

/// A token bucket for one key: `calls` in each `per_s` seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// Calls allowed in the window.
    pub calls: u32,
    /// Length of the window in seconds.
    pub per_s: u64,
}

/// Help of a module.
#[derive(Clone, Copy, Debug)]
pub struct Help {
    /// What the source knows, in one sentence; shown to people and to the model.
    pub what: &'static str,
    /// An example value.
    pub example: &'static str,
    /// How to get a key, as one sentence; empty where none is needed.
    pub get_key: &'static str,
}

/// A data set that names hosts.
#[derive(Clone, Copy, Debug)]
pub struct HostsFrom {
    /// Name of the [`DataSpec`].
    pub set: &'static str,
    /// Reads the hosts out of the set, lower case, without port; nothing where the set is unreadable.
    pub hosts: fn(&[u8]) -> Vec<String>,
}

/// Facts about a module. Types are required: a module without them does not pass the registry's test.
#[derive(Clone, Copy, Debug)]
pub struct ModuleSpec {
    /// Name, lower case; `@name` runs it.
    pub name: &'static str,
    /// Types it takes.
    pub types: &'static [IndicatorType],
    /// Whether a model may use it. A fact in code; no configuration can set it.
    pub ai_tool: bool,
    /// Whether it touches the target.
    pub activity: Activity,
    /// True when what it returns must not go to a model outside this machine (case memory).
    pub local_model_only: bool,
    /// Key.
    pub key: KeyNeed,
    /// Names of secrets, first that is set; the first is the default one.
    pub secrets: &'static [&'static str],
    /// Base URL of the source, without a trailing slash; empty for offline modules.
    pub base_url: &'static str,
    /// Hosts it may reach besides the base URL's.
    pub hosts: &'static [&'static str],
    /// Hosts that data sets name (RDAP's bootstrap files), besides [`hosts`](Self::hosts). Empty for
    /// every other module; unused where a base URL is configured.
    pub hosts_from: &'static [HostsFrom],
    /// Data sets it uses.
    pub data: &'static [DataSpec],
    /// Windows of the rate limit; a call must fit in all.
    pub rate: &'static [RateLimit],
    /// Seconds for which an answer is served from the cache.
    pub ttl_s: u64,
    /// Help.
    pub help: Help,
}

impl ModuleSpec {
    /// Whether the module takes this type.
    #[must_use]
    pub fn takes(&self, kind: IndicatorType) -> bool {
        self.types.contains(&kind)
    }
}

/// What a module gets for one call.
pub struct Context<'a> {
    /// HTTP, bound to the module's hosts.
    pub http: &'a dyn HttpPort,
    /// The system's resolver.
    pub dns: &'a dyn DnsPort,
    /// Data sets.
    pub data: &'a dyn DataPort,
    /// Memory of cases.
    pub history: &'a dyn HistoryPort,
    /// Milliseconds since the Unix epoch.
    pub now_ms: i64,
    /// The key, where one is set.
    pub key: Option<&'a SecretString>,
    /// Base URL without a trailing slash: the spec's, or the configured one.
    pub base_url: &'a str,
    /// True when `base_url` was configured: then it is the only host that may be asked.
    pub base_url_configured: bool,
}

/// A look-up against one source.
pub trait Module: Send + Sync {
    /// Facts about it.
    fn spec(&self) -> &'static ModuleSpec;

    /// Looks one indicator up. The runner has checked type, key, rate and permit, sets the deadline and
    /// drops the future to cancel. Never panics, whatever the source answers.
    fn lookup<'a>(&'a self, subject: &'a Indicator, cx: &'a Context<'a>) -> Fut<'a, Outcome>;
}

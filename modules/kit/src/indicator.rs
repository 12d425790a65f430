//! A typed value in canonical form. The canonical form is the key everywhere: in authorization,
//! dispatch, cache, evidence and reports.

mod lookalike;

use crate::classify::{address, name};
pub use lookalike::LookAlike;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The kinds of indicator that the program knows. The serialised name (lower case) is the one used in
/// JSON, on screen and in the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IndicatorType {
    /// IPv4 address, dotted decimal.
    Ip,
    /// IPv6 address, RFC 5952 form; an IPv4-mapped one is an [`IndicatorType::Ip`].
    Ipv6,
    /// Network in CIDR notation, host bits cleared, prefix always written.
    Cidr,
    /// Host name with a public suffix (or named on purpose), A-labels, lower case, no trailing dot.
    Domain,
    /// Absolute URL as the WHATWG URL standard serialises it.
    Url,
    /// MD5, 32 lower-case hex digits.
    Md5,
    /// SHA-1, 40 lower-case hex digits.
    Sha1,
    /// SHA-256, 64 lower-case hex digits.
    Sha256,
    /// SHA-512, 128 lower-case hex digits.
    Sha512,
    /// Mail address, domain part in A-labels, lower case.
    Email,
    /// CVE identifier, upper case (`CVE-2024-3094`).
    Cve,
    /// Autonomous system number, `AS` and digits.
    Asn,
    /// Hardware address, six lower-case octets joined by colons.
    Mac,
    /// Tor onion service name (version 2 or 3), lower case.
    Onion,
    /// MITRE ATT&CK technique or sub-technique id (`T1059.001`).
    Attack,
    /// Bitcoin address.
    Btc,
    /// Ethereum address, lower-case hex with `0x`.
    Eth,
    /// ssdeep fuzzy hash.
    Ssdeep,
    /// JA3 client fingerprint (MD5 shape, told from a hash by its label).
    Ja3,
    /// JA3S server fingerprint (MD5 shape, told from a hash by its label).
    Ja3s,
}

impl IndicatorType {
    /// Every type, in the order in which help lists them.
    pub const ALL: [Self; 20] = [
        Self::Ip,
        Self::Ipv6,
        Self::Cidr,
        Self::Domain,
        Self::Url,
        Self::Md5,
        Self::Sha1,
        Self::Sha256,
        Self::Sha512,
        Self::Email,
        Self::Cve,
        Self::Asn,
        Self::Mac,
        Self::Onion,
        Self::Attack,
        Self::Btc,
        Self::Eth,
        Self::Ssdeep,
        Self::Ja3,
        Self::Ja3s,
    ];

    /// The stable lower-case name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ip => "ip",
            Self::Ipv6 => "ipv6",
            Self::Cidr => "cidr",
            Self::Domain => "domain",
            Self::Url => "url",
            Self::Md5 => "md5",
            Self::Sha1 => "sha1",
            Self::Sha256 => "sha256",
            Self::Sha512 => "sha512",
            Self::Email => "email",
            Self::Cve => "cve",
            Self::Asn => "asn",
            Self::Mac => "mac",
            Self::Onion => "onion",
            Self::Attack => "attack",
            Self::Btc => "btc",
            Self::Eth => "eth",
            Self::Ssdeep => "ssdeep",
            Self::Ja3 => "ja3",
            Self::Ja3s => "ja3s",
        }
    }

    /// The type with this [`name`](Self::name), if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.name() == name)
    }

    /// True for MD5, SHA-1, SHA-256 and SHA-512.
    #[must_use]
    pub const fn is_hash(self) -> bool {
        matches!(self, Self::Md5 | Self::Sha1 | Self::Sha256 | Self::Sha512)
    }
}

impl fmt::Display for IndicatorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A value of one type in canonical form. Two indicators are the same exactly when both fields are
/// equal. Only the readers of this crate make one from text; deserialising is for the program's own
/// log, whose integrity the hash chain guards.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Indicator {
    #[serde(rename = "type")]
    kind: IndicatorType,
    value: String,
}

impl Indicator {
    /// Builds an indicator from a value that is already canonical.
    pub(crate) fn canonical(kind: IndicatorType, value: impl Into<String>) -> Self {
        Self {
            kind,
            value: value.into(),
        }
    }

    /// The type.
    #[must_use]
    pub const fn kind(&self) -> IndicatorType {
        self.kind
    }

    /// The canonical form.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The host of a URL as an indicator of its own (a domain, an onion service, an IPv4 or an IPv6
    /// address), canonical. `None` for every other type and for hosts that are none of these.
    #[must_use]
    pub fn host(&self) -> Option<Self> {
        if self.kind != IndicatorType::Url {
            return None;
        }
        let url = url::Url::parse(&self.value).ok()?;
        let host = url.host_str()?;
        let bare = host
            .strip_prefix('[')
            .and_then(|h| h.strip_suffix(']'))
            .unwrap_or(host);
        address::ipv4(bare)
            .or_else(|| address::ipv6(bare))
            .or_else(|| name::domain(bare))
    }

    /// The one address of a /32 or /128 network, which equals it in authorization. `None` for everything
    /// else.
    #[must_use]
    pub fn single_address(&self) -> Option<Self> {
        if self.kind != IndicatorType::Cidr {
            return None;
        }
        let (address, length) = self.value.split_once('/')?;
        match length {
            "32" => address::ipv4(address),
            "128" => address::ipv6(address),
            _ => None,
        }
    }

    /// The form for a person to read where a click must not follow it: `hxxp`, `[.]` and `[:]`.
    /// Hashes and identifiers come back unchanged. [`classify`](crate::classify()) reads it back to this indicator.
    #[must_use]
    pub fn defanged(&self) -> String {
        match self.kind {
            IndicatorType::Ip | IndicatorType::Domain | IndicatorType::Onion => {
                self.value.replacen('.', "[.]", 1)
            }
            IndicatorType::Email => match self.value.rsplit_once('@') {
                Some((local, host)) => format!("{local}[@]{}", host.replacen('.', "[.]", 1)),
                None => self.value.clone(),
            },
            IndicatorType::Cidr | IndicatorType::Ipv6 => {
                if self.value.contains('.') {
                    self.value.replacen('.', "[.]", 1)
                } else {
                    self.value.replacen(':', "[:]", 1)
                }
            }
            IndicatorType::Url => self.defanged_url(),
            _ => self.value.clone(),
        }
    }

    /// `hxxp` for `http`, `[:]//` behind every other scheme, and the first dot (or colon) of the host.
    fn defanged_url(&self) -> String {
        let Some((scheme, rest)) = self.value.split_once("://") else {
            return self.value.clone();
        };
        let split = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(split);
        let (user, host) = authority
            .rfind('@')
            .map_or(("", authority), |at| authority.split_at(at + 1));
        let host = if host.starts_with('[') {
            host.replacen(':', "[:]", 1)
        } else {
            host.replacen('.', "[.]", 1)
        };
        match scheme.strip_prefix("http") {
            Some(secure) => format!("hxxp{secure}://{user}{host}{path}"),
            None => format!("{scheme}[:]//{user}{host}{path}"),
        }
    }

    /// The form for a person to read: where the name holds A-labels (`xn--…`), the Unicode form with the
    /// canonical one beside it, and a warning when the letters imitate others. Everything else is the
    /// canonical form.
    #[must_use]
    pub fn readable(&self) -> String {
        match (self.unicode(), self.look_alike()) {
            (None, _) => self.value.clone(),
            (Some(unicode), None) => format!("{unicode} ({})", self.value),
            (Some(unicode), Some(mark)) => format!("{unicode} ({}, {mark})", self.value),
        }
    }

    /// The Unicode form of a name with A-labels; `None` when there is none to show, also when it would
    /// hold characters that are not letters, digits or hyphens.
    #[must_use]
    pub fn unicode(&self) -> Option<String> {
        let name = self.host_part()?;
        let unicode = lookalike::to_unicode(name)?;
        Some(self.value.replacen(name, &unicode, 1))
    }

    /// How the letters of an internationalised name may deceive; `None` when they do not.
    #[must_use]
    pub fn look_alike(&self) -> Option<LookAlike> {
        lookalike::of_name(&lookalike::to_unicode(self.host_part()?)?)
    }

    /// The host name inside the value.
    fn host_part(&self) -> Option<&str> {
        match self.kind {
            IndicatorType::Domain => Some(&self.value),
            IndicatorType::Email => self.value.rsplit_once('@').map(|(_, host)| host),
            IndicatorType::Url => {
                let (_, rest) = self.value.split_once("://")?;
                let authority = rest.split(['/', '?', '#']).next()?;
                let host = authority.rsplit('@').next()?;
                host.split(':').next()
            }
            _ => None,
        }
    }
}

impl fmt::Display for Indicator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.value)
    }
}

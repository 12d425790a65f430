//! A typed value in canonical form. The canonical form is the key everywhere: in authorization,
//! dispatch, cache, evidence and reports.

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

    /// The host of a URL as an indicator of its own (a domain, an IPv4 or an IPv6 address), canonical.
    /// `None` for every other type and for hosts that are neither.
    #[must_use]
    pub fn host(&self) -> Option<Self> {
        if self.kind != IndicatorType::Url {
            return None;
        }
        let url = url::Url::parse(&self.value).ok()?;
        match url.host()? {
            url::Host::Domain(d) => {
                crate::classify::classify(d).filter(|i| i.kind == IndicatorType::Domain)
            }
            url::Host::Ipv4(a) => Some(Self::canonical(IndicatorType::Ip, a.to_string())),
            url::Host::Ipv6(a) => match a.to_ipv4_mapped() {
                Some(v4) => Some(Self::canonical(IndicatorType::Ip, v4.to_string())),
                None => Some(Self::canonical(IndicatorType::Ipv6, a.to_string())),
            },
        }
    }

    /// The form for a person to read where a click must not follow it: `hxxp`, `[.]` and `[:]`.
    /// Hashes and identifiers come back unchanged.
    #[must_use]
    pub fn defanged(&self) -> String {
        match self.kind {
            IndicatorType::Ip
            | IndicatorType::Domain
            | IndicatorType::Email
            | IndicatorType::Onion => self.value.replacen('.', "[.]", 1).replace('@', "[@]"),
            IndicatorType::Cidr | IndicatorType::Ipv6 => {
                if self.value.contains('.') {
                    self.value.replacen('.', "[.]", 1)
                } else {
                    self.value.replacen(':', "[:]", 1)
                }
            }
            IndicatorType::Url => {
                let v = if self.value.starts_with("http") {
                    self.value.replacen("http", "hxxp", 1)
                } else {
                    self.value.clone()
                };
                match v.find("://") {
                    Some(at) => {
                        let (scheme, rest) = v.split_at(at + 3);
                        format!("{scheme}{}", rest.replacen('.', "[.]", 1))
                    }
                    None => v,
                }
            }
            _ => self.value.clone(),
        }
    }
}

impl fmt::Display for Indicator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.value)
    }
}

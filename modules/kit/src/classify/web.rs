//! URLs in the form of the WHATWG URL standard.

use super::{address, name};
use crate::indicator::{Indicator, IndicatorType};
use url::Url;

/// The longest URL that is read, in bytes. Longer ones are data, not an address to look up.
pub(crate) const MAX_URL: usize = 8192;

/// What a text writes in front of `://`, once undone: the real scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scheme {
    pub(crate) name: &'static str,
    /// Written so that nobody clicks (`hxxp`, `meow`).
    pub(crate) defanged: bool,
}

/// Schemes that name something on a network.
const SCHEMES: &[&str] = &[
    "http", "https", "ftp", "ftps", "sftp", "ws", "wss", "tcp", "udp", "tls", "ssl", "ssh", "rdp",
    "ldap", "ldaps", "smb", "irc", "ircs", "socks", "socks4", "socks5", "socks5h", "telnet", "vnc",
    "rtsp", "rtmp", "mqtt", "mqtts", "nfs", "dns", "doh", "dot", "quic", "kcp", "git", "svn",
    "tftp", "scp", "gopher", "stratum", "rsync", "vless", "trojan", "imap", "smtp", "pop3",
];

/// Reads a scheme as analysts write it: `hxxp`, `h**p`, `hXXps`, `meow`, `fxp`, or a plain one.
pub(crate) fn scheme(text: &str) -> Option<Scheme> {
    if text.len() > 12 || text.is_empty() {
        return None;
    }
    match text {
        "http" => {
            return Some(Scheme {
                name: "http",
                defanged: false,
            });
        }
        "https" => {
            return Some(Scheme {
                name: "https",
                defanged: false,
            });
        }
        _ => {}
    }
    let lower = text.to_ascii_lowercase();
    if let Some(name) = SCHEMES.iter().find(|s| **s == lower) {
        return Some(Scheme {
            name,
            defanged: false,
        });
    }
    let defanged = |name| {
        Some(Scheme {
            name,
            defanged: true,
        })
    };
    match lower.as_str() {
        "meow" => return defanged("http"),
        "meows" => return defanged("https"),
        "fxp" | "f*p" | "fxxp" => return defanged("ftp"),
        "fxps" => return defanged("ftps"),
        "sfxp" => return defanged("sftp"),
        "wxs" | "w*s" => return defanged("ws"),
        "stratum+tcp" | "stratum+ssl" => {
            return Some(Scheme {
                name: "stratum",
                defanged: false,
            });
        }
        _ => {}
    }
    let (middle, secure) = match lower.strip_prefix('h') {
        Some(rest) => match rest
            .strip_suffix("ps")
            .or_else(|| rest.strip_suffix("p[s]"))
        {
            Some(m) => (m, true),
            None => (rest.strip_suffix('p')?, false),
        },
        None => return None,
    };
    let filler = (1..=4).contains(&middle.len())
        && middle.bytes().all(|b| {
            matches!(
                b,
                b'x' | b't' | b'*' | b'_' | b'+' | b'#' | b'-' | b'z' | b'.' | b'q'
            )
        });
    if filler {
        defanged(if secure { "https" } else { "http" })
    } else {
        None
    }
}

/// Reads a whole text as a URL. `None` when the scheme is not one of ours, the host is not a host, or
/// blanks or control characters are inside.
pub(crate) fn url(text: &str) -> Option<Indicator> {
    let (scheme_text, rest) = split_scheme(text)?;
    let scheme = scheme(scheme_text)?;
    url_of(scheme.name, rest)
}

/// Splits `scheme://rest` (or `scheme:\\rest`).
pub(crate) fn split_scheme(text: &str) -> Option<(&str, &str)> {
    let colon = text.find(':')?;
    let rest = text.get(colon + 1..)?;
    let rest = rest
        .strip_prefix("//")
        .or_else(|| rest.strip_prefix("\\\\"))?;
    Some((&text[..colon], rest))
}

/// Builds the canonical URL of a scheme and what stands behind `://`.
pub(crate) fn url_of(scheme: &str, rest: &str) -> Option<Indicator> {
    if rest.is_empty() || rest.len() > MAX_URL || rest.starts_with(['/', '\\']) {
        return None;
    }
    if rest.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return None;
    }
    let special = matches!(scheme, "http" | "https" | "ftp" | "ws" | "wss");
    let mut parsed = if special {
        Url::parse(&format!("{scheme}://{rest}")).ok()?
    } else {
        // The parser leaves the host of a scheme outside its "special" list as it is written.
        Url::parse(&format!("{scheme}://{}", with_canonical_host(rest)?)).ok()?
    };
    if special && let url::Host::Domain(host) = parsed.host()? {
        let wanted = canonical_host(host)?;
        if wanted != host {
            parsed.set_host(Some(&wanted)).ok()?;
        }
    }
    parsed.host()?;
    Some(Indicator::canonical(
        IndicatorType::Url,
        String::from(parsed),
    ))
}

/// What stands behind `://` with its host in canonical form.
fn with_canonical_host(rest: &str) -> Option<String> {
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (user, host) = authority.split_at(authority.rfind('@').map_or(0, |at| at + 1));
    if host.starts_with('[') {
        return Some(rest.to_owned());
    }
    let (name, port) = host.split_at(host.find(':').unwrap_or(host.len()));
    Some(format!("{user}{}{port}{path}", canonical_host(name)?))
}

/// A host in a URL: an address or a name without a trailing dot.
pub(crate) fn canonical_host(host: &str) -> Option<String> {
    if let Some(ip) = address::ipv4(host) {
        return Some(ip.value().to_owned());
    }
    if address::is_ambiguous(host) {
        return None;
    }
    name::url_host(host)
}

//! The address of a model server: what people write, and whether it is on this machine or network.

use super::error::ModelError;
use crate::config::settings::NetworkConfig;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;
use tokio::time::timeout;
use url::{Host, Url};

/// Ollama's default port, used when a bare host is given.
const OLLAMA_PORT: u16 = 11434;

/// Reads `base_url` as people write it: with or without scheme, `/v1` and trailing slash. The result has
/// none of the last two, so that `/v1/…` and `/api/…` can be appended.
pub(super) fn normalize(written: &str) -> Result<Url, ModelError> {
    let text = written.trim();
    let bad = |why: &str| ModelError::BadBaseUrl {
        url: shown(text),
        why: why.to_owned(),
    };
    if text.is_empty() {
        return Err(bad("it is empty"));
    }
    let (with_scheme, bare) = if text.contains("://") {
        (text.to_owned(), false)
    } else if let Ok(v6) = text.parse::<Ipv6Addr>() {
        (format!("http://[{v6}]"), true)
    } else {
        (format!("http://{text}"), true)
    };
    let mut url = Url::parse(&with_scheme).map_err(|e| bad(&e.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(bad("only http and https are possible"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(bad("it holds a user name or password"));
    }
    let Some(host) = url.host().map(|h| h.to_owned()) else {
        return Err(bad("it names no host"));
    };
    url.set_query(None);
    url.set_fragment(None);
    let failed = |_| bad("it cannot be a base of requests");
    // 0.0.0.0 and [::] are for binding; a client means this machine.
    match host {
        Host::Ipv4(ip) if ip.is_unspecified() => {
            url.set_ip_host(IpAddr::V4(Ipv4Addr::LOCALHOST))
                .map_err(failed)?;
        }
        Host::Ipv6(ip) if ip.is_unspecified() => {
            url.set_ip_host(IpAddr::V6(Ipv6Addr::LOCALHOST))
                .map_err(failed)?;
        }
        _ => {}
    }
    if bare {
        if looks_local(&url) {
            if url.port().is_none() && !has_port(&with_scheme) {
                url.set_port(Some(OLLAMA_PORT)).map_err(failed)?;
            }
        } else if !has_port(&with_scheme) {
            url.set_scheme("https").map_err(failed)?;
        }
    }
    let mut path = url.path().trim_end_matches('/').to_owned();
    for tail in ["/chat/completions", "/api/chat", "/api/tags", "/models"] {
        if let Some(rest) = path.strip_suffix(tail) {
            path = rest.trim_end_matches('/').to_owned();
        }
    }
    if let Some(rest) = path.strip_suffix("/v1") {
        path = rest.trim_end_matches('/').to_owned();
    }
    url.set_path(&path);
    Ok(url)
}

/// The URL without a slash at its end.
pub(super) fn root(url: &Url) -> String {
    url.as_str().trim_end_matches('/').to_owned()
}

/// A URL as written, without credentials, for error texts.
fn shown(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_control()).take(200).collect();
    match (text.find("://"), text.rfind('@')) {
        (Some(start), Some(at)) if at > start => format!("{}://…{}", &text[..start], &text[at..]),
        (None, Some(at)) => format!("…{}", &text[at..]),
        _ => text,
    }
}

/// Whether what was written names a port (Url drops the scheme's default one).
fn has_port(text: &str) -> bool {
    let after_scheme = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = after_scheme.split('/').next().unwrap_or_default();
    let after_host = authority
        .rsplit_once(']')
        .map_or(authority, |(_, rest)| rest);
    after_host
        .rsplit_once(':')
        .is_some_and(|(_, p)| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether a bare host reads like one of this network; only decides the default scheme and port.
fn looks_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => is_local_ip(IpAddr::V4(ip)),
        Some(Host::Ipv6(ip)) => is_local_ip(IpAddr::V6(ip)),
        Some(Host::Domain(name)) => is_localhost(name) || !name.trim_end_matches('.').contains('.'),
        None => false,
    }
}

/// Loopback or private (RFC 1918, RFC 4193). Link-local is neither: on rented machines the provider's
/// metadata service answers there (169.254.169.254), and who is on the same wire is nobody's choice.
pub(super) fn is_local_ip(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        IpAddr::V4(v4) => v4.is_loopback() || v4.is_private(),
        IpAddr::V6(v6) => v6.is_loopback() || (v6.is_unique_local() && !is_metadata(v6)),
    }
}

/// The prefix fd00:ec2::/32, in which Amazon EC2 has its metadata, DNS and time services (EC2 user guide,
/// "Use the Instance Metadata Service").
fn is_metadata(v6: Ipv6Addr) -> bool {
    matches!(v6.segments(), [0xfd00, 0x0ec2, ..])
}

/// `localhost` and names under it (RFC 6761: always loopback).
fn is_localhost(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost")
}

/// Where prompts would go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// This machine or network. A name that was looked up is pinned to the addresses that were judged, so
    /// that it cannot mean another place at the next look-up.
    Local {
        /// Addresses of the name; empty for an address literal or an internal suffix.
        pinned: Vec<SocketAddr>,
    },
    /// Somewhere else; holds why.
    Remote(String),
}

/// Judges where the host of `url` is.
///
/// # Errors
/// [`ModelError::Unreachable`] for a name that does not resolve and that nothing else places.
pub(super) async fn place(
    url: &Url,
    net: &NetworkConfig,
    allow_remote: bool,
    limit: Duration,
) -> Result<Place, ModelError> {
    let port = url.port_or_known_default().unwrap_or(80);
    let name = match url.host() {
        Some(Host::Ipv4(ip)) => return Ok(place_ip(IpAddr::V4(ip))),
        Some(Host::Ipv6(ip)) => return Ok(place_ip(IpAddr::V6(ip))),
        Some(Host::Domain(name)) => name.trim_end_matches('.').to_ascii_lowercase(),
        None => return Ok(Place::Remote("it names no host".into())),
    };
    if is_localhost(&name) {
        let pinned = vec![
            SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port),
            SocketAddr::new(IpAddr::V6(Ipv6Addr::LOCALHOST), port),
        ];
        return Ok(Place::Local { pinned });
    }
    if net.internal_suffixes.iter().any(|s| under(&name, s)) {
        return Ok(Place::Local { pinned: Vec::new() });
    }
    match timeout(limit, tokio::net::lookup_host((name.as_str(), port))).await {
        Ok(Ok(found)) => {
            let addresses: Vec<SocketAddr> = found.collect();
            if !addresses.is_empty() && addresses.iter().all(|a| is_local_ip(a.ip())) {
                Ok(Place::Local { pinned: addresses })
            } else {
                Ok(Place::Remote(format!(
                    "{name} is outside loopback, private networks and the internal suffixes"
                )))
            }
        }
        // Behind a proxy names may not resolve here at all.
        _ if allow_remote => Ok(Place::Remote(format!("{name} is looked up by the proxy"))),
        _ => Err(ModelError::Unreachable {
            url: root(url),
            why: format!("the name {name} cannot be resolved"),
        }),
    }
}

fn place_ip(ip: IpAddr) -> Place {
    if is_local_ip(ip) {
        Place::Local { pinned: Vec::new() }
    } else {
        Place::Remote(format!("{ip} is outside loopback and private networks"))
    }
}

fn under(name: &str, suffix: &str) -> bool {
    let suffix = suffix.trim().trim_matches('.').to_ascii_lowercase();
    !suffix.is_empty()
        && (name == suffix
            || name
                .strip_suffix(&suffix)
                .is_some_and(|rest| rest.ends_with('.')))
}

/// Whether an Ollama server would send this model's prompts to the vendor's cloud by its name alone: it
/// ends in `:cloud`, or its tag ends in `-cloud`, in any case of letters (Ollama, `internal/modelref`).
/// Such a name must not even be asked about: the question itself is forwarded.
#[must_use]
pub fn is_cloud_name(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase();
    name.rsplit_once(':')
        .is_some_and(|(_, tag)| tag == "cloud" || (tag.ends_with("-cloud") && !tag.contains('/')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_people_write_becomes_one_base() {
        for (written, want) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
            ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080"),
            ("http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080"),
            ("http://127.0.0.1:8080//v1//", "http://127.0.0.1:8080"),
            (
                "http://127.0.0.1:8080/v1/chat/completions",
                "http://127.0.0.1:8080",
            ),
            ("http://127.0.0.1:11434/api/chat", "http://127.0.0.1:11434"),
            (" 127.0.0.1:8080/v1 ", "http://127.0.0.1:8080"),
            ("localhost", "http://localhost:11434"),
            ("localhost:80", "http://localhost"),
            ("0.0.0.0:8000", "http://127.0.0.1:8000"),
            ("::1", "http://[::1]:11434"),
            ("[::1]:8080", "http://[::1]:8080"),
            ("192.168.1.5", "http://192.168.1.5:11434"),
            ("api.example.com/v1", "https://api.example.com"),
            (
                "http://api.example.com/openai/v1",
                "http://api.example.com/openai",
            ),
            ("https://Example.COM/v1?x=1#y", "https://example.com"),
        ] {
            assert_eq!(
                normalize(written).map(|u| root(&u)).as_deref(),
                Ok(want),
                "{written}"
            );
        }
    }

    #[test]
    fn what_cannot_be_a_base_is_refused_without_showing_credentials() {
        for written in [
            "",
            "  ",
            "ftp://127.0.0.1",
            "http://",
            "http://user:hunter2@127.0.0.1",
            "user:hunter2@host",
        ] {
            let err = normalize(written).unwrap_err();
            assert!(
                matches!(err, ModelError::BadBaseUrl { .. }),
                "{written}: {err:?}"
            );
            assert!(!format!("{err} {err:?} {}", err.hint()).contains("hunter2"));
        }
    }

    #[test]
    fn private_is_local_and_everything_else_is_not() {
        for ip in [
            "127.0.0.1",
            "127.9.9.9",
            "10.0.0.1",
            "172.31.0.1",
            "192.168.0.1",
            "::1",
            "fd00::1",
            "::ffff:10.0.0.1",
        ] {
            assert!(is_local_ip(ip.parse().unwrap()), "{ip}");
        }
        for ip in [
            "8.8.8.8",
            "172.32.0.1",
            "100.64.0.1",
            "2001:db8::1",
            "::ffff:8.8.8.8",
            "192.0.2.1",
            "169.254.169.254",
            "169.254.0.1",
            "169.254.255.255",
            "::ffff:169.254.169.254",
            "fe80::1",
            "febf:ffff::1",
            "fd00:ec2::254",
        ] {
            assert!(!is_local_ip(ip.parse().unwrap()), "{ip}");
        }
    }

    #[test]
    fn a_suffix_matches_whole_labels() {
        assert!(under("gpu.corp.example", "corp.example"));
        assert!(under("corp.example", ".corp.example"));
        assert!(!under("evilcorp.example", "corp.example"));
        assert!(!under("corp.example.evil.test", "corp.example"));
        assert!(!under("a.b", ""));
    }

    #[test]
    fn cloud_names() {
        for name in [
            "gpt-oss:120b-cloud",
            "x:cloud",
            "X:CLOUD",
            "a/b:7b-Cloud",
            "qwen3:8b:cloud",
        ] {
            assert!(is_cloud_name(name), "{name}");
        }
        for name in [
            "qwen3:8b",
            "cloud",
            "my-cloud",
            "my-cloud:latest",
            "cloud:7b",
        ] {
            assert!(!is_cloud_name(name), "{name}");
        }
    }

    proptest! {
        #[test]
        fn normalizing_is_idempotent(host in "[a-z]{1,8}(\\.[a-z]{2,5})?", port in 1u16.., path in "(/[a-z0-9]{1,4}){0,3}/?") {
            let once = root(&normalize(&format!("http://{host}:{port}{path}")).unwrap());
            let twice = root(&normalize(&once).unwrap());
            prop_assert!(twice == once || once.ends_with("/models") || once.ends_with("/v1"));
        }

        #[test]
        fn no_text_makes_it_panic(text in ".{0,40}") {
            let _ = normalize(&text);
            let _ = is_cloud_name(&text);
        }
    }
}

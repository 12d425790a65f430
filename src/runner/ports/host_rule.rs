//! Which hosts one module may reach: exact names, nothing else.

use std::net::IpAddr;
use url::{Host, Url};

/// Why a base URL cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("base URL: {0}")]
pub struct BadBaseUrl(String);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Allowed {
    host: String,
    port: Option<u16>,
    configured: bool,
}

/// The hosts that one module may reach: exact names, each with a port or with the default port of the
/// URL's scheme. Nothing is allowed until it is named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostRule {
    allowed: Vec<Allowed>,
}

impl HostRule {
    /// Allows nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What a module's spec allows: the host of its base URL and its further hosts. Where a base URL is
    /// configured, that URL's host and no other. Hosts of data sets are added with [`allow`](Self::allow).
    ///
    /// # Errors
    /// [`BadBaseUrl`] when the configured URL is not http or https or has no host.
    pub fn for_module(
        spec: &kit::ModuleSpec,
        configured: Option<&str>,
    ) -> Result<Self, BadBaseUrl> {
        if let Some(base) = configured {
            return Self::new().allow_configured(base);
        }
        let mut rule = Self::new();
        if let Some(host) = Url::parse(spec.base_url)
            .ok()
            .as_ref()
            .and_then(Url::host_str)
        {
            rule = rule.allow(host);
        }
        Ok(spec.hosts.iter().fold(rule, |rule, host| rule.allow(host)))
    }

    /// Allows a host that code or a data set names: `host` or `host:port`. Addresses of private and
    /// local networks stay forbidden.
    #[must_use]
    pub fn allow(mut self, host: &str) -> Self {
        let (host, port) = split_port(host);
        self.allowed.push(Allowed {
            host: plain_host(host),
            port,
            configured: false,
        });
        self
    }

    /// Allows the host and port of a URL that the operator configured, be it local or not.
    ///
    /// # Errors
    /// [`BadBaseUrl`] when it is not an http or https URL with a host.
    pub fn allow_configured(mut self, base_url: &str) -> Result<Self, BadBaseUrl> {
        // The URL is not repeated in the error: it may hold a password.
        let url = Url::parse(base_url).map_err(|_| BadBaseUrl("not a URL".into()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(BadBaseUrl(format!(
                "scheme {}: use http or https",
                url.scheme()
            )));
        }
        let host = url.host_str().ok_or_else(|| BadBaseUrl("no host".into()))?;
        self.allowed.push(Allowed {
            host: plain_host(host),
            port: url.port_or_known_default(),
            configured: true,
        });
        Ok(self)
    }

    /// Whether this URL may be asked.
    #[must_use]
    pub fn permits(&self, url: &Url) -> bool {
        if !matches!(url.scheme(), "http" | "https") {
            return false;
        }
        let Some(host) = url.host_str().map(plain_host) else {
            return false;
        };
        let local = is_local(url);
        self.allowed.iter().any(|a| {
            let port_fits = match a.port {
                Some(port) => url.port_or_known_default() == Some(port),
                // `Url::port` is none for the scheme's default port.
                None => url.port().is_none(),
            };
            a.host == host && port_fits && (a.configured || !local)
        })
    }
}

/// Host and port of a URL, for an error text.
pub(super) fn shown_host(url: &Url) -> String {
    let host = url.host_str().unwrap_or("an address without a host");
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

fn plain_host(host: &str) -> String {
    host.trim_start_matches('[')
        .trim_end_matches(']')
        .trim_end_matches('.')
        .to_ascii_lowercase()
}

/// `host:port`, `[v6]:port`, `host`; a bare IPv6 address is a host.
fn split_port(text: &str) -> (&str, Option<u16>) {
    match text.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => match port.parse() {
            Ok(port) => (host, Some(port)),
            Err(_) => (text, None),
        },
        _ => (text, None),
    }
}

/// An address or name of this machine.
pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(a)) => a.is_loopback(),
        Some(Host::Ipv6(a)) => {
            a.is_loopback() || a.to_ipv4_mapped().is_some_and(|a| a.is_loopback())
        }
        Some(Host::Domain(d)) => {
            let d = d.trim_end_matches('.');
            d == "localhost" || d.ends_with(".localhost")
        }
        None => false,
    }
}

/// An address that is not of the public internet, or a name of this machine.
fn is_local(url: &Url) -> bool {
    let address = match url.host() {
        Some(Host::Ipv4(a)) => IpAddr::V4(a),
        Some(Host::Ipv6(a)) => a.to_ipv4_mapped().map_or(IpAddr::V6(a), IpAddr::V4),
        Some(Host::Domain(_)) => return is_loopback(url),
        None => return true,
    };
    match address {
        IpAddr::V4(a) => {
            let [first, second, ..] = a.octets();
            a.is_loopback()
                || a.is_private()
                || a.is_link_local()
                || a.is_multicast()
                || first == 0
                || first >= 240
                || (first == 100 && (64..128).contains(&second))
        }
        IpAddr::V6(a) => {
            a.is_loopback()
                || a.is_unspecified()
                || a.is_multicast()
                || a.is_unique_local()
                || a.is_unicast_link_local()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permits(rule: &HostRule, url: &str) -> bool {
        rule.permits(&Url::parse(url).unwrap())
    }

    #[test]
    fn names_are_exact_and_nothing_is_allowed_unnamed() {
        let rule = HostRule::new()
            .allow("api.example.com")
            .allow("other.example:8443")
            .allow("[2001:4860::1]:444");
        for url in [
            "https://api.example.com/x",
            "https://API.example.com./x",
            "https://api.example.com:443/",
            "http://api.example.com/",
            "https://other.example:8443/",
            "https://[2001:4860:0::1]:444/",
        ] {
            assert!(permits(&rule, url), "{url}");
        }
        for url in [
            "https://example.com/",
            "https://x.api.example.com/",
            "https://api.example.com.evil.example/",
            "https://api.example.com@evil.example/",
            "https://api.example.com:8443/",
            "https://other.example/",
            "https://[2001:4860::1]/",
            "ftp://api.example.com/",
            "file:///etc/passwd",
        ] {
            assert!(!permits(&rule, url), "{url}");
        }
        assert!(!permits(&HostRule::new(), "https://api.example.com/"));
    }

    #[test]
    fn local_addresses_need_the_configuration() {
        for host in [
            "127.0.0.1",
            "localhost",
            "a.localhost",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[fe80::1]",
            "[fd00::1]",
            "[::]",
        ] {
            let url = format!("http://{host}/");
            assert!(!permits(&HostRule::new().allow(host), &url), "{url}");
            assert!(
                permits(&HostRule::new().allow_configured(&url).unwrap(), &url),
                "{url}"
            );
        }
        // Other spellings of an address are the same address.
        let rule = HostRule::new().allow("0x7f.1").allow("2130706433");
        assert!(!permits(&rule, "http://2130706433/"));
        assert!(!permits(&rule, "http://0x7f.1/"));
    }

    #[test]
    fn a_module_reaches_its_own_hosts_or_the_configured_one() {
        let specs = intel::registry().iter().map(|m| m.spec());
        for spec in specs.filter(|s| !s.base_url.is_empty()) {
            let own = HostRule::for_module(spec, None).unwrap();
            assert!(permits(&own, spec.base_url), "{}", spec.name);
            assert!(!permits(&own, "https://evil.example/"), "{}", spec.name);
            let mirror = HostRule::for_module(spec, Some("http://127.0.0.1:8080/x")).unwrap();
            assert!(permits(&mirror, "http://127.0.0.1:8080/y"), "{}", spec.name);
            assert!(!permits(&mirror, "http://127.0.0.1:8081/"), "{}", spec.name);
            assert!(!permits(&mirror, spec.base_url), "{}", spec.name);
            assert!(HostRule::for_module(spec, Some("")).is_err());
        }
    }

    #[test]
    fn a_configured_base_url_must_be_http_with_a_host() {
        for bad in [
            "",
            "nonsense",
            "ftp://a.example/",
            "file:///x",
            "//a.example",
        ] {
            assert!(HostRule::new().allow_configured(bad).is_err(), "{bad}");
        }
        let error = HostRule::new()
            .allow_configured("http://user:pa55word@:80/")
            .unwrap_err()
            .to_string();
        assert!(!error.contains("pa55word"), "{error}");
    }
}

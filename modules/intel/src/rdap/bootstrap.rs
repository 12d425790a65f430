//! IANA's bootstrap files (RFC 9224): `{"services": [[[entries], [base URLs]], …]}`. An entry is a name
//! without leading dot, a network, or a number or range of numbers; the longest match counts.

use ipnet::IpNet;
use serde_json::Value;
use std::net::IpAddr;
use url::Url;

/// Entries and base URLs of the services; what has another shape is passed over.
fn services(file: &Value) -> impl Iterator<Item = (Vec<&str>, Vec<&str>)> {
    let list = file
        .get("services")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default();
    list.iter()
        .filter_map(|service| match service.as_array()?.as_slice() {
            // The object tags file (RFC 8521) has a third list in front.
            [.., entries, urls] => Some((strings(entries), strings(urls))),
            _ => None,
        })
}

fn strings(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .map(|a| a.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default()
}

/// The hosts of all base URLs, with the port where it is not the scheme's own.
pub(super) fn hosts(bytes: &[u8]) -> Vec<String> {
    let Ok(file) = serde_json::from_slice::<Value>(bytes) else {
        return Vec::new();
    };
    let mut out: Vec<String> = Vec::new();
    for (_, urls) in services(&file) {
        for base in usable(&urls) {
            let Some(host) = base.host_str().map(str::to_ascii_lowercase) else {
                continue;
            };
            out.push(match base.port() {
                Some(port) => format!("{host}:{port}"),
                None => host,
            });
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// The base URLs that may be asked: those over TLS, and only where a registry has none the others
/// (RFC 9224, 3: secure ones are preferred).
fn usable(urls: &[&str]) -> Vec<Url> {
    let parsed: Vec<Url> = urls
        .iter()
        .filter_map(|u| Url::parse(u).ok())
        .filter(|u| u.host_str().is_some())
        .collect();
    let of = |scheme: &str| {
        parsed
            .iter()
            .filter(|u| u.scheme() == scheme)
            .cloned()
            .collect::<Vec<_>>()
    };
    let secure = of("https");
    if secure.is_empty() {
        of("http")
    } else {
        secure
    }
}

/// The base URLs of the service that answers for `value` in the file `set`, best first; none where no
/// service does.
pub(super) fn bases(file: &Value, set: &str, value: &str) -> Vec<String> {
    let mut best: Option<(u32, Vec<&str>)> = None;
    for (entries, urls) in services(file) {
        for entry in entries {
            let score = match set {
                "rdap-dns.json" => name_score(entry, value),
                "rdap-asn.json" => number_score(entry, value),
                _ => network_score(entry, value),
            };
            if let Some(score) = score
                && best.as_ref().is_none_or(|(b, _)| score > *b)
            {
                best = Some((score, urls.clone()));
            }
        }
    }
    let urls = best.map(|(_, urls)| usable(&urls)).unwrap_or_default();
    urls.iter().map(|u| u.as_str().to_owned()).collect()
}

/// Labels that match; the root entry (empty) matches everything.
fn name_score(entry: &str, name: &str) -> Option<u32> {
    let entry = entry.trim_end_matches('.').to_ascii_lowercase();
    if entry.is_empty() {
        return Some(0);
    }
    let rest = name.strip_suffix(entry.as_str())?;
    let whole = rest.is_empty() || rest.ends_with('.');
    whole.then(|| u32::try_from(entry.split('.').count()).unwrap_or(u32::MAX))
}

/// Length of the prefix that holds the address or network.
fn network_score(entry: &str, value: &str) -> Option<u32> {
    let entry: IpNet = entry.parse().ok()?;
    let net: IpNet = match value.parse::<IpNet>() {
        Ok(net) => net,
        Err(_) => value.parse::<IpAddr>().ok()?.into(),
    };
    entry
        .contains(&net)
        .then(|| u32::from(entry.prefix_len()) + 1)
}

/// Ranges of AS numbers do not overlap; the narrower one would count.
fn number_score(entry: &str, value: &str) -> Option<u32> {
    let number: u32 = value.parse().ok()?;
    let (from, to) = match entry.split_once('-') {
        Some((from, to)) => (
            from.trim().parse::<u32>().ok()?,
            to.trim().parse::<u32>().ok()?,
        ),
        None => {
            let one = entry.trim().parse().ok()?;
            (one, one)
        }
    };
    (from..=to)
        .contains(&number)
        .then(|| u32::MAX - to.saturating_sub(from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file(services: &Value) -> Value {
        serde_json::json!({ "version": "1.0", "services": services })
    }

    #[test]
    fn the_longest_match_counts() {
        let dns = file(&serde_json::json!([
            [["com", "net"], ["https://rdap.example/com/v1/"]],
            [["uk"], ["https://uk.example/"]],
            [
                ["co.uk"],
                ["http://co.uk.example/", "https://co.uk.example/rdap"]
            ],
        ]));
        let of = |name| bases(&dns, "rdap-dns.json", name);
        assert_eq!(of("example.com"), ["https://rdap.example/com/v1/"]);
        assert_eq!(of("example.co.uk"), ["https://co.uk.example/rdap"]);
        assert_eq!(of("example.org.uk"), ["https://uk.example/"]);
        assert!(of("examplecom").is_empty());
        assert!(of("example.de").is_empty());

        let v4 = file(&serde_json::json!([
            [["41.0.0.0/8"], ["https://a.example/"]],
            [["41.1.0.0/16"], ["http://b.example/"]]
        ]));
        assert_eq!(
            bases(&v4, "rdap-ipv4.json", "41.2.3.4"),
            ["https://a.example/"]
        );
        assert_eq!(
            bases(&v4, "rdap-ipv4.json", "41.1.3.0/24"),
            ["http://b.example/"]
        );
        assert_eq!(
            bases(&v4, "rdap-ipv4.json", "41.0.0.0/8"),
            ["https://a.example/"]
        );
        assert!(bases(&v4, "rdap-ipv4.json", "40.0.0.0/7").is_empty());
        let v6 = file(&serde_json::json!([[
            ["2001:200::/23"],
            ["https://apnic.example/"]
        ]]));
        assert_eq!(
            bases(&v6, "rdap-ipv6.json", "2001:200::1"),
            ["https://apnic.example/"]
        );

        let asn = file(&serde_json::json!([
            [["1877-1901", "2043"], ["https://r.example/"]],
            [["64496-65551"], ["https://s.example/"]]
        ]));
        assert_eq!(bases(&asn, "rdap-asn.json", "2043"), ["https://r.example/"]);
        assert_eq!(bases(&asn, "rdap-asn.json", "1900"), ["https://r.example/"]);
        assert!(bases(&asn, "rdap-asn.json", "2044").is_empty());
    }

    #[test]
    fn only_hosts_that_would_be_asked_are_named() {
        let text = r#"{"services":[[["com"],["http://plain.example/","https://TLS.example/v1/"]],
            [["xx"],["http://only.example:8080/"]],[["yy"],["ftp://no.example/","junk","https://x.example:8443/"]]]}"#;
        assert_eq!(
            hosts(text.as_bytes()),
            ["only.example:8080", "tls.example", "x.example:8443"]
        );
        assert!(hosts(b"<html>").is_empty());
        assert!(hosts(b"{}").is_empty());
        assert!(hosts(br#"{"services":[[],[1],[["a"]],{"a":1},[["a"],"x"]]}"#).is_empty());
    }

    proptest! {
        #[test]
        fn no_file_makes_it_panic(entry in "\\PC{0,20}", url in "\\PC{0,30}", value in "\\PC{0,30}", from: u32, to: u32) {
            let f = file(&serde_json::json!([[[entry, format!("{from}-{to}")], [url]], [[], []]]));
            for set in ["rdap-dns.json", "rdap-ipv4.json", "rdap-asn.json"] {
                let _ = bases(&f, set, &value);
                let _ = bases(&f, set, &from.to_string());
            }
        }
    }
}

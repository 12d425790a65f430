//! `rdap`: who registered an address, network, AS number or domain, asked at the registry itself
//! (RFC 9082 for the question, RFC 9083 for the answer). Which registry answers for what stands in four
//! files of IANA (RFC 9224), kept as data sets; they also name the hosts that the module may reach, so
//! that a redirect from one regional registry to another is followed and any other is not.
//!
//! Registries know the name that was registered, not those below it. A name below its registrable one is
//! not asked about, and nothing is sent: the registrable name is another indicator, which nobody named and
//! which may be denied or marked to stay at home. The reason names it, so that a person can ask.

mod answer;
mod bootstrap;

use crate::common::{ask, check_status, json, outcome, path_segment, wrong_shape, wrong_type};
use kit::ports::{DataSpec, Fut, HttpError, HttpRequest, HttpResponse};
use kit::{
    Activity, Context, CouldNot, Help, HostsFrom, Indicator, IndicatorType, KeyNeed, Module,
    ModuleSpec, Outcome, RateLimit,
};
use serde_json::Value;

/// Days for which IANA's files are kept before they are fetched again.
const FRESH_S: u64 = 7 * 86_400;
/// Servers of one registry that are tried.
const MAX_SERVERS: usize = 2;

/// The module.
pub struct Rdap;

const fn set(name: &'static str, url: &'static str, about: &'static str) -> DataSpec {
    DataSpec {
        name,
        url,
        fresh_s: FRESH_S,
        about,
    }
}

const fn hosts_from(set: &'static str) -> HostsFrom {
    HostsFrom {
        set,
        hosts: bootstrap::hosts,
    }
}

static SPEC: ModuleSpec = ModuleSpec {
    name: "rdap",
    types: &[
        IndicatorType::Ip,
        IndicatorType::Ipv6,
        IndicatorType::Cidr,
        IndicatorType::Domain,
        IndicatorType::Asn,
    ],
    ai_tool: true,
    activity: Activity::Passive,
    local_model_only: false,
    key: KeyNeed::None,
    secrets: &[],
    base_url: "https://data.iana.org/rdap",
    hosts: &[],
    hosts_from: &[
        hosts_from("rdap-dns.json"),
        hosts_from("rdap-ipv4.json"),
        hosts_from("rdap-ipv6.json"),
        hosts_from("rdap-asn.json"),
    ],
    data: &[
        set(
            "rdap-dns.json",
            "https://data.iana.org/rdap/dns.json",
            "RDAP servers of the top-level domains (IANA, RFC 9224)",
        ),
        set(
            "rdap-ipv4.json",
            "https://data.iana.org/rdap/ipv4.json",
            "RDAP servers of the IPv4 space (IANA, RFC 9224)",
        ),
        set(
            "rdap-ipv6.json",
            "https://data.iana.org/rdap/ipv6.json",
            "RDAP servers of the IPv6 space (IANA, RFC 9224)",
        ),
        set(
            "rdap-asn.json",
            "https://data.iana.org/rdap/asn.json",
            "RDAP servers of the AS numbers (IANA, RFC 9224)",
        ),
    ],
    rate: &[RateLimit {
        calls: 30,
        per_s: 60,
    }],
    ttl_s: 86_400,
    help: Help {
        what: "Registration data: owner, registrar, dates, status, name servers, network range, abuse contact. Of domains only the registered one itself, not names below it.",
        example: "example.com",
        get_key: "",
    },
};

/// What is asked, and which of IANA's files says where.
#[derive(Debug, PartialEq, Eq)]
struct Query {
    set: &'static str,
    /// Path below a base URL.
    path: String,
    /// The value to be found in the file.
    value: String,
    /// The class of object that a registry answers with.
    class: &'static str,
}

impl Module for Rdap {
    fn spec(&self) -> &'static ModuleSpec {
        &SPEC
    }

    fn lookup<'a>(&'a self, subject: &'a Indicator, cx: &'a Context<'a>) -> Fut<'a, Outcome> {
        Box::pin(async move { outcome(look_up(subject, cx).await) })
    }
}

async fn look_up(subject: &Indicator, cx: &Context<'_>) -> Result<Outcome, CouldNot> {
    let query = query(subject)?;
    let bases = if cx.base_url_configured {
        vec![cx.base_url.to_owned()]
    } else {
        servers(&query, cx).await?
    };
    let mut last = CouldNot::Unreachable {
        detail: "no RDAP server is listed".into(),
    };
    for base in bases.iter().take(MAX_SERVERS) {
        let url = format!("{}/{}", base.trim_end_matches('/'), query.path);
        let request = HttpRequest::get(url.clone())
            .header("accept", "application/rdap+json, application/json");
        match ask(cx, request).await {
            Ok(response) => return read(&response, &query, url, cx.now_ms),
            // The next server of the same registry may be up; a time-out has used the time for it.
            Err(CouldNot::Unreachable { detail }) => last = CouldNot::Unreachable { detail },
            Err(other) => return Err(other),
        }
    }
    Err(last)
}

async fn servers(query: &Query, cx: &Context<'_>) -> Result<Vec<String>, CouldNot> {
    let file = cx.data.get(query.set).await.map_err(|e| match e {
        HttpError::TimedOut => CouldNot::TimedOut,
        other => CouldNot::Unreachable {
            detail: format!(
                "IANA's list of registries, {}",
                other.to_string().trim_start_matches("unreachable: ")
            ),
        },
    })?;
    let file: Value = serde_json::from_slice(&file.bytes).map_err(|_| CouldNot::Unreachable {
        detail: "IANA's list of registries is unreadable".into(),
    })?;
    let bases = bootstrap::bases(&file, query.set, &query.value);
    if bases.is_empty() {
        return Err(CouldNot::Unsupported {
            detail: "no RDAP service is registered for it at IANA".into(),
        });
    }
    Ok(bases)
}

fn query(subject: &Indicator) -> Result<Query, CouldNot> {
    let value = subject.value();
    let make = |set, kind: &str, value: &str, class| Query {
        set,
        path: format!("{kind}/{value}"),
        value: value.to_owned(),
        class,
    };
    Ok(match subject.kind() {
        IndicatorType::Ip => make("rdap-ipv4.json", "ip", &path_segment(value), "ip network"),
        IndicatorType::Ipv6 => make("rdap-ipv6.json", "ip", &path_segment(value), "ip network"),
        IndicatorType::Cidr => {
            let net: ipnet::IpNet = value.parse().map_err(|_| wrong_type(subject))?;
            let set = if net.addr().is_ipv4() {
                "rdap-ipv4.json"
            } else {
                "rdap-ipv6.json"
            };
            make(set, "ip", &net.to_string(), "ip network")
        }
        IndicatorType::Asn => {
            let number = value.strip_prefix("AS").and_then(|n| n.parse::<u32>().ok());
            let number = number.ok_or_else(|| wrong_type(subject))?;
            make("rdap-asn.json", "autnum", &number.to_string(), "autnum")
        }
        IndicatorType::Domain => {
            let name = registrable(value).ok_or_else(|| CouldNot::Unsupported {
                detail: "the name is a public suffix, which nobody registers".into(),
            })?;
            if name != value {
                return Err(CouldNot::Unsupported {
                    detail: format!(
                        "registries know only {name}: name that domain to ask about it"
                    ),
                });
            }
            make("rdap-dns.json", "domain", &path_segment(name), "domain")
        }
        _ => return Err(wrong_type(subject)),
    })
}

/// The name that a registry sold: one label below the public suffix of the list's ICANN section. The
/// private section (`github.io`) does not count here: its suffixes are registered names themselves.
fn registrable(name: &str) -> Option<&str> {
    let mut part = name;
    loop {
        let suffix = psl::suffix(part.as_bytes())?;
        let text = std::str::from_utf8(suffix.as_bytes()).ok()?;
        if suffix.typ() == Some(psl::Type::Private) {
            part = text.split_once('.')?.1;
            continue;
        }
        let above = name.strip_suffix(text)?.strip_suffix('.')?;
        let label = above.rsplit('.').next().filter(|l| !l.is_empty())?;
        return name.get(name.len() - text.len() - 1 - label.len()..);
    }
}

fn read(
    response: &HttpResponse,
    query: &Query,
    url: String,
    now_ms: i64,
) -> Result<Outcome, CouldNot> {
    let body = json(&response.body);
    if response.status == 404 {
        // RFC 7480, 5.3: nothing, or an error object. A web server's own page says nothing about the name.
        let empty = response.body.trim_ascii().is_empty();
        if empty || body.as_ref().is_ok_and(Value::is_object) {
            return Ok(Outcome::NotFound);
        }
    }
    check_status(response, false, false, now_ms)?;
    let body = body?;
    if let Some(code) = body.get("errorCode").and_then(Value::as_u64) {
        // Some servers put the error into a body with status 200.
        return match code {
            404 => Ok(Outcome::NotFound),
            429 => Err(CouldNot::RateLimited { retry_s: None }),
            other => Err(CouldNot::Upstream {
                status: u16::try_from(other).unwrap_or(200),
                detail: "an error object".into(),
            }),
        };
    }
    if body.get("objectClassName").and_then(Value::as_str) != Some(query.class) {
        return Err(wrong_shape());
    }
    Ok(Outcome::Found(answer::report(&body, response, url, now_ms)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn indicator(kind: IndicatorType, value: &str) -> Indicator {
        serde_json::from_value(serde_json::json!({ "type": kind.name(), "value": value })).unwrap()
    }

    #[test]
    fn the_registered_name_is_found() {
        for (name, asked) in [
            ("example.com", Some("example.com")),
            ("a.b.example.com", Some("example.com")),
            ("www.example.co.uk", Some("example.co.uk")),
            ("evil.github.io", Some("github.io")),
            ("github.io", Some("github.io")),
            ("bucket.s3.amazonaws.com", Some("amazonaws.com")),
            ("xn--bcher-kva.example", Some("xn--bcher-kva.example")),
            ("com", None),
            ("co.uk", None),
        ] {
            assert_eq!(registrable(name), asked, "{name}");
        }
    }

    #[test]
    fn each_type_has_its_path_and_file() {
        let path = |kind, value| query(&indicator(kind, value)).map(|q| (q.set, q.path));
        assert_eq!(
            path(IndicatorType::Ip, "192.0.2.1"),
            Ok(("rdap-ipv4.json", "ip/192.0.2.1".into()))
        );
        assert_eq!(
            path(IndicatorType::Ipv6, "2001:db8::1"),
            Ok(("rdap-ipv6.json", "ip/2001:db8::1".into()))
        );
        assert_eq!(
            path(IndicatorType::Cidr, "192.0.2.0/24"),
            Ok(("rdap-ipv4.json", "ip/192.0.2.0/24".into()))
        );
        assert_eq!(
            path(IndicatorType::Cidr, "2001:db8::/32"),
            Ok(("rdap-ipv6.json", "ip/2001:db8::/32".into()))
        );
        assert_eq!(
            path(IndicatorType::Asn, "AS64500"),
            Ok(("rdap-asn.json", "autnum/64500".into()))
        );
        assert_eq!(
            path(IndicatorType::Domain, "example.com"),
            Ok(("rdap-dns.json", "domain/example.com".into()))
        );
        assert!(path(IndicatorType::Url, "https://example.com/").is_err());
        assert!(path(IndicatorType::Domain, "com").is_err());
    }

    #[test]
    fn every_file_that_names_hosts_is_one_of_the_data_sets() {
        for from in SPEC.hosts_from {
            assert!(SPEC.data.iter().any(|d| d.name == from.set), "{}", from.set);
        }
        assert_eq!(SPEC.hosts_from.len(), SPEC.data.len());
    }

    #[test]
    fn a_name_that_nobody_named_is_not_asked() {
        for (name, above) in [
            ("www.example.com", "example.com"),
            ("a.b.example.co.uk", "example.co.uk"),
            ("evil.github.io", "github.io"),
        ] {
            let Err(CouldNot::Unsupported { detail }) =
                query(&indicator(IndicatorType::Domain, name))
            else {
                panic!("{name} is asked");
            };
            assert!(detail.contains(&format!("only {above}:")), "{detail}");
        }
    }

    proptest! {
        #[test]
        fn a_registrable_name_ends_the_name(name in "[a-z]{1,6}(\\.[a-z]{1,6}){0,5}") {
            if let Some(found) = registrable(&name) {
                let below = name.strip_suffix(found);
                prop_assert!(below.is_some_and(|b| b.is_empty() || b.ends_with('.')));
            }
        }

        #[test]
        fn a_domain_is_asked_as_itself_or_not_at_all(name in "[a-z]{1,6}(\\.(com|net|co\\.uk|[a-z]{1,6})){0,4}") {
            if let Ok(q) = query(&indicator(IndicatorType::Domain, &name)) {
                prop_assert_eq!(q.path, format!("domain/{name}"));
            }
        }

        #[test]
        fn no_value_makes_it_panic(value in "\\PC{0,60}", at in 0usize..5) {
            let _ = query(&indicator(SPEC.types[at], &value));
        }
    }
}

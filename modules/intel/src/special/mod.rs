//! `special`: what the registries say of a value before anyone is asked. Offline.
//!
//! Addresses: the IANA special-purpose registries. Names: the public suffix list and the special-use
//! names. Hashes: those of well-known files, which say nothing about a sample. It gives facts and no
//! judgement: the verdict is always unknown.

mod address;
mod name;
mod sum;

pub(crate) use address::{reverse_v4, reverse_v6};

use kit::ports::Fut;
use kit::{
    Activity, Context, Help, Indicator, IndicatorType, KeyNeed, Module, ModuleSpec, Outcome,
    Report, Table, Untrusted, Verdict,
};
use std::net::IpAddr;

/// One line of the answer: what, the value, and where it is from.
struct Fact {
    what: &'static str,
    value: String,
    source: String,
}

impl Fact {
    fn new(what: &'static str, value: impl Into<String>, source: impl Into<String>) -> Self {
        Self {
            what,
            value: value.into(),
            source: source.into(),
        }
    }
}

/// The module.
pub struct Special;

static SPEC: ModuleSpec = ModuleSpec {
    name: "special",
    types: &[
        IndicatorType::Ip,
        IndicatorType::Ipv6,
        IndicatorType::Cidr,
        IndicatorType::Domain,
        IndicatorType::Url,
        IndicatorType::Email,
        IndicatorType::Onion,
        IndicatorType::Asn,
        IndicatorType::Md5,
        IndicatorType::Sha1,
        IndicatorType::Sha256,
        IndicatorType::Sha512,
    ],
    ai_tool: true,
    activity: Activity::Offline,
    local_model_only: false,
    key: KeyNeed::None,
    secrets: &[],
    base_url: "",
    hosts: &[],
    hosts_from: &[],
    data: &[],
    rate: &[],
    ttl_s: 0,
    help: Help {
        what: "Offline facts: private or reserved ranges, public suffix and registrable domain, hashes of empty files. No reputation.",
        example: "100.64.0.1",
        get_key: "",
    },
};

impl Module for Special {
    fn spec(&self) -> &'static ModuleSpec {
        &SPEC
    }

    fn lookup<'a>(&'a self, subject: &'a Indicator, _cx: &'a Context<'a>) -> Fut<'a, Outcome> {
        let outcome = outcome(facts(subject));
        Box::pin(async move { outcome })
    }
}

fn facts(subject: &Indicator) -> Vec<Fact> {
    let value = subject.value();
    match subject.kind() {
        IndicatorType::Ip | IndicatorType::Ipv6 => {
            value.parse().map(address::facts).unwrap_or_default()
        }
        IndicatorType::Cidr => value
            .parse()
            .map(address::network_facts)
            .unwrap_or_default(),
        IndicatorType::Domain | IndicatorType::Onion => name::facts(value),
        IndicatorType::Email => value
            .rsplit_once('@')
            .map(|(_, host)| host_facts(host))
            .unwrap_or_default(),
        IndicatorType::Url => {
            let host = url::Url::parse(value)
                .ok()
                .and_then(|u| u.host_str().map(str::to_owned));
            host.map(|h| host_facts(&h)).unwrap_or_default()
        }
        IndicatorType::Asn => address::asn_facts(value),
        IndicatorType::Md5
        | IndicatorType::Sha1
        | IndicatorType::Sha256
        | IndicatorType::Sha512 => sum::facts(value),
        _ => Vec::new(),
    }
}

/// Facts about the host of a URL or mail address, which may be an address in brackets.
fn host_facts(host: &str) -> Vec<Fact> {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let mut out = vec![Fact::new("Host", bare, "")];
    match bare.parse::<IpAddr>() {
        Ok(ip) => out.extend(address::facts(ip)),
        Err(_) => out.extend(name::facts(bare)),
    }
    out
}

fn outcome(facts: Vec<Fact>) -> Outcome {
    if facts.is_empty() {
        return Outcome::NotFound;
    }
    let mut table = Table::new(&["Fact", "Value", "Source"]);
    let mut raw = String::new();
    for fact in facts {
        raw.push_str(&format!("{}: {}", fact.what, fact.value));
        if !fact.source.is_empty() {
            raw.push_str(&format!(" ({})", fact.source));
        }
        raw.push('\n');
        table.push([fact.what.to_owned(), fact.value, fact.source]);
    }
    Outcome::Found(Report {
        table,
        raw: Untrusted::new(raw),
        verdict: Verdict::Unknown,
        verdict_basis: "registries give facts, no reputation".into(),
        source_url: String::new(),
        source_date: None,
        total_rows: None,
    })
}

/// The columns of an embedded table: lines that start with `#` are comments, `|` parts the cells.
fn table_rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines()
        .filter(|l| !l.trim().is_empty() && !l.starts_with('#'))
        .map(|l| l.split('|').map(str::trim).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn indicator(kind: IndicatorType, value: &str) -> Indicator {
        serde_json::from_value(serde_json::json!({ "type": kind.name(), "value": value })).unwrap()
    }

    fn text(kind: IndicatorType, value: &str) -> Vec<String> {
        facts(&indicator(kind, value))
            .into_iter()
            .map(|f| format!("{}: {}", f.what, f.value))
            .collect()
    }

    fn has(kind: IndicatorType, value: &str, wanted: &[&str]) {
        let got = text(kind, value);
        for w in wanted {
            assert!(
                got.iter().any(|g| g.contains(w)),
                "{value}: no {w:?} in {got:#?}"
            );
        }
    }

    #[test]
    fn addresses() {
        use IndicatorType::{Ip, Ipv6};
        has(
            Ip,
            "10.1.2.3",
            &[
                "10.0.0.0/8 Private-Use",
                "Globally reachable: no",
                "3.2.1.10.in-addr.arpa",
            ],
        );
        has(Ip, "100.64.9.9", &["carrier-grade NAT"]);
        has(
            Ip,
            "192.0.0.9",
            &[
                "192.0.0.9/32 Port Control Protocol Anycast",
                "Globally reachable: yes",
                "192.0.0.0/24",
            ],
        );
        has(Ip, "203.0.113.7", &["TEST-NET-3"]);
        has(
            Ip,
            "8.8.8.8",
            &["Special use: none", "Globally reachable: yes"],
        );
        has(
            Ip,
            "239.1.2.3",
            &["Administratively Scoped", "224.0.0.0/4 Multicast"],
        );
        has(
            Ipv6,
            "2001:db8::1",
            &["2001:db8::/32 Documentation", "Globally reachable: no"],
        );
        has(
            Ipv6,
            "2606:4700:4700::1111",
            &["Special use: none", "Globally reachable: yes"],
        );
        has(Ipv6, "4000::1", &["outside the space that IANA gives out"]);
        has(Ipv6, "64:ff9b::c000:201", &["Embedded IPv4: 192.0.2.1"]);
        has(Ipv6, "2002:c000:201::1", &["Embedded IPv4: 192.0.2.1"]);
        // RFC 4380, section 4: server 65.54.227.120, client 192.0.2.45 port 40000.
        has(
            Ipv6,
            "2001:0:4136:e378:8000:63bf:3fff:fdd2",
            &["192.0.2.45", "65.54.227.120", "port 40000"],
        );
        has(
            Ipv6,
            "fe80::211:22ff:fe33:4455",
            &["Interface identifier: 00:11:22:33:44:55"],
        );
    }

    #[test]
    fn networks() {
        use IndicatorType::Cidr;
        has(
            Cidr,
            "10.20.0.0/16",
            &[
                "10.0.0.0/8 Private-Use",
                "Addresses: 65536",
                "10.20.0.0 – 10.20.255.255",
            ],
        );
        has(
            Cidr,
            "192.0.0.0/16",
            &["Holds: 192.0.2.0/24", "Addresses: 65536"],
        );
        has(Cidr, "8.8.8.0/24", &["Special use: none"]);
        has(
            Cidr,
            "2001:db8:1::/48",
            &["Documentation", "Addresses: 2^80"],
        );
        has(Cidr, "::/0", &["Addresses: 2^128"]);
        assert!(text(Cidr, "0.0.0.0/0").len() < 40);
    }

    #[test]
    fn names() {
        use IndicatorType::Domain;
        has(
            Domain,
            "a.b.example.co.uk",
            &[
                "Public suffix: co.uk, ICANN",
                "Registrable domain: example.co.uk",
            ],
        );
        has(
            Domain,
            "evil.github.io",
            &[
                "Public suffix: github.io, private",
                "Registrable domain: evil.github.io",
            ],
        );
        has(Domain, "github.io", &["the name is itself a public suffix"]);
        has(
            Domain,
            "www.example.com",
            &[
                "Special use: Documentation (example.com)",
                "Registrable domain: example.com",
            ],
        );
        has(Domain, "printer.local", &["Multicast DNS"]);
        has(Domain, "x.internal", &["Private networks"]);
        has(Domain, "a.nosuchtld", &["not on the list"]);
        has(
            Domain,
            "xn--bcher-kva.example",
            &["Readable form: bücher.example"],
        );
        has(
            Domain,
            "7.113.0.203.in-addr.arpa",
            &["Reverse name of: 203.0.113.7"],
        );
        has(
            Domain,
            "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa",
            &["Reverse name of: 2001:db8::1"],
        );
        // "аpple" with a Cyrillic а, and "аррӏе", all Cyrillic.
        has(Domain, "xn--pple-43d.com", &["mixes Latin and Cyrillic"]);
        has(Domain, "xn--80ak6aa92e.com", &["looks like Latin"]);
        let plain = text(Domain, "xn--bcher-kva.example").join("\n");
        assert!(
            !plain.contains("mixes") && !plain.contains("looks like"),
            "{plain}"
        );
        has(
            IndicatorType::Onion,
            "duckduckgogg42xjoc72x3sjasowoarfbgcmvfimaftt6twagswzczad.onion",
            &["Tor onion services"],
        );
    }

    #[test]
    fn urls_mail_and_numbers() {
        has(
            IndicatorType::Url,
            "http://10.0.0.1:8080/x",
            &["Host: 10.0.0.1", "Private-Use"],
        );
        has(
            IndicatorType::Url,
            "https://[2001:db8::1]/",
            &["Host: 2001:db8::1", "Documentation"],
        );
        has(
            IndicatorType::Url,
            "https://login.evil.co.uk/a",
            &["Registrable domain: evil.co.uk"],
        );
        has(
            IndicatorType::Email,
            "a@mail.example.org",
            &["Registrable domain: example.org"],
        );
        has(IndicatorType::Asn, "AS64500", &["Documentation"]);
        has(IndicatorType::Asn, "AS4200000001", &["Private Use"]);
        assert!(text(IndicatorType::Asn, "AS15169").is_empty());
    }

    #[test]
    fn hashes_of_files_that_mean_nothing() {
        has(
            IndicatorType::Md5,
            "d41d8cd98f00b204e9800998ecf8427e",
            &["the hash of an empty file"],
        );
        has(
            IndicatorType::Sha1,
            "da39a3ee5e6b4b0d3255bfef95601890afd80709",
            &["the hash of an empty file"],
        );
        let sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        has(
            IndicatorType::Sha256,
            sha256,
            &["the hash of an empty file"],
        );
        has(
            IndicatorType::Md5,
            "44d88612fea8a8f36de82e1278abb02f",
            &["EICAR"],
        );
        has(
            IndicatorType::Md5,
            "00000000000000000000000000000000",
            &["a placeholder"],
        );
        assert!(text(IndicatorType::Md5, "0123456789abcdef0123456789abcdef").is_empty());
    }

    #[test]
    fn nothing_is_ever_judged() {
        for (kind, value) in [
            (IndicatorType::Ip, "8.8.8.8"),
            (IndicatorType::Domain, "evil.com"),
        ] {
            match outcome(facts(&indicator(kind, value))) {
                Outcome::Found(report) => assert_eq!(report.verdict, Verdict::Unknown),
                other => panic!("{other:?}"),
            }
        }
    }

    proptest! {
        #[test]
        fn every_address_and_name_is_found(v4: u32, v6: u128, name in "[a-z0-9-]{1,12}(\\.[a-z0-9-]{1,8}){0,5}") {
            prop_assert!(!address::facts(IpAddr::V4(v4.into())).is_empty());
            prop_assert!(!address::facts(IpAddr::V6(v6.into())).is_empty());
            prop_assert!(!name::facts(&name).is_empty());
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,80}", at in 0usize..12) {
            let _ = outcome(facts(&indicator(SPEC.types[at], &text)));
        }
    }
}

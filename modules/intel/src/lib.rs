//! Look-up modules, one file per source. A module is pure: it builds a request, reads an answer and
//! says one of three things (found, not found, could not look); the ports in [`kit::ports`] do the I/O.
//!
//! A new source is one file here, one `pub mod` line, one line in [`registry`] and its fixtures under
//! `tests/fixtures/intel/<name>/`.

mod abusech;
pub mod abuseipdb;
pub mod cases;
pub mod circlpdns;
pub mod common;
pub mod crtsh;
pub mod dns;
pub mod internetdb;
pub mod ipinfo;
pub mod malwarebazaar;
pub mod rdap;
pub mod special;
pub mod threatfox;
pub mod unfurl;
pub mod urlhaus;

use kit::Module;

/// Every module of the program, in name order.
static REGISTRY: &[&dyn Module] = &[
    &abuseipdb::AbuseIpDb,
    &cases::Cases,
    &circlpdns::CirclPdns,
    &crtsh::CrtSh,
    &dns::Dns,
    &internetdb::InternetDb,
    &ipinfo::IpInfo,
    &malwarebazaar::MalwareBazaar,
    &rdap::Rdap,
    &special::Special,
    &threatfox::ThreatFox,
    &unfurl::Unfurl,
    &urlhaus::UrlHaus,
];

/// Every module of the program, in name order.
#[must_use]
pub fn registry() -> &'static [&'static dyn Module] {
    REGISTRY
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::{Activity, KeyNeed};
    use std::collections::BTreeSet;

    #[test]
    fn every_module_states_its_facts() {
        let mut names = BTreeSet::new();
        for module in registry() {
            let spec = module.spec();
            let name = spec.name;
            assert!(names.insert(name), "{name} twice");
            assert!(
                !name.is_empty()
                    && name
                        .bytes()
                        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()),
                "{name}"
            );
            assert!(!spec.types.is_empty(), "{name}: no types");
            let kinds: BTreeSet<_> = spec.types.iter().collect();
            assert_eq!(kinds.len(), spec.types.len(), "{name}: a type twice");
            assert!(
                spec.activity != Activity::Active || !spec.ai_tool,
                "{name}: active and for models"
            );
            for (what, text) in [("what", spec.help.what), ("example", spec.help.example)] {
                assert!(
                    !text.is_empty() && text.trim() == text && text.len() < 200,
                    "{name}: help {what}"
                );
            }
            assert_eq!(
                spec.key == KeyNeed::None,
                spec.help.get_key.is_empty(),
                "{name}: how to get a key"
            );
            assert_eq!(
                spec.key == KeyNeed::None,
                spec.secrets.is_empty(),
                "{name}: secrets"
            );
            assert!(spec.ttl_s <= 30 * 86_400, "{name}: ttl");
            if spec.base_url.is_empty() {
                assert!(
                    spec.hosts.is_empty() || spec.activity != Activity::Offline,
                    "{name}: offline with hosts"
                );
            } else {
                let url = url::Url::parse(spec.base_url).unwrap_or_else(|e| panic!("{name}: {e}"));
                assert_eq!(url.scheme(), "https", "{name}");
                assert!(
                    url.host_str().is_some() && !spec.base_url.ends_with('/'),
                    "{name}"
                );
                assert!(!spec.rate.is_empty(), "{name}: no rate");
            }
            assert!(
                spec.rate.iter().all(|r| r.calls > 0 && r.per_s > 0),
                "{name}: rate"
            );
            for host in spec.hosts {
                assert!(
                    !host.contains("//") && host.to_ascii_lowercase() == **host,
                    "{name}: host {host}"
                );
            }
            for set in spec.data {
                assert!(set.url.starts_with("https://"), "{name}: {}", set.url);
            }
        }
    }

    #[test]
    fn the_registry_is_in_name_order() {
        assert!(registry().is_sorted_by_key(|m| m.spec().name));
    }

    #[test]
    fn the_sources_with_keys_are_passive_and_for_models() {
        for name in [
            "abuseipdb",
            "circlpdns",
            "crtsh",
            "ipinfo",
            "malwarebazaar",
            "threatfox",
            "urlhaus",
        ] {
            let module = registry()
                .iter()
                .find(|m| m.spec().name == name)
                .unwrap_or_else(|| panic!("no {name}"));
            let spec = module.spec();
            assert!(
                spec.ai_tool && spec.activity == Activity::Passive && !spec.local_model_only,
                "{name}"
            );
        }
        for name in ["malwarebazaar", "threatfox", "urlhaus"] {
            let module = registry()
                .iter()
                .find(|m| m.spec().name == name)
                .unwrap_or_else(|| panic!("no {name}"));
            assert_eq!(
                module.spec().secrets,
                [name, "abusech"],
                "one key of abuse.ch serves all three"
            );
        }
    }
}

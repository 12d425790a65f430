//! Canonical forms of whole strings, and the forms made from them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test says what is wrong by panicking, and prints its score"
)]

use kit::indicator::LookAlike;
use kit::{Indicator, IndicatorType, classify};

fn shown(text: &str) -> String {
    classify(text).map_or_else(
        || "nothing".to_owned(),
        |i| format!("{} {}", i.kind(), i.value()),
    )
}

fn indicator(text: &str) -> Indicator {
    classify(text).unwrap()
}

#[test]
fn every_type_has_one_canonical_form() {
    for (text, expected) in [
        (" 192.0.2.7\n", "ip 192.0.2.7"),
        ("192[.]0[.]2[.]7", "ip 192.0.2.7"),
        ("::FFFF:192.0.2.7", "ip 192.0.2.7"),
        ("2001:DB8:0:0:0:0:0:1", "ipv6 2001:db8::1"),
        ("[2001:db8::1]", "ipv6 2001:db8::1"),
        ("fe80::1%eth0", "ipv6 fe80::1"),
        ("64:ff9b::192.0.2.7", "ipv6 64:ff9b::c000:207"),
        ("192.0.2.77/24", "cidr 192.0.2.0/24"),
        ("192.0.2.77/255.255.255.0", "cidr 192.0.2.0/24"),
        ("192.0.2.7/32", "cidr 192.0.2.7/32"),
        ("2001:DB8::5/32", "cidr 2001:db8::/32"),
        ("::ffff:192.0.2.0/120", "cidr 192.0.2.0/24"),
        ("Kit-Panel.SHOP.", "domain kit-panel.shop"),
        ("kit-panel。shop", "domain kit-panel.shop"),
        ("`kit-panel.shop`", "domain kit-panel.shop"),
        ("<kit-panel[.]shop>", "domain kit-panel.shop"),
        ("kit-panel dot shop", "domain kit-panel.shop"),
        ("münchen-konto.de", "domain xn--mnchen-konto-dlb.de"),
        ("MÜNCHEN-KONTO.DE", "domain xn--mnchen-konto-dlb.de"),
        ("xn--mnchen-konto-dlb.de", "domain xn--mnchen-konto-dlb.de"),
        ("HXXP://Kit-Panel[.]SHOP:80", "url http://kit-panel.shop/"),
        (
            "http://münchen-konto.de./ü?q=ü#Ü",
            "url http://xn--mnchen-konto-dlb.de/%C3%BC?q=%C3%BC#%C3%9C",
        ),
        (
            "tcp://Kit-Panel.SHOP.:4444",
            "url tcp://kit-panel.shop:4444",
        ),
        (
            "tcp://münchen-konto.de:1",
            "url tcp://xn--mnchen-konto-dlb.de:1",
        ),
        ("http://[2001:DB8::1]:80/x", "url http://[2001:db8::1]/x"),
        (
            "44D88612FEA8A8F36DE82E1278ABB02F",
            "md5 44d88612fea8a8f36de82e1278abb02f",
        ),
        (
            "JA3S: 44D88612FEA8A8F36DE82E1278ABB02F",
            "ja3s 44d88612fea8a8f36de82e1278abb02f",
        ),
        ("Boss+X@Kit-Panel.Shop", "email boss+x@kit-panel.shop"),
        ("cve-2024-3094", "cve CVE-2024-3094"),
        ("asn64500", "asn AS64500"),
        ("AS1.10", "asn AS65546"),
        ("00-1A-2B-3C-4D-5E", "mac 00:1a:2b:3c:4d:5e"),
        ("001a.2b3c.4d5e", "mac 00:1a:2b:3c:4d:5e"),
        ("t1059.003", "attack T1059.003"),
        ("EXPYUZZ4WQQYQHJN.onion", "onion expyuzz4wqqyqhjn.onion"),
        (
            "0X4936C9199B4EF9FBB62E06B94FE40C3973463102",
            "eth 0x4936c9199b4ef9fbb62e06b94fe40c3973463102",
        ),
        (
            "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
            "btc 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
        ),
        (
            "96:PzA2OzqHbHCXdHxZ:PzA1OHbHCXdHxZ",
            "ssdeep 96:PzA2OzqHbHCXdHxZ:PzA1OHbHCXdHxZ",
        ),
    ] {
        assert_eq!(shown(text), expected, "{text:?}");
    }
}

#[test]
fn what_is_not_exactly_one_value_is_nothing() {
    for text in [
        "",
        " ",
        ".",
        "shop",
        "localhost",
        "kit-panel.shop, other.shop",
        "kit-panel.shop other.shop",
        "kit\u{200b}-panel.shop",
        "-kit.shop",
        "kit-.shop",
        "kit..shop",
        "_dmarc.kit-panel.shop",
        "kit-panel.shop/x",
        "kit-panel.shop:80",
        "192.0.2.256",
        "192.0.2.07",
        "192.0.2",
        "192.0.2.1.1",
        "3405803783",
        "0xc0000207",
        "192.0.2.0/33",
        "2001:db8::/129",
        "2001::db8::1",
        "http://",
        "http:///x",
        "http://a b/",
        "foo://kit-panel.shop/",
        "javascript:alert(1)",
        "fe80::1%",
        "a@b",
        "a@b@kit-panel.shop",
        "@kit-panel.shop",
        "CVE-1998-0001",
        "CVE-2024-309",
        "AS0",
        "AS4294967296",
        "T9999",
        "00:1a:2b:3c:4d",
        "00:1a-2b:3c:4d:5e",
        "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb",
        "0x4936",
        "xn--a.com\u{0}",
    ] {
        assert_eq!(shown(text), "nothing", "{text:?}");
    }
    let long = format!("{}.shop", "a".repeat(64));
    assert_eq!(shown(&long), "nothing");
    assert_eq!(
        shown(&format!("http://kit-panel.shop/{}", "a".repeat(10_000))),
        "nothing"
    );
}

#[test]
fn the_host_of_a_url_is_an_indicator_of_its_own() {
    for (url, host) in [
        ("https://kit-panel.shop/x", Some("kit-panel.shop")),
        (
            "https://user:pw@kit-panel.shop:8443/x",
            Some("kit-panel.shop"),
        ),
        ("http://192.0.2.7:8080/", Some("192.0.2.7")),
        ("tcp://192.0.2.7:4444", Some("192.0.2.7")),
        ("tcp://[2001:db8::1]:4444", Some("2001:db8::1")),
        ("http://[::ffff:192.0.2.7]/", Some("192.0.2.7")),
        ("http://intranet/", None),
    ] {
        assert_eq!(
            indicator(url)
                .host()
                .map(|h| h.value().to_owned())
                .as_deref(),
            host,
            "{url}"
        );
    }
    assert_eq!(indicator("kit-panel.shop").host(), None);
    let onion = indicator("http://expyuzz4wqqyqhjn.onion/x").host().unwrap();
    assert_eq!(onion.kind(), IndicatorType::Onion);
}

#[test]
fn a_network_of_one_address_is_that_address() {
    assert_eq!(
        indicator("192.0.2.7/32").single_address(),
        Some(indicator("192.0.2.7"))
    );
    assert_eq!(
        indicator("2001:db8::7/128").single_address(),
        Some(indicator("2001:db8::7"))
    );
    assert_eq!(indicator("192.0.2.0/31").single_address(), None);
    assert_eq!(indicator("192.0.2.7").single_address(), None);
}

#[test]
fn defanged_forms_cannot_be_clicked_and_read_back() {
    for (text, defanged) in [
        ("192.0.2.7", "192[.]0.2.7"),
        ("2001:db8::1", "2001[:]db8::1"),
        ("::1", "[:]:1"),
        ("192.0.2.0/24", "192[.]0.2.0/24"),
        ("www.kit-panel.shop", "www[.]kit-panel.shop"),
        ("a.b@kit-panel.shop", "a.b[@]kit-panel[.]shop"),
        (
            "https://www.kit-panel.shop/a.b?c=http://x.y",
            "hxxps://www[.]kit-panel.shop/a.b?c=http://x.y",
        ),
        ("http://intranet/a.b", "hxxp://intranet/a.b"),
        ("http://u.v@kit-panel.shop/", "hxxp://u.v@kit-panel[.]shop/"),
        ("http://[2001:db8::1]/x", "hxxp://[2001[:]db8::1]/x"),
        ("ftp://kit-panel.shop/x", "ftp[:]//kit-panel[.]shop/x"),
        (
            "44d88612fea8a8f36de82e1278abb02f",
            "44d88612fea8a8f36de82e1278abb02f",
        ),
        ("CVE-2024-3094", "CVE-2024-3094"),
    ] {
        let found = indicator(text);
        assert_eq!(found.defanged(), defanged, "{text}");
        assert_eq!(indicator(defanged), found, "{text}");
    }
}

#[test]
fn readable_forms_show_the_letters_and_the_canonical_name() {
    for (text, readable, mark) in [
        ("kit-panel.shop", "kit-panel.shop", None),
        (
            "münchen-konto.de",
            "münchen-konto.de (xn--mnchen-konto-dlb.de)",
            None,
        ),
        (
            "https://münchen-konto.de/x",
            "https://münchen-konto.de/x (https://xn--mnchen-konto-dlb.de/x)",
            None,
        ),
        ("пример.рф", "пример.рф (xn--e1afmkfd.xn--p1ai)", None),
        (
            "みんなchat.jp",
            "みんなchat.jp (xn--chat-kc4cvezf.jp)",
            None,
        ),
        (
            "pаypal-secure.com",
            "pаypal-secure.com (xn--pypal-secure-x9j.com, mixed scripts)",
            Some(LookAlike::MixedScripts),
        ),
        (
            "раура.com",
            "раура.com (xn--80aa0cbo.com, looks like Latin letters)",
            Some(LookAlike::WholeScript),
        ),
        (
            "kıt-panel.shop",
            "kıt-panel.shop (xn--kt-panel-tkb.shop, looks like Latin letters)",
            Some(LookAlike::WholeScript),
        ),
    ] {
        let found = indicator(text);
        assert_eq!(found.look_alike(), mark, "{text}");
        assert_eq!(found.readable(), readable, "{text}");
    }
    assert_eq!(indicator("192.0.2.7").readable(), "192.0.2.7");
}

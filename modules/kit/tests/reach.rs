//! What may leave the machine.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test says what is wrong by panicking, and prints its score"
)]

use kit::reach::{ReachPolicy, Unreachable, check};
use kit::{Indicator, classify};

fn indicator(text: &str) -> Indicator {
    classify(text).unwrap()
}

fn verdict(text: &str) -> Result<(), Unreachable> {
    check(&indicator(text), &ReachPolicy::default())
}

#[test]
fn public_values_go_out() {
    for text in [
        "8.8.8.8",
        "1.1.1.1",
        "192.0.0.9",
        "192.31.196.1",
        "172.32.0.1",
        "100.128.0.1",
        "2606:4700::1111",
        "2001:4860:4860::8888",
        "2001:3::1",
        "2001:20::1",
        "64:ff9b::8.8.8.8",
        "2002:808:808::1",
        "8.8.8.0/24",
        "8.8.0.0/16",
        "2606:4700::/32",
        "kit-panel.shop",
        "www.example.com",
        "example.org",
        "c2.example.net",
        "evil.test",
        "nothing.invalid",
        "https://kit-panel.shop/x",
        "http://8.8.8.8/",
        "tcp://8.8.8.8:4444",
        "boss@kit-panel.shop",
        "CVE-2024-3094",
        "AS64500",
        "44d88612fea8a8f36de82e1278abb02f",
        "T1059",
        "expyuzz4wqqyqhjn.onion",
        "00:11:22:33:44:55",
        "notlocal.com",
        "8.8.8.8.in-addr.arpa",
    ] {
        assert_eq!(verdict(text), Ok(()), "{text}");
    }
}

#[test]
fn special_use_stays_at_home() {
    for text in [
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.1",
        "192.0.2.7",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.5",
        "203.0.113.7",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::ffff:10.0.0.1",
        "::1",
        "fe80::1",
        "fec0::1",
        "fc00::1",
        "fd12::1",
        "ff02::1",
        "2001:db8::1",
        "3fff::1",
        "100::1",
        "2001::1",
        "2001:2::1",
        "5f00::1",
        "64:ff9b:1::1",
        "64:ff9b::10.0.0.1",
        "2002:a00:1::1",
        "::8.8.8.8",
        "4000::1",
        "10.0.0.0/24",
        "10.0.0.0/8",
        "fe80::/64",
        "2001:db8::/32",
        "198.51.100.0/30",
        "http://192.168.1.1/admin",
        "http://[::1]:8080/",
        "tcp://10.0.0.1:4444",
        "http://[::ffff:10.0.0.1]/",
        "1.0.168.192.in-addr.arpa",
    ] {
        assert!(
            matches!(verdict(text), Err(Unreachable::SpecialUse(_))),
            "{text}: {:?}",
            verdict(text)
        );
    }
}

#[test]
fn wide_networks_stay_at_home() {
    for text in [
        "0.0.0.0/0",
        "8.0.0.0/15",
        "8.0.0.0/8",
        "2600::/31",
        "::/0",
        "2000::/3",
    ] {
        assert_eq!(verdict(text), Err(Unreachable::TooWide), "{text}");
    }
}

#[test]
fn internal_names_stay_at_home() {
    for (text, suffix) in [
        ("dc01.corp.local", "local"),
        ("printer.lan", "lan"),
        ("nas.home.arpa", "home.arpa"),
        ("git.internal", "internal"),
        ("x.localhost", "localhost"),
        ("a.intranet", "intranet"),
        ("fs.corp", "corp"),
        ("tv.home", "home"),
        ("bob@mail.corp.local", "local"),
        ("https://wiki.corp.local/x", "local"),
        ("http://intranet/", "intranet"),
        ("http://localhost:8080/x", "localhost"),
        ("HTTPS://Wiki.Corp.LOCAL./x", "local"),
        ("smb://fileserver.lan/share", "lan"),
    ] {
        assert_eq!(
            verdict(text),
            Err(Unreachable::InternalName(suffix.into())),
            "{text}"
        );
    }
}

#[test]
fn the_operator_can_stop_more_and_let_more_out() {
    let policy = ReachPolicy {
        internal_suffixes: vec!["contoso.com".into()],
        allow_nets: vec![
            "203.0.113.0/24".parse().unwrap(),
            "2001:db8::/32".parse().unwrap(),
            "8.0.0.0/8".parse().unwrap(),
        ],
        allow_suffixes: vec!["lab.local".into(), "public.contoso.com".into()],
    };
    for text in [
        "203.0.113.7",
        "203.0.113.0/25",
        "http://203.0.113.7/",
        "2001:db8::1",
        "8.0.0.0/8",
        "x.lab.local",
        "lab.local",
        "www.public.contoso.com",
        "notcontoso.com",
    ] {
        assert_eq!(check(&indicator(text), &policy), Ok(()), "{text}");
    }
    for text in [
        "203.0.112.0/23",
        "192.0.2.1",
        "contoso.com",
        "vpn.contoso.com",
        "https://vpn.contoso.com/",
        "notlab.local",
    ] {
        assert!(check(&indicator(text), &policy).is_err(), "{text}");
    }
}

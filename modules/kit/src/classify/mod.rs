//! One whole string → one indicator, generously (a person typed it). One file per family of types; each
//! reads a text that is refanged already and gives the canonical form or nothing.

pub(crate) mod address;
pub(crate) mod hash;
pub(crate) mod ident;
pub(crate) mod name;
pub(crate) mod web;

use crate::indicator::Indicator;
use crate::refang::{is_invisible, refang};

/// The longest string that is looked at, in bytes.
const MAX_INPUT: usize = web::MAX_URL + 64;

/// Reads a whole string as one indicator: trims it, undoes defanging, and puts it in canonical form.
/// `None` when it is not exactly one indicator. The last label of a name need not exist, and a string
/// with invisible characters inside is a different string and not read.
#[must_use]
pub fn classify(text: &str) -> Option<Indicator> {
    let text = unwrap_quotes(text.trim());
    if text.is_empty()
        || text.len() > MAX_INPUT
        || text.chars().any(|c| c.is_control() || is_invisible(c))
    {
        return None;
    }
    if let Some(found) = hash::hash(text) {
        return Some(found);
    }
    let plain = refang(text);
    exact(&plain).or_else(|| without_zone(&plain))
}

/// An IPv6 address with its zone dropped: `fe80::1%eth0` names an interface of one machine (RFC 4007).
fn without_zone(text: &str) -> Option<Indicator> {
    let (address, zone) = text.split_once('%')?;
    let plain_zone = !zone.is_empty()
        && zone
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'));
    if plain_zone {
        address::ipv6(address)
    } else {
        None
    }
}

/// Reads a refanged text as exactly one indicator.
pub(crate) fn exact(text: &str) -> Option<Indicator> {
    if let Some(found) = hash::hash(text) {
        return Some(found);
    }
    if web::split_scheme(text).is_some() {
        return web::url(text);
    }
    let unbracketed = text
        .strip_prefix('[')
        .and_then(|t| t.strip_suffix(']'))
        .unwrap_or(text);
    address::ipv4(text)
        .or_else(|| address::ipv6(unbracketed))
        .or_else(|| address::cidr(text))
        .or_else(|| address::mac(text))
        .or_else(|| hash::labelled_ja3(text))
        .or_else(|| hash::ssdeep(text))
        .or_else(|| ident::cve(text))
        .or_else(|| ident::asn(text))
        .or_else(|| ident::attack(text))
        .or_else(|| ident::eth(text))
        .or_else(|| ident::btc(text))
        .or_else(|| {
            if text.contains('@') {
                name::email(text)
            } else {
                name::domain(text)
            }
        })
}

/// Takes one pair of quotes, backticks or angle brackets off.
fn unwrap_quotes(text: &str) -> &str {
    for (open, close) in [
        ('"', '"'),
        ('\'', '\''),
        ('`', '`'),
        ('<', '>'),
        ('“', '”'),
        ('‘', '’'),
        ('«', '»'),
    ] {
        if let Some(inner) = text.strip_prefix(open).and_then(|t| t.strip_suffix(close)) {
            return inner.trim();
        }
    }
    text
}

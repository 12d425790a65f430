//! IPv4, IPv6, networks and hardware addresses.

use crate::indicator::{Indicator, IndicatorType};
use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// An IPv4 address, exactly four decimal octets without leading zeros.
pub(crate) fn ipv4(text: &str) -> Option<Indicator> {
    text.parse::<Ipv4Addr>()
        .ok()
        .map(|a| Indicator::canonical(IndicatorType::Ip, a.to_string()))
}

/// An IPv6 address without zone. An IPv4-mapped one is its IPv4 address (RFC 4291, 2.5.5.2); other
/// embeddings (NAT64, 6to4) stay IPv6.
pub(crate) fn ipv6(text: &str) -> Option<Indicator> {
    text.parse::<Ipv6Addr>().ok().map(from_ipv6)
}

pub(crate) fn from_ipv6(address: Ipv6Addr) -> Indicator {
    match address.to_ipv4_mapped() {
        Some(v4) => Indicator::canonical(IndicatorType::Ip, v4.to_string()),
        None => Indicator::canonical(IndicatorType::Ipv6, plain_ipv6(address)),
    }
}

/// RFC 5952 form, always in hex groups (a NAT64 address has no dotted tail).
fn plain_ipv6(address: Ipv6Addr) -> String {
    address.to_string()
}

/// A network: address, slash, prefix length or (IPv4) a contiguous netmask. Host bits are cleared. A
/// mapped IPv6 network is written as its IPv4 network.
pub(crate) fn cidr(text: &str) -> Option<Indicator> {
    let (address, prefix) = text.split_once('/')?;
    let net = if let Ok(v4) = address.parse::<Ipv4Addr>() {
        let length = match short_number(prefix) {
            Some(n) => n,
            None => ipnet::ipv4_mask_to_prefix(prefix.parse().ok()?).ok()?,
        };
        IpNet::V4(Ipv4Net::new(v4, length).ok()?)
    } else {
        let v6 = address.parse::<Ipv6Addr>().ok()?;
        let length = short_number(prefix)?;
        match v6.to_ipv4_mapped() {
            Some(v4) if length >= 96 => IpNet::V4(Ipv4Net::new(v4, length - 96).ok()?),
            _ => IpNet::V6(Ipv6Net::new(v6, length).ok()?),
        }
    };
    Some(Indicator::canonical(
        IndicatorType::Cidr,
        net.trunc().to_string(),
    ))
}

/// A prefix length: one to three digits, no sign, no leading zero.
fn short_number(text: &str) -> Option<u8> {
    let plain = (1..=3).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_digit())
        && (text.len() == 1 || !text.starts_with('0'));
    if plain { text.parse().ok() } else { None }
}

/// A hardware address in one of its three spellings: `00:1a:…`, `00-1a-…`, `001a.2b3c.4d5e`.
pub(crate) fn mac(text: &str) -> Option<Indicator> {
    let b = text.as_bytes();
    let digits: Vec<u8> = match b.len() {
        17 if b[2] == b':' || b[2] == b'-' => {
            let separator = b[2];
            let fits = b.iter().enumerate().all(|(i, &c)| {
                if i % 3 == 2 {
                    c == separator
                } else {
                    c.is_ascii_hexdigit()
                }
            });
            if !fits {
                return None;
            }
            b.iter().copied().filter(|&c| c != separator).collect()
        }
        14 => {
            let fits = b.iter().enumerate().all(|(i, &c)| {
                if i % 5 == 4 {
                    c == b'.'
                } else {
                    c.is_ascii_hexdigit()
                }
            });
            if !fits {
                return None;
            }
            b.iter().copied().filter(|&c| c != b'.').collect()
        }
        _ => return None,
    };
    let mut out = String::with_capacity(17);
    for (i, c) in digits.iter().enumerate() {
        if i > 0 && i % 2 == 0 {
            out.push(':');
        }
        out.push(c.to_ascii_lowercase() as char);
    }
    Some(Indicator::canonical(IndicatorType::Mac, out))
}

/// Forms that name an address for some readers and not for others: `inet_aton` takes octal, hex, decimal
/// and short forms; a host whose last label is a number is read as IPv4 by WHATWG URL readers; a zone id
/// means something on one machine only.
pub(crate) fn is_ambiguous(text: &str) -> bool {
    let text = text.strip_suffix('.').unwrap_or(text);
    let text = text.split('/').next().unwrap_or(text);
    if text.parse::<IpAddr>().is_ok() || text.is_empty() {
        return false;
    }
    if let Some((address, _)) = text.split_once('%') {
        return address.contains(':');
    }
    let last = text.rsplit('.').next().unwrap_or(text);
    let number = |t: &str| {
        let hex = t.strip_prefix("0x").or_else(|| t.strip_prefix("0X"));
        match hex {
            Some(h) => h.bytes().all(|b| b.is_ascii_hexdigit()),
            None => !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit()),
        }
    };
    number(last)
}

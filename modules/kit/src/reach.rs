//! Whether an indicator may be sent to a source outside: private and special-use space, too wide
//! networks and internal names stay at home.
//!
//! The tables follow the IANA registries of special-purpose addresses (RFC 6890 with its updates):
//! <https://www.iana.org/assignments/iana-ipv4-special-registry> and `…/iana-ipv6-special-registry`.

use crate::classify::name;
use crate::indicator::{Indicator, IndicatorType};
use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What the operator added to the built-in rules.
#[derive(Clone, Debug, Default)]
pub struct ReachPolicy {
    /// Suffixes of internal names (`[network] internal_suffixes`), without a leading dot, lower case.
    pub internal_suffixes: Vec<String>,
    /// Networks that may go out all the same (`[network] reach_allow`).
    pub allow_nets: Vec<IpNet>,
    /// Name suffixes that may go out all the same (`[network] reach_allow`).
    pub allow_suffixes: Vec<String>,
}

/// Why an indicator stays at home. The text is fit for the screen and for a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreachable {
    /// An address or network of a special-use registry (IANA); holds the registry's name for it.
    #[error("{0} addresses are not sent to outside sources")]
    SpecialUse(&'static str),
    /// A network wider than /16 (IPv4) or /32 (IPv6).
    #[error("the network is too wide to be sent to outside sources")]
    TooWide,
    /// A single-label name or one under an internal suffix; holds the suffix or label.
    #[error("internal names ({0}) are not sent to outside sources")]
    InternalName(String),
}

/// The shortest prefixes that go out.
const WIDEST_V4: u8 = 16;
const WIDEST_V6: u8 = 32;

/// Suffixes that name nothing on the public Internet: RFC 6762 appendix G, RFC 6761 (`localhost`),
/// RFC 8375 (`home.arpa`), ICANN's reservation of `internal` (2024).
const INTERNAL: [&str; 10] = [
    "local",
    "localhost",
    "internal",
    "intranet",
    "lan",
    "home",
    "corp",
    "home.arpa",
    "private",
    "localdomain",
];

/// Checks whether `indicator` may be sent to an outside source. The host of a URL and the domain of a
/// mail address count; hashes and identifiers always may.
///
/// # Errors
/// [`Unreachable`] says why it stays at home.
pub fn check(indicator: &Indicator, policy: &ReachPolicy) -> Result<(), Unreachable> {
    let value = indicator.value();
    match indicator.kind() {
        IndicatorType::Ip | IndicatorType::Ipv6 => {
            value.parse().map_or(Ok(()), |a| check_address(a, policy))
        }
        IndicatorType::Cidr => value.parse().map_or(Ok(()), |n| check_net(n, policy)),
        IndicatorType::Domain => check_name(value, policy),
        IndicatorType::Email => check_name(value.rsplit('@').next().unwrap_or(value), policy),
        IndicatorType::Url => check_url(value, policy),
        _ => Ok(()),
    }
}

fn check_url(value: &str, policy: &ReachPolicy) -> Result<(), Unreachable> {
    let parsed = url::Url::parse(value).ok();
    let Some(host) = parsed.as_ref().and_then(url::Url::host_str) else {
        return Err(Unreachable::InternalName("a URL without a host".to_owned()));
    };
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<IpAddr>() {
        Ok(address) => check_address(address, policy),
        Err(_) => check_name(
            &name::url_host(bare).unwrap_or_else(|| bare.to_ascii_lowercase()),
            policy,
        ),
    }
}

fn is_under(name: &str, suffix: &str) -> bool {
    let suffix = suffix.trim_start_matches('.');
    match name.strip_suffix(suffix) {
        Some(rest) => !suffix.is_empty() && (rest.is_empty() || rest.ends_with('.')),
        None => false,
    }
}

fn check_name(name: &str, policy: &ReachPolicy) -> Result<(), Unreachable> {
    if policy.allow_suffixes.iter().any(|s| is_under(name, s)) {
        return Ok(());
    }
    if !name.contains('.') {
        return Err(Unreachable::InternalName(name.to_owned()));
    }
    if let Some(suffix) = INTERNAL.into_iter().find(|s| is_under(name, s)) {
        return Err(Unreachable::InternalName(suffix.to_owned()));
    }
    if let Some(suffix) = policy.internal_suffixes.iter().find(|s| is_under(name, s)) {
        return Err(Unreachable::InternalName(
            suffix.trim_start_matches('.').to_owned(),
        ));
    }
    match reverse_address(name) {
        // The reverse name of a private address says as much as the address.
        Some(address) => check_address(IpAddr::V4(address), policy),
        None => Ok(()),
    }
}

/// The address of a complete IPv4 reverse name (RFC 1035, 3.5).
fn reverse_address(name: &str) -> Option<Ipv4Addr> {
    let octets = name.strip_suffix(".in-addr.arpa")?;
    let mut parts: Vec<&str> = octets.split('.').collect();
    parts.reverse();
    parts.join(".").parse().ok()
}

fn check_address(address: IpAddr, policy: &ReachPolicy) -> Result<(), Unreachable> {
    if policy.allow_nets.iter().any(|n| n.contains(&address)) {
        return Ok(());
    }
    match special_use(address) {
        Some(kind) => Err(Unreachable::SpecialUse(kind)),
        None => Ok(()),
    }
}

fn check_net(net: IpNet, policy: &ReachPolicy) -> Result<(), Unreachable> {
    if policy.allow_nets.iter().any(|n| n.contains(&net)) {
        return Ok(());
    }
    let widest = match net {
        IpNet::V4(_) => WIDEST_V4,
        IpNet::V6(_) => WIDEST_V6,
    };
    // A wide network inside special-use space is refused by the name of that space.
    if let (Some(first), Some(last)) = (special_use(net.network()), special_use(net.broadcast()))
        && first == last
    {
        return Err(Unreachable::SpecialUse(first));
    }
    if net.prefix_len() < widest {
        return Err(Unreachable::TooWide);
    }
    // A network that only holds a piece of special-use space goes out for the rest of it, unless either
    // end is inside.
    match special_use(net.network()).or_else(|| special_use(net.broadcast())) {
        Some(kind) => Err(Unreachable::SpecialUse(kind)),
        None => Ok(()),
    }
}

/// What an IANA registry calls the block of an address that is not globally reachable; `None` when it is.
#[must_use]
pub fn special_use(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(a) => special_v4(a),
        IpAddr::V6(a) => special_v6(a),
    }
}

const fn v4(a: u8, b: u8, c: u8, d: u8, length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

/// More special blocks stand first.
const SPECIAL_V4: [(Ipv4Net, &str); 16] = [
    (v4(0, 0, 0, 0, 8), "\"this network\""), // RFC 791, 3.2
    (v4(10, 0, 0, 0, 8), "private-use"),     // RFC 1918
    (v4(100, 64, 0, 0, 10), "shared (carrier-grade NAT)"), // RFC 6598
    (v4(127, 0, 0, 0, 8), "loopback"),       // RFC 1122, 3.2.1.3
    (v4(169, 254, 0, 0, 16), "link-local"),  // RFC 3927
    (v4(172, 16, 0, 0, 12), "private-use"),  // RFC 1918
    (v4(192, 0, 0, 0, 24), "IETF protocol assignment"), // RFC 6890, 2.1
    (v4(192, 0, 2, 0, 24), "documentation"), // RFC 5737
    (v4(192, 88, 99, 0, 24), "deprecated 6to4 relay"), // RFC 7526
    (v4(192, 168, 0, 0, 16), "private-use"), // RFC 1918
    (v4(198, 18, 0, 0, 15), "benchmarking"), // RFC 2544
    (v4(198, 51, 100, 0, 24), "documentation"), // RFC 5737
    (v4(203, 0, 113, 0, 24), "documentation"), // RFC 5737
    (v4(224, 0, 0, 0, 4), "multicast"),      // RFC 5771
    (v4(255, 255, 255, 255, 32), "limited broadcast"), // RFC 919
    (v4(240, 0, 0, 0, 4), "reserved"),       // RFC 1112, 4
];

fn special_v4(address: Ipv4Addr) -> Option<&'static str> {
    // PCP and TURN anycast are globally reachable (RFC 7723, RFC 8155).
    if matches!(address.octets(), [192, 0, 0, 9 | 10]) {
        return None;
    }
    SPECIAL_V4
        .iter()
        .find(|(net, _)| net.contains(&address))
        .map(|(_, name)| *name)
}

const fn v6(a: u16, b: u16, c: u16, d: u16, length: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0), length)
}

/// Globally reachable parts of 2001::/23.
const OPEN_V6: [Ipv6Net; 5] = [
    v6(0x2001, 3, 0, 0, 32),     // AMT, RFC 7450
    v6(0x2001, 4, 0x112, 0, 48), // AS112-v6, RFC 7535
    v6(0x2001, 0x20, 0, 0, 28),  // ORCHIDv2, RFC 7343
    v6(0x2001, 0x30, 0, 0, 28),  // drone remote identification, RFC 9374
    Ipv6Net::new_assert(Ipv6Addr::new(0x2001, 1, 0, 0, 0, 0, 0, 0), 126), // PCP, TURN, DNS-SD anycast
];

const SPECIAL_V6: [(Ipv6Net, &str); 16] = [
    (v6(0, 0, 0, 0, 128), "unspecified"), // RFC 4291, 2.5.2
    (Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128), "loopback"), // RFC 4291, 2.5.3
    (v6(0, 0, 0, 0, 96), "deprecated IPv4-compatible"), // RFC 4291, 2.5.5.1
    (
        v6(0x64, 0xff9b, 1, 0, 48),
        "local-use IPv4/IPv6 translation",
    ), // RFC 8215
    (v6(0x100, 0, 0, 0, 64), "discard-only"), // RFC 6666
    (v6(0x100, 0, 0, 1, 64), "dummy prefix"), // RFC 9780
    (v6(0x2001, 0, 0, 0, 32), "Teredo"),  // RFC 4380
    (v6(0x2001, 2, 0, 0, 48), "benchmarking"), // RFC 5180
    (v6(0x2001, 0xdb8, 0, 0, 32), "documentation"), // RFC 3849
    (v6(0x2001, 0, 0, 0, 23), "IETF protocol assignment"), // RFC 2928
    (v6(0x3fff, 0, 0, 0, 20), "documentation"), // RFC 9637
    (v6(0x5f00, 0, 0, 0, 16), "segment routing"), // RFC 9602
    (v6(0xfc00, 0, 0, 0, 7), "unique-local"), // RFC 4193
    (v6(0xfe80, 0, 0, 0, 10), "link-local"), // RFC 4291, 2.5.6
    (v6(0xfec0, 0, 0, 0, 10), "deprecated site-local"), // RFC 3879
    (v6(0xff00, 0, 0, 0, 8), "multicast"), // RFC 4291, 2.7
];

fn special_v6(address: Ipv6Addr) -> Option<&'static str> {
    if let Some(inner) = address.to_ipv4_mapped() {
        return special_v4(inner);
    }
    if OPEN_V6.iter().any(|net| net.contains(&address)) {
        return None;
    }
    if let Some((_, name)) = SPECIAL_V6.iter().find(|(net, _)| net.contains(&address)) {
        return Some(name);
    }
    let [a, b, c, d, e, f, g, h] = address.segments();
    let embedded =
        |high: u16, low: u16| special_v4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)));
    // NAT64 (RFC 6052) and 6to4 (RFC 3056) carry an IPv4 address; a private one stays at home.
    if (a, b, c, d, e, f) == (0x64, 0xff9b, 0, 0, 0, 0) {
        return embedded(g, h);
    }
    if a == 0x2002 {
        return embedded(b, c);
    }
    // Global unicast is 2000::/3 (RFC 4291, 2.4); the rest is unassigned.
    (a & 0xe000 != 0x2000).then_some("reserved")
}

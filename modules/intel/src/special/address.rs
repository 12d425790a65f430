//! Addresses, networks and AS numbers.

use super::{Fact, table_rows};
use ipnet::IpNet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

static BLOCKS: &str = include_str!("../../data/special-addresses.txt");

/// Blocks listed inside a network, at most.
const MAX_INSIDE: usize = 20;

/// One row of the registries.
struct Block {
    net: IpNet,
    name: &'static str,
    document: &'static str,
    reachable: &'static str,
    registry: &'static str,
}

fn blocks() -> impl Iterator<Item = Block> {
    table_rows(BLOCKS).filter_map(|row| match row.as_slice() {
        [net, name, document, reachable, registry] => Some(Block {
            net: net.parse().ok()?,
            name,
            document,
            reachable,
            registry: match *registry {
                "m" => "IANA multicast registry",
                "a" => "IANA IPv6 address space",
                _ => "IANA special-purpose registry",
            },
        }),
        _ => None,
    })
}

/// The blocks that hold `net`, the most specific first: it is the one that counts (RFC 6890, 2.2.1).
fn around(net: IpNet) -> Vec<Block> {
    let mut found: Vec<Block> = blocks().filter(|b| b.net.contains(&net)).collect();
    found.sort_by_key(|b| std::cmp::Reverse(b.net.prefix_len()));
    found
}

fn listed(what: &'static str, block: &Block) -> Fact {
    Fact::new(
        what,
        format!("{} {}", block.net, block.name),
        format!("{}, {}", block.document, block.registry),
    )
}

fn reachable(found: &[Block], ordinary: bool) -> Fact {
    match found.first() {
        Some(block) => {
            let value = match block.reachable {
                "yes" => "yes",
                "no" => "no",
                _ => "the registry does not say",
            };
            Fact::new("Globally reachable", value, block.document)
        }
        None if ordinary => Fact::new(
            "Globally reachable",
            "yes, as far as the registries say",
            "",
        ),
        None => Fact::new("Globally reachable", "no", "RFC 4291"),
    }
}

/// IPv6 addresses are given out from 2000::/3 only (RFC 4291, IANA IPv6 Address Space).
fn ordinary(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(_) => true,
        IpAddr::V6(v6) => v6.segments()[0] & 0xe000 == 0x2000,
    }
}

fn special_use(found: &[Block], ip: IpAddr, out: &mut Vec<Fact>) {
    out.extend(found.iter().map(|b| listed("Special use", b)));
    if found.is_empty() && ordinary(ip) {
        out.push(Fact::new(
            "Special use",
            "none: ordinary unicast address space",
            "IANA special-purpose registries",
        ));
    } else if found.is_empty() {
        let value = "none listed, but outside the space that IANA gives out (2000::/3)";
        out.push(Fact::new("Special use", value, "IANA IPv6 address space"));
    }
    out.push(reachable(found, ordinary(ip)));
}

/// What is known of one address.
pub(super) fn facts(ip: IpAddr) -> Vec<Fact> {
    let mut out = Vec::new();
    special_use(&around(IpNet::from(ip)), ip, &mut out);
    match ip {
        IpAddr::V4(v4) => out.push(Fact::new("Reverse name", reverse_v4(v4), "RFC 1035")),
        IpAddr::V6(v6) => {
            out.extend(embedded(v6));
            out.extend(hardware(v6));
            out.push(Fact::new("Reverse name", reverse_v6(v6), "RFC 3596"));
        }
    }
    out
}

/// What is known of a network.
pub(super) fn network_facts(net: IpNet) -> Vec<Fact> {
    let mut out = Vec::new();
    let found = around(net);
    let inside: Vec<Block> = blocks()
        .filter(|b| net.contains(&b.net) && b.net != net)
        .collect();
    if found.is_empty() && !inside.is_empty() {
        out.push(Fact::new(
            "Special use",
            "not as a whole",
            "IANA special-purpose registries",
        ));
    } else {
        special_use(&found, net.addr(), &mut out);
    }
    out.extend(inside.iter().take(MAX_INSIDE).map(|b| listed("Holds", b)));
    if inside.len() > MAX_INSIDE {
        out.push(Fact::new(
            "Holds",
            format!("{} more special-purpose blocks", inside.len() - MAX_INSIDE),
            "",
        ));
    }
    out.push(Fact::new(
        "Range",
        format!("{} – {}", net.network(), net.broadcast()),
        "",
    ));
    let bits = u32::from(net.max_prefix_len() - net.prefix_len());
    let count = if bits < 33 {
        (1_u64 << bits).to_string()
    } else {
        format!("2^{bits}")
    };
    out.push(Fact::new("Addresses", count, ""));
    out
}

/// The name under which DNS keeps the reverse entry of an IPv4 address (RFC 1035, 3.5).
pub(crate) fn reverse_v4(ip: Ipv4Addr) -> String {
    let [a, b, c, d] = ip.octets();
    format!("{d}.{c}.{b}.{a}.in-addr.arpa")
}

/// The same for IPv6 (RFC 3596, 2.5).
pub(crate) fn reverse_v6(ip: Ipv6Addr) -> String {
    let mut out = String::with_capacity(72);
    for octet in ip.octets().iter().rev() {
        out.push_str(&format!("{:x}.{:x}.", octet & 0xf, octet >> 4));
    }
    out.push_str("ip6.arpa");
    out
}

fn v4_of(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from((u32::from(high) << 16) | u32::from(low))
}

/// IPv4 addresses inside an IPv6 address: NAT64, 6to4, Teredo, ISATAP.
fn embedded(ip: Ipv6Addr) -> Vec<Fact> {
    let s = ip.segments();
    let mut out = Vec::new();
    if s[0] == 0x64 && s[1] == 0xff9b && s[2..6] == [0, 0, 0, 0] {
        out.push(Fact::new(
            "Embedded IPv4",
            format!("{} (NAT64)", v4_of(s[6], s[7])),
            "RFC 6052",
        ));
    } else if s[0] == 0x2002 {
        out.push(Fact::new(
            "Embedded IPv4",
            format!("{} (6to4)", v4_of(s[1], s[2])),
            "RFC 3056",
        ));
    } else if s[0] == 0x2001 && s[1] == 0 {
        // Port and client address are stored with every bit flipped.
        let (server, client, port) = (v4_of(s[2], s[3]), v4_of(!s[6], !s[7]), !s[5]);
        out.push(Fact::new(
            "Embedded IPv4",
            format!("{client} port {port} (Teredo client, as seen by the server)"),
            "RFC 4380",
        ));
        out.push(Fact::new(
            "Embedded IPv4",
            format!("{server} (Teredo server)"),
            "RFC 4380",
        ));
    } else if s[4] & 0xfdff == 0 && s[5] == 0x5efe {
        out.push(Fact::new(
            "Embedded IPv4",
            format!("{} (ISATAP)", v4_of(s[6], s[7])),
            "RFC 5214",
        ));
    }
    out
}

/// The hardware address in an interface identifier of the modified EUI-64 form (RFC 4291, appendix A).
fn hardware(ip: Ipv6Addr) -> Option<Fact> {
    let o = ip.octets();
    // The identifier is marked as made from a universal address; otherwise ff:fe may be chance.
    if o[11] != 0xff || o[12] != 0xfe || o[8] & 2 == 0 || o[0] == 0xff {
        return None;
    }
    let mac = format!(
        "{:02x}:{:02x}:{:02x}:{:02x}:{:02x}:{:02x}",
        o[8] ^ 2,
        o[9],
        o[10],
        o[13],
        o[14],
        o[15]
    );
    Some(Fact::new(
        "Interface identifier",
        format!("{mac} (from a hardware address)"),
        "RFC 4291",
    ))
}

/// IANA Special-Purpose Autonomous System Numbers.
static AS_NUMBERS: &[(u32, u32, &str, &str)] = &[
    (0, 0, "Reserved: must not be routed", "RFC 7607"),
    (
        112,
        112,
        "AS112: sink for misdirected reverse queries",
        "RFC 7534",
    ),
    (
        23_456,
        23_456,
        "AS_TRANS: stands for a 4-octet number",
        "RFC 6793",
    ),
    (64_496, 64_511, "Documentation", "RFC 5398"),
    (64_512, 65_534, "Private Use", "RFC 6996"),
    (65_535, 65_535, "Reserved", "RFC 7300"),
    (65_536, 65_551, "Documentation", "RFC 5398"),
    (4_200_000_000, 4_294_967_294, "Private Use", "RFC 6996"),
    (u32::MAX, u32::MAX, "Reserved", "RFC 7300"),
];

/// What the registry of special AS numbers says; nothing for an ordinary number.
pub(super) fn asn_facts(value: &str) -> Vec<Fact> {
    let Some(number) = value.strip_prefix("AS").and_then(|n| n.parse::<u32>().ok()) else {
        return Vec::new();
    };
    AS_NUMBERS
        .iter()
        .filter(|(from, to, ..)| (*from..=*to).contains(&number))
        .map(|(.., name, document)| Fact::new("Special use", *name, *document))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_registries_is_read() {
        let lines = table_rows(BLOCKS).count();
        assert_eq!(blocks().count(), lines);
        assert!(lines > 50);
        for block in blocks() {
            assert_eq!(block.net, block.net.trunc(), "host bits in {}", block.net);
            assert!(
                ["yes", "no", "n/a"].contains(&block.reachable),
                "{}",
                block.net
            );
            assert!(!block.name.is_empty() && !block.document.is_empty());
        }
    }

    #[test]
    fn reverse_names() {
        assert_eq!(
            reverse_v4(Ipv4Addr::new(192, 0, 2, 1)),
            "1.2.0.192.in-addr.arpa"
        );
        let v6: Ipv6Addr = "2001:db8::567:89ab".parse().unwrap();
        // RFC 3596 gives the shape.
        assert_eq!(
            reverse_v6(v6),
            "b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa"
        );
    }
}

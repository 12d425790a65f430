//! Identifiers: CVE, autonomous systems, ATT&CK techniques, coin addresses.

use crate::indicator::{Indicator, IndicatorType};
use sha2::{Digest, Sha256};

/// `CVE-YYYY-NNNN…`: years from 1999, four to nineteen digits (CVE record format 5).
pub(crate) fn cve(text: &str) -> Option<Indicator> {
    let b = text.as_bytes();
    if !(13..=28).contains(&b.len())
        || !b[..3].eq_ignore_ascii_case(b"cve")
        || b[3] != b'-'
        || b[8] != b'-'
    {
        return None;
    }
    let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    if !digits(&b[4..8]) || !digits(&b[9..]) {
        return None;
    }
    let year: u16 = text.get(4..8)?.parse().ok()?;
    (1999..2100)
        .contains(&year)
        .then(|| Indicator::canonical(IndicatorType::Cve, text.to_ascii_uppercase()))
}

/// `AS64500`, `ASN64500`, and the `asdot` form `AS1.10` (RFC 5396), as `AS` and the plain number.
pub(crate) fn asn(text: &str) -> Option<Indicator> {
    let b = text.as_bytes();
    if b.len() < 3 || !b[..2].eq_ignore_ascii_case(b"as") {
        return None;
    }
    let rest = text.get(2..)?;
    let rest = rest.strip_prefix(['n', 'N']).unwrap_or(rest);
    as_number(rest).map(|n| Indicator::canonical(IndicatorType::Asn, format!("AS{n}")))
}

/// A plain or `asdot` autonomous system number without its prefix.
pub(crate) fn as_number(text: &str) -> Option<u32> {
    let decimal = |t: &str| -> Option<u32> {
        let plain = (1..=10).contains(&t.len())
            && t.bytes().all(|b| b.is_ascii_digit())
            && (t.len() == 1 || !t.starts_with('0'));
        if plain { t.parse().ok() } else { None }
    };
    let number = match text.split_once('.') {
        Some((high, low)) => {
            let (high, low) = (decimal(high)?, decimal(low)?);
            if high > 0xffff || low > 0xffff {
                return None;
            }
            (high << 16) | low
        }
        None => decimal(text)?,
    };
    (number != 0).then_some(number)
}

/// A technique or sub-technique of MITRE ATT&CK: `T` and four digits (enterprise and mobile from 1001,
/// industrial control systems from 0800), with a sub-technique in three digits.
pub(crate) fn attack(text: &str) -> Option<Indicator> {
    let b = text.as_bytes();
    let shaped = matches!(b.len(), 5 | 9)
        && b[0].eq_ignore_ascii_case(&b't')
        && b[1..5].iter().all(u8::is_ascii_digit)
        && (b.len() == 5 || (b[5] == b'.' && b[6..].iter().all(u8::is_ascii_digit)));
    if !shaped {
        return None;
    }
    let number: u16 = text.get(1..5)?.parse().ok()?;
    let known = (1001..2000).contains(&number) || (800..1000).contains(&number);
    known.then(|| Indicator::canonical(IndicatorType::Attack, text.to_ascii_uppercase()))
}

/// An Ethereum address: `0x` and 40 hex digits. Mixed-case checksums (EIP-55) are not checked.
pub(crate) fn eth(text: &str) -> Option<Indicator> {
    let digits = text
        .strip_prefix("0x")
        .or_else(|| text.strip_prefix("0X"))?;
    (digits.len() == 40 && digits.bytes().all(|b| b.is_ascii_hexdigit())).then(|| {
        Indicator::canonical(
            IndicatorType::Eth,
            format!("0x{}", digits.to_ascii_lowercase()),
        )
    })
}

/// A Bitcoin address of the main network, checksum included: base58check (versions 0 and 5) or
/// bech32/bech32m (BIP 173, BIP 350).
pub(crate) fn btc(text: &str) -> Option<Indicator> {
    let b = text.as_bytes();
    if (26..=35).contains(&b.len()) && matches!(b[0], b'1' | b'3') {
        return base58_ok(b).then(|| Indicator::canonical(IndicatorType::Btc, text));
    }
    if matches!(b.len(), 42 | 62) && b[..3].eq_ignore_ascii_case(b"bc1") {
        let one_case =
            !b.iter().any(u8::is_ascii_lowercase) || !b.iter().any(u8::is_ascii_uppercase);
        let lower = text.to_ascii_lowercase();
        return (one_case && bech32_ok(&lower))
            .then(|| Indicator::canonical(IndicatorType::Btc, lower));
    }
    None
}

const BASE58: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// 25 bytes in base58: version, 20 bytes, and the first four bytes of a double SHA-256.
fn base58_ok(text: &[u8]) -> bool {
    let mut bytes = [0u8; 25];
    for &c in text {
        let Some(digit) = BASE58.iter().position(|&d| d == c) else {
            return false;
        };
        let mut carry = digit;
        for byte in bytes.iter_mut().rev() {
            carry += usize::from(*byte) * 58;
            *byte = (carry & 0xff) as u8;
            carry >>= 8;
        }
        if carry != 0 {
            return false;
        }
    }
    let digest = Sha256::digest(Sha256::digest(&bytes[..21]));
    matches!(bytes[0], 0 | 5) && bytes[21..] == digest[..4]
}

const BECH32: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// The polynomial check of BIP 173 over `bc` and the data; its constant says bech32 (witness version 0)
/// or bech32m (later versions, BIP 350).
fn bech32_ok(lower: &str) -> bool {
    let data = &lower.as_bytes()[3..];
    let mut values = Vec::with_capacity(data.len());
    for c in data {
        match BECH32.iter().position(|d| d == c) {
            Some(v) => values.push(v as u32),
            None => return false,
        }
    }
    let mut check: u32 = 1;
    let prefix = [3, 3, 0, 2, 3].into_iter();
    for value in prefix.chain(values.iter().copied()) {
        let top = check >> 25;
        check = ((check & 0x1ff_ffff) << 5) ^ value;
        for (bit, generator) in [
            0x3b6a_57b2u32,
            0x2650_8e6d,
            0x1ea1_19fa,
            0x3d42_33dd,
            0x2a14_62b3,
        ]
        .into_iter()
        .enumerate()
        {
            if (top >> bit) & 1 == 1 {
                check ^= generator;
            }
        }
    }
    let version = values.first().copied().unwrap_or(32);
    match version {
        0 => check == 1,
        1..=16 => check == 0x2bc8_30a3,
        _ => false,
    }
}

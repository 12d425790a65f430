//! File hashes and fuzzy hashes.

use crate::indicator::{Indicator, IndicatorType};

/// The type of a hash with this many hex digits.
pub(crate) fn type_of_length(digits: usize) -> Option<IndicatorType> {
    match digits {
        32 => Some(IndicatorType::Md5),
        40 => Some(IndicatorType::Sha1),
        64 => Some(IndicatorType::Sha256),
        128 => Some(IndicatorType::Sha512),
        _ => None,
    }
}

/// MD5, SHA-1, SHA-256 or SHA-512 by its length.
pub(crate) fn hash(text: &str) -> Option<Indicator> {
    let kind = type_of_length(text.len())?;
    text.bytes()
        .all(|b| b.is_ascii_hexdigit())
        .then(|| Indicator::canonical(kind, text.to_ascii_lowercase()))
}

/// `ja3:…` and `ja3s:…`: fingerprints have the shape of an MD5 and are told from it by their label only.
pub(crate) fn labelled_ja3(text: &str) -> Option<Indicator> {
    let (label, digits) = text.split_once([':', '='])?;
    let kind = match label.trim().to_ascii_lowercase().as_str() {
        "ja3" => IndicatorType::Ja3,
        "ja3s" => IndicatorType::Ja3s,
        _ => return None,
    };
    hash(digits.trim())
        .filter(|i| i.kind() == IndicatorType::Md5)
        .map(|i| Indicator::canonical(kind, i.value()))
}

/// An ssdeep hash: block size (3 times a power of two), two base64 parts of at most 64 digits.
pub(crate) fn ssdeep(text: &str) -> Option<Indicator> {
    let mut parts = text.split(':');
    let (size, first, second) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || !is_block_size(size) {
        return None;
    }
    let part_ok = |p: &str| (3..=64).contains(&p.len()) && p.bytes().all(is_ssdeep_byte);
    (part_ok(first) && part_ok(second)).then(|| Indicator::canonical(IndicatorType::Ssdeep, text))
}

pub(crate) fn is_ssdeep_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'+' || b == b'/'
}

/// 3, 6, 12, … as ssdeep counts its block sizes.
pub(crate) fn is_block_size(text: &str) -> bool {
    if text.is_empty()
        || text.len() > 10
        || text.starts_with('0')
        || !text.bytes().all(|b| b.is_ascii_digit())
    {
        return false;
    }
    text.parse::<u64>()
        .is_ok_and(|n| n % 3 == 0 && (n / 3).is_power_of_two())
}

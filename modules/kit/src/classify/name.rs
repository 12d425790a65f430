//! Host names, onion services and mail addresses.

use crate::indicator::{Indicator, IndicatorType};

/// Canonical host name: lower case, A-labels, no trailing dot, at least two labels, the last one of
/// letters (or an A-label). This is a check of shape; whether the last label exists is not asked.
pub(crate) fn host_name(text: &str) -> Option<String> {
    let text = text.strip_suffix('.').unwrap_or(text);
    if text.len() > 1000 {
        return None;
    }
    let name = a_labels(text)?;
    let (_, last) = name.rsplit_once('.')?;
    let last_ok = last.len() >= 2
        && (last.bytes().all(|b| b.is_ascii_lowercase())
            || (last.starts_with("xn--") && last.len() > 4));
    (last_ok && labels_ok(&name, false)).then_some(name)
}

/// The host of a URL: like [`host_name`], but a single label and underscores are taken too.
pub(crate) fn url_host(text: &str) -> Option<String> {
    let text = text.strip_suffix('.').unwrap_or(text);
    let name = a_labels(text)?;
    labels_ok(&name, true).then_some(name)
}

/// Lower case and A-labels (UTS 46). A name that is ASCII already is only lower-cased, except that
/// A-labels in it must decode.
fn a_labels(text: &str) -> Option<String> {
    if text.is_ascii() {
        let lower = text.to_ascii_lowercase();
        if !lower.contains("xn--") {
            return Some(lower);
        }
        return idna::domain_to_ascii(&lower).ok();
    }
    idna::domain_to_ascii(text).ok()
}

/// RFC 1123 labels: 1 to 63 letters, digits and inner hyphens; 253 characters in all.
fn labels_ok(name: &str, underscores: bool) -> bool {
    name.len() <= 253
        && name.split('.').all(|label| {
            (1..=63).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b == b'-' || (underscores && b == b'_'))
        })
}

/// A host name as the indicator that it is: an onion service or a domain.
pub(crate) fn domain(text: &str) -> Option<Indicator> {
    let name = host_name(text)?;
    Some(typed(name))
}

/// Gives a canonical host name its type.
pub(crate) fn typed(name: String) -> Indicator {
    if is_onion(&name) {
        Indicator::canonical(IndicatorType::Onion, name)
    } else {
        Indicator::canonical(IndicatorType::Domain, name)
    }
}

/// A Tor service name (RFC 7686): base32, 16 digits in version 2 (out of use since 2021), 56 in version 3,
/// where the last digit is always `d` (the version byte 3).
pub(crate) fn is_onion(name: &str) -> bool {
    let Some(rest) = name.strip_suffix(".onion") else {
        return false;
    };
    let label = rest.rsplit('.').next().unwrap_or(rest);
    let base32 = label
        .bytes()
        .all(|b| matches!(b, b'a'..=b'z' | b'2'..=b'7'));
    base32 && (label.len() == 16 || (label.len() == 56 && label.ends_with('d')))
}

/// A mail address (RFC 5321 dot-string local part, host name behind the sign), wholly in lower case:
/// mailbox names that differ by case only are the same mailbox everywhere in practice.
pub(crate) fn email(text: &str) -> Option<Indicator> {
    let (local, host) = text.rsplit_once('@')?;
    if !local_part_ok(local) {
        return None;
    }
    let host = host_name(host)?;
    Some(Indicator::canonical(
        IndicatorType::Email,
        format!("{}@{host}", local.to_lowercase()),
    ))
}

fn local_part_ok(local: &str) -> bool {
    (1..=64).contains(&local.len())
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..")
        && local.contains(char::is_alphanumeric)
        && local.chars().all(|c| {
            if c.is_ascii() {
                is_local_byte(c as u8)
            } else {
                c.is_alphanumeric()
            }
        })
        && local.to_lowercase().len() <= 64
}

/// Characters of a dot-string local part that addresses really use (RFC 5322 `atext` less the ones that
/// are markup in the texts analysts handle).
pub(crate) fn is_local_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric()
        || matches!(
            b,
            b'.' | b'_' | b'%' | b'+' | b'-' | b'\'' | b'=' | b'&' | b'~' | b'#' | b'!' | b'$'
        )
}

//! Where a URL in running text begins and ends.

use super::scan::Scanner;
use super::words;
use crate::classify::{hash, web};

/// Longest authority (user, host, port) that is looked at, in bytes.
const MAX_AUTHORITY: usize = 512;

/// A URL found in the plain text.
pub(super) struct Url {
    pub(super) start: usize,
    pub(super) end: usize,
    /// `None` when the text from `start` to `end` is not a URL after all. It was read once; the caller
    /// must not have it read again for every scheme inside, or the time would not be linear.
    pub(super) indicator: Option<crate::Indicator>,
    pub(super) defanged: bool,
}

/// Reads the URL whose scheme ends at the colon `colon`; `floor` is what was consumed already.
pub(super) fn at(scan: &Scanner<'_>, colon: usize, floor: usize) -> Option<Url> {
    let b = scan.bytes();
    let backslashes = b.get(colon + 1) == Some(&b'\\');
    let (scheme, start) = scheme_before(scan, colon, floor)?;
    let from = colon + 3;
    let authority = b
        .get(from..)?
        .iter()
        .take(MAX_AUTHORITY)
        .take_while(|c| !is_stop(**c) && !matches!(c, b'/' | b'?' | b'#' | b'\\'))
        .count();
    let host = scan.slice(from, from + authority);
    let host = host.rsplit_once('@').map_or(host, |(_, h)| h);
    if !host_is_plausible(host, scheme.name) {
        return None;
    }
    let end = end(scan, start, from, backslashes);
    let rest = scan.slice(from, end);
    let indicator = if backslashes {
        web::url_of(scheme.name, &rest.replace('\\', "/"))
    } else {
        web::url_of(scheme.name, rest)
    };
    Some(Url {
        start,
        end,
        indicator,
        defanged: scheme.defanged || backslashes,
    })
}

/// The scheme in front of a colon: the longest run that is one, or a known one glued to other letters.
fn scheme_before(scan: &Scanner<'_>, colon: usize, floor: usize) -> Option<(web::Scheme, usize)> {
    let b = scan.bytes();
    let floor = floor.max(colon.saturating_sub(12));
    let mut start = colon;
    while start > floor
        && (b[start - 1].is_ascii_alphanumeric()
            || matches!(
                b[start - 1],
                b'*' | b'_' | b'+' | b'#' | b'-' | b'[' | b']' | b'.'
            ))
    {
        start -= 1;
    }
    let mut at = start;
    while at < colon {
        let glued = at > 0 && b[at - 1].is_ascii_alphanumeric();
        if let Some(scheme) = web::scheme(scan.slice(at, colon)) {
            let own = matches!(scan.slice(at, colon), "http" | "https" | "hxxp" | "hxxps");
            if !glued || own {
                return Some((scheme, at));
            }
        }
        at += 1;
    }
    None
}

/// A cheap look at the host before the URL is consumed.
fn host_is_plausible(host: &str, scheme: &str) -> bool {
    if let Some(rest) = host.strip_prefix('[') {
        return rest.split(']').next().is_some_and(|a| a.contains(':'));
    }
    let name = host.split(':').next().unwrap_or(host);
    if name.is_empty() || !name.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '%') {
        return false;
    }
    if name.trim_end_matches('.').contains('.') {
        return true;
    }
    let web = matches!(scheme, "http" | "https" | "ftp" | "ws" | "wss");
    web && name.len() > 1
        && web::scheme(name).is_none()
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// Bytes that are in no URL.
fn is_stop(b: u8) -> bool {
    matches!(b, 0..=b' ' | 0x7f | b'"' | b'<' | b'>' | b'`' | b'^')
}

/// Behind the last byte of a URL (or of a path behind a host) that begins at `start` and is known to reach
/// `from`: balanced brackets stay, punctuation of the sentence around does not.
pub(super) fn end(scan: &Scanner<'_>, start: usize, from: usize, backslashes: bool) -> usize {
    let b = scan.bytes();
    let prev = start.checked_sub(1).map(|i| b[i]);
    let (mut round, mut square, mut curly) = (0usize, 0usize, 0usize);
    let mut query = false;
    let mut i = from;
    while let Some(&c) = b.get(i) {
        match c {
            _ if is_stop(c) => break,
            b'\\' if !backslashes => break,
            b'\'' if prev == Some(b'\'') => break,
            b'(' => round += 1,
            b'[' => square += 1,
            b'{' => curly += 1,
            b')' | b']' | b'}' => {
                let depth = match c {
                    b')' => &mut round,
                    b']' => &mut square,
                    _ => &mut curly,
                };
                match depth.checked_sub(1) {
                    Some(less) => *depth = less,
                    None => break,
                }
            }
            b'?' => query = true,
            b'|' if matches!(prev, Some(b'|' | b'<' | b'[')) => break,
            b',' | b';' | b'|' if next_field(scan, i + 1, query) => break,
            b'&' if is_closing_entity(&b[i..]) => break,
            0x80.. => {
                let Some(c) = scan.char_at(i) else { break };
                if !(c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36f}')) {
                    break;
                }
                i += c.len_utf8();
                continue;
            }
            _ => {}
        }
        i += 1;
    }
    while i > from {
        let last = b[i - 1];
        let sentence = matches!(last, b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'' | b'|');
        let markup = matches!(last, b'*' | b'_' | b'~') && prev == Some(last)
            || last == b'-' && b.get(i) == Some(&b'>');
        // An opening bracket that the end left open.
        let open = matches!(last, b'(' | b'[' | b'{');
        if !(sentence || markup || open) {
            break;
        }
        i -= 1;
    }
    i
}

/// `&quot;`, `&gt;` and the like: the end of an attribute or tag that was escaped.
fn is_closing_entity(rest: &[u8]) -> bool {
    [
        &b"&quot;"[..],
        b"&gt;",
        b"&lt;",
        b"&#34;",
        b"&#39;",
        b"&apos;",
        b"&nbsp;",
        b"&#x27;",
        b"&#60;",
        b"&#62;",
    ]
    .iter()
    .any(|e| rest.starts_with(e))
}

/// Whether a new field of a list begins at `at`: another URL, or (outside a query) a whole address, hash
/// or name up to the next separator.
fn next_field(scan: &Scanner<'_>, at: usize, query: bool) -> bool {
    let b = scan.bytes();
    let rest = b.get(at..).unwrap_or_default();
    let rest = rest.strip_prefix(b"\"").unwrap_or(rest);
    let length = rest
        .iter()
        .take(140)
        .take_while(|c| !is_stop(**c) && !matches!(c, b',' | b';' | b'|' | b'\''))
        .count();
    let field = &rest[..length];
    let scheme = [&b"http:"[..], b"https:", b"hxxp:", b"hxxps:", b"ftp:"]
        .iter()
        .any(|s| {
            field
                .get(..s.len())
                .is_some_and(|f| f.eq_ignore_ascii_case(s))
        });
    if scheme {
        return true;
    }
    if query || field.len() < 4 || !field.is_ascii() {
        return false;
    }
    let Ok(field) = std::str::from_utf8(field) else {
        return false;
    };
    if field.bytes().all(|c| c.is_ascii_hexdigit()) {
        return hash::type_of_length(field.len()).is_some();
    }
    if field.parse::<std::net::Ipv4Addr>().is_ok() {
        return true;
    }
    let Some((_, tld)) = field.rsplit_once('.') else {
        return false;
    };
    let name = field
        .bytes()
        .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-' || c == b'.');
    name && !words::FILE_TLDS.has(tld)
        && psl::suffix(field.as_bytes()).is_some_and(|s| s.is_known())
}

//! What a value is, and what is inside it.

use super::{Inner, decode_all, ids};
use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::net::IpAddr;

/// Shortest text that is tried as base64; below it, too many words decode to something.
const MIN_BASE64: usize = 8;
/// Shortest run of hexadecimal digits that is tried as text.
const MIN_HEX: usize = 12;

/// Pieces of one list that are looked at.
const MAX_PIECES: usize = 20;

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);

/// Remarks on a value: a kind, and what is in it.
pub(super) fn notes(value: &str, host: &str, now_ms: i64) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    let text = value.trim();
    if text.parse::<IpAddr>().is_ok() {
        out.push(("address", text.to_owned()));
        return out;
    }
    if is_mail(text) {
        out.push(("mail address", text.to_owned()));
    }
    out.extend(ids::times(text, host, now_ms));
    if text.bytes().all(|b| b.is_ascii_hexdigit()) {
        match text.len() {
            32 => out.push(("looks like", "an MD5 hash".into())),
            40 => out.push(("looks like", "a SHA-1 hash".into())),
            64 => out.push(("looks like", "a SHA-256 hash".into())),
            _ => {}
        }
    }
    out
}

fn is_mail(text: &str) -> bool {
    let Some((user, host)) = text.split_once('@') else {
        return false;
    };
    let plain = |s: &str| {
        !s.is_empty()
            && s.bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"._-+%=".contains(&b))
    };
    plain(user)
        && plain(host)
        && host.contains('.')
        && !host.starts_with('.')
        && !host.ends_with('.')
}

/// What is inside a value. The first that fits is taken: a value is one thing.
pub(super) fn inside(value: &str) -> Vec<Inner> {
    let text = value.trim();
    if let Some(url) = as_url(text) {
        return vec![Inner::Url(url)];
    }
    // Encoded once more.
    let decoded = decode_all(text);
    if decoded != text {
        return vec![
            as_url(&decoded).map_or(Inner::Text(decoded, "encoded more than once"), Inner::Url),
        ];
    }
    if text.starts_with('{') || text.starts_with('[') {
        return json(text);
    }
    // Lists, as Safe Links keeps the recipient in one.
    if text.contains('|') {
        let pieces = text.split('|').filter(|p| p.len() > 3).take(MAX_PIECES);
        return pieces
            .map(|p| {
                as_url(p).map_or_else(|| Inner::Text(p.to_owned(), "one of a list"), Inner::Url)
            })
            .collect();
    }
    if let Some(found) = url_within(text) {
        return vec![Inner::Url(found)];
    }
    if let Some(plain) = base64(text) {
        return vec![as_url(&plain).map_or(Inner::Text(plain, "base64"), Inner::Url)];
    }
    if let Some(plain) = hex(text) {
        return vec![as_url(&plain).map_or(Inner::Text(plain, "hexadecimal"), Inner::Url)];
    }
    Vec::new()
}

const SCHEMES: [&str; 4] = ["http://", "https://", "ftp://", "hxxp"];

/// The value as a URL: whole, or as `//host/…` and `www.…`, which browsers complete.
fn as_url(text: &str) -> Option<String> {
    let lower: String = text
        .chars()
        .take(8)
        .collect::<String>()
        .to_ascii_lowercase();
    if text.contains(char::is_whitespace) || text.len() < 8 {
        return None;
    }
    if lower.starts_with("hxxp") {
        return text.get(4..).map(|rest| format!("http{rest}"));
    }
    if SCHEMES.iter().any(|s| lower.starts_with(s)) {
        return Some(text.to_owned());
    }
    if (lower.starts_with("//") || lower.starts_with("www.")) && text.contains('.') {
        return Some(format!("https://{}", text.trim_start_matches('/')));
    }
    None
}

/// A URL that starts inside the value (`redirect=https://…`, `0*https://…`).
fn url_within(text: &str) -> Option<String> {
    let at = ["https://", "http://"]
        .iter()
        .filter_map(|s| text.find(s))
        .min()?;
    let url: String = text
        .get(at..)?
        .chars()
        .take_while(|c| !c.is_whitespace() && !"\"'<>".contains(*c))
        .collect();
    (url.len() > 10).then_some(url)
}

/// The values of a JSON text, one level.
fn json(text: &str) -> Vec<Inner> {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else {
        return Vec::new();
    };
    let show = |v: &serde_json::Value| match v {
        serde_json::Value::String(s) => s.clone(),
        other => other.to_string(),
    };
    match value {
        serde_json::Value::Object(map) => map
            .iter()
            .take(30)
            .map(|(k, v)| {
                as_url(&show(v)).map_or_else(
                    || Inner::Text(format!("{k}: {}", show(v)), "JSON"),
                    Inner::Url,
                )
            })
            .collect(),
        serde_json::Value::Array(list) => list
            .iter()
            .take(30)
            .map(|v| as_url(&show(v)).map_or_else(|| Inner::Text(show(v), "JSON"), Inner::Url))
            .collect(),
        _ => Vec::new(),
    }
}

/// Text in base64 of either alphabet, with or without padding; only when readable text comes out.
fn base64(text: &str) -> Option<String> {
    if text.len() < MIN_BASE64 {
        return None;
    }
    let body = text.trim_end_matches('=');
    let alphabet = |b: u8| b.is_ascii_alphanumeric() || b"+/-_".contains(&b);
    // One character more than a multiple of four holds no whole byte.
    if body.is_empty() || body.len() % 4 == 1 || !body.bytes().all(alphabet) {
        return None;
    }
    let engine = if body.contains(['-', '_']) {
        &URL_SAFE
    } else {
        &STANDARD
    };
    let bytes = engine.decode(body).ok()?;
    readable(bytes, body.len())
}

fn hex(text: &str) -> Option<String> {
    if text.len() < MIN_HEX
        || !text.len().is_multiple_of(2)
        || !text.bytes().all(|b| b.is_ascii_hexdigit())
    {
        return None;
    }
    let bytes: Option<Vec<u8>> = (0..text.len())
        .step_by(2)
        .map(|i| {
            text.get(i..i + 2)
                .and_then(|h| u8::from_str_radix(h, 16).ok())
        })
        .collect();
    readable(bytes?, text.len())
}

/// The bytes as text, when it is text: printable, and of the characters that words and addresses have.
fn readable(bytes: Vec<u8>, source_len: usize) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    if text
        .chars()
        .any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
        || text.trim().is_empty()
    {
        return None;
    }
    let total = text.chars().count();
    let plain = text
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || " .,:;/@_-+=&?%{}[]\"'".contains(*c))
        .count();
    // Short words of the base64 alphabet decode to a few letters by chance: those must be all plain.
    let wanted = if source_len < 16 {
        total
    } else {
        total * 9 / 10
    };
    let ascii_enough = plain >= wanted
        || (source_len >= 32
            && !text.is_ascii()
            && text.chars().all(|c| c.is_alphanumeric() || c.is_ascii()));
    ascii_enough.then_some(text)
}

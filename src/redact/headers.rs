//! `Authorization` and `Cookie`: a grammar of their own behind the name (RFC 9110 section 11, RFC 6265). PURE.

use super::class::{Class, Span};
use super::keys;
use super::value::Value;

/// Schemes of RFC 9110 and of common services, lower case. What follows one is a credential.
const SCHEMES: [&str; 22] = [
    "bearer",
    "basic",
    "token",
    "digest",
    "negotiate",
    "ntlm",
    "apikey",
    "api-key",
    "key",
    "bot",
    "hawk",
    "mac",
    "oauth",
    "sso-key",
    "ssws",
    "splunk",
    "genie-key",
    "aws4-hmac-sha256",
    "sharedkey",
    "sharedaccesssignature",
    "jwt",
    "private-token",
];

/// The credential behind an `Authorization` name. `value` is where the header's value begins; `quoted` says that it
/// ends where the quote does.
pub(super) fn authorization(text: &str, value: Value, quoted: bool, spans: &mut Vec<Span>) {
    let end = if quoted {
        value.end
    } else {
        header_end(text, value.start)
    };
    credential(text, value.start, end, true, spans);
}

/// A scheme and its credential at `start`. With `naked`, a credential without a scheme counts too (MISP).
pub(super) fn credential(text: &str, start: usize, end: usize, naked: bool, spans: &mut Vec<Span>) {
    let Some(s) = text.get(start..end) else {
        return;
    };
    // A name that precedes the scheme, as in `Authorization: authorization: Bearer x`, is found on its own.
    let word_len = s
        .bytes()
        .take_while(|b| !b.is_ascii_whitespace() && *b != b':' && *b != b',')
        .count();
    let word = s.get(..word_len).unwrap_or_default();
    let scheme = SCHEMES.iter().any(|x| word.eq_ignore_ascii_case(x));
    let rest = s.get(word_len..).unwrap_or_default();
    let lead = rest.len()
        - rest
            .trim_start_matches([' ', '\t', ':', '"', '\'', '\\'])
            .len();
    let (from, body) = (
        start + word_len + lead,
        rest.get(lead..).unwrap_or_default(),
    );
    if scheme && lead > 0 && !body.is_empty() {
        // `name=value` lists (Digest, Token token="x", AWS4): the secret parameters only.
        if parameters(body, from, spans) {
            return;
        }
        let token = body
            .bytes()
            .take_while(|b| {
                !b.is_ascii_whitespace()
                    && !matches!(
                        b,
                        b'"' | b'\'' | b',' | b';' | b'<' | b'>' | b'\\' | b'`' | b')' | b'|'
                    )
            })
            .count();
        let v = body.get(..token).unwrap_or_default();
        if token >= 6 && !keys::is_placeholder(v) && !keys::is_plain_word(v) {
            spans.push(Span::new(from, from + token, Class::Auth));
        }
        return;
    }
    if naked
        && !keys::is_placeholder(word)
        && word.len() >= 16
        && keys::looks_secret(word, Class::Auth)
    {
        spans.push(Span::new(start, start + word_len, Class::Auth));
    } else if naked
        && rest.trim().len() >= 8
        && !word.is_empty()
        && keys::looks_secret(
            rest.split_whitespace().next().unwrap_or_default(),
            Class::Auth,
        )
    {
        // A scheme that we do not know.
        let token = rest
            .trim_start()
            .bytes()
            .take_while(|b| {
                !b.is_ascii_whitespace() && !matches!(b, b'"' | b'\'' | b',' | b'<' | b'\\')
            })
            .count();
        let at = start + word_len + (rest.len() - rest.trim_start().len());
        spans.push(Span::new(at, at + token, Class::Auth));
    } else if naked && word.len() >= 8 && keys::looks_secret(word, Class::Auth) {
        spans.push(Span::new(start, start + word_len, Class::Auth));
    }
}

/// The secret parameters of a list such as Digest's. False when there is no list.
fn parameters(body: &str, at: usize, spans: &mut Vec<Span>) -> bool {
    let name_len = body
        .bytes()
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'*'))
        .count();
    // Base64 ends in `=` too; a list has something behind it.
    let after = body.get(name_len..).unwrap_or_default();
    let is_list = after.starts_with('=')
        && !after
            .get(1..)
            .unwrap_or_default()
            .trim_start_matches('=')
            .is_empty()
        && !after.starts_with("==");
    if name_len == 0 || !is_list {
        return false;
    }
    let mut p = 0;
    for part in body.split_inclusive([',', '&', ' ']) {
        let trimmed = part.trim_start();
        let start = p + (part.len() - trimmed.len());
        p += part.len();
        let Some((name, v)) = trimmed.split_once('=') else {
            continue;
        };
        let lower = name.trim().to_ascii_lowercase();
        let secret = matches!(
            lower.as_str(),
            "token"
                | "response"
                | "signature"
                | "sig"
                | "credential"
                | "oauth_token"
                | "oauth_signature"
                | "oauth_consumer_key"
                | "mac"
                | "hash"
                | "password"
                | "key"
                | "apikey"
                | "api_key"
                | "secret"
                | "access_token"
        );
        if !secret {
            continue;
        }
        let raw_start = start + name.len() + 1;
        let lead = v.len() - v.trim_start_matches(['"', '\'', '\\']).len();
        let value = v
            .get(lead..)
            .unwrap_or_default()
            .trim_end_matches([',', '&', ' ', '"', '\'', '\\']);
        if !keys::is_placeholder(value) {
            spans.push(Span::new(
                at + raw_start + lead,
                at + raw_start + lead + value.len(),
                Class::Auth,
            ));
        }
    }
    true
}

/// Where an unquoted header ends: its line, or the quote or bracket of what it stands in.
fn header_end(text: &str, start: usize) -> usize {
    let t = text.as_bytes();
    let mut p = start;
    let stop = (start + 8192).min(t.len());
    while p < stop {
        match t.get(p) {
            None | Some(b'\n' | b'\r') => break,
            // The quote that closes `-H "Authorization: Bearer x"`, not one that a parameter list opens.
            Some(b'"' | b'\'')
                if p > start && t.get(p - 1) != Some(&b'=') && !inside_parameter(t, start, p) =>
            {
                break;
            }
            Some(b'\\') if matches!(t.get(p + 1), Some(b'n' | b'r')) => break,
            _ => p += 1,
        }
    }
    while !text.is_char_boundary(p) {
        p -= 1;
    }
    p
}

/// True when the quote at `p` closes one that `=` opened.
fn inside_parameter(t: &[u8], start: usize, p: usize) -> bool {
    let Some(s) = t.get(start..p) else {
        return false;
    };
    s.windows(2)
        .rposition(|w| w[0] == b'=' && matches!(w[1], b'"' | b'\''))
        .is_some_and(|i| {
            !s.get(i + 2..)
                .unwrap_or_default()
                .contains(t.get(p).unwrap_or(&b'"'))
        })
}

/// The secret values of a cookie header; gives its end.
pub(super) fn cookies(text: &str, value: Value, quoted: bool, spans: &mut Vec<Span>) -> usize {
    let end = if quoted {
        value.end
    } else {
        header_end(text, value.start)
    };
    let Some(s) = text.get(value.start..end) else {
        return end;
    };
    let mut p = value.start;
    for part in s.split_inclusive([';', ',']) {
        let at = p;
        p += part.len();
        let Some((name, v)) = part.split_once('=') else {
            continue;
        };
        let name = name.trim();
        let lead = v.len() - v.trim_start_matches([' ', '"', '\\', '\'']).len();
        let value = v.get(lead..).unwrap_or_default();
        let value = value.trim_end_matches([';', ',', ' ', '"', '\'', '\\']);
        let start = at + part.find('=').unwrap_or(0) + 1 + lead;
        if cookie_is_secret(name, value) {
            spans.push(Span::new(start, start + value.len(), Class::Cookie));
        }
    }
    end
}

fn cookie_is_secret(name: &str, value: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    // Attributes (RFC 6265) and analytics ids, which are pivots.
    if matches!(
        lower.as_str(),
        "path" | "domain" | "expires" | "max-age" | "samesite" | "priority" | "version" | "comment"
    ) || [
        "_ga",
        "_gid",
        "_gcl",
        "_fbp",
        "_fbc",
        "__utm",
        "_hj",
        "optimizely",
        "ajs_",
        "_pk_",
    ]
    .iter()
    .any(|p| lower.starts_with(p))
        || keys::is_placeholder(value)
        || value.len() < 6
    {
        return false;
    }
    let named = [
        "sess",
        "sid",
        "token",
        "auth",
        "csrf",
        "xsrf",
        "jwt",
        "remember",
        "secret",
        "key",
        "login",
        "passw",
        "credential",
        "identity",
        "ticket",
        "sso",
        "saml",
    ]
    .iter()
    .any(|p| lower.contains(p));
    if named {
        return !keys::is_plain_word(value);
    }
    value.len() >= 16 && keys::looks_secret(value, Class::Cookie)
}

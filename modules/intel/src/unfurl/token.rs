//! JSON Web Tokens (RFC 7519): header and claims are read, the signature is not checked and not shown.

use super::ids;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value};

/// Claims shown of one part, at most.
const MAX_CLAIMS: usize = 30;

/// Header and claims of a token; nothing when it is none.
pub(super) fn claims(text: &str, now_ms: i64) -> Vec<(String, String)> {
    let mut parts = text.trim().split('.');
    let (Some(header), Some(payload), Some(_signature), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Vec::new();
    };
    let Some(header) = object(header) else {
        return Vec::new();
    };
    if !header.contains_key("alg") {
        return Vec::new();
    }
    let mut out = vec![("JWT".to_owned(), "signature not checked".to_owned())];
    out.extend(fields("JWT header", &header, now_ms));
    if let Some(payload) = object(payload) {
        out.extend(fields("JWT claim", &payload, now_ms));
    }
    out
}

fn object(part: &str) -> Option<Map<String, Value>> {
    let bytes = URL_SAFE_NO_PAD.decode(part.trim_end_matches('=')).ok()?;
    serde_json::from_slice(&bytes).ok()
}

fn fields(what: &str, map: &Map<String, Value>, now_ms: i64) -> Vec<(String, String)> {
    map.iter()
        .take(MAX_CLAIMS)
        .map(|(name, value)| {
            let mut shown = match value {
                Value::String(s) => s.clone(),
                other => other.to_string(),
            };
            // RFC 7519, 4.1: NumericDate.
            if matches!(name.as_str(), "exp" | "nbf" | "iat" | "auth_time")
                && let Some(at) = value.as_f64().and_then(ids::seconds)
            {
                let past = name == "exp" && at.as_millisecond() < now_ms;
                shown = format!("{shown} = {at}{}", if past { " (expired)" } else { "" });
            }
            (format!("{what} {name}"), shown)
        })
        .collect()
}

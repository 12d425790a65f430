//! What the three sources of abuse.ch share: the header of the key and the words of `query_status`.
//!
//! All of them demand a key in the header `Auth-Key` (<https://urlhaus-api.abuse.ch/#auth_key>,
//! <https://bazaar.abuse.ch/api/#auth_key>, <https://threatfox.abuse.ch/api/#auth_key>) and answer 401
//! without one, 403 with `query_status: unknown_auth_key` for one that they do not know (OpenCTI connectors
//! issue 5097), and 200 with a `query_status` for nearly everything else.

use crate::common::{self, check_status, json, text, unreadable, unsupported, word, wrong_shape};
use kit::ports::{HttpRequest, HttpResponse};
use kit::{Context, CouldNot, RateLimit};
use secrecy::SecretString;
use serde_json::Value;

/// abuse.ch serves keys of the free tier under "fair use" without figures; one call a second and two
/// thousand a day are this program's own courtesy.
pub(crate) const RATE: &[RateLimit] = &[
    RateLimit {
        calls: 60,
        per_s: 60,
    },
    RateLimit {
        calls: 2_000,
        per_s: 86_400,
    },
];

/// How to get a key.
pub(crate) const GET_KEY: &str = "Sign in at https://auth.abuse.ch/ (free) and make an Auth-Key; it serves all abuse.ch sources.";

/// What `query_status` said.
pub(crate) enum Said {
    /// Data follows.
    Data(Value, HttpResponse),
    /// The source does not know the value.
    Nothing,
}

/// Sends a request with the key and reads `query_status`.
pub(crate) async fn ask(
    cx: &Context<'_>,
    request: HttpRequest,
    key: &SecretString,
) -> Result<Said, CouldNot> {
    let response = common::ask(cx, request.secret_header("auth-key", key)).await?;
    check_status(&response, true, true, cx.now_ms)?;
    let value = json(&response.body)?;
    if !value.is_object() {
        return Err(wrong_shape());
    }
    let status = text(&value, "query_status");
    match status.as_str() {
        "ok" => Ok(Said::Data(value, response)),
        "no_result" | "no_results" | "hash_not_found" | "not_found" => Ok(Said::Nothing),
        "no_api_key" | "unknown_auth_key" | "unknown_api_key" | "invalid_auth_key"
        | "invalid_api_key" | "missing_auth_key" | "no_auth_key" | "unauthorized"
        | "user_blacklisted" => Err(CouldNot::BadKey),
        "rate_limited" | "rate_limit_exceeded" | "quota_exceeded" | "too_many_requests" => {
            Err(CouldNot::RateLimited {
                retry_s: common::retry_after(&response, cx.now_ms),
            })
        }
        s if s.starts_with("illegal_") || s.starts_with("invalid_") => {
            Err(unsupported("the source does not take this value"))
        }
        "" => Err(wrong_shape()),
        other => match word(other, Some(key)) {
            w if w.is_empty() => Err(unreadable("an unknown query_status")),
            w => Err(unreadable(&format!("query_status {w}"))),
        },
    }
}

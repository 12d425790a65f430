//! What the modules share: from an HTTP answer to one of the three outcomes, and lenient access to JSON
//! that a stranger wrote. A wrong type, a null or a missing field reads as empty; it is never an error
//! and never a panic.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use kit::ports::{HttpError, HttpRequest, HttpResponse};
use kit::{Context, CouldNot, Indicator, Outcome, Report, Table, Untrusted, Verdict};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

/// Rows that a table holds at most; the rest is counted and stands in the raw answer.
pub const MAX_ROWS: usize = 50;
/// Longest wait that a `Retry-After` can ask for, in seconds (a month: quotas are counted by month).
const MAX_RETRY_S: u64 = 31 * 86_400;

/// The detail of an answer past the cap.
pub const TOO_LARGE: &str = "answer too large";

/// Percent-encodes everything but letters, digits and `-._~` (RFC 3986 unreserved).
const STRICT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');
/// As [`STRICT`], with the colon of an IPv6 address left as it is (RFC 3986 `pchar`).
const SEGMENT: &AsciiSet = &STRICT.remove(b':');

/// A value for a URL's query.
#[must_use]
pub fn query_value(text: &str) -> String {
    utf8_percent_encode(text, STRICT).to_string()
}

/// A value as one segment of a URL's path.
#[must_use]
pub fn path_segment(text: &str) -> String {
    utf8_percent_encode(text, SEGMENT).to_string()
}

/// The key, trimmed; a key that cannot stand in a header (line breaks inside, other scripts) is a bad
/// one and is not sent.
///
/// # Errors
/// [`CouldNot::NoKey`] without a key or with an empty one, [`CouldNot::BadKey`] with an unusable one.
pub fn required_key(cx: &Context<'_>) -> Result<SecretString, CouldNot> {
    optional_key(cx)?.ok_or(CouldNot::NoKey)
}

/// As [`required_key`], where none is fine.
///
/// # Errors
/// [`CouldNot::BadKey`] with an unusable one.
pub fn optional_key(cx: &Context<'_>) -> Result<Option<SecretString>, CouldNot> {
    let Some(key) = cx
        .key
        .map(|k| k.expose_secret().trim())
        .filter(|k| !k.is_empty())
    else {
        return Ok(None);
    };
    if key.bytes().all(|b| b == b' ' || b.is_ascii_graphic()) {
        Ok(Some(SecretString::from(key.to_owned())))
    } else {
        Err(CouldNot::BadKey)
    }
}

/// Sends a request. What the transport says becomes a reason.
///
/// # Errors
/// The reason why no answer came.
pub async fn ask(cx: &Context<'_>, request: HttpRequest) -> Result<HttpResponse, CouldNot> {
    cx.http.send(request).await.map_err(|error| match error {
        HttpError::TimedOut => CouldNot::TimedOut,
        HttpError::Unreachable(detail) => CouldNot::Unreachable { detail },
        HttpError::TooLarge(_) => unreadable(TOO_LARGE),
        HttpError::Truncated => unreadable("answer was cut off"),
        refused @ (HttpError::HostRefused(_) | HttpError::RedirectRefused(_)) => {
            CouldNot::Unreachable {
                detail: refused.to_string(),
            }
        }
    })
}

/// The answer came with status 200 and cannot be used.
#[must_use]
pub fn unreadable(detail: &str) -> CouldNot {
    CouldNot::Upstream {
        status: 200,
        detail: detail.into(),
    }
}

/// This source does not take the value.
#[must_use]
pub fn unsupported(detail: &str) -> CouldNot {
    CouldNot::Unsupported {
        detail: detail.into(),
    }
}

/// Lets an answer pass that has status 200; says what any other status means. A module looks at the
/// statuses that mean something special at its source before.
///
/// # Errors
/// 401 and 403 are a bad key where one was sent and a missing one where it could have been; 429 is a
/// limit; everything else is an error of the source. The body is not quoted: it is a stranger's text.
pub fn check_status(
    response: &HttpResponse,
    keyed: bool,
    takes_key: bool,
    now_ms: i64,
) -> Result<(), CouldNot> {
    let status = response.status;
    let upstream = |detail: &str| {
        Err(CouldNot::Upstream {
            status,
            detail: detail.into(),
        })
    };
    match status {
        200 => Ok(()),
        // Cloudflare's own mark of a challenge page: https://developers.cloudflare.com/cloudflare-challenges/
        403 if response.header("cf-mitigated").is_some() => {
            upstream("stopped by the source's web filter")
        }
        401 | 403 if keyed => Err(CouldNot::BadKey),
        401 | 403 if takes_key => Err(CouldNot::NoKey),
        429 => Err(CouldNot::RateLimited {
            retry_s: retry_after(response, now_ms),
        }),
        401 | 403 => upstream("refused"),
        404 => upstream("no such address at the source"),
        300..=399 => upstream("a redirect to nowhere"),
        _ => upstream(""),
    }
}

/// Seconds of a `Retry-After` header: a number or a date (RFC 9110 10.2.3).
#[must_use]
pub fn retry_after(response: &HttpResponse, now_ms: i64) -> Option<u64> {
    let text = response.header("retry-after")?.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(seconds.min(MAX_RETRY_S));
    }
    let at = jiff::fmt::rfc2822::parse(text)
        .ok()?
        .timestamp()
        .as_millisecond();
    let wait = u64::try_from(at.saturating_sub(now_ms))
        .unwrap_or(0)
        .div_ceil(1000);
    Some(wait.min(MAX_RETRY_S))
}

/// Reads a body as JSON.
///
/// # Errors
/// Says what it is instead: empty, HTML, cut off, something else.
pub fn json(body: &[u8]) -> Result<Value, CouldNot> {
    let body = body
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(body)
        .trim_ascii();
    match body.first() {
        None => return Err(unreadable("empty answer")),
        Some(b'<') => return Err(unreadable("HTML instead of JSON")),
        Some(_) => {}
    }
    serde_json::from_slice(body).map_err(|e| {
        unreadable(if e.is_eof() {
            "answer was cut off"
        } else {
            "not JSON"
        })
    })
}

/// The answer is JSON of another shape than the source's documentation says.
#[must_use]
pub fn wrong_shape() -> CouldNot {
    unreadable("JSON of an unexpected shape")
}

/// A field as text: strings as they are, numbers and booleans written out, lists joined with commas,
/// everything else empty.
#[must_use]
pub fn text(value: &Value, field: &str) -> String {
    value.get(field).map(plain).unwrap_or_default()
}

/// A value as text, whole. It is cut only once secrets are out of it, where the outcome is stored: a cut
/// before could leave half a secret that no longer looks like one.
#[must_use]
pub fn plain(value: &Value) -> String {
    match value {
        Value::String(s) => s.clone(),
        Value::Number(n) => n.to_string(),
        Value::Bool(b) => if *b { "yes" } else { "no" }.to_owned(),
        Value::Array(_) => joined(value),
        Value::Null | Value::Object(_) => String::new(),
    }
}

fn joined(value: &Value) -> String {
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    let parts: Vec<String> = items
        .iter()
        .filter(|v| !v.is_array())
        .map(plain)
        .filter(|s| !s.is_empty())
        .collect();
    parts.join(", ")
}

/// A field as a whole number; numbers in strings count, since some sources write them so.
#[must_use]
pub fn number(value: &Value, field: &str) -> Option<u64> {
    match value.get(field)? {
        Value::Number(n) => n
            .as_u64()
            .or_else(|| n.as_f64().filter(|f| *f >= 0.0).map(|f| f as u64)),
        Value::String(s) => s.trim().parse().ok(),
        _ => None,
    }
}

/// A field as yes or no; `"true"` and 1 count as yes.
#[must_use]
pub fn flag(value: &Value, field: &str) -> bool {
    match value.get(field) {
        Some(Value::Bool(b)) => *b,
        Some(Value::String(s)) => s.eq_ignore_ascii_case("true"),
        Some(Value::Number(n)) => n.as_u64() == Some(1),
        _ => false,
    }
}

/// The elements of a field that is a list of objects; everything else is left out.
#[must_use]
pub fn objects<'a>(value: &'a Value, field: &str) -> Vec<&'a Value> {
    value.get(field).map(objects_of).unwrap_or_default()
}

/// The objects of a list.
#[must_use]
pub fn objects_of(value: &Value) -> Vec<&Value> {
    value
        .as_array()
        .map(|a| a.iter().filter(|v| v.is_object()).collect())
        .unwrap_or_default()
}

/// A date as RFC 3339 in UTC: RFC 3339 itself, or `2026-11-30 17:00:00` with or without `UTC`.
#[must_use]
pub fn date(text: &str) -> Option<String> {
    instant(text).map(|t| t.to_string())
}

/// A date as an instant; see [`date`].
#[must_use]
pub fn instant(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(t) = text.parse::<Timestamp>() {
        return Some(t);
    }
    let civil: DateTime = text
        .strip_suffix("UTC")
        .unwrap_or(text)
        .trim()
        .parse()
        .ok()?;
    TimeZone::UTC.to_timestamp(civil).ok()
}

/// Seconds since 1970, as a number or as text, as RFC 3339.
#[must_use]
pub fn epoch(value: &Value, field: &str) -> Option<String> {
    let seconds = i64::try_from(number(value, field)?).ok()?;
    Timestamp::from_second(seconds).ok().map(|t| t.to_string())
}

/// A source's own word (a status, a family's name) where it may stand in text that this program writes:
/// letters, digits and a few marks only, 40 at most, and never a key. Empty where it is none.
#[must_use]
pub fn word(text: &str, key: Option<&SecretString>) -> String {
    let fits = !text.is_empty()
        && text.len() <= 40
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b' '));
    let is_key =
        key.is_some_and(|k| text.contains(k.expose_secret()) || k.expose_secret().contains(text));
    if fits && !is_key {
        text.to_owned()
    } else {
        String::new()
    }
}

/// Starts a report: the raw answer, the page for people, an empty table.
#[must_use]
pub fn report(columns: &[&'static str], body: &[u8], source_url: String) -> Report {
    Report {
        table: Table::new(columns),
        raw: Untrusted::from_bytes(body),
        verdict: Verdict::Unknown,
        verdict_basis: String::new(),
        source_url,
        source_date: None,
        total_rows: None,
    }
}

/// Adds the first [`MAX_ROWS`] rows and notes how many there were when that is not all.
pub fn fill(report: &mut Report, rows: Vec<Vec<String>>) {
    if rows.len() > MAX_ROWS {
        report.total_rows = u64::try_from(rows.len()).ok();
    }
    for row in rows.into_iter().take(MAX_ROWS) {
        report.table.push(row);
    }
}

/// A reason as an outcome.
#[must_use]
pub fn outcome(result: Result<Outcome, CouldNot>) -> Outcome {
    result.unwrap_or_else(Outcome::CouldNotLook)
}

/// The reason for a type that the module does not take. The runner asks by type, so this is seen only
/// when someone calls a module past it.
#[must_use]
pub fn wrong_type(subject: &Indicator) -> CouldNot {
    CouldNot::Unsupported {
        detail: format!("does not take {}", subject.kind()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn any_json_reads_as_text_number_or_flag() {
        let v = json!({
            "s": "text", "n": 5, "f": 1.9, "neg": -3, "b": true, "null": null, "list": ["a", null, 2, ["no"], {}, ""],
            "object": {"a": 1}, "ns": " 17 ", "yes": "TRUE", "one": 1
        });
        for (field, expected) in [
            ("s", "text"),
            ("n", "5"),
            ("b", "yes"),
            ("null", ""),
            ("list", "a, 2"),
            ("object", ""),
            ("none", ""),
        ] {
            assert_eq!(text(&v, field), expected, "{field}");
        }
        assert_eq!(
            (number(&v, "n"), number(&v, "ns"), number(&v, "f")),
            (Some(5), Some(17), Some(1))
        );
        assert_eq!(
            (number(&v, "neg"), number(&v, "s"), number(&v, "list")),
            (None, None, None)
        );
        assert!(
            flag(&v, "b")
                && flag(&v, "yes")
                && flag(&v, "one")
                && !flag(&v, "n")
                && !flag(&v, "none")
        );
        for odd in [json!(null), json!(5), json!([1]), json!("x")] {
            assert_eq!(
                (text(&odd, "s"), number(&odd, "s"), flag(&odd, "s")),
                (String::new(), None, false)
            );
            assert!(objects(&odd, "s").is_empty());
        }
        // Whole: nothing is cut before secrets are out.
        let long = json!({ "s": "ä".repeat(5_000), "l": vec!["abc"; 300] });
        assert_eq!(text(&long, "s").chars().count(), 5_000);
        assert_eq!(text(&long, "l").split(", ").count(), 300);
    }

    #[test]
    fn dates_of_all_sources_become_rfc_3339_and_nothing_else_does() {
        for (given, expected) in [
            ("2026-11-29T18:04:11+00:00", "2026-11-29T18:04:11Z"),
            ("2026-11-29T20:04:11+02:00", "2026-11-29T18:04:11Z"),
            ("2020-12-08 13:36:27 UTC", "2020-12-08T13:36:27Z"),
            ("2020-12-08 13:36:27", "2020-12-08T13:36:27Z"),
            ("2020-03-07T00:14:48.255", "2020-03-07T00:14:48.255Z"),
            ("2026-01-19", "2026-01-19T00:00:00Z"),
        ] {
            assert_eq!(date(given).as_deref(), Some(expected), "{given}");
        }
        for bad in [
            "",
            "yesterday",
            "2026-13-01",
            "\u{1b}[2J",
            "99999999999999999999",
            "UTC",
        ] {
            assert_eq!(date(bad), None, "{bad}");
        }
        assert_eq!(
            epoch(&json!({"t": "1696798385"}), "t").as_deref(),
            Some("2023-10-08T20:53:05Z")
        );
        for bad in [
            json!({"t": u64::MAX}),
            json!({"t": "x"}),
            json!({"t": null}),
            json!({}),
        ] {
            assert_eq!(epoch(&bad, "t"), None, "{bad}");
        }
    }

    #[test]
    fn values_are_encoded_for_their_place_in_a_url() {
        assert_eq!(query_value("a b&c=d/é%#"), "a%20b%26c%3Dd%2F%C3%A9%25%23");
        assert_eq!(path_segment("2001:db8::7"), "2001:db8::7");
        assert_eq!(path_segment("../x?y#z"), "..%2Fx%3Fy%23z");
    }

    #[test]
    fn words_of_a_source_are_plain_and_never_a_key() {
        let key = SecretString::from("abcdef0123456789");
        assert_eq!(word("malware_download", Some(&key)), "malware_download");
        for bad in [
            "",
            "two\nlines",
            "<b>",
            "abcdef0123456789",
            "x abcdef0123456789",
            "abcdef01",
            &"a".repeat(41),
        ] {
            assert_eq!(word(bad, Some(&key)), "", "{bad}");
        }
    }
}

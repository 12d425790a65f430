//! Times inside identifiers. A number is read as a time only when the time is plausible; where several
//! readings are, all are given, because the reader knows the site and this code does not.

use jiff::Timestamp;

/// 1 January 2000, milliseconds. Identifiers that hold a time are younger.
const FROM_MS: i64 = 946_684_800_000;
/// How far ahead of now a time may be (expiry dates), milliseconds.
const AHEAD_MS: i64 = 5 * 366 * 86_400_000;
/// How far ahead of now the time of making may be (clocks that are off), milliseconds.
const MADE_AHEAD_MS: i64 = 2 * 86_400_000;

/// Seconds since 1970 as a time, where it is one.
pub(super) fn seconds(seconds: f64) -> Option<Timestamp> {
    let ms = seconds * 1000.0;
    // Within the range of `Timestamp`, far inside that of i64.
    if !(-1e14..1e14).contains(&ms) {
        return None;
    }
    Timestamp::from_millisecond(ms as i64).ok()
}

fn at(ms: i64) -> Option<String> {
    // Milliseconds that are not there are not printed: `Timestamp` leaves out a zero fraction.
    Timestamp::from_millisecond(ms).ok().map(|t| t.to_string())
}

fn between(ms: i64, from: i64, to: i64) -> Option<String> {
    if (from..=to).contains(&ms) {
        at(ms)
    } else {
        None
    }
}

/// When something with this identifier was made: after `epoch` and not after now.
fn made(ms: i64, epoch: i64, now_ms: i64) -> Option<String> {
    between(ms, epoch.max(FROM_MS), now_ms.saturating_add(MADE_AHEAD_MS))
}

/// Every reading of `text` as an identifier or number with a time in it.
pub(super) fn times(text: &str, host: &str, now_ms: i64) -> Vec<(&'static str, String)> {
    let mut out: Vec<(&'static str, String)> = Vec::new();
    let mut add = |what: &'static str, found: Option<String>| {
        if let Some(found) = found {
            out.push((what, found));
        }
    };
    if text.len() >= 9 && text.bytes().all(|b| b.is_ascii_digit()) {
        numbers(text, host, now_ms, &mut add);
        return out;
    }
    if let Some((what, found)) = uuid(text, now_ms) {
        out.push((what, found));
        return out;
    }
    add("time in a ULID", ulid(text, now_ms));
    add("time in a KSUID", ksuid(text, now_ms));
    add("time in an ObjectId", object_id(text, now_ms));
    out
}

fn numbers(
    text: &str,
    host: &str,
    now_ms: i64,
    add: &mut impl FnMut(&'static str, Option<String>),
) {
    let Ok(n) = text.parse::<i64>() else { return };
    let soon = now_ms.saturating_add(AHEAD_MS);
    let time = |ms: Option<i64>| ms.and_then(|ms| between(ms, FROM_MS, soon));
    match text.len() {
        9 | 10 => add("as Unix seconds", time(n.checked_mul(1000))),
        12 | 13 => add("as Unix milliseconds", time(Some(n))),
        15 | 16 => add("as Unix microseconds", time(Some(n / 1000))),
        // Chrome and WebKit count from 1601.
        17 => add(
            "as WebKit microseconds",
            time((n / 1000).checked_sub(11_644_473_600_000)),
        ),
        18 => add(
            "as Windows FILETIME",
            time((n / 10_000).checked_sub(11_644_473_600_000)),
        ),
        _ => {}
    }
    if text.len() == 18 {
        add(
            "as .NET ticks",
            time((n / 10_000).checked_sub(62_135_596_800_000)),
        );
    }
    if !(16..=19).contains(&text.len()) {
        return;
    }
    // Milliseconds since the site's own beginning in the high 42 bits.
    let site = |names: &[&str]| {
        names
            .iter()
            .any(|d| host == *d || host.ends_with(&format!(".{d}")))
    };
    let twitter = site(&["twitter.com", "x.com", "twimg.com", "t.co"]);
    let discord = site(&[
        "discord.com",
        "discordapp.com",
        "discordapp.net",
        "discord.gg",
        "discordcdn.com",
    ]);
    // https://docs.x.com (snowflake), https://discord.com/developers/docs/reference#snowflakes
    for (what, epoch, here, elsewhere) in [
        (
            "time in an X (Twitter) snowflake",
            1_288_834_974_657_i64,
            twitter,
            discord,
        ),
        (
            "time in a Discord snowflake",
            1_420_070_400_000,
            discord,
            twitter,
        ),
    ] {
        if here || (!elsewhere && text.len() >= 17) {
            add(what, made((n >> 22).saturating_add(epoch), epoch, now_ms));
        }
    }
}

/// A UUID (RFC 9562), with dashes or without: its version, and the time of versions 1, 6 and 7.
fn uuid(text: &str, now_ms: i64) -> Option<(&'static str, String)> {
    let dashed = text.len() == 36
        && [8, 13, 18, 23]
            .iter()
            .all(|i| text.as_bytes().get(*i) == Some(&b'-'));
    if !dashed {
        return None;
    }
    let hex: String = text.chars().filter(|c| *c != '-').collect();
    if hex.len() != 32 {
        return None;
    }
    let n = u128::from_str_radix(&hex, 16).ok()?;
    let low =
        |shift: u32, bits: u32| u64::try_from((n >> shift) & ((1_u128 << bits) - 1)).unwrap_or(0);
    if low(62, 2) != 0b10 {
        return Some(("UUID", "of an old or private variant".into()));
    }
    // Ticks of 100 ns since 15 October 1582.
    let gregorian = |ticks: u64| {
        (i64::try_from(ticks / 10_000).unwrap_or(i64::MAX)).saturating_sub(12_219_292_800_000)
    };
    let node = || {
        let b = low(0, 48).to_be_bytes();
        format!(
            "{:02x}:{:02x}:{:02x}:{:02x}:{:02x}:{:02x}",
            b[2], b[3], b[4], b[5], b[6], b[7]
        )
    };
    let version = low(76, 4);
    let time = match version {
        1 => at(gregorian(
            (low(64, 12) << 48) | (low(80, 16) << 32) | low(96, 32),
        )),
        6 => at(gregorian((low(80, 48) << 12) | low(64, 12))),
        7 => made(
            i64::try_from(low(80, 48)).unwrap_or(i64::MAX),
            FROM_MS,
            now_ms,
        ),
        _ => None,
    };
    Some(match (version, time) {
        (1 | 6, Some(time)) => (
            "UUID",
            format!("version {version}, made {time}, node {}", node()),
        ),
        (7, Some(time)) => ("UUID", format!("version 7, made {time}")),
        (4, _) => ("UUID", "version 4, random".into()),
        (3 | 5, _) => ("UUID", format!("version {version}, from a name")),
        _ => ("UUID", format!("version {version}")),
    })
}

/// 26 characters of Crockford's base 32, the first ten are milliseconds (<https://github.com/ulid/spec>).
fn ulid(text: &str, now_ms: i64) -> Option<String> {
    if text.len() != 26 {
        return None;
    }
    let mut ms: i64 = 0;
    for (i, c) in text.bytes().enumerate() {
        let digit = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ"
            .iter()
            .position(|d| *d == c.to_ascii_uppercase())?;
        if i == 0 && digit > 7 {
            return None;
        }
        if i < 10 {
            ms = (ms << 5) | i64::try_from(digit).ok()?;
        }
    }
    made(ms, FROM_MS, now_ms)
}

/// 27 characters of base 62; 160 bits, the first 32 are seconds since 13 May 2014
/// (<https://github.com/segmentio/ksuid>).
fn ksuid(text: &str, now_ms: i64) -> Option<String> {
    if text.len() != 27 {
        return None;
    }
    let mut bytes = [0_u8; 20];
    for c in text.bytes() {
        let digit = match c {
            b'0'..=b'9' => c - b'0',
            b'A'..=b'Z' => c - b'A' + 10,
            b'a'..=b'z' => c - b'a' + 36,
            _ => return None,
        };
        let mut carry = u32::from(digit);
        for byte in bytes.iter_mut().rev() {
            carry += u32::from(*byte) * 62;
            *byte = u8::try_from(carry & 0xff).unwrap_or(0);
            carry >>= 8;
        }
        if carry > 0 {
            return None;
        }
    }
    let [a, b, c, d, ..] = bytes;
    let seconds = i64::from(u32::from_be_bytes([a, b, c, d])) + 1_400_000_000;
    made(seconds * 1000, FROM_MS, now_ms)
}

/// 24 hexadecimal digits, the first eight are seconds since 1970 (MongoDB manual, ObjectId).
fn object_id(text: &str, now_ms: i64) -> Option<String> {
    if text.len() != 24 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let seconds = i64::from_str_radix(text.get(..8)?, 16).ok()?;
    // MongoDB is of 2009.
    made(seconds.checked_mul(1000)?, 1_230_768_000_000, now_ms)
}

//! Calendar days in texts: `2026-03-12`, `12 March 2026`, `Mar 12, 2026`, and in evidence also Unix times.

use std::collections::BTreeSet;

/// Year, month and day; day 0 is the whole month.
pub(super) type Day = (u16, u8, u8);

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The number of a month's name, whole or cut to three or four letters.
pub(super) fn month(word: &str) -> Option<u8> {
    let word = word.trim_end_matches('.').to_lowercase();
    if word.len() < 3 {
        return None;
    }
    let at = MONTHS
        .iter()
        .position(|m| *m == word || (word.len() <= 4 && m.starts_with(&word)))?;
    u8::try_from(at + 1).ok()
}

/// A date in digits, year first: `2026-03-12`, `2026/03/12`, also with a time behind it.
pub(super) fn iso(word: &str) -> Option<Day> {
    let b = word.as_bytes();
    if b.len() < 10 || !matches!(b.get(4), Some(b'-' | b'/')) || b.get(4) != b.get(7) {
        return None;
    }
    if b.get(10).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    valid(
        word.get(0..4)?.parse().ok()?,
        word.get(5..7)?.parse().ok()?,
        word.get(8..10)?.parse().ok()?,
    )
}

/// The day, where these numbers are one of our time.
pub(super) fn valid(year: u16, month: u8, day: u8) -> Option<Day> {
    ((1970..=2199).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day))
        .then_some((year, month, day))
}

/// Every day that stands in `text`.
pub(super) fn find(text: &str) -> BTreeSet<Day> {
    let mut out = BTreeSet::new();
    let words: Vec<&str> = text
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '/')))
        .filter(|w| !w.is_empty())
        .collect();
    for (i, word) in words.iter().enumerate() {
        if word.as_bytes().first().is_some_and(u8::is_ascii_digit) {
            if let Some(day) = iso(word).or_else(|| compact(word)).or_else(|| epoch(word)) {
                out.insert(day);
            }
        } else if word.len() <= 9
            && let Some(m) = month(word)
        {
            let at = |k: Option<usize>| k.and_then(|k| words.get(k)).copied().unwrap_or_default();
            let before = ordinal(at(i.checked_sub(1)));
            let after = ordinal(at(Some(i + 1)));
            let year_next = at(Some(i + 1)).parse::<u16>().ok();
            let year_later = at(Some(i + 2)).parse::<u16>().ok();
            let day = match (before, after) {
                (Some(d), _) if year_next.is_some_and(|y| valid(y, m, d).is_some()) => {
                    year_next.and_then(|y| valid(y, m, d))
                }
                (_, Some(d)) => year_later.and_then(|y| valid(y, m, d)),
                _ => year_next
                    .and_then(|y| valid(y, m, 1))
                    .map(|(y, m, _)| (y, m, 0)),
            };
            out.extend(day);
        }
    }
    out
}

/// `12`, `12th`.
pub(super) fn ordinal(word: &str) -> Option<u8> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let tail = word.get(digits.len()..).unwrap_or_default();
    matches!(tail, "" | "st" | "nd" | "rd" | "th")
        .then(|| digits.parse::<u8>().ok())
        .flatten()
        .filter(|d| (1..=31).contains(d))
}

fn compact(word: &str) -> Option<Day> {
    if word.len() != 8 || !word.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    valid(
        word.get(0..4)?.parse().ok()?,
        word.get(4..6)?.parse().ok()?,
        word.get(6..8)?.parse().ok()?,
    )
}

/// Seconds or milliseconds since 1970, between 2001 and 2100.
fn epoch(word: &str) -> Option<Day> {
    if !matches!(word.len(), 10 | 13) {
        return None;
    }
    let n: i64 = word.parse().ok()?;
    let seconds = if word.len() == 13 { n / 1000 } else { n };
    of_seconds(seconds).filter(|(y, ..)| (2001..=2100).contains(y))
}

/// The day (UTC) of a Unix time. The conversion is Howard Hinnant's `civil_from_days`.
pub(super) fn of_seconds(seconds: i64) -> Option<Day> {
    let z = seconds.div_euclid(86_400) + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let day = doy - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = yoe + era * 400 + i64::from(month <= 2);
    valid(
        u16::try_from(year).ok()?,
        u8::try_from(month).ok()?,
        u8::try_from(day).ok()?,
    )
}

#[cfg(test)]
mod tests {
    use super::{find, of_seconds};

    #[test]
    fn days_in_many_shapes() {
        for text in [
            "2026-03-12",
            "seen 2026-03-12T10:00:00+00:00",
            "12 March 2026",
            "March 12, 2026",
            "Mar 12th, 2026",
            "Thu, 12 Mar 2026 09:00:00 GMT",
            r#"{"time_last":1773309600}"#,
            "20260312",
        ] {
            assert!(
                find(text).contains(&(2026, 3, 12)),
                "{text}: {:?}",
                find(text)
            );
        }
        assert!(find("in March 2026").contains(&(2026, 3, 0)));
        assert!(find("it may 2 be").is_empty());
        assert!(find("2026-13-40 and 198.51.100.7").is_empty());
    }

    #[test]
    fn unix_times() {
        assert_eq!(of_seconds(0), Some((1970, 1, 1)));
        assert_eq!(of_seconds(951_782_400), Some((2000, 2, 29)));
        assert_eq!(of_seconds(-1), None);
    }
}

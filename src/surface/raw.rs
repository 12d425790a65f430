//! The raw form of evidence as text, and what changed between two of them.

use std::collections::HashMap;

/// The raw form, pretty where it is JSON, in text lines.
#[must_use]
pub fn pretty(raw: &str) -> String {
    match serde_json::from_str::<serde_json::Value>(raw) {
        Ok(v) => serde_json::to_string_pretty(&v).unwrap_or_else(|_| raw.to_owned()),
        Err(_) => {
            // One JSON value a line.
            let values: Vec<String> = raw
                .lines()
                .filter(|l| !l.trim().is_empty())
                .map_while(|l| serde_json::from_str::<serde_json::Value>(l).ok())
                .map(|v| serde_json::to_string_pretty(&v).unwrap_or_default())
                .collect();
            if !values.is_empty()
                && values.len() == raw.lines().filter(|l| !l.trim().is_empty()).count()
            {
                values.join("\n")
            } else {
                raw.to_owned()
            }
        }
    }
}

/// Lines that are only in the old text, and lines that are only in the new one, each in its order.
#[must_use]
pub fn changes<'t>(old: &'t str, new: &'t str) -> (Vec<&'t str>, Vec<&'t str>) {
    let mut count: HashMap<&str, i64> = HashMap::new();
    for l in old.lines() {
        *count.entry(l.trim_end_matches(',')).or_default() += 1;
    }
    let mut added = Vec::new();
    for l in new.lines() {
        let n = count.entry(l.trim_end_matches(',')).or_default();
        if *n > 0 {
            *n -= 1;
        } else {
            added.push(l);
        }
    }
    let mut removed = Vec::new();
    for l in old.lines() {
        if let Some(n) = count.get_mut(l.trim_end_matches(','))
            && *n > 0
        {
            *n -= 1;
            removed.push(l);
        }
    }
    (removed, added)
}

//! A turn, a table, an indicator for people to read.

use crate::cli::output::{Output, Own, Style, Text};
pub use crate::engine::age;
use crate::engine::{TurnReport, places};
use kit::extract::extract;
use kit::indicator::{Indicator, IndicatorType};
use std::borrow::Cow;

/// Marks unsupported claims and, where asked for, writes indicators defanged.
#[must_use]
pub fn answer(report: &TurnReport, defang: bool) -> String {
    let text = report.turn.answer.as_ref().map_or("", |a| a.as_str());
    let places = places(text, &report.turn.unsupported);
    let mut ends: Vec<(usize, &str)> = places.iter().map(|p| (p.1, p.2.why.as_str())).collect();
    ends.sort_unstable();
    ends.dedup();
    let mut ends = ends.into_iter().peekable();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    // Text up to `to`, with the marks of the claims that end there.
    let mut plain = |out: &mut String, from: usize, to: usize| {
        let mut from = from;
        while let Some((end, why)) = ends.next_if(|e| e.0 <= to) {
            out.push_str(text.get(from..end).unwrap_or_default());
            out.push_str(&format!(" [{why}]"));
            from = from.max(end);
        }
        out.push_str(text.get(from..to).unwrap_or_default());
    };
    for f in extract(text) {
        plain(&mut out, at, f.start);
        if defang && !f.defanged {
            out.push_str(&dead(&f.indicator));
        } else {
            out.push_str(&f.text);
        }
        at = f.end;
    }
    plain(&mut out, at, text.len());
    // Marks of an older version have no place in the text.
    for m in &report.turn.unsupported {
        if !places.iter().any(|p| p.2 == m) {
            out.push_str(&format!("\n[{}: {}]", m.why, m.text));
        }
    }
    if defang {
        return without_schemes(&out).into_owned();
    }
    out
}

/// Text with its indicators written so that no click follows them: a cell of a table, a reason. What was written
/// defanged stays in its own form.
#[must_use]
pub fn defanged(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut at = 0;
    for f in extract(text) {
        out.push_str(text.get(at..f.start).unwrap_or_default());
        if f.defanged {
            out.push_str(&f.text);
        } else {
            out.push_str(&dead(&f.indicator));
        }
        at = f.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    without_schemes(&out).into_owned()
}

/// An indicator defanged, in a URL also the URLs and hosts that its path and query hold.
fn dead(indicator: &Indicator) -> String {
    let whole = indicator.defanged();
    let Some(host) = whole
        .find("//")
        .map(|n| n + 2)
        .filter(|_| indicator.kind() == IndicatorType::Url)
    else {
        return whole;
    };
    let rest = whole.get(host..).unwrap_or_default();
    let tail = host + rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (front, tail) = whole.split_at_checked(tail).unwrap_or((&whole, ""));
    let mut out = front.to_owned();
    // Without its scheme a URL in a URL is a host and a path, so this needs no second round.
    for piece in tail.split_inclusive(['?', '&', '=', ';', '#', ':']) {
        let mut at = 0;
        for f in extract(piece) {
            out.push_str(piece.get(at..f.start).unwrap_or_default());
            if f.defanged {
                out.push_str(&f.text);
            } else {
                out.push_str(&f.indicator.defanged());
            }
            at = f.end;
        }
        out.push_str(piece.get(at..).unwrap_or_default());
    }
    out
}

/// Schemes that a viewer would make a link of, taken out whatever is behind them.
fn without_schemes(text: &str) -> Cow<'_, str> {
    if !text.contains("://") {
        return Cow::Borrowed(text);
    }
    // Lowering ASCII keeps all byte offsets.
    let lower = text.to_ascii_lowercase();
    let mut out = String::with_capacity(text.len() + 8);
    let mut at = 0;
    for (mark, _) in lower.match_indices("://") {
        let before = lower.get(at..mark).unwrap_or_default();
        let scheme = ["https", "http", "ftps", "ftp"]
            .iter()
            .find(|s| before.ends_with(*s));
        if let Some(scheme) = scheme {
            let start = mark - scheme.len();
            out.push_str(text.get(at..start).unwrap_or_default());
            out.push_str(match *scheme {
                "https" => "hxxps",
                "http" => "hxxp",
                "ftps" => "fxps",
                _ => "fxp",
            });
            at = mark;
        }
    }
    out.push_str(text.get(at..).unwrap_or_default());
    Cow::Owned(out)
}

/// Evidence numbers that the answer places with `[[E7]]`.
#[must_use]
pub fn placed(text: &str) -> Vec<u32> {
    let mut out = Vec::new();
    for part in text.split("[[E").skip(1) {
        if let Some((digits, _)) = part.split_once("]]")
            && let Ok(n) = digits.parse::<u32>()
            && !out.contains(&n)
        {
            out.push(n);
        }
    }
    out
}

/// A line `  17  198[.]51[.]100[.]7 (ip)  found in E1: why`.
#[must_use]
pub fn proposal(p: &crate::case::Proposal, defang: bool, out: &Output) -> Text {
    let value = if defang {
        p.indicator.defanged()
    } else {
        p.indicator.value().to_owned()
    };
    let mut text = Text::new()
        .then("  ")
        .styled(Style::Bold, Own(p.n.to_string()))
        .then("  ")
        .then(out.outside(format!("{value} ({})", p.indicator.kind())));
    if let Some(e) = p.found_in {
        text = text.then(Own(format!("  found in E{e}")));
    } else if p.not_in_evidence {
        text = text.styled(Style::Yellow, "  not in evidence");
    }
    let why = p.why.as_str();
    let why = if defang {
        defanged(why)
    } else {
        why.to_owned()
    };
    text.then("  ").styled(Style::Dim, out.outside(why))
}

/// Lines `  17  restart nginx on d-12 web-01 (job, 1 device)  digest …`.
#[must_use]
pub fn action(p: &crate::case::ProposedAction, out: &Output) -> Text {
    let devices = match p.devices {
        1 => "1 device".to_owned(),
        n => format!("{n} devices"),
    };
    let count = if p.count {
        ", their number is typed"
    } else {
        ""
    };
    Text::new()
        .then("  ")
        .styled(Style::Bold, Own(p.n.to_string()))
        .then("  ")
        .then(out.outside_line(p.title.as_str()))
        .then(Own(format!(" ({devices}{count})  digest ")))
        .styled(Style::Dim, Own(p.digest.clone()))
        .then("  ")
        .styled(Style::Dim, out.outside_line(p.why.as_str()))
}

#[cfg(test)]
mod tests {
    use super::defanged;
    use proptest::prelude::*;

    #[test]
    fn nothing_live_is_left() {
        for (text, wanted) in [
            ("www.evil.com, *.bad.shop", "www[.]evil.com, *.bad[.]shop"),
            (
                "![evil.com](http://bad.shop/x)",
                "![evil[.]com](hxxp://bad[.]shop/x)",
            ),
            (
                "[a](https://bad.shop/a?u=http://kit.shop/y&h=203.0.113.7)",
                "[a](hxxps://bad[.]shop/a?u=hxxp://kit[.]shop/y&h=203[.]0.113.7)",
            ),
            (
                "https://bad.shop/https://kit.shop",
                "hxxps://bad[.]shop/hxxps://kit[.]shop",
            ),
            (
                "hxxp://evil[.]com and a@evil.com",
                "hxxp://evil[.]com and a[@]evil[.]com",
            ),
            ("version 1.2.3, report.zip", "version 1.2.3, report.zip"),
        ] {
            assert_eq!(defanged(text), wanted, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_scheme_survives(
            parts in prop::collection::vec(prop::sample::select(vec![
                "http://", "HTTPS://", "evil.com", "/", "?u=", " ", "203.0.113.7", "](", "!", "ftp://", "\u{e4}", "hxxp://", "[.]",
            ]), 0..12),
        ) {
            let out = defanged(&parts.concat()).to_ascii_lowercase();
            prop_assert!(!out.contains("http://") && !out.contains("https://") && !out.contains("ftp://"), "{}", out);
        }
    }
}

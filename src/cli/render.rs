//! A turn, a table, an indicator for people to read.

use crate::cli::output::{Output, Own, Style, Text};
pub use crate::engine::age;
use crate::engine::{TurnReport, places};
use kit::extract::extract;

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
            out.push_str(&f.indicator.defanged());
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
    out
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
    text.then("  ")
        .styled(Style::Dim, out.outside(p.why.as_str()))
}

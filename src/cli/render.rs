//! A turn, a table, an indicator for people to read.

use crate::cli::output::{Output, Own, Style, Text};
use crate::engine::TurnReport;
pub use crate::engine::age;
use kit::extract::extract;
use std::collections::BTreeSet;

/// Marks unsupported claims and, where asked for, writes indicators defanged.
#[must_use]
pub fn answer(report: &TurnReport, defang: bool) -> String {
    let text = report.turn.answer.as_ref().map_or("", |a| a.as_str());
    let unsupported: BTreeSet<&str> = report
        .turn
        .unsupported
        .iter()
        .map(|m| m.text.as_str())
        .collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for f in extract(text) {
        out.push_str(text.get(at..f.start).unwrap_or_default());
        if defang && !f.defanged {
            out.push_str(&f.indicator.defanged());
        } else {
            out.push_str(&f.text);
        }
        if unsupported.contains(f.text.as_str()) {
            out.push_str(" [not in evidence]");
        }
        at = f.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    for m in &report.turn.unsupported {
        if m.why != "not in evidence" {
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

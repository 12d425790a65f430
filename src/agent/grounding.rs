//! Claims of an answer that stand in no evidence and no human text.

use crate::case::{CaseState, Marked, Seen};
use kit::extract::extract;
use kit::outcome::Verdict;

/// What an answer claims without ground: indicators that nobody named and no evidence holds, and a
/// source quoted with a verdict that this source did not give.
#[must_use]
pub fn unsupported(answer: &str, state: &CaseState, turn: u32) -> Vec<Marked> {
    let mut out: Vec<Marked> = Vec::new();
    let mut mark = |text: &str, why: &str| {
        if !out.iter().any(|m| m.text == text) {
            out.push(Marked {
                text: text.to_owned(),
                why: why.to_owned(),
            });
        }
    };
    for f in extract(answer) {
        if !stands(&f.indicator, state) {
            mark(&f.text, "not in evidence");
        }
    }
    for (phrase, why) in contradicted(answer, state, turn) {
        mark(&phrase, why);
    }
    out
}

fn stands(indicator: &kit::Indicator, state: &CaseState) -> bool {
    let in_input = |i: &kit::Indicator| {
        state
            .turns
            .iter()
            .any(|t| t.attachments.iter().any(|a| a.mentioned.contains(i)))
    };
    let host_of = |i: &kit::Indicator| {
        state
            .said
            .iter()
            .chain(state.authorized.keys())
            .chain(state.seen.keys())
            .any(|k| k.host().as_ref() == Some(i))
    };
    state.knows(indicator) || in_input(indicator) || host_of(indicator)
}

/// Sentences that put a source's name beside a verdict word which that source did not give this turn.
fn contradicted(answer: &str, state: &CaseState, turn: u32) -> Vec<(String, &'static str)> {
    let Some(turn) = state.turn(turn) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for sentence in answer
        .split_inclusive(['.', '\n', '!', '?', ';'])
        .map(str::trim)
        .filter(|s| !s.is_empty())
    {
        let lower = sentence.to_lowercase();
        let says_bad = lower.contains("malicious")
            && !lower.contains("not malicious")
            && !lower.contains("no malicious");
        let says_clean = [
            "is clean",
            "harmless",
            "not malicious",
            "is benign",
            "is safe",
        ]
        .iter()
        .any(|w| lower.contains(w));
        if !says_bad && !says_clean {
            continue;
        }
        for call in &turn.calls {
            let tool = call.tool.as_str();
            if tool.len() < 4 || !lower.contains(tool) {
                continue;
            }
            let of_tool = || turn.calls.iter().filter(|c| c.tool.as_str() == tool);
            if says_bad && !of_tool().any(|c| c.source_verdict == Some(Verdict::Malicious)) {
                out.push((sentence.to_owned(), "the source did not say malicious"));
            } else if says_clean && !of_tool().any(|c| c.source_verdict == Some(Verdict::Harmless))
            {
                out.push((sentence.to_owned(), "the source did not say harmless"));
            }
        }
    }
    out
}

/// Indicators that the answer and this turn's evidence name and that nobody authorized: one step away
/// from a proposal. At most `most`.
#[must_use]
pub fn mentioned(answer: &str, state: &CaseState, url_host: bool, most: usize) -> Vec<Seen> {
    let mut out: Vec<Seen> = Vec::new();
    let mut add = |indicator: &kit::Indicator, found_in: Option<u32>| {
        let settled = state.authorization(indicator, url_host).is_some()
            || state.denied.contains(indicator)
            || state.proposals.values().any(|p| &p.indicator == indicator);
        if !settled && out.len() < most && !out.iter().any(|s| &s.indicator == indicator) {
            out.push(Seen {
                indicator: indicator.clone(),
                found_in,
            });
        }
    };
    for f in extract(answer) {
        add(&f.indicator, state.seen.get(&f.indicator).copied());
    }
    let mut seen: Vec<_> = state.seen.iter().collect();
    seen.sort_by(|a, b| a.1.cmp(b.1).then_with(|| a.0.cmp(b.0)));
    for (indicator, n) in seen {
        add(indicator, Some(*n));
    }
    if let Some(turn) = state.turns.last() {
        for attachment in &turn.attachments {
            for indicator in &attachment.mentioned {
                add(indicator, None);
            }
        }
    }
    out
}

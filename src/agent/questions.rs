//! Pivots that an answer asks for: an indicator in a question is a wish to look it up. It becomes a
//! proposal; the gate's caps and denials hold for it like for any other.
//!
//! A question that the answer itself goes on to answer, a heading, a quotation and a code block wish for
//! nothing. What is named outside questions is only mentioned.

use kit::extract::{Found, extract};
use kit::indicator::Indicator;

/// Indicators that are looked at; the gate takes far fewer.
const MOST: usize = 500;

/// Longest sentence around an indicator, in bytes to either side.
const FAR: usize = 2_000;

/// The indicators that stand in a question of `text`, each once, in order.
#[must_use]
pub fn asked_for(text: &str) -> Vec<Indicator> {
    let mut found = extract(text);
    found.truncate(MOST);
    if found.is_empty() || !text.contains(['?', '？', '؟', ':']) {
        return Vec::new();
    }
    let mut out: Vec<Indicator> = Vec::new();
    let lines = lines(text);
    let mut list = false;
    for line in &lines {
        let here: Vec<&Found> = found
            .iter()
            .filter(|f| line.start <= f.start && f.start < line.end)
            .collect();
        let of_list = list && line.item;
        list = !line.apart && (asks_for_list(text, line, &here) || of_list || (list && line.blank));
        if line.apart {
            continue;
        }
        for f in here {
            if (of_list || wished(text, line, f, &found)) && !out.contains(&f.indicator) {
                out.push(f.indicator.clone());
            }
        }
    }
    out
}

/// A line, or several that are one wrapped paragraph.
struct Line {
    start: usize,
    end: usize,
    /// A list item.
    item: bool,
    blank: bool,
    /// A code block, a quoted line or a heading.
    apart: bool,
}

fn lines(text: &str) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::new();
    let mut at = 0;
    let mut fenced = false;
    for raw in text.split_inclusive('\n') {
        let line = raw.trim();
        let fence = line.starts_with("```") || line.starts_with("~~~");
        let apart = fence || fenced || line.starts_with('>') || line.starts_with('#');
        if fence {
            fenced = !fenced;
        }
        let wrapped = line.chars().next().is_some_and(char::is_lowercase)
            && !apart
            && out.last().is_some_and(|l| !l.blank && !l.apart)
            && !text
                .get(..at)
                .unwrap_or_default()
                .trim_end()
                .ends_with(['.', '!', '?', ':']);
        match out.last_mut().filter(|_| wrapped) {
            Some(last) => last.end = at + raw.len(),
            None => out.push(Line {
                start: at,
                end: at + raw.len(),
                item: is_item(line),
                blank: line.is_empty(),
                apart,
            }),
        }
        at += raw.len();
    }
    out
}

fn is_item(line: &str) -> bool {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with(['-', '*', '•', '+'])
        || (digits.len() < line.len()
            && digits.starts_with(['.', ')'])
            && digits.get(1..).is_some_and(|r| r.starts_with(' ')))
}

/// `Should I look these up?` or `Shall I check:` before a list.
fn asks_for_list(text: &str, line: &Line, here: &[&Found]) -> bool {
    if !here.is_empty() || line.blank {
        return false;
    }
    let line = text.get(line.start..line.end).unwrap_or_default();
    let lower = line.trim().trim_end_matches(['*', '_', ' ']).to_lowercase();
    if !lower.ends_with(['?', '？', '؟', ':']) {
        return false;
    }
    let last = lower
        .trim_end_matches(['?', '？', '؟', ':'])
        .rsplit(['.', '!', '?'])
        .next()
        .unwrap_or_default()
        .trim()
        .trim_start_matches(['*', '-', ' ', '_'])
        .to_owned();
    let begins = [
        "should i",
        "shall i",
        "may i",
        "can i",
        "could i",
        "do you want",
        "would you like",
        "want me to",
        "is it ok",
        "ok to",
        "should we",
        "shall we",
        "which of",
    ];
    let looks = [
        "look",
        "check",
        "query",
        "investigate",
        "pivot",
        "search",
        "follow",
        "examine",
        "enrich",
        "ask",
        "run",
    ];
    begins.iter().any(|b| last.contains(b)) && looks.iter().any(|l| last.contains(l))
}

/// Whether the sentence around `f` is a question that the answer leaves open.
fn wished(text: &str, line: &Line, f: &Found, all: &[Found]) -> bool {
    let Some(mark) = question_mark(text, line, f, all) else {
        return false;
    };
    let start = sentence_start(text, line, f, all);
    let sentence = text.get(start..mark).unwrap_or_default();
    let behind = text.get(mark..line.end).unwrap_or_default();
    // The indicator and the mark inside one pair of quotation marks: somebody else's question.
    let before = text.get(line.start..f.start).unwrap_or_default();
    let between = text.get(f.end..mark).unwrap_or_default();
    let open = before.matches(['"', '“', '”']).count() % 2 == 1;
    if open && !between.contains(['"', '”', '“']) && behind.contains(['"', '”']) {
        return false;
    }
    !answered(sentence, behind)
}

/// The end of the question mark that ends the sentence with `f`. Marks inside indicators end nothing.
fn question_mark(text: &str, line: &Line, f: &Found, all: &[Found]) -> Option<usize> {
    let mut at = f.end;
    while at < line.end.min(f.end + FAR) {
        if let Some(o) = inside(all, at) {
            at = o.end;
            continue;
        }
        let c = text.get(at..)?.chars().next()?;
        let next = text.get(at + c.len_utf8()..).and_then(|r| r.chars().next());
        match c {
            '?' | '？' | '؟' => return Some(at + c.len_utf8()),
            '!' if next != Some('?') => return None,
            '.' if next.is_none_or(char::is_whitespace)
                && !abbreviation(text.get(..at).unwrap_or_default()) =>
            {
                return None;
            }
            _ => {}
        }
        at += c.len_utf8();
    }
    None
}

fn sentence_start(text: &str, line: &Line, f: &Found, all: &[Found]) -> usize {
    let mut from = line.start.max(f.start.saturating_sub(FAR));
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let head = text.get(from..f.start).unwrap_or_default();
    let mut start = from;
    for (i, c) in head.char_indices() {
        let at = from + i;
        let next = head.get(i + c.len_utf8()..).and_then(|r| r.chars().next());
        let ends =
            matches!(c, '.' | '!' | '?' | '？' | '؟') && next.is_none_or(char::is_whitespace);
        if ends
            && inside(all, at).is_none()
            && !(c == '.' && abbreviation(head.get(..i).unwrap_or_default()))
        {
            start = at + c.len_utf8();
        }
    }
    start
}

/// The indicator that covers this byte.
fn inside(all: &[Found], at: usize) -> Option<&Found> {
    let k = all.partition_point(|f| f.end <= at);
    all.get(k).filter(|f| f.start <= at)
}

fn abbreviation(before: &str) -> bool {
    let word = before
        .rsplit([' ', '(', '\n'])
        .next()
        .unwrap_or_default()
        .to_lowercase();
    matches!(
        word.as_str(),
        "e.g" | "i.e" | "etc" | "vs" | "incl" | "approx" | "no"
    )
}

/// `Why is it? It is …`: an open question word whose answer follows, or a plain one with yes or no behind.
fn answered(sentence: &str, behind: &str) -> bool {
    let rest = behind.trim_start_matches(|c: char| !c.is_alphanumeric());
    if rest.is_empty() || rest.contains(['?', '？', '؟']) {
        return false;
    }
    let word = |t: &str| {
        let w: String = t
            .trim_start_matches(|c: char| !c.is_alphanumeric())
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '\'')
            .collect();
        w.to_lowercase()
    };
    let first = word(sentence);
    let next = word(rest);
    matches!(
        first.as_str(),
        "what" | "what's" | "why" | "how" | "who" | "when" | "where" | "so"
    ) || matches!(
        next.as_str(),
        "yes"
            | "no"
            | "probably"
            | "likely"
            | "unlikely"
            | "unclear"
            | "unknown"
            | "perhaps"
            | "possibly"
            | "indeed"
    )
}

//! The sources footer. It comes from the ledger; one that a model writes is taken out.

use crate::case::{Call, CallVerdict, Status};
use kit::outcome::plain_reason;
use std::fmt::Write as _;

/// What the line of the actions that a turn proposed begins with.
pub const PROPOSED: &str = "Proposed, nothing has happened:";

/// The footer of a turn, as plain text; empty when nothing ran.
#[must_use]
pub fn footer(calls: &[Call]) -> String {
    let mut ran = Vec::new();
    // A look-up that was repeated within the turn is one source, not two.
    let mut shown: Vec<(&str, &str, Option<u32>)> = Vec::new();
    // Grouped by reason, so that ten missing keys are one phrase.
    let mut not_asked: Vec<(String, Vec<&str>)> = Vec::new();
    for c in calls
        .iter()
        .filter(|c| matches!(c.verdict, CallVerdict::Permit | CallVerdict::Cached))
    {
        let Some(status) = c.status.filter(|s| *s != Status::CouldNotLook) else {
            let why = match c.status {
                None => "interrupted".to_owned(),
                Some(_) => plain_reason(c.detail.as_deref().unwrap_or_default()).to_owned(),
            };
            let tool = c.tool.as_str();
            match not_asked.iter_mut().find(|(w, _)| *w == why) {
                Some((_, tools)) if tools.contains(&tool) => {}
                Some((_, tools)) => tools.push(tool),
                None => not_asked.push((why, vec![tool])),
            }
            continue;
        };
        let same = (c.tool.as_str(), c.argument.as_str(), c.evidence);
        if shown.contains(&same) {
            continue;
        }
        shown.push(same);
        let value = c
            .subject
            .as_ref()
            .map_or_else(|| c.argument.as_str().to_owned(), kit::Indicator::defanged);
        let word = if status == Status::Found {
            "found"
        } else {
            "not found"
        };
        let mut line = format!("{}({value}) → {word}", c.tool.as_str());
        if let Some(e) = c.evidence {
            let _ = write!(line, " E{e}");
        }
        if c.verdict == CallVerdict::Cached {
            let _ = write!(line, " (from {} ago)", age(c.age_s));
        }
        ran.push(line);
    }
    let not_asked: Vec<String> = not_asked
        .into_iter()
        .map(|(why, tools)| format!("{why}: {}", tools.join(", ")))
        .collect();
    let mut out = String::new();
    if !ran.is_empty() {
        let _ = writeln!(out, "Sources: {}", ran.join("; "));
    }
    if !not_asked.is_empty() {
        let _ = writeln!(
            out,
            "Could not look (says nothing about the indicators): {}",
            not_asked.join("; ")
        );
    }
    out.trim_end().to_owned()
}

/// An age for people: `12 s`, `3 min`, `2 h`, `5 d`.
#[must_use]
pub fn age(seconds: u64) -> String {
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds / 60),
        7200..=172_799 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// Takes out what pretends to be the program's footer: lines in its form wherever they stand, and lists of
/// sources under a label of their own. Prose about sources stays, and so does every `[[E7]]`.
#[must_use]
pub fn without_forged(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut out: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let gone = forged(&lines, at);
        if gone == 0 {
            out.push((*line).to_owned());
            at += 1;
            continue;
        }
        for line in lines.get(at..at + gone).unwrap_or_default() {
            let places = placements(line);
            if !places.is_empty() {
                out.push(places);
            }
        }
        at += gone;
        // What framed the footer goes with it.
        while out.last().is_some_and(|l| {
            let l = l.trim();
            l.is_empty() || is_rule(l)
        }) && lines
            .get(at..)
            .unwrap_or_default()
            .iter()
            .all(|l| l.trim().is_empty() || is_rule(l.trim()))
        {
            out.pop();
            at = lines.len();
        }
        if out
            .last()
            .is_some_and(|l| l.trim_start().starts_with("```"))
            && lines.get(at).is_some_and(|l| l.trim() == "```")
        {
            out.pop();
            at += 1;
        }
    }
    out.join("\n").trim().to_owned()
}

/// How many lines from `at` on are a forged footer.
fn forged(lines: &[&str], at: usize) -> usize {
    let line = lines.get(at).map(|l| plain(l)).unwrap_or_default();
    if line.starts_with("[program ledger")
        || line.starts_with("proposed, nothing has happened:")
        || is_ledger_line(&line)
    {
        return 1;
    }
    let Some(rest) = after_label(&line) else {
        return 0;
    };
    let below = |from: usize| {
        lines
            .get(from..)
            .unwrap_or_default()
            .iter()
            .take_while(|l| is_item(l) && is_entry(&plain(l)))
            .count()
    };
    if rest.is_empty() {
        let blank = usize::from(lines.get(at + 1).is_some_and(|l| l.trim().is_empty()));
        let n = below(at + 1 + blank);
        // A list whose other items are prose is the model's own.
        let whole = lines.get(at + 1 + blank + n).is_none_or(|l| !is_item(l));
        return if n > 0 && whole { 1 + blank + n } else { 0 };
    }
    let entries = rest
        .split([';', ',', '|'])
        .map(str::trim)
        .filter(|e| !e.is_empty());
    if line.starts_with("could not look (says nothing") || entries.clone().all(is_entry) {
        return 1 + below(at + 1);
    }
    0
}

/// A line without markdown, tags and invisible characters, lower case.
fn plain(line: &str) -> String {
    let line: String = line
        .chars()
        .filter(|c| {
            !matches!(
                c,
                '*' | '_' | '`' | '#' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}'
            )
        })
        .map(|c| if c == '：' { ':' } else { c })
        .collect();
    let mut out = String::with_capacity(line.len());
    let mut tag = false;
    for c in line.chars() {
        match c {
            '<' => tag = true,
            '>' if tag => tag = false,
            c if !tag => out.push(c),
            _ => {}
        }
    }
    out.trim_start_matches(['>', '-', '•', '+', '|', ' ', '\t', '—', '–', '('])
        .trim_end_matches([' ', '|'])
        .to_lowercase()
}

/// What stands behind a label of a list of sources; `None` where the line has no such label.
fn after_label(line: &str) -> Option<&str> {
    const LABELS: [&str; 22] = [
        "sources",
        "source",
        "sources queried",
        "sources used",
        "sources consulted",
        "sources checked",
        "sources asked",
        "queried",
        "queried sources",
        "looked up",
        "look-ups",
        "lookups",
        "tools used",
        "tool calls",
        "data sources",
        "references",
        "could not look",
        "not asked",
        "quellen",
        "fuentes",
        "fonti",
        "bronnen",
    ];
    let (label, rest) = match line.split_once(':') {
        Some((label, rest)) => (label, rest.trim()),
        None => (line, ""),
    };
    let label = label.split('(').next().unwrap_or_default().trim();
    LABELS.contains(&label).then_some(rest)
}

/// `tool(value) → found E1`, also several.
fn is_ledger_line(line: &str) -> bool {
    let line = after_label(line).filter(|r| !r.is_empty()).unwrap_or(line);
    line.split(';').any(|part| {
        let Some((left, right)) = ["→", "->", "=>", "➜", "⇒"]
            .iter()
            .find_map(|arrow| part.split_once(arrow))
        else {
            return false;
        };
        let left = left.trim();
        let name: String = left.chars().take_while(|c| *c != '(').collect();
        let call = left.contains('(')
            && left.ends_with(')')
            && !name.trim().contains(' ')
            && !name.trim().is_empty();
        let right = right.trim();
        let word = [
            "found",
            "not found",
            "could not look",
            "malicious",
            "clean",
            "harmless",
            "suspicious",
            "ok",
            "nothing",
        ]
        .iter()
        .any(|w| right.starts_with(w));
        call && word
    })
}

/// An entry of a list of sources rather than a sentence: few words, and a source, an evidence number, an arrow
/// or an address among them.
fn is_entry(text: &str) -> bool {
    const SENTENCE: [&str; 22] = [
        "is", "has", "have", "are", "was", "were", "says", "say", "does", "do", "lists", "list",
        "shows", "show", "knows", "know", "relies", "that", "which", "because", "disagree",
        "agree",
    ];
    let text = text.trim().trim_end_matches('.');
    let words: Vec<&str> = text.split_whitespace().collect();
    if is_ledger_line(text) {
        return true;
    }
    if words.is_empty() || words.len() > 6 || words.iter().any(|w| SENTENCE.contains(w)) {
        return false;
    }
    let evidence = |w: &str| {
        let w = w.trim_matches(|c: char| !c.is_alphanumeric());
        w.strip_prefix('e')
            .is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
    };
    words.iter().any(|w| evidence(w) || w.contains("://"))
        || text.contains('→')
        || super::grounding::names_source(text)
}

fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with(['-', '*', '•', '+', '|'])
        || (digits.len() < line.len() && digits.starts_with(['.', ')']))
}

fn is_rule(line: &str) -> bool {
    line.len() >= 3
        && (line.chars().all(|c| c == '-')
            || line.chars().all(|c| c == '*')
            || line.chars().all(|c| c == '_'))
}

/// The placements `[[E7]]` of a line.
fn placements(line: &str) -> String {
    let mut out = String::new();
    for part in line.split("[[E").skip(1) {
        if let Some((digits, _)) = part.split_once("]]")
            && !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
        {
            if !out.is_empty() {
                out.push('\n');
            }
            let _ = write!(out, "[[E{digits}]]");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::footer;
    use crate::case::{Call, CallVerdict, Status};
    use kit::text::{Redactor, Untrusted};

    struct Nothing;
    impl Redactor for Nothing {
        fn redact(&self, text: &str) -> String {
            text.to_owned()
        }
    }

    fn could_not(tool: &str, detail: &str) -> Call {
        let text = |t: &str| Untrusted::new(t.to_owned()).redact(&Nothing);
        Call {
            n: 1,
            tool: text(tool),
            argument: text("198.51.100.7"),
            subject: None,
            verdict: CallVerdict::Permit,
            reason: None,
            detail: Some(detail.to_owned()),
            fingerprint: None,
            arguments: None,
            charged: true,
            status: Some(Status::CouldNotLook),
            evidence: None,
            source_verdict: None,
            age_s: 0,
            ms: 1,
        }
    }

    #[test]
    fn a_reason_is_a_sentence_without_the_word_for_machines() {
        let calls = [
            could_not("crtsh", "unsupported: it takes names only"),
            could_not("rdap", "no key"),
        ];
        assert_eq!(
            footer(&calls),
            "Could not look (says nothing about the indicators): it takes names only: crtsh; no key: rdap"
        );
    }
}

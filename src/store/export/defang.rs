//! Running text with its indicators defanged, so that no viewer makes a link of one.

use crate::case::CaseState;
use aho_corasick::{AhoCorasick, MatchKind};
use std::collections::BTreeMap;

/// Defangs the indicators that a case knows wherever they stand, and whatever else is an indicator.
pub struct Defang {
    known: Option<(AhoCorasick, Vec<String>)>,
}

/// Schemes that viewers turn into links even where the rest is no indicator.
const SCHEMES: [(&str, &str); 3] = [
    ("https://", "hxxps://"),
    ("http://", "hxxp://"),
    ("ftp://", "fxp://"),
];

impl Defang {
    /// For texts of this case.
    #[must_use]
    pub fn of(state: &CaseState) -> Self {
        let mut known: BTreeMap<&str, String> = BTreeMap::new();
        let all = state
            .authorized
            .keys()
            .chain(&state.denied)
            .chain(&state.red)
            .chain(&state.said)
            .chain(state.seen.keys())
            .chain(state.proposals.values().map(|p| &p.indicator));
        for i in all {
            let defanged = i.defanged();
            if defanged != i.value() {
                known.insert(i.value(), defanged);
            }
        }
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .ascii_case_insensitive(true)
            .build(known.keys());
        Self {
            known: automaton.ok().map(|a| (a, known.into_values().collect())),
        }
    }

    /// For texts of no particular case.
    #[must_use]
    pub fn plain() -> Self {
        Self { known: None }
    }

    /// The text with its indicators defanged.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len().saturating_add(32));
        let mut at = 0;
        for found in kit::extract(text) {
            let (Some(before), Some(_)) = (text.get(at..found.start), text.get(found.end..)) else {
                continue;
            };
            self.rest(before, &mut out);
            // What was written defanged is left in the person's own way of doing it. Inside a URL another
            // indicator of the case may stand.
            if found.defanged {
                self.rest(&found.text, &mut out);
            } else {
                self.rest(&found.indicator.defanged(), &mut out);
            }
            at = found.end;
        }
        self.rest(text.get(at..).unwrap_or_default(), &mut out);
        out
    }

    fn rest(&self, text: &str, out: &mut String) {
        let mut known = text.to_owned();
        if let Some((automaton, replacements)) = &self.known {
            known = replace_whole(text, automaton, replacements);
        }
        for (live, dead) in SCHEMES {
            if known.to_ascii_lowercase().contains(live) {
                known = replace_ignoring_case(&known, live, dead);
            }
        }
        out.push_str(&replace_ignoring_case(&known, "www.", "www[.]"));
    }
}

/// Replaces matches that stand alone: a part of a longer name or number is another indicator, or one that
/// is defanged already (`evil[.]example.com` holds `example.com`).
fn replace_whole(text: &str, automaton: &AhoCorasick, replacements: &[String]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ']');
    for found in automaton.find_iter(text) {
        let before = text
            .get(..found.start())
            .and_then(|t| t.chars().next_back());
        let after = text.get(found.end()..).and_then(|t| t.chars().next());
        let part = before.is_some_and(joins)
            || after.is_some_and(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        let Some(new) = replacements
            .get(found.pattern().as_usize())
            .filter(|_| !part)
        else {
            continue;
        };
        out.push_str(text.get(at..found.start()).unwrap_or_default());
        out.push_str(new);
        at = found.end();
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

fn replace_ignoring_case(text: &str, from: &str, to: &str) -> String {
    // Lowering ASCII keeps all byte offsets.
    let lower = text.to_ascii_lowercase();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (start, _) in lower.match_indices(from) {
        out.push_str(text.get(at..start).unwrap_or_default());
        out.push_str(to);
        at = start.saturating_add(from.len());
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_are_defanged_in_any_case() {
        let d = Defang::plain();
        assert_eq!(d.text("see HTTP://x and Www.y"), "see hxxp://x and www[.]y");
        assert_eq!(d.text("ünïcode https://ü"), "ünïcode hxxps://ü");
    }

    #[test]
    fn only_what_stands_alone_is_replaced() {
        let automaton = AhoCorasick::new(["example.com", "192.0.2.1"]).unwrap();
        let new = ["example[.]com".to_owned(), "192[.]0.2.1".to_owned()];
        for (text, wanted) in [
            ("evil[.]example.com", "evil[.]example.com"),
            ("/host/example.com/", "/host/example[.]com/"),
            ("192.0.2.11 192.0.2.1:80", "192.0.2.11 192[.]0.2.1:80"),
            ("at example.com.", "at example[.]com."),
            (
                "my-example.com [example.com]",
                "my-example.com [example[.]com]",
            ),
        ] {
            assert_eq!(replace_whole(text, &automaton, &new), wanted);
        }
    }
}

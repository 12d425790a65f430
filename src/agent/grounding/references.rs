//! Evidence that an answer quotes by number and that is not there.

use crate::case::{CaseState, Marked};

/// References such as `E42` or `[[E42]]` to evidence that this case does not hold, each once.
#[must_use]
pub fn unknown_references(answer: &str, state: &CaseState) -> Vec<Marked> {
    let mut out: Vec<Marked> = Vec::new();
    let bytes = answer.as_bytes();
    let word =
        |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'-');
    for (at, _) in answer.match_indices('E') {
        if at > 0 && word(bytes.get(at - 1)) {
            continue;
        }
        let rest = answer.get(at + 1..).unwrap_or_default();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if !(1..=4).contains(&digits) || word(bytes.get(at + 1 + digits)) {
            continue;
        }
        let known = rest
            .get(..digits)
            .and_then(|d| d.parse::<u32>().ok())
            .is_some_and(|n| state.evidence.iter().any(|e| e.n == n));
        let text = answer.get(at..=at + digits).unwrap_or_default();
        if !known && !out.iter().any(|m| m.text == text) {
            out.push(Marked {
                text: text.to_owned(),
                why: "there is no such evidence".to_owned(),
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_references_to_nothing_are_marked() {
        let state = CaseState::default();
        let texts = |t: &str| -> Vec<String> {
            unknown_references(t, &state)
                .into_iter()
                .map(|m| m.text)
                .collect()
        };
        assert_eq!(texts("see E1 and [[E42]], again E1."), ["E1", "E42"]);
        assert_eq!(
            texts("SAE10, E-mail, E2E, CVE-2024-1, E12345, VALUE1"),
            Vec::<String>::new()
        );
    }
}

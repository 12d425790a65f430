//! Pivots that an answer asks for: an indicator in a question is a wish to look it up. It becomes a
//! proposal; the gate's caps and denials hold for it like for any other.

use kit::extract::{Found, extract};
use kit::indicator::Indicator;

/// The indicators that stand in a question of `text`, each once, in order.
#[must_use]
pub fn asked_for(text: &str) -> Vec<Indicator> {
    let found = extract(text);
    let mut out: Vec<Indicator> = Vec::new();
    for f in &found {
        if in_question(text, f, &found) && !out.contains(&f.indicator) {
            out.push(f.indicator.clone());
        }
    }
    out
}

/// Whether the sentence around `f` ends in a question mark. Marks inside indicators end nothing.
fn in_question(text: &str, f: &Found, all: &[Found]) -> bool {
    let inside = |at: usize| all.iter().any(|o| o.start <= at && at < o.end);
    let rest = text.get(f.end..).unwrap_or_default();
    for (offset, c) in rest.char_indices() {
        let at = f.end + offset;
        if inside(at) {
            continue;
        }
        match c {
            '?' | '？' => return true,
            '!' | '\n' => return false,
            '.' => {
                let next = rest.get(offset + 1..).and_then(|r| r.chars().next());
                if next.is_none_or(char::is_whitespace) {
                    return false;
                }
            }
            _ => {}
        }
    }
    false
}

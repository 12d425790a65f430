//! Slips of the finger in words that refuse: `dnot`, `do nto`, `dont'`. A refusal that is not read as one sends
//! what should have stayed, so these words are mended before the message is read. A word that is another word
//! (`done`, `now`) stays.

use super::lex::{Kind, Token};
use super::words::{ADVERBS, DOUBLE, LOOK_UP};

/// Words near `don't` and `not` that are words of their own.
const NOT_DONT: &[&str] = &[
    "done", "dot", "don", "dons", "font", "want", "wont", "won't", "cont", "dent", "dint", "doc",
    "dost", "dolt", "do", "down", "donut", "on", "dona",
];
const NOT_NOT: &[&str] = &[
    "now", "note", "net", "nut", "got", "lot", "hot", "dot", "rot", "jot", "cot", "pot", "tot",
    "nod", "nor", "non", "knot", "to", "no", "on", "it", "nat", "host", "bot",
];
/// Longer words that refuse, and the words near them that do not.
const LONG: &[(&str, &[&str])] = &[
    (
        "never",
        &["ever", "fever", "lever", "sever", "newer", "nerve", "neve"],
    ),
    ("ignore", &["ignored", "ignores"]),
    ("avoid", &["avid", "avoids", "ovoid"]),
    ("except", &["accept", "excepts", "expect"]),
    ("exclude", &["excludes", "excluded", "include"]),
    ("without", &[]),
    ("disregard", &["disregards"]),
];

/// Mends the words of a message that refuse. Linear.
pub(super) fn mend(tokens: &mut Vec<Token>) {
    // `don t`, and the stray mark of `dont'`.
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens.drain(..) {
        if let Some(last) = out.last_mut() {
            let parts = last.word() == Some("don") && token.word() == Some("t");
            let stray = last.word() == Some("dont")
                && last.end == token.start
                && matches!(token.kind, Kind::Quote(c) if c != '"');
            if parts || stray {
                last.kind = Kind::Word("don't".to_owned());
                last.end = token.end;
                continue;
            }
        }
        out.push(token);
    }
    *tokens = out;
    for at in 0..tokens.len() {
        let Some(mended) = mended(tokens, at) else {
            continue;
        };
        if let Some(token) = tokens.get_mut(at) {
            token.kind = Kind::Word(mended.to_owned());
        }
    }
}

fn mended(tokens: &[Token], at: usize) -> Option<&'static str> {
    let word = tokens.get(at)?.word()?;
    if !(2..=10).contains(&word.len()) || !word.is_ascii() {
        return None;
    }
    let before = at
        .checked_sub(1)
        .and_then(|n| tokens.get(n))
        .and_then(Token::word);
    // A form that is no word at all needs no verb behind it.
    if matches!(word, "nto" | "ont") && (orders(tokens, at + 1) || names(tokens, at + 1)) {
        return Some("not");
    }
    if !orders(tokens, at + 1) {
        return LONG
            .iter()
            .find(|(right, others)| {
                *right != word
                    && word.len() >= 4
                    && !others.contains(&word)
                    && names(tokens, at + 1)
                    && near(word, right)
            })
            .map(|(right, _)| *right);
    }
    let modal = matches!(
        before,
        Some(
            "do" | "does"
                | "should"
                | "must"
                | "shall"
                | "can"
                | "may"
                | "would"
                | "will"
                | "please"
                | "pls"
                | "better"
        )
    );
    if modal && word != "not" && !NOT_NOT.contains(&word) && word.len() <= 4 && near(word, "not") {
        return Some("not");
    }
    if !matches!(word, "don't" | "dont" | "donot" | "not")
        && !NOT_DONT.contains(&word)
        && word.starts_with(['d', 'o', 'f', 's'])
        && ["don't", "dont", "donot"]
            .iter()
            .any(|right| near(word, right))
    {
        return Some("don't");
    }
    (word != "never" && !LONG[0].1.contains(&word) && word.len() >= 4 && near(word, "never"))
        .then_some("never")
}

/// Whether an order to look up follows, adverbs before it passed over.
fn orders(tokens: &[Token], at: usize) -> bool {
    for token in tokens.iter().skip(at).take(4) {
        match token.word() {
            Some(w) if LOOK_UP.contains(w) || DOUBLE.contains(w) || w == "leave" => return true,
            Some(w) if ADVERBS.contains(w) => {}
            _ => return false,
        }
    }
    false
}

/// Whether an indicator follows directly.
fn names(tokens: &[Token], at: usize) -> bool {
    tokens
        .get(at)
        .is_some_and(|t| matches!(t.kind, Kind::Ind(_)))
}

/// Whether one insertion, omission, other letter or swap of neighbours makes `a` of `b`. Both are short.
fn near(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a == b || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let front = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (x, y) = (&a[front..], &b[front..]);
    let swapped = |x: &[u8], y: &[u8]| {
        x.len() == y.len() && x.len() >= 2 && x[0] == y[1] && x[1] == y[0] && x[2..] == y[2..]
    };
    match a.len().cmp(&b.len()) {
        std::cmp::Ordering::Equal => x[1..] == y[1..] || swapped(x, y),
        std::cmp::Ordering::Less => *x == y[1..],
        std::cmp::Ordering::Greater => x[1..] == *y,
    }
}

#[cfg(test)]
mod tests {
    use super::near;

    #[test]
    fn one_slip() {
        for slip in ["dnot", "dotn", "dont", "do'nt", "don'tt", "dn't", "fon't"] {
            assert!(near(slip, "don't") || near(slip, "dont"), "{slip}");
        }
        assert!(!near("check", "don't") && !near("don't", "don't") && !near("dnoot", "don't"));
    }
}

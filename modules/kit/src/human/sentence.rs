//! The state of one sentence while [`super::clause`] reads it, and what it asks of the tokens around.

use super::lex::{Kind, Token};
use super::words::{ADVERBS, BEFORE_IMPERATIVE, BY_FIRST_WORD, LOOKED_UP, NOUNS, Opens};

/// How far back a form reaches, in tokens.
pub(super) const BACK_MAX: usize = 64;

/// How far a negation reaches and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Refusing verb.
    Verb,
    /// Negated auxiliary with a verb of looking up.
    Aux,
    /// Excepting preposition; holds the words that may still come before the scope ends.
    Noun(u8),
    /// The same reach, for `it is not X`.
    NounDoubt(u8),
    /// A negated statement: lists.
    Doubt,
    /// Somebody else's words.
    Reported,
}

/// The state inside one sentence.
pub(super) struct Sentence<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) asks: bool,
    /// `can you …`: a request in the form of a question.
    pub(super) request: bool,
    pub(super) scope: Option<Scope>,
    /// An indicator was judged under the present scope.
    pub(super) used: bool,
    /// Index into `judged` where this sentence starts.
    pub(super) first: usize,
    /// A verb of looking up stands outside every scope.
    pub(super) wish: bool,
    /// A word such as `if` was read.
    pub(super) condition: bool,
    /// The negation that opened the scope still waits for its verb (`do not, ever, look up X`).
    pub(super) bare: bool,
    /// Brackets open.
    pub(super) depth: usize,
    /// Brackets open where the scope began.
    pub(super) scope_depth: usize,
    /// The token where the scope began.
    pub(super) scope_at: usize,
    /// Index into `judged` where the present clause starts.
    pub(super) clause_first: usize,
}

impl<'a> Sentence<'a> {
    /// Whether nothing but punctuation follows.
    pub(super) fn ends(&self, at: usize) -> bool {
        match self.tokens.get(at).map(|t| &t.kind) {
            None | Some(Kind::Sep(')' | ']' | '|' | ',')) => true,
            Some(Kind::Sep(_) | Kind::Quote(_)) => at + 1 >= self.tokens.len(),
            _ => false,
        }
    }

    /// Whether a word other than determiners and nouns stands between the start of the scope and `at`.
    pub(super) fn filled(&self, at: usize) -> bool {
        let from = self.scope_at.max(at.saturating_sub(BACK_MAX));
        self.tokens
            .get(from..at)
            .unwrap_or_default()
            .iter()
            .any(|t| {
                t.word()
                    .is_some_and(|w| !matches!(w, "please" | "for" | "now" | "the"))
            })
    }

    /// Whether the question of this sentence is a clause behind `at` (`forget X, what about Y?`): what stands
    /// before it is an order.
    pub(super) fn asks_later(&self, at: usize) -> bool {
        (at..self.tokens.len().min(at + BACK_MAX)).any(|n| {
            matches!(self.tokens[n].kind, Kind::Sep(',' | '–' | '—'))
                && matches!(
                    self.word(n + 1),
                    Some(
                        "what"
                            | "what's"
                            | "whats"
                            | "how"
                            | "how's"
                            | "is"
                            | "are"
                            | "does"
                            | "did"
                    )
                )
        })
    }

    pub(super) fn word(&self, at: usize) -> Option<&'a str> {
        self.tokens.get(at).and_then(Token::word)
    }

    pub(super) fn is_ind(&self, at: usize) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|t| matches!(t.kind, Kind::Ind(_)))
    }

    /// The phrase that starts at `at`: its length in tokens and what it opens.
    pub(super) fn phrase(&self, at: usize) -> Option<(usize, Opens)> {
        let first = self.word(at)?;
        BY_FIRST_WORD
            .get(first)?
            .iter()
            .filter_map(|(p, opens)| {
                let n = p.split(' ').count();
                p.split(' ')
                    .enumerate()
                    .all(|(k, w)| self.word(at + k) == Some(w))
                    .then_some((n, *opens))
            })
            .max_by_key(|(n, _)| *n)
    }

    /// True at the start of a clause: nothing, punctuation, or a word that leaves an imperative one before it.
    pub(super) fn starts_clause(&self, at: usize) -> bool {
        match at.checked_sub(1).map(|n| &self.tokens[n].kind) {
            Some(Kind::Word(w)) => BEFORE_IMPERATIVE.contains(&w.as_str()) || w == "i",
            _ => true,
        }
    }

    /// Whether the verb at `at` is an order (`check X`, `can you check X`) and not a statement (`we use X`).
    pub(super) fn is_order(&self, at: usize) -> bool {
        match at.checked_sub(1).map(|n| &self.tokens[n].kind) {
            Some(Kind::Word(w)) => {
                BEFORE_IMPERATIVE.contains(w.as_str())
                    && !matches!(w.as_str(), "we" | "may" | "should" | "will")
            }
            _ => true,
        }
    }

    /// The position of an indicator that stands at `at` with nothing but determiners and nouns before it.
    pub(super) fn direct(&self, at: usize) -> Option<usize> {
        let mut n = at;
        while n < at + 5 {
            if self.is_ind(n) {
                return Some(n);
            }
            match self.tokens.get(n).map(|t| &t.kind) {
                Some(Kind::Word(w)) if NOUNS.contains(&w.as_str()) => {}
                Some(Kind::Quote(_) | Kind::Sep('(' | '[' | '*' | '<' | ':')) => {}
                _ => return None,
            }
            n += 1;
        }
        None
    }

    /// True when no indicator follows before the next separator (comma, dash, bracket) or the end.
    pub(super) fn no_object(&self, at: usize) -> bool {
        for token in self.tokens.iter().skip(at).take(12) {
            match token.kind {
                Kind::Ind(_) => return false,
                Kind::Sep(',' | '(' | ')' | '–' | '—') => return true,
                _ => {}
            }
        }
        true
    }
}

impl Sentence<'_> {
    pub(super) fn judged_none(&self, judged: usize) -> bool {
        judged == self.first
    }
}

/// `… be queried`, `… to be looked up`, `… leave the building` behind a negation.
pub(super) fn passive_refusal(s: &Sentence<'_>, at: usize) -> bool {
    let mut at = at;
    while matches!(
        s.word(at),
        Some("to" | "ever" | "even" | "also" | "currently" | "yet")
    ) {
        at += 1;
    }
    match s.word(at) {
        Some("be" | "get" | "gets" | "been") => s
            .tokens
            .iter()
            .skip(at + 1)
            .take(3)
            .filter_map(Token::word)
            .any(|w| LOOKED_UP.contains(&w)),
        Some("leave") => true,
        _ => false,
    }
}

/// The position of the verb of a negation whose last word stands before `at`.
pub(super) fn verb_index(s: &Sentence<'_>, at: usize) -> Option<usize> {
    for n in at..at + 8 {
        let word = s.word(n)?;
        let have_to = word == "have" && s.word(n + 1) == Some("to");
        if !have_to && !ADVERBS.contains(&word) {
            return Some(n);
        }
    }
    None
}

//! Orders that reach over what else was said: `only check X` leaves out the rest, `Or Y.` goes on with the refusal
//! of the sentence before.

use super::clause::{Reader, Says};
use super::lex::{Kind, Token};
use super::sentence::{BACK_MAX, Sentence};
use super::words::{FINITE, LOOK_UP, NOUNS};

impl Reader {
    /// `only check X`: what else was named here, or without a wish just before, is not asked for.
    pub(super) fn only(&mut self, s: &Sentence<'_>) {
        let Some((n, _)) = s
            .tokens
            .iter()
            .enumerate()
            .take(200)
            .find(|(n, t)| t.word() == Some("only") && self.only_orders(s, *n))
        else {
            return;
        };
        let behind = s
            .tokens
            .iter()
            .take(n)
            .filter(|t| matches!(t.kind, Kind::Ind(_)))
            .count();
        // In `check X only` the limit stands behind what it keeps.
        let kept = usize::from(n > 0 && s.is_ind(n - 1));
        let here = s.first + behind - kept.min(behind);
        let from = self
            .previous
            .min(s.first)
            .max(here.saturating_sub(BACK_MAX));
        for (k, judged) in self.judged.iter_mut().enumerate().take(here).skip(from) {
            if judged.says == Says::Plain && (k >= s.first || !judged.wish) {
                judged.says = Says::Doubtful;
            }
        }
        // `only check X, Y is ours`
        let mut k = here;
        for (at, token) in s.tokens.iter().enumerate().skip(n - kept) {
            if matches!(token.kind, Kind::Ind(_)) {
                let own = matches!(
                    at.checked_sub(1).map(|b| &s.tokens[b].kind),
                    Some(Kind::Sep(',' | '(' | '–' | '—' | '-'))
                ) && s.word(at + 1).is_some_and(|w| FINITE.contains(&w));
                if own
                    && let Some(judged) = self.judged.get_mut(k)
                    && judged.says == Says::Plain
                {
                    judged.says = Says::Doubtful;
                }
                k += 1;
            }
        }
    }

    /// Whether the `only` at `n` limits an order: `only check X`, `check only X`, `, only X`.
    fn only_orders(&self, s: &Sentence<'_>, n: usize) -> bool {
        let verb = |at: usize| s.word(at).is_some_and(|w| LOOK_UP.contains(&w));
        let before = n.checked_sub(1);
        let negated = before.is_some_and(|b| {
            s.word(b).is_some_and(|w| {
                matches!(
                    w,
                    "not"
                        | "don't"
                        | "dont"
                        | "isn't"
                        | "is"
                        | "was"
                        | "are"
                        | "has"
                        | "have"
                        | "the"
                        | "an"
                )
            })
        });
        if negated {
            return false;
        }
        let starts = before.is_none_or(|b| match &s.tokens[b].kind {
            Kind::Word(w) => matches!(
                w.as_str(),
                "and"
                    | "but"
                    | "so"
                    | "please"
                    | "pls"
                    | "you"
                    | "should"
                    | "must"
                    | "may"
                    | "can"
                    | "to"
            ),
            Kind::Ind(_) => false,
            _ => true,
        });
        let after_verb = before.is_some_and(|b| {
            verb(b)
                || (matches!(s.word(b), Some("up" | "at" | "into" | "about" | "on"))
                    && b > 0
                    && verb(b - 1))
        });
        // `check X only, Y is ours`
        if before.is_some_and(|b| s.is_ind(b)) {
            return s.wish
                && s.word(n + 1)
                    .is_none_or(|w| matches!(w, "and" | "but" | "please"));
        }
        if after_verb {
            return s.direct(n + 1).is_some()
                || matches!(s.word(n + 1), Some("about" | "for" | "at"));
        }
        starts
            && (verb(n + 1)
                || (s.direct(n + 1).is_some()
                    && !matches!(s.word(n + 1), Some("on" | "to" | "of" | "for"))))
    }
}

/// Whether a sentence goes on with the order of the one before: `Or X.`, `And also X.`, `Same for X.`, `X neither.`
pub(super) fn continues(tokens: &[Token]) -> bool {
    let word = |n: usize| tokens.get(n).and_then(Token::word);
    if matches!(word(0), Some("or" | "nor")) {
        return !matches!(
            word(1),
            Some(
                "else"
                    | "just"
                    | "only"
                    | "instead"
                    | "maybe"
                    | "better"
                    | "rather"
                    | "perhaps"
                    | "should"
                    | "can"
                    | "could"
            )
        );
    }
    let link = |w: &str| {
        matches!(
            w,
            "and"
                | "also"
                | "plus"
                | "same"
                | "goes"
                | "applies"
                | "likewise"
                | "neither"
                | "either"
                | "too"
                | "nor"
                | "or"
                | "for"
                | "with"
                | "as"
                | "well"
                | "not"
                | "please"
                | "thanks"
                | "is"
                | "true"
                | "similarly"
                | "ditto"
        ) || NOUNS.contains(&w)
    };
    let linked = matches!(
        word(0),
        Some("and" | "also" | "plus" | "same" | "likewise" | "neither" | "similarly" | "ditto")
    ) || tokens
        .iter()
        .rev()
        .find_map(Token::word)
        .is_some_and(|w| matches!(w, "either" | "neither" | "too" | "well" | "also"));
    linked && tokens.iter().take(60).all(|t| t.word().is_none_or(link))
}

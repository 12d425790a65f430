//! The forms that refuse what stands before them: `X is off limits`, `X: do not query`, `leave it alone`,
//! `X no`.

use super::clause::{Reader, Says};
use super::lex::{Kind, Token};
use super::sentence::{BACK_MAX, Scope, Sentence};
use super::words::PRONOUNS;

impl Reader {
    /// `X? No.`: a sentence that is only a no answers a question that was only a name.
    pub(super) fn answer_no(&mut self, tokens: &[Token]) {
        let no = tokens
            .first()
            .and_then(Token::word)
            .is_some_and(|w| matches!(w, "no" | "nope" | "nah"));
        if no && tokens.len() == 1 && self.name_asked {
            let from = self
                .previous
                .max(self.judged.len().saturating_sub(BACK_MAX));
            for judged in &mut self.judged[from..] {
                judged.says = Says::Refused;
            }
        }
    }

    /// `X no`, `X: no`.
    pub(super) fn postfix_no(&mut self, s: &Sentence<'_>, at: usize) {
        let mark = matches!(
            s.tokens.get(at + 1).map(|t| &t.kind),
            Some(Kind::Sep(':' | '-' | '–' | '—' | '=' | ',' | '|'))
        );
        let colon = usize::from(mark);
        let no = matches!(s.word(at + 1 + colon), Some("no" | "nope" | "nah"));
        let behind = s.tokens.get(at + 2 + colon).map(|t| &t.kind);
        let thanks = matches!(s.word(at + 2 + colon), Some("thanks" | "thank" | "thx"));
        let ends = thanks || matches!(behind, None | Some(Kind::Sep(',' | ')' | '|')));
        let and = matches!(s.word(at + 2 + colon), Some("and" | "but"));
        if no
            && (ends || and)
            && let Some(last) = self.judged.last_mut()
        {
            last.says = Says::Refused;
        }
    }

    /// Phrases that refuse what stands before them: `X is off limits`, `X should be ignored`.
    pub(super) fn off_limits(&mut self, s: &mut Sentence<'_>, at: usize) -> Option<usize> {
        let words: [Option<&str>; 3] = [s.word(at), s.word(at + 1), s.word(at + 2)];
        let n = match words {
            [Some("off-limits" | "out-of-scope" | "out-of-bounds"), ..] => 1,
            [
                Some("forbidden" | "prohibited" | "taboo" | "no-go" | "banned"),
                next,
                _,
            ] if next != Some("to") => 1,
            [Some("off"), Some("limits"), _] | [Some("can"), Some("wait"), _] => 2,
            [Some("out"), Some("of"), Some("scope" | "bounds")]
            | [Some("not"), Some("in"), Some("scope")] => 3,
            [
                Some("not"),
                Some("approved" | "authorized" | "authorised" | "allowed" | "permitted"),
                next,
            ] if next != Some("to") => 2,
            [Some("internal" | "local" | "offline"), Some("only"), _] => 2,
            [
                Some("stay" | "stays"),
                Some(
                    "internal" | "local" | "private" | "home" | "inside" | "offline" | "between"
                    | "secret" | "confidential" | "in-house",
                ),
                _,
            ] => 2,
            [Some("stay" | "stays"), Some("at"), Some("home")] => 3,
            [
                Some("be"),
                Some("ignored" | "skipped" | "excluded" | "omitted" | "avoided" | "left"),
                _,
            ] if matches!(
                s.word(at.wrapping_sub(1)),
                Some("should" | "must" | "to" | "can" | "shall" | "will")
            ) =>
            {
                2
            }
            _ => return None,
        };
        if s.asks || s.scope == Some(Scope::Reported) {
            return Some(n);
        }
        self.refuse_left(s);
        // `off limits: X, Y`
        if s.judged_none(self.judged.len()) {
            self.open(s, Scope::Aux);
        }
        Some(n)
    }

    /// Refuses the indicators of this sentence's last clause, or all when there is no comma.
    pub(super) fn refuse_left(&mut self, s: &Sentence<'_>) {
        // A wish before the last comma is another clause; without one, the commas make a list.
        let from = if s.wish && s.clause_first < self.judged.len() {
            s.clause_first
        } else {
            s.first
        };
        let from = from.max(self.judged.len().saturating_sub(BACK_MAX));
        for judged in &mut self.judged[from..] {
            if judged.says != Says::Reported {
                judged.says = Says::Refused;
            }
        }
    }

    /// A refusal whose object stands at `at`: a pronoun, or nothing at all, refers to what was named before.
    pub(super) fn reach_back(&mut self, s: &mut Sentence<'_>, at: usize) {
        let mut at = at;
        while matches!(
            s.word(at),
            Some("up" | "at" | "into" | "to" | "on" | "anything" | "for" | "with")
        ) && at < s.tokens.len()
        {
            at += 1;
        }
        if s.condition {
            return;
        }
        let pronoun = s.word(at).filter(|w| PRONOUNS.contains(w));
        let noun_after = s.word(at + 1).is_some_and(|w| {
            !matches!(
                w,
                "alone"
                    | "out"
                    | "up"
                    | "be"
                    | "please"
                    | "for"
                    | "now"
                    | "anywhere"
                    | "at"
                    | "one"
                    | "ones"
                    | "domain"
                    | "ip"
                    | "url"
                    | "hash"
                    | "host"
                    | "address"
                    | "either"
                    | "and"
                    | "yet"
                    | "today"
                    | "off"
                    | "away"
                    | "aside"
                    | "to"
                    | "ever"
                    | "again"
                    | "then"
                    | "because"
                    | "as"
                    | "since"
                    | "from"
                    | "in"
                    | "on"
                    | "with"
                    | "too"
            )
        });
        let (from, one) = match pronoun {
            Some(_) if noun_after || s.direct(at).is_some() => return,
            Some(word) => {
                let plural = matches!(word, "them" | "those" | "these" | "either");
                let from = if self.judged.len() > s.first {
                    s.first
                } else {
                    self.previous
                };
                (from, !plural)
            }
            None if s.ends(at) && !s.wish && self.judged.len() > s.first => (s.first, false),
            None if s.word(at) == Some("the")
                && matches!(s.word(at + 1), Some("latter" | "last")) =>
            {
                (s.first, true)
            }
            None => return,
        };
        let from = from.max(self.judged.len().saturating_sub(BACK_MAX));
        if pronoun.is_none() {
            s.used = true;
        }
        let targets = &mut self.judged[from..];
        let skip = if one {
            targets.len().saturating_sub(1)
        } else {
            0
        };
        for judged in &mut targets[skip..] {
            if judged.says != Says::Reported {
                judged.says = Says::Refused;
            }
        }
    }
}

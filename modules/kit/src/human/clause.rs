//! What each clause says about the indicators in it. A negation reaches forward to the end of its clause;
//! a few forms reach back (`X must not be queried`, `X is ours, leave it alone`).
//!
//! When in doubt it does not authorize: a negated clause that is no refusal only lists.

use super::lex::{Kind, Token};
use super::limits::continues;
use super::sentence::{Scope, Sentence, passive_refusal, verb_index};
use super::words::{
    ACTIVE, AGAIN, CONDITIONS, DANGLING, DOUBLE, FINITE, FOREIGN, IGNORANCE, KNOWING, KNOWN,
    LOOK_UP, LOOKED_UP, NOUNS, OTHER_DEEDS, Opens, PRONOUNS, REPORTING, SEEN, WANTING,
};

/// What a clause says about one indicator in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// Named.
    Plain,
    /// Refused.
    Refused,
    /// Negated without a clear refusal.
    Doubtful,
    /// Somebody else's words.
    Reported,
}

/// One indicator token and what was said about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judged {
    /// Index of the span.
    pub span: usize,
    /// What its clause says.
    pub says: Says,
    /// The sentence asks for something, so that a plain naming lifts an earlier refusal.
    pub wish: bool,
}

/// Judges every indicator among `tokens`. Linear.
pub(super) fn judge(tokens: &[Token]) -> Vec<Judged> {
    let mut reader = Reader {
        judged: Vec::new(),
        carry: None,
        previous: 0,
        name_asked: false,
        refused: None,
    };
    let mut at = 0;
    while at < tokens.len() {
        let end = tokens[at..]
            .iter()
            .position(|t| matches!(t.kind, Kind::Stop(_) | Kind::Newline))
            .map_or(tokens.len(), |n| at + n);
        let mark = tokens.get(end).map(|t| &t.kind);
        let blank = mark == Some(&Kind::Newline)
            && matches!(tokens.get(end + 1).map(|t| &t.kind), Some(Kind::Newline));
        let asks = mark == Some(&Kind::Stop('?'));
        if end > at {
            reader.answer_no(&tokens[at..end]);
            reader.sentence(&tokens[at..end], asks, mark == Some(&Kind::Newline), blank);
        } else if mark == Some(&Kind::Newline)
            && !matches!(
                reader.carry,
                Some(Carry {
                    list: true,
                    fresh: true,
                    ..
                })
            )
        {
            reader.carry = None;
        }
        at = end + 1;
    }
    reader.judged
}

/// A scope that the next line inherits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carry {
    scope: Scope,
    /// From a heading that ends with a colon: covers the list behind it.
    list: bool,
    /// No line of the list was read yet.
    fresh: bool,
    /// The negation waits for its verb.
    bare: bool,
}

/// The reader of a whole message; [`super::back`] holds the forms that reach back.
pub(super) struct Reader {
    pub(super) judged: Vec<Judged>,
    pub(super) carry: Option<Carry>,
    /// Where the judgements of the previous sentence start.
    pub(super) previous: usize,
    /// The previous sentence was a question that held nothing but names.
    pub(super) name_asked: bool,
    /// How the previous sentence refused, where it did so to its end.
    pub(super) refused: Option<Scope>,
}

impl Reader {
    fn sentence(&mut self, tokens: &[Token], asks: bool, newline: bool, blank: bool) {
        let first = self.judged.len();
        let request = tokens
            .iter()
            .take(24)
            .zip(tokens.iter().skip(1))
            .any(|(a, b)| {
                matches!(
                    a.word(),
                    Some("can" | "could" | "would" | "will" | "please" | "pls")
                ) && (b.word() == Some("you") || a.word().is_some_and(|w| w.starts_with('p')))
            });
        let mut s = Sentence {
            tokens,
            asks,
            request,
            scope: None,
            used: false,
            first,
            wish: false,
            condition: false,
            bare: false,
            depth: 0,
            scope_depth: 0,
            scope_at: 0,
            clause_first: first,
        };
        let inherited = self.carry.take();
        if let Some(carry) = inherited {
            let plain_words = tokens
                .iter()
                .take(12)
                .filter(|t| t.word().is_some_and(|w| !NOUNS.contains(&w)))
                .count();
            let verb = tokens
                .iter()
                .take(3)
                .any(|t| t.word().is_some_and(|w| LOOK_UP.contains(&w)));
            if !carry.list || (plain_words <= 4 && !verb) {
                s.scope = Some(carry.scope);
                s.bare = carry.bare;
            }
        }
        if s.scope.is_none() && self.refused.is_some() && continues(tokens) {
            s.scope = self.refused;
        }
        let mut at = 0;
        while at < tokens.len() {
            at += self.token(&mut s, at);
        }
        self.only(&s);
        let foreign = tokens
            .iter()
            .any(|t| t.word().is_some_and(|w| FOREIGN.contains(&w)));
        for judged in &mut self.judged[first..] {
            if foreign && judged.says == Says::Plain {
                judged.says = Says::Doubtful;
            }
        }
        self.name_asked = asks
            && self.judged.len() > first
            && tokens.iter().all(|t| {
                t.word()
                    .is_none_or(|w| NOUNS.contains(&w) || matches!(w, "and" | "or"))
            });
        let wish = s.wish
            || tokens
                .iter()
                .any(|t| t.word().is_some_and(|w| AGAIN.contains(&w)));
        for judged in &mut self.judged[first..] {
            judged.wish = wish;
        }
        self.carry = self.carried(&s, inherited, newline, blank);
        self.refused = s
            .scope
            .filter(|scope| matches!(scope, Scope::Verb | Scope::Aux | Scope::Noun(_)))
            .map(|scope| {
                if matches!(scope, Scope::Noun(_)) {
                    Scope::Verb
                } else {
                    scope
                }
            })
            .filter(|_| {
                self.judged.len() > first
                    && self.judged.last().is_some_and(|j| j.says == Says::Refused)
            });
        if self.judged.len() > first {
            self.previous = first;
        }
    }

    fn carried(
        &self,
        s: &Sentence<'_>,
        inherited: Option<Carry>,
        newline: bool,
        blank: bool,
    ) -> Option<Carry> {
        if let Some(carry) = inherited
            && carry.list
            && s.scope == Some(carry.scope)
        {
            return (!blank).then_some(Carry {
                fresh: false,
                ..carry
            });
        }
        let scope = s.scope?;
        let last = s.tokens.last()?;
        if last.kind == Kind::Sep(':') && !s.used {
            return Some(Carry {
                scope,
                list: true,
                fresh: true,
                bare: s.bare,
            });
        }
        let open = match &last.kind {
            Kind::Sep(',' | '/' | '&') => true,
            Kind::Word(w) => {
                (!s.used && (DANGLING.contains(&w.as_str()) || LOOK_UP.contains(&w.as_str())))
                    || matches!(w.as_str(), "and" | "or" | "nor")
            }
            _ => false,
        };
        (newline && !blank && open).then_some(Carry {
            scope,
            list: false,
            fresh: true,
            bare: s.bare,
        })
    }

    /// Reads the token at `at` and returns how many were read.
    fn token(&mut self, s: &mut Sentence<'_>, at: usize) -> usize {
        match &s.tokens[at].kind {
            Kind::Ind(span) => {
                let says = match s.scope {
                    None => Says::Plain,
                    Some(Scope::Doubt | Scope::NounDoubt(_)) => Says::Doubtful,
                    Some(Scope::Reported) => Says::Reported,
                    Some(_) => Says::Refused,
                };
                let own_clause = s.used
                    && says == Says::Refused
                    && matches!(
                        at.checked_sub(1).map(|n| &s.tokens[n].kind),
                        Some(Kind::Sep(',' | '(' | '–' | '—' | '-'))
                    )
                    && s.word(at + 1).is_some_and(|w| FINITE.contains(&w));
                let says = if own_clause { Says::Doubtful } else { says };
                self.judged.push(Judged {
                    span: *span,
                    says,
                    wish: false,
                });
                s.used = true;
                match s.scope {
                    Some(Scope::Noun(_)) => s.scope = Some(Scope::Noun(0)),
                    Some(Scope::NounDoubt(_)) => s.scope = Some(Scope::NounDoubt(0)),
                    _ => {}
                }
                self.postfix_no(s, at);
                1
            }
            Kind::Word(_) => self.word(s, at),
            Kind::Sep(c) => {
                self.separator(s, at, *c);
                1
            }
            _ => 1,
        }
    }

    fn separator(&mut self, s: &mut Sentence<'_>, at: usize, c: char) {
        match c {
            '(' | '[' => s.depth += 1,
            // A remark in brackets ends with them.
            ')' | ']' if s.depth > 0 => {
                if s.scope.is_some() && s.scope_depth == s.depth && !s.bare {
                    s.scope = None;
                }
                s.depth -= 1;
            }
            '|' if s.used => s.scope = None,
            ':' if s.used && matches!(s.scope, Some(Scope::Noun(_) | Scope::NounDoubt(_))) => {
                s.scope = None
            }
            // `skip the intro, what is X`: the object was something else, or an apposition follows.
            ',' if s.scope == Some(Scope::Verb) && !s.used && s.filled(at) => {
                s.scope = Some(Scope::Doubt)
            }
            _ => {}
        }
        if matches!(c, ',' | '(' | ')' | '|' | '–' | '—') {
            s.clause_first = self.judged.len();
        }
    }

    fn word(&mut self, s: &mut Sentence<'_>, at: usize) -> usize {
        let Some(word) = s.word(at) else { return 1 };
        if !KNOWN.contains(word) && !matches!(s.scope, Some(Scope::Noun(_) | Scope::NounDoubt(_))) {
            return 1;
        }
        let before = at.checked_sub(1).map(|n| &s.tokens[n].kind);
        let after_sep = !matches!(before, Some(Kind::Word(_)));
        let after_and = matches!(
            s.word(at.wrapping_sub(1)),
            Some("and" | "or" | "then" | "please" | "also" | "just" | "only" | "instead")
        );
        if let Some(n) = self.off_limits(s, at) {
            return n;
        }
        if let Some((n, opens)) = s.phrase(at) {
            return self.opened(s, at, n, opens);
        }
        if matches!(word, "no" | "not") {
            return self.short_negation(s, at, word);
        }
        if matches!(word, "leave" | "keep") {
            return self.leave(s, at);
        }
        if REPORTING.contains(&word) && !s.asks && !s.wish && self.reports(s, at) {
            s.scope = Some(Scope::Reported);
            s.used = false;
            return 1;
        }
        if word == "according" && s.word(at + 1) == Some("to") && !s.asks && !s.wish {
            s.scope = Some(Scope::Reported);
            return 2;
        }
        if CONDITIONS.contains(&word) {
            s.condition = true;
            // What follows is no object of the refusal any more, and no wish either.
            if (s.used || (s.scope == Some(Scope::Verb) && s.filled(at)))
                && matches!(
                    s.scope,
                    Some(Scope::Aux | Scope::Verb | Scope::Noun(_) | Scope::NounDoubt(_))
                )
            {
                s.scope = Some(Scope::Doubt);
            }
            return 1;
        }
        // `scratch X, I meant Y`
        if matches!(word, "meant" | "mean") && s.used && s.scope.is_some() {
            self.reset(s, true);
            return 1;
        }
        // `skip X and concentrate on Y`: an order of its own, whatever it is.
        if word == "and"
            && s.scope == Some(Scope::Verb)
            && s.used
            && s.word(at + 1).is_some_and(|w| {
                !NOUNS.contains(&w)
                    && !LOOK_UP.contains(&w)
                    && !matches!(w, "please" | "then" | "also" | "just" | "only")
            })
        {
            s.scope = Some(Scope::Doubt);
        }
        let verb = LOOK_UP.contains(&word);
        if verb && s.scope.is_none() {
            s.wish |= s.is_order(at);
            return 1;
        }
        if verb && s.bare {
            s.bare = false;
            return 1;
        }
        // `forget X, what about Y`: a question of its own.
        if s.used
            && (after_sep || after_and)
            && matches!(
                word,
                "what"
                    | "what's"
                    | "whats"
                    | "how"
                    | "how's"
                    | "is"
                    | "are"
                    | "does"
                    | "did"
                    | "has"
            )
            && matches!(
                s.scope,
                Some(Scope::Verb | Scope::Aux | Scope::Noun(_) | Scope::NounDoubt(_))
            )
        {
            self.reset(s, true);
            return 1;
        }
        let fresh = s.used || matches!(before, None | Some(Kind::Sep(_)));
        match s.scope {
            // After a comma, or behind the object, a new order starts; `and` goes on with a negated one.
            Some(Scope::Verb)
                if verb && matches!(s.word(at.wrapping_sub(1)), Some("and" | "then")) =>
            {
                self.reset(s, true);
            }
            Some(Scope::Verb | Scope::Noun(_) | Scope::NounDoubt(_))
                if verb && fresh && (after_sep || after_and) =>
            {
                self.reset(s, true)
            }
            Some(Scope::Aux | Scope::Doubt) if verb && fresh && after_sep => self.reset(s, true),
            Some(Scope::Aux | Scope::Doubt)
                if verb
                    && fresh
                    && matches!(
                        s.word(at.wrapping_sub(1)),
                        Some("then" | "please" | "just" | "only" | "instead" | "also")
                    ) =>
            {
                self.reset(s, true);
            }
            Some(
                Scope::Aux | Scope::Verb | Scope::Doubt | Scope::Noun(_) | Scope::NounDoubt(_),
            ) if fresh
                && !s.bare
                && (after_sep || after_and)
                && matches!(
                    word,
                    "just" | "only" | "instead" | "rather" | "then" | "do" | "go" | "yes"
                ) =>
            {
                self.reset(s, false);
            }
            Some(scope @ (Scope::Noun(left) | Scope::NounDoubt(left))) => {
                let goes_on = matches!(word, "and" | "or")
                    || NOUNS.contains(&word)
                    || word.ends_with("ing")
                    || word == "up"
                    || word == "at";
                if !goes_on {
                    s.scope = left.checked_sub(1).map(if matches!(scope, Scope::Noun(_)) {
                        Scope::Noun
                    } else {
                        Scope::NounDoubt
                    });
                }
            }
            _ => {}
        }
        1
    }

    fn reset(&self, s: &mut Sentence<'_>, wish: bool) {
        s.scope = None;
        s.used = false;
        s.wish |= wish;
    }

    pub(super) fn open(&self, s: &mut Sentence<'_>, scope: Scope) {
        s.scope = Some(scope);
        s.used = false;
        s.bare = false;
        s.scope_depth = s.depth;
    }

    fn opened(&mut self, s: &mut Sentence<'_>, at: usize, n: usize, opens: Opens) -> usize {
        s.scope_at = at + n;
        match opens {
            Opens::Nothing => {}
            Opens::Contrast => {
                let all = (1..=3)
                    .filter_map(|n| at.checked_sub(n))
                    .filter_map(|n| s.word(n))
                    .any(|w| {
                        matches!(
                            w,
                            "all" | "everything" | "anything" | "both" | "any" | "every" | "each"
                        )
                    });
                if all && s.word(at) == Some("but") && s.direct(at + n).is_some() {
                    self.open(s, Scope::Noun(4));
                } else {
                    s.scope = None;
                    s.used = false;
                }
            }
            Opens::Noun => self.open(s, Scope::Noun(4)),
            Opens::VerbFirst if !s.starts_clause(at) => {}
            Opens::Verb | Opens::VerbFirst => {
                if s.asks && !s.request && !s.asks_later(at) {
                    self.open(s, Scope::Doubt);
                } else {
                    self.open(s, Scope::Verb);
                    self.reach_back(s, at + n);
                }
            }
            Opens::Aux => return n + self.negated(s, at, n),
            Opens::Statement => {
                let verb = self.verb_after(s, at + n);
                let copula = s.direct(at + n).is_some();
                let barred = matches!(
                    s.word(at + n),
                    Some("approved" | "authorized" | "authorised" | "allowed" | "permitted")
                ) || (s.word(at + n) == Some("in")
                    && s.word(at + n + 1) == Some("scope"));
                let forbids = matches!(s.word(at), Some("doesn't" | "doesnt" | "does"))
                    && verb.is_some_and(|v| {
                        matches!(
                            v,
                            "want"
                                | "wish"
                                | "allow"
                                | "permit"
                                | "authorize"
                                | "authorise"
                                | "approve"
                        )
                    });
                if forbids && !s.asks {
                    self.open(s, Scope::Aux);
                    return n;
                }
                if !s.asks && (barred || passive_refusal(s, at + n)) {
                    self.refuse_left(s);
                } else if !s.asks
                    && (copula || !verb.is_none_or(|v| v != "resolve" && KNOWING.contains(&v)))
                    && s.scope.is_none()
                {
                    self.open(
                        s,
                        if copula {
                            Scope::NounDoubt(4)
                        } else {
                            Scope::Doubt
                        },
                    );
                }
            }
        }
        n
    }

    /// The first word behind `at` that is no adverb or pronoun, inside the clause.
    fn verb_after<'a>(&self, s: &Sentence<'a>, at: usize) -> Option<&'a str> {
        s.word(verb_index(s, at)?)
    }

    /// A negated auxiliary at `at`, `n` tokens long. Returns further tokens read.
    fn negated(&mut self, s: &mut Sentence<'_>, at: usize, n: usize) -> usize {
        let behind = at + n;
        let verb = self.verb_after(s, behind);
        let to_verb = verb_index(s, behind).map_or(0, |v| v - behind + 1);
        let next_is_person = matches!(
            s.word(behind),
            Some("you" | "we" | "they" | "i" | "it" | "these" | "those")
        );
        let after_modal_you = s.word(at.wrapping_sub(1)) == Some("you") && s.request;
        let after_ind = at > 0 && s.is_ind(at - 1);
        let command = s.starts_clause(at)
            && !next_is_person
            && (!after_ind || verb.is_none_or(|v| LOOK_UP.contains(&v) || DOUBLE.contains(&v)));
        if s.asks
            && !(command && verb.is_some_and(|v| LOOK_UP.contains(&v)) || after_modal_you)
            && !(command && s.asks_later(at))
        {
            // `isn't X ours?`, `should we not check X?` name X.
            // `no need to check X?` doubts.
            if s.word(at) == Some("no") {
                self.open(s, Scope::Doubt);
            }
            return 0;
        }
        if s.scope == Some(Scope::Reported) {
            return 0;
        }
        let passive = passive_refusal(s, behind);
        if passive {
            self.refuse_left(s);
        }
        let Some(verb) = verb else {
            self.open(s, Scope::Aux);
            s.bare = true;
            if s.no_object(behind) && !s.wish && self.judged.len() > s.first {
                // `X: don't` is complete.
                self.refuse_left(s);
                s.bare = false;
            }
            return 0;
        };
        if DOUBLE.contains(&verb) {
            return to_verb;
        }
        let wants = WANTING.contains(&verb);
        let looks = LOOK_UP.contains(&verb) || (passive && LOOKED_UP.contains(&verb));
        let unable = matches!(s.word(at), Some("can't" | "cant" | "cannot" | "can"));
        let subject_i = matches!(
            s.word(at.wrapping_sub(1)),
            Some(
                "i" | "we"
                    | "i've"
                    | "we've"
                    | "i'd"
                    | "we'd"
                    | "have"
                    | "has"
                    | "they"
                    | "he"
                    | "she"
                    | "it"
            )
        );
        if SEEN.contains(&verb) || (IGNORANCE.contains(&verb) && !s.request) {
            return 0;
        }
        if KNOWING.contains(&verb) && (subject_i || unable) && !wants {
            let should = s
                .tokens
                .iter()
                .skip(behind)
                .take(8)
                .map_while(Token::word)
                .any(|w| matches!(w, "should" | "need" | "must" | "ought"));
            if should {
                self.open(s, Scope::Aux);
            }
            return 0;
        }
        let past = !passive && LOOKED_UP.contains(&verb) && verb != "leave";
        if (!command && !looks && !wants) || past {
            if s.scope.is_none() {
                self.open(s, Scope::Doubt);
            }
            return 0;
        }
        if OTHER_DEEDS.contains(&verb) && !wants && verb != "be" {
            self.open(s, Scope::Doubt);
            return 0;
        }
        self.open(s, Scope::Aux);
        let named =
            s.wish || (s.first == self.judged.len() && self.judged.last().is_some_and(|j| j.wish));
        if !looks && !wants && !named {
            // `don't waste time on it`
            let pronoun = (behind + 1..behind + 8).find(|n| {
                s.word(*n).is_some_and(|w| PRONOUNS.contains(&w))
                    && matches!(
                        s.word(n - 1),
                        Some("on" | "with" | "for" | "to" | "at" | "of" | "near")
                    )
            });
            if let Some(pronoun) = pronoun {
                self.reach_back(s, pronoun);
            }
        }
        if looks || wants {
            // `check X, but don't ping it` wants X looked up.
            if !(named && ACTIVE.contains(&verb)) {
                self.reach_back(s, behind + to_verb);
            }
        }
        0
    }

    /// `not X`, `no X`, `not look up X`. Any other `no` or `not` says nothing about what follows.
    fn short_negation(&mut self, s: &mut Sentence<'_>, at: usize, word: &str) -> usize {
        if s.direct(at + 1).is_some()
            && !(word == "no"
                && s.tokens
                    .get(at + 1)
                    .is_some_and(|t| matches!(t.kind, Kind::Sep(_))))
        {
            let before = s.word(at.wrapping_sub(1));
            let identity = matches!(
                before,
                Some("is" | "it's" | "was" | "are" | "that's" | "be" | "were" | "it")
            );
            let joined = matches!(before, Some("but" | "and" | "or")) || before.is_none();
            // `what about X, not Y?` names Y to leave it out.
            let contrast = joined
                && self.judged.len() > s.first
                && !matches!(
                    s.word(0),
                    Some("is" | "isn't" | "was" | "are" | "does" | "did" | "do" | "has" | "why")
                );
            if contrast && !identity {
                self.open(s, Scope::Noun(4));
            } else if identity || (s.asks && !(s.request && joined)) {
                let question_about_it = s.asks && identity;
                if !question_about_it {
                    self.open(s, Scope::NounDoubt(4));
                }
            } else {
                self.open(s, Scope::Noun(4));
            }
            return 1;
        }
        let deed = s.word(at + 1).is_some_and(|w| {
            LOOK_UP.contains(&w)
                || w.strip_suffix("ing").is_some_and(|stem| {
                    matches!(
                        stem,
                        "query"
                            | "check"
                            | "scann"
                            | "look"
                            | "search"
                            | "touch"
                            | "contact"
                            | "ask"
                            | "send"
                            | "submitt"
                            | "resolv"
                            | "ping"
                            | "visit"
                    )
                })
        });
        if word == "not" && deed {
            if !s.asks || s.request {
                self.open(s, Scope::Aux);
                return 2;
            }
            if s.word(at.wrapping_sub(1)) == Some("to") {
                self.open(s, Scope::Doubt);
                return 2;
            }
        }
        1
    }

    /// `leave X alone`, `keep X out of it`, `leave it`.
    fn leave(&mut self, s: &mut Sentence<'_>, at: usize) -> usize {
        let keep = s.word(at) == Some("keep");
        if let Some(ind) = s.direct(at + 1) {
            let kept_out = s
                .tokens
                .iter()
                .skip(ind)
                .take(16)
                .filter_map(Token::word)
                .any(|w| {
                    matches!(
                        w,
                        "out"
                            | "away"
                            | "off"
                            | "internal"
                            | "local"
                            | "private"
                            | "home"
                            | "inside"
                            | "secret"
                            | "confidential"
                            | "yourself"
                            | "yourselves"
                            | "ourselves"
                            | "in-house"
                            | "inhouse"
                            | "between"
                            | "quiet"
                    )
                });
            if !keep || kept_out {
                let scope = if s.asks && !s.request && !s.asks_later(at) {
                    Scope::Doubt
                } else {
                    Scope::Verb
                };
                self.open(s, scope);
            }
            return 1;
        }
        if s.word(at + 1).is_some_and(|w| PRONOUNS.contains(&w))
            && (!keep || matches!(s.word(at + 2), Some("out" | "away" | "off")))
        {
            self.reach_back(s, at + 1);
        }
        1
    }

    /// Whether a reporting verb at `at` reports somebody else's words.
    fn reports(&self, s: &Sentence<'_>, at: usize) -> bool {
        let own = (1..=3)
            .filter_map(|n| at.checked_sub(n))
            .map_while(|n| s.word(n))
            .any(|w| matches!(w, "i" | "we" | "i've" | "we've" | "i'd"));
        let topic = matches!(
            s.word(at + 1),
            Some("about" | "on" | "regarding" | "of" | "for")
        );
        at > 0 && !own && !topic
    }
}

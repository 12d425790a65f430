//! What each clause says about the indicators in it. A negation reaches forward to the end of its clause;
//! a few forms reach back (`X must not be queried`, `X is ours, leave it alone`).
//!
//! When in doubt it does not authorize: a negated clause that is no refusal only lists.

use super::lex::{Kind, Token};
use super::words::{
    ADVERBS, AGAIN, BEFORE_IMPERATIVE, CONDITIONS, DANGLING, DOUBLE, KNOWING, LOOK_UP, LOOKED_UP,
    NOUNS, OTHER_DEEDS, Opens, PHRASES, PRONOUNS, REPORTING, WANTING,
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

/// How far back a form reaches, in tokens.
const BACK_MAX: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// Refusing verb.
    Verb,
    /// Negated auxiliary with a verb of looking up.
    Aux,
    /// Excepting preposition; holds the words that may still come before the scope ends.
    Noun(u8),
    Doubt,
    Reported,
}

/// Judges every indicator among `tokens`. Linear.
pub(super) fn judge(tokens: &[Token]) -> Vec<Judged> {
    let mut reader = Reader {
        judged: Vec::new(),
        carry: None,
        previous: 0,
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
struct Carry {
    scope: Scope,
    /// From a heading that ends with a colon: covers the list behind it.
    list: bool,
    /// No line of the list was read yet.
    fresh: bool,
}

struct Reader {
    judged: Vec<Judged>,
    carry: Option<Carry>,
    /// Where the judgements of the previous sentence start.
    previous: usize,
}

/// The state inside one sentence.
struct Sentence<'a> {
    tokens: &'a [Token],
    asks: bool,
    /// `can you …`: a request in the form of a question.
    request: bool,
    scope: Option<Scope>,
    /// An indicator was judged under the present scope.
    used: bool,
    /// Index into `judged` where this sentence starts.
    first: usize,
    /// A verb of looking up stands outside every scope.
    wish: bool,
    /// A word such as `if` was read.
    condition: bool,
}

impl<'a> Sentence<'a> {
    fn word(&self, at: usize) -> Option<&'a str> {
        self.tokens.get(at).and_then(Token::word)
    }

    fn is_ind(&self, at: usize) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|t| matches!(t.kind, Kind::Ind(_)))
    }

    /// The phrase that starts at `at`: its length in tokens and what it opens.
    fn phrase(&self, at: usize) -> Option<(usize, Opens)> {
        let first = self.word(at)?;
        PHRASES
            .iter()
            .filter(|(p, _)| {
                p.strip_prefix(first)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            })
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
    fn starts_clause(&self, at: usize) -> bool {
        match at.checked_sub(1).map(|n| &self.tokens[n].kind) {
            Some(Kind::Word(w)) => BEFORE_IMPERATIVE.contains(&w.as_str()) || w == "i",
            _ => true,
        }
    }

    /// The position of an indicator that stands at `at` with nothing but determiners and nouns before it.
    fn direct(&self, at: usize) -> Option<usize> {
        let mut n = at;
        while n < at + 5 {
            if self.is_ind(n) {
                return Some(n);
            }
            match self.tokens.get(n).map(|t| &t.kind) {
                Some(Kind::Word(w)) if NOUNS.contains(&w.as_str()) => {}
                Some(Kind::Quote(_) | Kind::Sep('(' | '[' | '*' | '<' | '|')) => {}
                _ => return None,
            }
            n += 1;
        }
        None
    }

    /// True when no indicator follows before the next separator (comma, dash, bracket) or the end.
    fn no_object(&self, at: usize) -> bool {
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
            }
        }
        let mut at = 0;
        while at < tokens.len() {
            at += self.token(&mut s, at);
        }
        let wish = s.wish
            || (asks && !tokens.is_empty())
            || tokens
                .iter()
                .any(|t| t.word().is_some_and(|w| AGAIN.contains(&w)));
        for judged in &mut self.judged[first..] {
            judged.wish = wish;
        }
        self.carry = self.carried(&s, inherited, newline, blank);
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
        })
    }

    /// Reads the token at `at` and returns how many were read.
    fn token(&mut self, s: &mut Sentence<'_>, at: usize) -> usize {
        match &s.tokens[at].kind {
            Kind::Ind(span) => {
                let says = match s.scope {
                    None => Says::Plain,
                    Some(Scope::Doubt) => Says::Doubtful,
                    Some(Scope::Reported) => Says::Reported,
                    Some(_) => Says::Refused,
                };
                self.judged.push(Judged {
                    span: *span,
                    says,
                    wish: false,
                });
                s.used = true;
                if matches!(s.scope, Some(Scope::Noun(_))) {
                    s.scope = Some(Scope::Noun(0));
                }
                self.postfix_no(s, at);
                1
            }
            Kind::Word(_) => self.word(s, at),
            _ => 1,
        }
    }

    /// `X no`, `X: no`.
    fn postfix_no(&mut self, s: &Sentence<'_>, at: usize) {
        let colon = usize::from(matches!(
            s.tokens.get(at + 1).map(|t| &t.kind),
            Some(Kind::Sep(':' | '-' | '–' | '—' | '='))
        ));
        let no = matches!(s.word(at + 1 + colon), Some("no" | "nope" | "nah"));
        let ends = matches!(
            s.tokens.get(at + 2 + colon).map(|t| &t.kind),
            None | Some(Kind::Sep(',' | ')' | '|'))
        );
        let and = matches!(s.word(at + 2 + colon), Some("and" | "but"));
        if no
            && (ends || and)
            && let Some(last) = self.judged.last_mut()
        {
            last.says = Says::Refused;
        }
    }

    fn word(&mut self, s: &mut Sentence<'_>, at: usize) -> usize {
        let Some(word) = s.word(at) else { return 1 };
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
            if s.used && matches!(s.scope, Some(Scope::Aux | Scope::Verb | Scope::Noun(_))) {
                s.scope = Some(Scope::Doubt);
            }
            return 1;
        }
        let verb = LOOK_UP.contains(&word);
        if verb && s.scope.is_none() {
            s.wish = true;
            return 1;
        }
        let fresh = s.used || matches!(before, None | Some(Kind::Sep(_)));
        match s.scope {
            // After a comma, or behind the object, a new order starts; `and` goes on with a negated one.
            Some(Scope::Verb | Scope::Noun(_)) if verb && fresh && (after_sep || after_and) => {
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
            Some(Scope::Aux | Scope::Verb | Scope::Doubt | Scope::Noun(_))
                if s.used
                    && (after_sep || after_and)
                    && matches!(
                        word,
                        "just" | "only" | "instead" | "rather" | "then" | "do" | "go" | "yes"
                    ) =>
            {
                self.reset(s, false);
            }
            Some(Scope::Noun(left)) => {
                let goes_on = matches!(word, "and" | "or")
                    || NOUNS.contains(&word)
                    || word.ends_with("ing")
                    || word == "up"
                    || word == "at";
                if !goes_on {
                    s.scope = left.checked_sub(1).map(Scope::Noun);
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

    fn open(&self, s: &mut Sentence<'_>, scope: Scope) {
        s.scope = Some(scope);
        s.used = false;
    }

    fn opened(&mut self, s: &mut Sentence<'_>, at: usize, n: usize, opens: Opens) -> usize {
        match opens {
            Opens::Nothing => {}
            Opens::Contrast => {
                let all = matches!(
                    s.word(at.wrapping_sub(1)),
                    Some("all" | "everything" | "anything" | "both" | "any" | "them")
                );
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
                if s.asks && !s.request {
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
                if passive_refusal(s, at + n) {
                    self.refuse_left(s);
                } else if !s.asks
                    && (copula || !verb.is_none_or(|v| KNOWING.contains(&v)))
                    && s.scope.is_none()
                {
                    self.open(s, Scope::Doubt);
                }
            }
        }
        n
    }

    /// The first word behind `at` that is no adverb or pronoun, inside the clause.
    fn verb_after<'a>(&self, s: &Sentence<'a>, at: usize) -> Option<&'a str> {
        s.tokens
            .iter()
            .skip(at)
            .take(8)
            .map_while(Token::word)
            .find(|w| !ADVERBS.contains(w))
    }

    /// A negated auxiliary at `at`, `n` tokens long. Returns further tokens read.
    fn negated(&mut self, s: &mut Sentence<'_>, at: usize, n: usize) -> usize {
        let behind = at + n;
        let verb = self.verb_after(s, behind);
        let skip_to_verb = || {
            let more = s
                .tokens
                .iter()
                .skip(behind)
                .take(8)
                .take_while(|t| t.word().is_some_and(|w| ADVERBS.contains(&w)))
                .count();
            more + 1
        };
        let next_is_person = matches!(
            s.word(behind),
            Some("you" | "we" | "they" | "i" | "it" | "these" | "those")
        );
        let after_modal_you = s.word(at.wrapping_sub(1)) == Some("you") && s.request;
        let command = s.starts_clause(at) && !next_is_person;
        if s.asks && !(command && verb.is_some_and(|v| LOOK_UP.contains(&v)) || after_modal_you) {
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
        if passive_refusal(s, behind) {
            self.refuse_left(s);
        }
        let Some(verb) = verb else {
            self.open(s, Scope::Aux);
            if s.no_object(behind) {
                self.refuse_bare_list(s);
            }
            return 0;
        };
        if DOUBLE.contains(&verb) {
            return skip_to_verb();
        }
        let wants = WANTING.contains(&verb);
        let looks = LOOK_UP.contains(&verb) || LOOKED_UP.contains(&verb);
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
        if KNOWING.contains(&verb) && subject_i && !wants {
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
        if !command && !looks && !wants {
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
        if looks || wants {
            let verb_at = behind + skip_to_verb() - 1;
            self.reach_back(s, verb_at + 1);
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
            if identity || (s.asks && !(s.request && joined)) {
                let question_about_it = s.asks && identity;
                if !question_about_it {
                    self.open(s, Scope::Doubt);
                }
            } else {
                self.open(s, Scope::Noun(4));
            }
            return 1;
        }
        if word == "not"
            && s.word(at + 1).is_some_and(|w| LOOK_UP.contains(&w))
            && (!s.asks || s.request)
        {
            self.open(s, Scope::Aux);
            return 2;
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
                    )
                });
            if !keep || kept_out {
                let scope = if s.asks && !s.request {
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

    /// Phrases that refuse what stands before them: `X is off limits`, `X should be ignored`.
    fn off_limits(&mut self, s: &mut Sentence<'_>, at: usize) -> Option<usize> {
        let words: [Option<&str>; 3] = [s.word(at), s.word(at + 1), s.word(at + 2)];
        let n = match words {
            [Some("off-limits" | "out-of-scope" | "out-of-bounds"), ..] => 1,
            [Some("off"), Some("limits"), _] => 2,
            [Some("out"), Some("of"), Some("scope" | "bounds")]
            | [Some("not"), Some("in"), Some("scope")] => 3,
            [
                Some("not"),
                Some("approved" | "authorized" | "authorised" | "allowed" | "permitted"),
                next,
            ] if next != Some("to") => 2,
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
    fn refuse_left(&mut self, s: &Sentence<'_>) {
        let from = s.first.max(self.judged.len().saturating_sub(BACK_MAX));
        for judged in &mut self.judged[from..] {
            if judged.says != Says::Reported {
                judged.says = Says::Refused;
            }
        }
    }

    /// `X: do not query`: the sentence so far is only a list.
    fn refuse_bare_list(&mut self, s: &Sentence<'_>) {
        if !s.wish {
            self.refuse_left(s);
        }
    }

    /// A refusal whose object stands at `at`: a pronoun, or nothing at all, refers to what was named before.
    fn reach_back(&mut self, s: &Sentence<'_>, at: usize) {
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
            None if at >= s.tokens.len() && !s.wish => (s.first, false),
            None => return,
        };
        let from = from.max(self.judged.len().saturating_sub(BACK_MAX));
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

impl Sentence<'_> {
    fn judged_none(&self, judged: usize) -> bool {
        judged == self.first
    }
}

/// `… be queried`, `… to be looked up`, `… leave the building` behind a negation.
fn passive_refusal(s: &Sentence<'_>, at: usize) -> bool {
    let mut at = at;
    while matches!(
        s.word(at),
        Some("to" | "ever" | "even" | "also" | "currently" | "yet")
    ) {
        at += 1;
    }
    match s.word(at) {
        Some("be" | "get") => s
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

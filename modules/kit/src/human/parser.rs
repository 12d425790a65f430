//! The parser of the reply grammar: clause by clause, every word consumed, or nothing.

use super::lex::{Kind, Token};
use super::reply::{BareYes, OpenPivot, Reply};
use super::vocabulary::{
    COURTESY, EXCEPT, FILLER, NO, NO_IT, NO_THANKS, NO_VERBS, NOTED, OKS, WEAK_YES, YES, YES_VERBS,
    type_word,
};
use std::collections::BTreeSet;

/// What the clauses said.
#[derive(Debug, Default)]
pub(super) struct Said {
    yes: bool,
    weak_yes: bool,
    /// A weak yes was more than `ok`.
    meant: bool,
    /// Thanks or praise, which turn an `ok` into an answer that only says that it was read.
    courtesy: bool,
    no: bool,
    no_it: bool,
    /// Named to approve.
    some: Option<BTreeSet<u64>>,
    /// `some` came from `all` and gives way to exceptions.
    from_all: bool,
    /// Named to deny.
    not: BTreeSet<u64>,
    /// A `but` or an exception word stood before a denial.
    contrast: bool,
    /// A yes, a verb, `only`, `please`, `#` or a value: the message is meant for the proposals.
    anchored: bool,
    /// `the domain` with two domains open.
    unclear: bool,
    /// `all but X` and the like without another word.
    exception_only: bool,
}

impl Said {
    /// Whether this is a yes and nothing else.
    pub(super) fn is_bare_yes(&self) -> bool {
        (self.yes || self.weak_yes)
            && !self.only_courtesy()
            && !self.no
            && !self.no_it
            && self.some.is_none()
            && self.not.is_empty()
            && !self.unclear
    }

    /// `ok thanks`: says that it was read, and neither yes nor no.
    fn only_courtesy(&self) -> bool {
        self.weak_yes && self.courtesy && !self.yes && !self.meant && !self.anchored
    }

    /// What it decides; `None` where it contradicts itself or decides nothing.
    pub(super) fn decide(self, open: &[OpenPivot<'_>], bare_yes: BareYes) -> Option<Reply> {
        let all: BTreeSet<u64> = open.iter().map(|p| p.n).collect();
        let any_yes = self.yes || self.weak_yes;
        if self.unclear {
            return (any_yes && !self.no && !self.no_it || self.anchored && self.not.is_empty())
                .then_some(Reply::AskWhich);
        }
        if self.no || self.no_it {
            // A strong yes and a no to everything contradict each other; `okay` gives way.
            if self.yes
                || self.some.is_some()
                || self.contrast
                || (self.no_it && all.len() > 1 && self.not.is_empty())
            {
                return None;
            }
            return decided(
                BTreeSet::new(),
                if self.not.is_empty() { all } else { self.not },
            );
        }
        if let Some(some) = self.some {
            if !self.anchored && !any_yes {
                return None;
            }
            let overlap = some.intersection(&self.not).next().is_some();
            if overlap && !self.from_all {
                return None;
            }
            return decided(&some - &self.not, self.not);
        }
        if !self.not.is_empty() {
            if self.yes || (self.weak_yes && self.contrast) {
                return decided(&all - &self.not, self.not);
            }
            return (!self.exception_only)
                .then(|| decided(BTreeSet::new(), self.not))
                .flatten();
        }
        if !any_yes || self.only_courtesy() {
            return None;
        }
        if all.len() > 1 && bare_yes == BareYes::Single {
            return Some(Reply::AskWhich);
        }
        decided(all, BTreeSet::new())
    }
}

fn decided(approve: BTreeSet<u64>, deny: BTreeSet<u64>) -> Option<Reply> {
    if approve.is_empty() && deny.is_empty() {
        return None;
    }
    Some(Reply::Decide {
        approve: approve.into_iter().collect(),
        deny: deny.into_iter().collect(),
    })
}

/// A list of proposals as it was named.
#[derive(Debug, Default)]
struct Selection {
    numbers: BTreeSet<u64>,
    all: bool,
    anchored: bool,
    unclear: bool,
}

/// What stands where a selection could stand.
enum Named {
    /// No selection; nothing was consumed.
    Nothing,
    /// A number, value or type that is not open.
    Unknown,
    /// A selection.
    These(Selection),
}

/// The state of one reading.
pub(super) struct Parser<'a> {
    tokens: Vec<&'a Token>,
    values: &'a [Vec<u64>],
    open: &'a [OpenPivot<'a>],
    at: usize,
    said: Said,
}

impl<'a> Parser<'a> {
    /// `values` holds the numbers that each indicator token names.
    pub(super) fn new(
        tokens: &'a [Token],
        values: &'a [Vec<u64>],
        open: &'a [OpenPivot<'a>],
    ) -> Self {
        // Quotation marks belong to the grammar only right beside a value.
        let ind = |t: Option<&Token>| t.is_some_and(|t| matches!(t.kind, Kind::Ind(_)));
        let tokens = tokens
            .iter()
            .enumerate()
            .filter(|(n, t)| {
                let beside = ind(tokens.get(n + 1)) || (*n > 0 && ind(tokens.get(n - 1)));
                // U+FE0F and skin tones behind a thumb.
                let face = matches!(t.kind, Kind::Sep('\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}'));
                !(face || (beside && matches!(t.kind, Kind::Quote(_))))
            })
            .map(|(_, t)| t)
            .collect();
        Self {
            tokens,
            values,
            open,
            at: 0,
            said: Said::default(),
        }
    }

    /// Reads all clauses. `None` when anything is outside the grammar.
    pub(super) fn run(mut self) -> Option<Said> {
        // Every clause consumes at least one token, so this ends.
        loop {
            self.skip_separators();
            if self.at >= self.tokens.len() {
                return Some(self.said);
            }
            self.clause()?;
        }
    }

    fn kind(&self, ahead: usize) -> Option<&Kind> {
        self.tokens.get(self.at + ahead).map(|t| &t.kind)
    }

    fn word(&self, ahead: usize) -> Option<&str> {
        self.tokens.get(self.at + ahead).and_then(|t| t.word())
    }

    fn skip_separators(&mut self) {
        while let Some(kind) = self.kind(0) {
            let skip = match kind {
                Kind::Newline | Kind::Sep(',' | ':' | '-' | '–' | '—' | '(' | ')') => true,
                // `yes...` trails off: a hedge.
                Kind::Stop('.') => !matches!(self.kind(1), Some(Kind::Stop('.') | Kind::Sep('.'))),
                Kind::Stop(c) => *c != '?',
                Kind::Word(w) => self.at > 0 && w == "and",
                Kind::Sep('&' | '+') => self.at > 0,
                _ => false,
            };
            if !skip {
                break;
            }
            self.at += 1;
        }
    }

    /// The number of tokens of the longest phrase of `list` that stands here; 0 for none.
    fn phrase(&self, list: &[&str]) -> usize {
        list.iter().map(|p| self.matches(p)).max().unwrap_or(0)
    }

    fn matches(&self, phrase: &str) -> usize {
        let mut n = 0;
        for word in phrase.split(' ') {
            let here = match self.kind(n) {
                Some(Kind::Word(w)) => w == word,
                Some(Kind::Sep(c)) => word.chars().eq(std::iter::once(*c)),
                _ => false,
            };
            if !here {
                return 0;
            }
            n += 1;
        }
        n
    }

    fn take(&mut self, words: &[&str]) -> bool {
        let here = self.word(0).is_some_and(|w| words.contains(&w));
        self.at += usize::from(here);
        here
    }

    fn clause(&mut self) -> Option<()> {
        let but = self.at > 0 && self.take(&["but"]);
        if but {
            self.said.contrast = true;
            if self.kind(0) == Some(&Kind::Sep(',')) {
                self.at += 1;
            }
        } else if self.filler() {
            return Some(());
        }
        let except = self.phrase(EXCEPT);
        if except > 0 {
            self.at += except;
            self.said.contrast = true;
            if !(self.said.yes || self.said.weak_yes || self.said.from_all) {
                self.said.exception_only = true;
            }
            return self.deny_named();
        }
        if self.only()? || self.negative()? || self.leave()? {
            return Some(());
        }
        if but {
            // `all but X`: the exception follows the selection directly.
            return if self.said.from_all {
                self.deny_named()
            } else {
                None
            };
        }
        if self.affirmative()? {
            return Some(());
        }
        self.bare_selection()
    }

    /// Politeness, unless a longer phrase that decides something begins with it (`please do`).
    fn filler(&mut self) -> bool {
        let thanks = self.phrase(NO_THANKS);
        if thanks > 0 {
            self.at += thanks;
            self.said.no = true;
            return true;
        }
        // `fine`: taken note of, unless it begins a longer yes (`fine by me`).
        let noted = self.phrase(NOTED);
        if noted > 0 && self.phrase(YES).max(self.phrase(WEAK_YES)) < noted {
            self.at += noted;
            self.said.weak_yes = true;
            self.said.courtesy = true;
            return true;
        }
        let filler = self.phrase(FILLER);
        if filler == 0 {
            return false;
        }
        let please = matches!(self.word(0), Some("please" | "pls" | "plz" | "kindly"));
        self.said.anchored |= please;
        self.said.courtesy |= self.phrase(COURTESY) == filler;
        let do_not = matches!(self.word(1), Some("don't" | "dont"))
            || (self.word(1) == Some("do") && self.word(2) == Some("not"));
        let longer = self
            .phrase(YES)
            .max(self.phrase(NO))
            .max(self.phrase(NO_VERBS))
            > filler;
        if longer && !(please && do_not) {
            return false;
        }
        self.at += filler;
        true
    }

    /// `only X`, `just X`.
    fn only(&mut self) -> Option<bool> {
        if !self.take(&["only", "just"]) {
            return Some(false);
        }
        if self.word(0) == Some("not") {
            self.said.contrast = true;
            return Some(false);
        }
        self.at += self.phrase(YES_VERBS);
        let Named::These(named) = self.selection() else {
            return None;
        };
        self.said.contrast = false;
        self.said.anchored = true;
        self.approve(named)?;
        Some(true)
    }

    fn negative(&mut self) -> Option<bool> {
        let verb = self.phrase(NO_VERBS);
        let bare = self.phrase(NO);
        let it = self.phrase(NO_IT);
        if verb > 0 && verb >= bare && verb >= it {
            let back = self.at;
            // `yes, no 2` may mean number 2.
            let number = verb == 1
                && self.word(0) == Some("no")
                && self.said.yes
                && self.said.some.is_none()
                && !self.said.contrast;
            self.at += verb;
            self.take(&["to", "for"]);
            match self.selection() {
                Named::These(_) if number => return None,
                Named::These(named) => {
                    self.deny(named)?;
                    self.take(&["up"]);
                    return Some(true);
                }
                Named::Unknown => return None,
                Named::Nothing => self.at = back,
            }
        }
        // `don't look X up`
        for verb in ["don't look", "do not look", "dont look"] {
            let n = self.matches(verb);
            if n > 0 && it == 0 && bare <= n {
                self.at += n;
                let Named::These(named) = self.selection() else {
                    return None;
                };
                if !self.take(&["up"]) {
                    return None;
                }
                self.deny(named)?;
                return Some(true);
            }
        }
        if bare == 0 && it == 0 {
            return Some(false);
        }
        if it > bare {
            self.said.no_it = true;
        } else {
            self.said.no = true;
        }
        self.at += bare.max(it);
        Some(true)
    }

    /// `leave X alone`, `leave X out`, `keep X out`.
    fn leave(&mut self) -> Option<bool> {
        let keep = self.word(0) == Some("keep");
        if !self.take(&["leave", "keep"]) {
            return Some(false);
        }
        let Named::These(named) = self.selection() else {
            return None;
        };
        let tail = self.phrase(&["alone", "out", "be", "aside", "out of it", "out of this"]);
        if keep && tail == 0 {
            return None;
        }
        self.at += tail;
        self.deny(named)?;
        Some(true)
    }

    fn affirmative(&mut self) -> Option<bool> {
        let strong = self.phrase(YES);
        let weak = self.phrase(WEAK_YES);
        let verb = self.phrase(YES_VERBS);
        if verb > 0 && verb >= strong && verb >= weak {
            let back = self.at;
            self.at += verb;
            self.take(&["to", "for", "on"]);
            self.take(&["only", "just"]);
            match self.selection() {
                Named::These(named) => {
                    self.said.yes = true;
                    self.approve(named)?;
                    return Some(true);
                }
                Named::Unknown => return None,
                Named::Nothing => self.at = back,
            }
            if self.take(&["approve"]) {
                self.said.yes = true;
                return Some(true);
            }
        }
        // `look X up`
        if strong == 0 && self.take(&["look"]) {
            let Named::These(named) = self.selection() else {
                return None;
            };
            if !self.take(&["up"]) {
                return None;
            }
            self.said.yes = true;
            self.approve(named)?;
            return Some(true);
        }
        if strong == 0 && weak == 0 {
            return Some(false);
        }
        if strong >= weak {
            self.said.yes = true;
        } else {
            self.said.weak_yes = true;
            self.said.meant |= self.phrase(OKS) < weak;
        }
        self.at += strong.max(weak);
        let linked = self.take(&["to", "for", "on", "with"]);
        if linked {
            self.take(&["only", "just"]);
        }
        match self.selection() {
            Named::These(named) => self.approve(named)?,
            Named::Unknown => return None,
            Named::Nothing if linked => return None,
            Named::Nothing => {}
        }
        Some(true)
    }

    /// A selection with nothing before it, and perhaps its own yes or no behind it.
    fn bare_selection(&mut self) -> Option<()> {
        let Named::These(named) = self.selection() else {
            return None;
        };
        let back = self.at;
        self.at += usize::from(matches!(
            self.kind(0),
            Some(Kind::Sep(':' | '-' | '–' | '—' | '='))
        ));
        if self.take(&["yes", "y", "ok", "okay", "yep", "approve", "approved"]) {
            self.said.yes = true;
            return self.approve(named);
        }
        if self.take(&["no", "n", "nope", "deny", "denied", "reject", "rejected"]) {
            return self.deny(named);
        }
        self.at = back;
        // `no, 2` may deny 2 or correct to 2.
        if self.said.no
            || self.said.no_it
            || (!self.said.not.is_empty() && self.said.some.is_none())
        {
            return None;
        }
        self.approve(named)
    }

    fn approve(&mut self, named: Selection) -> Option<()> {
        // `1 only`, `the domain only`
        self.said.anchored |= named.anchored | self.take(&["only"]);
        self.said.unclear |= named.unclear;
        // `all but 2` needs no other word.
        self.said.anchored |= named.all && (self.word(0) == Some("but") || self.phrase(EXCEPT) > 0);
        self.said.from_all = named.all && self.said.some.is_none();
        if !named.unclear {
            self.said.some.get_or_insert_default().extend(named.numbers);
        }
        Some(())
    }

    fn deny_named(&mut self) -> Option<()> {
        let Named::These(named) = self.selection() else {
            return None;
        };
        self.deny(named)
    }

    fn deny(&mut self, named: Selection) -> Option<()> {
        // `no to the domain` with two of them; `no to all but 2`, which leaves open what becomes of 2.
        if named.unclear || (named.all && (self.word(0) == Some("but") || self.phrase(EXCEPT) > 0))
        {
            return None;
        }
        self.said.anchored |= self.said.contrast;
        self.said.not.extend(named.numbers);
        Some(())
    }

    fn selection(&mut self) -> Named {
        let mut out = match self.item() {
            Named::These(first) => first,
            other => return other,
        };
        loop {
            let back = self.at;
            while matches!(self.kind(0), Some(Kind::Sep(',' | '&' | '+')))
                || self.word(0) == Some("and")
            {
                self.at += 1;
            }
            if self.at == back {
                break;
            }
            match self.item() {
                Named::These(next) => {
                    out.numbers.extend(next.numbers);
                    out.anchored |= next.anchored;
                    out.unclear |= next.unclear;
                }
                Named::Unknown => return Named::Unknown,
                Named::Nothing => {
                    self.at = back;
                    break;
                }
            }
        }
        Named::These(out)
    }

    fn item(&mut self) -> Named {
        if let Some(Kind::Ind(n)) = self.kind(0) {
            let numbers: BTreeSet<u64> =
                self.values.get(*n).into_iter().flatten().copied().collect();
            self.at += 1;
            return these(numbers, true);
        }
        let back = self.at;
        for form in [Self::all_of, Self::numbered, Self::typed] {
            if let Some(found) = form(self) {
                return found;
            }
            self.at = back;
        }
        Named::Nothing
    }

    /// `all`, `all three`, `all of them`, `all the IPs`, `everything`, `both`, `the rest`.
    fn all_of(&mut self) -> Option<Named> {
        let every: BTreeSet<u64> = self.open.iter().map(|p| p.n).collect();
        let rest = self.phrase(&[
            "the rest",
            "the others",
            "the other ones",
            "the other one",
            "the other",
            "all others",
            "everything else",
            "all the others",
            "all the rest",
        ]);
        if rest > 0 {
            self.at += rest;
            let named: BTreeSet<u64> = self
                .said
                .some
                .iter()
                .flatten()
                .chain(&self.said.not)
                .copied()
                .collect();
            let left: BTreeSet<u64> = &every - &named;
            return Some(if named.is_empty() || left.is_empty() {
                Named::Unknown
            } else {
                these(left, false)
            });
        }
        let both = self.word(0) == Some("both");
        if both && self.open.len() != 2 {
            return Some(Named::Unknown);
        }
        let n = self.phrase(&[
            "all of them",
            "all of these",
            "all of those",
            "all of the above",
            "all the above",
            "them all",
            "all of",
            "all the",
            "all",
            "everything",
            "both of them",
            "both of",
            "both",
            "every one of them",
            "each of them",
        ]);
        if n == 0 {
            return None;
        }
        self.at += n;
        self.take(&["the", "these", "those"]);
        if let Some((types, _)) = self.word(0).and_then(type_word) {
            self.at += 1;
            self.take(&["addresses", "names"]);
            let numbers = self.of_types(types);
            return Some(if numbers.is_empty() {
                Named::Unknown
            } else {
                these(numbers, false)
            });
        }
        let count = self.word(0).and_then(|w| match w {
            "two" => Some(2),
            "three" => Some(3),
            "four" => Some(4),
            "five" => Some(5),
            w => w.parse::<usize>().ok(),
        });
        if let Some(count) = count {
            if count != self.open.len() {
                return Some(Named::Unknown);
            }
            self.at += 1;
        }
        if self.at > 0
            && matches!(
                self.tokens.get(self.at - 1).and_then(|t| t.word()),
                Some("of" | "the")
            )
        {
            return Some(Named::Unknown);
        }
        Some(Named::These(Selection {
            numbers: every,
            all: true,
            // With two open, `both` can only mean them.
            anchored: both,
            ..Selection::default()
        }))
    }

    /// `3`, `#3`, `number 3`, `1-3`, `1 to 3`.
    fn numbered(&mut self) -> Option<Named> {
        self.take(&["the"]);
        let mut anchored = self.take(&["proposal", "proposals", "pivot", "pivots"]);
        // `number 2` alone may answer another question.
        self.take(&["number", "numbers", "nr", "num", "item", "items"]);
        if self.kind(0) == Some(&Kind::Sep('#')) {
            self.at += 1;
            anchored = true;
        }
        let word = self.word(0)?;
        let (first, glued_last) = match word.split_once('-') {
            Some((a, b)) => (number(a)?, Some(number(b)?)),
            None => (number(word)?, None),
        };
        self.at += 1;
        let last = glued_last.or_else(|| self.range_end());
        let numbers: BTreeSet<u64> = match last {
            None => BTreeSet::from([first]),
            Some(last) if first <= last && last - first < 1000 => (first..=last).collect(),
            Some(_) => return Some(Named::Unknown),
        };
        let open = numbers.iter().all(|n| self.open.iter().any(|p| p.n == *n));
        Some(if open {
            these(numbers, anchored)
        } else {
            Named::Unknown
        })
    }

    /// The second half of a range written with blanks, consumed when it is one.
    fn range_end(&mut self) -> Option<u64> {
        let dash = matches!(self.kind(0), Some(Kind::Sep('-' | '–' | '—')))
            || matches!(self.word(0), Some("to" | "through" | "thru"));
        if !dash {
            return None;
        }
        let hash = usize::from(self.kind(1) == Some(&Kind::Sep('#')));
        let last = self.word(1 + hash).and_then(number)?;
        self.at += 2 + hash;
        Some(last)
    }

    /// `the domain`, `the IPs`, `domain evil.com`.
    fn typed(&mut self) -> Option<Named> {
        self.take(&["the", "that", "this", "those", "these", "any"]);
        let (types, plural) = self.word(0).and_then(type_word)?;
        self.at += 1;
        self.take(&["address", "addresses", "name", "names", "one", "ones"]);
        let of_type = self.of_types(types);
        if let Some(Kind::Ind(n)) = self.kind(0) {
            let numbers: BTreeSet<u64> =
                self.values.get(*n).into_iter().flatten().copied().collect();
            self.at += 1;
            return Some(if numbers.is_subset(&of_type) {
                these(numbers, true)
            } else {
                Named::Unknown
            });
        }
        if of_type.is_empty() {
            return Some(Named::Unknown);
        }
        let unclear = !plural && of_type.len() > 1;
        Some(Named::These(Selection {
            numbers: of_type,
            unclear,
            ..Selection::default()
        }))
    }

    fn of_types(&self, types: &[crate::indicator::IndicatorType]) -> BTreeSet<u64> {
        self.open
            .iter()
            .filter(|p| types.contains(&p.indicator.kind()))
            .map(|p| p.n)
            .collect()
    }
}

fn these(numbers: BTreeSet<u64>, anchored: bool) -> Named {
    Named::These(Selection {
        numbers,
        anchored,
        ..Selection::default()
    })
}

/// A number in plain digits. `None` for anything else, too large ones included.
fn number(word: &str) -> Option<u64> {
    if word.is_empty() || !word.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    word.parse().ok()
}

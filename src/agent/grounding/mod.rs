//! Claims of an answer that stand in no evidence and no human text: indicators, numbers, dates, and verdicts
//! that are put into a source's mouth. Rules only, no second model: the same answer over the same evidence
//! gets the same marks. `docs/grounding.md` says what is checked, what is not, and how well it does.

mod dates;
mod evidence;
mod numbers;
mod phrases;
mod references;
mod sources;
mod verdicts;
mod words;

use crate::case::{CaseState, Marked, Seen, Status};
pub use evidence::{Evidence, Piece};
use evidence::{Numbers, holds};
use kit::extract::{Found, extract};
use kit::indicator::{Indicator, IndicatorType};
use kit::outcome::Verdict;
pub use references::unknown_references;
use std::collections::BTreeSet;
use words::{Kind, Sentence, Token};

/// Why an indicator is marked. Surfaces that mark indicators in place look for this.
pub const NOT_IN_EVIDENCE: &str = "not in evidence";
/// Indicators that are looked at and marks that are made, so that an endless answer costs no endless time.
const MOST: usize = 1_000;

const NO_NUMBER: &str = "no evidence gives this number";
const NO_DAY: &str = "no evidence gives this date";

/// What an answer claims without ground, each claim once, in the order of the text; the text of a mark
/// stands in the answer as it is. `evidence` is that of the whole case.
#[must_use]
pub fn unsupported(answer: &str, state: &CaseState, turn: u32, evidence: &Evidence) -> Vec<Marked> {
    let ground = Ground::new(answer, state, turn, evidence);
    let found = extract(answer);
    let mut marks: Vec<(usize, usize, &str)> = Vec::new();
    for f in found.iter().take(MOST) {
        if !ground.stands(&f.indicator) {
            marks.push((f.start, f.end, NOT_IN_EVIDENCE));
        }
    }
    let skip = words::not_own(answer, &ground.person);
    let sentences = words::sentences(answer, &found, &skip);
    let wrong = verdicts::wrong(&sentences, &found, &ground);
    for sentence in &sentences {
        if marks.len() >= MOST {
            break;
        }
        for claim in numbers::claims(sentence) {
            let inside = |w: &verdicts::Wrong| w.start <= claim.start && claim.end <= w.end;
            let again = marks
                .last()
                .is_some_and(|m| m.0 <= claim.start && claim.end <= m.1 && m.2 == NO_NUMBER);
            if !again && !wrong.iter().any(inside) && !ground.counts(&claim, sentence) {
                marks.push((claim.start, claim.end, NO_NUMBER));
            }
        }
        for (start, end, day) in days(sentence) {
            if !ground.day(day) {
                marks.push((start, end, NO_DAY));
            }
        }
    }
    marks.extend(wrong.iter().map(|w| (w.start, w.end, w.why)));
    marks.sort_unstable();
    let mut out: Vec<Marked> = Vec::new();
    for (start, end, why) in marks {
        let text = answer.get(start..end).unwrap_or_default().trim();
        if !text.is_empty() && !out.iter().any(|m| m.text == text && m.why == why) {
            out.push(Marked {
                text: text.to_owned(),
                why: why.to_owned(),
            });
        }
    }
    out
}

/// Where the marked claims stand in `answer`: byte ranges in ascending order, for surfaces that mark them in
/// the text. A range may lie within the one before it (an indicator in a clause), but does not straddle it.
#[must_use]
pub fn places<'m>(answer: &str, marks: &'m [Marked]) -> Vec<(usize, usize, &'m Marked)> {
    let mut all: Vec<(usize, usize, &Marked)> = Vec::new();
    for mark in marks.iter().filter(|m| !m.text.is_empty()) {
        for (at, text) in answer.match_indices(mark.text.as_str()) {
            let end = at + text.len();
            // `22` is not meant in `10.22.0.1` or `1,122`.
            let joins = |mut around: &mut dyn Iterator<Item = char>| {
                let first = around.next();
                let tie = |c: char| matches!(c, '.' | ',' | ':' | '/' | '-' | '_');
                first.is_some_and(char::is_alphanumeric)
                    || (first.is_some_and(tie)
                        && (&mut around).next().is_some_and(char::is_alphanumeric))
            };
            let before = answer.get(..at).unwrap_or_default();
            let after = answer.get(end..).unwrap_or_default();
            if !joins(&mut before.chars().rev()) && !joins(&mut after.chars()) {
                all.push((at, end, mark));
            }
        }
    }
    all.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
    let mut out: Vec<(usize, usize, &Marked)> = Vec::new();
    for place in all {
        let straddles = out
            .iter()
            .rev()
            .take(8)
            .any(|p| place.0 < p.1 && p.1 < place.1);
        let same = out.last().is_some_and(|p| p.0 == place.0 && p.1 == place.1);
        if !straddles && !same {
            out.push(place);
        }
    }
    out
}

/// Everything that may bear a claim out.
struct Ground<'a> {
    state: &'a CaseState,
    turn: u32,
    evidence: &'a Evidence,
    /// The words and attachments of people, lower case.
    person: String,
    /// Numbers in them.
    told: Numbers,
    days: BTreeSet<dates::Day>,
    /// Numbers that follow from the ledger and from what the answer itself lists.
    own: Numbers,
    /// Numbers of all evidence.
    all: Numbers,
}

impl<'a> Ground<'a> {
    fn new(answer: &str, state: &'a CaseState, turn: u32, evidence: &'a Evidence) -> Self {
        let mut person = String::new();
        let mut days = BTreeSet::new();
        for t in &state.turns {
            for text in std::iter::once(&t.text).chain(t.attachments.iter().map(|a| &a.text)) {
                person.push_str(text.as_str());
                person.push('\n');
            }
            days.extend(dates::of_seconds(t.at_ms.div_euclid(1000)));
        }
        let mut told = Numbers::default();
        evidence::numbers_in(&person, &mut told);
        for word in person.split(|c: char| !c.is_alphanumeric()) {
            if let Some(v) = numbers::spelled(&word.to_lowercase()) {
                told.add(v);
            }
        }
        days.extend(dates::find(&person));
        let mut all = Numbers::default();
        for p in &evidence.pieces {
            all.extend(&p.numbers);
            all.extend(&p.counts);
            days.extend(&p.days);
        }
        Self {
            state,
            turn,
            evidence,
            own: own_counts(answer, state, turn),
            person: person.to_lowercase(),
            told,
            days,
            all,
        }
    }

    /// Whether the case can be said to rest on this indicator.
    fn stands(&self, i: &Indicator) -> bool {
        if self.state.knows(i) || vocabulary(i) {
            return true;
        }
        let twins = [i.single_address(), i.host()];
        let attached = |i: &Indicator| {
            let mut all = self.state.turns.iter().flat_map(|t| &t.attachments);
            all.any(|a| a.mentioned.contains(i))
        };
        if attached(i)
            || twins
                .first()
                .cloned()
                .flatten()
                .is_some_and(|t| self.state.knows(&t))
        {
            return true;
        }
        let known = || {
            let s = self.state;
            s.said
                .iter()
                .chain(s.authorized.keys())
                .chain(s.seen.keys())
                .chain(s.proposals.values().map(|p| &p.indicator))
        };
        if known().any(|k| k == i || k.single_address().as_ref() == Some(i) || below(k, i)) {
            return true;
        }
        // The log remembers only so many indicators of one piece; the text knows all. A name also stands
        // where a name below it does, an address or name where a URL on it does.
        let value = i.value().to_lowercase();
        if holds(&self.person, &value) || self.evidence.holds(&value) {
            return true;
        }
        // A page at a source, about something known.
        i.kind() == IndicatorType::Url
            && i.host().is_some_and(|h| sources::is_home(h.value()))
            && known().any(|k| i.value().contains(k.value()))
    }

    /// Whether a claimed number is borne out: by the sources that its clause names, else by any evidence, by
    /// what people wrote, or by the program's own ledger.
    fn counts(&self, claim: &numbers::Claim, sentence: &Sentence) -> bool {
        if claim.stands_in(&self.told) || (claim.own_count() && claim.stands_in(&self.own)) {
            return true;
        }
        if claim.thing == "port" && (claim.value == 443.0 || claim.value == 80.0) {
            let mut urls = self.state.said.iter().chain(self.state.seen.keys());
            if urls.any(|i| i.kind() == IndicatorType::Url) {
                return true;
            }
        }
        if !claim.stands_in(&self.all) {
            return false;
        }
        let tools = self.tools();
        let more: Vec<&str> = tools.iter().map(String::as_str).collect();
        let around = around(&sentence.tokens, claim.start, claim.end);
        let named = sources::named(&words::norm(around), &more);
        let asked = |n: &&sources::Named| self.evidence.pieces.iter().any(|p| p.tool == n.tool);
        let named: Vec<&sources::Named> = named.iter().filter(asked).collect();
        if named.is_empty() {
            return true;
        }
        let mut numbers = Numbers::default();
        for p in &self.evidence.pieces {
            if named.iter().any(|n| n.tool == p.tool) {
                numbers.extend(&p.numbers);
                numbers.extend(&p.counts);
            }
        }
        claim.stands_in(&numbers)
    }

    fn day(&self, day: dates::Day) -> bool {
        let (y, m, d) = day;
        self.days
            .iter()
            .any(|k| k.0 == y && k.1 == m && (k.2 == d || d == 0))
    }

    /// The tools of the case.
    fn tools(&self) -> BTreeSet<String> {
        let calls = self.state.turns.iter().flat_map(|t| &t.calls);
        calls
            .map(|c| c.tool.as_str().to_owned())
            .chain(self.evidence.pieces.iter().map(|p| p.tool.clone()))
            .collect()
    }

    /// What a source (or all of them) answered: of this turn and about these subjects where there is such an
    /// answer, else of this turn, else of the case.
    fn answers(
        &self,
        tool: Option<&str>,
        subjects: &[&Indicator],
    ) -> Vec<(Status, Option<Verdict>)> {
        struct One<'a> {
            turn: u32,
            subject: Option<&'a Indicator>,
            status: Status,
            verdict: Option<Verdict>,
        }
        let is = |t: &str| tool.is_none_or(|name| name == t) && (tool.is_some() || judges(t));
        let mut all: Vec<One<'_>> = Vec::new();
        for t in &self.state.turns {
            for c in t.calls.iter().filter(|c| is(c.tool.as_str())) {
                let ran = matches!(
                    c.verdict,
                    crate::case::CallVerdict::Permit | crate::case::CallVerdict::Cached
                );
                if ran {
                    all.push(One {
                        turn: t.n,
                        subject: c.subject.as_ref(),
                        status: c.status.unwrap_or(Status::CouldNotLook),
                        verdict: c.source_verdict,
                    });
                }
            }
        }
        // Evidence whose ledger line is not at hand.
        for p in self.evidence.pieces.iter().filter(|p| is(&p.tool)) {
            if !all
                .iter()
                .any(|a| a.turn == p.turn && a.subject == p.subject.as_ref())
            {
                all.push(One {
                    turn: p.turn,
                    subject: p.subject.as_ref(),
                    status: p.status,
                    verdict: p.verdict,
                });
            }
        }
        let about = |a: &One<'_>| {
            a.subject.is_some_and(|s| {
                subjects.iter().any(|w| {
                    *w == s || w.host().as_ref() == Some(s) || s.host().as_ref() == Some(*w)
                })
            })
        };
        let any_about = all.iter().any(about);
        let any_now = all.iter().any(|a| a.turn == self.turn);
        all.iter()
            .filter(|a| {
                if any_about {
                    about(a)
                } else {
                    !any_now || a.turn == self.turn
                }
            })
            .map(|a| (a.status, a.verdict))
            .collect()
    }

    /// Whether a clause says that it repeats what the person or the input says, and they do name the source.
    fn of_the_person(&self, norm: &str, named: &[sources::Named]) -> bool {
        const SPEAKERS: &[&str] = &[
            " you ",
            " your ",
            " the alert ",
            " the ticket ",
            " the log ",
            " the note ",
            " the input ",
            " the report ",
            " the mail ",
            " the file ",
            " attached ",
            " the message ",
        ];
        SPEAKERS.iter().any(|s| norm.contains(s))
            && named.iter().all(|n| self.person.contains(&n.tool))
    }

    /// Whether any evidence names this source, which the program itself does not ask.
    fn quotes(&self, source: &str) -> bool {
        self.evidence.pieces.iter().any(|p| p.text.contains(source))
    }

    /// Whether a person used one of these words.
    fn person_says(&self, list: &[&str]) -> bool {
        list.iter().any(|w| holds(&self.person, w.trim()))
    }
}

/// Whether a text names a source of the threat-intelligence trade, ours or another.
pub(super) fn names_source(text: &str) -> bool {
    let words: Vec<String> = text
        .to_lowercase()
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '-')))
        .filter(|w| !w.is_empty())
        .map(str::to_owned)
        .collect();
    let norm = format!(" {} ", words.join(" "));
    !sources::named(&norm, &[]).is_empty()
}

/// Sources whose answers weigh in a verdict; the others only describe.
fn judges(tool: &str) -> bool {
    !matches!(
        tool,
        "special" | "unfurl" | "cases" | "dns" | "rdap" | "ipinfo" | "crtsh" | "circlpdns"
    )
}

/// The clause around a byte range: up to marks and words that begin another statement.
fn around(tokens: &[Token], start: usize, end: usize) -> &[Token] {
    let cut = |t: &Token| t.is(';') || matches!(t.word(), "but" | "while" | "whereas" | "and");
    let from = tokens
        .iter()
        .rposition(|t| t.end <= start && cut(t))
        .map_or(0, |i| i + 1);
    let to = tokens
        .iter()
        .position(|t| t.start >= end && cut(t))
        .unwrap_or(tokens.len());
    tokens.get(from..to).unwrap_or_default()
}

/// Addresses that stand for an idea: nowhere, this machine, the private networks.
fn vocabulary(i: &Indicator) -> bool {
    matches!(
        i.value(),
        "0.0.0.0"
            | "127.0.0.1"
            | "::"
            | "::1"
            | "10.0.0.0/8"
            | "172.16.0.0/12"
            | "192.168.0.0/16"
            | "127.0.0.0/8"
            | "0.0.0.0/0"
    ) || (i.kind() == IndicatorType::Domain && sources::is_home(i.value()))
}

/// Whether `name` follows from `known`: the host of a URL, the domain of a mail address, a name above.
fn below(known: &Indicator, name: &Indicator) -> bool {
    if known.host().as_ref() == Some(name) {
        return true;
    }
    if name.kind() != IndicatorType::Domain {
        return false;
    }
    let host = known.host();
    let value = host.as_ref().unwrap_or(known).value();
    value
        .strip_suffix(name.value())
        .is_some_and(|rest| rest.ends_with('.') || rest.ends_with('@'))
}

/// Numbers that the program or the answer itself bears out: how many look-ups of which outcome, how many
/// indicators of which kind.
fn own_counts(answer: &str, state: &CaseState, turn: u32) -> Numbers {
    let mut out = Numbers::default();
    let mut most = 0;
    for t in state.turns.iter().filter(|t| t.n <= turn) {
        let tools: BTreeSet<&str> = t.calls.iter().map(|c| c.tool.as_str()).collect();
        most = most.max(tools.len()).max(t.calls.len());
    }
    for n in 0..=most {
        out.count(n);
    }
    let mut kinds = |list: &mut dyn Iterator<Item = Indicator>| {
        let all: BTreeSet<Indicator> = list.collect();
        out.count(all.len());
        for kind in IndicatorType::ALL {
            out.count(all.iter().filter(|i| i.kind() == kind).count());
        }
        let hashes = all.iter().filter(|i| i.kind().is_hash()).count();
        out.count(hashes);
    };
    kinds(&mut extract(answer).into_iter().map(|f: Found| f.indicator));
    kinds(&mut state.said.iter().cloned());
    kinds(&mut state.seen.keys().cloned());
    out.count(state.open.len());
    out
}

/// Whole dates and months that a sentence names.
fn days(sentence: &Sentence) -> Vec<(usize, usize, dates::Day)> {
    let mut out = Vec::new();
    if sentence.question {
        return out;
    }
    let t = &sentence.tokens;
    let number = |k: Option<usize>| {
        k.and_then(|k| t.get(k)).and_then(|t| match t.kind {
            Kind::Number(v) if v.fract() == 0.0 && v <= 9999.0 => {
                format!("{v:.0}").parse::<u16>().ok()
            }
            Kind::Word(ref w) => dates::ordinal(w).map(u16::from),
            _ => None,
        })
    };
    for (i, token) in t.iter().enumerate() {
        if let Kind::Day(day) = token.kind {
            out.push((token.start, token.end, day));
            continue;
        }
        let Some(m) = dates::month(token.word()) else {
            continue;
        };
        // `12 March 2026`, `March 12, 2026`, `March 2026`.
        let comma = usize::from(t.get(i + 2).is_some_and(|t| t.is(',')));
        let before = i.checked_sub(1);
        let tries = [
            (before, number(before), Some(i + 1)),
            (Some(i), number(Some(i + 1)), Some(i + 2 + comma)),
            (Some(i), Some(0), Some(i + 1)),
        ];
        for (k, (from, day, year)) in tries.into_iter().enumerate() {
            let (Some(from), Some(d), Some(y)) =
                (from, day.and_then(|d| u8::try_from(d).ok()), number(year))
            else {
                continue;
            };
            let valid = dates::valid(y, m, d.max(1));
            if let (Some((y, m, _)), Some(a), Some(b)) =
                (valid, t.get(from), year.and_then(|y| t.get(y)))
                && (k == 2 || d > 0)
            {
                out.push((a.start, b.end, (y, m, d)));
                break;
            }
        }
    }
    out
}

/// Indicators that the answer and this turn's evidence name and that nobody authorized: one step away
/// from a proposal. At most `most`.
#[must_use]
pub fn mentioned(answer: &str, state: &CaseState, url_host: bool, most: usize) -> Vec<Seen> {
    let mut out: Vec<Seen> = Vec::new();
    let mut add = |indicator: &kit::Indicator, found_in: Option<u32>| {
        let settled = state.authorization(indicator, url_host).is_some()
            || state.denied.contains(indicator)
            || state.proposals.values().any(|p| &p.indicator == indicator);
        if !settled && out.len() < most && !out.iter().any(|s| &s.indicator == indicator) {
            out.push(Seen {
                indicator: indicator.clone(),
                found_in,
            });
        }
    };
    for f in extract(answer) {
        add(&f.indicator, state.seen.get(&f.indicator).copied());
    }
    let mut seen: Vec<_> = state.seen.iter().collect();
    seen.sort_by(|a, b| a.1.cmp(b.1).then_with(|| a.0.cmp(b.0)));
    for (indicator, n) in seen {
        add(indicator, Some(*n));
    }
    if let Some(turn) = state.turns.last() {
        for attachment in &turn.attachments {
            for indicator in &attachment.mentioned {
                add(indicator, None);
            }
        }
    }
    out
}

//! Sources quoted with a verdict, and verdicts that stand for all sources, held against what each source
//! really said. Not found is not clean, and a source that could not look said nothing.

use super::Ground;
use super::phrases::{
    CLEAN, EVERYWHERE, FINDING, MALICIOUS, Says, admission, has, predicate, says,
};
use super::sources::{self, Named};
use super::words::{self, Kind, Sentence, Token};
use crate::case::Status;
use kit::Indicator;
use kit::extract::Found;
use kit::outcome::Verdict;

/// A part of a sentence that is marked.
pub(super) struct Wrong {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) why: &'static str,
}

pub(super) const COULD_NOT: &str = "the source could not look, which says nothing about it";
pub(super) const SOME_COULD_NOT: &str = "sources could not look, which says nothing about it";
pub(super) const NOT_ASKED: &str = "the source was not asked";
const NOT_MALICIOUS: &str = "the source did not say malicious";
const NOT_HARMLESS: &str = "the source did not say harmless";
const NOT_LISTED: &str = "the source does not know it";
const LISTED: &str = "the source knows it";
const ANSWERED: &str = "the source did answer";
const NONE_MALICIOUS: &str = "no source said malicious";
const NONE_HARMLESS: &str = "no source said harmless";
const SOME_MALICIOUS: &str = "a source said otherwise";

/// One answer of a source about one subject.
struct Answer {
    status: Status,
    verdict: Option<Verdict>,
}

/// Marks in the order of the text.
pub(super) fn wrong(sentences: &[Sentence], found: &[Found], ground: &Ground<'_>) -> Vec<Wrong> {
    let tools = ground.tools();
    let more: Vec<&str> = tools.iter().map(String::as_str).collect();
    let mut out = Vec::new();
    let mut carried: Vec<Named> = Vec::new();
    let mut under: Vec<Named> = Vec::new();
    let admits: Vec<bool> = sentences
        .iter()
        .map(|s| admission(&words::norm(&s.tokens)))
        .collect();
    for (i, sentence) in sentences.iter().enumerate() {
        let norm = words::norm(&sentence.tokens);
        let here = sources::named(&norm, &more);
        if sentence.heading {
            under.clone_from(&here);
        } else if sentence.opens && here.is_empty() && !listed(&sentence.tokens) {
            under.clear();
        }
        if sentence.question || imperative(&sentence.tokens) {
            carried = here;
            continue;
        }
        let pronoun = [
            " it says ",
            " it reports ",
            " it lists ",
            " it considers ",
            " it rates ",
            " it flags ",
            " it also ",
        ]
        .iter()
        .any(|p| norm.starts_with(p));
        let implied = if here.is_empty() && pronoun && carried.len() == 1 {
            carried.clone()
        } else if here.is_empty() && under.len() == 1 && !sentence.heading {
            under.clone()
        } else {
            Vec::new()
        };
        let near = |k: Option<usize>| k.and_then(|k| admits.get(k)).copied().unwrap_or(false);
        let admitted = near(Some(i)) || near(i.checked_sub(1)) || near(Some(i + 1));
        let subjects = words::indicators(&sentence.tokens, found);
        for clause in clauses(&sentence.tokens, &more) {
            let judge = Judge {
                ground,
                subjects: &subjects,
                admitted,
            };
            if let Some(why) = judge.clause(&clause, &implied, &more) {
                let (start, end) = span(&clause);
                out.push(Wrong { start, end, why });
            }
        }
        if !here.is_empty() {
            carried = here;
        }
    }
    out
}

fn listed(tokens: &[Token]) -> bool {
    tokens
        .first()
        .is_some_and(|t| t.is('-') || t.is('*') || t.is('•') || matches!(t.kind, Kind::Number(_)))
}

/// The clause without the marks at its ends.
fn span(clause: &[Token]) -> (usize, usize) {
    let mark = |t: &&Token| matches!(t.kind, Kind::Mark(_));
    let first = clause.iter().find(|t| !mark(t)).or_else(|| clause.first());
    let last = clause
        .iter()
        .rev()
        .find(|t| !mark(t))
        .or_else(|| clause.last());
    (first.map_or(0, |t| t.start), last.map_or(0, |t| t.end))
}

fn imperative(tokens: &[Token]) -> bool {
    let first = tokens
        .iter()
        .map(Token::word)
        .find(|w| !w.is_empty())
        .unwrap_or_default();
    matches!(
        first,
        "check"
            | "ask"
            | "query"
            | "block"
            | "consider"
            | "verify"
            | "confirm"
            | "search"
            | "look"
            | "submit"
            | "try"
            | "set"
            | "add"
            | "retry"
            | "wait"
            | "rerun"
            | "re-run"
            | "recommend"
            | "recommended"
            | "treat"
            | "monitor"
            | "use"
            | "cross-check"
            | "compare"
            | "configure"
    )
}

/// Cuts a sentence where one statement ends and the next begins.
fn clauses(tokens: &[Token], more: &[&str]) -> Vec<Vec<Token>> {
    let mut out: Vec<Vec<Token>> = vec![Vec::new()];
    for (i, token) in tokens.iter().enumerate() {
        let next = tokens.get(i + 1).map_or("", Token::word);
        let last_word = i
            .checked_sub(1)
            .and_then(|k| tokens.get(k))
            .map_or("", Token::word);
        let hard = token.is(';')
            || matches!(
                token.word(),
                "but" | "while" | "whereas" | "although" | "though" | "yet"
            )
            || (token.word() == "because" && last_word != "not")
            || (token.word() == "and" && matches!(next, "should" | "must" | "can" | "could"))
            || token.is(',')
                && matches!(
                    next,
                    "which" | "so" | "meaning" | "therefore" | "hence" | "i.e"
                );
        let soft = token.is(',')
            || token.is('—')
            || matches!(token.word(), "and" | "or" | "nor")
            || token.is('(');
        let last = out.last().map(Vec::as_slice).unwrap_or_default();
        let rest = tokens.get(i + 1..).unwrap_or_default();
        let splits = hard || (soft && states(last, more) && states(upto(rest), more));
        if splits {
            out.push(Vec::new());
            if hard {
                continue;
            }
        }
        if let Some(last) = out.last_mut() {
            last.push(token.clone());
        }
    }
    out.retain(|c| !c.is_empty());
    out
}

/// Words in which a new statement has to show itself.
const AHEAD: usize = 40;

/// The words up to the next hard cut.
fn upto(tokens: &[Token]) -> &[Token] {
    let end = tokens
        .iter()
        .position(|t| {
            t.is(';')
                || matches!(
                    t.word(),
                    "but" | "while" | "whereas" | "although" | "though"
                )
        })
        .unwrap_or(tokens.len())
        .min(AHEAD);
    tokens.get(..end).unwrap_or_default()
}

/// Whether these words name a source and say something of it.
fn states(tokens: &[Token], more: &[&str]) -> bool {
    let norm = words::norm(tokens);
    !sources::named(&norm, more).is_empty() && !says(&norm).is_empty()
}

struct Judge<'a, 'g> {
    ground: &'a Ground<'g>,
    subjects: &'a [&'a Indicator],
    admitted: bool,
}

impl Judge<'_, '_> {
    fn clause(&self, clause: &[Token], implied: &[Named], more: &[&str]) -> Option<&'static str> {
        let norm = words::norm(clause);
        let said = says(&norm);
        if said.is_empty() {
            return None;
        }
        let mut named = sources::named(&norm, more);
        if named.is_empty() {
            named = implied.to_vec();
        }
        if named.is_empty() {
            return self.for_all(&norm, &said);
        }
        if self.ground.of_the_person(&norm, &named) {
            return None;
        }
        // One source that quotes another.
        let quoted = |n: &Named| !n.ours && self.ground.quotes(&n.tool);
        if named.len() > 1 && named.iter().any(quoted) {
            named.retain(|n| !n.ours);
        }
        // `No source but URLhaus lists it` and the like are left to the reader.
        let except = has(
            &norm,
            &[
                " except ",
                " other than ",
                " apart from ",
                " besides ",
                " only ",
            ],
        );
        named.iter().find_map(|n| {
            said.iter()
                .find_map(|s| self.one(n, *s, except && *s == Says::Unlisted))
        })
    }

    fn one(&self, source: &Named, says: Says, except: bool) -> Option<&'static str> {
        let answers = self.answers(&source.tool);
        if answers.is_empty() {
            if says == Says::CouldNotLook {
                return None;
            }
            let elsewhere =
                self.ground.quotes(&source.tool) || self.ground.person.contains(&source.tool);
            // Evidence that names the other source may be what is quoted.
            return (source.ours || !elsewhere).then_some(NOT_ASKED);
        }
        let looked: Vec<&Answer> = answers
            .iter()
            .filter(|a| a.status != Status::CouldNotLook)
            .collect();
        if says == Says::CouldNotLook {
            let all_answered = looked.len() == answers.len();
            return (all_answered && looked.iter().any(|a| bad(a))).then_some(ANSWERED);
        }
        if looked.is_empty() {
            return Some(COULD_NOT);
        }
        let any = |f: &dyn Fn(&Answer) -> bool| looked.iter().any(|a| f(a));
        let ok = match says {
            Says::Malicious => any(&|a| a.verdict == Some(Verdict::Malicious)),
            Says::Flagged | Says::Suspicious => any(&bad),
            Says::Clean => any(&|a| a.verdict == Some(Verdict::Harmless)),
            Says::Listed => any(&|a| a.status == Status::Found),
            Says::Unlisted => except || any(&|a| !bad(a)),
            Says::NotMalicious => any(&|a| a.verdict != Some(Verdict::Malicious)),
            Says::CouldNotLook => true,
        };
        if ok {
            return None;
        }
        Some(match says {
            Says::Clean => NOT_HARMLESS,
            Says::Listed => NOT_LISTED,
            Says::Unlisted | Says::NotMalicious => LISTED,
            _ if any(&|a| a.status == Status::Found) => NOT_MALICIOUS,
            _ => NOT_LISTED,
        })
    }

    /// A statement that names no source.
    fn for_all(&self, norm: &str, said: &[Says]) -> Option<&'static str> {
        let answers = self.ground.answers(None, self.subjects);
        if answers.is_empty() {
            return None;
        }
        let could_not = answers.iter().any(|a| a.0 == Status::CouldNotLook);
        let worst = answers.iter().any(|a| a.1 == Some(Verdict::Malicious));
        let any_bad = worst || answers.iter().any(|a| a.1 == Some(Verdict::Suspicious));
        let harmless = answers.iter().any(|a| a.1 == Some(Verdict::Harmless));
        let only_asked = has(
            norm,
            &[
                " that answered ",
                " that could be ",
                " could be asked ",
                " could be queried ",
                " that was asked ",
                " that were asked ",
                " i could ",
                " queried source ",
                " queried sources ",
                " reachable ",
                " responded ",
                " that responded ",
                " remaining ",
                " other ",
                " others ",
                " other than ",
                " available ",
                " answering ",
                " that looked ",
                " able to look ",
                " which answered ",
            ],
        );
        let everywhere = has(norm, EVERYWHERE);
        let unlisted = said.contains(&Says::Unlisted) || said.contains(&Says::NotMalicious);
        if unlisted && (everywhere || has(norm, FINDING)) {
            if any_bad && everywhere && !only_asked && !has(norm, &[" except ", " only "]) {
                return Some(SOME_MALICIOUS);
            }
            if could_not && !only_asked && !self.admitted {
                return Some(SOME_COULD_NOT);
            }
            return None;
        }
        if said.contains(&Says::Clean) && (everywhere || predicate(norm, CLEAN)) {
            if harmless && !any_bad || self.ground.person_says(CLEAN) {
                return None;
            }
            return Some(match (any_bad, could_not) {
                (true, _) => SOME_MALICIOUS,
                (false, true) => SOME_COULD_NOT,
                (false, false) => NONE_HARMLESS,
            });
        }
        if said.contains(&Says::Malicious)
            && everywhere
            && has(norm, &[" all ", " every ", " both ", " each "])
        {
            let all = answers.iter().all(|a| a.1 == Some(Verdict::Malicious));
            return (!all).then_some(if could_not {
                SOME_COULD_NOT
            } else {
                SOME_MALICIOUS
            });
        }
        if said.contains(&Says::Malicious) && predicate(norm, MALICIOUS) {
            let hedged = has(
                norm,
                &[
                    " likely ",
                    " probably ",
                    " may ",
                    " might ",
                    " possibly ",
                    " appears ",
                    " seems ",
                    " looks ",
                    " suspected ",
                    " potentially ",
                    " presumably ",
                ],
            );
            let ok = worst || (hedged && any_bad) || self.ground.person_says(MALICIOUS);
            return (!ok).then_some(NONE_MALICIOUS);
        }
        None
    }

    fn answers(&self, tool: &str) -> Vec<Answer> {
        self.ground
            .answers(Some(tool), self.subjects)
            .into_iter()
            .map(|(status, verdict)| Answer { status, verdict })
            .collect()
    }
}

fn bad(a: &Answer) -> bool {
    matches!(a.verdict, Some(Verdict::Malicious | Verdict::Suspicious))
}

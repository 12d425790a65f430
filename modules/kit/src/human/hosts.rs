//! Refusals of the host of a URL that was named: `check http://evil.com/a but not its host`. The host stands in
//! no word of its own, so no clause judges it.

use super::lex::{Kind, Token};

/// Words for the host of a URL.
const HOSTS: &[&str] = &[
    "host",
    "hosts",
    "hostname",
    "hostnames",
    "domain",
    "domains",
    "server",
    "servers",
    "site",
];
const NEGATIONS: &[&str] = &[
    "not",
    "no",
    "don't",
    "dont",
    "never",
    "without",
    "except",
    "excepting",
    "excluding",
    "exclude",
    "minus",
    "nor",
    "ignore",
    "skip",
    "avoid",
    "leave",
    "omit",
    "forget",
    "disregard",
    "mustn't",
    "shouldn't",
    "won't",
    "cannot",
    "can't",
    "nothing",
    "keep",
    "spare",
];
/// Tokens between a negation and the word, at most.
const REACH: usize = 8;

/// URLs of a sentence whose hosts one word can refuse, at most.
const MOST: usize = 16;

/// A refused host: the indicator tokens (indices of spans) whose host is meant, and where the word stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RefusedHost {
    pub(super) spans: Vec<usize>,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Refused hosts of URLs; `is_url` tells which spans are URLs.
pub(super) fn refused(tokens: &[Token], is_url: impl Fn(usize) -> bool) -> Vec<RefusedHost> {
    let mut out = Vec::new();
    // URLs of the present sentence, and of the one before.
    let (mut here, mut before): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut start = 0;
    for (at, token) in tokens.iter().enumerate() {
        match &token.kind {
            Kind::Ind(span) if here.len() < MOST && is_url(*span) => here.push(*span),
            Kind::Stop(_) | Kind::Newline => {
                if !here.is_empty() {
                    before = std::mem::take(&mut here);
                }
                start = at + 1;
            }
            Kind::Word(w) if HOSTS.contains(&w.as_str()) => {
                let urls = if here.is_empty() { &before } else { &here };
                let named = matches!(tokens.get(at + 1).map(|t| &t.kind), Some(Kind::Ind(_)));
                if !urls.is_empty() && !named && refuses(tokens, start, at) {
                    out.push(RefusedHost {
                        spans: urls.clone(),
                        start: token.start,
                        end: token.end,
                    });
                }
            }
            _ => {}
        }
    }
    out
}

/// Whether the host word at `at` is refused by what stands before or behind it in its sentence.
fn refuses(tokens: &[Token], start: usize, at: usize) -> bool {
    let determiner = at
        .checked_sub(1)
        .and_then(|n| tokens.get(n))
        .and_then(Token::word)
        .is_some_and(|w| {
            matches!(
                w,
                "its" | "it's" | "the" | "their" | "that" | "this" | "these" | "those" | "any"
            )
        });
    if !determiner {
        return false;
    }
    let from = start.max(at.saturating_sub(REACH));
    for n in (from..at).rev() {
        match &tokens[n].kind {
            Kind::Ind(_) => break,
            Kind::Word(w) if NEGATIONS.contains(&w.as_str()) => {
                let next = tokens.get(n + 1).and_then(Token::word);
                let only = matches!(
                    next,
                    Some("only" | "just" | "sure" | "know" | "mind" | "forget" | "skip" | "miss")
                );
                let keep = w == "keep"
                    && !tokens
                        .iter()
                        .skip(at)
                        .take(4)
                        .any(|t| matches!(t.word(), Some("out" | "away" | "off")));
                return !only && !keep;
            }
            // Another order begins behind a `but` or a comma that no negation follows.
            Kind::Word(w) if matches!(w.as_str(), "but" | "also") => break,
            _ => {}
        }
    }
    let behind: Vec<&str> = tokens
        .iter()
        .skip(at + 1)
        .take(4)
        .map_while(Token::word)
        .collect();
    matches!(
        behind.as_slice(),
        [
            "is" | "stays" | "remains",
            "off-limits" | "out-of-scope",
            ..
        ] | ["is" | "stays", "off", "limits", ..]
            | ["is", "out", "of", "scope"]
            | ["must" | "should" | "shall" | "may", "not", ..]
            | ["mustn't" | "shouldn't" | "stays", ..]
            | ["itself", "must" | "should" | "shall", "not", ..]
    )
}

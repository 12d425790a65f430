//! An answer cut into words, sentences and clauses, with byte ranges, and without what is quoted from the
//! person.

use super::dates::{self, Day};
use super::numbers;
use kit::Indicator;
use kit::extract::Found;

/// One word.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// Letters, lower case, apostrophes straight.
    Word(String),
    /// A number.
    Number(f64),
    /// An indicator (an index into the list that was found).
    Indicator(usize),
    /// A whole date.
    Day(Day),
    /// A mark.
    Mark(char),
}

/// A word with its place.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// A number that is written in letters.
    pub(super) letters: bool,
}

impl Token {
    pub(super) fn word(&self) -> &str {
        match &self.kind {
            Kind::Word(w) => w,
            _ => "",
        }
    }

    pub(super) fn is(&self, mark: char) -> bool {
        self.kind == Kind::Mark(mark)
    }
}

/// A sentence, a list item, a heading or a table row.
#[derive(Clone, Debug)]
pub(super) struct Sentence {
    /// Its words.
    pub(super) tokens: Vec<Token>,
    /// It ends in a question mark.
    pub(super) question: bool,
    /// It is a heading: `#`, or it ends in a colon.
    pub(super) heading: bool,
    /// It begins a paragraph.
    pub(super) opens: bool,
}

/// Words of one sentence at most.
const LONGEST: usize = 400;

/// Cuts `text`; `found` are its indicators, `skip` the ranges that are not the model's own words.
pub(super) fn sentences(text: &str, found: &[Found], skip: &[(usize, usize)]) -> Vec<Sentence> {
    let tokens = tokens(text, found, skip);
    let mut out = Vec::new();
    let mut now: Vec<Token> = Vec::new();
    let mut opens = true;
    let mut close = |now: &mut Vec<Token>, question: bool, opens: bool| {
        let tokens = std::mem::take(now);
        if tokens.iter().any(|t| !matches!(t.kind, Kind::Mark(_))) {
            let hash = tokens.first().is_some_and(|t| t.is('#'));
            let colon = tokens
                .iter()
                .rev()
                .find(|t| !t.is('*') && !t.is('_'))
                .is_some_and(|t| t.is(':'));
            let bold = tokens.first().is_some_and(|t| t.is('*'))
                && tokens.last().is_some_and(|t| t.is('*'))
                && tokens.len() <= 10;
            out.push(Sentence {
                heading: hash || colon || bold,
                tokens,
                question,
                opens,
            });
        }
    };
    for (i, token) in tokens.iter().enumerate() {
        let next = tokens.get(i + 1);
        match token.kind {
            Kind::Mark('\n') => {
                let goes_on = next.is_some_and(|n| {
                    let first = text.get(n.start..).and_then(|t| t.chars().next());
                    first.is_some_and(char::is_lowercase)
                }) && now
                    .last()
                    .is_some_and(|t| !matches!(t.kind, Kind::Mark(_) | Kind::Day(_)) || t.is(','));
                if !goes_on {
                    close(&mut now, false, opens);
                    opens = next.is_none_or(|n| n.is('\n')) || opens;
                }
                continue;
            }
            Kind::Mark('.' | '!' | '?') => {
                let ends =
                    next.is_none_or(|n| n.start > token.end || matches!(n.kind, Kind::Mark(_)));
                let abbreviated = token.is('.')
                    && now.last().is_some_and(|t| {
                        matches!(
                            t.word(),
                            "e.g" | "i.e" | "approx" | "vs" | "etc" | "no" | "incl" | "ca"
                        )
                    })
                    && next.is_some_and(|n| !n.is('\n'));
                // `1.` at the beginning of a line numbers a list.
                let listed = now.len() == 1
                    && matches!(now.first().map(|t| &t.kind), Some(Kind::Number(_)))
                    && token.is('.');
                now.push(token.clone());
                if ends && !abbreviated && !listed {
                    close(&mut now, token.is('?'), opens);
                    opens = false;
                }
            }
            // What has no end is cut: no statement is so long.
            _ if now.len() >= LONGEST => {
                close(&mut now, false, opens);
                now.push(token.clone());
            }
            _ => now.push(token.clone()),
        }
    }
    close(&mut now, false, opens);
    out
}

fn tokens(text: &str, found: &[Found], skip: &[(usize, usize)]) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    let mut at = 0;
    let mut next_found = 0;
    let mut next_skip = 0;
    while let Some(c) = text.get(at..).and_then(|t| t.chars().next()) {
        while skip.get(next_skip).is_some_and(|s| s.1 <= at) {
            next_skip += 1;
        }
        if let Some(&(start, end)) = skip.get(next_skip)
            && start <= at
        {
            at = end.max(at + c.len_utf8());
            continue;
        }
        while found.get(next_found).is_some_and(|f| f.end <= at) {
            next_found += 1;
        }
        if let Some(f) = found.get(next_found)
            && f.start <= at
        {
            let home = f.indicator.kind() == kit::IndicatorType::Domain
                && super::sources::is_home(f.indicator.value());
            let kind = if home {
                Kind::Word(f.indicator.value().to_owned())
            } else {
                Kind::Indicator(next_found)
            };
            out.push(Token {
                kind,
                start: at,
                end: f.end,
                letters: false,
            });
            at = f.end.max(at + c.len_utf8());
            continue;
        }
        if c.is_alphanumeric() {
            let stop = found.get(next_found).map_or(text.len(), |f| f.start);
            let end = word_end(text, at, stop);
            let raw = text.get(at..end).unwrap_or_default();
            push_word(&mut out, raw, at);
            at = end.max(at + c.len_utf8());
        } else {
            if c == '\n' || !c.is_whitespace() {
                let kind = Kind::Mark(match c {
                    '？' => '?',
                    '–' | '—' => '—',
                    c => c,
                });
                out.push(Token {
                    kind,
                    start: at,
                    end: at + c.len_utf8(),
                    letters: false,
                });
            }
            at += c.len_utf8();
        }
    }
    out
}

/// The end of the word that begins at `at`: marks inside it belong to it where a letter or digit follows.
fn word_end(text: &str, at: usize, stop: usize) -> usize {
    let digit_first = text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let body = text.get(at..stop).unwrap_or_default();
    let mut chars = body.char_indices().peekable();
    let mut digits_so_far = digit_first;
    while let Some((i, c)) = chars.next() {
        if c.is_alphanumeric() {
            digits_so_far &= c.is_ascii_digit();
            continue;
        }
        let next = chars.peek().map(|(_, n)| *n);
        let next_digit = next.is_some_and(|n| n.is_ascii_digit());
        let inside = match c {
            '.' | '_' | '\'' | '’' => next.is_some_and(char::is_alphanumeric),
            ',' => next_digit && (digits_so_far || digit_first),
            ':' => digit_first && next_digit,
            // `could-not`, `2026-03-12`; but `37-times` are two words.
            '-' | '/' => {
                if digit_first {
                    let date = || dates::iso(body.get(i.saturating_sub(4)..).unwrap_or_default());
                    next_digit && (c == '-' || date().is_some())
                } else {
                    c == '-' && next.is_some_and(char::is_alphanumeric)
                }
            }
            // Thin and unbreakable blanks group digits.
            '\u{202f}' | '\u{a0}' | '\u{2009}' => {
                digits_so_far && {
                    let group: String = body
                        .get(i + c.len_utf8()..)
                        .unwrap_or_default()
                        .chars()
                        .take(4)
                        .collect();
                    let three = group.chars().take(3).filter(char::is_ascii_digit).count() == 3;
                    three && !group.chars().nth(3).is_some_and(|c| c.is_ascii_digit())
                }
            }
            _ => false,
        };
        if !inside {
            return at + i;
        }
        if !c.is_whitespace() {
            digits_so_far = digit_first;
        }
    }
    at + body.len()
}

fn push_word(out: &mut Vec<Token>, raw: &str, at: usize) {
    let end = at + raw.len();
    let digit_first = raw.as_bytes().first().is_some_and(u8::is_ascii_digit);
    let mut push = |kind: Kind, start: usize, end: usize| {
        out.push(Token {
            kind,
            start,
            end,
            letters: !digit_first,
        });
    };
    if digit_first {
        if let Some(day) = dates::iso(raw) {
            return push(Kind::Day(day), at, end);
        }
        if let Some(v) = numbers::parse(raw) {
            return push(Kind::Number(v), at, end);
        }
        // `22,80,443` and `8080-8090` are several.
        let list: Vec<&str> = raw.split([',', '-']).collect();
        if list.len() > 1
            && list.iter().all(|p| numbers::parse(p).is_some())
            && raw.matches('-').count() <= 1
        {
            let mut from = at;
            for p in list {
                if let Some(v) = numbers::parse(p) {
                    push(Kind::Number(v), from, from + p.len());
                }
                from += p.len() + 1;
            }
            return;
        }
        if let Some((v, tail)) = numbers::with_tail(raw) {
            push(Kind::Number(v), at, end - tail.len());
            if !tail.is_empty() {
                push(Kind::Word(tail.to_lowercase()), end - tail.len(), end);
            }
            return;
        }
    }
    let word = raw.to_lowercase().replace('’', "'");
    if let Some(v) = numbers::spelled(&word) {
        return push(Kind::Number(v), at, end);
    }
    push(Kind::Word(word), at, end);
}

/// The words of these tokens with single blanks, a blank at both ends; indicators are `§`, numbers `#`.
pub(super) fn norm(tokens: &[Token]) -> String {
    let mut out = String::from(" ");
    for t in tokens {
        match &t.kind {
            Kind::Word(w) => out.push_str(w),
            Kind::Number(v) if *v == 0.0 => out.push_str("zero"),
            Kind::Number(_) | Kind::Day(_) => out.push('#'),
            Kind::Indicator(_) => out.push('§'),
            Kind::Mark(c @ (':' | '|' | '—' | ',')) => out.push(*c),
            Kind::Mark(_) => continue,
        }
        out.push(' ');
    }
    out
}

/// The indicators in these tokens.
pub(super) fn indicators<'a>(tokens: &[Token], found: &'a [Found]) -> Vec<&'a Indicator> {
    tokens
        .iter()
        .filter_map(|t| match t.kind {
            Kind::Indicator(i) => found.get(i).map(|f| &f.indicator),
            _ => None,
        })
        .collect()
}

/// Ranges of the answer that are code, or that quote the person word for word.
pub(super) fn not_own(answer: &str, person: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut at = 0;
    let mut fenced = false;
    let person = squeeze(person);
    for line in answer.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
        let quoted =
            trimmed.starts_with('>') && is_of(trimmed.trim_start_matches(['>', ' ']), &person);
        if fence || fenced || quoted {
            out.push((at, at + line.len()));
        } else {
            quotes(line, at, &person, &mut out);
        }
        if fence {
            fenced = !fenced;
        }
        at += line.len();
    }
    out
}

fn quotes(line: &str, base: usize, person: &str, out: &mut Vec<(usize, usize)>) {
    let mut tried = 0;
    for (open, close) in [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»')] {
        let mut from = 0;
        while let Some(start) = line
            .get(from..)
            .and_then(|l| l.find(open))
            .map(|i| i + from)
        {
            let inner = start + open.len_utf8();
            let Some(len) = line.get(inner..).and_then(|l| l.find(close)) else {
                break;
            };
            let end = inner + len + close.len_utf8();
            tried += 1;
            if tried < 100 && is_of(line.get(inner..inner + len).unwrap_or_default(), person) {
                out.push((base + start, base + end));
            }
            from = end;
        }
    }
    out.sort_unstable();
}

fn is_of(quote: &str, person: &str) -> bool {
    let quote = squeeze(quote);
    quote.len() >= 6 && person.contains(quote.trim_end_matches(['.', ',', '!', '?', ' ']))
}

fn squeeze(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
        .replace('’', "'")
}

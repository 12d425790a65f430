//! Authorization by clause: what a message names, refuses, quotes or keeps at home.

use super::clause::{self, Says};
use super::hosts;
use super::lex::{Kind, lex};
use super::machine::{self, Machine};
use super::regions::{self, Region};
use super::typos;
use crate::extract::{Found, extract};
use crate::indicator::{Indicator, IndicatorType};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// What the words around an indicator say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stance {
    /// Named by the person in their own words: may be looked up.
    Authorize,
    /// Refused by name (`don't look up X`): goes on the deny list.
    Deny,
    /// Seen, but not the person's own words (quote, code fence, log line, long paste), or named without a wish.
    Listed,
    /// Marked `TLP:RED` or `TLP:AMBER+STRICT`: known to the case, never sent to an outside source.
    Red,
}

/// One indicator of a message and what the message says about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mention {
    /// The indicator in canonical form.
    pub indicator: Indicator,
    /// What the clause says about it.
    pub stance: Stance,
    /// One short phrase for the screen: `named`, `refused`, `quoted line`, `code fence`, `paste of 14 lines`, `TLP:RED`,
    /// `TLP:AMBER+STRICT`, `log or table`, `quotation`, `reported speech`, `negated clause`.
    pub why: String,
    /// Byte offset of the first byte in the message.
    pub start: usize,
    /// Byte offset behind the last byte.
    pub end: usize,
}

/// Settings of [`read`].
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// A message of more lines than this is treated as a paste: it only lists. Default 10.
    pub paste_lines: usize,
    /// When true, a paste authorizes like typed words (`[ai] authorize_pasted = "yes"`).
    pub authorize_pasted: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            paste_lines: 10,
            authorize_pasted: false,
        }
    }
}

/// A whole message, read. One entry an indicator: where a message names one twice, the stronger stance
/// stands (`Red` over `Deny` over `Authorize` over `Listed`), except that a later plain naming lifts a denial.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// In order of first appearance.
    pub mentions: Vec<Mention>,
}

impl Reading {
    /// The indicators with this stance, in order of appearance.
    pub fn with(&self, stance: Stance) -> impl Iterator<Item = &Indicator> {
        self.mentions
            .iter()
            .filter(move |m| m.stance == stance)
            .map(|m| &m.indicator)
    }
}

/// Reads a person's own message, clause by clause.
///
/// * Named in the person's own words authorizes, in questions too (`is X not malicious?`).
/// * A refusal (`don't …`, `not X`, `ignore X`, `leave X alone`, `X must not be queried`) reaches to the end of its
///   clause and no further.
/// * Quoted lines, code, quotations of more than a value, reported speech and long pastes only list; so does what a
///   machine wrote, however short: JSON, log lines, mail headers, tables. `authorize_pasted` lifts that for pastes
///   and code, never for what is marked as somebody else's words.
/// * A refusal of the host of a named URL (`but not its host`) refuses that host.
/// * `TLP:RED` beside an indicator, or as the first or last line, keeps it at home. So does `TLP:AMBER+STRICT`, which
///   limits sharing to the organization alone (FIRST, TLP 2.0); `TLP:AMBER` allows its clients and changes nothing.
#[must_use]
pub fn read(text: &str, options: &ReadOptions) -> Reading {
    let found = apart(text);
    if found.is_empty() {
        return Reading::default();
    }
    let red = regions::red(text, &found);
    let mut hosts = Vec::new();
    let line_count = text.trim().lines().count();
    let stances = if line_count > options.paste_lines && !options.authorize_pasted {
        let why = format!("paste of {line_count} lines");
        vec![(Stance::Listed, why, false); found.len()]
    } else {
        own_words(text, &found, options, &mut hosts)
    };
    let red_name = regions::red_name(text);
    let mut by_indicator: HashMap<&Indicator, usize> = HashMap::new();
    let mut mentions: Vec<Mention> = Vec::new();
    for ((item, (stance, why, wish)), red) in found.iter().zip(stances).zip(red) {
        let (stance, why) = if red {
            (Stance::Red, red_name.to_owned())
        } else {
            (stance, why)
        };
        let new = Mention {
            indicator: item.indicator.clone(),
            stance,
            why,
            start: item.start,
            end: item.end,
        };
        match by_indicator
            .get(&item.indicator)
            .and_then(|n| mentions.get_mut(*n))
        {
            Some(old) if stronger(stance, old.stance, wish) => *old = new,
            Some(_) => {}
            None => {
                by_indicator.insert(&item.indicator, mentions.len());
                mentions.push(new);
            }
        }
    }
    for new in hosts {
        match mentions.iter_mut().find(|m| m.indicator == new.indicator) {
            Some(old) if old.stance != Stance::Red => *old = new,
            Some(_) => {}
            None => mentions.push(new),
        }
    }
    Reading { mentions }
}

/// The indicators of a text that a marking keeps at home (`TLP:RED`, `TLP:AMBER+STRICT`): beside it in its sentence or
/// line, or below a line that is only a marking. For text that is no person's message: attachments, standard input.
/// Each once, in order of appearance.
#[must_use]
pub fn red_in(text: &str) -> Vec<Indicator> {
    let found = apart(text);
    let red = regions::red(text, &found);
    let mut seen: HashSet<Indicator> = HashSet::new();
    found
        .into_iter()
        .zip(red)
        .filter(|(f, red)| *red && seen.insert(f.indicator.clone()))
        .map(|(f, _)| f.indicator)
        .collect()
}

/// What stands in a text, in order and without overlaps.
fn apart(text: &str) -> Vec<Found> {
    let mut found = extract(text);
    found.sort_by_key(|f| (f.start, f.end));
    let mut end = 0;
    found.retain(|f| {
        let keep = f.start >= end && f.end > f.start;
        if keep {
            end = f.end;
        }
        keep
    });
    found
}

/// Whether a later mention replaces an earlier one.
fn stronger(new: Stance, old: Stance, wish: bool) -> bool {
    match (new, old) {
        (Stance::Listed, _) | (_, Stance::Red) => false,
        (Stance::Authorize, Stance::Deny) => wish,
        (new, old) => new != old,
    }
}

/// Stance, reason and whether the sentence asks for something, for each found indicator. Refused hosts of URLs go to
/// `refused_hosts`.
fn own_words(
    text: &str,
    found: &[Found],
    options: &ReadOptions,
    refused_hosts: &mut Vec<Mention>,
) -> Vec<(Stance, String, bool)> {
    let map = regions::map(text, found);
    let machine = if options.authorize_pasted {
        Vec::new()
    } else {
        machine::stretches(text)
    };
    let written_by = |byte: usize| machine::at(&machine, byte);
    let listed = |why: &str| (Stance::Listed, why.to_owned(), false);
    let region = |byte: usize| match map.at(byte) {
        Region::Code if options.authorize_pasted => Region::Own,
        region => region,
    };
    let mut out: Vec<(Stance, String, bool)> = found
        .iter()
        .map(|f| match region(f.start) {
            Region::Own if written_by(f.start).is_some() => listed("log or table"),
            Region::Own => listed("named"),
            Region::QuotedLine => listed("quoted line"),
            Region::Code => listed("code fence"),
            Region::Quotation => listed("quotation"),
        })
        .collect();
    let spans: Vec<(usize, usize)> = found.iter().map(|f| (f.start, f.end)).collect();
    let mut tokens = lex(text, &spans);
    // What is not the person's own becomes a line end: no clause reaches over it. Words in quotation marks
    // just vanish, so that `don't "click here" on X` still reads on.
    tokens.retain_mut(|t| match region(t.start) {
        // Notes in a table may refuse; a log says nothing to us.
        Region::Own if written_by(t.start) == Some(Machine::Log) => {
            t.kind = Kind::Newline;
            true
        }
        Region::Own => true,
        Region::Quotation => false,
        Region::QuotedLine | Region::Code => {
            t.kind = Kind::Newline;
            true
        }
    });
    typos::mend(&mut tokens);
    let is_url = |span: usize| {
        found
            .get(span)
            .is_some_and(|f| f.indicator.kind() == IndicatorType::Url)
    };
    for refused in hosts::refused(&tokens, is_url) {
        let hosts = refused
            .spans
            .iter()
            .filter_map(|span| found.get(*span)?.indicator.host());
        refused_hosts.extend(hosts.map(|indicator| Mention {
            indicator,
            stance: Stance::Deny,
            why: "refused".to_owned(),
            start: refused.start,
            end: refused.end,
        }));
    }
    for judged in clause::judge(&tokens) {
        let in_table = found
            .get(judged.span)
            .is_some_and(|f| written_by(f.start).is_some());
        if let Some(slot) = out.get_mut(judged.span) {
            *slot = match judged.says {
                Says::Plain if in_table => continue,
                Says::Plain => (Stance::Authorize, "named".to_owned(), judged.wish),
                Says::Refused => (Stance::Deny, "refused".to_owned(), judged.wish),
                Says::Doubtful => listed("negated clause"),
                Says::Reported => listed("reported speech"),
            };
        }
    }
    out
}

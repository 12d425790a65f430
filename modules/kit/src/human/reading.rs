//! Authorization by clause: what a message names, refuses, quotes or keeps at home.

use super::clause::{self, Says};
use super::lex::{Kind, lex};
use super::regions::{self, Region};
use crate::extract::{Found, extract};
use crate::indicator::Indicator;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// What the words around an indicator say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stance {
    /// Named by the person in their own words: may be looked up.
    Authorize,
    /// Refused by name (`don't look up X`): goes on the deny list.
    Deny,
    /// Seen, but not the person's own words (quote, code fence, long paste), or named without a wish.
    Listed,
    /// Marked `TLP:RED`: known to the case, never sent to an outside source.
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
    /// `quotation`, `reported speech`, `negated clause`.
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
/// * Quoted lines, code, quotations of more than a value, reported speech and long pastes only list.
///   `authorize_pasted` lifts that for pastes and code, never for what is marked as somebody else's words.
/// * `TLP:RED` beside an indicator, or as the first or last line, keeps it at home.
#[must_use]
pub fn read(text: &str, options: &ReadOptions) -> Reading {
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
    if found.is_empty() {
        return Reading::default();
    }
    let red = regions::red(text, &found);
    let line_count = text.trim().lines().count();
    let stances = if line_count > options.paste_lines && !options.authorize_pasted {
        let why = format!("paste of {line_count} lines");
        vec![(Stance::Listed, why, false); found.len()]
    } else {
        own_words(text, &found, options)
    };
    let mut by_indicator: HashMap<&Indicator, usize> = HashMap::new();
    let mut mentions: Vec<Mention> = Vec::new();
    for ((item, (stance, why, wish)), red) in found.iter().zip(stances).zip(red) {
        let (stance, why) = if red {
            (Stance::Red, "TLP:RED".to_owned())
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
    Reading { mentions }
}

/// Whether a later mention replaces an earlier one.
fn stronger(new: Stance, old: Stance, wish: bool) -> bool {
    match (new, old) {
        (Stance::Listed, _) | (_, Stance::Red) => false,
        (Stance::Authorize, Stance::Deny) => wish,
        (new, old) => new != old,
    }
}

/// Stance, reason and whether the sentence asks for something, for each found indicator.
fn own_words(text: &str, found: &[Found], options: &ReadOptions) -> Vec<(Stance, String, bool)> {
    let map = regions::map(text, found);
    let listed = |why: &str| (Stance::Listed, why.to_owned(), false);
    let region = |byte: usize| match map.at(byte) {
        Region::Code if options.authorize_pasted => Region::Own,
        region => region,
    };
    let mut out: Vec<(Stance, String, bool)> = found
        .iter()
        .map(|f| match region(f.start) {
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
        Region::Own => true,
        Region::Quotation => false,
        Region::QuotedLine | Region::Code => {
            t.kind = Kind::Newline;
            true
        }
    });
    for judged in clause::judge(&tokens) {
        if let Some(slot) = out.get_mut(judged.span) {
            *slot = match judged.says {
                Says::Plain => (Stance::Authorize, "named".to_owned(), judged.wish),
                Says::Refused => (Stance::Deny, "refused".to_owned(), judged.wish),
                Says::Doubtful => listed("negated clause"),
                Says::Reported => listed("reported speech"),
            };
        }
    }
    out
}

//! What lies over the screen: help, lists to choose from, one-line questions.

use super::composer::Composer;
use super::setup::Setup;
use super::style::Look;
use crate::engine::view::{CaseId, Hit};
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// Something over the screen. It takes all keys.
#[derive(Debug)]
pub enum Overlay {
    /// Lines to read.
    Words {
        /// Title.
        title: String,
        /// Lines.
        lines: Vec<(Look, String)>,
        /// First line shown.
        scroll: usize,
    },
    /// A list to choose from.
    Pick(Pick),
    /// Search over all cases.
    Find {
        /// Words.
        input: Composer,
        /// Hits.
        hits: Vec<Hit>,
        /// Selected.
        selected: usize,
    },
    /// What the message authorizes.
    Reading {
        /// Selected.
        selected: usize,
    },
    /// One line of text.
    Ask {
        /// Title.
        title: String,
        /// What the answer is for.
        what: Question,
        /// Text.
        input: Composer,
        /// Why the last answer was not taken; empty: it was not asked before.
        problem: String,
    },
    /// The guided setup.
    Setup(Box<Setup>),
}

impl Overlay {
    /// Asks for one line of text that begins as `text`.
    #[must_use]
    pub fn ask(title: impl Into<String>, what: Question, text: impl Into<String>) -> Self {
        let mut input = Composer::default();
        input.set(text.into());
        Self::Ask {
            title: title.into(),
            what,
            input,
            problem: String::new(),
        }
    }
}

/// What a line of text is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Reason of a denial.
    Reason(u64),
    /// New title.
    Rename(CaseId),
    /// Tags.
    Tag(CaseId),
    /// Words to find in the evidence.
    InEvidence,
    /// A value of a setting.
    Setting(String),
}

/// What choosing does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Runs a command line.
    Run(String),
    /// Puts text into the message.
    Type(String),
    /// Uses a model.
    Model(String),
    /// Asks for the value of a setting.
    Setting(String, String),
    /// Asks for the value of a secret.
    Secret(String),
    /// Opens a case.
    Case(CaseId),
}

/// A list to choose from, filtered while typing.
#[derive(Debug, Default)]
pub struct Pick {
    /// Title.
    pub title: String,
    /// Filter.
    pub input: Composer,
    /// Everything: label, explanation, what it does.
    pub items: Vec<(String, String, Choice)>,
    /// Selected line of what is shown.
    pub selected: usize,
}

impl Pick {
    /// The items that fit the filter, best first.
    #[must_use]
    pub fn shown(&self) -> Vec<&(String, String, Choice)> {
        let labels: Vec<String> = self
            .items
            .iter()
            .map(|(l, d, _)| format!("{l} {d}"))
            .collect();
        fuzzy(self.input.text(), &labels)
            .into_iter()
            .filter_map(|i| self.items.get(i))
            .collect()
    }
}

/// Places of the texts that fit, best first; all in order without a filter.
#[must_use]
pub fn fuzzy(filter: &str, texts: &[String]) -> Vec<usize> {
    if filter.trim().is_empty() {
        return (0..texts.len()).collect();
    }
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::parse(filter, CaseMatching::Ignore, Normalization::Smart);
    let mut buffer = Vec::new();
    let mut found: Vec<(u32, usize)> = texts
        .iter()
        .enumerate()
        .filter_map(|(i, t)| {
            pattern
                .score(Utf32Str::new(t, &mut buffer), &mut matcher)
                .map(|s| (s, i))
        })
        .collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    found.into_iter().map(|(_, i)| i).collect()
}

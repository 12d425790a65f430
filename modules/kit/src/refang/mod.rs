//! Undoing what analysts write so that nobody clicks.
//!
//! `Plain` is a text with the marks undone that still knows where each byte came from; a text without
//! marks is not copied.

mod marks;
mod words;

use crate::classify::web;
use marks::Mark;
use std::borrow::Cow;

/// Undoes defanging in a single token: `hxxp`, `[.]`, `(dot)`, ` dot `, `\.`, `[:]`, `[://]`, `[@]`, half
/// brackets, full-width forms; zero-width characters go.
#[must_use]
pub fn refang(text: &str) -> String {
    let mut plain = Plain::of(text).text.into_owned();
    // Marks inside marks (`[[.]]`) take another reading; the number is bounded, the result stable.
    for _ in 0..3 {
        match Plain::of(&plain).text {
            Cow::Borrowed(_) => break,
            Cow::Owned(again) => plain = again,
        }
    }
    match web::split_scheme(&plain)
        .and_then(|(scheme, rest)| web::scheme(scheme).map(|s| (s, rest)))
    {
        Some((scheme, rest)) if scheme.defanged => format!("{}://{rest}", scheme.name),
        _ => plain,
    }
}

/// Characters that take no room on screen and change what a text is: zero-width, soft hyphen, bidirectional
/// controls, tags, variation selectors, fillers.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// One place where the plain text differs from the original.
#[derive(Clone, Copy, Debug)]
struct Edit {
    plain: (usize, usize),
    original: (usize, usize),
    defang: bool,
}

/// A text with defang marks undone.
#[derive(Debug)]
pub(crate) struct Plain<'a> {
    pub(crate) text: Cow<'a, str>,
    edits: Vec<Edit>,
}

impl<'a> Plain<'a> {
    /// Reads a text once, from left to right. Every look around is bounded, so the time is linear.
    pub(crate) fn of(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let mut out = String::new();
        let mut edits = Vec::new();
        let mut copied = 0;
        let mut at = 0;
        // A bracket that belongs to a mark further left, as in `evil[.com]`.
        let mut closing = None;
        while let Some(step) = bytes
            .get(at..)
            .and_then(|rest| rest.iter().position(|&b| marks::TRIGGER[b as usize]))
        {
            at += step;
            let mark = if closing == Some(at) {
                closing = None;
                Some(Mark::new(at, at + 1, "", true))
            } else {
                marks::at(text, at, copied)
            };
            let Some(mark) = mark else {
                at += 1;
                continue;
            };
            if edits.is_empty() {
                out.reserve(text.len());
            }
            out.push_str(text.get(copied..mark.start).unwrap_or_default());
            let from = out.len();
            out.push_str(mark.text());
            edits.push(Edit {
                plain: (from, out.len()),
                original: (mark.start, mark.end),
                defang: mark.defang,
            });
            copied = mark.end;
            at = mark.end;
            closing = mark.closing.or(closing.filter(|&c| c >= at));
        }
        if edits.is_empty() {
            return Self {
                text: Cow::Borrowed(text),
                edits,
            };
        }
        out.push_str(text.get(copied..).unwrap_or_default());
        Self {
            text: Cow::Owned(out),
            edits,
        }
    }

    /// The bytes of the original behind a range of the plain text, and whether defang marks are in it.
    pub(crate) fn original(&self, start: usize, end: usize) -> (usize, usize, bool) {
        if self.edits.is_empty() {
            return (start, end, false);
        }
        let first = self.edits.partition_point(|e| e.plain.1 <= start);
        let from = match self.edits.get(first) {
            Some(e) if e.plain.0 < start => e.original.0,
            _ => match first.checked_sub(1).and_then(|i| self.edits.get(i)) {
                Some(e) => e.original.1 + (start - e.plain.1),
                None => start,
            },
        };
        let mut behind = self.edits.partition_point(|e| e.plain.0 < end);
        let to = match behind.checked_sub(1).and_then(|i| self.edits.get(i)) {
            Some(e) if e.plain.1 > end => e.original.1,
            Some(e) => e.original.1 + (end - e.plain.1),
            None => end,
        };
        behind = behind.max(first);
        let defanged = self.edits[first..behind].iter().any(|e| e.defang);
        (from, to, defanged)
    }

    /// Whether a range of the plain text holds defang marks.
    pub(crate) fn is_defanged(&self, start: usize, end: usize) -> bool {
        !self.edits.is_empty() && self.original(start, end).2
    }
}

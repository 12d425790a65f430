//! The one funnel: nothing from a tool, a model or a file reaches the store, the screen, a log or a
//! model without passing through here. PURE.
//!
//! Four layers look at a text and say which stretches must go; the stretches are joined and each is replaced by
//! `[redacted:<class>]`:
//!
//! 1. `known` – every value of the program's own configuration, in any encoding;
//! 2. `vendor` – tokens that vendors gave a shape (one engine behind our own trait, and a table of prefixes);
//! 3. `structural` – names and syntaxes, headers (`headers`), URLs (`urls`), private keys (`pem`);
//! 4. the operator's patterns.
//!
//! Layers 2 to 4 look at the text without what is invisible (`view`), and at what escapes and base64 in it hold
//! (`view`, `encoded`). What they find is mapped back to the original, so that nothing else changes: terminal escapes
//! and invisible characters stay where they split no secret. Nothing goes on entropy alone. See `docs/redaction.md`.

mod class;
mod encoded;
mod headers;
mod keys;
mod known;
mod pem;
mod pieces;
mod structural;
mod unit;
mod urls;
mod value;
mod vendor;
mod view;

pub use class::Class;

use aho_corasick::AhoCorasick;
use class::{Span, merge};
use kit::text::Redactor;
use known::Known;
use regex::RegexSet;
use secrecy::SecretString;
use std::sync::{Arc, LazyLock};
use structural::Structural;
use vendor::{RedactSecret, Vendor};

/// Every class, for the markers.
const MARKED: [Class; 11] = [
    Class::Configured,
    Class::Password,
    Class::Key,
    Class::Token,
    Class::Auth,
    Class::Cookie,
    Class::Signature,
    Class::Webhook,
    Class::PrivateKey,
    Class::Encoded,
    Class::Pattern,
];

/// Encodings inside encodings that are looked into.
const DEPTH: usize = 4;
/// Passes until a text comes out as it went in. One is the rule: a second one finds nothing.
const PASSES: usize = 4;

/// The program's redactor: configured secrets first, then vendor tokens, structure, operator patterns.
pub struct Redact {
    known: Known,
    rules: Option<Arc<Rules>>,
    patterns: Vec<regex::Regex>,
    any_pattern: Option<RegexSet>,
}

/// What of a text would be hidden, by whether a person may choose to send it as it is.
#[derive(Clone, PartialEq, Eq)]
pub struct Choice<'t> {
    /// Class and text of each stretch that a person may send as it is, in order of appearance.
    pub lifted: Vec<(Class, &'t str)>,
    /// Class of each stretch that stays hidden.
    pub always: Vec<Class>,
}

/// What does not depend on configuration; built once.
struct Rules {
    vendor: Vendor,
    structural: Structural,
    /// Text that says that a line holds escapes of syntax.
    escapes: AhoCorasick,
}

impl Rules {
    fn new() -> Result<Self, String> {
        let escapes = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build([
                "%2", "%3", "%5", "%7", "%0", "\\\"", "\\'", "\\\\", "\\u00", "\\x", "\\/", "\\n",
                "&#", "&quot;", "&amp;", "&apos;", "&lt;", "&equals;", "&colon;", "&lowbar;",
            ])
            .map_err(|e| e.to_string())?;
        Ok(Self {
            vendor: Vendor::new(Box::new(RedactSecret::new()?))?,
            structural: Structural::new()?,
            escapes,
        })
    }
}

/// Built once per process. The tables are constants and a test builds them, so that this does not fail in a released
/// program. Were it to, nothing is let through (see [`Redact::redact_counted`]).
static RULES: LazyLock<Result<Arc<Rules>, String>> = LazyLock::new(|| Rules::new().map(Arc::new));

impl Default for Redact {
    /// The redactor of a program that holds no secret.
    fn default() -> Self {
        Self {
            known: Known::default(),
            rules: RULES.as_ref().ok().cloned(),
            patterns: Vec::new(),
            any_pattern: None,
        }
    }
}

impl Redact {
    /// Builds it from every secret that the program holds and the operator's patterns.
    ///
    /// # Errors
    /// A pattern that is no regular expression, or that matches the empty text, with its position.
    pub fn new(
        secrets: &[(String, SecretString)],
        extra_patterns: &[String],
    ) -> Result<Self, String> {
        let mut patterns = Vec::with_capacity(extra_patterns.len());
        for (i, p) in extra_patterns.iter().enumerate() {
            let regex = regex::Regex::new(p).map_err(|e| {
                format!(
                    "pattern {} of redact.extra_patterns is no regular expression: {e}",
                    i + 1
                )
            })?;
            if regex.is_match("") {
                return Err(format!(
                    "pattern {} of redact.extra_patterns matches the empty text",
                    i + 1
                ));
            }
            patterns.push(regex);
        }
        let any_pattern = if patterns.is_empty() {
            None
        } else {
            Some(RegexSet::new(extra_patterns).map_err(|e| e.to_string())?)
        };
        Ok(Self {
            known: Known::new(secrets),
            rules: Some(RULES.clone()?),
            patterns,
            any_pattern,
        })
    }

    /// The text without secrets, and the class of each value taken out in order of appearance, for a note.
    #[must_use]
    pub fn redact_counted(&self, text: &str) -> (String, Vec<Class>) {
        self.counted(text, Vec::new())
    }

    /// What of the person's own words would be hidden: which stretches a person may choose to send as they
    /// are, and the classes of those that stay hidden whatever they choose.
    #[must_use]
    pub fn choice<'t>(&self, text: &'t str) -> Choice<'t> {
        let Some(rules) = &self.rules else {
            return Choice {
                lifted: Vec::new(),
                always: vec![Class::Configured],
            };
        };
        let (always, lifted) = self.split(rules, text);
        Choice {
            lifted: lifted
                .iter()
                .map(|s| (s.class, text.get(s.start..s.end).unwrap_or_default()))
                .collect(),
            always: always.iter().map(|s| s.class).collect(),
        }
    }

    /// What must go, apart: first what no choice lifts. A stretch that touches such a value belongs to it
    /// whole.
    fn split(&self, rules: &Rules, text: &str) -> (Vec<Span>, Vec<Span>) {
        let mut spans = Vec::new();
        self.find(rules, text, 0, &mut spans);
        let held: Vec<(usize, usize)> = spans
            .iter()
            .filter(|s| s.class.always())
            .map(|s| (s.start, s.end))
            .collect();
        tidy(text, spans).into_iter().partition(|s| {
            s.class.always() || held.iter().any(|(from, to)| *from < s.end && s.start < *to)
        })
    }

    /// As [`Self::redact_counted`], with stretches that are known to go.
    fn counted(&self, text: &str, known: Vec<Span>) -> (String, Vec<Class>) {
        let Some(rules) = &self.rules else {
            return (Class::Configured.marker(), vec![Class::Configured]);
        };
        let spans = self.spans(rules, text, known);
        if spans.is_empty() {
            return (text.to_owned(), Vec::new());
        }
        let mut classes: Vec<Class> = spans.iter().map(|s| s.class).collect();
        let mut out = replace(text, &spans);
        // What a marker stands beside may read differently now. Elsewhere nothing has changed.
        for _ in 1..PASSES {
            let mut more = Vec::new();
            for (from, to) in around_markers(&out) {
                let part = out.get(from..to).unwrap_or_default();
                more.extend(
                    self.spans(rules, part, Vec::new())
                        .iter()
                        .map(|s| Span::new(from + s.start, from + s.end, s.class)),
                );
            }
            if more.is_empty() {
                break;
            }
            classes.extend(more.iter().map(|s| s.class));
            out = replace(&out, &more);
        }
        (out, classes)
    }

    /// What must go besides `known`, and that, as [`tidy`] leaves it.
    fn spans(&self, rules: &Rules, text: &str, known: Vec<Span>) -> Vec<Span> {
        let mut spans = known;
        self.find(rules, text, 0, &mut spans);
        tidy(text, spans)
    }

    /// Every layer over `text`, then over what is encoded in it.
    fn find(&self, rules: &Rules, text: &str, depth: usize, spans: &mut Vec<Span>) {
        self.find_known(text, depth, spans);
        if let Some(view) = view::visible(text) {
            let mut inner = Vec::new();
            self.known.find(&view.text, &mut inner);
            self.find_visible(rules, &view.text, depth, &mut inner);
            spans.extend(view.to_source(&inner));
        } else {
            self.find_visible(rules, text, depth, spans);
        }
    }

    /// Configured values, also those that a line break in an escape cuts.
    fn find_known(&self, text: &str, depth: usize, spans: &mut Vec<Span>) {
        self.known.find(text, spans);
        if depth == 0 && !self.known.is_empty() {
            for view in view::joined(text) {
                let mut inner = Vec::new();
                self.known.find(&view.text, &mut inner);
                spans.extend(view.to_source(&inner));
            }
        }
    }

    fn find_visible(&self, rules: &Rules, text: &str, depth: usize, spans: &mut Vec<Span>) {
        rules.vendor.find(text, spans);
        rules.structural.find(text, spans);
        if self
            .any_pattern
            .as_ref()
            .is_some_and(|set| set.is_match(text))
        {
            for pattern in &self.patterns {
                spans.extend(
                    pattern
                        .find_iter(text)
                        .map(|m| Span::new(m.start(), m.end(), Class::Pattern)),
                );
            }
        }
        if depth >= DEPTH {
            return;
        }
        self.find_escaped(rules, text, depth, spans);
        let known = (depth == 0 && !self.known.is_empty()).then_some(|decoded: &str| {
            let mut inner = Vec::new();
            self.known.find(decoded, &mut inner);
            inner
        });
        encoded::find(text, spans, known, |decoded| {
            let mut inner = Vec::new();
            self.find(rules, decoded, depth + 1, &mut inner);
            // Patterns are for what a person can read; in decoded bytes they would match by chance.
            inner.retain(|s| s.class != Class::Pattern);
            inner
        });
    }

    /// Lines that hold escapes, decoded once and searched again.
    fn find_escaped(&self, rules: &Rules, text: &str, depth: usize, spans: &mut Vec<Span>) {
        let t = text.as_bytes();
        let mut done = 0;
        while let Some(hit) = rules.escapes.find(t.get(done..).unwrap_or_default()) {
            let at = done + hit.start();
            let start = t
                .get(..at)
                .and_then(|s| s.iter().rposition(|b| *b == b'\n'))
                .map_or(0, |i| i + 1)
                .max(done);
            let end = t
                .get(at..)
                .and_then(|s| s.iter().position(|b| *b == b'\n'))
                .map_or(t.len(), |i| at + i);
            let line = text.get(start..end).unwrap_or_default();
            if let Some(view) = view::decoded(line) {
                let mut inner = Vec::new();
                self.find(rules, &view.text, depth + 1, &mut inner);
                spans.extend(inner.iter().filter_map(|s| {
                    view.source(s.start, s.end)
                        .map(|(a, b)| Span::new(start + a, start + b, s.class))
                }));
            }
            done = end.max(at + 1);
        }
    }
}

/// The stretches joined, on character boundaries, without markers that stand already.
fn tidy(text: &str, mut spans: Vec<Span>) -> Vec<Span> {
    if spans.is_empty() {
        return spans;
    }
    for s in &mut spans {
        while !text.is_char_boundary(s.start) {
            s.start -= 1;
        }
        s.end = s.end.min(text.len());
        while !text.is_char_boundary(s.end) {
            s.end += 1;
        }
    }
    let markers = markers(text);
    for s in &mut spans {
        // A span that cuts a marker takes it whole; one inside a marker is nothing new.
        let mut at = markers.partition_point(|m| m.1 <= s.start);
        while let Some(&(from, to)) = markers.get(at).filter(|m| m.0 < s.end) {
            if from <= s.start && s.end <= to {
                s.end = s.start;
                break;
            }
            s.start = s.start.min(from);
            s.end = s.end.max(to);
            at += 1;
        }
    }
    merge(spans)
}

/// The lines around each marker, two each way, joined where they meet.
fn around_markers(text: &str) -> Vec<(usize, usize)> {
    let t = text.as_bytes();
    let mut out: Vec<(usize, usize)> = Vec::new();
    for (start, end) in markers(text) {
        if out.last().is_some_and(|last| end <= last.1) {
            continue;
        }
        let floor = out.last().map_or(0, |last| last.0);
        let from = t
            .get(floor..start)
            .and_then(|s| {
                s.iter()
                    .enumerate()
                    .rev()
                    .filter(|(_, b)| **b == b'\n')
                    .nth(2)
            })
            .map_or(floor, |(i, _)| floor + i + 1);
        let to = t
            .get(end..)
            .and_then(|s| s.iter().enumerate().filter(|(_, b)| **b == b'\n').nth(2))
            .map_or(t.len(), |(i, _)| end + i);
        match out.last_mut() {
            Some(last) if from <= last.1 => last.1 = to,
            _ => out.push((from, to)),
        }
    }
    out
}

/// Where markers stand in `text`.
fn markers(text: &str) -> Vec<(usize, usize)> {
    const OPEN: &str = "[redacted:";
    text.match_indices(OPEN)
        .filter_map(|(at, _)| {
            let rest = text.get(at + OPEN.len()..)?;
            let class = MARKED.iter().find(|c| {
                rest.strip_prefix(c.name())
                    .is_some_and(|r| r.starts_with(']'))
            })?;
            Some((at, at + OPEN.len() + class.name().len() + 1))
        })
        .collect()
}

fn replace(text: &str, spans: &[Span]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for s in spans {
        out.push_str(text.get(at..s.start).unwrap_or_default());
        out.push_str(&s.class.marker());
        at = s.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

impl Redactor for Redact {
    fn redact(&self, text: &str) -> String {
        self.redact_counted(text).0
    }

    /// A configured value that was split (by a line break in a field, over the items of a list, over cells
    /// or rows) is found as well: the cells are read one after the other along the rows and along the
    /// columns, without what stands between items. Each cell that takes part loses its part.
    fn redact_rows(&self, rows: &[Vec<&str>]) -> Vec<Vec<String>> {
        let mut known: Vec<Vec<Vec<Span>>> =
            rows.iter().map(|r| vec![Vec::new(); r.len()]).collect();
        if !self.known.is_empty() {
            let along_rows = (0..rows.len()).flat_map(|r| (0..rows[r].len()).map(move |c| (r, c)));
            let width = rows.iter().map(Vec::len).max().unwrap_or(0);
            let along_columns = (0..width).flat_map(|c| {
                (0..rows.len())
                    .filter(move |r| c < rows[*r].len())
                    .map(move |r| (r, c))
            });
            for order in [
                along_rows.collect::<Vec<_>>(),
                along_columns.collect::<Vec<_>>(),
            ] {
                let pieces: Vec<&str> = order.iter().map(|(r, c)| rows[*r][*c]).collect();
                for (piece, span) in pieces::find(&self.known, &pieces) {
                    if let Some((r, c)) = order.get(piece) {
                        known[*r][*c].push(span);
                    }
                }
            }
        }
        rows.iter()
            .zip(known)
            .map(|(row, known)| {
                row.iter()
                    .zip(known)
                    .map(|(cell, known)| self.counted(cell, known).0)
                    .collect()
            })
            .collect()
    }

    fn redact_always(&self, text: &str) -> String {
        let Some(rules) = &self.rules else {
            return Class::Configured.marker();
        };
        let mut out = text.to_owned();
        // What a marker stands beside may read differently now.
        for _ in 0..PASSES {
            let (always, _) = self.split(rules, &out);
            if always.is_empty() {
                break;
            }
            out = replace(&out, &always);
        }
        out
    }

    fn redact_configured(&self, text: &str) -> String {
        let mut spans = Vec::new();
        self.find_known(text, 0, &mut spans);
        if let Some(view) = view::visible(text) {
            let mut inner = Vec::new();
            self.known.find(&view.text, &mut inner);
            spans.extend(view.to_source(&inner));
        }
        replace(text, &tidy(text, spans))
    }
}

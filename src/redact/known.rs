//! The first layer: every value of the program's own configuration, whatever its shape, in any encoding that we can
//! name. One trie holds each value and its base64, hexadecimal and UTF-16 forms; the text is walked character by
//! character, each character read in every way it may be written (see `unit`), so partial, mixed and repeated
//! encodings need no view of their own. PURE.

use super::class::{Class, Span};
use super::starts::{self, PREFIX, Starts, is_special};
use super::unit::{self, Reading};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use secrecy::{ExposeSecret, SecretString};
use std::collections::HashSet;

/// A shorter value is left alone: it would match inside ordinary words.
const MIN_LEN: usize = 8;
/// Steps that one starting place may take besides those that compare characters.
const STEPS: usize = 20_000;
/// Bytes of line breaks and quoting marks that may stand between two characters of a secret.
const MAX_GAP: usize = 256;

/// Values that servers ask for where they need no key; they are words, not secrets.
const PLACEHOLDERS: [&str; 22] = [
    "ollama",
    "none",
    "changeme",
    "change-me",
    "change_me",
    "empty",
    "null",
    "undefined",
    "dummy",
    "placeholder",
    "not-needed",
    "notneeded",
    "no-key-required",
    "no-key-needed",
    "sk-no-key-required",
    "lm-studio",
    "llama.cpp",
    "llama-cpp",
    "unused",
    "localhost",
    "password",
    "your-api-key",
];

/// The scrubber.
#[derive(Default)]
pub(super) struct Known {
    exact: Trie,
    /// For forms whose case does not matter: hexadecimal.
    folded: Trie,
    /// Values that hold blanks or commas, without them (see [`super::pieces`]).
    squeezed: Trie,
}

impl Known {
    /// Builds it from values. Values under 8 characters and placeholders are left out.
    pub(super) fn new(secrets: &[(String, SecretString)]) -> Self {
        let mut known = Self::default();
        for (_, secret) in secrets {
            let value = secret.expose_secret();
            known.add(value);
            if value.trim() != value {
                known.add(value.trim());
            }
        }
        known.exact.finish();
        known.folded.finish();
        known.squeezed.finish();
        known
    }

    fn add(&mut self, value: &str) {
        if value.chars().count() < MIN_LEN || is_placeholder(value) {
            return;
        }
        self.exact
            .insert(&without_breaks(value.as_bytes()), Kind::Plain);
        let squeezed = super::pieces::squeezed(value.as_bytes());
        if squeezed.len() >= MIN_LEN && squeezed.len() < value.len() {
            self.squeezed.insert(&squeezed, Kind::Plain);
        }
        if value.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-') {
            self.folded.insert(value.as_bytes(), Kind::Plain);
        }
        // Raw UTF-16 text needs no form of its own: the zero behind each character counts as invisible.
        let utf16: Vec<u8> = value.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let json = serde_json::to_string(value).unwrap_or_default();
        let json = json.trim_matches('"').to_owned();
        let percent =
            percent_encoding::utf8_percent_encode(value, percent_encoding::NON_ALPHANUMERIC)
                .to_string();
        self.base64(value.as_bytes(), 2);
        self.base64(&utf16, 1);
        for other in [json, percent, value.replace(' ', "+")] {
            if other != value {
                self.base64(other.as_bytes(), 1);
            }
        }
        for bytes in [value.as_bytes(), &utf16] {
            self.hex(bytes);
        }
        self.exact.insert(&base32(value.as_bytes()), Kind::Plain);
    }

    /// The characters of base64 that `bytes` alone determine, at each of the three places in a group.
    fn base64(&mut self, bytes: &[u8], depth: usize) {
        for before in 0..3usize {
            let mut padded = vec![0; before];
            padded.extend_from_slice(bytes);
            let skip = (before * 8).div_ceil(6);
            let whole = padded.len() * 8 / 6;
            for (nth, text) in [
                STANDARD_NO_PAD.encode(&padded),
                URL_SAFE_NO_PAD.encode(&padded),
            ]
            .into_iter()
            .enumerate()
            {
                let Some(core) = text.as_bytes().get(skip..whole) else {
                    continue;
                };
                if core.len() < MIN_LEN
                    || (nth == 1 && !core.iter().any(|b| matches!(b, b'-' | b'_')))
                {
                    continue;
                }
                let left = before != 0;
                let right = !(padded.len() * 8).is_multiple_of(6);
                self.exact.insert(core, Kind::Base64 { left, right });
                if depth > 1 {
                    self.base64(core, depth - 1);
                }
            }
        }
    }

    fn hex(&mut self, bytes: &[u8]) {
        use std::fmt::Write;
        for separator in ["", ":", " ", "-", ", ", ",", " 0x", ", 0x", ",0x"] {
            let mut text = String::with_capacity(bytes.len() * 4);
            for (i, b) in bytes.iter().enumerate() {
                if i > 0 {
                    text.push_str(separator);
                }
                let _ = write!(text, "{b:02x}");
            }
            self.folded.insert(text.as_bytes(), Kind::Plain);
        }
    }

    /// True when there is nothing to look for.
    pub(super) fn is_empty(&self) -> bool {
        self.exact.nodes.len() <= 1
    }

    /// As [`Self::find`], in a text from which blanks and commas were taken.
    pub(super) fn find_squeezed(&self, text: &str, spans: &mut Vec<Span>) {
        self.find(text, spans);
        if self.squeezed.nodes.len() > 1 {
            let t = text.as_bytes();
            self.squeezed.find(t, &starts::ambiguous(t), false, spans);
        }
    }

    /// Every place in `text` where a known value stands.
    pub(super) fn find(&self, text: &str, spans: &mut Vec<Span>) {
        if self.is_empty() {
            return;
        }
        let t = text.as_bytes();
        let ambiguous = starts::ambiguous(t);
        for (trie, fold) in [(&self.exact, false), (&self.folded, true)] {
            if trie.nodes.len() > 1 {
                trie.find(t, &ambiguous, fold, spans);
            }
        }
    }
}

#[cfg(test)]
impl Known {
    /// As [`Self::find`], without the test for places at which no value can begin.
    pub(super) fn find_everywhere(&self, text: &str, spans: &mut Vec<Span>) {
        for (trie, fold) in [(&self.exact, false), (&self.folded, true)] {
            if trie.nodes.len() > 1 {
                trie.find_everywhere(text.as_bytes(), fold, spans);
            }
        }
    }
}

/// Line breaks inside a value are gaps in the text, so the value itself is kept without them.
fn without_breaks(value: &[u8]) -> Vec<u8> {
    value
        .iter()
        .copied()
        .filter(|b| !matches!(b, b'\n' | b'\r'))
        .collect()
}

/// RFC 4648 base32 without the last, partial character.
fn base32(bytes: &[u8]) -> Vec<u8> {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let (mut out, mut acc, mut bits) = (Vec::new(), 0u32, 0u32);
    for &b in bytes {
        acc = ((acc << 8) | u32::from(b)) & 0xFFFF;
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            out.push(ALPHABET[((acc >> bits) & 31) as usize]);
        }
    }
    out
}

/// Words that stand for "no key", a row of one character, and words of our own markers.
fn is_placeholder(value: &str) -> bool {
    let lower = value.trim().to_lowercase();
    let mut chars = lower.chars();
    let first = chars.next();
    PLACEHOLDERS.contains(&lower.as_str())
        || chars.all(|c| Some(c) == first)
        || super::MARKED
            .iter()
            .any(|class| class.marker().contains(&lower))
}

/// How far a match reaches beyond the characters that were compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    /// Base64: the characters beside the core carry some bits of the secret too.
    Base64 {
        left: bool,
        right: bool,
    },
}

#[derive(Default)]
struct Node {
    edges: Vec<(u8, u32)>,
    end: Option<Kind>,
}

struct Trie {
    nodes: Vec<Node>,
    /// The edges of the first node by their byte; 0 where there is none.
    first: Vec<u32>,
    starts: Starts,
}

impl Default for Trie {
    fn default() -> Self {
        Self {
            nodes: vec![Node::default()],
            first: Vec::new(),
            starts: Starts::default(),
        }
    }
}

/// What one walk needs, kept between walks so that nothing is allocated for each place.
#[derive(Default)]
struct Walk {
    readings: Vec<Reading>,
    gaps: Vec<usize>,
    todo: Vec<At>,
    seen: HashSet<(u32, usize)>,
}

/// A place in the trie and in the text.
#[derive(Clone, Copy)]
struct At {
    node: u32,
    at: usize,
    /// Where the gap that led here began; `at` when none did.
    gap: usize,
}

impl Trie {
    fn insert(&mut self, needle: &[u8], kind: Kind) {
        let mut node = 0usize;
        for &b in needle {
            node = match self.step(node as u32, b) {
                Some(next) => next as usize,
                None => {
                    let new = self.nodes.len();
                    self.nodes.push(Node::default());
                    self.nodes[node].edges.push((b, new as u32));
                    new
                }
            };
        }
        if node != 0 {
            // A plain end is the narrower one; the wider must win so that nothing is left beside it.
            let end = &mut self.nodes[node].end;
            if !matches!(end, Some(Kind::Base64 { .. })) {
                *end = Some(kind);
            }
        }
    }

    fn step(&self, node: u32, b: u8) -> Option<u32> {
        if node == 0 && !self.first.is_empty() {
            return Some(self.first[usize::from(b)]).filter(|n| *n != 0);
        }
        self.nodes[node as usize]
            .edges
            .iter()
            .find(|(e, _)| *e == b)
            .map(|(_, n)| *n)
    }

    fn steps(&self, mut node: u32, bytes: &[u8], fold: bool) -> Option<u32> {
        for &b in bytes {
            node = self.step(node, if fold { b.to_ascii_lowercase() } else { b })?;
        }
        Some(node)
    }

    fn finish(&mut self) {
        self.first = vec![0; 256];
        for &(b, next) in &self.nodes[0].edges {
            self.first[usize::from(b)] = next;
        }
        let skip_rows = self.step(0, b'\\').is_none();
        let mut beginnings: Vec<(Vec<u8>, u32)> = vec![(Vec::new(), 0)];
        let mut any = false;
        let mut all = Vec::new();
        while let Some((beginning, node)) = beginnings.pop() {
            let node = &self.nodes[node as usize];
            any |= node.end.is_some();
            if beginning.len() == PREFIX {
                continue;
            }
            for &(b, next) in &node.edges {
                let mut longer = beginning.clone();
                longer.push(b);
                all.push(longer.clone());
                beginnings.push((longer, next));
            }
        }
        self.starts = Starts::new(any, skip_rows);
        for beginning in all {
            self.starts.add(&beginning);
        }
    }

    /// As [`Self::find`], from every place at which two bytes may begin a value.
    #[cfg(test)]
    fn find_everywhere(&self, t: &[u8], fold: bool, spans: &mut Vec<Span>) {
        let mut walk = Walk::default();
        for p in (0..t.len()).filter(|p| self.starts.has_pair(t, *p)) {
            spans.extend(
                self.longest(t, p, fold, &mut walk)
                    .map(|(end, kind)| widen(t, p, end, kind)),
            );
        }
    }

    fn find(&self, t: &[u8], ambiguous: &[usize], fold: bool, spans: &mut Vec<Span>) {
        let mut walk = Walk::default();
        // What overlaps the tail of a match is looked at too: a second secret may begin inside the first.
        self.starts.each(t, ambiguous, |p| {
            spans.extend(
                self.longest(t, p, fold, &mut walk)
                    .map(|(end, kind)| widen(t, p, end, kind)),
            );
        });
    }

    /// The longest match that begins at `p`.
    fn longest(&self, t: &[u8], p: usize, fold: bool, walk: &mut Walk) -> Option<(usize, Kind)> {
        let mut best: Option<(usize, Kind)> = None;
        walk.todo.clear();
        walk.seen.clear();
        walk.todo.push(At {
            node: 0,
            at: p,
            gap: p,
        });
        let mut steps = 0;
        while let Some(mut now) = walk.todo.pop() {
            loop {
                let here = &self.nodes[now.node as usize];
                if let Some(kind) = here.end
                    && best.is_none_or(|(end, _)| end < now.at)
                {
                    // The gap behind the last character is not part of the secret.
                    best = Some((now.gap, kind));
                }
                let Some(&b) = t.get(now.at) else { break };
                if here.edges.is_empty() {
                    break;
                }
                let raw = self.step(now.node, if fold { b.to_ascii_lowercase() } else { b });
                // The usual case first: the raw character, where it can be nothing else.
                if !is_special(b) {
                    match raw {
                        Some(node) => {
                            now = At {
                                node,
                                at: now.at + 1,
                                gap: now.at + 1,
                            };
                            continue;
                        }
                        None => break,
                    }
                }
                steps += 1;
                if steps > STEPS {
                    return best;
                }
                match self.branch(t, now, raw, fold, walk) {
                    Some(next) => now = next,
                    None => break,
                }
            }
        }
        best
    }

    /// Every way on from a character that can be read in more than one way; one is returned, the others are kept.
    fn branch(
        &self,
        t: &[u8],
        now: At,
        raw: Option<u32>,
        fold: bool,
        walk: &mut Walk,
    ) -> Option<At> {
        walk.readings.clear();
        walk.gaps.clear();
        unit::escaped(t, now.at, &mut walk.readings);
        // A match does not begin with a gap: it would swallow text in front of the secret.
        if now.node != 0 && now.at - now.gap <= MAX_GAP {
            unit::gaps(t, now.at, &mut walk.gaps);
            walk.gaps
                .extend(walk.readings.iter().filter(|r| r.is_gap()).map(|r| r.next));
        }
        let first = walk.todo.len();
        if let Some(node) = raw {
            walk.todo.push(At {
                node,
                at: now.at + 1,
                gap: now.at + 1,
            });
        }
        for r in &walk.readings {
            // A tag character is skipped by a reader, and read by a model as the letter that it repeats.
            let tag = r.tagged();
            let as_letter = tag.as_ref().map(std::slice::from_ref);
            for bytes in std::iter::once(r.bytes()).chain(as_letter) {
                if let Some(node) = self.steps(now.node, bytes, fold) {
                    walk.todo.push(At {
                        node,
                        at: r.next,
                        gap: r.next,
                    });
                }
            }
        }
        for &at in walk.gaps.iter().filter(|g| **g > now.at) {
            // A gap that can be reached in two ways is walked once.
            if walk.seen.insert((now.node, at)) {
                walk.todo.push(At {
                    node: now.node,
                    at,
                    gap: now.gap,
                });
            }
        }
        if walk.todo.len() > first {
            walk.todo.pop()
        } else {
            None
        }
    }
}

fn widen(t: &[u8], mut start: usize, mut end: usize, kind: Kind) -> Span {
    if let Kind::Base64 { left, right } = kind {
        let is64 = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_');
        if left && start > 0 && t.get(start - 1).is_some_and(is64) {
            start -= 1;
        }
        if right && t.get(end).is_some_and(is64) {
            end += 1;
        }
        for _ in 0..2 {
            if t.get(end) == Some(&b'=') {
                end += 1;
            }
        }
    }
    Span::new(start, end, Class::Configured)
}

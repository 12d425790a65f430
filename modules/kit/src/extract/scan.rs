//! The one pass over the text.

use super::Found;
use crate::classify::name;
use crate::indicator::Indicator;
use crate::refang::Plain;

/// What a run of bytes holds.
pub(super) mod class {
    pub(in crate::extract) const LETTER: u8 = 1;
    pub(in crate::extract) const DIGIT: u8 = 2;
    pub(in crate::extract) const DOT: u8 = 4;
    pub(in crate::extract) const COLON: u8 = 8;
    pub(in crate::extract) const HYPHEN: u8 = 16;
    pub(in crate::extract) const UNDERSCORE: u8 = 32;
    pub(in crate::extract) const WIDE: u8 = 64;

    /// The class of each byte; 0 ends a run.
    pub(in crate::extract) const OF: [u8; 256] = {
        let mut table = [0; 256];
        let mut b = 0;
        while b < 256 {
            table[b] = match b as u8 {
                b'a'..=b'z' | b'A'..=b'Z' => LETTER,
                b'0'..=b'9' => DIGIT,
                b'.' => DOT,
                b':' => COLON,
                b'-' => HYPHEN,
                b'_' => UNDERSCORE,
                0x80.. => WIDE,
                _ => 0,
            };
            b += 1;
        }
        table
    };
}

/// Walks over the plain text and collects what it finds.
pub(super) struct Scanner<'a> {
    pub(super) original: &'a str,
    pub(super) plain: Plain<'a>,
    pub(super) found: Vec<Found>,
    /// Everything left of this byte of the plain text is consumed.
    pub(super) done: usize,
    /// The end of the last address that was taken for a version.
    pub(super) version_end: Option<usize>,
    /// Left of this byte no URL begins: it was tried.
    pub(super) no_url: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            original: text,
            plain: Plain::of(text),
            found: Vec::new(),
            done: 0,
            version_end: None,
            no_url: 0,
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.plain.text.as_bytes()
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &str {
        self.plain.text.get(start..end).unwrap_or_default()
    }

    pub(super) fn char_at(&self, at: usize) -> Option<char> {
        self.plain.text.get(at..).and_then(|t| t.chars().next())
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.bytes().get(at).copied()
    }

    pub(super) fn prev(&self, at: usize) -> Option<u8> {
        at.checked_sub(1).and_then(|i| self.byte(i))
    }

    pub(super) fn run(mut self) -> Vec<Found> {
        let mut at = 0;
        loop {
            let b = self.bytes();
            while b.get(at).is_some_and(|&c| class::OF[c as usize] == 0) {
                at += 1;
            }
            let start = at;
            let mut flags = 0;
            while let Some(&c) = b.get(at) {
                let class = class::OF[c as usize];
                if class == 0 {
                    break;
                }
                flags |= class;
                at += 1;
            }
            if start == at {
                return self.found;
            }
            // Plain words are most of every text.
            if flags == class::LETTER && at - start > 3 && b.get(at) != Some(&b'@') {
                continue;
            }
            self.token(start, at, flags);
            at = at.max(self.done);
        }
    }

    pub(super) fn flags(&self, start: usize, end: usize) -> u8 {
        self.bytes()[start..end]
            .iter()
            .fold(0, |f, &c| f | class::OF[c as usize])
    }

    /// Reads one run.
    pub(super) fn token(&mut self, start: usize, end: usize, flags: u8) {
        let start = start.max(self.done);
        if start >= end {
            return;
        }
        if flags & class::WIDE != 0 {
            self.wide(start, end);
        } else if flags & class::COLON != 0 {
            self.colons(start, end);
        } else {
            self.piece(start, end);
        }
    }

    /// Reads a run without colons.
    pub(super) fn piece(&mut self, start: usize, end: usize) {
        let start = start.max(self.done);
        if start >= end {
            return;
        }
        match self.byte(end) {
            Some(b'@') if self.mail(end) => return,
            // `first.last+tag@…`: the part behind the plus sign will look back.
            Some(b'+')
                if self.bytes()[end..]
                    .iter()
                    .take(64)
                    .find(|c| !name::is_local_byte(**c))
                    == Some(&b'@') =>
            {
                return;
            }
            _ => {}
        }
        let start = self.behind_escape(start, end);
        if self.bytes()[start..end].contains(&b'.') {
            self.dotted(start, end);
        } else {
            self.word(start, end);
        }
    }

    /// Steps over what an escape left in front of a word: `\n` in JSON, `%2F` in URLs.
    pub(super) fn behind_escape(&self, start: usize, end: usize) -> usize {
        let b = self.bytes();
        match self.prev(start) {
            Some(b'\\')
                if matches!(b[start], b'n' | b'r' | b't')
                    && end - start > 1
                    && !self.in_windows_path(start - 1) =>
            {
                start + 1
            }
            Some(b'%')
                if end - start > 2
                    && b[start].is_ascii_hexdigit()
                    && b[start + 1].is_ascii_hexdigit() =>
            {
                start + 2
            }
            _ => start,
        }
    }

    /// Whether the backslash at `at` is a separator of a path: a drive or `\\` stands further left.
    pub(super) fn in_windows_path(&self, at: usize) -> bool {
        let b = self.bytes();
        let from = at.saturating_sub(128);
        let length = b[from..at]
            .iter()
            .rev()
            .take_while(|c| {
                !c.is_ascii_whitespace() && !matches!(c, b'"' | b'\'' | b'<' | b'>' | b'|')
            })
            .count();
        let token = &b[at - length..=at];
        let drive = token
            .windows(3)
            .any(|w| w[0].is_ascii_alphabetic() && w[1] == b':' && w[2] == b'\\')
            && token.get(1) == Some(&b':');
        drive || token.starts_with(b"\\\\") || token.starts_with(b"%") || token.starts_with(b"HK")
    }

    pub(super) fn emit(&mut self, start: usize, end: usize, indicator: Indicator, defanged: bool) {
        let (from, to, marks) = self.plain.original(start, end);
        let text = self.original.get(from..to).unwrap_or_default().to_owned();
        self.found.push(Found {
            indicator,
            text,
            start: from,
            end: to,
            defanged: defanged || marks,
        });
        self.done = end;
    }

    /// Runs with other than ASCII bytes: cut at everything that is neither letter nor digit.
    pub(super) fn wide(&mut self, start: usize, end: usize) {
        let mut from = start;
        let mut at = start;
        while at < end {
            let Some(c) = self.char_at(at) else { break };
            let next = at + c.len_utf8();
            let inside = c.is_ascii() || c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36f}');
            if !inside {
                self.wide_part(from, at);
                from = next;
            }
            at = next;
        }
        self.wide_part(from, end);
    }

    pub(super) fn wide_part(&mut self, start: usize, end: usize) {
        let start = start.max(self.done);
        if start >= end {
            return;
        }
        let flags = self.flags(start, end);
        if flags & class::WIDE == 0 {
            return self.token(start, end, flags);
        }
        if flags & class::COLON != 0 {
            return self.colons(start, end);
        }
        self.wide_piece(start, end);
    }

    /// A piece with letters of other scripts. Chinese, Japanese and Korean text has no blanks, so a Latin
    /// name inside it is cut out; everything else may be an internationalised name.
    pub(super) fn wide_piece(&mut self, start: usize, end: usize) {
        let mixed = self.slice(start, end).split('.').any(|label| {
            label.chars().any(is_unspaced) && label.bytes().any(|b| b.is_ascii_alphanumeric())
        });
        if !mixed {
            return self.piece(start, end);
        }
        let mut from = start;
        let mut at = start;
        let mut latin = self.byte(start).is_some_and(|b| b < 0x80);
        while at < end {
            let Some(c) = self.char_at(at) else { break };
            if is_unspaced(c) == latin {
                if latin {
                    self.piece(from, at);
                }
                latin = !latin;
                from = at;
            }
            at += c.len_utf8();
        }
        if latin {
            self.piece(from, end);
        }
    }
}

pub(super) fn is_word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// Letters of scripts that put no blanks between words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{e00}'..='\u{e7f}' | '\u{20000}'..='\u{3ffff}')
}

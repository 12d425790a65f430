//! The one pass over the text.

use super::context::{self, HashLabel};
use super::names::{self, Around, Likely};
use super::{Found, urls};
use crate::classify::{address, hash, ident, name};
use crate::indicator::{Indicator, IndicatorType};
use crate::refang::Plain;

/// What a run of bytes holds.
mod class {
    pub(super) const LETTER: u8 = 1;
    pub(super) const DIGIT: u8 = 2;
    pub(super) const DOT: u8 = 4;
    pub(super) const COLON: u8 = 8;
    pub(super) const HYPHEN: u8 = 16;
    pub(super) const UNDERSCORE: u8 = 32;
    pub(super) const WIDE: u8 = 64;

    /// The class of each byte; 0 ends a run.
    pub(super) const OF: [u8; 256] = {
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

/// The longest dotted word that is looked at whole, in bytes.
const MAX_NAME: usize = 512;

/// Walks over the plain text and collects what it finds.
pub(super) struct Scanner<'a> {
    original: &'a str,
    plain: Plain<'a>,
    found: Vec<Found>,
    /// Everything left of this byte of the plain text is consumed.
    done: usize,
    /// The end of the last address that was taken for a version.
    version_end: Option<usize>,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            original: text,
            plain: Plain::of(text),
            found: Vec::new(),
            done: 0,
            version_end: None,
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

    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes().get(at).copied()
    }

    fn prev(&self, at: usize) -> Option<u8> {
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

    fn flags(&self, start: usize, end: usize) -> u8 {
        self.bytes()[start..end]
            .iter()
            .fold(0, |f, &c| f | class::OF[c as usize])
    }

    /// Reads one run.
    fn token(&mut self, start: usize, end: usize, flags: u8) {
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
    fn piece(&mut self, start: usize, end: usize) {
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
    fn behind_escape(&self, start: usize, end: usize) -> usize {
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
    fn in_windows_path(&self, at: usize) -> bool {
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

    fn emit(&mut self, start: usize, end: usize, indicator: Indicator, defanged: bool) {
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
    fn wide(&mut self, start: usize, end: usize) {
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

    fn wide_part(&mut self, start: usize, end: usize) {
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
    fn wide_piece(&mut self, start: usize, end: usize) {
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

    /// Reads a run with colons: the scheme of a URL, ssdeep, IPv6, MAC, or `label:value`, `host:port`.
    fn colons(&mut self, start: usize, end: usize) {
        let b = self.bytes();
        if b[end - 1] == b':' && matches!(b.get(end..end + 2), Some(b"//" | b"\\\\")) {
            if let Some(url) = urls::at(self, end - 1, self.done) {
                if url.start > start {
                    self.pieces(start, url.start);
                }
                if url.start >= self.done {
                    self.emit(url.start, url.end, url.indicator, url.defanged);
                    return;
                }
            }
        }
        if self.byte(start).is_some_and(|c| c.is_ascii_digit()) && self.ssdeep(start) {
            return;
        }
        self.pieces(start, end);
    }

    fn ssdeep(&mut self, start: usize) -> bool {
        let b = self.bytes();
        let size = b[start..]
            .iter()
            .take(10)
            .take_while(|c| c.is_ascii_digit())
            .count();
        if b.get(start + size) != Some(&b':')
            || !hash::is_block_size(self.slice(start, start + size))
        {
            return false;
        }
        let part = |from: usize| {
            b.get(from..)
                .unwrap_or_default()
                .iter()
                .take(65)
                .take_while(|c| hash::is_ssdeep_byte(**c))
                .count()
        };
        let first = part(start + size + 1);
        let colon = start + size + 1 + first;
        if first < 6 || b.get(colon) != Some(&b':') {
            return false;
        }
        let end = colon + 1 + part(colon + 1);
        if b.get(end) == Some(&b':') {
            return false;
        }
        match hash::ssdeep(self.slice(start, end)) {
            Some(found) => {
                self.emit(start, end, found, false);
                true
            }
            None => false,
        }
    }

    /// The colon-separated pieces of a run, with sequences of hex pieces read together.
    fn pieces(&mut self, start: usize, end: usize) {
        let start = start.max(self.done);
        let mut end = end;
        while end > start && self.bytes()[end - 1] == b'.' {
            end -= 1;
        }
        let mut at = start;
        while at < end {
            let sequence = self.hex_sequence(at, end);
            if sequence > at {
                let before = self.done;
                self.hex_pieces(at, sequence, end);
                if self.done > before {
                    at = (self.done).max(sequence);
                    if self.byte(at) == Some(b':') {
                        at += 1;
                    }
                    continue;
                }
            }
            let stop = self.bytes()[at..end]
                .iter()
                .position(|&c| c == b':')
                .map_or(end, |n| at + n);
            if stop > at {
                let wide = self.flags(at, stop) & class::WIDE != 0;
                if wide {
                    self.wide_piece(at, stop)
                } else {
                    self.piece(at, stop)
                }
            }
            at = (stop + 1).max(self.done);
        }
    }

    /// Behind the last of the pieces from `at` on that are up to four hex digits each (the last one may be
    /// a dotted IPv4 address). `at` itself when there are fewer than three.
    fn hex_sequence(&self, at: usize, end: usize) -> usize {
        let b = self.bytes();
        let (mut i, mut pieces, mut behind) = (at, 0, at);
        // More than 40 pieces are no address; the caller goes on piece by piece.
        while pieces < 40 {
            let digits = b[i..end]
                .iter()
                .take(5)
                .take_while(|c| c.is_ascii_hexdigit())
                .count();
            if digits > 4 {
                break;
            }
            match b.get(i + digits).filter(|_| i + digits < end) {
                Some(b':') => {
                    pieces += 1;
                    behind = i + digits;
                    i = behind + 1;
                }
                None => {
                    pieces += 1;
                    behind = end;
                    break;
                }
                Some(b'.') => {
                    let dotted = b[i..end]
                        .iter()
                        .take(16)
                        .take_while(|c| c.is_ascii_digit() || **c == b'.')
                        .count();
                    if i + dotted == end || !is_word_byte(b[i + dotted]) {
                        pieces += 1;
                        behind = i + dotted;
                    }
                    break;
                }
                Some(b'-') if digits > 0 => {
                    pieces += 1;
                    behind = i + digits;
                    break;
                }
                Some(_) => break,
            }
        }
        if pieces >= 3 { behind } else { at }
    }

    /// A sequence of at least three hex pieces: a MAC or IPv6 address, or nothing.
    fn hex_pieces(&mut self, start: usize, end: usize, run_end: usize) {
        let text = self.slice(start, end);
        let count = text.bytes().filter(|&c| c == b':').count() + 1;
        let pairs = text.split(':').all(|p| p.len() == 2);
        let follows = end < run_end && self.bytes()[end] == b':';
        if pairs {
            let more = follows
                && self
                    .bytes()
                    .get(end + 1)
                    .is_some_and(u8::is_ascii_alphanumeric);
            if count == 6 && !more {
                if let Some(found) = address::mac(text) {
                    self.emit(start, end, found, false);
                }
            } else if count == 14 && (text.ends_with(":08:00") || text.ends_with(":86:dd")) {
                // netfilter's MAC= field: destination, source, EtherType.
                let (to, from) = (
                    address::mac(self.slice(start, start + 17)),
                    address::mac(self.slice(start + 18, start + 35)),
                );
                if let (Some(to), Some(from)) = (to, from) {
                    self.emit(start, start + 17, to, false);
                    self.emit(start + 18, start + 35, from, false);
                }
            }
            // Eight pairs are an EUI-64 or WWN, more are a fingerprint.
            self.done = self.done.max(end);
            return;
        }
        let mut end = end;
        if text.ends_with(':') && !text.ends_with("::") {
            end -= 1;
        }
        let text = self.slice(start, end);
        let double = text.contains("::");
        if text == "::" || (!double && count < 7) || text.len() < 3 {
            return;
        }
        let Some(found) = address::ipv6(text) else {
            return;
        };
        if !reads_as_ipv6(text) && !self.plain.is_defanged(start, end) {
            self.done = self.done.max(end);
            return;
        }
        // `Foo::1`: a path of a program, not an address.
        if self
            .prev(start)
            .is_some_and(|c| is_word_byte(c) || c == b':')
            && text.starts_with(':')
        {
            return;
        }
        self.address(start, end, found);
    }

    /// An address, with the prefix length or zone that may follow.
    fn address(&mut self, start: usize, end: usize, found: Indicator) {
        let b = self.bytes();
        if found.kind() == IndicatorType::Ipv6 && b.get(end) == Some(&b'%') {
            let zone = b[end + 1..]
                .iter()
                .take(32)
                .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, b'.' | b'-' | b'_'))
                .count();
            let zone_end = end + 1 + zone
                - b[end + 1..end + 1 + zone]
                    .iter()
                    .rev()
                    .take_while(|c| **c == b'.')
                    .count();
            self.emit(start, zone_end, found, false);
            return;
        }
        if b.get(end) == Some(&b'/') {
            let rest = b.get(end + 1..).unwrap_or_default();
            let length = rest
                .iter()
                .take(16)
                .take_while(|c| c.is_ascii_digit() || **c == b'.')
                .count();
            let length = length
                - rest[..length]
                    .iter()
                    .rev()
                    .take_while(|c| **c == b'.')
                    .count();
            let stop = end + 1 + length;
            let glued = b
                .get(stop)
                .is_some_and(|c| c.is_ascii_alphabetic() || *c == b'_');
            if length > 0 && !glued {
                if let Some(net) = address::cidr(self.slice(start, stop)) {
                    self.emit(start, stop, net, false);
                    return;
                }
            }
        }
        self.emit(start, end, found, false);
    }

    /// A mail address whose sign is at `at`.
    fn mail(&mut self, at: usize) -> bool {
        let b = self.bytes();
        let floor = self.done.max(at.saturating_sub(66));
        let mut start = at;
        while start > floor && (is_local(b[start - 1])) {
            start -= 1;
        }
        while start > floor && b[start - 1] >= 0x80 {
            // Letters of other scripts belong to the local part; anything else ends it.
            let mut c = start - 1;
            while c > floor && b[c] & 0xc0 == 0x80 {
                c -= 1;
            }
            if !self.char_at(c).is_some_and(char::is_alphanumeric) {
                break;
            }
            start = c;
            while start > floor && is_local(b[start - 1]) {
                start -= 1;
            }
        }
        start = self.behind_escape(start, at);
        while start < at && matches!(b[start], b'.' | b'-' | b'\'' | b'=' | b'&') {
            start += 1;
        }
        if self.prev(start) == Some(b'@') || start == at {
            return false;
        }
        let mut end = at + 1;
        while let Some(c) = self.char_at(end) {
            if !(c.is_alphanumeric() || matches!(c, '.' | '-' | '\u{300}'..='\u{36f}'))
                || end - at > MAX_NAME
            {
                break;
            }
            end += c.len_utf8();
        }
        while end > at + 1 && matches!(b[end - 1], b'.' | b'-') {
            end -= 1;
        }
        if b.get(end) == Some(&b'@')
            || (b.get(end) == Some(&b':') && self.slice(start, at) == "git")
        {
            return false;
        }
        let Some(found) = name::email(self.slice(start, end)) else {
            return false;
        };
        let Some((_, host)) = found.value().rsplit_once('@') else {
            return false;
        };
        let around = Around {
            prev: Some(b'@'),
            next: self.byte(end),
            after: self.byte(end + 1),
            in_path: false,
        };
        let sure = names::judge(self.slice(at + 1, end), host, around) == Likely::Host
            || names::judge(host, host, around) == Likely::Host
            || self.plain.is_defanged(start, end);
        if !sure {
            return false;
        }
        self.emit(start, end, found, false);
        true
    }

    /// Reads a piece with dots.
    fn dotted(&mut self, start: usize, end: usize) {
        let b = self.bytes();
        let (mut start, mut end) = (start, end);
        let edge = |c: u8| matches!(c, b'.' | b'-');
        while start < end && edge(b[start]) {
            start += 1;
        }
        while start < end && edge(b[end - 1]) {
            end -= 1;
        }
        if start >= end {
            return;
        }
        let text = &b[start..end];
        if let Some(gap) = text.windows(2).position(|w| w == b"..") {
            // Each half is strictly shorter; the left one holds no gap.
            self.dotted(start, start + gap);
            let mut rest = start + gap;
            while rest < end && b_at(self, rest) == b'.' {
                rest += 1;
            }
            self.gaps(rest, end);
            return;
        }
        let Some(dot) = text.iter().rposition(|&c| c == b'.') else {
            return self.word(start, end);
        };
        if text.len() > MAX_NAME {
            return self.split(start, end, b'_');
        }
        let last = &text[dot + 1..];
        if last.iter().all(u8::is_ascii_digit) {
            self.numbers(start, end);
        } else if last.contains(&b'_') {
            self.split(start, end, b'_');
        } else {
            self.host(start, end);
        }
    }

    /// The parts of a text between runs of dots, one after the other.
    fn gaps(&mut self, start: usize, end: usize) {
        let mut from = start;
        while from < end {
            let b = self.bytes();
            let stop = b[from..end]
                .windows(2)
                .position(|w| w == b"..")
                .map_or(end, |n| from + n);
            self.dotted(from, stop);
            from = stop;
            while from < end && b_at(self, from) == b'.' {
                from += 1;
            }
        }
    }

    /// Reads the parts between separators one by one.
    fn split(&mut self, start: usize, end: usize, separator: u8) {
        let mut from = start;
        while from < end {
            let b = self.bytes();
            let stop = b[from..end]
                .iter()
                .position(|&c| c == separator)
                .map_or(end, |n| from + n);
            if stop > from && stop - from < end - start {
                if b[from..stop].contains(&b'.') {
                    self.dotted(from, stop)
                } else {
                    self.word(from, stop)
                }
            }
            from = stop + 1;
        }
    }

    /// A dotted piece that ends in a number: IPv4, a technique, a MAC, a range, a version.
    fn numbers(&mut self, start: usize, end: usize) {
        let text = self.slice(start, end);
        if text.len() < 7 {
            return;
        }
        if let Some(found) = address::ipv4(text) {
            return self.ipv4(start, end, found);
        }
        let first = text.as_bytes()[0];
        if matches!(first, b't' | b'T') {
            if let Some(found) = ident::attack(text) {
                return self.emit(start, end, found, false);
            }
        }
        if matches!(first, b'a' | b'A') {
            if let Some(found) = ident::asn(text) {
                return self.emit(start, end, found, false);
            }
        }
        if let Some(found) = address::mac(text) {
            return self.emit(start, end, found, false);
        }
        if text.contains('_') {
            return self.split(start, end, b'_');
        }
        if text.contains('-') {
            self.range(start, end);
        }
    }

    /// `192.0.2.1-192.0.2.9`, `192.0.2.1-20`, `ip-192.0.2.1`: every part is a number or a word that labels
    /// addresses.
    fn range(&mut self, start: usize, end: usize) {
        let labels = [
            "ip", "host", "src", "dst", "c2", "from", "to", "addr", "server", "node", "client",
            "peer",
        ];
        let ok = self.slice(start, end).split('-').all(|part| {
            !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit() || c == b'.')
                || labels.contains(&part.to_ascii_lowercase().as_str())
        });
        if ok {
            self.split(start, end, b'-');
        }
    }

    fn ipv4(&mut self, start: usize, end: usize, found: Indicator) {
        if !self.plain.is_defanged(start, end) {
            let listed = self.version_end.is_some_and(|v| {
                v < start
                    && start - v <= 5
                    && matches!(
                        self.slice(v, start),
                        " to " | " and " | "/" | " or " | ", " | " - " | "-"
                    )
            });
            if listed || context::is_version(self.bytes(), start) {
                self.version_end = Some(end);
                return;
            }
        }
        self.address(start, end, found);
    }

    /// A dotted piece that ends in letters: the name of a host, or of a file, or code.
    fn host(&mut self, start: usize, end: usize) {
        let mut start = start;
        let text = self.slice(start, end);
        if let Some(bar) = text.rfind('_') {
            // Underscores are in names of services and records, not of hosts: `_dmarc.example.com` names
            // `example.com`; `user_example.com` is two words.
            let rest = text.get(bar..).unwrap_or_default();
            let behind = rest.find('.').map_or(end, |dot| start + bar + dot + 1);
            if self.slice(behind, end).contains('.') {
                start = behind;
            } else {
                return self.split(start, end, b'_');
            }
        }
        let text = self.slice(start, end);
        let Some((_, tld)) = text.rsplit_once('.') else {
            return;
        };
        if tld.len() < 2 || (tld.is_ascii() && !tld.as_bytes()[0].is_ascii_alphabetic()) {
            return self.hash_in_name(start, end);
        }
        let Some(canonical) = name::host_name(text) else {
            return self.hash_in_name(start, end);
        };
        let prev = self.prev(start);
        let around = Around {
            prev,
            next: self.byte(end),
            after: self.byte(end + 1),
            in_path: prev == Some(b'\\') && start >= 2 && !self.is_unc_host(start),
        };
        let certain = names::judge(text, &canonical, around) == Likely::Host
            || self.plain.is_defanged(start, end)
            || context::is_labelled_name(self.bytes(), start);
        // An onion name of the wrong length names nothing.
        let dead_onion = canonical.ends_with(".onion") && !name::is_onion(&canonical);
        if !certain || dead_onion {
            return self.hash_in_name(start, end);
        }
        self.emit(start, end, name::typed(canonical), false);
        // What follows is a path on that host.
        let mut path = end;
        if self.byte(path) == Some(b':') {
            let digits = self.bytes()[path + 1..]
                .iter()
                .take(6)
                .take_while(|c| c.is_ascii_digit())
                .count();
            if (1..=5).contains(&digits) {
                path += 1 + digits;
            }
        }
        if matches!(self.byte(path), Some(b'/' | b'?' | b'#'))
            && self.byte(path + 1).is_some_and(|c| c > b' ')
        {
            self.done = self.done.max(urls::end(self, start, path, false));
        }
    }

    /// Whether what stands at `start` is the host of `\\host\share`.
    fn is_unc_host(&self, start: usize) -> bool {
        let b = self.bytes();
        start >= 2 && b[start - 2] == b'\\' && !(start >= 3 && is_word_byte(b[start - 3]))
    }

    /// `44d88612fea8a8f36de82e1278abb02f.exe`: the hash in the name of a file.
    fn hash_in_name(&mut self, start: usize, end: usize) {
        if end - start >= 32 {
            self.split(start, end, b'.');
        }
    }

    /// Reads a piece without dots and colons.
    fn word(&mut self, start: usize, end: usize) {
        let start = start.max(self.done);
        if start >= end {
            return;
        }
        let b = self.bytes();
        let text = &b[start..end];
        if text.len() <= 3 {
            return self.spaced_id(start, end);
        }
        if !text.iter().any(u8::is_ascii_digit) || !text.is_ascii() {
            return;
        }
        if text.contains(&b'_') {
            if self.cve_with(start, end, b'_') {
                return;
            }
            return self.split(start, end, b'_');
        }
        if text.contains(&b'-') {
            return self.hyphens(start, end);
        }
        self.plain_word(start, end);
    }

    /// A word with hyphens: CVE ids, MAC addresses, hashes between other words.
    fn hyphens(&mut self, start: usize, end: usize) {
        if self.cve_with(start, end, b'-') {
            return;
        }
        if end - start == 17 {
            if let Some(found) = address::mac(self.slice(start, end)) {
                return self.emit(start, end, found, false);
            }
        }
        self.split(start, end, b'-');
    }

    /// `CVE-2021-44228` inside a word, also with underscores. Each start is looked at once.
    fn cve_with(&mut self, start: usize, end: usize, separator: u8) -> bool {
        let mut any = false;
        let mut from = start;
        while from + 13 <= end {
            let b = self.bytes();
            let boundary = from == start || !b[from - 1].is_ascii_alphanumeric();
            if boundary
                && b[from..from + 3].eq_ignore_ascii_case(b"cve")
                && b[from + 3] == separator
                && b[from + 8] == separator
            {
                let digits = b[from + 9..end]
                    .iter()
                    .take(20)
                    .take_while(|c| c.is_ascii_digit())
                    .count();
                let stop = from + 9 + digits;
                let glued = stop < end && b[stop].is_ascii_alphabetic();
                let text = self.slice(from, stop).replace(separator as char, "-");
                if let Some(found) = ident::cve(&text).filter(|_| !glued) {
                    self.emit(from, stop, found, false);
                    any = true;
                    from = stop;
                    continue;
                }
            }
            from += 1;
        }
        any
    }

    /// `CVE 2024 3094`, `ASN 64500`, `"asn": 64500`.
    fn spaced_id(&mut self, start: usize, end: usize) {
        let b = self.bytes();
        let word = &b[start..end];
        let kind = match word {
            w if w.eq_ignore_ascii_case(b"cve") => IndicatorType::Cve,
            w if w.eq_ignore_ascii_case(b"asn") || w == b"AS" => IndicatorType::Asn,
            _ => return,
        };
        if self.prev(start).is_some_and(is_word_byte) {
            return;
        }
        let glue = b[end..]
            .iter()
            .take(4)
            .take_while(|c| matches!(c, b' ' | b':' | b'=' | b'"' | b'#'))
            .count();
        let from = end + glue;
        let digits = |at: usize, most: usize| {
            b.get(at..)
                .unwrap_or_default()
                .iter()
                .take(most)
                .take_while(|c| c.is_ascii_digit())
                .count()
        };
        if glue == 0 {
            return;
        }
        if kind == IndicatorType::Cve {
            let year = digits(from, 5);
            if year != 4 || !matches!(b.get(from + 4), Some(b' ' | b'-' | b'_')) {
                return;
            }
            let number = digits(from + 5, 20);
            let stop = from + 5 + number;
            if b.get(stop).is_some_and(|c| c.is_ascii_alphanumeric()) {
                return;
            }
            let text = format!(
                "CVE-{}-{}",
                self.slice(from, from + 4),
                self.slice(from + 5, stop)
            );
            if let Some(found) = ident::cve(&text) {
                self.emit(start, stop, found, false);
            }
            return;
        }
        let number = digits(from, 11);
        let stop = from + number;
        let short = word == b"AS" && (number < 3 || !b[end..from].iter().all(|c| *c == b' '));
        if short
            || b.get(stop)
                .is_some_and(|c| c.is_ascii_alphanumeric() || *c == b'-')
        {
            return;
        }
        if let Some(n) = ident::as_number(self.slice(from, stop)) {
            self.emit(
                start,
                stop,
                Indicator::canonical(IndicatorType::Asn, format!("AS{n}")),
                false,
            );
        }
    }

    /// Letters and digits only: hashes, coins, ids.
    fn plain_word(&mut self, start: usize, end: usize) {
        let text = self.slice(start, end);
        let first = text.as_bytes()[0];
        let found = match text.len() {
            32 | 40 | 64 | 128 if text.bytes().all(|c| c.is_ascii_hexdigit()) => {
                return self.hash(start, end);
            }
            5 if matches!(first, b't' | b'T') => ident::attack(text),
            42 if text.starts_with("0x") || text.starts_with("0X") => ident::eth(text),
            26..=62 if matches!(first, b'1' | b'3' | b'b' | b'B') => ident::btc(text),
            // `as1` and `AS2` are words; a lower-case prefix wants a number that is long enough.
            4..=14 if matches!(first, b'a' | b'A') => ident::asn(text),
            _ => None,
        };
        match found {
            Some(found) => self.emit(start, end, found, false),
            None => self.broken_hash(start, end),
        }
    }

    /// A run of 32, 40, 64 or 128 hex digits.
    fn hash(&mut self, start: usize, end: usize) {
        let b = self.bytes();
        let text = &b[start..end];
        // One digit over and over, and digits without a single letter, are fillers and numbers.
        let filler = text.iter().all(|c| *c == text[0]) || text.iter().all(u8::is_ascii_digit);
        if filler {
            self.done = end;
            return;
        }
        let label = context::hash_label(b, start);
        if let HashLabel::Digits(wanted) = label {
            if wanted > end - start && self.join_hash(start, end, wanted) {
                return;
            }
        }
        let Some(found) = hash::hash(self.slice(start, end)) else {
            return;
        };
        let md5 = found.kind() == IndicatorType::Md5;
        let found = match label {
            HashLabel::Ja3 if md5 => Indicator::canonical(IndicatorType::Ja3, found.value()),
            HashLabel::Ja3s if md5 => Indicator::canonical(IndicatorType::Ja3s, found.value()),
            HashLabel::Other if end - start <= 40 => {
                self.done = end;
                return;
            }
            _ => found,
        };
        self.emit(start, end, found, false);
    }

    /// A hash that a label announces and a line break cut into pieces of other lengths.
    fn broken_hash(&mut self, start: usize, end: usize) {
        let length = end - start;
        let b = self.bytes();
        if !(16..128).contains(&length) || !b[start..end].iter().all(u8::is_ascii_hexdigit) {
            return;
        }
        if let HashLabel::Digits(wanted) = context::hash_label(b, start) {
            if wanted > length {
                self.join_hash(start, end, wanted);
            }
        }
    }

    /// Joins hex digits over line breaks until there are `wanted` of them, if that comes out even.
    fn join_hash(&mut self, start: usize, end: usize, wanted: usize) -> bool {
        let b = self.bytes();
        let mut digits = self.slice(start, end).to_owned();
        let mut at = end;
        while digits.len() < wanted {
            let gap = b[at..]
                .iter()
                .take(40)
                .take_while(|c| matches!(c, b' ' | b'\n' | b'\r' | b'\t' | b'|' | b'>'))
                .count();
            if !b[at..at + gap].contains(&b'\n') {
                return false;
            }
            let from = at + gap;
            let more = b[from..]
                .iter()
                .take(129)
                .take_while(|c| c.is_ascii_hexdigit())
                .count();
            if more < 4 {
                return false;
            }
            at = from + more;
            digits.push_str(self.slice(from, at));
        }
        if digits.len() != wanted || b.get(at).is_some_and(|c| is_word_byte(*c)) {
            return false;
        }
        match hash::hash(&digits) {
            Some(found) => {
                self.emit(start, at, found, false);
                true
            }
            None => false,
        }
    }
}

fn b_at(scan: &Scanner<'_>, at: usize) -> u8 {
    scan.byte(at).unwrap_or_default()
}

fn is_word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// Bytes of a local part that may stand in running text without markup around.
fn is_local(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'%' | b'+' | b'-')
}

/// Letters of scripts that put no blanks between words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{e00}'..='\u{e7f}' | '\u{20000}'..='\u{3ffff}')
}

/// `Abc::Def` parses as an address and is a path in code. An address has a digit, or is made of full
/// lower-case groups (`dead::beef`).
fn reads_as_ipv6(text: &str) -> bool {
    if text.bytes().any(|b| b.is_ascii_digit()) {
        return true;
    }
    text.split(':')
        .filter(|p| !p.is_empty())
        .all(|p| p.len() == 4 && p.bytes().all(|b| b.is_ascii_lowercase()))
}

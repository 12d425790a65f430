//! Pieces with dots: mail addresses, IPv4, hosts, files.

use super::context;
use super::names::{self, Around, Likely};
use super::scan::{Scanner, is_word_byte};
use super::urls;
use crate::classify::{address, ident, name};
use crate::indicator::Indicator;

/// The longest dotted word that is looked at whole, in bytes.
const MAX_NAME: usize = 512;

impl Scanner<'_> {
    /// A mail address whose sign is at `at`.
    pub(super) fn mail(&mut self, at: usize) -> bool {
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
            chained: false,
            mail: true,
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
    pub(super) fn dotted(&mut self, start: usize, end: usize) {
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
        if text.len() == 14
            && let Some(found) = address::mac(self.slice(start, end))
        {
            return self.emit(start, end, found, false);
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
    pub(super) fn gaps(&mut self, start: usize, end: usize) {
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
    pub(super) fn split(&mut self, start: usize, end: usize, separator: u8) {
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
    pub(super) fn numbers(&mut self, start: usize, end: usize) {
        let text = self.slice(start, end);
        if text.len() < 7 {
            return;
        }
        if let Some(found) = address::ipv4(text) {
            return self.ipv4(start, end, found);
        }
        let first = text.as_bytes()[0];
        let id = match first {
            b't' | b'T' => ident::attack(text),
            b'a' | b'A' => ident::asn(text),
            _ => None,
        };
        if let Some(found) = id {
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
    pub(super) fn range(&mut self, start: usize, end: usize) {
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

    pub(super) fn ipv4(&mut self, start: usize, end: usize, found: Indicator) {
        if !self.plain.is_defanged(start, end) {
            let listed = self.version_end.is_some_and(|v| {
                v < start
                    && start - v <= 5
                    && matches!(
                        self.slice(v, start),
                        " to " | " and " | "/" | " or " | ", " | " - " | "-"
                    )
            });
            if listed
                || context::is_version(self.bytes(), start)
                || context::is_version_by_next(self.bytes(), end)
            {
                self.version_end = Some(end);
                return;
            }
        }
        self.address(start, end, found);
    }

    /// A dotted piece that ends in letters: the name of a host, or of a file, or code.
    pub(super) fn host(&mut self, start: usize, end: usize) {
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
            in_path: prev == Some(b'\\') && self.is_path_part(start),
            chained: prev == Some(b'.')
                && start >= 2
                && matches!(self.byte(start - 2), Some(b')' | b']' | b'}')),
            mail: false,
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

    /// Whether a directory, a drive or a domain of accounts stands in front of the backslash before `start`.
    /// The host of `\\host\share` is none.
    pub(super) fn is_path_part(&self, start: usize) -> bool {
        let b = self.bytes();
        let word = |at: Option<usize>| {
            at.and_then(|i| b.get(i))
                .is_some_and(|&c| is_word_byte(c) || matches!(c, b':' | b'.' | b'%' | b'$' | b')'))
        };
        let doubled = start >= 2 && b[start - 2] == b'\\';
        word(start.checked_sub(if doubled { 3 } else { 2 }))
    }

    /// `44d88612fea8a8f36de82e1278abb02f.exe`: the hash in the name of a file.
    pub(super) fn hash_in_name(&mut self, start: usize, end: usize) {
        if end - start >= 32 {
            self.split(start, end, b'.');
        }
    }
}

fn b_at(scan: &Scanner<'_>, at: usize) -> u8 {
    scan.byte(at).unwrap_or_default()
}

/// Bytes of a local part that may stand in running text without markup around.
fn is_local(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'%' | b'+' | b'-')
}

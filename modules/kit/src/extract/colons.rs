//! Runs with colons: URLs, ssdeep, IPv6 and MAC addresses, `label:value`, `host:port`.

use super::scan::{Scanner, class, is_word_byte};
use super::urls;
use crate::classify::{address, hash, web};
use crate::indicator::{Indicator, IndicatorType};

impl Scanner<'_> {
    /// Reads a run with colons: the scheme of a URL, ssdeep, IPv6, MAC, or `label:value`, `host:port`.
    pub(super) fn colons(&mut self, start: usize, end: usize) {
        let b = self.bytes();
        if b[end - 1] == b':'
            && matches!(b.get(end..end + 2), Some(b"//" | b"\\\\"))
            && end > self.no_url
            && let Some(url) = urls::at(self, end - 1, self.done)
        {
            if url.start > start {
                self.pieces(start, url.start);
            }
            match url.indicator {
                Some(found) if url.start >= self.done => {
                    self.emit(url.start, url.end, found, url.defanged);
                    return;
                }
                Some(_) => {}
                None if url.end - url.start > web::MAX_URL => {
                    self.done = self.done.max(url.end);
                    return;
                }
                None => self.no_url = url.end,
            }
        }
        if self.byte(start).is_some_and(|c| c.is_ascii_digit()) && self.ssdeep(start) {
            return;
        }
        self.pieces(start, end);
    }

    pub(super) fn ssdeep(&mut self, start: usize) -> bool {
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
    pub(super) fn pieces(&mut self, start: usize, end: usize) {
        let start = start.max(self.done);
        let mut end = end;
        while end > start && self.bytes()[end - 1] == b'.' {
            end -= 1;
        }
        let mut at = start;
        // A sequence is read once, as a whole: the last eight of nine groups are no address.
        let mut tried = start;
        while at < end {
            let sequence = if at < tried {
                at
            } else {
                self.hex_sequence(at, end)
            };
            tried = tried.max(sequence);
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
    pub(super) fn hex_sequence(&self, at: usize, end: usize) -> usize {
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
    pub(super) fn hex_pieces(&mut self, start: usize, end: usize, run_end: usize) {
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
        // `x[2::3]` and `Foo::<T>`: a slice and a path of a program.
        let slice = self.prev(start) == Some(b'[')
            && start >= 2
            && self
                .byte(start - 2)
                .is_some_and(|c| is_word_byte(c) || matches!(c, b')' | b']'));
        let path = text.ends_with("::")
            && self
                .byte(end)
                .is_some_and(|c| matches!(c, b'<' | b'{' | b'*' | b'('));
        if slice || path {
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
    pub(super) fn address(&mut self, start: usize, end: usize, found: Indicator) {
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
            if length > 0
                && !glued
                && let Some(net) = address::cidr(self.slice(start, stop))
            {
                self.emit(start, stop, net, false);
                return;
            }
        }
        self.emit(start, end, found, false);
    }
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

//! Words without dots and colons: hashes, CVE and AS numbers, techniques, coins, MAC addresses.

use super::context::{self, HashLabel};
use super::scan::{Scanner, is_word_byte};
use crate::classify::{address, hash, ident};
use crate::indicator::{Indicator, IndicatorType};

impl Scanner<'_> {
    /// Reads a piece without dots and colons.
    pub(super) fn word(&mut self, start: usize, end: usize) {
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
    pub(super) fn hyphens(&mut self, start: usize, end: usize) {
        if self.cve_with(start, end, b'-') {
            return;
        }
        if end - start == 17
            && let Some(found) = address::mac(self.slice(start, end))
        {
            return self.emit(start, end, found, false);
        }
        self.split(start, end, b'-');
    }

    /// `CVE-2021-44228` inside a word, also with underscores. Each start is looked at once.
    pub(super) fn cve_with(&mut self, start: usize, end: usize, separator: u8) -> bool {
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
    pub(super) fn spaced_id(&mut self, start: usize, end: usize) {
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
    pub(super) fn plain_word(&mut self, start: usize, end: usize) {
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
            4..=14 if matches!(first, b'a' | b'A') && !text.eq_ignore_ascii_case("asn1") => {
                ident::asn(text)
            }
            _ => None,
        };
        match found {
            Some(found) => self.emit(start, end, found, false),
            None => self.broken_hash(start, end),
        }
    }

    /// A run of 32, 40, 64 or 128 hex digits.
    pub(super) fn hash(&mut self, start: usize, end: usize) {
        let b = self.bytes();
        let text = &b[start..end];
        // One digit over and over, and digits without a single letter, are fillers and numbers.
        let filler = text.iter().all(|c| *c == text[0])
            || text.iter().all(u8::is_ascii_digit)
            || text[..16].eq_ignore_ascii_case(b"0123456789abcdef");
        if filler {
            self.done = end;
            return;
        }
        let label = context::hash_label(b, start);
        if let HashLabel::Digits(wanted) = label
            && wanted > end - start
            && self.join_hash(start, end, wanted)
        {
            return;
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
    pub(super) fn broken_hash(&mut self, start: usize, end: usize) {
        let length = end - start;
        let b = self.bytes();
        if !(16..128).contains(&length) || !b[start..end].iter().all(u8::is_ascii_hexdigit) {
            return;
        }
        if let HashLabel::Digits(wanted) = context::hash_label(b, start)
            && wanted > length
        {
            self.join_hash(start, end, wanted);
        }
    }

    /// Joins hex digits over line breaks until there are `wanted` of them, if that comes out even.
    pub(super) fn join_hash(&mut self, start: usize, end: usize, wanted: usize) -> bool {
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

//! Where a configured value may begin: a cheap test for each place of a text, so that the walk through the trie, which
//! reads every character in every way, is taken only where it can lead anywhere.
//!
//! Why nothing is lost: a character that can be read in one way only, and at which no gap begins, has one way through
//! the trie, the edge of its byte. So where the next characters are of that kind, a walk gets past them only if the
//! trie holds them as the beginning of a value, and that is what is looked up. PURE.

use super::unit;

/// Characters that are looked up at once. Every value in a trie is longer, or the test lets everything pass.
pub(super) const PREFIX: usize = 4;

/// Bits of one table: 8 kB, so that all tables of a trie stay near the processor.
const BITS: usize = 1 << 16;

/// Places at which a character can be read in another way than as its byte, or at which a gap begins, in order.
pub(super) fn ambiguous(t: &[u8]) -> Vec<usize> {
    let (mut readings, mut gaps) = (Vec::new(), Vec::new());
    t.iter()
        .enumerate()
        .filter(|(p, b)| {
            if !SPECIAL[usize::from(**b)] {
                return false;
            }
            readings.clear();
            gaps.clear();
            // From the cheapest question to the dearest; one answer is enough.
            unit::direct(t, *p, &mut readings);
            if readings.is_empty() {
                unit::gaps(t, *p, &mut gaps);
            }
            if readings.is_empty() && gaps.is_empty() {
                unit::escaped(t, *p, &mut readings);
            }
            !readings.is_empty() || !gaps.is_empty()
        })
        .map(|(p, _)| p)
        .collect()
}

/// Bytes at which a character may be read in more than one way, or a gap may begin.
pub(super) const fn is_special(b: u8) -> bool {
    unit::starts_escape(b)
        || unit::starts_gap(b)
        || matches!(b, b' ' | b'\t' | b'|' | b'"' | b'\'' | b'<' | b',')
}

const SPECIAL: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = is_special(b as u8);
        b += 1;
    }
    table
};

/// The beginnings of the values of one trie.
#[derive(Default)]
pub(super) struct Starts {
    /// For 1 to [`PREFIX`] characters: one bit for each hash of a beginning of that length.
    tables: Vec<Vec<u64>>,
    /// One bit for each pair of bytes with which an ambiguous beginning may stand.
    pairs: Vec<u64>,
    /// A value is no longer than [`PREFIX`]: every place is a possible beginning.
    any: bool,
    /// Of a row of backslashes in front of an escape the last one is enough to begin with.
    skip_rows: bool,
}

impl Starts {
    /// With no beginning yet. `any` lets every place pass.
    pub(super) fn new(any: bool, skip_rows: bool) -> Self {
        let mut starts = Self {
            tables: vec![vec![0; BITS / 64]; PREFIX],
            pairs: vec![0; BITS / 64],
            any,
            skip_rows,
        };
        starts.escapes();
        starts
    }

    /// Adds the first 1 to [`PREFIX`] characters of a value.
    pub(super) fn add(&mut self, beginning: &[u8]) {
        let Some(table) = beginning
            .len()
            .checked_sub(1)
            .and_then(|i| self.tables.get_mut(i))
        else {
            return;
        };
        let i = hash(beginning);
        table[i >> 6] |= 1 << (i & 63);
        match *beginning {
            [first, second] => self.pair(first, second),
            [first] => {
                for b in (0..=255u8).filter(|b| is_special(*b)) {
                    self.pair(first, b);
                }
            }
            _ => {}
        }
    }

    fn pair(&mut self, a: u8, b: u8) {
        for a in [a, a.to_ascii_uppercase()] {
            for b in [b, b.to_ascii_uppercase()] {
                let i = usize::from(a) << 8 | usize::from(b);
                self.pairs[i >> 6] |= 1 << (i & 63);
            }
        }
    }

    /// The first two bytes of escapes.
    fn escapes(&mut self) {
        for b in 0..=255u8 {
            if b.is_ascii_hexdigit() || matches!(b, b'u' | b'U') {
                self.pair(b'%', b);
                self.pair(b'=', b);
            }
            if b.is_ascii_alphanumeric() || b == b'#' {
                self.pair(b'&', b);
            }
            self.pair(b'\\', b);
        }
        // One escape inside another.
        for a in [b'%', b'&', b'='] {
            for b in [b'%', b'&', b'\\'] {
                self.pair(a, b);
            }
        }
        // Tag characters, U+E0000 block; full width.
        self.pair(0xF3, 0xA0);
        self.pair(0xEF, 0xBC);
        self.pair(0xEF, 0xBD);
    }

    fn has(&self, beginning: &[u8]) -> bool {
        let i = hash(beginning);
        beginning
            .len()
            .checked_sub(1)
            .and_then(|n| self.tables.get(n))
            .is_none_or(|table| table[i >> 6] & (1 << (i & 63)) != 0)
    }

    /// True when the two bytes at `p` may begin a value.
    pub(super) fn has_pair(&self, t: &[u8], p: usize) -> bool {
        let (Some(a), Some(b)) = (t.get(p), t.get(p + 1)) else {
            return false;
        };
        let i = usize::from(*a) << 8 | usize::from(*b);
        !(self.skip_rows && i == 0x5C5C) && self.pairs[i >> 6] & (1 << (i & 63)) != 0
    }

    /// Calls `walk` with each place of `t` at which a value may begin; `ambiguous` are the places that
    /// [`ambiguous`] gives for `t`.
    pub(super) fn each(&self, t: &[u8], ambiguous: &[usize], mut walk: impl FnMut(usize)) {
        if self.any {
            (0..t.len())
                .filter(|p| self.has_pair(t, *p))
                .for_each(&mut walk);
            return;
        }
        let Some(long) = self.tables.last() else {
            return;
        };
        let mut from = 0;
        for &at in ambiguous.iter().chain(std::iter::once(&t.len())) {
            let plain = t.get(from..at).unwrap_or_default();
            for (n, four) in plain.windows(PREFIX).enumerate() {
                let i = hash(four);
                if long[i >> 6] & (1 << (i & 63)) != 0 {
                    walk(from + n);
                }
            }
            // The last ones, cut short by what can be read in more than one way. At the end of the text nothing
            // follows them, and no value is as short.
            if at == t.len() {
                break;
            }
            for p in from.max(at.saturating_sub(PREFIX - 1))..at {
                if self.has(t.get(p..at).unwrap_or_default()) {
                    walk(p);
                }
            }
            if self.has_pair(t, at) {
                walk(at);
            }
            from = at + 1;
        }
    }
}

/// The place of up to four bytes in a table. Letters of either case have the same.
fn hash(beginning: &[u8]) -> usize {
    let word = match *beginning {
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
        [a, b, c] => u32::from_le_bytes([a, b, c, 0]),
        [a, b] => u32::from_le_bytes([a, b, 0, 0]),
        [a] => u32::from(a),
        _ => 0,
    };
    ((word | 0x2020_2020).wrapping_mul(0x9E37_79B1) >> 16) as usize & (BITS - 1)
}

//! Numbers that follow from a seed and look random: the same fleet for the same seed, on every machine.

/// SplitMix64: small, even, and good enough to make up a fleet.
#[derive(Clone, Debug)]
pub(super) struct Rng(u64);

impl Rng {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A number below `n`; 0 for `n` = 0.
    pub(super) const fn below(&mut self, n: u64) -> u64 {
        if n == 0 { 0 } else { self.next() % n }
    }

    /// True in `percent` of a hundred cases.
    pub(super) const fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of these; the first of an empty list does not exist, so an empty text.
    pub(super) fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        let at = usize::try_from(self.below(of.len() as u64)).unwrap_or(0);
        of.get(at).copied().unwrap_or_default()
    }
}

/// Scrambles a number.
pub(super) const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

//! Seeded random numbers (SplitMix64; Steele, Lea and Flood, 2014): the same seed gives the same
//! numbers on any computer. Models draw noise and bounce from them, tests draw sessions.

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

/// Increment from one state to the next.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl Random {
    /// Creates the stream of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Makes the stream depend on `value` too.
    pub fn stir(&mut self, value: u64) {
        self.0 = self.next() ^ value;
    }

    /// Returns the number that follows after `others` further numbers.
    pub fn nth(&self, others: u64) -> u64 {
        Self(self.0.wrapping_add(STEP.wrapping_mul(others))).next()
    }

    /// Returns the next number.
    #[expect(clippy::should_implement_trait, reason = "a stream has no end, so no `Option`")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`; 0 if `end` is 0. Its bias is below 2⁻³² for the spans used
    /// here.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nth_equals_repeated_next() {
        let mut random = Random::new(0xFFFF_FFFF_0000_0007);
        let start = random.clone();
        for others in 0..1_000 {
            assert_eq!(start.nth(others), random.next());
        }
    }
}

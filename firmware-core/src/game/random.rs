//! Random numbers from a seed: the same seed gives the same coin flips on every board.

/// A sequence of random numbers (SplitMix64; Steele, Lea and Flood, 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates the sequence that begins with `seed`.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the state from which [`Self::new`] creates the rest of the sequence.
    pub const fn state(&self) -> u64 {
        self.0
    }

    /// Returns the next number, uniformly distributed over all values.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// Flips a coin.
    pub fn heads(&mut self) -> bool {
        self.number() >> 63 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.number(), 6_457_827_717_110_365_317);
        assert_eq!(random.number(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn a_coin_falls_on_both_sides_about_as_often() {
        let mut random = Random::new(0);
        let heads = (0..10_000).filter(|_| random.heads()).count();
        assert!((4_800..5_200).contains(&heads), "{heads} of 10,000");
    }

    #[test]
    fn a_sequence_continues_from_its_state() {
        let mut random = Random::new(7);
        random.number();
        let mut other = Random::new(random.state());
        assert_eq!(other.number(), random.number());
    }
}

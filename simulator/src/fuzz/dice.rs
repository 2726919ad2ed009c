//! Seeded chance (SplitMix64): the same seed throws the same numbers on any computer.

/// A stream of throws.
pub(super) struct Dice(u64);

impl Dice {
    /// The stream of session `number` of `seed`.
    pub(super) fn new(seed: u64, number: u64) -> Self {
        let mut dice = Self(seed);
        dice.0 = dice.throw() ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        dice.throw();
        dice
    }

    pub(super) fn throw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from `from` up to and without `end`, which is larger.
    pub(super) fn between(&mut self, from: u64, end: u64) -> u64 {
        from + ((u128::from(self.throw()) * u128::from(end - from)) >> 64) as u64
    }

    /// True once in `of` throws.
    pub(super) fn once_in(&mut self, of: u64) -> bool {
        self.between(0, of) == 0
    }

    /// One of `all`, which is not empty.
    pub(super) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.between(0, all.len() as u64) as usize]
    }
}

//! Seeded chance for games that can be played again. It knows no game and reads no clock.

/// A row of numbers that follows from its seed alone (SplitMix64: a counter, scrambled).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The row of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from 0 to `end - 1`; 0 if there is none.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    /// True once in `times` on average.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of `from`; `None` if it is empty.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        from.get(self.below(from.len() as u64) as usize).copied()
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

//! Seeded random numbers for reproducible games. It knows no game and reads no clock.

use virtual_time::Random;

/// A stream of random numbers, determined by its seed.
#[derive(Clone, Debug)]
pub struct Dice(Random);

impl Dice {
    /// Creates the stream of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    /// Returns a number from 0 to `end - 1`; 0 if `end` is 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0.next() % end.max(1)
    }

    /// Returns true once in `times` on average.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// Returns an element of `from`; `None` if it is empty.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        from.get(self.below(from.len() as u64) as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Suites are named by their seeds, so the games of a seed must never change.
    #[test]
    fn a_seed_leads_to_these_numbers() {
        let mut dice = Dice::new(0);
        let numbers = [(); 3].map(|()| dice.below(u64::MAX));
        assert_eq!(numbers, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]);
        assert_eq!(Dice::new(1).pick(&["a", "b", "c"]), Some("c"));
    }
}

//! Seeded chance for games that can be played again. It knows no game and reads no clock.

use hal_mock::random::Random;

/// A stream of numbers that follows from its seed alone.
#[derive(Clone, Debug)]
pub struct Dice(Random);

impl Dice {
    /// The row of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    /// A number from 0 to `end - 1`; 0 if there is none.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0.next() % end.max(1)
    }

    /// True once in `times` on average.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of `from`; `None` if it is empty.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        from.get(self.below(from.len() as u64) as usize).copied()
    }
}

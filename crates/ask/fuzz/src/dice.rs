//! Random numbers of the sessions.

use virtual_time::Random;

/// A stream of random numbers.
pub(super) struct SessionRandom(Random);

impl SessionRandom {
    /// Returns the stream of session `number` of `seed`.
    pub(super) fn new(seed: u64, number: u64) -> Self {
        let mut random = Random::new(seed);
        random.stir(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        random.next();
        Self(random)
    }

    /// Returns the stream itself.
    pub(super) fn stream(&mut self) -> &mut Random {
        &mut self.0
    }

    /// Returns a number from `from` to below `end`, which must be larger.
    pub(super) fn between(&mut self, from: u64, end: u64) -> u64 {
        from + self.0.below(end - from)
    }

    /// Returns true once in `of` calls on average.
    pub(super) fn once_in(&mut self, of: u64) -> bool {
        self.between(0, of) == 0
    }

    /// Returns one of `all`, which must not be empty.
    pub(super) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.between(0, all.len() as u64) as usize]
    }
}

//! Reproducible random numbers: xorshift64*, seeded.

#[derive(Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self((seed ^ 0x9E37_79B9_7F4A_7C15).max(1))
    }

    pub fn word(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as u32
    }

    /// Returns a number from 0 to `end` - 1.
    pub fn below(&mut self, end: u32) -> u32 {
        ((u64::from(self.word()) * u64::from(end)) >> 32) as u32
    }

    pub fn one_in(&mut self, count: u32) -> bool {
        self.below(count) == 0
    }

    pub fn choose<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    /// Returns a small or large number, or one with a single bit or run of bits: values at which
    /// carries and signs change.
    pub fn operand(&mut self) -> u32 {
        match self.below(6) {
            0 => self.below(256),
            1 => 0u32.wrapping_sub(self.below(256)),
            2 => 1 << self.below(32),
            3 => (1 << self.below(32)) - 1,
            4 => self.choose(&[0, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x8000_0001]),
            _ => self.word(),
        }
    }
}

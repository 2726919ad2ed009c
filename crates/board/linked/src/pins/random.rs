//! The source of random bits.

use crate::context;

/// Random bits, which the seed of a trace determines; without a seed, every bit is 0.
#[derive(Debug)]
pub struct Entropy;

impl Entropy {
    /// Returns the next bit.
    pub fn bit(&mut self) -> bool {
        context::with(|context| context.board.entropy().bit())
    }

    /// Returns the next 32 bits.
    pub fn next_u32(&mut self) -> u32 {
        (0..u32::BITS).fold(0, |word, _| word << 1 | u32::from(self.bit()))
    }
}

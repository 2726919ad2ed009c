//! Noise on the wire of a display: bits that arrive inverted.

use virtual_time::Random;

/// A wire on which one bit of `one_in` arrives inverted.
#[derive(Clone)]
pub(super) struct Noise {
    pub(super) one_in: u32,
    pub(super) random: Random,
}

impl Noise {
    /// Returns the bytes as they arrive; `None` if they arrive as they were sent.
    pub(super) fn disturb(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut arrived: Option<Vec<u8>> = None;
        for index in 0..bytes.len() {
            for bit in 0..8 {
                if self.random.below(u64::from(self.one_in)) == 0 {
                    arrived.get_or_insert_with(|| bytes.to_vec())[index] ^= 0x80 >> bit;
                }
            }
        }
        arrived
    }
}

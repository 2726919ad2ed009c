//! Reads and writes of a debugger, which sees what a core would see at an address.

use super::Chip;
use crate::cpu::bus::Width;

impl Chip {
    /// The word that core `number` would load from `address`, memory or register, without the
    /// effects that a load has: no word leaves a FIFO, no flag is cleared, and nothing is reported as
    /// not modelled. `None` if `address` is not aligned or nothing answers.
    pub fn peek(&self, number: usize, address: u32) -> Option<u32> {
        if let Some(word) = self.memory.word(address) {
            return Some(word);
        }
        let (mut core, mut devices) = (self.core(number).clone(), self.devices.clone());
        core.probe(&self.memory, &mut devices, address, Width::Word)
    }

    /// Stores `value` to the register at `address` as core `number` would; at once, between two
    /// instructions. False if `address` is not aligned to `width` or nothing answers.
    pub fn poke(&mut self, number: usize, address: u32, width: Width, value: u32) -> bool {
        let core = &mut self.cores[number & 1];
        core.probe_store(&mut self.memory, &mut self.devices, address, width, value)
    }
}

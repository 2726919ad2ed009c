//! Reads and writes by a debugger, which sees the same as a core at an address.

use super::Chip;
use crate::cpu::bus::Width;

impl Chip {
    /// Returns the word that core `number` would load from `address`, memory or register, without
    /// the side effects of a load: no word leaves a FIFO, no flag is cleared, and nothing is
    /// reported as not modelled. Returns `None` if `address` is not aligned or nothing answers.
    pub fn peek(&self, number: usize, address: u32) -> Option<u32> {
        if let Some(word) = self.memory.word(address) {
            return Some(word);
        }
        let (mut core, mut devices) = (self.core(number).clone(), self.devices.clone());
        core.probe(&self.memory, &mut devices, address, Width::Word)
    }

    /// Stores `value` to the register at `address` as core `number` would, immediately between two
    /// instructions. Returns false if `address` is not aligned to `width` or nothing answers.
    pub fn poke(&mut self, number: usize, address: u32, width: Width, value: u32) -> bool {
        let core = &mut self.cores[number & 1];
        core.probe_store(&mut self.memory, &mut self.devices, address, width, value)
    }
}

//! Loads and stores of the fast loop in RAM, flash and ROM, outside of the guard.

use super::{Core, Guarded};
use crate::cpu::instruction::Register;
use crate::cpu::memory::RAM_BASE;

/// A value, or an address outside the memory that the loop has.
type Loaded = Result<u32, u32>;

impl<G: Guarded> Core<'_, G> {
    #[inline(always)]
    pub(super) fn at(&self, n: Register, m: Register) -> u32 {
        self.get(n).wrapping_add(self.get(m))
    }

    #[inline(always)]
    pub(super) fn plus(&self, n: Register, offset: u16) -> u32 {
        self.get(n).wrapping_add(offset.into())
    }

    #[inline(always)]
    pub(super) fn load32(&self, address: u32) -> Loaded {
        match self.ram.load32(address) {
            Some(value) if !self.guard.contains(address) => Ok(value),
            None if address < RAM_BASE => self.fixed.load32(address).ok_or(address),
            _ => Err(address),
        }
    }

    #[inline(always)]
    pub(super) fn load16(&self, address: u32) -> Loaded {
        match self.ram.load16(address) {
            Some(value) if !self.guard.contains(address) => Ok(value),
            None if address < RAM_BASE => self.fixed.load16(address).ok_or(address),
            _ => Err(address),
        }
    }

    #[inline(always)]
    pub(super) fn load8(&self, address: u32) -> Loaded {
        match self.ram.load8(address) {
            Some(value) if !self.guard.contains(address) => Ok(value),
            None if address < RAM_BASE => self.fixed.load8(address).ok_or(address),
            _ => Err(address),
        }
    }

    /// Stores the `count` registers of `list`, lowest first.
    #[inline(always)]
    pub(super) fn store_list(&mut self, address: u32, list: u16, count: u8) -> Option<()> {
        let mut list = u32::from(list);
        for word in self.guard.unless_any(address, count, self.ram.words_mut(address, count))? {
            *word = self.registers[(list.trailing_zeros() & 15) as usize];
            list &= list.wrapping_sub(1);
        }
        Some(())
    }

    #[inline(always)]
    pub(super) fn load_list(&mut self, address: u32, list: u16, count: u8) -> Option<()> {
        let words = self.guard.unless_any(address, count, self.ram.words(address, count))?;
        load_words(self.registers, words, list);
        Some(())
    }
}

/// Sets the registers of `list`, lowest first, to `words`.
#[inline(always)]
pub(super) fn load_words(registers: &mut [u32; 16], words: &[u32], list: u16) {
    let mut list = u32::from(list);
    for word in words {
        registers[(list.trailing_zeros() & 15) as usize] = *word;
        list &= list.wrapping_sub(1);
    }
}

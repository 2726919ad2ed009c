//! Loads, stores and the stack.

use super::{Pause, Runner};
use crate::bus::{Bus, Width};
use crate::instruction::Register;

/// Cycles of a load or store of one register.
const SINGLE: u64 = 2;
/// The top four bits of the single-cycle I/O port's addresses. A load or store there takes one
/// cycle less.
const SINGLE_CYCLE_IO: u32 = 0xD;

impl<B: Bus> Runner<'_, B> {
    /// The address of a literal: the program counter is aligned to words for it.
    #[inline(always)]
    pub(super) fn literal(&self, offset: u16) -> u32 {
        (self.pc() & !3).wrapping_add(offset.into())
    }

    #[inline(always)]
    pub(super) fn sum(&self, n: Register, m: Register) -> u32 {
        self.get(n).wrapping_add(self.get(m))
    }

    #[inline(always)]
    pub(super) fn displaced(&self, n: Register, offset: u16) -> u32 {
        self.get(n).wrapping_add(offset.into())
    }

    #[inline(always)]
    pub(super) fn load_word(&mut self, t: Register, address: u32) -> Result<u64, Pause> {
        let value = self.read_word(address)?;
        self.set(t, value);
        Ok(SINGLE)
    }

    #[inline(always)]
    pub(super) fn load_half(&mut self, t: Register, address: u32) -> Result<u64, Pause> {
        let value = self.read_half(address)?;
        self.set(t, value);
        Ok(SINGLE)
    }

    #[inline(always)]
    pub(super) fn load_signed_half(&mut self, t: Register, address: u32) -> Result<u64, Pause> {
        let value = self.read_half(address)?;
        self.set(t, value as i16 as u32);
        Ok(SINGLE)
    }

    #[inline(always)]
    pub(super) fn load_byte(&mut self, t: Register, address: u32) -> Result<u64, Pause> {
        let value = self.read_byte(address)?;
        self.set(t, value);
        Ok(SINGLE)
    }

    #[inline(always)]
    pub(super) fn load_signed_byte(&mut self, t: Register, address: u32) -> Result<u64, Pause> {
        let value = self.read_byte(address)?;
        self.set(t, value as i8 as u32);
        Ok(SINGLE)
    }

    #[inline(always)]
    pub(super) fn store_word(&mut self, t: Register, address: u32) -> Result<u64, Pause> {
        self.write_word(address, self.get(t))?;
        Ok(SINGLE)
    }

    #[inline(always)]
    pub(super) fn store_half(&mut self, t: Register, address: u32) -> Result<u64, Pause> {
        let value = self.get(t);
        if !self.memory.store16(address, value) {
            self.write_outside(address, Width::Half, value)?;
        }
        Ok(SINGLE)
    }

    #[inline(always)]
    pub(super) fn store_byte(&mut self, t: Register, address: u32) -> Result<u64, Pause> {
        let value = self.get(t);
        if !self.memory.store8(address, value) {
            self.write_outside(address, Width::Byte, value)?;
        }
        Ok(SINGLE)
    }

    /// The registers of `list`, lowest first, end below the old stack pointer.
    #[inline(always)]
    pub(super) fn push(&mut self, list: u16) -> Result<u64, Pause> {
        let count = list.count_ones();
        let bottom = self.get(Register::SP).wrapping_sub(4 * count);
        self.store_list(bottom, list)?;
        self.set(Register::SP, bottom);
        Ok(1 + u64::from(count))
    }

    #[inline(always)]
    pub(super) fn pop(&mut self, list: u16) -> Result<u64, Pause> {
        let top = self.load_list(self.get(Register::SP), list)?;
        self.set(Register::SP, top);
        Ok(1 + u64::from(list.count_ones()))
    }

    /// Three cycles and one for each register, the program counter among them.
    #[inline(always)]
    pub(super) fn pop_pc(&mut self, list: u16) -> Result<u64, Pause> {
        let top = self.load_list(self.get(Register::SP), list)?;
        let target = self.read_word(top)?;
        self.set(Register::SP, top.wrapping_add(4));
        self.jump(target, 4 + u64::from(list.count_ones()))
    }

    #[inline(always)]
    pub(super) fn store_multiple(&mut self, n: Register, list: u16) -> Result<u64, Pause> {
        let end = self.store_list(self.get(n), list)?;
        self.set(n, end);
        Ok(1 + u64::from(list.count_ones()))
    }

    /// The base is written back unless it was loaded.
    #[inline(always)]
    pub(super) fn load_multiple(&mut self, n: Register, list: u16) -> Result<u64, Pause> {
        let end = self.load_list(self.get(n), list)?;
        if list & 1 << n.index() == 0 {
            self.set(n, end);
        }
        Ok(1 + u64::from(list.count_ones()))
    }

    /// Returns the address behind the last word.
    #[inline(always)]
    fn store_list(&mut self, mut address: u32, mut list: u16) -> Result<u32, Pause> {
        while list != 0 {
            self.write_word(address, self.get(Register::new(list.trailing_zeros() as u8)))?;
            address = address.wrapping_add(4);
            list &= list - 1;
        }
        Ok(address)
    }

    /// Returns the address behind the last word.
    #[inline(always)]
    fn load_list(&mut self, mut address: u32, mut list: u16) -> Result<u32, Pause> {
        while list != 0 {
            let value = self.read_word(address)?;
            self.set(Register::new(list.trailing_zeros() as u8), value);
            address = address.wrapping_add(4);
            list &= list - 1;
        }
        Ok(address)
    }

    #[inline(always)]
    fn read_word(&mut self, address: u32) -> Result<u32, Pause> {
        match self.memory.load32(address) {
            Some(value) => Ok(value),
            None => self.read_outside(address, Width::Word),
        }
    }

    #[inline(always)]
    fn read_half(&mut self, address: u32) -> Result<u32, Pause> {
        match self.memory.load16(address) {
            Some(value) => Ok(value),
            None => self.read_outside(address, Width::Half),
        }
    }

    #[inline(always)]
    fn read_byte(&mut self, address: u32) -> Result<u32, Pause> {
        match self.memory.load8(address) {
            Some(value) => Ok(value),
            None => self.read_outside(address, Width::Byte),
        }
    }

    #[inline(always)]
    fn write_word(&mut self, address: u32, value: u32) -> Result<(), Pause> {
        match self.memory.store32(address, value) {
            true => Ok(()),
            false => self.write_outside(address, Width::Word, value),
        }
    }

    #[cold]
    #[inline(never)]
    fn read_outside(&mut self, address: u32, width: Width) -> Result<u32, Pause> {
        let pc = self.address();
        let value = self.cpu.read_outside(self.bus, address, width, pc).map_err(Pause::Fault)?;
        self.refund(address);
        self.until = self.until.min(self.bus.next_change(self.cpu.number));
        Ok(value)
    }

    /// Interrupts may depend on what was written: the loop ends behind the instruction if the
    /// core's own registers were, or if the bus says so.
    #[cold]
    #[inline(never)]
    fn write_outside(&mut self, address: u32, width: Width, value: u32) -> Result<(), Pause> {
        let pc = self.address();
        self.cpu.write_outside(self.bus, address, width, value, pc).map_err(Pause::Fault)?;
        self.refund(address);
        self.until = match address >> 28 {
            0xE => 0,
            _ => self.until.min(self.bus.next_change(self.cpu.number)),
        };
        Ok(())
    }

    /// Gives one of the two cycles back that the instruction is about to count.
    fn refund(&mut self, address: u32) {
        if address >> 28 == SINGLE_CYCLE_IO {
            self.cpu.cycles = self.cpu.cycles.wrapping_sub(1);
        }
    }
}

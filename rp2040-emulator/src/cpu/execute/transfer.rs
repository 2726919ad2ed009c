//! Loads, stores and the stack.

use super::{Done, Pause, Runner, alone};
use crate::cpu::bus::{Bus, Width};
use crate::cpu::instruction::{Instruction, Register};

/// Cycles of a load or store of one register.
const SINGLE: u32 = 2;
/// The top four bits of the single-cycle I/O port's addresses. A load or store there takes one
/// cycle less.
pub(super) const SINGLE_CYCLE_IO: u32 = 0xD;
/// First address after all that the memory holds.
pub(super) const DEVICES: u32 = 0x4000_0000;

/// The number of registers in each list of low registers: counting the bits each time takes longer
/// than most instructions.
const COUNTS: [u8; 256] = {
    let mut counts = [0; 256];
    let mut list = 0;
    while list < 256 {
        counts[list] = (list as u8).count_ones() as u8;
        list += 1;
    }
    counts
};

/// Returns the number of registers in a list. Bit 14, the link register, is the only one above bit
/// 7.
#[inline(always)]
fn count(list: u16) -> u32 {
    u32::from(COUNTS[usize::from(list & 0xFF)]) + u32::from(list >> 14)
}

impl<B: Bus> Runner<'_, B> {
    /// Returns the address of a literal, for which the program counter is aligned to words.
    #[inline(always)]
    pub(super) fn literal(&self, index: usize, offset: u16) -> u32 {
        (self.pc(index) & !3).wrapping_add(offset.into())
    }

    #[inline(always)]
    pub(super) fn sum(&self, n: Register, m: Register) -> u32 {
        self.get(n).wrapping_add(self.get(m))
    }

    #[inline(always)]
    pub(super) fn displaced(&self, n: Register, offset: u16) -> u32 {
        self.get(n).wrapping_add(offset.into())
    }
}

impl<B: Bus> Runner<'_, B> {
    /// Executes the instruction if it is the most frequent one that needs the bus: the load of a
    /// word from a device.
    #[inline(always)]
    pub(super) fn load_outside(&mut self) -> Option<Result<Done, Pause>> {
        let Instruction::LdrImmediate { t, n, offset } = *self.memory.slot(self.index) else {
            return None;
        };
        let address = self.displaced(n, offset);
        if address < DEVICES {
            return None;
        }
        let cycles = self.load_word::<true>(t, address);
        Some(cycles.map(|cycles| alone(cycles, self.index + 1)))
    }
}

/// Loads and stores. `OUTSIDE` is whether they may access the bus; each returns its cycles.
impl<B: Bus> Runner<'_, B> {
    #[inline(always)]
    pub(super) fn load_word<const OUTSIDE: bool>(
        &mut self,
        t: Register,
        address: u32,
    ) -> Result<u32, Pause> {
        let value = self.read_word::<OUTSIDE>(address)?;
        self.set(t, value);
        Ok(SINGLE)
    }

    #[inline(always)]
    pub(super) fn load_half<const OUTSIDE: bool>(
        &mut self,
        t: Register,
        address: u32,
    ) -> Result<u32, Pause> {
        let value = self.read_half::<OUTSIDE>(address)?;
        self.set(t, value);
        Ok(SINGLE)
    }

    #[inline(always)]
    pub(super) fn load_signed_half<const OUTSIDE: bool>(
        &mut self,
        t: Register,
        address: u32,
    ) -> Result<u32, Pause> {
        let value = self.read_half::<OUTSIDE>(address)?;
        self.set(t, value as i16 as u32);
        Ok(SINGLE)
    }

    #[inline(always)]
    pub(super) fn load_byte<const OUTSIDE: bool>(
        &mut self,
        t: Register,
        address: u32,
    ) -> Result<u32, Pause> {
        let value = self.read_byte::<OUTSIDE>(address)?;
        self.set(t, value);
        Ok(SINGLE)
    }

    #[inline(always)]
    pub(super) fn load_signed_byte<const OUTSIDE: bool>(
        &mut self,
        t: Register,
        address: u32,
    ) -> Result<u32, Pause> {
        let value = self.read_byte::<OUTSIDE>(address)?;
        self.set(t, value as i8 as u32);
        Ok(SINGLE)
    }

    #[inline(always)]
    pub(super) fn store_word<const OUTSIDE: bool>(
        &mut self,
        t: Register,
        address: u32,
    ) -> Result<u32, Pause> {
        let value = self.get(t);
        if OUTSIDE && address >= DEVICES {
            self.write_bus(address, Width::Word, value)?;
        } else if !self.memory.store32(address, value) {
            self.write_outside::<OUTSIDE>(address, Width::Word, value)?;
        }
        Ok(SINGLE)
    }

    #[inline(always)]
    pub(super) fn store_half<const OUTSIDE: bool>(
        &mut self,
        t: Register,
        address: u32,
    ) -> Result<u32, Pause> {
        let value = self.get(t);
        if OUTSIDE && address >= DEVICES {
            self.write_bus(address, Width::Half, value)?;
        } else if !self.memory.store16(address, value) {
            self.write_outside::<OUTSIDE>(address, Width::Half, value)?;
        }
        Ok(SINGLE)
    }

    #[inline(always)]
    pub(super) fn store_byte<const OUTSIDE: bool>(
        &mut self,
        t: Register,
        address: u32,
    ) -> Result<u32, Pause> {
        let value = self.get(t);
        if OUTSIDE && address >= DEVICES {
            self.write_bus(address, Width::Byte, value)?;
        } else if !self.memory.store8(address, value) {
            self.write_outside::<OUTSIDE>(address, Width::Byte, value)?;
        }
        Ok(SINGLE)
    }

    /// Pushes the registers of `list`, lowest first, to below the old stack pointer.
    #[inline(always)]
    pub(super) fn push<const OUTSIDE: bool>(&mut self, list: u16) -> Result<u32, Pause> {
        let bottom = self.get(Register::SP).wrapping_sub(4 * count(list));
        self.store_list::<OUTSIDE>(bottom, list)?;
        self.set(Register::SP, bottom);
        Ok(1 + count(list))
    }

    #[inline(always)]
    pub(super) fn pop<const OUTSIDE: bool>(&mut self, list: u16) -> Result<u32, Pause> {
        let top = self.load_list::<OUTSIDE>(self.get(Register::SP), list)?;
        self.set(Register::SP, top);
        Ok(1 + count(list))
    }

    /// Pops registers and the program counter: three cycles, and one for each register and the
    /// program counter.
    #[inline(always)]
    pub(super) fn pop_pc<const OUTSIDE: bool>(&mut self, list: u16) -> Result<Done, Pause> {
        let top = self.load_list::<OUTSIDE>(self.get(Register::SP), list)?;
        let target = self.read_word::<OUTSIDE>(top)?;
        self.set(Register::SP, top.wrapping_add(4));
        self.jump(target, 4 + count(list))
    }

    #[inline(always)]
    pub(super) fn store_multiple<const OUTSIDE: bool>(
        &mut self,
        n: Register,
        list: u16,
    ) -> Result<u32, Pause> {
        let end = self.store_list::<OUTSIDE>(self.get(n), list)?;
        self.set(n, end);
        Ok(1 + count(list))
    }

    /// Loads registers. The base is written back unless it was loaded.
    #[inline(always)]
    pub(super) fn load_multiple<const OUTSIDE: bool>(
        &mut self,
        n: Register,
        list: u16,
    ) -> Result<u32, Pause> {
        let end = self.load_list::<OUTSIDE>(self.get(n), list)?;
        if list & 1 << n.index() == 0 {
            self.set(n, end);
        }
        Ok(1 + count(list))
    }

    /// Stores registers and returns the address after the last word.
    #[inline(always)]
    fn store_list<const OUTSIDE: bool>(
        &mut self,
        mut address: u32,
        mut list: u16,
    ) -> Result<u32, Pause> {
        let registers = &self.cpu.registers;
        let in_memory = self.memory.store_words(address, count(list), || {
            let register = Register::new(list.trailing_zeros() as u8);
            list &= list.wrapping_sub(1);
            registers[register.index()]
        });
        if let Some(end) = in_memory {
            return Ok(end);
        }
        while list != 0 {
            let value = self.get(Register::new(list.trailing_zeros() as u8));
            if !self.memory.store32(address, value) {
                self.write_outside::<OUTSIDE>(address, Width::Word, value)?;
            }
            address = address.wrapping_add(4);
            list &= list - 1;
        }
        Ok(address)
    }

    /// Loads registers and returns the address after the last word. Without access to the bus,
    /// either all registers are loaded or none, because the base may be in the list.
    #[inline(always)]
    fn load_list<const OUTSIDE: bool>(
        &mut self,
        mut address: u32,
        mut list: u16,
    ) -> Result<u32, Pause> {
        if let Some(words) = self.memory.load_words(address, count(list)) {
            for word in words {
                let register = Register::new(list.trailing_zeros() as u8);
                self.cpu.registers[register.index()] = *word;
                list &= list.wrapping_sub(1);
            }
            return Ok(address.wrapping_add(4 * words.len() as u32));
        }
        if !OUTSIDE {
            return Err(Pause::Outside);
        }
        while list != 0 {
            let value = self.read_word::<OUTSIDE>(address)?;
            self.set(Register::new(list.trailing_zeros() as u8), value);
            address = address.wrapping_add(4);
            list &= list - 1;
        }
        Ok(address)
    }

    #[inline(always)]
    fn read_word<const OUTSIDE: bool>(&mut self, address: u32) -> Result<u32, Pause> {
        if OUTSIDE && address >= DEVICES {
            return self.read_bus(address, Width::Word);
        }
        match self.memory.load32(address) {
            Some(value) => Ok(value),
            None => self.read_outside::<OUTSIDE>(address, Width::Word),
        }
    }

    #[inline(always)]
    fn read_half<const OUTSIDE: bool>(&mut self, address: u32) -> Result<u32, Pause> {
        if OUTSIDE && address >= DEVICES {
            return self.read_bus(address, Width::Half);
        }
        match self.memory.load16(address) {
            Some(value) => Ok(value),
            None => self.read_outside::<OUTSIDE>(address, Width::Half),
        }
    }

    #[inline(always)]
    fn read_byte<const OUTSIDE: bool>(&mut self, address: u32) -> Result<u32, Pause> {
        if OUTSIDE && address >= DEVICES {
            return self.read_bus(address, Width::Byte);
        }
        match self.memory.load8(address) {
            Some(value) => Ok(value),
            None => self.read_outside::<OUTSIDE>(address, Width::Byte),
        }
    }

    #[inline(always)]
    fn read_outside<const OUTSIDE: bool>(
        &mut self,
        address: u32,
        width: Width,
    ) -> Result<u32, Pause> {
        if OUTSIDE { self.read_bus(address, width) } else { Err(Pause::Outside) }
    }

    #[inline(always)]
    fn write_outside<const OUTSIDE: bool>(
        &mut self,
        address: u32,
        width: Width,
        value: u32,
    ) -> Result<(), Pause> {
        if OUTSIDE { self.write_bus(address, width, value) } else { Err(Pause::Outside) }
    }

    #[cold]
    #[inline(never)]
    fn read_bus(&mut self, address: u32, width: Width) -> Result<u32, Pause> {
        let pc = self.address(self.index);
        let value = self.cpu.read_outside(self.bus, address, width, pc).map_err(Pause::Fault)?;
        self.refund(address);
        self.note_change();
        Ok(value)
    }

    /// Writes to the bus. Interrupts may depend on the write: the loop ends after the instruction
    /// if it accessed the core's own registers, or if the bus requires it.
    #[cold]
    #[inline(never)]
    fn write_bus(&mut self, address: u32, width: Width, value: u32) -> Result<(), Pause> {
        let pc = self.address(self.index);
        self.cpu.write_outside(self.bus, address, width, value, pc).map_err(Pause::Fault)?;
        self.refund(address);
        match address >> 28 {
            0xE => self.until = 0,
            _ => self.note_change(),
        }
        Ok(())
    }

    /// Subtracts one of the two cycles that the instruction will count.
    fn refund(&mut self, address: u32) {
        if address >> 28 == SINGLE_CYCLE_IO {
            self.cpu.cycles = self.cpu.cycles.wrapping_sub(1);
        }
    }
}

//! Loads and stores beyond the memory that the core executes from: alignment, the core's own
//! registers, the bus.

use super::mpu::{Accessor, Intent, Protection};
use super::registers::{SYST_CALIB, SYST_CSR};
use super::{CoreFaultKind, Cpu};
use crate::cpu::bus::{Access, Bus, Width};
use crate::cpu::memory::{Memory, RAM_BASE};

/// The private peripheral bus: the core's own registers.
const PRIVATE: std::ops::Range<u32> = 0xE000_0000..0xE010_0000;

impl Cpu {
    /// Loads from anywhere, for the instruction at `pc`.
    pub(super) fn read<B: Bus>(
        &mut self,
        memory: &Memory,
        bus: &mut B,
        address: u32,
        width: Width,
        pc: u32,
    ) -> Result<u32, CoreFaultKind> {
        let value = match width {
            Width::Byte => memory.load8(address),
            Width::Half => memory.load16(address),
            Width::Word => memory.load32(address),
        };
        match value {
            Some(value) => Ok(value),
            None => self.read_outside(bus, address, width, pc),
        }
    }

    /// Stores to anywhere, for the instruction at `pc`.
    pub(super) fn write<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        address: u32,
        width: Width,
        value: u32,
        pc: u32,
    ) -> Result<(), CoreFaultKind> {
        let done = match width {
            Width::Byte => memory.store8(address, value),
            Width::Half => memory.store16(address, value),
            Width::Word => memory.store32(address, value),
        };
        if done { Ok(()) } else { self.write_outside(bus, address, width, value, pc) }
    }

    /// Loads a word that the core needs for an exception, and reports it if the bus watches the
    /// memory.
    pub(super) fn read_for_exception<B: Bus>(
        &mut self,
        memory: &Memory,
        bus: &mut B,
        address: u32,
        pc: u32,
    ) -> Result<u32, CoreFaultKind> {
        if bus.watches_memory() && memory.load32(address).is_some() {
            bus.accessed_memory(self.memory_access(address, pc));
        }
        self.read(memory, bus, address, Width::Word, pc)
    }

    /// Stores a word of an exception's frame, and reports it if the bus watches the memory.
    pub(super) fn write_for_exception<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        address: u32,
        value: u32,
        pc: u32,
    ) -> Result<(), CoreFaultKind> {
        if bus.watches_memory() && address >= RAM_BASE && memory.load32(address).is_some() {
            bus.accessed_memory(self.memory_access(address, pc));
        }
        self.write(memory, bus, address, Width::Word, value, pc)
    }

    /// Loads from outside [`Memory`].
    #[cold]
    #[inline(never)]
    pub(super) fn read_outside<B: Bus>(
        &mut self,
        bus: &mut B,
        address: u32,
        width: Width,
        pc: u32,
    ) -> Result<u32, CoreFaultKind> {
        let access = self.access(address, width, pc)?;
        if PRIVATE.contains(&address) {
            return match self.privileged() && width == Width::Word {
                true => Ok(self.read_system(bus, access)),
                false => Err(CoreFaultKind::Load { address }),
            };
        }
        bus.read(access).map_err(|_| CoreFaultKind::Load { address })
    }

    /// Stores outside [`Memory`].
    #[cold]
    #[inline(never)]
    pub(super) fn write_outside<B: Bus>(
        &mut self,
        bus: &mut B,
        address: u32,
        width: Width,
        value: u32,
        pc: u32,
    ) -> Result<(), CoreFaultKind> {
        let access = self.access(address, width, pc)?;
        if PRIVATE.contains(&address) {
            return match self.privileged() && width == Width::Word {
                true => {
                    self.write_system(bus, access, value);
                    Ok(())
                }
                false => Err(CoreFaultKind::Store { address }),
            };
        }
        bus.write(access, value & width.mask()).map_err(|_| CoreFaultKind::Store { address })
    }

    /// Returns the cycle before which one of the core's own registers, just read, gives the same
    /// value again without an effect; 0 if that is not known. `None` for an address on the bus.
    pub(super) fn steady_until(&self, address: u32) -> Option<u64> {
        PRIVATE.contains(&address).then(|| match address {
            SYST_CSR..=SYST_CALIB => self.systick.steady_until(address - SYST_CSR),
            _ => 0,
        })
    }

    /// Whether the memory protection unit permits this core an access to the byte at `address`.
    pub(super) fn permits(&self, address: u32, intent: Intent) -> bool {
        PRIVATE.contains(&address) || self.mpu.permits(address, intent, self.accessor())
    }

    /// Returns what this core must do before an access until its mode or a register of the unit
    /// changes.
    #[inline(always)]
    pub(super) fn protection(&self) -> Protection {
        if self.mpu.is_on() { self.mpu.protection(self.accessor()) } else { Protection::Off }
    }

    fn accessor(&self) -> Accessor {
        let in_fault = self.nvic.execution_priority(false) < 0;
        Accessor { privileged: self.privileged(), in_fault }
    }

    /// Loads as a debugger does through this core: privileged, and with all effects of a load.
    /// `None` if nothing answers.
    pub(crate) fn probe<B: Bus>(
        &mut self,
        memory: &Memory,
        bus: &mut B,
        address: u32,
        width: Width,
    ) -> Option<u32> {
        let unprivileged = std::mem::take(&mut self.unprivileged);
        let value = self.read(memory, bus, address, width, self.registers[15]);
        self.unprivileged = unprivileged;
        value.ok()
    }

    /// Stores as a debugger does through this core. False if nothing answers.
    pub(crate) fn probe_store<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        address: u32,
        width: Width,
        value: u32,
    ) -> bool {
        let unprivileged = std::mem::take(&mut self.unprivileged);
        let stored = self.write(memory, bus, address, width, value, self.registers[15]);
        self.unprivileged = unprivileged;
        stored.is_ok()
    }

    /// Returns an access to the memory by the instruction at `pc`, for the bus that watches it.
    pub(super) fn memory_access(&self, address: u32, pc: u32) -> Access {
        Access { core: self.number, address, width: Width::Word, cycle: self.cycles, pc }
    }

    fn access(&self, address: u32, width: Width, pc: u32) -> Result<Access, CoreFaultKind> {
        if !address.is_multiple_of(width.bytes()) {
            return Err(CoreFaultKind::Unaligned { address });
        }
        Ok(Access { core: self.number, address, width, cycle: self.cycles, pc })
    }
}

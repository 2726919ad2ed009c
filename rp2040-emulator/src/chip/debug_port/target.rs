//! The chip as an access port sees it: the addresses of a core, and its debug registers.
//!
//! A halted core passes time as one in a ROM function does: the mark [`HALTED`] in that count costs
//! a running core nothing.

use super::core_debug::*;
use crate::chip::{Chip, Launch};
use crate::cpu::bus::Width;

/// Mark of a halted core in its cycles in a ROM function.
pub(in crate::chip) const HALTED: u64 = 1 << 63;
/// Longest time of a single step in cycles; a core that sleeps longer stays where it is.
const STEP_CYCLES: u64 = 1_000;
/// The register that requests a reset, with its key and bit (ARMv6-M ARM B3.2.6).
const AIRCR: u32 = 0xE000_ED0C;
const AIRCR_SYSRESETREQ: u32 = 0x05FA_0004;
const AIRCR_MASK: u32 = 0xFFFF_0004;

/// The error for an address where nothing answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DebugFault;

/// The side of a debug port that has memory and cores.
pub trait DebugTarget {
    /// Loads as core `core` does from `address`, with the effects of a load.
    ///
    /// # Errors
    /// [`DebugFault`] if nothing answers there.
    fn debug_read(&mut self, core: usize, address: u32, width: Width) -> Result<u32, DebugFault>;

    /// Stores as core `core` does.
    ///
    /// # Errors
    /// [`DebugFault`] if nothing answers there.
    fn debug_write(
        &mut self,
        core: usize,
        address: u32,
        width: Width,
        value: u32,
    ) -> Result<(), DebugFault>;

    /// Returns whether the last access has not ended yet. The port then acknowledges with WAIT.
    fn is_busy(&self) -> bool {
        false
    }
}

impl DebugTarget for Chip {
    fn debug_read(&mut self, core: usize, address: u32, width: Width) -> Result<u32, DebugFault> {
        let core = core & 1;
        if let Some(value) = self.read_debug_register(core, address) {
            return Ok(value);
        }
        let Self { cores, memory, devices, .. } = self;
        cores[core].probe(memory, devices, address, width).ok_or(DebugFault)
    }

    fn debug_write(
        &mut self,
        core: usize,
        address: u32,
        width: Width,
        value: u32,
    ) -> Result<(), DebugFault> {
        let core = core & 1;
        if self.write_debug_register(core, address, value) {
            return Ok(());
        }
        if address == AIRCR && value & AIRCR_MASK == AIRCR_SYSRESETREQ {
            self.reboot(None);
            return Ok(());
        }
        let Self { cores, memory, devices, .. } = self;
        match cores[core].probe_store(memory, devices, address, width, value) {
            true => Ok(()),
            false => Err(DebugFault),
        }
    }
}

impl Chip {
    /// Returns whether a debugger has halted core `number`.
    pub fn is_halted(&self, number: usize) -> bool {
        self.in_rom[number & 1] & HALTED != 0
    }

    /// Stops core `number` at its BKPT until the next reset, while the other core continues: without
    /// a debugger it would lock up there.
    pub fn stop_core(&mut self, number: usize) {
        self.in_rom[number & 1] |= HALTED;
    }

    /// Returns whether core 1 executes a program that may still do something: it has been launched,
    /// is not stopped, and does not sleep without an interrupt that would wake it.
    pub fn core_1_is_active(&self) -> bool {
        let core = &self.cores[1];
        let is_launched = self.devices.launch == Launch::Running;
        let sleeps = core.asleep() && !core.can_be_woken();
        is_launched && !self.is_halted(1) && !core.is_locked_up() && !sleeps
    }

    /// Halts a core whose debugger has enabled that, at a BKPT. Returns false if there is none.
    pub(in crate::chip) fn halts_at_breakpoint(&mut self, core: usize) -> bool {
        let enabled = self.debug[core].enabled;
        if enabled {
            self.halt(core, DFSR_BKPT);
        }
        enabled
    }

    /// Records a reset of the chip, and halts the cores whose debugger catches it.
    pub(in crate::chip) fn note_reset_for_debug(&mut self) {
        for core in 0..self.debug.len() {
            self.debug[core].was_reset = true;
            if self.debug[core].catches_reset() {
                self.halt(core, DFSR_VCATCH);
            }
        }
    }

    /// Puts the debug registers into their state at power-on.
    pub(in crate::chip) fn forget_debugger(&mut self) {
        for (core, debug) in self.cores.iter_mut().zip(&mut self.debug) {
            if std::mem::take(debug).enabled {
                core.set_debugged(false);
            }
        }
    }

    fn halt(&mut self, core: usize, why: u32) {
        self.cores[core].wake_for_debug();
        self.in_rom[core] |= HALTED;
        self.debug[core].faults |= why;
        self.hold_watchdog();
    }

    fn resume(&mut self, core: usize) {
        self.in_rom[core] &= !HALTED;
        self.hold_watchdog();
    }

    /// Stops the watchdog while a core is halted for which it is paused (datasheet 4.7.6, CTRL).
    fn hold_watchdog(&mut self) {
        let halted = [self.is_halted(0), self.is_halted(1)];
        let ns = self.devices.now(self.cores[0].cycles());
        self.devices.watchdog.set_halted(ns, halted);
        self.devices.touch();
    }

    fn read_debug_register(&mut self, core: usize, address: u32) -> Option<u32> {
        let is_halted = self.is_halted(core);
        let (cpu, debug) = (&self.cores[core], &mut self.debug[core]);
        Some(match address {
            DHCSR => {
                let bits = [
                    (C_DEBUGEN, debug.enabled),
                    (C_HALT | S_HALT, is_halted),
                    (S_REGRDY, true),
                    (S_SLEEP, cpu.asleep()),
                    (S_LOCKUP, cpu.is_locked_up() && !is_halted),
                    (S_RETIRE_ST, cpu.instructions() != debug.retired),
                    (S_RESET_ST, std::mem::take(&mut debug.was_reset)),
                ];
                debug.retired = cpu.instructions();
                bits.into_iter().filter(|(_, set)| *set).fold(0, |value, (bit, _)| value | bit)
            }
            DCRDR => debug.data,
            DEMCR => debug.catches,
            DFSR => debug.faults,
            // DCRSR is write-only.
            DCRSR => 0,
            _ => return None,
        })
    }

    fn write_debug_register(&mut self, core: usize, address: u32, value: u32) -> bool {
        match address {
            DHCSR if value >> 16 == DHCSR_DBGKEY => self.control_core(core, value),
            DHCSR => {}
            DCRSR if self.is_halted(core) => {
                let (cpu, debug) = (&mut self.cores[core], &mut self.debug[core]);
                let register = value & DCRSR_REGSEL;
                if value & DCRSR_REGWNR != 0 {
                    cpu.set_debug_register(register, debug.data);
                } else {
                    debug.data = cpu.debug_register(register).unwrap_or(0);
                }
            }
            DCRSR => {}
            DCRDR => self.debug[core].data = value,
            DEMCR => self.debug[core].catches = value & DEMCR_WRITABLE,
            // A bit that is written as 1 is cleared.
            DFSR => self.debug[core].faults &= !value,
            _ => return false,
        }
        true
    }

    /// Executes a write of DHCSR.
    fn control_core(&mut self, core: usize, value: u32) {
        let enabled = value & C_DEBUGEN != 0;
        self.debug[core].enabled = enabled;
        self.cores[core].set_debugged(enabled);
        if enabled && value & C_HALT != 0 {
            if !self.is_halted(core) {
                self.halt(core, DFSR_HALTED);
            }
        } else if self.is_halted(core) {
            self.resume(core);
            if enabled && value & C_STEP != 0 {
                self.step_halted(core);
            }
        }
    }

    /// Executes one instruction of a core, and halts it again.
    fn step_halted(&mut self, core: usize) {
        let runs = core == 0 || self.devices.launch == Launch::Running;
        let until = self.cores[core].cycles() + STEP_CYCLES;
        if runs && self.in_rom[core] == 0 {
            let Self { cores, memory, devices, .. } = self;
            match cores[core].step(memory, devices, until) {
                Err(crate::cpu::Stop::NativeCall(number)) => {
                    // A function that is not modelled stays where it is.
                    let _ = self.native_call(core, number);
                }
                Err(crate::cpu::Stop::ResetRequest) => return self.reboot(None),
                Ok(_) | Err(_) => {}
            }
        }
        self.halt(core, DFSR_HALTED);
    }
}

//! The registers of the system control space: SysTick, NVIC and the system control block
//! (section B3.2 to B3.4 of the architecture manual).

use super::{Cpu, Exception, State};
use crate::bus::{Access, Bus};

/// SCR: sleep again when the last handler returns.
pub(super) const SLEEPONEXIT: u32 = 1 << 1;
/// SCR: an exception that becomes pending is an event.
pub(super) const SEVONPEND: u32 = 1 << 4;
const SLEEPDEEP: u32 = 1 << 2;

/// ARM, Cortex-M0+, r0p1.
const CPUID: u32 = 0x410C_C601;
/// CCR never changes: stack frames aligned to eight bytes, unaligned accesses fault.
const CCR: u32 = 1 << 9 | 1 << 3;
/// AIRCR: the key that a write must carry, and the request for a reset.
const VECTKEY: u32 = 0x05FA;
const VECTKEY_STATUS: u32 = 0xFA05 << 16;
const SYSRESETREQ: u32 = 1 << 2;
/// The Cortex-M0+ has eight MPU regions.
const MPU_TYPE: u32 = 8 << 8;

const NMIPENDSET: u32 = 1 << 31;
const PENDSVSET: u32 = 1 << 28;
const PENDSVCLR: u32 = 1 << 27;
const PENDSTSET: u32 = 1 << 26;
const PENDSTCLR: u32 = 1 << 25;
const ISRPENDING: u32 = 1 << 22;

impl Cpu {
    pub(super) fn read_system<B: Bus>(&mut self, bus: &mut B, access: Access) -> u32 {
        match access.address {
            address @ 0xE000_E010..=0xE000_E01F => self.systick.read(address & 0xF, access.cycle),
            0xE000_E100 | 0xE000_E180 => self.nvic.enabled_interrupts(),
            0xE000_E200 | 0xE000_E280 => self.nvic.pending_interrupts(),
            address @ 0xE000_E400..=0xE000_E41F => {
                self.priority_fields(16 + (address - 0xE000_E400) as usize)
            }
            0xE000_ED00 => CPUID,
            0xE000_ED04 => self.interrupt_control(),
            0xE000_ED08 => self.vector_table,
            0xE000_ED0C => VECTKEY_STATUS,
            0xE000_ED10 => self.system_control,
            0xE000_ED14 => CCR,
            0xE000_ED1C => self.priority_fields(8),
            0xE000_ED20 => self.priority_fields(12),
            0xE000_ED24 => u32::from(self.nvic.is_pending(Exception::SVCALL)) << 15,
            0xE000_ED90 => MPU_TYPE,
            // Debug: no event has happened and no debugger is attached that a program could see.
            0xE000_ED30 | 0xE000_EDF0 => 0,
            _ => {
                bus.not_modelled(access, system_name(access.address), false);
                0
            }
        }
    }

    pub(super) fn write_system<B: Bus>(&mut self, bus: &mut B, access: Access, value: u32) {
        match access.address {
            address @ 0xE000_E010..=0xE000_E01F => {
                self.systick.write(address & 0xF, value, access.cycle);
            }
            0xE000_E100 => self.nvic.enable(value),
            0xE000_E180 => self.nvic.disable(value),
            0xE000_E200 => self.pend(u64::from(value) << 16),
            0xE000_E280 => self.nvic.unpend_mask(u64::from(value) << 16),
            address @ 0xE000_E400..=0xE000_E41F => {
                self.set_priority_fields(16 + (address - 0xE000_E400) as usize, value);
            }
            0xE000_ED04 => self.set_interrupt_control(value),
            0xE000_ED08 => self.vector_table = value & !0xFF,
            0xE000_ED0C if value >> 16 == VECTKEY && value & SYSRESETREQ != 0 => {
                self.state = State::ResetRequested;
            }
            0xE000_ED0C => {}
            0xE000_ED10 => self.system_control = value & (SLEEPONEXIT | SLEEPDEEP | SEVONPEND),
            0xE000_ED1C => self.set_priority_fields(8, value & 0xFF00_0000),
            0xE000_ED20 => self.set_priority_fields(12, value & 0xFFFF_0000),
            // Read-only, or of use to a debugger alone.
            0xE000_ED00 | 0xE000_ED14 | 0xE000_ED24 | 0xE000_ED30 | 0xE000_ED90 => {}
            _ => bus.not_modelled(access, system_name(access.address), true),
        }
    }

    fn pend(&mut self, mask: u64) {
        if self.nvic.pend_mask(mask) && self.system_control & SEVONPEND != 0 {
            self.event = true;
        }
    }

    fn interrupt_control(&self) -> u32 {
        let pending = |exception, bit| if self.nvic.is_pending(exception) { bit } else { 0 };
        let first = self.nvic.first().map_or(0, |first| u32::from(first.number()) << 12);
        pending(Exception::NMI, NMIPENDSET)
            | pending(Exception::PENDSV, PENDSVSET)
            | pending(Exception::SYSTICK, PENDSTSET)
            | if self.nvic.pending_interrupts() != 0 { ISRPENDING } else { 0 }
            | first
            | u32::from(self.handling)
    }

    fn set_interrupt_control(&mut self, value: u32) {
        let chosen = |bit, exception: Exception| u64::from(value & bit != 0) << exception.number();
        let unpend = chosen(PENDSVCLR, Exception::PENDSV) | chosen(PENDSTCLR, Exception::SYSTICK);
        let pend = chosen(NMIPENDSET, Exception::NMI)
            | chosen(PENDSVSET, Exception::PENDSV)
            | chosen(PENDSTSET, Exception::SYSTICK);
        self.nvic.unpend_mask(unpend);
        self.pend(pend);
    }

    /// Four priority fields from exception `first` on; the two top bits of a byte count.
    fn priority_fields(&self, first: usize) -> u32 {
        (0..4).map(|n| u32::from(self.nvic.field(first + n)) << (n * 8 + 6)).sum()
    }

    fn set_priority_fields(&mut self, first: usize, value: u32) {
        for n in 0..4 {
            self.nvic.set_field(first + n, (value >> (n * 8 + 6)) as u8);
        }
    }
}

fn system_name(address: u32) -> &'static str {
    match address {
        0xE000_ED90..=0xE000_EDBF => "MPU",
        0xE000_1000..=0xE000_1FFF => "DWT",
        0xE000_2000..=0xE000_2FFF => "breakpoint unit",
        0xE000_EDF0..=0xE000_EDFF => "debug control",
        _ => "system control space",
    }
}

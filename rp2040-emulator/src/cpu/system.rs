//! The registers of the system control space: SysTick, NVIC and the system control block
//! (section B3.2 to B3.4 of the architecture manual).

use super::{Cpu, Exception, State};
use crate::bus::{Access, Bus};

// Registers: ARMv6-M ARM B3.2 to B3.5 and C1.6; RP2040 datasheet 2.4.8.
const SYST_CSR: u32 = 0xE000_E010; // first register of SysTick, ARMv6-M ARM B3.3
const SYST_CALIB: u32 = 0xE000_E01C; // its last register, ARMv6-M ARM B3.3
const NVIC_ISER: u32 = 0xE000_E100; // interrupt set-enable, ARMv6-M ARM B3.4
const NVIC_ICER: u32 = 0xE000_E180; // interrupt clear-enable, ARMv6-M ARM B3.4
const NVIC_ISPR: u32 = 0xE000_E200; // interrupt set-pending, ARMv6-M ARM B3.4
const NVIC_ICPR: u32 = 0xE000_E280; // interrupt clear-pending, ARMv6-M ARM B3.4
const NVIC_IPR0: u32 = 0xE000_E400; // first of eight interrupt priority registers, ARMv6-M ARM B3.4
const NVIC_IPR7: u32 = 0xE000_E41C; // last interrupt priority register, ARMv6-M ARM B3.4
const CPUID: u32 = 0xE000_ED00; // identification, ARMv6-M ARM B3.2
const ICSR: u32 = 0xE000_ED04; // interrupt control and state, ARMv6-M ARM B3.2
const VTOR: u32 = 0xE000_ED08; // vector table offset, ARMv6-M ARM B3.2
const AIRCR: u32 = 0xE000_ED0C; // application interrupt and reset control, ARMv6-M ARM B3.2
const SCR: u32 = 0xE000_ED10; // system control, ARMv6-M ARM B3.2
const CCR: u32 = 0xE000_ED14; // configuration and control, ARMv6-M ARM B3.2
const SHPR2: u32 = 0xE000_ED1C; // priority of SVCall, ARMv6-M ARM B3.2
const SHPR3: u32 = 0xE000_ED20; // priorities of PendSV and SysTick, ARMv6-M ARM B3.2
const SHCSR: u32 = 0xE000_ED24; // system handler control and state, ARMv6-M ARM B3.2
const DFSR: u32 = 0xE000_ED30; // debug fault status, ARMv6-M ARM C1.6
const MPU_TYPE: u32 = 0xE000_ED90; // type of the MPU, ARMv6-M ARM B3.5
const MPU_END: u32 = 0xE000_EDBF;
const DHCSR: u32 = 0xE000_EDF0; // debug halting control and status, ARMv6-M ARM C1.6
const DEBUG_END: u32 = 0xE000_EDFF;
// Units that are only named in reports.
const DWT: std::ops::RangeInclusive<u32> = 0xE000_1000..=0xE000_1FFF;
const BPU: std::ops::RangeInclusive<u32> = 0xE000_2000..=0xE000_2FFF;

/// ARM, Cortex-M0+, r0p1.
const CPUID_R0P1: u32 = 0x410C_C601;
const ICSR_NMIPENDSET: u32 = 1 << 31;
const ICSR_PENDSVSET: u32 = 1 << 28;
const ICSR_PENDSVCLR: u32 = 1 << 27;
const ICSR_PENDSTSET: u32 = 1 << 26;
const ICSR_PENDSTCLR: u32 = 1 << 25;
const ICSR_ISRPENDING: u32 = 1 << 22;
const ICSR_VECTPENDING_LSB: u32 = 12;
const VTOR_TBLOFF: u32 = !0xFF;
/// The key that a write to AIRCR must carry, and what is read in its place.
const AIRCR_VECTKEY: u32 = 0x05FA;
const AIRCR_VECTKEYSTAT: u32 = 0xFA05 << 16;
const AIRCR_SYSRESETREQ: u32 = 1 << 2;
/// Sleep again when the last handler returns.
pub(super) const SCR_SLEEPONEXIT: u32 = 1 << 1;
const SCR_SLEEPDEEP: u32 = 1 << 2;
/// An exception that becomes pending is an event.
pub(super) const SCR_SEVONPEND: u32 = 1 << 4;
/// CCR never changes: stack frames aligned to eight bytes, unaligned accesses fault.
const CCR_UNALIGN_TRP: u32 = 1 << 3;
const CCR_STKALIGN: u32 = 1 << 9;
const SHPR2_PRI_11: u32 = 0xFF00_0000;
const SHPR3_PRI_14_15: u32 = 0xFFFF_0000;
const SHCSR_SVCALLPENDED_LSB: u32 = 15;
/// The Cortex-M0+ has eight MPU regions.
const MPU_TYPE_DREGION_8: u32 = 8 << 8;

/// The exceptions whose priorities NVIC_IPR0, SHPR2 and SHPR3 begin with.
const FIRST_OF_IPR0: usize = 16;
const FIRST_OF_SHPR2: usize = 8;
const FIRST_OF_SHPR3: usize = 12;

impl Cpu {
    pub(super) fn read_system<B: Bus>(&mut self, bus: &mut B, access: Access) -> u32 {
        match access.address {
            address @ SYST_CSR..=SYST_CALIB => self.systick.read(address - SYST_CSR, access.cycle),
            NVIC_ISER | NVIC_ICER => self.nvic.enabled_interrupts(),
            NVIC_ISPR | NVIC_ICPR => self.nvic.pending_interrupts(),
            address @ NVIC_IPR0..=NVIC_IPR7 => {
                self.priority_fields(FIRST_OF_IPR0 + (address - NVIC_IPR0) as usize)
            }
            CPUID => CPUID_R0P1,
            ICSR => self.interrupt_control(),
            VTOR => self.vector_table,
            AIRCR => AIRCR_VECTKEYSTAT,
            SCR => self.system_control,
            CCR => CCR_STKALIGN | CCR_UNALIGN_TRP,
            SHPR2 => self.priority_fields(FIRST_OF_SHPR2),
            SHPR3 => self.priority_fields(FIRST_OF_SHPR3),
            SHCSR => u32::from(self.nvic.is_pending(Exception::SVCALL)) << SHCSR_SVCALLPENDED_LSB,
            MPU_TYPE => MPU_TYPE_DREGION_8,
            // Debug: no event has happened and no debugger is attached that a program could see.
            DFSR | DHCSR => 0,
            _ => {
                bus.not_modelled(access, system_name(access.address), false);
                0
            }
        }
    }

    pub(super) fn write_system<B: Bus>(&mut self, bus: &mut B, access: Access, value: u32) {
        match access.address {
            address @ SYST_CSR..=SYST_CALIB => {
                self.systick.write(address - SYST_CSR, value, access.cycle);
            }
            NVIC_ISER => self.nvic.enable(value),
            NVIC_ICER => self.nvic.disable(value),
            NVIC_ISPR => self.pend(u64::from(value) << 16),
            NVIC_ICPR => self.nvic.unpend_mask(u64::from(value) << 16),
            address @ NVIC_IPR0..=NVIC_IPR7 => {
                self.set_priority_fields(FIRST_OF_IPR0 + (address - NVIC_IPR0) as usize, value);
            }
            ICSR => self.set_interrupt_control(value),
            VTOR => self.vector_table = value & VTOR_TBLOFF,
            AIRCR if value >> 16 == AIRCR_VECTKEY && value & AIRCR_SYSRESETREQ != 0 => {
                self.state = State::ResetRequested;
            }
            AIRCR => {}
            SCR => self.system_control = value & (SCR_SLEEPONEXIT | SCR_SLEEPDEEP | SCR_SEVONPEND),
            SHPR2 => self.set_priority_fields(FIRST_OF_SHPR2, value & SHPR2_PRI_11),
            SHPR3 => self.set_priority_fields(FIRST_OF_SHPR3, value & SHPR3_PRI_14_15),
            // Read-only, or of use to a debugger alone.
            CPUID | CCR | SHCSR | DFSR | MPU_TYPE => {}
            _ => bus.not_modelled(access, system_name(access.address), true),
        }
    }

    fn pend(&mut self, mask: u64) {
        if self.nvic.pend_mask(mask) && self.system_control & SCR_SEVONPEND != 0 {
            self.event = true;
        }
    }

    fn interrupt_control(&self) -> u32 {
        let pending = |exception, bit| if self.nvic.is_pending(exception) { bit } else { 0 };
        let first =
            self.nvic.first().map_or(0, |first| u32::from(first.number()) << ICSR_VECTPENDING_LSB);
        pending(Exception::NMI, ICSR_NMIPENDSET)
            | pending(Exception::PENDSV, ICSR_PENDSVSET)
            | pending(Exception::SYSTICK, ICSR_PENDSTSET)
            | if self.nvic.pending_interrupts() != 0 { ICSR_ISRPENDING } else { 0 }
            | first
            | u32::from(self.handling)
    }

    fn set_interrupt_control(&mut self, value: u32) {
        let chosen = |bit, exception: Exception| u64::from(value & bit != 0) << exception.number();
        let unpend =
            chosen(ICSR_PENDSVCLR, Exception::PENDSV) | chosen(ICSR_PENDSTCLR, Exception::SYSTICK);
        let pend = chosen(ICSR_NMIPENDSET, Exception::NMI)
            | chosen(ICSR_PENDSVSET, Exception::PENDSV)
            | chosen(ICSR_PENDSTSET, Exception::SYSTICK);
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
        MPU_TYPE..=MPU_END => "MPU",
        address if DWT.contains(&address) => "DWT",
        address if BPU.contains(&address) => "breakpoint unit",
        DHCSR..=DEBUG_END => "debug control",
        _ => "system control space",
    }
}

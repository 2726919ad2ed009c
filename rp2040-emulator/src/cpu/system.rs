//! The registers of the system control space: SysTick, NVIC and the system control block
//! (section B3.2 to B3.4 of the architecture manual).

use super::registers::*;
use super::{Cpu, Exception, State};
use crate::cpu::bus::{Access, Bus};

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
            MPU_CTRL => self.mpu.control(),
            MPU_RNR => self.mpu.region(),
            MPU_RBAR => self.mpu.base(),
            MPU_RASR => self.mpu.attributes(),
            // Debug: a program sees no event and no attached debugger.
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
            VTOR => {
                if value & !VTOR_TBLOFF != 0 {
                    bus.misaligned_vectors(access, value);
                }
                self.vector_table = value & VTOR_TBLOFF;
            }
            AIRCR if value >> 16 == AIRCR_VECTKEY && value & AIRCR_SYSRESETREQ != 0 => {
                self.state = State::ResetRequested;
            }
            AIRCR => {}
            SCR => self.system_control = value & (SCR_SLEEPONEXIT | SCR_SLEEPDEEP | SCR_SEVONPEND),
            SHPR2 => self.set_priority_fields(FIRST_OF_SHPR2, value & SHPR2_PRI_11),
            SHPR3 => self.set_priority_fields(FIRST_OF_SHPR3, value & SHPR3_PRI_14_15),
            MPU_CTRL => self.mpu.set_control(value),
            MPU_RNR => self.mpu.select(value),
            MPU_RBAR => self.mpu.set_base(value),
            MPU_RASR => self.mpu.set_attributes(value),
            // Read-only, or useful only to a debugger.
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

    /// Returns the priority fields of four exceptions from `first` on: the two top bits of each
    /// byte.
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

//! The registers and bits of the system control space.

// Registers: ARMv6-M ARM B3.2 to B3.5 and C1.6; RP2040 datasheet 2.4.8.
pub(super) const SYST_CSR: u32 = 0xE000_E010; // first register of SysTick, ARMv6-M ARM B3.3
pub(super) const SYST_CALIB: u32 = 0xE000_E01C; // its last register, ARMv6-M ARM B3.3
pub(super) const NVIC_ISER: u32 = 0xE000_E100; // interrupt set-enable, ARMv6-M ARM B3.4
pub(super) const NVIC_ICER: u32 = 0xE000_E180; // interrupt clear-enable, ARMv6-M ARM B3.4
pub(super) const NVIC_ISPR: u32 = 0xE000_E200; // interrupt set-pending, ARMv6-M ARM B3.4
pub(super) const NVIC_ICPR: u32 = 0xE000_E280; // interrupt clear-pending, ARMv6-M ARM B3.4
pub(super) const NVIC_IPR0: u32 = 0xE000_E400; // first of eight interrupt priority registers, ARMv6-M ARM B3.4
pub(super) const NVIC_IPR7: u32 = 0xE000_E41C; // last interrupt priority register, ARMv6-M ARM B3.4
pub(super) const CPUID: u32 = 0xE000_ED00; // identification, ARMv6-M ARM B3.2
pub(super) const ICSR: u32 = 0xE000_ED04; // interrupt control and state, ARMv6-M ARM B3.2
pub(super) const VTOR: u32 = 0xE000_ED08; // vector table offset, ARMv6-M ARM B3.2
pub(super) const AIRCR: u32 = 0xE000_ED0C; // application interrupt and reset control, ARMv6-M ARM B3.2
pub(super) const SCR: u32 = 0xE000_ED10; // system control, ARMv6-M ARM B3.2
pub(super) const CCR: u32 = 0xE000_ED14; // configuration and control, ARMv6-M ARM B3.2
pub(super) const SHPR2: u32 = 0xE000_ED1C; // priority of SVCall, ARMv6-M ARM B3.2
pub(super) const SHPR3: u32 = 0xE000_ED20; // priorities of PendSV and SysTick, ARMv6-M ARM B3.2
pub(super) const SHCSR: u32 = 0xE000_ED24; // system handler control and state, ARMv6-M ARM B3.2
pub(super) const DFSR: u32 = 0xE000_ED30; // debug fault status, ARMv6-M ARM C1.6
pub(super) const MPU_TYPE: u32 = 0xE000_ED90; // type of the MPU, ARMv6-M ARM B3.5
pub(super) const MPU_CTRL: u32 = 0xE000_ED94; // control of the MPU, ARMv6-M ARM B3.5
pub(super) const MPU_RNR: u32 = 0xE000_ED98; // number of the region, ARMv6-M ARM B3.5
pub(super) const MPU_RBAR: u32 = 0xE000_ED9C; // its base address, ARMv6-M ARM B3.5
pub(super) const MPU_RASR: u32 = 0xE000_EDA0; // its attributes and size, ARMv6-M ARM B3.5
pub(super) const MPU_END: u32 = 0xE000_EDBF;
pub(super) const DHCSR: u32 = 0xE000_EDF0; // debug halting control and status, ARMv6-M ARM C1.6
pub(super) const DEBUG_END: u32 = 0xE000_EDFF;
// Units that are only named in reports.
pub(super) const DWT: std::ops::RangeInclusive<u32> = 0xE000_1000..=0xE000_1FFF;
pub(super) const BPU: std::ops::RangeInclusive<u32> = 0xE000_2000..=0xE000_2FFF;

/// Value of CPUID: ARM, Cortex-M0+, r0p1.
pub(super) const CPUID_R0P1: u32 = 0x410C_C601;
pub(super) const ICSR_NMIPENDSET: u32 = 1 << 31;
pub(super) const ICSR_PENDSVSET: u32 = 1 << 28;
pub(super) const ICSR_PENDSVCLR: u32 = 1 << 27;
pub(super) const ICSR_PENDSTSET: u32 = 1 << 26;
pub(super) const ICSR_PENDSTCLR: u32 = 1 << 25;
pub(super) const ICSR_ISRPENDING: u32 = 1 << 22;
pub(super) const ICSR_VECTPENDING_LSB: u32 = 12;
pub(super) const VTOR_TBLOFF: u32 = !0xFF;
/// The key that a write to AIRCR must carry, and the value that is read in its place.
pub(super) const AIRCR_VECTKEY: u32 = 0x05FA;
pub(super) const AIRCR_VECTKEYSTAT: u32 = 0xFA05 << 16;
pub(super) const AIRCR_SYSRESETREQ: u32 = 1 << 2;
/// SCR: the core sleeps again when the last handler returns.
pub(super) const SCR_SLEEPONEXIT: u32 = 1 << 1;
pub(super) const SCR_SLEEPDEEP: u32 = 1 << 2;
/// SCR: an exception that becomes pending is an event.
pub(super) const SCR_SEVONPEND: u32 = 1 << 4;
/// CCR never changes: stack frames aligned to eight bytes, unaligned accesses fault.
pub(super) const CCR_UNALIGN_TRP: u32 = 1 << 3;
pub(super) const CCR_STKALIGN: u32 = 1 << 9;
pub(super) const SHPR2_PRI_11: u32 = 0xFF00_0000;
pub(super) const SHPR3_PRI_14_15: u32 = 0xFFFF_0000;
pub(super) const SHCSR_SVCALLPENDED_LSB: u32 = 15;
/// The Cortex-M0+ has eight MPU regions.
pub(super) const MPU_TYPE_DREGION_8: u32 = 8 << 8;

/// The exceptions whose priorities NVIC_IPR0, SHPR2 and SHPR3 begin with.
pub(super) const FIRST_OF_IPR0: usize = 16;
pub(super) const FIRST_OF_SHPR2: usize = 8;
pub(super) const FIRST_OF_SHPR3: usize = 12;

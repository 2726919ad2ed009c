//! The debug registers of a core (ARMv6-M ARM C1.6).

pub(super) const DFSR: u32 = 0xE000_ED30; // debug fault status, C1.6.1
pub(super) const DHCSR: u32 = 0xE000_EDF0; // debug halting control and status, C1.6.3
pub(super) const DCRSR: u32 = 0xE000_EDF4; // debug core register selector, C1.6.4
pub(super) const DCRDR: u32 = 0xE000_EDF8; // debug core register data, C1.6.5
pub(super) const DEMCR: u32 = 0xE000_EDFC; // debug exception and monitor control, C1.6.2

pub(super) const DHCSR_DBGKEY: u32 = 0xA05F;
pub(super) const C_DEBUGEN: u32 = 1 << 0;
pub(super) const C_HALT: u32 = 1 << 1;
pub(super) const C_STEP: u32 = 1 << 2;
pub(super) const S_REGRDY: u32 = 1 << 16;
pub(super) const S_HALT: u32 = 1 << 17;
pub(super) const S_SLEEP: u32 = 1 << 18;
pub(super) const S_LOCKUP: u32 = 1 << 19;
pub(super) const S_RETIRE_ST: u32 = 1 << 24;
pub(super) const S_RESET_ST: u32 = 1 << 25;
pub(super) const DCRSR_REGWNR: u32 = 1 << 16;
pub(super) const DCRSR_REGSEL: u32 = 0x1F;
pub(super) const DEMCR_VC_CORERESET: u32 = 1 << 0;
/// Bits of DEMCR that a write changes: DWTENA, VC_HARDERR, VC_CORERESET.
pub(super) const DEMCR_WRITABLE: u32 = 1 << 24 | 1 << 10 | DEMCR_VC_CORERESET;
pub(super) const DFSR_HALTED: u32 = 1 << 0;
pub(super) const DFSR_BKPT: u32 = 1 << 1;
pub(super) const DFSR_VCATCH: u32 = 1 << 3;

/// State of a core's debug registers, which a reset of the chip retains. Whether the core is halted
/// is part of the chip.
#[derive(Clone, Debug, Default)]
pub(in crate::chip) struct CoreDebug {
    /// C_DEBUGEN.
    pub(super) enabled: bool,
    /// DCRDR.
    pub(super) data: u32,
    /// DEMCR.
    pub(super) catches: u32,
    /// DFSR.
    pub(super) faults: u32,
    /// Whether the core was reset since DHCSR was read.
    pub(super) was_reset: bool,
    /// Number of instructions when DHCSR was read.
    pub(super) retired: u64,
}

impl CoreDebug {
    /// Returns whether a reset of the core halts it.
    pub(super) fn catches_reset(&self) -> bool {
        self.enabled && self.catches & DEMCR_VC_CORERESET != 0
    }
}

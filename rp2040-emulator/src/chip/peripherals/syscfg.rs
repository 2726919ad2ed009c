//! SYSCFG: interrupts as NMI, debug ports, synchronisers, power of the memories (datasheet section
//! 2.21).
//!
//! The masks select interrupt lines that are also the NMI of a core. All other registers are stored
//! without effect: the synchronisers add no delay here, no debugger uses the ports, and the
//! memories keep working.

// Registers: RP2040 datasheet 2.21.2.
const PROC0_NMI_MASK: u32 = 0x00; // lines that are the NMI of core 0, 2.21.2
const PROC1_NMI_MASK: u32 = 0x04; // lines that are the NMI of core 1, 2.21.2
const PROC_CONFIG: u32 = 0x08; // numbers of the debug ports, 2.21.2
const PROC_IN_SYNC_BYPASS: u32 = 0x0C; // GPIO 0 to 29, 2.21.2
const PROC_IN_SYNC_BYPASS_HI: u32 = 0x10; // the six QSPI pins, 2.21.2
const DBGFORCE: u32 = 0x14; // drives the debug ports, 2.21.2
const MEMPOWERDOWN: u32 = 0x18; // memories without power, 2.21.2

const PROC_CONFIG_BITS: u32 = 0xFF00_0000;
/// Value of PROC_CONFIG after reset: core 1 is number 1 on the debug bus.
const PROC_CONFIG_RESET: u32 = 1 << 28;
const PROC_IN_SYNC_BYPASS_BITS: u32 = 0x3FFF_FFFF;
const PROC_IN_SYNC_BYPASS_HI_BITS: u32 = 0x3F;
/// Bits of ATTACH, SWCLK and SWDI of both cores; SWDO cannot be written.
const DBGFORCE_BITS: u32 = 0xEE;
const DBGFORCE_RESET: u32 = 0x66;
const MEMPOWERDOWN_BITS: u32 = 0xFF;

#[derive(Clone, Debug)]
pub(in crate::chip) struct SystemConfig {
    nmi: [u32; 2],
    ports: u32,
    bypass: u32,
    bypass_high: u32,
    force: u32,
    powered_down: u32,
}

impl Default for SystemConfig {
    fn default() -> Self {
        Self {
            nmi: [0; 2],
            ports: PROC_CONFIG_RESET,
            bypass: 0,
            bypass_high: 0,
            force: DBGFORCE_RESET,
            powered_down: 0,
        }
    }
}

impl SystemConfig {
    /// Returns the interrupt lines that are also the NMI of `core`.
    pub(in crate::chip) fn nmi_mask(&self, core: u8) -> u32 {
        self.nmi[usize::from(core & 1)]
    }

    pub(in crate::chip) fn read(&self, offset: u32) -> Option<u32> {
        Some(match offset {
            PROC0_NMI_MASK => self.nmi[0],
            PROC1_NMI_MASK => self.nmi[1],
            PROC_CONFIG => self.ports,
            PROC_IN_SYNC_BYPASS => self.bypass,
            PROC_IN_SYNC_BYPASS_HI => self.bypass_high,
            DBGFORCE => self.force,
            MEMPOWERDOWN => self.powered_down,
            _ => return None,
        })
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        match offset {
            PROC0_NMI_MASK => self.nmi[0] = value,
            PROC1_NMI_MASK => self.nmi[1] = value,
            PROC_CONFIG => self.ports = value & PROC_CONFIG_BITS,
            PROC_IN_SYNC_BYPASS => self.bypass = value & PROC_IN_SYNC_BYPASS_BITS,
            PROC_IN_SYNC_BYPASS_HI => self.bypass_high = value & PROC_IN_SYNC_BYPASS_HI_BITS,
            DBGFORCE => self.force = value & DBGFORCE_BITS,
            MEMPOWERDOWN => self.powered_down = value & MEMPOWERDOWN_BITS,
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reset_values_and_writable_bits_follow_the_datasheet() {
        let mut config = SystemConfig::default();
        let offsets = [PROC0_NMI_MASK, PROC_CONFIG, DBGFORCE, MEMPOWERDOWN];
        let read = |config: &SystemConfig| offsets.map(|offset| config.read(offset).unwrap());
        assert_eq!(read(&config), [0, 0x1000_0000, 0x66, 0]);
        for offset in offsets {
            config.write(offset, u32::MAX);
        }
        assert_eq!(read(&config), [u32::MAX, 0xFF00_0000, 0xEE, 0xFF]);
        assert_eq!([0, 1].map(|core| config.nmi_mask(core)), [u32::MAX, 0]);
    }
}

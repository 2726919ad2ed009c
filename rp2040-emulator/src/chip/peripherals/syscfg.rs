//! SYSCFG: which pins bypass their synchronisers (datasheet section 2.21). The rest of the block is
//! not modelled.

// Registers: RP2040 datasheet 2.21.2.
const PROC_IN_SYNC_BYPASS: u32 = 0x0C; // GPIO 0 to 29, 2.21.2
const PROC_IN_SYNC_BYPASS_HI: u32 = 0x10; // the six QSPI pins, 2.21.2

const PROC_IN_SYNC_BYPASS_BITS: u32 = 0x3FFF_FFFF;
const PROC_IN_SYNC_BYPASS_HI_BITS: u32 = 0x3F;

/// The synchronisers of the cores' inputs delay nothing here, so the bits have no effect.
#[derive(Clone, Debug, Default)]
pub(in crate::chip) struct SystemConfig {
    bypass: u32,
    bypass_high: u32,
}

impl SystemConfig {
    pub(in crate::chip) fn read(&self, offset: u32) -> Option<u32> {
        match offset {
            PROC_IN_SYNC_BYPASS => Some(self.bypass),
            PROC_IN_SYNC_BYPASS_HI => Some(self.bypass_high),
            _ => None,
        }
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        match offset {
            PROC_IN_SYNC_BYPASS => self.bypass = value & PROC_IN_SYNC_BYPASS_BITS,
            PROC_IN_SYNC_BYPASS_HI => self.bypass_high = value & PROC_IN_SYNC_BYPASS_HI_BITS,
            _ => return None,
        }
        Some(())
    }
}

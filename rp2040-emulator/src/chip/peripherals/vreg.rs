//! VREG_AND_CHIP_RESET: the voltage regulator, the brown-out detector and the cause of the last
//! reset of the whole chip (datasheet sections 2.10 and 2.12). Regulator and detector store what is
//! written. The reset cause is always the supply: there is no RUN pin and no debugger's restart,
//! and a watchdog reset does not affect this block.

// Registers: RP2040 datasheet 2.10.6.
const VREG: u32 = 0x0; // regulator control and status, 2.10.6
const BOD: u32 = 0x4; // brown-out detection, 2.10.6
const CHIP_RESET: u32 = 0x8; // cause of the last reset of the chip, 2.12.8

/// ROK: the regulator is in regulation.
const VREG_ROK: u32 = 1 << 12;
const VREG_VSEL_LSB: u32 = 4;
/// Value of VREG after reset: 1.1 V, enabled.
const VREG_RESET: u32 = 0xB1;
/// Value of BOD after reset: 0.86 V, enabled.
const BOD_RESET: u32 = 0x91;
/// HAD_POR: the last reset was caused by the supply.
const CHIP_RESET_HAD_POR: u32 = 1 << 8;

#[derive(Clone, Debug)]
pub(in crate::chip) struct VoltageRegulator {
    regulator: u32,
    brown_out: u32,
}

impl Default for VoltageRegulator {
    fn default() -> Self {
        Self { regulator: VREG_RESET, brown_out: BOD_RESET }
    }
}

impl VoltageRegulator {
    /// Returns VSEL: the selected voltage.
    pub(in crate::chip) fn selected(&self) -> u32 {
        self.regulator >> VREG_VSEL_LSB & 0xF
    }

    pub(in crate::chip) fn read(&self, offset: u32) -> Option<u32> {
        match offset {
            VREG => Some(self.regulator | VREG_ROK),
            BOD => Some(self.brown_out),
            CHIP_RESET => Some(CHIP_RESET_HAD_POR),
            _ => None,
        }
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        match offset {
            VREG => self.regulator = value,
            BOD => self.brown_out = value,
            // A debugger sets PSM_RESTART_FLAG, and the boot ROM clears it: it stays clear.
            CHIP_RESET => {}
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reset_values_are_the_datasheets() {
        let regulator = VoltageRegulator::default();
        assert_eq!([VREG, BOD].map(|offset| regulator.read(offset)), [Some(0x10B1), Some(0x91)]);
    }

    #[test]
    fn the_reset_cause_is_the_supply_and_is_read_only() {
        let mut regulator = VoltageRegulator::default();
        assert_eq!(regulator.write(CHIP_RESET, u32::MAX), Some(()));
        assert_eq!(regulator.read(CHIP_RESET), Some(1 << 8));
    }
}

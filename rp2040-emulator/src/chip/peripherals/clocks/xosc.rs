//! The crystal oscillator (datasheet section 2.16). It is stable as soon as it is enabled.

use super::{DORMANT_VALUE_DORMANT, DORMANT_VALUE_WAKE};

// Registers: RP2040 datasheet 2.16.7. The others, STARTUP and COUNT, read back what is written.
pub(super) const CTRL: u32 = 0x00; // control, 2.16.7
pub(in crate::chip) const STATUS: u32 = 0x04; // status, 2.16.7
const DORMANT: u32 = 0x08; // stops the oscillator until a pin wakes it, 2.16.7
const COUNT: u32 = 0x1C; // counter of the crystal's cycles, the last register, 2.16.7

const CTRL_ENABLE: u32 = 0xFFF << 12;
const CTRL_ENABLE_VALUE_ENABLE: u32 = 0xFAB << 12;
const STATUS_ENABLED: u32 = 1 << 12;
const STATUS_STABLE: u32 = 1 << 31;

#[derive(Clone, Debug, Default)]
pub(super) struct Xosc {
    registers: [u32; COUNT as usize / 4 + 1],
}

impl Xosc {
    pub(super) fn read(&self, offset: u32) -> Option<u32> {
        let control = self.registers[CTRL as usize / 4];
        Some(match offset {
            STATUS if control & CTRL_ENABLE == CTRL_ENABLE_VALUE_ENABLE => {
                STATUS_ENABLED | STATUS_STABLE
            }
            STATUS => 0,
            _ => *self.registers.get(offset as usize / 4)?,
        })
    }

    /// Returns whether the program has stopped the oscillator until a pin or the RTC wakes it.
    pub(super) fn is_dormant(&self) -> bool {
        self.registers[DORMANT as usize / 4] == DORMANT_VALUE_DORMANT
    }

    pub(super) fn wake(&mut self) {
        if self.is_dormant() {
            self.registers[DORMANT as usize / 4] = DORMANT_VALUE_WAKE;
        }
    }

    pub(super) fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        if offset == DORMANT {
            // Any other value selects WAKE.
            let is_dormant = value == DORMANT_VALUE_DORMANT;
            self.registers[DORMANT as usize / 4] =
                if is_dormant { value } else { DORMANT_VALUE_WAKE };
            return Some(());
        }
        *self.registers.get_mut(offset as usize / 4)? = value;
        Some(())
    }
}

//! The ring oscillator (datasheet section 2.17). It is always enabled and stable, at its nominal
//! frequency.

// Registers: RP2040 datasheet 2.17.8. The other ones, FREQA, FREQB, PHASE and COUNT, hold what is
// written.
const CTRL: u32 = 0x00; // control, 2.17.8
const DORMANT: u32 = 0x0C; // stops the oscillator until a pin wakes it, 2.17.8
const DIV: u32 = 0x10; // output divider, 2.17.8
const STATUS: u32 = 0x18; // status, 2.17.8
const RANDOMBIT: u32 = 0x1C; // a random bit, 2.17.8
const COUNT: u32 = 0x20; // countdown, the last register, 2.17.8

/// Enabled, low range.
const CTRL_RESET: u32 = 0xFAB_AA0;
const DIV_RESET: u32 = 16;
const STATUS_ENABLED: u32 = 1 << 12;
const STATUS_STABLE: u32 = 1 << 31;

#[derive(Clone, Debug)]
pub(super) struct Rosc {
    registers: [u32; COUNT as usize / 4 + 1],
    /// What RANDOMBIT reads from: a linear feedback shift register, so that runs repeat.
    random: u16,
}

impl Default for Rosc {
    fn default() -> Self {
        let mut registers = [0; COUNT as usize / 4 + 1];
        registers[CTRL as usize / 4] = CTRL_RESET;
        registers[DIV as usize / 4] = DIV_RESET;
        Self { registers, random: 0xACE1 }
    }
}

impl Rosc {
    pub(super) fn read(&mut self, offset: u32) -> Option<u32> {
        Some(match offset {
            STATUS => STATUS_ENABLED | STATUS_STABLE,
            RANDOMBIT => self.random_bit(),
            _ => *self.registers.get(offset as usize / 4)?,
        })
    }

    pub(super) fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        if offset == DORMANT {
            return None;
        }
        *self.registers.get_mut(offset as usize / 4)? = value;
        Some(())
    }

    fn random_bit(&mut self) -> u32 {
        let bit = self.random & 1;
        self.random = self.random >> 1 ^ if bit != 0 { 0xB400 } else { 0 };
        bit.into()
    }
}

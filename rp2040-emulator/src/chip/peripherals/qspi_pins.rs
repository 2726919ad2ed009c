//! The flash's six pins: their function selects, overrides and interrupts, and their pads
//! (datasheet sections 2.19.6.2 and 2.19.6.4).
//!
//! The flash itself is behind the XIP window; these pins carry nothing of it. They hold what is
//! written, and chip select answers the question whether BOOTSEL is pressed: the button pulls it
//! low as soon as the chip lets go of it.

/// SCLK, chip select, SD0 to SD3.
const PIN_COUNT: usize = 6;
const CHIP_SELECT: usize = 1;
/// Pads in their own order: SCLK, SD0 to SD3, chip select.
const PAD_RESETS: [u32; PIN_COUNT] = [0x56, 0x52, 0x52, 0x52, 0x52, 0x5A];
/// All but the clock idle high.
const IDLE: u32 = 0x3E;
/// The two edges of each of the six pins: they stay raised until they are cleared.
const EDGES: u32 = 0x00CC_CCCC;
const ALL: u32 = 0x00FF_FFFF;

#[derive(Clone, Debug)]
pub(in crate::chip) struct QspiPins {
    control: [u32; PIN_COUNT],
    pads: [u32; PIN_COUNT],
    voltage: u32,
    bootsel: bool,
    inputs: u32,
    raised: u32,
    /// For core 0, core 1 and the wake from dormant: enables and forces.
    enabled: [u32; 3],
    forced: [u32; 3],
}

impl Default for QspiPins {
    /// As the boot ROM leaves them: every pin is the flash's.
    fn default() -> Self {
        Self {
            control: [0; PIN_COUNT],
            pads: PAD_RESETS,
            voltage: 0,
            bootsel: false,
            inputs: IDLE,
            raised: 0,
            enabled: [0; 3],
            forced: [0; 3],
        }
    }
}

impl QspiPins {
    /// The pins after a reset of their functions; their pads and the button stay.
    pub(in crate::chip) fn after_reset(&self) -> Self {
        let fresh = Self { control: [0x1F; PIN_COUNT], ..Self::default() };
        let mut pins =
            Self { pads: self.pads, voltage: self.voltage, bootsel: self.bootsel, ..fresh };
        pins.settle();
        pins.raised = 0;
        pins
    }

    /// The boot ROM has set the flash up: every pin is its own.
    pub(in crate::chip) fn give_to_flash(&mut self) {
        self.control = [0; PIN_COUNT];
        self.settle();
        self.raised = 0;
    }

    /// The pads after their reset.
    pub(in crate::chip) fn reset_pads(&mut self) {
        self.pads = PAD_RESETS;
        self.voltage = 0;
    }

    /// BOOTSEL is pressed, or let go.
    pub(in crate::chip) fn press_bootsel(&mut self, pressed: bool) {
        self.bootsel = pressed;
        self.settle();
    }

    /// What GPIO_HI_IN reads.
    pub(in crate::chip) fn inputs(&self) -> u32 {
        self.inputs
    }

    fn settle(&mut self) {
        let before = self.inputs;
        // The output enable of chip select is overridden to be off: nobody holds it high.
        let released = self.control[CHIP_SELECT] >> 12 & 3 == 2;
        let low = released && self.bootsel;
        self.inputs = IDLE & !(u32::from(low) << CHIP_SELECT);
        for pin in 0..PIN_COUNT {
            let now = self.inputs >> pin & 1;
            if now != before >> pin & 1 {
                self.raised |= 4 << now << (pin * 4);
            }
        }
    }

    fn status(&self) -> u32 {
        (0..PIN_COUNT)
            .fold(self.raised, |status, pin| status | (1 << (self.inputs >> pin & 1)) << (pin * 4))
    }

    /// IO_IRQ_QSPI of a core.
    pub(in crate::chip) fn interrupt(&self, core: u8) -> bool {
        self.interrupts(usize::from(core & 1)) != 0
    }

    fn interrupts(&self, who: usize) -> u32 {
        self.status() & self.enabled[who] | self.forced[who]
    }

    pub(in crate::chip) fn read(&self, offset: u32) -> Option<u32> {
        let register = offset as usize / 4;
        Some(match offset {
            0x00..=0x2C if register.is_multiple_of(2) => {
                let level = self.inputs >> (register / 2) & 1;
                level << 9 | level << 17 | level << 19
            }
            0x00..=0x2C => self.control[register / 2],
            0x30 => self.status(),
            0x34..=0x54 => {
                let who = (register - 0xD) / 3;
                match (register - 0xD) % 3 {
                    0 => self.enabled[who],
                    1 => self.forced[who],
                    _ => self.interrupts(who),
                }
            }
            _ => return None,
        })
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        let register = offset as usize / 4;
        match offset {
            0x00..=0x2C if register.is_multiple_of(2) => {}
            0x00..=0x2C => {
                self.control[register / 2] = value & 0x3003_331F;
                self.settle();
            }
            0x30 => self.raised &= !(value & EDGES),
            0x34..=0x54 => {
                let who = (register - 0xD) / 3;
                match (register - 0xD) % 3 {
                    0 => self.enabled[who] = value & ALL,
                    1 => self.forced[who] = value & ALL,
                    _ => {}
                }
            }
            _ => return None,
        }
        Some(())
    }

    pub(in crate::chip) fn read_pads(&self, offset: u32) -> Option<u32> {
        match offset {
            0 => Some(self.voltage),
            _ => self.pads.get(offset as usize / 4 - 1).copied(),
        }
    }

    pub(in crate::chip) fn write_pads(&mut self, offset: u32, value: u32) -> Option<()> {
        match offset {
            0 => self.voltage = value & 1,
            _ => *self.pads.get_mut(offset as usize / 4 - 1)? = value & 0xFF,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SELECT_CONTROL: u32 = 0x0C;

    #[test]
    fn bootsel_is_seen_while_chip_select_is_released() {
        let mut pins = QspiPins::default();
        pins.press_bootsel(true);
        assert_eq!(pins.inputs(), IDLE);
        pins.write(SELECT_CONTROL, 2 << 12);
        assert_eq!(pins.inputs(), IDLE & !2);
        pins.press_bootsel(false);
        assert_eq!(pins.inputs(), IDLE);
    }

    #[test]
    fn an_edge_interrupts_the_core_that_wants_it_until_it_is_cleared() {
        let mut pins = QspiPins::default();
        pins.write(0x40, 4 << 4); // core 1, chip select: falling
        pins.write(SELECT_CONTROL, 2 << 12);
        pins.press_bootsel(true);
        assert!(pins.interrupt(1) && !pins.interrupt(0));
        assert_eq!(pins.read(0x48), Some(4 << 4));
        pins.write(0x30, 4 << 4);
        assert!(!pins.interrupt(1));
    }

    #[test]
    fn pads_come_back_with_their_reset() {
        let mut pins = QspiPins::default();
        assert_eq!(pins.read_pads(0x18), Some(0x5A));
        pins.write_pads(0x18, 0xFFF);
        assert_eq!(pins.read_pads(0x18), Some(0xFF));
        pins.reset_pads();
        assert_eq!(pins.read_pads(0x18), Some(0x5A));
        assert_eq!(pins.read_pads(0x1C), None);
    }
}

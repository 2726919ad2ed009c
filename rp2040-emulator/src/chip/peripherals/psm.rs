//! The power-on state machine: the parts of the chip that are forced on or off (datasheet section
//! 2.13).

// Registers: RP2040 datasheet 2.13.5.
const FRCE_ON: u32 = 0x0; // parts that are forced on, 2.13.5
const FRCE_OFF: u32 = 0x4; // parts that are forced off, 2.13.5
const WDSEL: u32 = 0x8; // parts that the watchdog resets, 2.13.5
const DONE: u32 = 0xC; // parts that are ready, 2.13.5

const FRCE_OFF_BITS: u32 = 0x1_FFFF;
const FRCE_OFF_PROC1: u32 = 1 << 16;

#[derive(Clone, Debug, Default)]
pub(in crate::chip) struct Psm {
    /// FRCE_ON; it and WDSEL are stored without effect.
    force_on: u32,
    force_off: u32,
    watchdog_select: u32,
}

impl Psm {
    pub(in crate::chip) fn read(&self, offset: u32) -> Option<u32> {
        match offset {
            FRCE_ON => Some(self.force_on),
            FRCE_OFF => Some(self.force_off),
            WDSEL => Some(self.watchdog_select),
            DONE => Some(!self.force_off & FRCE_OFF_BITS),
            _ => None,
        }
    }

    /// Returns whether core 1 is forced off.
    pub(in crate::chip) fn holds_core_1(&self) -> bool {
        self.force_off & FRCE_OFF_PROC1 != 0
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        let value = value & FRCE_OFF_BITS;
        match offset {
            FRCE_ON => self.force_on = value,
            FRCE_OFF => self.force_off = value,
            WDSEL => self.watchdog_select = value,
            DONE => {}
            _ => return None,
        }
        Some(())
    }
}

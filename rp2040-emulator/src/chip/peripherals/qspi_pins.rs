//! The flash's six pins: their function selects, overrides and interrupts, and their pads
//! (datasheet sections 2.19.6.2 and 2.19.6.4).
//!
//! The flash itself is accessed through the XIP window; these pins carry no data. The registers
//! store what is written. A program reads the BOOTSEL button on chip select: the button pulls the
//! pin low while the chip does not drive it.

use super::array::index;

/// Number of pins: SCLK, chip select, SD0 to SD3.
const PIN_COUNT: usize = 6;
const CHIP_SELECT: usize = 1;
/// Values of the pads after reset, in their own order: SCLK, SD0 to SD3, chip select.
const PAD_RESETS: [u32; PIN_COUNT] = [0x56, 0x52, 0x52, 0x52, 0x52, 0x5A];
/// Idle levels: all pins except the clock are high.
const IDLE: u32 = 0x3E;

// IO_QSPI: RP2040 datasheet 2.19.6.2.
const GPIO_QSPI_SCLK_STATUS: u32 = 0x00; // status and control of six pins in turn, 2.19.6.2
const GPIO_QSPI_SD3_CTRL: u32 = 0x2C; // control of the last pin, 2.19.6.2
pub(in crate::chip) const INTR: u32 = 0x30; // raw interrupts, 2.19.6.2
const PROC0_INTE: u32 = 0x34; // interrupt enable of core 0, 2.19.6.2
const DORMANT_WAKE_INTS: u32 = 0x54; // the last interrupt status, 2.19.6.2

// PADS_QSPI: RP2040 datasheet 2.19.6.4.
const VOLTAGE_SELECT: u32 = 0x00; // supply voltage, 2.19.6.4
const PADS_GPIO_QSPI_SCLK: u32 = 0x04; // GPIO_QSPI_SCLK: the first of six pads, 2.19.6.4

const GPIO_STATUS_OUTTOPAD_LSB: u32 = 9;
const GPIO_STATUS_INFROMPAD_LSB: u32 = 17;
const GPIO_STATUS_INTOPERI_LSB: u32 = 19;
const GPIO_CTRL_FUNCSEL_NULL: u32 = 0x1F;
const GPIO_CTRL_OUTOVER_LSB: u32 = 8;
const GPIO_CTRL_OUTOVER_VALUE_LOW: u32 = 2;
const GPIO_CTRL_OEOVER_LSB: u32 = 12;
const GPIO_CTRL_OEOVER_VALUE_DISABLE: u32 = 2;
/// Bits of FUNCSEL, OUTOVER, OEOVER, INOVER, IRQOVER.
const GPIO_CTRL_BITS: u32 = 0x3003_331F;
const VOLTAGE_SELECT_BITS: u32 = 1;
const PADS_BITS: u32 = 0xFF;
/// Conditions of a pin, in its four bits of INTR, INTE, INTF and INTS.
const LEVEL_LOW: u32 = 1;
const EDGE_LOW: u32 = 1 << 2;
const EDGE_HIGH: u32 = 1 << 3;
/// Both edges of each of the six pins; they remain raised until they are cleared.
const EDGES: u32 = (EDGE_LOW | EDGE_HIGH) * 0x11_1111;
const INTE_BITS: u32 = 0x00FF_FFFF;
/// Number of PROC0_INTE among the three registers of a core; PROC0_INTF and PROC0_INTS follow.
const INTE: usize = 0;
const INTF: usize = 1;

#[derive(Clone, Debug)]
pub(in crate::chip) struct QspiPins {
    control: [u32; PIN_COUNT],
    pads: [u32; PIN_COUNT],
    voltage: u32,
    bootsel: bool,
    inputs: u32,
    raised: u32,
    /// Enables of core 0, core 1 and the wake from dormant; `forced` has their forces.
    enabled: [u32; 3],
    forced: [u32; 3],
}

impl Default for QspiPins {
    /// Creates the pins as the boot ROM leaves them: every pin belongs to the flash.
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
    /// Returns the pins after a reset of IO_QSPI; pads and button are retained.
    pub(in crate::chip) fn after_reset(&self) -> Self {
        let fresh = Self { control: [GPIO_CTRL_FUNCSEL_NULL; PIN_COUNT], ..Self::default() };
        let mut pins =
            Self { pads: self.pads, voltage: self.voltage, bootsel: self.bootsel, ..fresh };
        pins.settle();
        pins.raised = 0;
        pins
    }

    /// Gives every pin the XIP function, as the boot ROM does when it sets up the flash.
    pub(in crate::chip) fn give_to_flash(&mut self) {
        self.control = [0; PIN_COUNT];
        self.settle();
        self.raised = 0;
    }

    /// Resets the pads.
    pub(in crate::chip) fn reset_pads(&mut self) {
        self.pads = PAD_RESETS;
        self.voltage = 0;
    }

    /// Presses or releases BOOTSEL.
    pub(in crate::chip) fn press_bootsel(&mut self, pressed: bool) {
        self.bootsel = pressed;
        self.settle();
    }

    /// Returns whether the program forces the flash's chip select low, to send commands to the
    /// flash.
    pub(in crate::chip) fn forces_chip_select_low(&self) -> bool {
        self.control[CHIP_SELECT] >> GPIO_CTRL_OUTOVER_LSB & 3 == GPIO_CTRL_OUTOVER_VALUE_LOW
    }

    /// Returns the value of GPIO_HI_IN.
    pub(in crate::chip) fn inputs(&self) -> u32 {
        self.inputs
    }

    fn settle(&mut self) {
        let before = self.inputs;
        // If its output enable is overridden to off, chip select is not driven high.
        let released =
            self.control[CHIP_SELECT] >> GPIO_CTRL_OEOVER_LSB & 3 == GPIO_CTRL_OEOVER_VALUE_DISABLE;
        let low = released && self.bootsel;
        self.inputs = IDLE & !(u32::from(low) << CHIP_SELECT);
        for pin in 0..PIN_COUNT {
            let now = self.inputs >> pin & 1;
            if now != before >> pin & 1 {
                self.raised |= EDGE_LOW << now << (pin * 4);
            }
        }
    }

    fn status(&self) -> u32 {
        (0..PIN_COUNT).fold(self.raised, |status, pin| {
            status | (LEVEL_LOW << (self.inputs >> pin & 1)) << (pin * 4)
        })
    }

    /// Returns the line IO_IRQ_QSPI of a core.
    pub(in crate::chip) fn interrupt(&self, core: u8) -> bool {
        self.interrupts(usize::from(core & 1)) != 0
    }

    fn interrupts(&self, who: usize) -> u32 {
        self.status() & self.enabled[who] | self.forced[who]
    }

    pub(in crate::chip) fn read(&self, offset: u32) -> Option<u32> {
        Some(match offset {
            GPIO_QSPI_SCLK_STATUS..=GPIO_QSPI_SD3_CTRL => {
                let register = index(offset, GPIO_QSPI_SCLK_STATUS);
                match register % 2 {
                    0 => {
                        let level = self.inputs >> (register / 2) & 1;
                        level << GPIO_STATUS_OUTTOPAD_LSB
                            | level << GPIO_STATUS_INFROMPAD_LSB
                            | level << GPIO_STATUS_INTOPERI_LSB
                    }
                    _ => self.control[register / 2],
                }
            }
            INTR => self.status(),
            PROC0_INTE..=DORMANT_WAKE_INTS => {
                let register = index(offset, PROC0_INTE);
                let who = register / 3;
                match register % 3 {
                    INTE => self.enabled[who],
                    INTF => self.forced[who],
                    _ => self.interrupts(who),
                }
            }
            _ => return None,
        })
    }

    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32) -> Option<()> {
        match offset {
            GPIO_QSPI_SCLK_STATUS..=GPIO_QSPI_SD3_CTRL => {
                let register = index(offset, GPIO_QSPI_SCLK_STATUS);
                // Status registers are read-only.
                if register % 2 == 1 {
                    self.control[register / 2] = value & GPIO_CTRL_BITS;
                    self.settle();
                }
            }
            INTR => self.raised &= !(value & EDGES),
            PROC0_INTE..=DORMANT_WAKE_INTS => {
                let register = index(offset, PROC0_INTE);
                let who = register / 3;
                match register % 3 {
                    INTE => self.enabled[who] = value & INTE_BITS,
                    INTF => self.forced[who] = value & INTE_BITS,
                    _ => {}
                }
            }
            _ => return None,
        }
        Some(())
    }

    pub(in crate::chip) fn read_pads(&self, offset: u32) -> Option<u32> {
        match offset {
            VOLTAGE_SELECT => Some(self.voltage),
            _ => self.pads.get(index(offset, PADS_GPIO_QSPI_SCLK)).copied(),
        }
    }

    pub(in crate::chip) fn write_pads(&mut self, offset: u32, value: u32) -> Option<()> {
        match offset {
            VOLTAGE_SELECT => self.voltage = value & VOLTAGE_SELECT_BITS,
            _ => *self.pads.get_mut(index(offset, PADS_GPIO_QSPI_SCLK))? = value & PADS_BITS,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GPIO_QSPI_SS_CTRL: u32 = 0x0C;
    const PROC1_INTE: u32 = PROC0_INTE + 0xC;
    const PROC1_INTS: u32 = PROC1_INTE + 8;
    const PADS_GPIO_QSPI_SS: u32 = 0x18;

    #[test]
    fn bootsel_is_seen_while_chip_select_is_released() {
        let mut pins = QspiPins::default();
        pins.press_bootsel(true);
        assert_eq!(pins.inputs(), IDLE);
        pins.write(GPIO_QSPI_SS_CTRL, 2 << 12);
        assert_eq!(pins.inputs(), IDLE & !2);
        pins.press_bootsel(false);
        assert_eq!(pins.inputs(), IDLE);
    }

    #[test]
    fn an_edge_interrupts_the_enabled_core_until_it_is_cleared() {
        let mut pins = QspiPins::default();
        pins.write(PROC1_INTE, 4 << 4); // core 1, chip select: falling
        pins.write(GPIO_QSPI_SS_CTRL, 2 << 12);
        pins.press_bootsel(true);
        assert!(pins.interrupt(1) && !pins.interrupt(0));
        assert_eq!(pins.read(PROC1_INTS), Some(4 << 4));
        pins.write(INTR, 4 << 4);
        assert!(!pins.interrupt(1));
    }

    #[test]
    fn a_reset_restores_the_pads() {
        let mut pins = QspiPins::default();
        assert_eq!(pins.read_pads(PADS_GPIO_QSPI_SS), Some(0x5A));
        pins.write_pads(PADS_GPIO_QSPI_SS, 0xFFF);
        assert_eq!(pins.read_pads(PADS_GPIO_QSPI_SS), Some(0xFF));
        pins.reset_pads();
        assert_eq!(pins.read_pads(PADS_GPIO_QSPI_SS), Some(0x5A));
        assert_eq!(pins.read_pads(0x1C), None);
    }
}

//! The subsystem resets: the blocks that a program holds in reset (datasheet section 2.14).

// Registers: RP2040 datasheet 2.14.3.
const RESET: u32 = 0x0; // blocks that are held in reset, 2.14.3
const WDSEL: u32 = 0x4; // blocks that the watchdog resets, 2.14.3
const RESET_DONE: u32 = 0x8; // blocks that are ready, 2.14.3

const RESET_BITS: u32 = 0x01FF_FFFF;
pub(in crate::chip) const RESET_ADC: u32 = 1;
pub(in crate::chip) const RESET_BUSCTRL: u32 = 1 << 1;
pub(in crate::chip) const RESET_DMA: u32 = 1 << 2;
pub(in crate::chip) const RESET_I2C0: u32 = 1 << 3;
pub(in crate::chip) const RESET_I2C1: u32 = 1 << 4;
pub(in crate::chip) const RESET_IO_BANK0: u32 = 1 << 5;
pub(in crate::chip) const RESET_IO_QSPI: u32 = 1 << 6;
pub(in crate::chip) const RESET_PADS_QSPI: u32 = 1 << 9;
pub(in crate::chip) const RESET_PIO0: u32 = 1 << 10;
pub(in crate::chip) const RESET_PIO1: u32 = 1 << 11;
pub(in crate::chip) const RESET_PWM: u32 = 1 << 14;
pub(in crate::chip) const RESET_RTC: u32 = 1 << 15;
pub(in crate::chip) const RESET_SPI0: u32 = 1 << 16;
pub(in crate::chip) const RESET_SPI1: u32 = 1 << 17;
pub(in crate::chip) const RESET_SYSCFG: u32 = 1 << 18;
pub(in crate::chip) const RESET_TIMER: u32 = 1 << 21;
pub(in crate::chip) const RESET_UART0: u32 = 1 << 22;
pub(in crate::chip) const RESET_UART1: u32 = 1 << 23;
pub(in crate::chip) const RESET_USBCTRL: u32 = 1 << 24;

/// Blocks that the boot ROM releases (`main` in its bootrom_main.c).
const RELEASED: u32 = RESET_IO_QSPI | RESET_PADS_QSPI | RESET_TIMER;

#[derive(Clone, Debug)]
pub(in crate::chip) struct Resets {
    reset: u32,
    /// WDSEL, stored without effect.
    watchdog_select: u32,
}

impl Default for Resets {
    /// Creates the state after power-on: every block is held in reset.
    fn default() -> Self {
        Self { reset: RESET_BITS, watchdog_select: 0 }
    }
}

impl Resets {
    /// Returns the state after the boot ROM, which has released some blocks.
    pub(in crate::chip) fn after_boot_rom() -> Self {
        Self { reset: RESET_BITS & !RELEASED, ..Self::default() }
    }

    /// Returns RESET: the blocks that are held in reset.
    pub(in crate::chip) fn held(&self) -> u32 {
        self.reset
    }

    pub(in crate::chip) fn read(&self, offset: u32) -> Option<u32> {
        match offset {
            RESET => Some(self.reset),
            WDSEL => Some(self.watchdog_select),
            RESET_DONE => Some(!self.reset & RESET_BITS),
            _ => None,
        }
    }

    /// Writes a register. Returns the blocks whose bit in RESET is newly set.
    pub(in crate::chip) fn write(&mut self, offset: u32, value: u32) -> Option<u32> {
        let value = value & RESET_BITS;
        match offset {
            RESET => {
                let fresh = value & !self.reset;
                self.reset = value;
                return Some(fresh);
            }
            WDSEL => self.watchdog_select = value,
            RESET_DONE => {}
            _ => return None,
        }
        Some(0)
    }
}

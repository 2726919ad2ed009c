//! Pins of the chip for the LCD's bus in addition to SPI, one bit each.

pub(super) const LCD_CHIP_SELECT: u32 = 1 << 17;
pub(super) const LCD_DC: u32 = 1 << 20;

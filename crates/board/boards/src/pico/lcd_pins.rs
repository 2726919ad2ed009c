//! The pins of the chip that the LCD's bus has beside SPI: a bit each.

pub(super) const LCD_CHIP_SELECT: u32 = 1 << 17;
pub(super) const LCD_DC: u32 = 1 << 20;

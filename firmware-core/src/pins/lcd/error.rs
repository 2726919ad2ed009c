//! Why the panel could not be driven.

use embedded_hal::{digital, spi};

/// Why the panel could not be driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LcdError {
    /// The SPI bus failed.
    Spi(spi::ErrorKind),
    /// The DC, reset or backlight pin failed.
    Pin(digital::ErrorKind),
    /// The driver refused the panel's size or interface.
    Configuration,
}

/// The error of a pin as one of the LCD.
pub(super) fn pin_error(error: impl digital::Error) -> LcdError {
    LcdError::Pin(error.kind())
}

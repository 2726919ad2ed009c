//! The errors of driving the panel.

use embedded_hal::{digital, spi};

/// Error of driving the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LcdError {
    /// The SPI bus failed.
    Spi(spi::ErrorKind),
    /// The DC, reset or backlight pin failed.
    Pin(digital::ErrorKind),
    /// The driver refused the panel's size or interface.
    Configuration,
}

/// Converts a pin's error into one of the LCD.
pub(super) fn pin_error(error: impl digital::Error) -> LcdError {
    LcdError::Pin(error.kind())
}

//! A red picture on an ST7789 of 240x240 pixels, without a driver.

use embedded_hal::delay::DelayNs;

/// Initialises the controller, fills its memory and turns the display on. `send` sends a command and
/// its parameters.
pub fn fill(delay: &mut impl DelayNs, mut send: impl FnMut(u8, &[u8])) {
    delay.delay_ms(10);
    send(0x01, &[]);
    delay.delay_ms(150);
    send(0x11, &[]);
    delay.delay_ms(150);
    send(0x3A, &[0x55]);
    send(0x21, &[]);
    send(0x2A, &[0, 0, 0, 239]);
    send(0x2B, &[0, 0, 0, 239]);
    send(0x2C, &[0xF8, 0x00].repeat(240 * 240));
    send(0x29, &[]);
}

//! A display on an I2C bus: the bytes that reach its controller.

use hal_mock::{VirtualBoard, board::Terminals};
use ili9341_model::bus::{BusByte, I2cDisplay};
use rp2040_emulator::chip::I2cEvent;
use virtual_time::{Instant, Nanos};

use crate::pico::burst::Burst;

/// Largest address of seven bits.
const ADDRESS_MAX: u16 = 0x7F;

/// A display on an I2C bus.
#[derive(Clone)]
pub(super) struct DisplayDevice {
    /// Index of the bus.
    pub(super) bus: usize,
    /// Number of the display on the board.
    pub(super) number: usize,
    lcd: Terminals,
    decoder: I2cDisplay,
    /// D/C of the last byte.
    dc_high: Option<bool>,
    /// End of the last event on the bus, in nanoseconds: the start of the next byte.
    last_ns: u64,
    /// Last address that nothing has acknowledged.
    unanswered: Option<u16>,
    has_received: bool,
    burst: Burst,
}

impl DisplayDevice {
    pub(super) fn new(bus: usize, number: usize, address: u8, board: &VirtualBoard) -> Self {
        Self {
            bus,
            number,
            lcd: board.terminals().at_display(number),
            decoder: I2cDisplay::new(address),
            dc_high: None,
            last_ns: 0,
            unanswered: None,
            has_received: false,
            burst: Burst::default(),
        }
    }

    /// Returns the same device as the display of another board.
    pub(super) fn fork(&self, board: &VirtualBoard) -> Self {
        Self { lcd: board.terminals().at_display(self.number), ..self.clone() }
    }

    /// Returns the last address that nothing has acknowledged, while the display has received
    /// nothing.
    pub(super) fn unanswered(&self) -> Option<u16> {
        self.unanswered.filter(|_| !self.has_received)
    }

    /// Handles an event on the bus that ends at `ns` nanoseconds after `powered_at`.
    pub(super) fn receive(&mut self, powered_at: Instant, ns: u64, event: I2cEvent) {
        let start_ns = std::mem::replace(&mut self.last_ns, ns);
        match event {
            I2cEvent::Start { address, reading, acknowledged } => {
                if acknowledged && address <= ADDRESS_MAX {
                    self.decoder.start((address as u8) << 1 | u8::from(reading));
                } else {
                    self.decoder.stop();
                    self.unanswered = Some(address);
                }
            }
            I2cEvent::Written { byte, .. } => {
                let Some(BusByte { dc_high, byte }) = self.decoder.byte(byte) else { return };
                self.has_received = true;
                if self.dc_high.replace(dc_high) != Some(dc_high) {
                    self.burst.flush(&self.lcd);
                    self.lcd.set_lcd_dc(powered_at.saturating_add(Nanos(start_ns)), dc_high);
                }
                self.burst.extend(&self.lcd, powered_at, start_ns, ns);
                self.burst.push(byte);
            }
            I2cEvent::Read(_) => {}
            I2cEvent::Stop => self.decoder.stop(),
        }
    }

    /// Transfers the consecutive bytes to the display.
    pub(super) fn flush(&mut self) {
        self.burst.flush(&self.lcd);
    }
}

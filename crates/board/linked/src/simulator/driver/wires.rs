//! The bus of a panel: SPI with D/C, or I2C with control bytes.

use board_file::BoardFile;
use board_file::bus::Bus;
use embedded_hal::digital::OutputPin as _;
use embedded_hal::i2c::I2c as _;
use embedded_hal::spi::SpiDevice as _;
use ili9341_model::{Rule, Table};
use virtual_time::Nanos;

use crate::context;
use crate::pins::Pins;
use crate::pins::display::{CLOCK_HZ, DisplayPins};
use crate::pins::i2c::I2c;

/// Length of a reset pulse: above the minimum of each built-in table.
const PULSE: Nanos = Nanos::from_micros(20);
/// Control bytes of I2C (SSD1306, 8.1.5.2): all following bytes are commands, or data.
const COMMANDS: u8 = 0x00;
const DATA: u8 = 0x40;

/// The wires of a panel.
#[derive(Debug)]
pub(super) enum Wires {
    Spi { pins: DisplayPins, has_reset: bool },
    I2c { bus: I2c, address: u8 },
}

impl Wires {
    /// Returns the wires of a display of the board. The clock is at most that of the controller.
    pub(super) fn new(pins: &Pins, file: &BoardFile, display: usize, table: &Table) -> Self {
        let part = &file.display[display];
        let name = file.display_names().nth(display).unwrap_or_default();
        if part.bus == Bus::I2c {
            return Self::I2c { bus: pins.i2c(name), address: part.i2c_address() as u8 };
        }
        let DisplayPins { spi, dc, reset, backlight } = pins.display(name);
        let fastest = 1_000_000_000_u64.checked_div(table.limit(Rule::Clock).0);
        let hertz = fastest.map_or(CLOCK_HZ, |hertz| CLOCK_HZ.min(hertz as u32));
        let pins = DisplayPins { spi: spi.with_clock(hertz), dc, reset, backlight };
        Self::Spi { pins, has_reset: part.rst.is_some() }
    }

    /// Resets the panel by its wire. Returns whether there is one.
    pub(super) fn reset(&mut self) -> bool {
        match self {
            Self::Spi { pins, has_reset: true } => {
                let Ok(()) = pins.reset.set_low();
                context::spend(PULSE);
                let Ok(()) = pins.reset.set_high();
                true
            }
            Self::Spi { has_reset: false, .. } | Self::I2c { .. } => false,
        }
    }

    /// Sends a command with its arguments. Those of controllers on I2C are commands themselves, as
    /// those of the family `pages` are on SPI.
    pub(super) fn command(&mut self, code: u8, arguments: &[u8], has_data: bool) {
        match self {
            Self::Spi { pins, .. } => {
                let Ok(()) = pins.dc.set_low();
                let Ok(()) = pins.spi.write(&[code]);
                if has_data && !arguments.is_empty() {
                    let Ok(()) = pins.dc.set_high();
                }
                let Ok(()) = pins.spi.write(arguments);
            }
            Self::I2c { .. } => self.send(COMMANDS, &[&[code], arguments].concat()),
        }
    }

    /// Sends data.
    pub(super) fn data(&mut self, bytes: &[u8]) {
        match self {
            Self::Spi { pins, .. } => {
                let Ok(()) = pins.dc.set_high();
                let Ok(()) = pins.spi.write(bytes);
            }
            Self::I2c { .. } => self.send(DATA, bytes),
        }
    }

    fn send(&mut self, control: u8, bytes: &[u8]) {
        if let Self::I2c { bus, address } = self {
            // The display of the board file acknowledges its address.
            let _ = bus.write(*address, &[&[control], bytes].concat());
        }
    }

    /// Turns the backlight on.
    pub(super) fn light(&mut self) {
        if let Self::Spi { pins, .. } = self {
            let Ok(()) = pins.backlight.set_high();
        }
    }
}

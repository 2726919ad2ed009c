//! The wires of a display on the bus `spi4`.

use board_file::BoardFile;
use board_file::parts::Level;
use embedded_hal::pwm::{self, SetDutyCycle};
use embedded_hal::spi::{self, Operation, SpiDevice};

use super::output::output_pins;
use super::transfer;
use crate::clock::Never;
use crate::context;

/// Clock of a display's SPI unless the firmware sets another one: the fastest that an SPI controller
/// makes of 125 MHz for panels of up to 40 MHz.
pub(crate) const CLOCK_HZ: u32 = 31_250_000;

/// The wires of a display.
#[derive(Debug)]
pub struct DisplayPins {
    /// The SPI with the display's chip select.
    pub spi: DisplaySpi,
    /// Data or command.
    pub dc: DataCommand,
    pub reset: Reset,
    pub backlight: Backlight,
}

impl DisplayPins {
    pub(crate) fn new(file: &BoardFile, display: usize) -> Self {
        Self {
            spi: DisplaySpi { display, hertz: CLOCK_HZ },
            dc: DataCommand::new(display),
            reset: Reset::new(file, display),
            backlight: Backlight::new(file, display),
        }
    }
}

/// The SPI device of a display.
#[derive(Debug)]
pub struct DisplaySpi {
    display: usize,
    hertz: u32,
}

impl DisplaySpi {
    /// Returns the device with another clock in hertz; 0 counts as 1.
    #[must_use]
    pub fn with_clock(self, hertz: u32) -> Self {
        Self { hertz: hertz.max(1), ..self }
    }

    fn send_all(&self, bytes: &[u8]) {
        transfer::in_pieces(bytes.len(), 8, self.hertz, |terminals, start, end, piece| {
            terminals.at_display(self.display).lcd_write(start, end, &bytes[piece]);
        });
    }

    fn exchange(&self, bytes: &mut [u8]) {
        transfer::in_pieces(bytes.len(), 8, self.hertz, |terminals, start, end, piece| {
            terminals.at_display(self.display).lcd_exchange(start, end, &mut bytes[piece]);
        });
    }
}

impl spi::ErrorType for DisplaySpi {
    type Error = Never;
}

impl SpiDevice for DisplaySpi {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Never> {
        transfer::execute(operations, |bytes| self.send_all(bytes), |bytes| self.exchange(bytes));
        Ok(())
    }
}

/// The same transfers; the firmware is busy while they take place.
impl embedded_hal_async::spi::SpiDevice for DisplaySpi {
    async fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Never> {
        SpiDevice::transaction(self, operations)
    }
}

/// The wire D/C: low while a command is sent.
#[derive(Debug)]
pub struct DataCommand(usize);

/// The wire RESX: low resets the display. Without a wire in the board file the pin has no effect.
#[derive(Debug)]
pub struct Reset {
    display: usize,
    is_wired: bool,
}

/// The wire of the backlight. Its PWM dims it: any duty cycle above 0 is on.
#[derive(Debug)]
pub struct Backlight {
    display: usize,
    /// Level with which the backlight is on.
    on: Level,
}

impl Backlight {
    pub(super) fn new(file: &BoardFile, display: usize) -> Self {
        Self { display, on: file.display[display].backlight_active }
    }

    fn set(&self, level: Level) {
        let is_on = level == self.on;
        context::terminals(|terminals, at| {
            terminals.at_display(self.display).set_backlight(at, is_on);
        });
    }
}

impl DataCommand {
    pub(super) fn new(display: usize) -> Self {
        Self(display)
    }

    fn set(&self, level: Level) {
        context::terminals(|terminals, at| {
            terminals.at_display(self.0).set_lcd_dc(at, level == Level::High);
        });
    }
}

impl Reset {
    pub(super) fn new(file: &BoardFile, display: usize) -> Self {
        Self { display, is_wired: file.display[display].rst.is_some() }
    }

    fn set(&self, level: Level) {
        if self.is_wired {
            context::terminals(|terminals, at| {
                terminals.at_display(self.display).set_lcd_reset(at, level == Level::High);
            });
        }
    }
}

output_pins!(DataCommand, Reset, Backlight);

impl pwm::ErrorType for Backlight {
    type Error = Never;
}

impl SetDutyCycle for Backlight {
    fn max_duty_cycle(&self) -> u16 {
        u16::MAX
    }

    fn set_duty_cycle(&mut self, duty: u16) -> Result<(), Never> {
        let is_high = match self.on {
            Level::High => duty > 0,
            Level::Low => duty == u16::MAX,
        };
        self.set(if is_high { Level::High } else { Level::Low });
        Ok(())
    }
}

//! The wires of a display on the bus `spi3`: words of nine bits, the first of which is D/CX (ILI9341
//! datasheet, 7.1.9).

use board_file::BoardFile;
use embedded_hal::spi::{self, Operation, SpiDevice};

use super::display::{Backlight, CLOCK_HZ, Reset};
use super::transfer;
use crate::clock::Never;

/// Bits of a word.
const WORD_BITS: u64 = 9;
/// The bit of a word that is high for data and low for a command.
const DATA: u16 = 1 << 8;

/// The wires of a display whose SPI has words of nine bits.
#[derive(Debug)]
pub struct NineBitPins {
    /// The SPI with the display's chip select. Bit 8 of a word is D/CX, the others are the byte.
    pub spi: NineBitSpi,
    pub reset: Reset,
    pub backlight: Backlight,
}

impl NineBitPins {
    pub(crate) fn new(file: &BoardFile, display: usize) -> Self {
        Self {
            spi: NineBitSpi { display, hertz: CLOCK_HZ },
            reset: Reset::new(file, display),
            backlight: Backlight::new(file, display),
        }
    }
}

/// The SPI device of a display, with words of nine bits. It reads zeros.
#[derive(Debug)]
pub struct NineBitSpi {
    display: usize,
    hertz: u32,
}

impl NineBitSpi {
    /// Returns the device with another clock in hertz; 0 counts as 1.
    #[must_use]
    pub fn with_clock(self, hertz: u32) -> Self {
        Self { hertz: hertz.max(1), ..self }
    }

    fn send(&self, words: &[u16]) {
        // Commands and data alternate; D/CX is constant within a run.
        for run in words.chunk_by(|one, next| (one ^ next) & DATA == 0) {
            let is_data = run.first().is_some_and(|word| word & DATA != 0);
            let bytes: Vec<u8> = run.iter().map(|word| word.to_be_bytes()[1]).collect();
            transfer::in_pieces(
                bytes.len(),
                WORD_BITS,
                self.hertz,
                |terminals, start, end, piece| {
                    let lcd = terminals.at_display(self.display);
                    lcd.set_lcd_dc(start, is_data);
                    lcd.lcd_write(start, end, &bytes[piece]);
                },
            );
        }
    }
}

impl spi::ErrorType for NineBitSpi {
    type Error = Never;
}

impl SpiDevice<u16> for NineBitSpi {
    fn transaction(&mut self, operations: &mut [Operation<'_, u16>]) -> Result<(), Never> {
        transfer::execute(
            operations,
            |words| self.send(words),
            |words| {
                self.send(words);
                words.fill(0);
            },
        );
        Ok(())
    }
}

/// The same transfers; the firmware is busy while they take place.
impl embedded_hal_async::spi::SpiDevice<u16> for NineBitSpi {
    async fn transaction(&mut self, operations: &mut [Operation<'_, u16>]) -> Result<(), Never> {
        SpiDevice::transaction(self, operations)
    }
}

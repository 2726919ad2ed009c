//! The wires of SPI flashes and SD cards.

use board_file::BoardFile;
use embedded_hal::spi::{self, Operation, SpiDevice};

use super::contact::InputPin;
use super::transfer;
use crate::clock::Never;
use crate::context;

/// Clock of a memory's SPI unless the firmware sets another one: the fastest of an SPI controller below
/// the 25 MHz of a card.
const CLOCK_HZ: u32 = 20_833_333;

/// The wires of the slot of an SD card.
#[derive(Debug)]
pub struct SdCardPins {
    /// The SPI with the card's chip select.
    pub spi: MemorySpi,
    /// Contact of the slot: low while a card is inserted. `None` without a wire in the board file.
    pub detect: Option<InputPin>,
}

/// The SPI device of an SPI flash or an SD card.
#[derive(Debug)]
pub struct MemorySpi {
    /// Number among the memories of the board.
    number: usize,
    hertz: u32,
    /// Byte that is read while the memory drives nothing.
    open: u8,
}

impl MemorySpi {
    /// Returns the device of a memory: of an SPI flash, or with a number after those of all flashes, of
    /// an SD card.
    pub(crate) fn new(file: &BoardFile, number: usize) -> Self {
        let bus = |number: usize| match number.checked_sub(file.spi_flash.len()) {
            None => file.spi_flash.get(number).map(|part| (part.sck, part.mosi, part.miso)),
            Some(card) => file.sd_card.get(card).map(|part| (part.sck, part.mosi, part.miso)),
        };
        // The board pulls MISO of a slot up.
        let slots = (0..file.sd_card.len()).map(|card| bus(file.spi_flash.len() + card));
        let is_pulled_up = slots.into_iter().any(|slot| slot == bus(number));
        Self { number, hertz: CLOCK_HZ, open: if is_pulled_up { 0xFF } else { 0 } }
    }

    /// Returns the device with another clock in hertz; 0 counts as 1.
    #[must_use]
    pub fn with_clock(self, hertz: u32) -> Self {
        Self { hertz: hertz.max(1), ..self }
    }

    /// Sends bytes and replaces them by those that the memory answers, without a chip select. Firmware in Rust
    /// has [`SpiDevice`].
    #[doc(hidden)]
    pub fn exchange(&self, bytes: &mut [u8]) {
        transfer::in_pieces(bytes.len(), 8, self.hertz, |terminals, start, end, piece| {
            terminals.exchange_with_memory(start, end, self.number, &mut bytes[piece], self.open);
        });
    }

    /// Gives the chip select its level: low if `is_selected`.
    #[doc(hidden)]
    pub fn select(&self, is_selected: bool) {
        context::terminals(|terminals, at| terminals.select_memory(at, self.number, is_selected));
    }
}

impl spi::ErrorType for MemorySpi {
    type Error = Never;
}

impl SpiDevice for MemorySpi {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Never> {
        self.select(true);
        transfer::execute(
            operations,
            |bytes| self.exchange(&mut bytes.to_vec()),
            |bytes| self.exchange(bytes),
        );
        self.select(false);
        Ok(())
    }
}

/// The same transfers; the firmware is busy while they take place.
impl embedded_hal_async::spi::SpiDevice for MemorySpi {
    async fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Never> {
        SpiDevice::transaction(self, operations)
    }
}

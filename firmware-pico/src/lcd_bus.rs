//! SPI0 at the full speed of its clock.
//!
//! The HAL's own blocking write waits for each byte to be received before it sends the next, which
//! takes more time than the byte itself. The received bytes are not used, so this implementation
//! keeps the transmit FIFO filled instead.

use core::convert::Infallible;

use embedded_hal::spi::{ErrorType, SpiBus};
use embedded_hal_nb::spi::FullDuplex;
use rp2040_hal::Spi;
use rp2040_hal::pac::SPI0;
use rp2040_hal::spi::{Enabled, ValidSpiPinout};

/// Maximum number of words in the receive FIFO.
const FIFO: usize = 8;

/// SPI0, eight bits a word.
pub struct LcdBus<P: ValidSpiPinout<SPI0>>(pub Spi<Enabled, SPI0, P, 8>);

impl<P: ValidSpiPinout<SPI0>> ErrorType for LcdBus<P> {
    type Error = Infallible;
}

impl<P: ValidSpiPinout<SPI0>> SpiBus for LcdBus<P> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        for &byte in bytes {
            // Refused only while the FIFO is full, that is for eight bytes at most.
            while FullDuplex::write(&mut self.0, byte).is_err() {}
        }
        Ok(())
    }

    fn read(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        SpiBus::read(&mut self.0, bytes)
    }

    fn transfer(&mut self, read: &mut [u8], write: &[u8]) -> Result<(), Infallible> {
        SpiBus::transfer(&mut self.0, read, write)
    }

    fn transfer_in_place(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        SpiBus::transfer_in_place(&mut self.0, bytes)
    }

    /// Waits for the last bit, and discards the received bytes, so that a following read begins
    /// with its own words.
    fn flush(&mut self) -> Result<(), Infallible> {
        while self.0.is_busy() {}
        for _ in 0..FIFO {
            let _ = FullDuplex::read(&mut self.0);
        }
        Ok(())
    }
}

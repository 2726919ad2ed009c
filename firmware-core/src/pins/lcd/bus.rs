//! mipidsi's view of the four-wire SPI bus: one buffer, no empty writes.
//!
//! mipidsi's own interface borrows its buffer, which is impossible for a firmware that owns its
//! panel; this one owns the bytes.

use embedded_hal::digital::OutputPin;
use embedded_hal::spi::{Error as _, SpiDevice};
use mipidsi::interface::{Interface, InterfaceKind};

use super::error::{LcdError, pin_error};

/// Number of bytes in one SPI write: 256 pixels.
const BUFFER: usize = 512;

pub(super) struct Bus<SPI, DC> {
    spi: SPI,
    dc: DC,
    buffer: [u8; BUFFER],
}

impl<SPI: SpiDevice, DC: OutputPin> Bus<SPI, DC> {
    pub(super) fn new(spi: SPI, dc: DC) -> Self {
        Self { spi, dc, buffer: [0; BUFFER] }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), LcdError> {
        self.spi.write(bytes).map_err(|error| LcdError::Spi(error.kind()))
    }

    fn write_buffer(&mut self, filled: usize) -> Result<(), LcdError> {
        self.spi.write(&self.buffer[..filled]).map_err(|error| LcdError::Spi(error.kind()))
    }
}

impl<SPI: SpiDevice, DC: OutputPin> Interface for Bus<SPI, DC> {
    type Word = u8;
    type Error = LcdError;

    const KIND: InterfaceKind = InterfaceKind::Serial4Line;

    fn send_command(&mut self, command: u8, parameters: &[u8]) -> Result<(), LcdError> {
        self.dc.set_low().map_err(pin_error)?;
        self.write(&[command])?;
        self.dc.set_high().map_err(pin_error)?;
        if !parameters.is_empty() {
            self.write(parameters)?;
        }
        Ok(())
    }

    fn send_pixels<const N: usize>(
        &mut self,
        pixels: impl IntoIterator<Item = [u8; N]>,
    ) -> Result<(), LcdError> {
        let mut pixels = pixels.into_iter();
        loop {
            let mut filled = 0;
            // The buffer is first in the zip, so that no pixel is taken from the iterator without a
            // place for it.
            for (place, pixel) in self.buffer.as_chunks_mut().0.iter_mut().zip(&mut pixels) {
                *place = pixel;
                filled += N;
            }
            if filled == 0 {
                return Ok(());
            }
            self.write_buffer(filled)?;
        }
    }

    fn send_repeated_pixel<const N: usize>(
        &mut self,
        pixel: [u8; N],
        count: u32,
    ) -> Result<(), LcdError> {
        let mut left = count as usize * N;
        // Fills the part of the buffer that is sent, once.
        for place in self.buffer.as_chunks_mut().0.iter_mut().take(count as usize) {
            *place = pixel;
        }
        while left > 0 {
            let filled = left.min(BUFFER / N * N);
            self.write_buffer(filled)?;
            left -= filled;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use core::convert::Infallible;
    use std::vec::Vec;

    use embedded_hal::digital;
    use embedded_hal::spi::{self, Operation};

    use super::*;

    /// Records the bytes of each write.
    #[derive(Default)]
    struct Wire(Vec<Vec<u8>>);

    impl spi::ErrorType for Wire {
        type Error = Infallible;
    }

    impl SpiDevice for Wire {
        fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
            for operation in operations {
                let Operation::Write(bytes) = operation else { panic!("only writes") };
                self.0.push(bytes.to_vec());
            }
            Ok(())
        }
    }

    struct Pin;

    impl digital::ErrorType for Pin {
        type Error = Infallible;
    }

    impl OutputPin for Pin {
        fn set_low(&mut self) -> Result<(), Infallible> {
            Ok(())
        }

        fn set_high(&mut self) -> Result<(), Infallible> {
            Ok(())
        }
    }

    #[test]
    fn a_colour_is_sent_in_as_few_writes_as_the_buffer_allows() {
        let mut bus = Bus::new(Wire::default(), Pin);
        assert!(bus.send_repeated_pixel([0xAB, 0xCD], 1_000).is_ok());
        let lengths: Vec<usize> = bus.spi.0.iter().map(Vec::len).collect();
        assert_eq!(lengths, [512, 512, 512, 464]);
        assert!(bus.spi.0.concat().chunks(2).all(|pixel| pixel == [0xAB, 0xCD]));
    }
}

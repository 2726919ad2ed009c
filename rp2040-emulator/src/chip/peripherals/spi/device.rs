//! A device at the other end of an SPI controller's wires.

use std::fmt;

use super::word::SpiWord;

/// Answer of a device: the word on RX during a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpiAnswer {
    /// These bits, the last one lowest.
    Word(u16),
    /// The device is not selected, and drives nothing.
    Nothing,
    /// The caller of the chip provides the word before the frame ends:
    /// [`Chip::run`](crate::chip::Chip::run) returns,
    /// [`Chip::unanswered_spi_frame`](crate::chip::Chip::unanswered_spi_frame) has the frame, and
    /// [`Chip::answer_spi`](crate::chip::Chip::answer_spi) takes the word.
    Caller,
}

/// A device on an SPI bus.
pub trait SpiDevice: fmt::Debug + Send + Sync {
    /// Answers a frame that begins. `levels` are those of all pins; bit n is GPIO n. Chip select is
    /// one of them.
    fn exchange(&mut self, frame: SpiWord, levels: u32) -> SpiAnswer;

    /// Clones the device, for a clone of the chip.
    fn boxed_clone(&self) -> Box<dyn SpiDevice>;
}

impl Clone for Box<dyn SpiDevice> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

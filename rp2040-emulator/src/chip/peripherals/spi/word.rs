//! A frame of an SPI controller.

/// A frame that has left an SPI controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpiWord {
    /// Nanoseconds since power-on: the beginning of its first bit.
    pub start_ns: u64,
    /// Nanoseconds since power-on: the end of its last bit.
    pub ns: u64,
    /// Its bits, the last one lowest.
    pub word: u16,
    /// What the controller has read meanwhile; 0 until the frame has ended.
    pub received: u16,
    /// The number of bits: 4 to 16.
    pub bits: u8,
}

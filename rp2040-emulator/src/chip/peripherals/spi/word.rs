//! A frame of an SPI controller.

/// A frame that has left an SPI controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpiWord {
    /// Start of its first bit, in nanoseconds since power-on.
    pub start_ns: u64,
    /// End of its last bit, in nanoseconds since power-on.
    pub ns: u64,
    /// Bits of the frame, the last one lowest.
    pub word: u16,
    /// Word that the controller has received in the frame; 0 until the frame has ended.
    pub received: u16,
    /// Number of bits: 4 to 16.
    pub bits: u8,
}

//! Changes of the flash, as reported to the caller.

/// A change of the flash by a ROM function. Offsets count from the beginning of the flash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlashChange {
    /// Whole sectors have been erased.
    Erase {
        /// Offset of the first byte.
        offset: u32,
        /// Number of bytes.
        length: u32,
    },
    /// A page has been programmed.
    Program {
        /// Offset of the first byte.
        offset: u32,
        /// Data to program: a set bit leaves the bit in the flash unchanged.
        bytes: Vec<u8>,
    },
}

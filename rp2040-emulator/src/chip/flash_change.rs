//! Changes of the flash, as the caller sees them.

/// A change of the flash by a function of the ROM. Offsets count from the beginning of the flash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlashChange {
    /// Whole sectors have been erased.
    Erase {
        /// The offset of the first byte.
        offset: u32,
        /// The number of bytes.
        length: u32,
    },
    /// A page has been programmed.
    Program {
        /// The offset of the first byte.
        offset: u32,
        /// The data to program: a set bit leaves the bit in the flash as it is.
        bytes: Vec<u8>,
    },
}

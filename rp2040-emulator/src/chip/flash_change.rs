//! Changes of the flash, as the caller sees them.

/// What a function of the ROM has done to the flash. Addresses count from its beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlashChange {
    /// Whole sectors have been erased.
    Erase {
        /// Of the first byte.
        offset: u32,
        /// How many bytes.
        length: u32,
    },
    /// A page has been programmed.
    Program {
        /// Of the first byte.
        offset: u32,
        /// What was to be programmed: bits that are set left what was there.
        bytes: Vec<u8>,
    },
}

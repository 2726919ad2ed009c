//! One change of the flash, which can be recorded and repeated.

use super::geometry::SECTOR_SIZE;

/// A program, or the erasure of one sector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlashOperation {
    /// One call of [`FlashChip::program`](super::FlashChip::program).
    Program {
        /// Address of the first byte.
        at: u32,
        /// Bytes to program.
        bytes: Vec<u8>,
    },
    /// One sector of a call of [`FlashChip::erase`](super::FlashChip::erase).
    Erase {
        /// Address of the sector's first byte.
        at: u32,
    },
}

impl FlashOperation {
    /// Returns the address of the first byte that the operation may change.
    pub const fn at(&self) -> u32 {
        match self {
            Self::Program { at, .. } | Self::Erase { at } => *at,
        }
    }

    /// Returns how many bytes the operation may change, as
    /// [`FlashChip::cut_after`](super::FlashChip::cut_after) counts them.
    pub const fn bytes(&self) -> usize {
        match self {
            Self::Program { bytes, .. } => bytes.len(),
            Self::Erase { .. } => SECTOR_SIZE,
        }
    }

    /// Returns whether the operation is an erasure.
    pub const fn is_erase(&self) -> bool {
        matches!(self, Self::Erase { .. })
    }
}

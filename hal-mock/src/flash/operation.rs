//! One change of the flash, to be written down and done again.

use super::geometry::SECTOR_SIZE;

/// A program, or the erasure of one sector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlashOperation {
    /// What [`FlashChip::program`](super::FlashChip::program) was asked for.
    Program {
        /// The first byte.
        at: u32,
        /// What to program there.
        bytes: Vec<u8>,
    },
    /// One sector of what [`FlashChip::erase`](super::FlashChip::erase) was asked for.
    Erase {
        /// Its first byte.
        at: u32,
    },
}

impl FlashOperation {
    /// The first byte that it may change.
    pub const fn at(&self) -> u32 {
        match self {
            Self::Program { at, .. } | Self::Erase { at } => *at,
        }
    }

    /// How many bytes it may change, as [`FlashChip::cut_after`](super::FlashChip::cut_after) counts them.
    pub const fn bytes(&self) -> usize {
        match self {
            Self::Program { bytes, .. } => bytes.len(),
            Self::Erase { .. } => SECTOR_SIZE,
        }
    }

    /// Whether it erases.
    pub const fn is_erase(&self) -> bool {
        matches!(self, Self::Erase { .. })
    }
}

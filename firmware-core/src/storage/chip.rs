//! A flash in memory for unit tests. This module knows no board and no time.

extern crate std;

use std::vec;
use std::vec::Vec;

use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash,
};

use super::layout::{FLASH_BYTES, SECTOR_BYTES};

/// Flash in memory: programming only clears bits, until a sector is erased.
pub(crate) struct Chip(pub(crate) Vec<u8>);

impl Chip {
    pub(crate) fn factory_new() -> Self {
        Self(vec![0xFF; FLASH_BYTES as usize])
    }
}

#[derive(Debug)]
pub(crate) struct NoError;

impl NorFlashError for NoError {
    fn kind(&self) -> NorFlashErrorKind {
        NorFlashErrorKind::Other
    }
}

impl ErrorType for Chip {
    type Error = NoError;
}

impl ReadNorFlash for Chip {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NoError> {
        bytes.copy_from_slice(&self.0[offset as usize..][..bytes.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.0.len()
    }
}

impl NorFlash for Chip {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = SECTOR_BYTES as usize;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), NoError> {
        self.0[from as usize..to as usize].fill(0xFF);
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NoError> {
        for (cell, byte) in self.0[offset as usize..].iter_mut().zip(bytes) {
            *cell &= byte;
        }
        Ok(())
    }
}

/// A flash that counts reads and erases.
pub(crate) struct Counted {
    pub(crate) chip: Chip,
    /// Number of bytes read.
    pub(crate) bytes: usize,
    /// Number of read calls.
    pub(crate) reads: usize,
    /// Addresses of the erased sectors, in order.
    pub(crate) erased: Vec<u32>,
}

impl Counted {
    pub(crate) fn new(chip: Chip) -> Self {
        Self { chip, bytes: 0, reads: 0, erased: Vec::new() }
    }
}

impl ErrorType for Counted {
    type Error = NoError;
}

impl ReadNorFlash for Counted {
    const READ_SIZE: usize = Chip::READ_SIZE;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NoError> {
        self.bytes += bytes.len();
        self.reads += 1;
        self.chip.read(offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.chip.capacity()
    }
}

impl NorFlash for Counted {
    const WRITE_SIZE: usize = Chip::WRITE_SIZE;
    const ERASE_SIZE: usize = Chip::ERASE_SIZE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), NoError> {
        self.erased.push(from);
        self.chip.erase(from, to)
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NoError> {
        self.chip.write(offset, bytes)
    }
}

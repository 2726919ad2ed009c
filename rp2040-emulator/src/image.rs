//! Programs as files: ELF, UF2, Intel HEX, and raw images of the flash.
//!
//! [`Image::parse`] recognises ELF, UF2 and HEX by their first bytes; a raw image has no signature
//! and is read by [`Image::from_bin`]. An image contains bytes with addresses and the names of
//! functions. The module does not check whether it boots.

use crate::cpu::memory::{FLASH_BASE, MAX_FLASH_SIZE, RAM_BASE, RAM_SIZE};

mod elf;
mod error;
mod hex;
mod segment;
mod symbols;
mod uf2;

pub use error::{ElfError, ElfMachine, HexError, ImageError, Uf2Error};
pub use segment::Segment;
pub use symbols::Symbols;

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Image {
    /// Segments in the order of the file.
    pub segments: Vec<Segment>,
    /// Entry of an ELF file, with the Thumb bit; the other formats have none.
    pub entry: Option<u32>,
    /// Names of functions; only ELF files have them.
    pub symbols: Symbols,
}

impl Image {
    /// Reads an ELF, a UF2 or an Intel HEX file.
    ///
    /// # Errors
    /// Returns an [`ImageError`] if the file is none of them, or not for the RP2040.
    pub fn parse(file: &[u8]) -> Result<Self, ImageError> {
        let image = match file {
            [0x7F, b'E', b'L', b'F', ..] => {
                let elf::Parsed { segments, entry, symbols, places } = elf::parse(file)?;
                return Self { segments, entry: Some(entry), symbols }.checked(&places);
            }
            _ if uf2::recognises(file) => Self { segments: uf2::parse(file)?, ..Self::default() },
            _ if hex::recognises(file) => Self { segments: hex::parse(file)?, ..Self::default() },
            _ => return Err(ImageError::Unknown),
        };
        image.checked(&[])
    }

    /// Uses `bytes` as the contents of the flash from its beginning on.
    ///
    /// # Errors
    /// Returns an [`ImageError`] if there are no bytes, or more than 16 MiB.
    pub fn from_bin(bytes: &[u8]) -> Result<Self, ImageError> {
        let segments = vec![Segment { address: FLASH_BASE, bytes: bytes.to_vec() }];
        Self { segments, ..Self::default() }.checked(&[])
    }

    /// Checks addresses and entry. `places` are addresses and lengths of the segments while the
    /// program runs: a program that the second stage copies to RAM has its entry there.
    fn checked(mut self, places: &[(u32, u32)]) -> Result<Self, ImageError> {
        self.segments.retain(|segment| !segment.bytes.is_empty());
        if self.segments.is_empty() {
            return Err(ImageError::Empty);
        }
        for Segment { address, bytes } in &self.segments {
            let fits = |base: u32, size: usize| {
                let offset = address.wrapping_sub(base) as usize;
                offset < size && bytes.len() <= size - offset
            };
            if !fits(FLASH_BASE, MAX_FLASH_SIZE) && !fits(RAM_BASE, RAM_SIZE) {
                return Err(ImageError::OutsideMemory(*address, bytes.len()));
            }
        }
        match self.entry {
            Some(entry) if entry & 1 == 0 || !self.loads(entry) && !has(places, entry) => {
                Err(ImageError::WrongEntry(entry))
            }
            _ => Ok(self),
        }
    }

    fn loads(&self, address: u32) -> bool {
        self.segments.iter().any(|Segment { address: first, bytes }| {
            (address.wrapping_sub(*first) as usize) < bytes.len()
        })
    }
}

/// Returns whether `address` is in one of these places, each with its address and length.
fn has(places: &[(u32, u32)], address: u32) -> bool {
    places.iter().any(|(first, length)| address.wrapping_sub(*first) < *length)
}

#[cfg(test)]
mod tests;

//! Programs as files: ELF, UF2, and raw images of the flash.
//!
//! [`Image::parse`] recognises the first two by their first bytes; a raw image looks like nothing
//! in particular, so it is [`Image::from_bin`]. An image is only bytes with addresses and the
//! names of functions: whether it boots is the chip's business.

use std::fmt;

use crate::memory::{FLASH_BASE, MAX_FLASH_SIZE, RAM_BASE, RAM_SIZE};

mod elf;
mod symbols;
mod uf2;

pub use symbols::Symbols;

/// Bytes of a program and where they belong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Of the first byte.
    pub address: u32,
    /// As they are in the file.
    pub bytes: Vec<u8>,
}

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Image {
    /// In the order of the file.
    pub segments: Vec<Segment>,
    /// Where an ELF says that it begins, with the Thumb bit; the others do not say.
    pub entry: Option<u32>,
    /// The names of functions; only ELF files have any.
    pub symbols: Symbols,
}

/// Why a file is not a program for the RP2040.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImageError {
    /// Neither ELF nor UF2.
    Unknown,
    /// Begins as an ELF file does, but is none, for this reason.
    BrokenElf(String),
    /// An ELF file for another machine: what it is for.
    OtherMachine(String),
    /// A UF2 block is not right: its number and what is wrong with it.
    BrokenUf2(usize, &'static str),
    /// A UF2 file for another family of chips.
    OtherFamily(u32),
    /// Has nothing to load.
    Empty,
    /// Has bytes where the RP2040 has neither flash nor RAM: from here, so many.
    OutsideMemory(u32, usize),
    /// Begins where nothing is loaded, or at an address that is not Thumb code.
    WrongEntry(u32),
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str(
                "this is neither an ELF nor a UF2 file; a raw image of the flash must be named as \
                 such",
            ),
            Self::BrokenElf(why) => write!(f, "this ELF file cannot be read: {why}"),
            Self::OtherMachine(machine) => {
                write!(f, "this ELF file is for {machine}, the RP2040 needs 32-bit ARM")
            }
            Self::BrokenUf2(block, why) => write!(f, "block {block} of this UF2 file {why}"),
            Self::OtherFamily(family) => {
                write!(f, "this UF2 file is for family 0x{family:08x}, the RP2040 is 0xe48bff56")
            }
            Self::Empty => f.write_str("this file has nothing to load"),
            Self::OutsideMemory(address, size) => write!(
                f,
                "{size} bytes at 0x{address:08x} are neither in the flash (from 0x10000000, at \
                 most 16 MiB) nor in the RAM (0x20000000 to 0x20041fff)"
            ),
            Self::WrongEntry(entry) => write!(
                f,
                "the entry 0x{entry:08x} is not the address of Thumb code that this file loads"
            ),
        }
    }
}

impl std::error::Error for ImageError {}

impl Image {
    /// Reads an ELF or a UF2 file.
    ///
    /// # Errors
    /// [`ImageError`], if it is neither, or not for the RP2040.
    pub fn parse(file: &[u8]) -> Result<Self, ImageError> {
        let image = match file {
            [0x7F, b'E', b'L', b'F', ..] => elf::parse(file)?,
            _ if uf2::recognises(file) => uf2::parse(file)?,
            _ => return Err(ImageError::Unknown),
        };
        image.checked()
    }

    /// Takes `bytes` as what the flash holds from its beginning on.
    ///
    /// # Errors
    /// [`ImageError`], if there are none, or more than the flash can have.
    pub fn from_bin(bytes: &[u8]) -> Result<Self, ImageError> {
        let segments = vec![Segment { address: FLASH_BASE, bytes: bytes.to_vec() }];
        Self { segments, ..Self::default() }.checked()
    }

    fn checked(mut self) -> Result<Self, ImageError> {
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
            Some(entry) if entry & 1 == 0 || !self.loads(entry) => {
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

#[cfg(test)]
mod tests;

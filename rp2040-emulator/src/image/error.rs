//! Why a file is not a program for the RP2040.

use std::fmt;

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

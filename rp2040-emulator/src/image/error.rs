//! Reasons why a file is not a program for the RP2040.

use std::fmt;

/// A reason why a file is not a program for the RP2040.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// The file is neither ELF nor UF2 nor Intel HEX.
    #[error(
        "this is neither an ELF nor a UF2 nor a HEX file; a raw image of the flash must be named \
         as such"
    )]
    Unknown,
    /// The file begins as an ELF file does, but cannot be read.
    #[error("this ELF file cannot be read: {0}")]
    BrokenElf(#[source] ElfError),
    /// The file is an ELF file for another machine.
    #[error("this ELF file is for {0}, the RP2040 needs 32-bit ARM")]
    OtherMachine(ElfMachine),
    /// A UF2 block cannot be read: its number from 0, and the reason.
    #[error("block {0} of this UF2 file {1}")]
    BrokenUf2(usize, #[source] Uf2Error),
    /// A line of an Intel HEX file cannot be read: its number from 1, or 0 for the end of the file,
    /// and the reason.
    #[error("line {0} of this HEX file {1}")]
    BrokenHex(usize, #[source] HexError),
    /// The file is a UF2 file for another family of chips.
    #[error("this UF2 file is for family 0x{0:08x}, the RP2040 is 0xe48bff56")]
    OtherFamily(u32),
    /// The file does not have one of its blocks.
    #[error(
        "block {number} of the {count} of this UF2 file is missing; the chip would wait for it, so \
         write or copy the file again"
    )]
    MissingBlock {
        /// Number of the first block that is missing, from 0.
        number: u32,
        /// Number of blocks that the others name.
        count: u32,
    },
    /// The file has nothing to load.
    #[error("this file has nothing to load")]
    Empty,
    /// The file has bytes where the RP2040 has neither flash nor RAM: the first address, and their
    /// number.
    #[error(
        "{1} bytes at 0x{0:08x} are neither in the flash (from 0x10000000, at most 16 MiB) nor in \
         the RAM (0x20000000 to 0x20041fff)"
    )]
    OutsideMemory(u32, usize),
    /// The entry is not loaded, or its address is not that of Thumb code.
    #[error("the entry 0x{0:08x} is not the address of Thumb code that this file loads")]
    WrongEntry(u32),
}

/// A reason why an ELF file cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ElfError {
    /// The header is incomplete.
    #[error("it ends within its header")]
    ShortHeader,
    /// A segment's bytes are incomplete.
    #[error("a segment is longer than the file")]
    ShortSegment,
    /// The parser refuses the file.
    #[error(transparent)]
    Parser(#[from] object::Error),
}

/// A machine other than the RP2040, as named in the header of an ELF file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElfMachine {
    /// Any machine of 64 bits.
    Bits64,
    /// Any big-endian machine.
    BigEndian,
    /// RISC-V.
    RiscV,
    /// Intel's 80386 and its successors.
    X86,
    /// Tensilica's Xtensa.
    Xtensa,
    /// Another machine, by its number (`e_machine`).
    Other(u16),
}

impl fmt::Display for ElfMachine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bits64 => f.write_str("a 64-bit machine"),
            Self::BigEndian => f.write_str("a big-endian machine"),
            Self::RiscV => f.write_str("RISC-V"),
            Self::X86 => f.write_str("x86"),
            Self::Xtensa => f.write_str("Xtensa"),
            Self::Other(number) => write!(f, "machine {number}"),
        }
    }
}

/// A reason why a line of an Intel HEX file is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HexError {
    /// The file is not text.
    #[error("is no text")]
    NoText,
    /// The line contains no record.
    #[error("has no record")]
    NoRecord,
    /// The parser refuses the record.
    #[error("cannot be read: {0}")]
    Record(ihex::ReaderError),
    /// A record follows the record that ends the file.
    #[error("follows the end of the file's data")]
    AfterEnd,
    /// There are more bytes than in the largest flash.
    #[error("has more than 16 MiB before it")]
    TooLong,
    /// The record that ends the file is missing.
    #[error("should end the file, and is missing")]
    NoEnd,
}

/// A reason why a block of a UF2 file is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Uf2Error {
    /// The block has fewer than 512 bytes.
    #[error("is cut short")]
    Short,
    /// The block does not begin and end with the format's magic numbers.
    #[error("lacks its magic numbers")]
    NoMagic,
    /// The length field exceeds the size of a block's data.
    #[error("says that it has more than 476 bytes")]
    TooLong,
}

//! A replacement of the boot ROM: its tables and function codes are where programs expect them
//! (datasheet section 2.8.3), and the host executes its functions.
//!
//! It contains no code of the chip's ROM. Every function consists of UDF with the function's number
//! and a return; the emulator executes the function at the UDF. [`Call::cycles`] estimates its
//! cycles.

mod float;

use float::{ENTRIES, Float};

/// Size of the ROM in bytes.
pub(super) const SIZE: usize = 16 * 1024;

const FUNCTION_TABLE: usize = 0x100;
const DATA_TABLE: usize = 0x1C0;
const TEXT: usize = 0x1E0;
/// Address of the revision of this ROM, which is not the chip's own.
const REVISION: usize = 0x1F0;
/// Address at which core 1 sleeps when its program returns.
pub(super) const CORE_1_END: u32 = 0x1F4;
const FUNCTIONS: usize = 0x200;
/// Address of the functions of single and then double precision, and after them the tables of their
/// addresses.
const FLOATS: usize = 0x400;
const FLOAT_TABLES: usize = FLOATS + 4 * 2 * ENTRIES as usize;
const FLOATS_END: usize = FLOAT_TABLES + 4 * 2 * ENTRIES as usize;
/// Smallest UDF number of a floating point function.
const FIRST_FLOAT: u16 = 64;
/// Version of the ROM in a chip of revision B2.
const VERSION: u16 = 3;

const WFI: u16 = 0xBF30;
/// B to the previous instruction.
const BACK: u16 = 0xE7FD;
/// BX LR.
const RETURN: u16 = 0x4770;
const UDF: u16 = 0xDE00;

/// A ROM function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// Finds a function or data by its two letters.
    TableLookup,
    Popcount,
    Reverse,
    CountLeadingZeros,
    CountTrailingZeros,
    Memset,
    Memcpy,
    /// Called before flash commands; has no effect.
    ConnectInternalFlash,
    FlashExitXip,
    FlashRangeErase,
    FlashRangeProgram,
    FlashFlushCache,
    FlashEnterXip,
    /// A floating point function, by its position in the tables.
    Float(Float),
    /// Not modelled.
    UsbBoot,
    WaitForVector,
    /// The reset vector of the ROM: boots from the flash.
    Reset,
}

/// Returns the code of two letters, as stored in the table.
const fn code(letters: &[u8; 2]) -> u16 {
    u16::from_le_bytes(*letters)
}

/// The functions in the order of their numbers, with their codes; the lookup itself has none.
const CALLS: [(Call, [&[u8; 2]; 2]); 16] = [
    (Call::TableLookup, [b"\0\0", b"\0\0"]),
    (Call::Popcount, [b"P3", b"\0\0"]),
    (Call::Reverse, [b"R3", b"\0\0"]),
    (Call::CountLeadingZeros, [b"L3", b"\0\0"]),
    (Call::CountTrailingZeros, [b"T3", b"\0\0"]),
    (Call::Memset, [b"MS", b"S4"]),
    (Call::Memcpy, [b"MC", b"C4"]),
    (Call::ConnectInternalFlash, [b"IF", b"\0\0"]),
    (Call::FlashExitXip, [b"EX", b"\0\0"]),
    (Call::FlashRangeErase, [b"RE", b"\0\0"]),
    (Call::FlashRangeProgram, [b"RP", b"\0\0"]),
    (Call::FlashFlushCache, [b"FC", b"\0\0"]),
    (Call::FlashEnterXip, [b"CX", b"\0\0"]),
    (Call::UsbBoot, [b"UB", b"\0\0"]),
    (Call::WaitForVector, [b"WV", b"\0\0"]),
    (Call::Reset, [b"\0\0", b"\0\0"]),
];

/// The number of [`Call::Reset`].
const RESET: usize = CALLS.len() - 1;
/// Initial stack pointer of the ROM: the first word of its vector table.
const STACK: u32 = 0x2004_1F00;

impl Call {
    /// Returns the function of UDF `number`.
    pub(super) fn new(number: u16) -> Option<Self> {
        match number.checked_sub(FIRST_FLOAT) {
            Some(number) => Float::new(number).map(Self::Float),
            None => CALLS.get(usize::from(number)).map(|(call, _)| *call),
        }
    }

    /// Returns the estimated cycles of the chip's own function for `bytes` bytes.
    pub(super) fn cycles(self, bytes: u32) -> u64 {
        match self {
            Self::Memset | Self::Memcpy => 20 + u64::from(bytes),
            Self::TableLookup => 60,
            Self::Float(float) => float.cycles(),
            _ => 20,
        }
    }
}

/// Returns the image of the ROM.
pub(super) fn image() -> Vec<u8> {
    let mut image = vec![0; SIZE];
    let mut put = |at: usize, halfword: u16| {
        image[at..at + 2].copy_from_slice(&halfword.to_le_bytes());
    };
    let address = |number: usize| (FUNCTIONS + 4 * number) as u16 | 1;
    // Programs of the SDK that a debugger has loaded start through these two vectors.
    put(0, STACK as u16);
    put(2, (STACK >> 16) as u16);
    put(4, address(RESET));
    // Magic "Mu", 1, and the version of the ROM; the tables and the lookup.
    put(0x10, code(b"Mu"));
    put(0x12, VERSION << 8 | 1);
    put(0x14, FUNCTION_TABLE as u16);
    put(0x16, DATA_TABLE as u16);
    put(0x18, address(0));
    let mut entry = FUNCTION_TABLE;
    for (number, (_, codes)) in CALLS.iter().enumerate() {
        put(FUNCTIONS + 4 * number, UDF | number as u16);
        put(FUNCTIONS + 4 * number + 2, RETURN);
        for letters in codes.iter().filter(|letters| **letters != b"\0\0") {
            put(entry, code(letters));
            put(entry + 2, address(number));
            entry += 4;
        }
    }
    assert!(entry + 4 <= DATA_TABLE, "the function table is full");
    for number in 0..2 * usize::from(ENTRIES) {
        let function = FLOATS + 4 * number;
        put(function, UDF | (FIRST_FLOAT + number as u16));
        put(function + 2, RETURN);
        put(FLOAT_TABLES + 4 * number, function as u16 | 1);
    }
    put(REVISION, 0x2040);
    put(CORE_1_END as usize, WFI);
    put(CORE_1_END as usize + 2, BACK);
    let data = [
        (b"CR", TEXT),
        (b"GR", REVISION),
        (b"FS", FLOATS),
        (b"SF", FLOAT_TABLES),
        (b"FE", FLOATS_END),
        (b"SD", FLOAT_TABLES + 4 * usize::from(ENTRIES)),
    ];
    assert!(DATA_TABLE + 4 * data.len() + 4 <= TEXT, "the data table is full");
    for (number, (letters, address)) in data.into_iter().enumerate() {
        put(DATA_TABLE + 4 * number, code(letters));
        put(DATA_TABLE + 4 * number + 2, address as u16);
    }
    image[TEXT..TEXT + 14].copy_from_slice(b"rp2040-emulat\0");
    image
}

/// Returns the CRC-32 of the first 252 bytes of a second-stage boot loader, which its last four
/// bytes store.
pub(super) fn boot2_checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte) << 24, |sum, _| {
            let polynomial = if sum >> 31 != 0 { 0x04C1_1DB7 } else { 0 };
            sum << 1 ^ polynomial
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_published_test_vector() {
        // CRC-32/MPEG-2 of "123456789".
        assert_eq!(boot2_checksum(b"123456789"), 0x0376_E6E7);
    }

    #[test]
    fn both_tables_of_floating_point_lead_to_their_functions() {
        let image = image();
        let half = |at: usize| u16::from_le_bytes([image[at], image[at + 1]]);
        for number in 0..2 * ENTRIES {
            let function = usize::from(half(FLOAT_TABLES + 4 * usize::from(number)) & !1);
            let call = Call::new(half(function) & 0xFF);
            assert_eq!(call, Float::new(number).map(Call::Float));
            assert_eq!(half(function + 2), RETURN);
        }
    }

    #[test]
    fn every_code_in_the_table_leads_to_its_function() {
        let image = image();
        let half = |at: usize| u16::from_le_bytes([image[at], image[at + 1]]);
        let mut entry = usize::from(half(0x14));
        let mut found = 0;
        while half(entry) != 0 {
            let function = usize::from(half(entry + 2) & !1);
            let call = Call::new(half(function) & 0xFF).expect("a function");
            let letters = half(entry).to_le_bytes();
            let (_, codes) = CALLS.iter().find(|(known, _)| *known == call).unwrap();
            assert!(codes.iter().any(|known| **known == letters), "{letters:?}");
            assert_eq!(half(function + 2), RETURN);
            entry += 4;
            found += 1;
        }
        assert_eq!(found, 16);
    }
}

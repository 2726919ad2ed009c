//! The functions of the boot ROM that a debugger calls (RP2040 datasheet 2.8.3).

use super::error::SwdError;
use super::port::DebugPort;

/// Magic `M`, `u`, 1 in the lower three bytes, and the version in the fourth.
const MAGIC: u32 = 0x10;
const MAGIC_VALUE: u32 = 0x0001_754D;
/// Pointers to the tables of functions and of data, each of 16 bits.
const TABLES: u32 = 0x14;
/// Largest number of functions in the table.
const FUNCTIONS_MAX: usize = 64;

/// Addresses of the functions that write the flash (RP2040 datasheet 2.8.3.1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlashFunctions {
    pub connect_internal_flash: u32,
    pub flash_exit_xip: u32,
    pub flash_range_erase: u32,
    pub flash_range_program: u32,
    pub flash_flush_cache: u32,
    pub flash_enter_cmd_xip: u32,
}

impl DebugPort<'_> {
    /// Finds the functions in the ROM's table.
    ///
    /// # Errors
    /// Returns an error if the chip has another ROM.
    pub fn flash_functions(&mut self) -> Result<FlashFunctions, SwdError> {
        if self.read_word(MAGIC)? & 0x00FF_FFFF != MAGIC_VALUE {
            return Err(SwdError::NoFunction("table"));
        }
        let table = self.read_word(TABLES)? & 0xFFFF;
        // The table may begin in the middle of a word.
        let words = self.read_words(table & !3, FUNCTIONS_MAX + 1)?;
        let halves: Vec<u16> =
            words.iter().flat_map(|word| [*word as u16, (*word >> 16) as u16]).collect();
        let entries = &halves[(table as usize & 2) / 2..];
        let find = |name: &'static str, code: &[u8; 2]| {
            let code = u16::from_le_bytes(*code);
            let mut pairs = entries.as_chunks::<2>().0.iter().take_while(|pair| pair[0] != 0);
            let found = pairs.find(|pair| pair[0] == code);
            found.map(|pair| u32::from(pair[1])).ok_or(SwdError::NoFunction(name))
        };
        Ok(FlashFunctions {
            connect_internal_flash: find("connect_internal_flash", b"IF")?,
            flash_exit_xip: find("flash_exit_xip", b"EX")?,
            flash_range_erase: find("flash_range_erase", b"RE")?,
            flash_range_program: find("flash_range_program", b"RP")?,
            flash_flush_cache: find("flash_flush_cache", b"FC")?,
            flash_enter_cmd_xip: find("flash_enter_cmd_xip", b"CX")?,
        })
    }
}

//! Compares the flash with a program, and writes the sectors that differ.
//!
//! The chip itself computes the CRC-32 of its sectors, by a routine in its RAM, and writes the
//! flash by the functions of its boot ROM. So a comparison transfers a few words for each sector of
//! 4 KiB, and a program that changes little is written in little time.

use std::collections::BTreeMap;

use super::core::Call;
use super::error::SwdError;
use super::port::DebugPort;
use super::rom::FlashFunctions;

/// Size of a sector, the smallest part that can be erased (W25Q16JV 8.2.17).
pub const SECTOR: usize = 4096;
/// Size and erase command of a block, which `flash_range_erase` uses where it can (RP2040
/// datasheet 2.8.3.1.3).
const BLOCK: u32 = 1 << 16;
const BLOCK_ERASE: u32 = 0xD8;

const FLASH: u32 = 0x1000_0000;
const FLASH_BYTES: u32 = 2 << 20;

/// Places in the chip's RAM: the routine, the data of a sector, and the end of the stack.
const ROUTINE: u32 = 0x2000_0000;
const BUFFER: u32 = 0x2000_1000;
const STACK: u32 = 0x2000_4000;

/// Limits in milliseconds: of the CRC of a sector at 6 MHz of the ring oscillator and a flash that
/// is read bit by bit, of a sector's erasure (400 ms, W25Q16JV 9.6) with its programming (16 × 3
/// ms), and of the other functions.
const CRC_MS: u64 = 500;
const WRITE_MS: u64 = 1_000;
const CALL_MS: u64 = 100;

/// A BKPT, and the routine at +4: R0 is the address, R1 the number of bytes; it returns their
/// CRC-32 (ISO-HDLC) in R0.
const CODE: [u16; 18] = [
    0xBE00, // bkpt #0
    0x46C0, // nop
    0x2200, // movs r2, #0
    0x43D2, // mvns r2, r2
    0x4B06, // ldr r3, =0xEDB88320
    0x7804, // next: ldrb r4, [r0]
    0x4062, // eors r2, r4
    0x3001, // adds r0, #1
    0x2408, // movs r4, #8
    0x0852, // bit: lsrs r2, r2, #1
    0xD300, // bcc to the subs
    0x405A, // eors r2, r3
    0x3C01, // subs r4, #1
    0xD1FA, // bne to bit
    0x3901, // subs r1, #1
    0xD1F4, // bne to next
    0x43D0, // mvns r0, r2
    0x4770, // bx lr
];
const POLYNOMIAL: u32 = 0xEDB8_8320;
const BREAKPOINT: u32 = ROUTINE;
const CRC: u32 = ROUTINE + 4;

/// Sectors of a program by their addresses; bytes that the program does not have are 0xFF.
pub type Sectors = BTreeMap<u32, Box<[u8; SECTOR]>>;

/// Returns the sectors of a program, given as parts of the flash with their addresses. Parts in RAM
/// are not written.
///
/// # Errors
/// Returns an error if a part is not in the flash.
pub fn sectors<'a>(parts: impl IntoIterator<Item = (u32, &'a [u8])>) -> Result<Sectors, SwdError> {
    let mut sectors = Sectors::new();
    for (address, bytes) in parts {
        for (offset, byte) in (0_u32..).zip(bytes) {
            let at = address.wrapping_add(offset);
            if !(FLASH..FLASH + FLASH_BYTES).contains(&at) {
                return Err(SwdError::OutsideFlash(at));
            }
            let begin = at - at % SECTOR as u32;
            let sector = sectors.entry(begin).or_insert_with(|| Box::new([0xFF; SECTOR]));
            sector[(at - begin) as usize] = *byte;
        }
    }
    Ok(sectors)
}

/// Result of writing a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flashed {
    /// Number of the program's sectors.
    pub sectors: usize,
    /// Number of sectors that differed and were written.
    pub written: usize,
}

/// The chip, halted after a reset, with the routine in its RAM.
pub struct Flasher<'p, 'l> {
    port: &'p mut DebugPort<'l>,
    functions: FlashFunctions,
}

impl<'p, 'l> Flasher<'p, 'l> {
    /// Resets and halts the chip, and makes its flash readable.
    ///
    /// # Errors
    /// Returns an error if the port or the chip fails.
    pub fn begin(port: &'p mut DebugPort<'l>) -> Result<Self, SwdError> {
        port.reset_and_halt()?;
        let halves = CODE.as_chunks::<2>().0.iter();
        let mut words: Vec<u32> =
            halves.map(|pair| u32::from(pair[0]) | u32::from(pair[1]) << 16).collect();
        words.push(POLYNOMIAL);
        port.write_words(ROUTINE, &words)?;
        let functions = port.flash_functions()?;
        let mut flasher = Self { port, functions };
        flasher.leave_xip()?;
        flasher.enter_xip()?;
        Ok(flasher)
    }

    /// Returns the addresses of the sectors whose content is not that of `sectors`.
    ///
    /// # Errors
    /// Returns an error if the port or the chip fails.
    pub fn differing(&mut self, sectors: &Sectors) -> Result<Vec<u32>, SwdError> {
        let mut differing = Vec::new();
        for (address, bytes) in sectors {
            if self.crc(*address)? != crc(&bytes[..]) {
                differing.push(*address);
            }
        }
        Ok(differing)
    }

    /// Writes the sectors that differ, verifies them, and leaves the chip halted. `progress` gets
    /// the numbers of sectors that are written and that are to be written.
    ///
    /// # Errors
    /// Returns an error if the port or the chip fails, or if the flash has another content
    /// afterwards.
    pub fn write(
        &mut self,
        sectors: &Sectors,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Flashed, SwdError> {
        let differing = self.differing(sectors)?;
        if differing.is_empty() {
            return Ok(Flashed { sectors: sectors.len(), written: 0 });
        }
        let FlashFunctions { flash_range_erase, flash_range_program, .. } = self.functions;
        self.leave_xip()?;
        for (done, address) in differing.iter().enumerate() {
            progress(done, differing.len());
            let Some(bytes) = sectors.get(address) else { continue };
            let words: Vec<u32> =
                bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
            self.port.write_words(BUFFER, &words)?;
            let offset = address - FLASH;
            let size = SECTOR as u32;
            self.call(flash_range_erase, [offset, size, BLOCK, BLOCK_ERASE], WRITE_MS)?;
            self.call(flash_range_program, [offset, BUFFER, size, 0], WRITE_MS)?;
        }
        self.enter_xip()?;
        for address in &differing {
            let expected = sectors.get(address).map(|bytes| crc(&bytes[..]));
            if Some(self.crc(*address)?) != expected {
                return Err(SwdError::NotWritten(*address));
            }
        }
        progress(differing.len(), differing.len());
        Ok(Flashed { sectors: sectors.len(), written: differing.len() })
    }

    /// Makes the flash ready for commands.
    fn leave_xip(&mut self) -> Result<(), SwdError> {
        self.call(self.functions.connect_internal_flash, [0; 4], CALL_MS)?;
        self.call(self.functions.flash_exit_xip, [0; 4], CALL_MS)
    }

    /// Makes the flash readable at its addresses.
    fn enter_xip(&mut self) -> Result<(), SwdError> {
        self.call(self.functions.flash_flush_cache, [0; 4], CALL_MS)?;
        self.call(self.functions.flash_enter_cmd_xip, [0; 4], CALL_MS)
    }

    fn call(&mut self, function: u32, arguments: [u32; 4], limit_ms: u64) -> Result<(), SwdError> {
        self.result_of(function, arguments, limit_ms).map(drop)
    }

    fn crc(&mut self, address: u32) -> Result<u32, SwdError> {
        self.result_of(CRC, [address, SECTOR as u32, 0, 0], CRC_MS)
    }

    fn result_of(
        &mut self,
        function: u32,
        arguments: [u32; 4],
        limit_ms: u64,
    ) -> Result<u32, SwdError> {
        let call = Call { function, arguments, breakpoint: BREAKPOINT, stack: STACK, limit_ms };
        self.port.call(&call)
    }
}

/// Returns the CRC-32 (ISO-HDLC) of `bytes`.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            crc >> 1 ^ if crc & 1 != 0 { POLYNOMIAL } else { 0 }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crc_is_that_of_its_catalogue() {
        // The check value of CRC-32/ISO-HDLC.
        assert_eq!(crc(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn parts_share_sectors_and_gaps_are_erased() {
        let found = sectors([(FLASH + 0x0FFE, &[1, 2, 3][..]), (FLASH + 0x1004, &[4])]).unwrap();
        assert_eq!(found.keys().copied().collect::<Vec<_>>(), [FLASH, FLASH + 0x1000]);
        assert_eq!(found[&FLASH][0x0FFC..], [0xFF, 0xFF, 1, 2]);
        assert_eq!(found[&(FLASH + 0x1000)][..6], [3, 0xFF, 0xFF, 0xFF, 4, 0xFF]);
    }

    #[test]
    fn a_part_outside_the_flash_is_refused() {
        for address in [0x2000_0000, FLASH + FLASH_BYTES - 1, u32::MAX] {
            let refused = sectors([(address, &[1, 2][..])]);
            assert!(matches!(refused, Err(SwdError::OutsideFlash(_))), "{address:#x}");
        }
    }
}

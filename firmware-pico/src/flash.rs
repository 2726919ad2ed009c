//! The last 256 KiB of the Pico's flash, for the firmware's storage.
//!
//! Reading is a copy from the address space. Erasing and programming use the bootrom's functions
//! (RP2040 datasheet, 2.8.3.1.3), during which nothing can be read from flash, including code: the
//! routine that calls them is in RAM, and interrupts are masked. The second core never starts.
#![expect(unsafe_code, reason = "flash is memory, and the bootrom's functions are raw")]

use core::mem::transmute;
use core::ptr;

use cortex_m::interrupt::free;
use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash, check_erase, check_read,
    check_write,
};
use rp2040_hal::rom_data;

/// Size of the Pico's flash chip in bytes.
const CHIP: u32 = 2 * 1024 * 1024;
/// Number of bytes for storage. The linker keeps code out of them (memory.x).
const STORAGE: u32 = 256 * 1024;
/// Offset of the storage from the chip's first byte.
const BEGIN: u32 = CHIP - STORAGE;

/// Address at which the chip's bytes can be read.
const ADDRESS: usize = 0x1000_0000;
/// Size of a sector in bytes, the unit of erasing.
const SECTOR: u32 = 4096;
/// Size of a page in bytes, the bootrom's unit of programming.
const PAGE: u32 = 256;

/// Number of words of the second boot stage, which enables execution in place.
const BOOT2_WORDS: usize = 64;

/// The storage flash. There must be only one instance; `main` creates it.
pub struct PicoFlash {
    rom: Rom,
}

/// An access outside the storage, or not aligned to sectors or words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PicoFlashError(NorFlashErrorKind);

/// Functions of the bootrom, looked up while the flash can be read.
#[derive(Clone, Copy)]
struct Rom {
    connect: unsafe extern "C" fn(),
    exit_xip: unsafe extern "C" fn(),
    erase: unsafe extern "C" fn(u32, usize, u32, u8),
    program: unsafe extern "C" fn(u32, *const u8, usize),
    flush: unsafe extern "C" fn(),
}

impl PicoFlash {
    /// Creates the storage of this board.
    pub fn new() -> Self {
        Self {
            rom: Rom {
                connect: rom_data::connect_internal_flash::ptr(),
                exit_xip: rom_data::flash_exit_xip::ptr(),
                erase: rom_data::flash_range_erase::ptr(),
                program: rom_data::flash_range_program::ptr(),
                flush: rom_data::flash_flush_cache::ptr(),
            },
        }
    }

    /// Programs `page`, or erases a sector, at `offset` in the chip.
    fn change(&mut self, offset: u32, page: Option<&[u8; PAGE as usize]>) {
        let page = page.map_or(ptr::null(), |page| page.as_ptr());
        // The copy of boot2 is on the stack, in RAM, and is executed there.
        // SAFETY: the first 256 bytes of the flash are boot2 (memory.x).
        let boot2 = unsafe { ptr::read_volatile(ADDRESS as *const [u32; BOOT2_WORDS]) };
        // SAFETY: `offset` is in the storage, at the beginning of a sector or page: the callers
        // check that. Interrupts are masked, the second core and DMA do not run.
        free(|_| unsafe { without_flash(&self.rom, &boot2, offset, page) });
    }
}

impl NorFlashError for PicoFlashError {
    fn kind(&self) -> NorFlashErrorKind {
        self.0
    }
}

impl ErrorType for PicoFlash {
    type Error = PicoFlashError;
}

impl ReadNorFlash for PicoFlash {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), PicoFlashError> {
        check_read(self, offset, bytes.len()).map_err(PicoFlashError)?;
        let from = (ADDRESS + (BEGIN + offset) as usize) as *const u8;
        // SAFETY: the range is within the storage, which is readable memory that only this value
        // changes.
        unsafe { ptr::copy_nonoverlapping(from, bytes.as_mut_ptr(), bytes.len()) };
        Ok(())
    }

    fn capacity(&self) -> usize {
        STORAGE as usize
    }
}

impl NorFlash for PicoFlash {
    /// The same as on the virtual board. The chip could program single bytes.
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = SECTOR as usize;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), PicoFlashError> {
        check_erase(self, from, to).map_err(PicoFlashError)?;
        for sector in (from..to).step_by(SECTOR as usize) {
            self.change(BEGIN + sector, None);
        }
        Ok(())
    }

    fn write(&mut self, mut offset: u32, mut bytes: &[u8]) -> Result<(), PicoFlashError> {
        check_write(self, offset, bytes.len()).map_err(PicoFlashError)?;
        while !bytes.is_empty() {
            let begin = (offset % PAGE) as usize;
            let length = bytes.len().min(PAGE as usize - begin);
            let (these, rest) = bytes.split_at(length);
            // Programming ones does not change a bit, so the rest of the page is unchanged.
            let mut page = [0xFF; PAGE as usize];
            page[begin..begin + length].copy_from_slice(these);
            self.change(BEGIN + offset - begin as u32, Some(&page));
            offset += length as u32;
            bytes = rest;
        }
        Ok(())
    }
}

/// Erases the sector or, if `page` is not null, programs the page at `offset`, and enables
/// execution in place again. The function is in RAM and calls only functions that are not in flash.
///
/// # Safety
/// No code may read flash meanwhile. `boot2` must be the second boot stage.
#[inline(never)]
#[unsafe(link_section = ".data.without_flash")]
unsafe fn without_flash(rom: &Rom, boot2: &[u32; BOOT2_WORDS], offset: u32, page: *const u8) {
    /// Sector erase, which the bootrom uses where no block fits.
    const BLOCK: u32 = 1 << 31;

    // The lowest bit of a function's address marks Thumb code.
    // SAFETY: boot2 is position-independent code that returns to its caller.
    let enter_xip: unsafe extern "C" fn() = unsafe { transmute(boot2.as_ptr().addr() | 1) };
    // SAFETY: this is the order that the datasheet requires; the caller guarantees the rest.
    unsafe {
        (rom.connect)();
        (rom.exit_xip)();
        if page.is_null() {
            (rom.erase)(offset, SECTOR as usize, BLOCK, 0);
        } else {
            (rom.program)(offset, page, PAGE as usize);
        }
        (rom.flush)();
        enter_xip();
    }
}

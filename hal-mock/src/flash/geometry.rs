//! Sizes and busy times of the flash.

use virtual_time::Nanos;

/// Size of the board's flash in bytes: the last 256 KiB of the Pico's 2 MiB.
pub const FLASH_SIZE: usize = 256 * 1024;
/// Number of bytes that one erase sets to `0xFF` (W25Q16JV, sector erase `20h`).
pub const SECTOR_SIZE: usize = 4096;
/// Largest number of bytes of one program command (W25Q16JV, page program `02h`).
pub const PAGE_SIZE: usize = 256;
/// Number of sectors of the board's flash.
pub const SECTORS: usize = FLASH_SIZE / SECTOR_SIZE;
/// Alignment of `NorFlash::write` in bytes: a 32-bit word.
///
/// The boot ROM's `flash_range_program` takes whole pages. A page filled up with `0xFF` around the
/// words to write changes nothing else, so any divisor of 256 would work. A word keeps small
/// records small, and is a size that log-structured stores accept (sequential-storage takes at most
/// 32 bytes).
pub const WRITE_SIZE: usize = 4;
/// Time to program one page, or any part of it: typical, W25Q16JV section 9.6 (t_PP).
pub const PAGE_PROGRAM: Nanos = Nanos::from_micros(400);
/// Time to erase one sector: typical, W25Q16JV section 9.6 (t_SE).
pub const SECTOR_ERASE: Nanos = Nanos::from_millis(45);

const _: () = assert!(FLASH_SIZE.is_multiple_of(SECTOR_SIZE));
const _: () = assert!(SECTOR_SIZE.is_multiple_of(PAGE_SIZE));
const _: () = assert!(PAGE_SIZE.is_multiple_of(WRITE_SIZE));

//! The flash through the ROM's functions: sectors are erased and pages programmed, which can only
//! clear bits. Needs no external device.
#![no_std]
#![no_main]

use on_target::{Board, Verdict, between, same};
use rp2040_hal::rom_data;
use rp2040_hal::timer::Timer;

/// Offset of the last two sectors of 2 MiB.
const OFFSET: u32 = (2 << 20) - 2 * SECTOR as u32;
const SECTOR: usize = 4096;
const PAGE: usize = 256;
/// Address at which the flash is read.
const FLASH: u32 = 0x1000_0000;
/// Number of bytes that the flash erases at once with this command, if at least that many are to be
/// erased.
const BLOCK: u32 = 1 << 16;
const BLOCK_ERASE: u8 = 0xD8;

#[rp2040_hal::entry]
fn main() -> ! {
    let mut board = Board::take();
    let mut report = on_target::report!(board);
    let timer = board.timer;
    report.record("a sector is erased in its time", erased(&timer));
    report.record("a page is programmed", programmed());
    report.record("bits only fall", fallen());
    report.record("the neighbours stay", neighbours());
    report.end()
}

/// Runs `change` from RAM while the flash answers no reads.
#[inline(never)]
#[expect(unsafe_code, reason = "code that must not lie in the flash")]
#[unsafe(link_section = ".data.away_from_flash")]
fn away(change: Change) {
    cortex_m::interrupt::disable();
    // SAFETY: no code executes from the flash until it can be read again: the function pointers
    // were looked up before, this function is in RAM, and interrupts are off.
    unsafe {
        (change.connect)();
        (change.exit)();
        match change.page {
            Some(page) => (change.program)(change.offset, page.as_ptr(), PAGE),
            None => (change.erase)(change.offset, SECTOR, BLOCK, BLOCK_ERASE),
        }
        (change.flush)();
        (change.enter)();
        cortex_m::interrupt::enable();
    }
}

/// A change of the flash, with the ROM's functions for it.
struct Change {
    offset: u32,
    /// Page to program; `None` erases the sector.
    page: Option<&'static [u8; PAGE]>,
    connect: unsafe extern "C" fn(),
    exit: unsafe extern "C" fn(),
    erase: unsafe extern "C" fn(u32, usize, u32, u8),
    program: unsafe extern "C" fn(u32, *const u8, usize),
    flush: unsafe extern "C" fn(),
    enter: unsafe extern "C" fn(),
}

fn change(offset: u32, page: Option<&'static [u8; PAGE]>) {
    away(Change {
        offset,
        page,
        connect: rom_data::connect_internal_flash::ptr(),
        exit: rom_data::flash_exit_xip::ptr(),
        erase: rom_data::flash_range_erase::ptr(),
        program: rom_data::flash_range_program::ptr(),
        flush: rom_data::flash_flush_cache::ptr(),
        enter: rom_data::flash_enter_cmd_xip::ptr(),
    });
}

/// The page is in RAM, because the flash cannot be read while it is programmed.
static FIRST: [u8; PAGE] = [0x5A; PAGE];
static SECOND: [u8; PAGE] = [0xF0; PAGE];

fn read(offset: u32) -> u32 {
    let address = (FLASH + offset) as *const u32;
    #[expect(unsafe_code, reason = "the flash is read as memory")]
    // SAFETY: the address is aligned and within the flash.
    unsafe {
        address.read_volatile()
    }
}

/// Checks the time to erase a sector: a W25Q16 takes 45 ms, typically.
fn erased(timer: &Timer) -> Verdict {
    let before = timer.get_counter();
    change(OFFSET, None);
    let took = (timer.get_counter() - before).to_micros();
    between("the time", took, 30_000u64, 400_000u64)?;
    for offset in [0, 4, 2048, 4092] {
        same("a word", read(OFFSET + offset), u32::MAX)?;
    }
    Ok(())
}

fn programmed() -> Verdict {
    change(OFFSET, Some(&FIRST));
    same("the first word", read(OFFSET), 0x5A5A_5A5Au32)?;
    same("the last word", read(OFFSET + 252), 0x5A5A_5A5Au32)
}

fn fallen() -> Verdict {
    change(OFFSET, Some(&SECOND));
    same("the word", read(OFFSET), 0x5050_5050u32)
}

fn neighbours() -> Verdict {
    same("the next page", read(OFFSET + 256), u32::MAX)?;
    change(OFFSET + SECTOR as u32, None);
    same("the sector before", read(OFFSET), 0x5050_5050u32)?;
    change(OFFSET, None);
    same("erased again", read(OFFSET), u32::MAX)
}

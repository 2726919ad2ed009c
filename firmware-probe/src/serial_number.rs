//! The unique number of the flash chip, which identifies a probe.
#![expect(
    unsafe_code,
    reason = "the flash cannot be read as memory while it is asked, code included"
)]

use core::mem::transmute;
use core::ptr;

use rp2040_hal::pac::{IO_QSPI, XIP_SSI};
use rp2040_hal::rom_data;

/// Serial number of sixteen hexadecimal digits.
pub type SerialNumber = heapless::String<16>;

const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
/// Address of the second boot stage.
const BOOT2: usize = 0x1000_0000;
const BOOT2_WORDS: usize = 64;
/// Read unique ID (W25Q16JV datasheet 8.2.33): four dummy bytes, then eight bytes of the number.
const READ_UNIQUE_ID: u32 = 0x4B;
const NOTHING: usize = 4;
const NUMBER: usize = 8;
/// GPIO_QSPI_SS's output override (RP2040 datasheet 2.19.6.2).
const SELECT: u32 = 2 << 8;
const DESELECT: u32 = 3 << 8;

#[derive(Clone, Copy)]
struct Rom {
    connect: unsafe extern "C" fn(),
    exit_xip: unsafe extern "C" fn(),
    flush: unsafe extern "C" fn(),
}

/// Reads the serial number. Call it before anything else runs.
pub fn read() -> SerialNumber {
    let rom = Rom {
        connect: rom_data::connect_internal_flash::ptr(),
        exit_xip: rom_data::flash_exit_xip::ptr(),
        flush: rom_data::flash_flush_cache::ptr(),
    };
    // SAFETY: the first 256 bytes of the flash are the second boot stage; the copy is on the stack,
    // in RAM.
    let boot2 = unsafe { ptr::read_volatile(BOOT2 as *const [u32; BOOT2_WORDS]) };
    // SAFETY: interrupts are masked, core 1 is idle, and no DMA runs yet.
    let bytes = cortex_m::interrupt::free(|_| unsafe { ask(&rom, &boot2) });
    let mut text = SerialNumber::new();
    for byte in bytes {
        for digit in [byte >> 4, byte & 0xF] {
            // Sixteen digits fit.
            let _ = text.push(char::from(DIGITS[usize::from(digit)]));
        }
    }
    text
}

/// Sends the command to the flash. This function is in RAM, and so is everything that it calls.
///
/// # Safety
/// No code may read flash meanwhile. `boot2` must be the second boot stage.
#[inline(never)]
#[unsafe(link_section = ".data.ask_flash")]
unsafe fn ask(rom: &Rom, boot2: &[u32; BOOT2_WORDS]) -> [u8; NUMBER] {
    let mut number = [0; NUMBER];
    // SAFETY: boot2 is position-independent code that returns to its caller; the lowest bit marks
    // Thumb code.
    let enter_xip: unsafe extern "C" fn() = unsafe { transmute(boot2.as_ptr().addr() | 1) };
    // SAFETY: no other code uses the registers of the flash's controller meanwhile; the caller
    // guarantees the rest.
    unsafe {
        (rom.connect)();
        (rom.exit_xip)();
        let select = (*IO_QSPI::ptr()).gpio_qspiss().gpio_ctrl().as_ptr();
        let status = (*XIP_SSI::ptr()).sr().as_ptr();
        let data = (*XIP_SSI::ptr()).dr0().as_ptr();
        let before = select.read_volatile();
        select.write_volatile(before & !(3 << 8) | SELECT);
        // Thirteen bytes fit into the FIFO of sixteen.
        data.write_volatile(READ_UNIQUE_ID);
        let mut sent = 0;
        while sent < NOTHING + NUMBER {
            data.write_volatile(0);
            sent += 1;
        }
        let mut received = 0;
        while received < 1 + NOTHING + NUMBER {
            // Waits for RFNE.
            while status.read_volatile() & 1 << 3 == 0 {}
            let byte = data.read_volatile() as u8;
            if received > NOTHING {
                *number.as_mut_ptr().add(received - 1 - NOTHING) = byte;
            }
            received += 1;
        }
        select.write_volatile(before & !(3 << 8) | DESELECT);
        (rom.flush)();
        select.write_volatile(before);
        enter_xip();
    }
    number
}

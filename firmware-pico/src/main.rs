//! The binary for the Pico: its pins, and `main`.
//!
//! `main` passes the pins to [`firmware_core::firmware::Firmware`], which contains everything else,
//! calls its `step` at the time that the last call returned or when a button's level has changed,
//! and lets the core sleep meanwhile. It knows no game, no screen and no menu.
//!
//! | module | subject |
//! |---|---|
//! | [`pico`] | the clocks, and the assignment of the pins |
//! | [`lcd_bus`], [`buzzer`], [`contacts`], [`console`], [`flash`], [`entropy`] | the peripherals that implement the firmware's traits |
//! | [`rest`] | sleeping, and the watchdog |
//! | [`binary_info`] | name and version for picotool |
//! | [`crash`] | stores the report of a panic and shows it |
//! | [`stack_guard`] | makes a hard fault of a stack overflow |
//!
//! Two interrupt handlers run: the one of the contacts records edges with their times, the one of
//! UART0 stores typed bytes. Interrupts are masked while the core sleeps, and while the flash is
//! being written, because the handlers execute from it.
#![no_std]
#![no_main]

mod binary_info;
mod buzzer;
mod console;
mod contacts;
mod crash;
mod entropy;
mod flash;
mod lcd_bus;
mod pico;
mod rest;
mod stack_guard;

use firmware_core::app;
use firmware_core::firmware::{Canvas, Firmware, Memory};

use crash::hard_fault;

/// Second boot stage, for the flash chip of a Pico (W25Q16JV).
#[used]
#[expect(unsafe_code, reason = "the bootrom looks for it at the beginning of the flash")]
#[unsafe(link_section = ".boot2")]
static BOOT2: [u8; 256] = rp2040_boot2::BOOT_LOADER_W25Q080;

/// Size in bytes of the guard below the stack: more than twice the largest frame, 6,660 bytes.
const STACK_GUARD_BYTES: usize = 16 * 1024;

/// Instructions of boot2 that set the divider of the flash's clock: `movs r1, #2` and
/// `str r1, [r3, #SSI_BAUDR]`. With a divider of 2, as in the SDK's board file of a Pico, a miss of
/// the cache takes 56 cycles; with 4 it takes 112, and steps that draw exceed their bound.
const FLASH_CLOCK: [u8; 4] = [0x02, 0x21, 0x59, 0x61];

const _: () = assert!(sets_flash_clock(&BOOT2), "boot2 clocks the flash with clk_sys / 2");

/// Returns whether `boot2` contains [`FLASH_CLOCK`].
const fn sets_flash_clock(boot2: &[u8; 256]) -> bool {
    let mut at = 0;
    while at + FLASH_CLOCK.len() <= boot2.len() {
        let same = boot2[at] == FLASH_CLOCK[0]
            && boot2[at + 1] == FLASH_CLOCK[1]
            && boot2[at + 2] == FLASH_CLOCK[2]
            && boot2[at + 3] == FLASH_CLOCK[3];
        if same {
            return true;
        }
        at += 2;
    }
    false
}

#[cortex_m_rt::entry]
fn main() -> ! {
    // All bytes are zero: they are in `.bss` from the first instruction on, and are never moved.
    static mut APP: app::Memory = app::Memory::new();
    static mut CANVAS: Canvas = Canvas::new();

    // The program does not read the mark; tools find it in the file.
    core::hint::black_box(firmware_core::SOURCE_MARK);
    cortex_m::interrupt::disable();
    stack_guard::install();
    let (parts, mut rest) = pico::take();
    if let Some(text) = crash::take_report().or_else(|| rest.has_hung().then(crash::hang_report)) {
        crash::show(&text, parts, &mut rest);
    }
    rest.start_watchdog();
    console::listen();
    contacts::listen();
    let memory = Memory { app: APP, canvas: CANVAS };
    let mut firmware = match Firmware::boot(parts, memory, &mut rest.delay()) {
        Ok(firmware) => firmware,
        Err(fault) => panic!("at power-on, {fault}"),
    };
    loop {
        let now = rest.now();
        match firmware.step(now) {
            Ok(wake) => rest.sleep_until(wake),
            Err(fault) => panic!("{fault}"),
        }
    }
}

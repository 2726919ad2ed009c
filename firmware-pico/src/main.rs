//! The binary that is flashed: the pins of a Pico, and `main`.
//!
//! `main` hands the pins to [`firmware_core::firmware::Firmware`], which is everything
//! else, calls its `step` at the moment that the last call returned or when a button's level
//! has changed, and lets the core sleep meanwhile. It knows no game, no screen and no menu.
//!
//! | module | subject |
//! |---|---|
//! | [`pico`] | clocks, and which pin is what |
//! | [`lcd_bus`], [`buzzer`], [`contacts`], [`console`], [`flash`], [`entropy`] | the peripherals behind the firmware's traits |
//! | [`rest`] | sleeping, and the watchdog |
//! | [`crash`] | what a panic leaves behind, and how it is shown |
//!
//! Two interrupt handlers run: that of the contacts notes an edge and when it was, that of UART0 puts aside what is typed.
//! Interrupts are masked while the core sleeps, and while the flash is being written, from which the handlers execute.
#![no_std]
#![no_main]

mod buzzer;
mod console;
mod contacts;
mod crash;
mod entropy;
mod flash;
mod lcd_bus;
mod pico;
mod rest;

use firmware_core::app;
use firmware_core::firmware::{Canvas, Firmware, Memory};

/// The second stage of booting, for the flash chip of a Pico (W25Q16JV).
#[used]
#[expect(unsafe_code, reason = "the bootrom looks for it at the beginning of the flash")]
#[unsafe(link_section = ".boot2")]
static BOOT2: [u8; 256] = rp2040_boot2::BOOT_LOADER_W25Q080;

#[cortex_m_rt::entry]
fn main() -> ! {
    // All bytes are zero: they lie in `.bss` from the first instruction on, and are not moved.
    static mut APP: app::Memory = app::Memory::new();
    static mut CANVAS: Canvas = Canvas::new();

    // The program does not read it. Tools find it in the file.
    core::hint::black_box(firmware_core::SOURCE_MARK);
    cortex_m::interrupt::disable();
    let (parts, mut rest) = pico::take();
    if let Some(text) = crash::left_behind().or_else(|| rest.has_hung().then(crash::hung)) {
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
            Ok(wake) => rest.until(wake),
            Err(fault) => panic!("{fault}"),
        }
    }
}

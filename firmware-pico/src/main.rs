//! The binary that is flashed: the pins of a Pico, and `main`.
//!
//! `main` hands the pins to [`firmware_core::firmware::Firmware`], which is everything
//! else, calls its `step` when it asked for it or a button's level changed, and lets the
//! core sleep meanwhile. It knows no game, no screen and no menu.
//!
//! | module | subject |
//! |---|---|
//! | [`pico`] | clocks, and which pin is what |
//! | [`lcd_bus`], [`buzzer`], [`button`], [`flash`] | the peripherals behind the firmware's traits |
//! | [`rest`] | sleeping, and the watchdog |
//! | [`crash`] | what a panic leaves behind, and how it is shown |
//!
//! No interrupt handler runs: interrupts are masked, and only wake the core. So nothing
//! is shared, and nothing executes from flash while the flash is being written.
#![no_std]
#![no_main]

mod button;
mod buzzer;
mod crash;
mod flash;
mod lcd_bus;
mod pico;
mod rest;

use cortex_m::singleton;
use firmware_core::firmware::{Firmware, Parts};

use pico::Pico;
use rest::Rest;

/// The second stage of booting, for the flash chip of a Pico (W25Q16JV).
#[used]
#[expect(unsafe_code, reason = "the bootrom looks for it at the beginning of the flash")]
#[unsafe(link_section = ".boot2")]
static BOOT2: [u8; 256] = rp2040_boot2::BOOT_LOADER_W25Q080;

#[cortex_m_rt::entry]
fn main() -> ! {
    cortex_m::interrupt::disable();
    let (parts, mut rest) = pico::take();
    if let Some(text) = crash::left_behind().or_else(|| rest.has_hung().then(crash::hung)) {
        crash::show(&text, parts, &rest);
    }
    rest.start_watchdog();
    let firmware = boot(parts, &rest);
    loop {
        let now = rest.now();
        match firmware.step(now) {
            Ok(wake) => rest.until(wake),
            Err(fault) => panic!("{fault}"),
        }
    }
}

/// The firmware, where it stays: far too large for the stack. On its way there it is built
/// on it, so this is a function of its own, whose frame is gone when the first step begins.
#[inline(never)]
fn boot(parts: Parts<Pico>, rest: &Rest) -> &'static mut Firmware<Pico> {
    let place = singleton!(: Firmware<Pico> = match Firmware::boot(parts, &mut rest.delay()) {
        Ok(firmware) => firmware,
        Err(fault) => panic!("at power-on, {fault}"),
    });
    let Some(firmware) = place else { unreachable!("main runs once") };
    firmware
}

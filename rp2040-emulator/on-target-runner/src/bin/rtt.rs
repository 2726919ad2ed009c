//! Tests RTT and semihosting without defmt: text on two up channels, an echo of the down channel,
//! text and arguments by semihosting, and an exit code.
#![no_std]
#![no_main]

use core::fmt::Write;
use core::panic::PanicInfo;

use cortex_m_semihosting::{debug, hprintln};
use on_target_runner as _;
use rtt_target::rtt_init;

#[cortex_m_rt::entry]
fn main() -> ! {
    let mut channels = rtt_init! {
        up: {
            0: { size: 64, name: "Terminal" }
            1: { size: 64, name: "notes" }
        }
        down: {
            0: { size: 16, name: "Terminal" }
        }
    };
    for number in 1..=20 {
        // The text is longer than the buffer: the channel blocks once a debugger reads it.
        let _ = writeln!(channels.up.0, "line {number} of twenty on channel 0");
    }
    let _ = writeln!(channels.up.1, "a note");
    hprintln!("by semihosting");
    let mut byte = [0];
    while channels.down.0.read(&mut byte) > 0 {
        let _ = channels.up.0.write(&byte);
    }
    debug::exit(debug::EXIT_FAILURE);
    loop {
        cortex_m::asm::wfi();
    }
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    debug::exit(debug::EXIT_FAILURE);
    loop {
        cortex_m::asm::wfi();
    }
}

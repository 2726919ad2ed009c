//! Code shared by the programs for a runner: the second-stage boot loader, and defmt's clock.
//!
//! The programs set up no clocks: RTT and semihosting need none, and the chip starts from its ring
//! oscillator.
#![no_std]

use core::sync::atomic::{AtomicU32, Ordering};

/// The second-stage boot loader for the flash chip of a Pico (W25Q16JV).
#[used]
#[expect(unsafe_code, reason = "the boot ROM looks for it at the beginning of the flash")]
#[unsafe(link_section = ".boot2")]
static BOOT2: [u8; 256] = rp2040_boot2::BOOT_LOADER_W25Q080;

static MESSAGES: AtomicU32 = AtomicU32::new(0);

/// Returns the number of messages so far, which is defmt's time. The Cortex-M0+ has no atomic
/// addition, but only one core logs.
pub fn count_message() -> u32 {
    let count = MESSAGES.load(Ordering::Relaxed) + 1;
    MESSAGES.store(count, Ordering::Relaxed);
    count
}

//! Registers that the emulator does not model, accessed twice each: debug units of the core. The
//! emulator reports each once. Needs no external device.
#![no_std]
#![no_main]

use on_target::{Board, same};

/// DWT_CTRL (Armv6-M architecture manual, C1.7).
const DWT_CTRL: *const u32 = 0xE000_1000 as *const u32;
/// BP_CTRL of the breakpoint unit (C1.8).
const BP_CTRL: *mut u32 = 0xE000_2000 as *mut u32;

#[rp2040_hal::entry]
fn main() -> ! {
    let mut board = Board::take();
    let mut report = on_target::report!(board);
    let mut bits = 0;
    for _ in 0..2 {
        #[expect(unsafe_code, reason = "hal and cortex-m have no names for these registers")]
        // SAFETY: the core has these registers at these addresses, and a 0 enables nothing.
        unsafe {
            bits |= DWT_CTRL.read_volatile();
            bits |= BP_CTRL.read_volatile();
            BP_CTRL.write_volatile(0);
        }
    }
    report.record("what is not modelled reads as zero", same("the bits", bits, 0u32));
    report.end()
}

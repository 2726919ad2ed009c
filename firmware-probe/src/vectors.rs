//! The vector table in RAM: an interrupt then does not wait for the flash.
#![expect(unsafe_code, reason = "the table is a symbol of the linker, and VTOR is an address")]

use core::cell::UnsafeCell;
use core::ptr;

use rp2040_hal::pac::SCB;

/// Number of vectors: the stack, fifteen exceptions, 32 interrupts (ARMv6-M Architecture Reference
/// Manual B1.5.3).
const COUNT: usize = 16 + 32;

/// A table, aligned as VTOR requires (B3.2.5).
#[repr(C, align(256))]
struct Table(UnsafeCell<[u32; COUNT]>);

// SAFETY: it is written once, before any interrupt is enabled.
unsafe impl Sync for Table {}

static TABLE: Table = Table(UnsafeCell::new([0; COUNT]));

unsafe extern "C" {
    /// Start of the table in the flash (cortex-m-rt's link.x).
    static __vector_table: [u32; COUNT];
}

/// Copies the table to RAM and selects the copy. Call it before any interrupt is enabled.
pub fn move_to_ram() {
    // SAFETY: both tables have COUNT words, no handler runs, and the copy is aligned as VTOR requires
    // and never changes again.
    unsafe {
        ptr::copy_nonoverlapping(&raw const __vector_table, TABLE.0.get(), 1);
        (*SCB::PTR).vtor.write(TABLE.0.get() as u32);
    }
    cortex_m::asm::dsb();
}

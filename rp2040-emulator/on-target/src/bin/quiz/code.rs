//! Code whose instructions are those of a question: a part of the flash, and handlers.
#![expect(unsafe_code, reason = "naked functions, and functions that must not be in the flash")]

use core::arch::naked_asm;

/// A function without arguments, as the processor calls it.
pub type Code = extern "C" fn();

/// Sixty-three NOPs and a return in the flash, 128 bytes.
#[unsafe(naked)]
pub extern "C" fn nops() {
    naked_asm!(".p2align 3", ".rept 63", "nop", ".endr", "bx lr");
}

/// Handler that stores the counter to the first word of the scratch memory: `r0` and `r5` are as the
/// sequence has left them.
#[unsafe(naked)]
#[unsafe(link_section = ".data.quiz")]
pub extern "C" fn first() {
    naked_asm!("ldr r1, [r5]", "str r1, [r0]", "bx lr");
}

/// The same to the second word.
#[unsafe(naked)]
#[unsafe(link_section = ".data.quiz")]
pub extern "C" fn second() {
    naked_asm!("ldr r1, [r5]", "str r1, [r0, #4]", "bx lr");
}

/// Returns the address of a function, with the bit that says Thumb.
pub fn address_of(code: Code) -> u32 {
    (code as *const ()).expose_provenance() as u32
}

//! Behaviour of the chip that programs found by failing on it: small programs in RAM, which use the
//! public interface alone.

#[path = "../qemu/assembler.rs"]
#[expect(dead_code, reason = "programs here call nothing")]
mod assembler;
mod dormant;
mod faults;
mod files;
mod pio_control;
mod program;
mod registers;
mod rules;
mod two_cores;
mod uart;

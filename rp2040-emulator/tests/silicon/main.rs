//! Behaviour of the chip that programs found by failing on it: small programs in RAM, which use the
//! public interface alone.

#[path = "../qemu/assembler.rs"]
mod assembler;
mod faults;
mod program;
mod two_cores;

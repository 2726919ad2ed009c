//! An emulator of the RP2040.
pub mod bus;
pub mod cpu;
pub mod decode;
pub mod disassemble;
pub mod image;
pub mod instruction;
pub mod memory;

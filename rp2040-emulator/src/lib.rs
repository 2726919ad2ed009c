//! An emulator of the RP2040: its two Cortex-M0+ cores, instruction by instruction, and the
//! devices around them.
//!
//! ```
//! use rp2040_emulator::chip::{BootError, Chip};
//! use rp2040_emulator::image::Image;
//!
//! let image = Image::from_bin(&[0; 4096])?; // or Image::parse, for ELF and UF2
//! let mut chip = Chip::new(2 * 1024 * 1024);
//! chip.load(&image)?;
//! assert!(matches!(chip.power_on(), Err(BootError::Boot2Checksum(..))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`program`] reads a program's file and [`image`] its bytes; [`chip`] is the chip, which most
//! callers use. [`cpu`] is a core alone, with its memory ([`cpu::memory`]), its interface to
//! everything else ([`cpu::bus`]), and the way from halfwords to text ([`cpu::decode`],
//! [`cpu::instruction`], [`cpu::disassemble`]). [`backtrace`] reports faults. [`usb_host`] is the
//! other end of a USB cable. [`registers`] has the datasheet's names of the registers.
//!
//! The emulator is deterministic and has no threads, clocks or randomness: the same calls give the
//! same state, and a clone continues as its original does. It knows no board and no game: the
//! caller provides what is connected to the pins. `docs/emulator.md` lists what is modelled, to
//! which depth, and what is not.

pub mod backtrace;
pub mod chip;
pub mod cpu;
pub mod image;
pub mod program;
pub mod registers;
pub mod usb_host;

#[cfg(test)]
#[path = "../../tests/src/part.rs"]
mod part;

pub use cpu::{bus, decode, disassemble, instruction, memory};

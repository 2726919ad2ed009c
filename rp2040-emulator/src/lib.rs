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
//! [`program`] reads a program's file, [`image`] its bytes; [`chip`] is the chip, and what most
//! callers need. Below it stand the core alone ([`cpu`]) with the memories that it executes from ([`memory`]) and what it asks for
//! everything else ([`bus`]); and from halfwords to text, [`decode`], [`instruction`] and
//! [`disassemble`]. [`backtrace`] reports faults.
//!
//! Everything is a value without a thread, a clock or chance of its own: the same calls give the
//! same state, and a clone goes on as its original does. The crate knows no board and no game:
//! what is on the other side of the pins is its caller's. `docs/emulator.md` lists what is
//! modelled, to which depth, and what is not.

pub mod backtrace;
pub mod chip;
pub mod cpu;
pub mod image;
pub mod program;

pub use cpu::{bus, decode, disassemble, instruction, memory};

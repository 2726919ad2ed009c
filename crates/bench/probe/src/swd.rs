//! The debug port of a board, through the probe's wires SWCLK and SWDIO: memory, the cores, reset
//! and flash.
//!
//! | module | subject |
//! |---|---|
//! | [`link`] | executes batches of operations: a probe, or a port in a test |
//! | [`batch`] | builds a batch |
//! | [`port`] | wakes and selects a debug port; its registers and errors |
//! | [`memory`] | words of memory and registers of the chip |
//! | [`core`] | halts a core, transfers its registers, calls a function |
//! | [`reset`] | resets the chip, and halts it before its first instruction |
//! | [`rom`] | the functions of the boot ROM |
//! | [`flash`] | compares, erases and programs the flash |
//! | [`error`] | the failures |
//!
//! The module knows the RP2040 and no firmware. Reading memory does not halt a core.
//!
//! Sources: RP2040 datasheet 2.3.4 (debug), 2.8.3 (boot ROM), 2.13 and 4.7 (resets); ARM IHI 0031
//! (ADIv5.2) B and C2; ARM DDI 0419 (ARMv6-M) C1.

pub mod batch;
pub mod core;
pub mod error;
pub mod flash;
pub mod link;
pub mod memory;
pub mod port;
pub mod reset;
pub mod rom;

pub use error::SwdError;
pub use flash::{Flashed, SECTOR, Sectors};
pub use link::{BatchResult, SwdLink};
pub use port::DebugPort;

//! The machines that run a trace: firmware and virtual board joined.
//!
//! [`Board`] is the value of `--board`, and [`BoardFactory`] builds its machines: `native` is the
//! [`LcdFirmware`] that the application passes, [`pico`] the flashed program on an emulated RP2040,
//! [`described`] the same with the parts of a board file, [`probe`] a real board behind a probe on
//! its wires. The caller passes a `heap_meter`; this crate has none. [`header`] has the keys of a
//! trace's header that any board has, [`flash_file`] reads the file of a board's flash, [`session`]
//! prepares an interactive session, and [`identity`] identifies the firmware that a board runs.
//!
//! **Invariant:** this crate knows no firmware. `firmware-board` has that of the LCD board.

mod board;
pub mod described;
pub mod emulated_probe;
mod factory;
pub mod flash_file;
pub mod header;
pub mod identity;
mod lcd_firmware;
pub mod pico;
pub mod probe;
pub mod session;
mod suggestion;

pub use board::{Board, BoardNameError, ProbePort};
pub use described::{BoardFiles, DescribedBoard, DescribedError, LinkedFirmware};
pub use factory::{BoardError, BoardFactory};
pub use lcd_firmware::{ConsoleLinesError, LcdFirmware};
pub use suggestion::suggested;

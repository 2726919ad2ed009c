//! The machines that run a trace: firmware and virtual board joined.
//!
//! [`Board`] is the value of `--board`, and [`BoardFactory`] builds its machines: [`native`] is
//! `firmware-core` compiled for the host, [`pico`] the flashed program on an emulated RP2040,
//! [`described`] the same with the parts of a board file, [`probe`] a real board behind a probe on
//! its wires. The caller passes a `heap_meter`; this
//! crate has none. [`header`] checks a trace's header and writes it into the board's flash with the
//! firmware's own code. [`flash_file`], [`flash_files`] and [`game_text`] open a flash image and
//! convert its saved games and logs to text and back; [`session`] prepares an interactive session;
//! [`identity`] identifies the firmware that a board runs.
//!
//! **Invariant:** apart from `analysis`, this is the only library that knows firmware and board.

mod board;
pub mod described;
pub mod emulated_probe;
mod factory;
pub mod flash_file;
pub mod flash_files;
pub mod game_text;
pub mod header;
pub mod identity;
pub mod native;
pub mod pico;
pub mod probe;
pub mod session;
mod suggestion;

pub use board::{Board, BoardNameError, ProbePort};
pub use described::{BoardFiles, DescribedBoard, DescribedError, LinkedFirmware};
pub use factory::{BoardError, BoardFactory};

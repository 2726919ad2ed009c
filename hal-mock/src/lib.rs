//! The mock HAL: the virtual LCD board, and the replay of traces that press its buttons and read
//! its panel.
//!
//! [`board`] is the board with its contacts, wires, buzzer and faults, [`flash`] the NOR flash,
//! [`memory`] SPI flashes and SD cards;
//! [`machine`] is the trait for firmware that runs on the board, [`log`] a log that copies of a
//! board share, [`setup`] defines how a replay gets a machine; [`replay`] executes a trace and
//! judges it. The language of traces is the crate `trace`, text and golden pictures read off a
//! frame are the crate `reading`, the LCD controller is `ili9341-model`.
//!
//! The interfaces to the firmware are embedded-hal, embedded-io, embedded-storage and
//! embedded-graphics only: the crate knows no game, no screen, no font of its own and no setting.

pub mod board;
mod crash;
pub mod flash;
pub mod log;
pub mod machine;
pub mod memory;
pub mod replay;
pub mod setup;

pub use board::{BoardConfig, DisplayConfig, VirtualBoard};
pub use crash::{Crash, CrashKind, SourcePlace};
pub use machine::{Call, ErrorKind, Heap, Machine, MachineError, MachineWrapper};

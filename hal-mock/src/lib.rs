//! The virtual LCD board: clock, pins, the ILI9341 at the end of its SPI wire, buzzer, flash and
//! console; and the traces that press its buttons and read its panel.
//!
//! [`board`] is the board with its contacts, wires, buzzer and faults, [`flash`] the NOR flash,
//! [`lcd`] the LCD's model. [`machine`] is the trait for firmware running on the board; [`setup`]
//! defines how a replay gets a machine. [`trace`] reads, writes and records traces, [`replay`]
//! executes one, [`text`] reads text from a frame, [`golden`] compares frames, [`heap_meter`]
//! counts allocations, [`lfs`] recognizes pointers of Git LFS.
//!
//! The interfaces to the firmware are embedded-hal, embedded-io, embedded-storage and
//! embedded-graphics only: the crate knows no game, no screen, no font of its own and no setting.

pub mod board;
pub mod flash;
pub mod machine;
pub mod replay;
pub mod setup;

pub use board::{BoardConfig, VirtualBoard};
pub use machine::{Heap, Machine, MachineError};

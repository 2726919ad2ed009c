//! A board and a probe, both emulated, connected wire by wire on one clock: the target of `--board
//! probe:emulated`.
//!
//! [`Bench`] is the public entry point. [`wires`] defines which pin is connected to which and the
//! faults of a wire; `setup` has the board's configuration and the errors, `board` the board's chip
//! with its power, `world` steps both chips, `debug` has the wires to the board's debug port, and
//! `usb` is the cable to the host: a [`probe::Link`] in virtual time.
//!
//! The board depends on the probe only through its buttons, its power and the console's input, and
//! those change rarely. So the board runs ahead by a slice, and its edges, each with its
//! nanosecond, are handed to the probe's PIOs, which see them in the right cycle. When the probe
//! moves one of its outputs within the slice, the probe stops there, and the board is put back to
//! the slice's beginning and runs to that nanosecond again. Every edge reaches the other chip in
//! its cycle, in both directions.
//!
//! The bench knows no firmware: the programs are arguments. It does not know whether the board's
//! program has an LCD or a game.

mod board;
mod debug;
mod setup;
mod usb;
pub mod wires;
mod world;

pub use probe_protocol::wiring::Role;
pub use setup::{BenchError, BoardSetup};
pub use usb::BenchLink;
pub use wires::{Fault, WireState};
pub use world::{Bench, RecordedEvents};

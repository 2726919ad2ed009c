//! A board and a probe, both emulated, wire to wire on one clock: what `--board probe:emulated` runs on.
//!
//! [`Bench`] is the world. [`wires`] says which pin is joined to which, and what is wrong with a wire; `setup` what it is made of, `board` the chip of the
//! board with its power, `world` steps both, `usb` is the cable to the host: a [`probe::Link`] in virtual time.
//!
//! The board depends on the probe through its buttons, its power and the console's input alone, and those seldom move. So the
//! board runs ahead by a slice, and its edges, each with its nanosecond, are handed to the probe's PIOs, which find them in their
//! cycle. When the probe moves one of its outputs within the slice, the probe stops there, the board is put back
//! to the slice's beginning and runs to that nanosecond again: every edge reaches the other chip in its cycle, both ways.
//!
//! It knows no firmware: the programs are arguments. Where the board's program has an LCD or a game it does not know.

mod board;
mod setup;
mod usb;
pub mod wires;
mod world;

pub use setup::{BenchError, BoardSetup};
pub use usb::BenchLink;
pub use wires::{Fault, WireState};
pub use world::{Bench, Truth};

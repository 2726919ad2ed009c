//! Names the differences between two replays, and groups those that one change of the firmware
//! makes.
//!
//! [`difference`] compares two frames: which text moved, changed or changed its colour, and which
//! part of the picture is different. [`console`] and [`tones`] find the first token of the console
//! and the first note that differ. [`cause`] is the key of a group: the transformation without the
//! element, or the token without its numbers. [`folded`] leaves out what only follows from another
//! difference.
//!
//! **Invariant:** this crate does not know traces, boards or files.

pub mod cause;
pub mod console;
pub mod difference;
pub mod tones;
mod words;

pub use cause::{Cause, folded};
pub use words::without_numbers;

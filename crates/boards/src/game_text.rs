//! A saved game as text that a person can write, read and change, so that a developer starts
//! from any position: [`write()`] and [`parse()`]. `docs/command-line.md` is the reference for
//! people.
//!
//! The head is a `key value` line each, then comes a line `steps`, then a step a line. What
//! the text says is played by the firmware's own history: a game that cannot have been is an
//! error with its place. It knows no flash and opens no file.

mod error;
mod format;
mod lines;
mod parse;
#[cfg(test)]
mod tests;
mod write;

pub use error::{GameTextError, GameTextErrorKind};
pub use format::{FILE_BYTES_MAX, VERSION};
pub use parse::parse;
pub use write::write;

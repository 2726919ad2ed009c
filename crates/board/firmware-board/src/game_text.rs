//! A saved game as text that a person can read and edit, so that a developer can start from any
//! position: [`write()`] and [`parse()`]. `docs/command-line.md` is the reference for users.
//!
//! The head has one line `key value` per key. It is followed by a line `steps` and then by one line
//! per step. The firmware's own history plays the steps: a game that the rules do not allow is an
//! error with its place. This module does not know the flash and opens no file.

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

//! Key maps: the physical key that presses each button of the board.
//!
//! Keys are positions, not letters: a [`Key`] is a usage of the USB HID keyboard page,
//! which is also SDL's scancode, so the bottom row stays the bottom row on AZERTY and
//! QWERTZ. Users' key maps are text files; `docs/keymap.md` describes them, and
//! [`Keymap::load`] reads them. This module knows no SDL and no window.

mod action;
mod control_move;
mod error;
mod key;
mod map;
mod of_file;
mod parse;
mod rows;
#[cfg(test)]
mod tests;

pub use action::{Control, KeyAction};
pub use control_move::ControlMove;
pub use error::{KeymapError, KeymapErrorKind, KeymapFileError};
pub use key::Key;
pub use map::Keymap;
pub use parse::FILE_BYTES_MAX;
pub use rows::{button_rows, control_rows};

//! Key maps: the physical key that presses each button of a board, moves one of its controls, or
//! controls the session.
//!
//! [`Keymap::of_file`] is the default map of a described board: the keys that its file suggests, and
//! free ones for the rest. `map` gives them, `action` lists the actions, `parse` reads users' files.
//!
//! Keys are positions, not letters: a [`Key`] is a usage of the USB HID keyboard page,
//! which is also SDL's scancode, so the bottom row stays the bottom row on AZERTY and
//! QWERTZ. Users' key maps are text files; `docs/keymap.md` describes them, and
//! [`Keymap::load`] reads them. This crate knows no SDL, no window and no page.

mod action;
mod control_move;
mod error;
mod key;
mod map;
mod of_file;
mod parse;
mod rows;

pub use action::{Control, KeyAction};
pub use control_move::ControlMove;
pub use error::{KeymapError, KeymapErrorKind, KeymapFileError};
pub use key::Key;
pub use map::Keymap;
pub use parse::FILE_BYTES_MAX;
pub use rows::{button_rows, control_rows};

#[cfg(test)]
mod tests;

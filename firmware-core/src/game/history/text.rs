//! A saved game as text that a person can read and edit, line by line: [`GameText`] writes the
//! lines of a history, [`GameReader`] reads them and plays the steps. docs/command-line.md is the
//! reference for users.
//!
//! The head has a line `key value` per key. A line `steps` follows, then a line per step; `#`
//! begins a comment. Neither type stores the whole text, so a board can send and receive one over
//! its console. This module knows no console, no flash and no file.
//!
//! | file | contents |
//! |---|---|
//! | `words` | the words of the format |
//! | `write` | [`GameText`] |
//! | `read` | [`GameReader`] |
//! | `error` | [`GameLineError`]: what can be wrong with a line |
//! | `typed` | splits a line into words and numbers; [`TypedWord`]: a word quoted in a message |

mod error;
mod read;
mod typed;
mod words;
mod write;

pub use error::GameLineError;
pub use read::GameReader;
pub use typed::{TYPED_WORDS, TypedWord, typed_number, typed_words};
pub use words::{KEYS, NEEDED, SIDES, STEPS, TITLE, VERBS, VERSION};
pub use write::{GAME_LINE, GameText};

#[cfg(test)]
mod tests;

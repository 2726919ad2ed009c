//! A saved game as text that a person can read and edit, line by line: [`GameText`] gives the lines of a history,
//! [`GameReader`] takes them and plays the steps. docs/command-line.md is the reference for users.
//!
//! The head has a line `key value` per key. A line `steps` follows, then a line per step; `#` begins a comment. Neither holds a
//! text as a whole, so a board can send and take one over its console. It knows no console, no flash and no file.
//!
//! | file | holds |
//! |---|---|
//! | `words` | the words of the format |
//! | `write` | [`GameText`] |
//! | `read` | [`GameReader`] |
//! | `error` | [`GameLineError`]: what can be wrong with a line |
//! | `typed` | the words and numbers of such a line, and [`TypedWord`]: one as messages repeat it |

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

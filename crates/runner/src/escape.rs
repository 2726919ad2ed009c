//! Text of files and firmware, made harmless for each reader: a module a reader.
//!
//! File names, comments, words on the LCD, console lines and panic messages may contain anything: escape
//! sequences, commands of GitHub's log, markup. Whatever writes them passes them through the module
//! of its reader, and nothing else escapes. The modules know no report; what follows from a text is
//! the same on every computer.
//!
//! A character that a reader would obey or must not see is replaced by `�` (U+FFFD); a command of
//! GitHub's log gets a blank into its middle.

pub mod github;
#[cfg(test)]
mod hostile;
pub mod html;
pub mod terminal;
pub(crate) mod xml;

//! Text of files and firmware, made harmless for each reader: a module a reader.
//!
//! File names, comments, words on the LCD, console lines, panic messages and the symbols of a program may
//! contain anything: escape sequences, commands of GitHub's log, markup. Whatever writes them passes
//! them through the module of its reader, and nothing else escapes: `tests/tests/architecture` looks for it.
//! The crate knows no report; what follows from a text is the same on every computer.
//!
//! A character that a reader would obey or must not see is replaced by `�` (U+FFFD); a command of
//! GitHub's log gets a blank into its middle.

pub mod github;
#[cfg(test)]
mod hostile;
pub mod html;
pub mod json;
pub mod terminal;
pub mod xml;

/// Control characters, other ends of lines, and what turns the direction of writing around.
pub fn is_command(letter: char) -> bool {
    let turns = matches!(
        letter,
        '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    );
    letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') || turns
}

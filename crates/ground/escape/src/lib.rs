//! Text of files and firmware, made harmless for each kind of reader, with one module per kind.
//!
//! File names, comments, text on the LCD, console lines, panic messages and the symbols of a
//! program may contain anything: escape sequences, commands of GitHub's log, markup. Code that
//! writes them passes them through the module of its reader, and no other code escapes:
//! `tests/tests/architecture` checks this. The crate knows no report; the result for a text is the
//! same on every computer.
//!
//! [`dump`] is the same in the other direction: files of other programs for a strict parser.
//!
//! A character that a reader would interpret as a command or must not see is replaced by `�`
//! (U+FFFD); a command of GitHub's log is broken by an inserted blank.

pub mod dump;
pub mod github;
#[cfg(test)]
mod hostile;
pub mod html;
pub mod json;
pub mod terminal;
pub mod xml;

/// Returns whether a character is a control character, a Unicode line or paragraph separator, or
/// changes the direction of writing.
pub fn is_command(letter: char) -> bool {
    let turns = matches!(
        letter,
        '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    );
    letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') || turns
}

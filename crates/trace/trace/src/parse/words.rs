//! Words that stand in many lines: names, keywords, spans of time; and the faults of unknown ones.

use crate::Button;
use crate::error::{LineFault, ParseErrorKind};
use crate::name::{NAME_CHARS_MAX, is_name};
use crate::number::time;
use crate::token::{Cursor, Word};
use virtual_time::Nanos;

pub(super) fn name(cursor: &mut Cursor<'_>, behind: &str) -> Result<String, LineFault> {
    let word = cursor.need(behind, "a name, like `after-free-turn`")?;
    if word.text.len() > NAME_CHARS_MAX && word.text.is_ascii() {
        return Err(LineFault::new(word.column, ParseErrorKind::NameTooLong(word.text.len())));
    }
    if !is_name(word.text) {
        let kind = ParseErrorKind::NotAName(word.text.to_owned());
        return Err(LineFault::new(word.column, kind));
    }
    Ok(word.text.to_owned())
}

/// The button that `behind` needs.
pub(super) fn button(behind: &str, cursor: &mut Cursor<'_>) -> Result<Button, LineFault> {
    let word = cursor.need(behind, "a button: B1…B6, T1…T6 or RESET")?;
    Button::from_name(word.text).ok_or_else(|| {
        LineFault::new(word.column, ParseErrorKind::UnknownButton(word.text.to_owned()))
    })
}

/// The word `wanted`, or a fault.
pub(super) fn keyword(
    cursor: &mut Cursor<'_>,
    wanted: &'static str,
    behind: &str,
) -> Result<(), LineFault> {
    let word = cursor.need(behind, &format!("`{wanted}`"))?;
    if word.text == wanted {
        return Ok(());
    }
    let (behind, text) = (behind.to_owned(), word.text.to_owned());
    Err(LineFault::new(word.column, ParseErrorKind::WrongWord { behind, wanted, word: text }))
}

/// The word `preposition` and a time behind it, with the time's column.
pub(super) fn span(
    cursor: &mut Cursor<'_>,
    preposition: &'static str,
    behind: &str,
) -> Result<(u32, Nanos), LineFault> {
    keyword(cursor, preposition, behind)?;
    span_behind(cursor, preposition)
}

/// A time behind `preposition`, which has been read, with its column.
pub(super) fn span_behind(
    cursor: &mut Cursor<'_>,
    preposition: &'static str,
) -> Result<(u32, Nanos), LineFault> {
    let word = cursor.need(&format!("`{preposition}`"), "a time, like `1200ms` or `5s`")?;
    Ok((word.column, time(word)?))
}

/// The fault that `word` is none of the `known` ones; `what` says what is looked for.
pub(super) fn unknown(word: Word<'_>, what: &'static str, known: &[&'static str]) -> LineFault {
    let (text, known) = (word.text.to_owned(), known.to_vec());
    LineFault::new(word.column, ParseErrorKind::Unknown { what, word: text, known })
}

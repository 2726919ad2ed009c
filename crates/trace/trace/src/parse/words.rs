//! Reads parts that occur in many lines: names, keywords, spans of time; and makes the faults of
//! unknown words.

use crate::error::{LineFault, ParseErrorKind};
use crate::name::{NAME_CHARS_MAX, is_name};
use crate::number::time;
use crate::token::{Cursor, Word};
use crate::{Button, Buttons};
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

/// Reads the button that must follow `behind`.
pub(super) fn button(
    behind: &str,
    cursor: &mut Cursor<'_>,
    buttons: &Buttons,
) -> Result<Button, LineFault> {
    let word = cursor.need(behind, &format!("a button: {}", buttons.listed("or")))?;
    buttons.named(word.text).ok_or_else(|| {
        let kind =
            ParseErrorKind::UnknownButton { word: word.text.to_owned(), known: buttons.clone() };
        LineFault::new(word.column, kind)
    })
}

/// Reads the word `wanted`.
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

/// Reads the word `preposition` and the time after it; returns the time's column too.
pub(super) fn span(
    cursor: &mut Cursor<'_>,
    preposition: &'static str,
    behind: &str,
) -> Result<(u32, Nanos), LineFault> {
    keyword(cursor, preposition, behind)?;
    span_after(cursor, preposition)
}

/// Reads a time after `preposition`, which has been read; returns the time's column too.
pub(super) fn span_after(
    cursor: &mut Cursor<'_>,
    preposition: &'static str,
) -> Result<(u32, Nanos), LineFault> {
    let word = cursor.need(&format!("`{preposition}`"), "a time, like `1200ms` or `5s`")?;
    Ok((word.column, time(word)?))
}

/// Returns the fault for a `word` that is not `known`; `what` names the kind of word that is
/// required.
pub(super) fn unknown(word: Word<'_>, what: &'static str, known: &[&'static str]) -> LineFault {
    let (text, known) = (word.text.to_owned(), known.to_vec());
    LineFault::new(word.column, ParseErrorKind::Unknown { what, word: text, known })
}

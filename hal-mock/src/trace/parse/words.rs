//! Words that stand in many lines: names, keywords, spans of time; and the faults of unknown ones.

use crate::trace::name::{NAME_CHARS_MAX, is_name};
use crate::trace::nearest::did_you_mean;
use crate::trace::number::time;
use crate::trace::token::{Cursor, Fault, Word, abbreviated};

use crate::{Button, Nanos};

pub(super) fn name(cursor: &mut Cursor<'_>, behind: &str) -> Result<String, Fault> {
    let word = cursor.need(behind, "a name, like `after-free-turn`")?;
    if word.text.len() > NAME_CHARS_MAX && word.text.is_ascii() {
        let length = word.text.len();
        return Err(Fault::new(
            word.column,
            format!("the name has {length} characters; a name has at most {NAME_CHARS_MAX}"),
        ));
    }
    if !is_name(word.text) {
        let text = abbreviated(word.text);
        return Err(Fault::new(
            word.column,
            format!("{text} is no name; names become file names: letters, digits, - and _ only"),
        ));
    }
    Ok(word.text.to_owned())
}

/// The button that `behind` needs.
pub(super) fn button(behind: &str, cursor: &mut Cursor<'_>) -> Result<Button, Fault> {
    let word = cursor.need(behind, "a button: B1…B6, T1…T6 or RESET")?;
    Button::from_name(word.text).ok_or_else(|| {
        let mut hint = did_you_mean(word.text, &Button::ALL.map(Button::name));
        if hint.is_empty() {
            hint.push_str("; the buttons are B1…B6, T1…T6 and RESET");
        }
        Fault::new(word.column, format!("unknown button {}{hint}", abbreviated(word.text)))
    })
}

/// The word `wanted`, or a fault.
pub(super) fn keyword(cursor: &mut Cursor<'_>, wanted: &str, behind: &str) -> Result<(), Fault> {
    let word = cursor.need(behind, &format!("`{wanted}`"))?;
    if word.text == wanted {
        return Ok(());
    }
    let (text, hint) = (abbreviated(word.text), did_you_mean(word.text, &[wanted]));
    Err(Fault::new(word.column, format!("{behind} needs `{wanted}`, not {text}{hint}")))
}

/// The word `preposition` and a time behind it, with the time's column.
pub(super) fn span(
    cursor: &mut Cursor<'_>,
    preposition: &str,
    behind: &str,
) -> Result<(u32, Nanos), Fault> {
    keyword(cursor, preposition, behind)?;
    let word = cursor.need(&format!("`{preposition}`"), "a time, like `1200ms` or `5s`")?;
    Ok((word.column, time(word)?))
}

pub(super) fn unknown(word: Word<'_>, what: &str, known: &[&str]) -> Fault {
    let hint = match did_you_mean(word.text, known) {
        none if none.is_empty() => format!("; known are {}", listed(known)),
        near => near,
    };
    Fault::new(word.column, format!("unknown {what} {}{hint}", abbreviated(word.text)))
}

pub(super) fn listed(words: &[&str]) -> String {
    words.join(", ")
}

//! Reads `on NAME`, the display that a line is about.

use crate::board_parts::BoardParts;
use crate::display::Display;
use crate::error::LineFault;
use crate::token::Cursor;

/// The word before the name of a display.
pub(super) const ON: &str = "on";

/// Reads the name after `on`.
pub(super) fn name(cursor: &mut Cursor<'_>, parts: &BoardParts) -> Result<Display, LineFault> {
    let wanted = format!("the name of a display: {}", parts.displays.names().join(", "));
    let word = cursor.need("`on`", &wanted)?;
    parts.displays.find(word.text).map_err(|kind| LineFault::new(word.column, kind))
}

/// Reads `on NAME`, if that is next.
pub(super) fn optional(
    cursor: &mut Cursor<'_>,
    parts: &BoardParts,
) -> Result<Option<Display>, LineFault> {
    if cursor.clone().word().is_none_or(|word| word.text != ON) {
        return Ok(None);
    }
    cursor.word();
    name(cursor, parts).map(Some)
}

/// Returns the display that the options of a line name, in any place. No other option has the
/// word `on` in it.
pub(super) fn ahead(cursor: &Cursor<'_>, parts: &BoardParts) -> Result<Option<Display>, LineFault> {
    let mut cursor = cursor.clone();
    while let Some(word) = cursor.word() {
        if word.text == ON {
            return name(&mut cursor, parts).map(Some);
        }
    }
    Ok(None)
}

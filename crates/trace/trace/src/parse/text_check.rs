//! Reads the arguments of `expect text` and `expect no text`.

use super::display;
use super::frame_check::region;
use super::words::span_after;
use crate::board_parts::BoardParts;
use crate::display::Display;
use crate::error::{FrameCheckError, LineFault, ParseErrorKind};
use crate::limits::SHOWN_TOLERANCE;
use crate::text_check::{RegionText, TextCheck};
use crate::token::Cursor;

/// Options of `expect text`; `for` is not one of `expect no text`.
const OPTIONS: [&str; 3] = [display::ON, "in", "for"];

/// Reads the arguments of `expect text`.
pub(super) fn read(cursor: &mut Cursor<'_>, parts: &BoardParts) -> Result<TextCheck, LineFault> {
    options("`expect text`", &OPTIONS, cursor, parts)
}

/// Reads the arguments of `expect no text`.
pub(super) fn read_absent(
    cursor: &mut Cursor<'_>,
    parts: &BoardParts,
) -> Result<RegionText, LineFault> {
    Ok(options("`expect no text`", &OPTIONS[..2], cursor, parts)?.wanted)
}

/// Reads the text and those of the `known` options that follow it.
fn options(
    what: &'static str,
    known: &'static [&'static str],
    cursor: &mut Cursor<'_>,
    parts: &BoardParts,
) -> Result<TextCheck, LineFault> {
    let mut check = TextCheck::from(cursor.quoted(what)?);
    let ahead = display::ahead(cursor, parts)?;
    let panel = ahead.map_or(parts.panel, Display::panel);
    while let Some(option) = cursor.word() {
        let fault = |error: FrameCheckError| Err(LineFault::new(option.column, error));
        match known.iter().find(|known| **known == option.text).copied() {
            Some(display::ON) if check.wanted.display.is_none() => {
                check.wanted.display = Some(display::name(cursor, parts)?);
            }
            Some("in") if check.wanted.region.is_none() => {
                check.wanted.region = Some(region(cursor, "`in`", panel)?.1);
            }
            Some("for") if check.shown_for.is_none() => {
                let (column, time) = span_after(cursor, "for")?;
                if time <= SHOWN_TOLERANCE {
                    return Err(LineFault::new(column, ParseErrorKind::ShownTooShort(time)));
                }
                check.shown_for = Some(time);
            }
            Some(twice) => return fault(FrameCheckError::Twice(twice)),
            None => {
                let option = option.text.to_owned();
                return fault(FrameCheckError::UnknownOption { option, what, known });
            }
        }
    }
    Ok(check)
}

//! Reads the lines that touch a display: `touch PAD at 120,40 for 1s`, `drag PAD to 200,40 over
//! 300ms`, `lift PAD`.

use super::control::control;
use super::words::{keyword, span};
use crate::action::Action;
use crate::board_parts::BoardParts;
use crate::control::{Control, ControlKind, Movement, Point, TouchArea};
use crate::error::{LineFault, PartError};
use crate::limits::{DRAG_LONGEST, DRAG_STEP};
use crate::token::Cursor;
use virtual_time::Nanos;

const TOUCHED: &[ControlKind] = &[ControlKind::Touch(TouchArea::ANY)];

/// Reads `PAD at 120,40`, or `PAD at 120,40 for 1s`.
pub(super) fn touch(cursor: &mut Cursor<'_>, parts: &BoardParts) -> Result<Action, LineFault> {
    let control = control(cursor, parts, "touch", TOUCHED)?;
    keyword(cursor, "at", "`touch`")?;
    let at = point(cursor, "`at`", control)?;
    let hold = match cursor.clone().word() {
        None => None,
        Some(_) => Some(span(cursor, "for", "the pixel")?),
    };
    if let Some((column, Nanos::ZERO)) = hold {
        return Err(LineFault::new(column, PartError::TouchForNoTime));
    }
    let hold = hold.map(|(_, hold)| hold);
    Ok(Action::Move { control, movement: Movement::Touch { at, hold } })
}

/// Reads `PAD to 200,40 over 300ms`.
pub(super) fn drag(cursor: &mut Cursor<'_>, parts: &BoardParts) -> Result<Action, LineFault> {
    let control = control(cursor, parts, "drag", TOUCHED)?;
    keyword(cursor, "to", "`drag`")?;
    let to = point(cursor, "`to`", control)?;
    let (column, over) = span(cursor, "over", "the pixel")?;
    if !(DRAG_STEP..=DRAG_LONGEST).contains(&over) {
        return Err(LineFault::new(column, PartError::DragDuration { over }));
    }
    Ok(Action::Move { control, movement: Movement::Drag { to, over } })
}

/// Reads `PAD`.
pub(super) fn lift(cursor: &mut Cursor<'_>, parts: &BoardParts) -> Result<Action, LineFault> {
    let control = control(cursor, parts, "lift", TOUCHED)?;
    Ok(Action::Move { control, movement: Movement::Lift })
}

/// Reads a pixel of the display under a touch panel.
fn point(cursor: &mut Cursor<'_>, behind: &str, control: Control) -> Result<Point, LineFault> {
    let word = cursor.need(behind, "a pixel, like `120,40`")?;
    let fault = |kind: PartError| LineFault::new(word.column, kind);
    let text = || word.text.to_owned();
    let number = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // A number that is too large is outside of each display.
        is_number.then(|| text.parse().unwrap_or(u16::MAX))
    };
    let (x, y) = word.text.split_once(',').ok_or_else(|| fault(PartError::NotAPoint(text())))?;
    let (Some(x), Some(y)) = (number(x), number(y)) else {
        return Err(fault(PartError::NotAPoint(text())));
    };
    let at = Point { x, y };
    match control.kind() {
        ControlKind::Touch(area) if !area.contains(at) => {
            let (name, word) = (control.name(), text());
            let TouchArea { width, height, .. } = area;
            Err(fault(PartError::PointOutside { name, word, width, height }))
        }
        _ => Ok(at),
    }
}

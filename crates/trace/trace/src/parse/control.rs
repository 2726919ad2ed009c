//! Reads the lines that move a control: `turn ENC by 3`, `switch S on`, `set JOY 0.5,0.1`.

use super::words::{keyword, span, unknown};
use crate::action::Action;
use crate::board_parts::BoardParts;
use crate::control::{Control, ControlKind, Movement};
use crate::error::{LineFault, PartError, a_kind};
use crate::limits::{TURN_DETENT_MIN, TURN_LONGEST, TURN_MAX};
use crate::share::{Share, ShareError};
use crate::token::{Cursor, Word};
use virtual_time::Nanos;

/// Kinds that each verb moves.
const TURNED: &[ControlKind] = &[ControlKind::Encoder];
const SWITCHED: &[ControlKind] = &[ControlKind::Switch];
const SET: &[ControlKind] = &[ControlKind::Joystick, ControlKind::Potentiometer];

/// Reads `ENC by 3`, or `ENC by -3 over 200ms`.
pub(super) fn turn(cursor: &mut Cursor<'_>, parts: &BoardParts) -> Result<Action, LineFault> {
    let control = control(cursor, parts, "turn", TURNED)?;
    keyword(cursor, "by", "`turn`")?;
    let word = cursor.need("`by`", "a number of detents, like `3` or `-3`")?;
    let by = detents(word)?;
    let over = match cursor.clone().word() {
        None => None,
        Some(_) => Some(duration(span(cursor, "over", "the number of detents")?, by)?),
    };
    Ok(Action::Move { control, movement: Movement::Turn { by, over } })
}

/// Reads `S on`, or `S off`.
pub(super) fn switch(cursor: &mut Cursor<'_>, parts: &BoardParts) -> Result<Action, LineFault> {
    let control = control(cursor, parts, "switch", SWITCHED)?;
    let state = cursor.need("`switch`", "`on` or `off`")?;
    let on = match state.text {
        "on" => true,
        "off" => false,
        _ => return Err(unknown(state, "position of a switch", &["on", "off"])),
    };
    Ok(Action::Move { control, movement: Movement::Switch(on) })
}

/// Reads `VOLUME 0.5`, or `JOY 0.5,0.1`.
pub(super) fn set(cursor: &mut Cursor<'_>, parts: &BoardParts) -> Result<Action, LineFault> {
    let control = control(cursor, parts, "set", SET)?;
    let has_two = control.kind() == ControlKind::Joystick;
    let wanted = match has_two {
        true => "two shares of 3.3 V, like `0.5,0.1`",
        false => "a share of 3.3 V, like `0.5`",
    };
    let word = cursor.need("`set`", wanted)?;
    let mut texts = word.text.split(',');
    let (x, y, more) = (texts.next().unwrap_or_default(), texts.next(), texts.next());
    if y.is_some() != has_two || more.is_some() {
        let (name, text) = (control.name(), word.text.to_owned());
        return Err(LineFault::new(word.column, PartError::Axes { name, has_two, word: text }));
    }
    let y_column = word.column + x.chars().count() as u32 + 1;
    let x = share(Word { text: x, column: word.column })?;
    let y = y.map(|text| share(Word { text, column: y_column })).transpose()?;
    Ok(Action::Move { control, movement: Movement::Set { x, y } })
}

/// Refuses the name of a control where a button must follow `verb`.
pub(super) fn refuse_control(
    cursor: &Cursor<'_>,
    verb: &str,
    parts: &BoardParts,
) -> Result<(), LineFault> {
    let Some(word) = cursor.clone().word() else { return Ok(()) };
    match parts.controls.named(word.text) {
        Some(control) if parts.buttons.named(word.text).is_none() => {
            let verb = verb.to_owned();
            Err(LineFault::new(word.column, PartError::NotAButton { control, verb }))
        }
        _ => Ok(()),
    }
}

/// Reads the name of a control of one of these kinds.
pub(super) fn control(
    cursor: &mut Cursor<'_>,
    parts: &BoardParts,
    verb: &'static str,
    kinds: &'static [ControlKind],
) -> Result<Control, LineFault> {
    let known: Vec<&'static str> = parts
        .controls
        .all()
        .iter()
        .filter(|control| is_one_of(kinds, control.kind()))
        .map(|control| control.name())
        .collect();
    let wanted = match known.as_slice() {
        [] => format!("the name of {}", a_kind(kinds)),
        known => format!("the name of {}: {}", a_kind(kinds), known.join(", ")),
    };
    let word = cursor.need(&format!("`{verb}`"), &wanted)?;
    let fault = |kind| Err(LineFault::new(word.column, kind));
    match parts.controls.named(word.text) {
        Some(control) if is_one_of(kinds, control.kind()) => return Ok(control),
        Some(control) => return fault(PartError::OtherControl { control, verb, kinds }),
        None => {}
    }
    if let Some(button) = parts.buttons.named(word.text) {
        return fault(PartError::IsAButton { button, verb, kinds });
    }
    let name = word.text.to_owned();
    match known.is_empty() {
        true => fault(PartError::NoControl { verb, kinds }),
        false => fault(PartError::UnknownControl { kinds, word: name, known }),
    }
}

fn is_one_of(kinds: &[ControlKind], kind: ControlKind) -> bool {
    kinds.iter().any(|own| own.is_like(kind))
}

fn detents(word: Word<'_>) -> Result<i16, LineFault> {
    let fault = |kind: PartError| Err(LineFault::new(word.column, kind));
    let text = word.text.to_owned();
    let digits = text.strip_prefix('-').unwrap_or(&text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return fault(PartError::NotDetents(text));
    }
    match text.parse::<i16>() {
        Ok(0) => fault(PartError::NoDetents),
        Ok(by) if (-TURN_MAX..=TURN_MAX).contains(&by) => Ok(by),
        _ => fault(PartError::TooManyDetents(text)),
    }
}

/// Checks the duration of a turn by `by` detents.
fn duration((column, over): (u32, Nanos), by: i16) -> Result<Nanos, LineFault> {
    let least = Nanos(TURN_DETENT_MIN.0 * u64::from(by.unsigned_abs()));
    match (least..=TURN_LONGEST).contains(&over) {
        true => Ok(over),
        false => Err(LineFault::new(column, PartError::TurnDuration { over, least })),
    }
}

fn share(word: Word<'_>) -> Result<Share, LineFault> {
    let text = || word.text.to_owned();
    Share::read(word.text).map_err(|error| {
        let kind = match error {
            ShareError::NotANumber if is_negative(word.text) => PartError::ShareOutOfRange(text()),
            ShareError::NotANumber => PartError::NotAShare(text()),
            ShareError::TooLarge => PartError::ShareOutOfRange(text()),
        };
        LineFault::new(word.column, kind)
    })
}

/// Returns whether the text is a number below zero.
fn is_negative(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|number| Share::read(number) != Err(ShareError::NotANumber))
}

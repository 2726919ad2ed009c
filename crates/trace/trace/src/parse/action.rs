//! Reads a verb and its arguments. [`super::expect`] reads the arguments of `expect`.
//!
//! To add a verb: its word in [`VERBS`], its arm in [`action`], its variant of [`Action`].

use super::expect::expect;
use super::words::{button, name, span, unknown};
use super::{control, display, fault, touch};
use crate::action::Action;
use crate::board_parts::BoardParts;
use crate::error::{LineFault, ParseErrorKind};
use crate::screenshot::Screenshot;
use crate::token::{Cursor, Word};
use virtual_time::Nanos;

/// Verbs of timed lines.
pub(super) const VERBS: [&str; 17] = [
    "power",
    "tap",
    "press",
    "release",
    "turn",
    "switch",
    "set",
    "touch",
    "drag",
    "lift",
    "type",
    "expect",
    "wait",
    "settle",
    "fault",
    "screenshot",
    "end",
];

pub(super) fn action(
    verb: Word<'_>,
    cursor: &mut Cursor<'_>,
    parts: &BoardParts,
) -> Result<Action, LineFault> {
    let behind = format!("`{}`", verb.text);
    if matches!(verb.text, "tap" | "press" | "release") {
        control::refuse_control(cursor, verb.text, parts)?;
    }
    Ok(match verb.text {
        "power" => {
            let state = cursor.need("`power`", "`on` or `off`")?;
            match state.text {
                "on" => Action::PowerOn,
                "off" => Action::PowerOff,
                _ => return Err(unknown(state, "state of the power", &["on", "off"])),
            }
        }
        "tap" => {
            let button = button(&behind, cursor, &parts.buttons)?;
            let hold = match cursor.clone().word() {
                None => None,
                Some(word) if word.text != "for" => {
                    let kind = ParseErrorKind::AfterTap { button, word: word.text.to_owned() };
                    return Err(LineFault::new(word.column, kind));
                }
                Some(_) => Some(span(cursor, "for", "`tap`")?),
            };
            if let Some((column, Nanos::ZERO)) = hold {
                return Err(LineFault::new(column, ParseErrorKind::TapForNoTime));
            }
            Action::Tap { button, hold: hold.map(|(_, hold)| hold) }
        }
        "press" => Action::Press(button(&behind, cursor, &parts.buttons)?),
        "release" => Action::Release(button(&behind, cursor, &parts.buttons)?),
        "turn" => control::turn(cursor, parts)?,
        "switch" => control::switch(cursor, parts)?,
        "set" => control::set(cursor, parts)?,
        "touch" => touch::touch(cursor, parts)?,
        "drag" => touch::drag(cursor, parts)?,
        "lift" => touch::lift(cursor, parts)?,
        "type" => match cursor.clone().word() {
            Some(word) if word.text == "bytes" => {
                cursor.word();
                Action::TypeBytes(cursor.quoted_bytes("`type bytes`")?)
            }
            _ => Action::Type(cursor.quoted_line("`type`")?),
        },
        "expect" => expect(cursor, parts)?,
        "wait" => {
            let what = cursor.need("`wait`", "what is waited for: `text` or `console`")?;
            let behind = format!("`wait {}`", what.text);
            match what.text {
                "text" => {
                    let text = cursor.quoted(&behind)?;
                    let display = display::optional(cursor, parts)?;
                    let within = span(cursor, "within", &behind)?.1;
                    Action::WaitText { text, display, within }
                }
                "console" => {
                    let text = cursor.quoted(&behind)?;
                    let within = span(cursor, "within", &behind)?.1;
                    Action::WaitConsole { text, within }
                }
                _ => return Err(unknown(what, "thing to wait for", &["text", "console"])),
            }
        }
        "settle" => {
            let display = display::optional(cursor, parts)?;
            Action::Settle { display, within: span(cursor, "within", "`settle`")?.1 }
        }
        "fault" => Action::Fault(fault::read(cursor, parts)?),
        "screenshot" => {
            let name = name(cursor, "`screenshot`")?;
            Action::Screenshot(Screenshot { name, display: display::optional(cursor, parts)? })
        }
        "end" => Action::End,
        _ => return Err(unknown(verb, "verb", &VERBS)),
    })
}

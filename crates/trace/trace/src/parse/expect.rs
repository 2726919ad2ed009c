//! Reads the arguments of `expect`.
//!
//! To add an expectation: its word in [`EXPECTED`], its arm in [`expect`], its variant of
//! [`Action`], and its check in `replay/run`.

use super::words::{keyword, name, span, unknown};
use super::{display, frame_check, led, text_check};
use crate::action::Action;
use crate::board_parts::BoardParts;
use crate::budget::{bytes, comparison};
use crate::error::{LineFault, ParseErrorKind};
use crate::number::{hertz, time};
use crate::token::Cursor;
use virtual_time::Nanos;

const EXPECTED: [&str; 14] = [
    "text",
    "no",
    "frame",
    "frames",
    "settled",
    "tone",
    "console",
    "flash",
    "backlight",
    "led",
    "bus",
    "frame-time",
    "violations",
    "heap",
];
const SETTLED_FRAMES: &str = "`expect settled frames`";
/// Words that may follow `expect no`.
const NOT_EXPECTED: [&str; 4] = ["text", "tone", "console", "flash"];

pub(super) fn expect(cursor: &mut Cursor<'_>, parts: &BoardParts) -> Result<Action, LineFault> {
    let what = cursor.need("`expect`", "what is expected, like `text`, `frame` or `tone`")?;
    Ok(match what.text {
        "text" => Action::ExpectText(text_check::read(cursor, parts)?),
        "no" => not_expected(cursor, parts)?,
        "frame" => {
            let name = name(cursor, "`expect frame`")?;
            Action::ExpectFrame(frame_check::read(name, cursor, parts)?)
        }
        "frames" => frames(cursor, "`expect frames`", parts)?,
        "settled" => {
            keyword(cursor, "frames", "`expect settled`")?;
            frames(cursor, SETTLED_FRAMES, parts)?
        }
        "tone" => {
            let hertz = hertz(cursor.need("`expect tone`", "a frequency, like `880Hz`")?)?;
            Action::ExpectTone { hertz, lasted: length(cursor, "the frequency")? }
        }
        "console" => Action::ExpectConsole(cursor.quoted("`expect console`")?),
        "flash" => Action::ExpectFlash(cursor.quoted("`expect flash`")?),
        "backlight" => {
            let state = cursor.need("`expect backlight`", "`on` or `off`")?;
            let on = match state.text {
                "on" => true,
                "off" => false,
                _ => return Err(unknown(state, "state of the backlight", &["on", "off"])),
            };
            Action::ExpectBacklight { on, display: display::optional(cursor, parts)? }
        }
        "led" => Action::ExpectLed(led::read(cursor, parts)?),
        "bus" => {
            let comparison = comparison(cursor, "`expect bus`", "40kB")?;
            let (column, bytes) = bytes(cursor.need("the comparison", "a size, like `40kB`")?)?;
            comparison.check(column, bytes, "bytes")?;
            let (column, within) = span(cursor, "within", "`expect bus`")?;
            if within == Nanos::ZERO {
                return Err(LineFault::new(column, ParseErrorKind::WithinNoTime));
            }
            Action::ExpectBus { comparison, bytes, within }
        }
        "frame-time" => {
            let comparison = comparison(cursor, "`expect frame-time`", "45ms")?;
            let word = cursor.need("the comparison", "a time, like `45ms`")?;
            let limit = time(word)?;
            comparison.check(word.column, limit.0, "time")?;
            let display = display::optional(cursor, parts)?;
            Action::ExpectFrameTime { comparison, limit, display }
        }
        "violations" => {
            keyword(cursor, "none", "`expect violations`")?;
            Action::ExpectNoViolations
        }
        "heap" => {
            keyword(cursor, "none", "`expect heap`")?;
            Action::ExpectNoHeap
        }
        _ => return Err(unknown(what, "thing to expect", &EXPECTED)),
    })
}

/// Reads the arguments of `expect frames` or `expect settled frames`.
fn frames(
    cursor: &mut Cursor<'_>,
    what: &'static str,
    parts: &BoardParts,
) -> Result<Action, LineFault> {
    let (name, settled) = (name(cursor, what)?, what == SETTLED_FRAMES);
    Ok(Action::ExpectFrames { name, settled, display: display::optional(cursor, parts)? })
}

/// Reads the text after `expect no`.
fn not_expected(cursor: &mut Cursor<'_>, parts: &BoardParts) -> Result<Action, LineFault> {
    let wanted = "what is not expected: `text`, `tone`, `console` or `flash`";
    let what = cursor.need("`expect no`", wanted)?;
    Ok(match what.text {
        "text" => Action::ExpectNoText(text_check::read_absent(cursor, parts)?),
        "tone" => Action::ExpectNoTone { silent_for: length(cursor, "`expect no tone`")? },
        "console" => Action::ExpectNoConsole(cursor.quoted("`expect no console`")?),
        "flash" => Action::ExpectNoFlash(cursor.quoted("`expect no flash`")?),
        _ => return Err(unknown(what, "thing not to expect", &NOT_EXPECTED)),
    })
}

/// Reads an optional `for TIME` at the end of a line about tones; more than zero.
fn length(cursor: &mut Cursor<'_>, behind: &'static str) -> Result<Option<Nanos>, LineFault> {
    match cursor.clone().word() {
        None => Ok(None),
        Some(word) if word.text != "for" => {
            let kind = ParseErrorKind::AfterSound { behind, word: word.text.to_owned() };
            Err(LineFault::new(word.column, kind))
        }
        Some(_) => match span(cursor, "for", behind)? {
            (column, Nanos::ZERO) => Err(LineFault::new(column, ParseErrorKind::SoundForNoTime)),
            (_, span) => Ok(Some(span)),
        },
    }
}

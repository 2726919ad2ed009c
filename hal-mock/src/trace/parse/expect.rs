//! Reads what `expect` looks at.
//!
//! To add something: its word in [`EXPECTED`], its arm in [`expect`], its variant of [`Action`],
//! and in `replay/run` how it is looked at.

use super::words::{keyword, name, span, unknown};
use super::{frame_check, text_check};
use crate::Nanos;
use crate::trace::action::Action;
use crate::trace::budget::{bytes, comparison};
use crate::trace::error::{LineFault, ParseErrorKind};
use crate::trace::number::{hertz, time};
use crate::trace::token::Cursor;

const EXPECTED: [&str; 11] = [
    "text",
    "no",
    "frame",
    "frames",
    "settled",
    "tone",
    "console",
    "bus",
    "frame-time",
    "violations",
    "heap",
];

pub(super) fn expect(cursor: &mut Cursor<'_>) -> Result<Action, LineFault> {
    let what = cursor.need("`expect`", "what is expected, like `text`, `frame` or `tone`")?;
    Ok(match what.text {
        "text" => Action::ExpectText(text_check::read(cursor)?),
        "no" => {
            keyword(cursor, "text", "`expect no`")?;
            Action::ExpectNoText(text_check::read_absent(cursor)?)
        }
        "frame" => {
            let name = name(cursor, "`expect frame`")?;
            Action::ExpectFrame(frame_check::read(name, cursor)?)
        }
        "frames" => Action::ExpectFrames { name: name(cursor, "`expect frames`")?, settled: false },
        "settled" => {
            keyword(cursor, "frames", "`expect settled`")?;
            Action::ExpectFrames { name: name(cursor, "`expect settled frames`")?, settled: true }
        }
        "tone" => {
            Action::ExpectTone(hertz(cursor.need("`expect tone`", "a frequency, like `880Hz`")?)?)
        }
        "console" => Action::ExpectConsole(cursor.quoted("`expect console`")?),
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
            Action::ExpectFrameTime { comparison, limit }
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

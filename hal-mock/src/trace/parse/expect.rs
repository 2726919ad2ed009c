//! Reads what `expect` looks at.

use super::words::{keyword, name, unknown};
use crate::trace::Action;
use crate::trace::number::hertz;
use crate::trace::token::{Cursor, Fault};

const EXPECTED: [&str; 5] = ["text", "no", "frame", "tone", "console"];

pub(super) fn expect(cursor: &mut Cursor<'_>) -> Result<Action, Fault> {
    let what = cursor.need("`expect`", "`text`, `no text`, `frame`, `tone` or `console`")?;
    Ok(match what.text {
        "text" => Action::ExpectText(cursor.quoted("`expect text`")?),
        "no" => {
            keyword(cursor, "text", "`expect no`")?;
            Action::ExpectNoText(cursor.quoted("`expect no text`")?)
        }
        "frame" => Action::ExpectFrame(name(cursor, "`expect frame`")?),
        "tone" => {
            Action::ExpectTone(hertz(cursor.need("`expect tone`", "a frequency, like `880Hz`")?)?)
        }
        "console" => Action::ExpectConsole(cursor.quoted("`expect console`")?),
        _ => return Err(unknown(what, "thing to expect", &EXPECTED)),
    })
}

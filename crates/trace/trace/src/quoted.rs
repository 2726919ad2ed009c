//! A text in quotes as a trace has it.

use core::fmt::{self, Write as _};

/// A text in quotes, with its escapes.
pub(super) struct Quoted<'a>(pub(super) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_char('"')?;
        for letter in self.0.chars() {
            if matches!(letter, '"' | '\\') {
                out.write_char('\\')?;
            }
            out.write_char(letter)?;
        }
        out.write_char('"')
    }
}

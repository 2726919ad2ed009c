//! Quoted texts of the trace format.

use core::fmt::{self, Write as _};

/// Displays a text in quotes, with its escapes.
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

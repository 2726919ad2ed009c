//! A word that a person or a program has typed, as messages repeat it.

use core::fmt::{self, Write as _};

/// Characters of a word that a message repeats.
const SHOWN: usize = 24;

/// Writes a word in single quotes: its beginning, and no double quote, which would end the value that the message is in.
pub struct TypedWord<'l>(pub &'l str);

impl fmt::Display for TypedWord<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("'")?;
        for letter in self.0.chars().take(SHOWN) {
            out.write_char(if letter == '"' { '\'' } else { letter })?;
        }
        out.write_str(if self.0.len() > SHOWN { "...'" } else { "'" })
    }
}

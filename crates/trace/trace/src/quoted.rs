//! Quoted texts of the trace format.

use core::fmt::{self, Write as _};

/// Returns a text in quotes, with its escapes.
pub fn quoted(text: &str) -> String {
    Quoted(text).to_string()
}

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

/// Displays bytes in quotes: printable ASCII as it is, all else with an escape.
pub(super) struct QuotedBytes<'a>(pub(super) &'a [u8]);

impl fmt::Display for QuotedBytes<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_char('"')?;
        for byte in self.0 {
            match byte {
                b'"' | b'\\' => write!(out, "\\{}", char::from(*byte))?,
                b' '..=b'~' => out.write_char(char::from(*byte))?,
                b'\n' => out.write_str("\\n")?,
                b'\r' => out.write_str("\\r")?,
                b'\t' => out.write_str("\\t")?,
                other => write!(out, "\\x{other:02x}")?,
            }
        }
        out.write_char('"')
    }
}

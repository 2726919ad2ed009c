//! Bytes that were typed on the console, as the lines of a trace.
//!
//! Lines are ended and corrected as in the LCD board's firmware, so a
//! line of a trace is what the board received.

/// Maximum number of bytes of a line; the board accepts 96.
const LINE_MAX: usize = 512;

/// The line that is being typed.
#[derive(Clone, Debug, Default)]
pub struct TypedLine {
    text: String,
    /// Whether the line is too long or has a byte that is not printable ASCII: no trace can contain
    /// it, and the board refuses it.
    is_spoiled: bool,
}

impl TypedLine {
    /// Takes the next byte. Returns the line if the byte ends one that is not empty.
    pub fn take(&mut self, byte: u8) -> Option<String> {
        match byte {
            b'\r' | b'\n' => {
                let Self { text, is_spoiled } = std::mem::take(self);
                return Some(text).filter(|text| !is_spoiled && !text.trim().is_empty());
            }
            // Backspace and DEL.
            0x08 | 0x7F => drop(self.text.pop()),
            // Ctrl-C and Ctrl-U.
            0x03 | 0x15 => *self = Self::default(),
            b'\t' => self.text.push(' '),
            b' '..=b'~' if self.text.len() < LINE_MAX => self.text.push(char::from(byte)),
            _ => self.is_spoiled = true,
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(typed: &[u8]) -> Vec<String> {
        let mut line = TypedLine::default();
        typed.iter().filter_map(|byte| line.take(*byte)).collect()
    }

    #[test]
    fn lines_end_and_are_corrected_as_on_the_board() {
        assert_eq!(lines(b"get\r\nset game x\x08dots\n\n  \nhelp"), ["get", "set game dots"]);
        assert_eq!(lines(b"seed 1\x03get\tgame\r"), ["get game"]);
        assert_eq!(lines(b"get \xFF\nget\n"), ["get"]);
        assert_eq!(
            lines(&[b'x'; LINE_MAX + 1].iter().chain(b"\n").copied().collect::<Vec<_>>()),
            [""; 0]
        );
    }
}

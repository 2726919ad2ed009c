//! Lines typed on the console: bytes in, whole lines out.
//!
//! CR, LF or CRLF ends a line; empty lines are ignored. Backspace deletes a character, Ctrl-C and
//! Ctrl-U delete the whole line. A line that is too long, has lost bytes or contains other than
//! printable ASCII becomes a [`LineFault`] once it has ended: a partial line is never executed.
//! This module knows no command.

use core::fmt;

use heapless::String;

/// Length of the longest line in bytes, without its end.
pub const COMMAND: usize = 96;

/// A typed line, or its fault.
pub type InputLine = Result<String<COMMAND>, LineFault>;

/// Fault of a line, independent of its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineFault {
    /// The line has more than [`COMMAND`] bytes.
    TooLong,
    /// The line has bytes that are not printable ASCII.
    NotText,
    /// The UART has lost bytes of the line, or received them incorrectly.
    Lost,
}

impl fmt::Display for LineFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => {
                write!(out, "the line is too long; a line has at most {COMMAND} bytes")
            }
            Self::NotText => out.write_str("the line is not text; send printable ASCII only"),
            Self::Lost => {
                out.write_str("bytes were lost; wait for the answer to a line before the next one")
            }
        }
    }
}

impl core::error::Error for LineFault {}

/// The line that is being typed.
#[derive(Clone, Debug, Default)]
pub struct LineReader {
    text: String<COMMAND>,
    fault: Option<LineFault>,
}

impl LineReader {
    /// Creates an empty line.
    pub const fn new() -> Self {
        Self { text: String::new(), fault: None }
    }

    /// Adds the next byte. Returns the line if the byte ends one.
    pub fn take(&mut self, byte: u8) -> Option<InputLine> {
        match byte {
            b'\r' | b'\n' => {
                let line = core::mem::take(self);
                return match line.fault {
                    Some(fault) => Some(Err(fault)),
                    None if line.text.trim().is_empty() => None,
                    None => Some(Ok(line.text)),
                };
            }
            // Backspace and DEL: terminals send one or the other.
            0x08 | 0x7F => {
                self.text.pop();
            }
            // Ctrl-C and Ctrl-U.
            0x03 | 0x15 => *self = Self::new(),
            b'\t' => self.push(' '),
            b' '..=b'~' => self.push(char::from(byte)),
            _ => self.record_fault(LineFault::NotText),
        }
        None
    }

    /// Records that bytes of this line are missing or wrong.
    pub fn lost(&mut self) {
        self.record_fault(LineFault::Lost);
    }

    fn push(&mut self, letter: char) {
        if self.text.push(letter).is_err() {
            self.record_fault(LineFault::TooLong);
        }
    }

    /// Records a fault; the first one of a line is reported.
    fn record_fault(&mut self, fault: LineFault) {
        self.fault.get_or_insert(fault);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &[Result<&str, LineFault>]) {
        let mut reader = LineReader::new();
        let lines: heapless::Vec<InputLine, 8> =
            bytes.iter().filter_map(|byte| reader.take(*byte)).collect();
        let lines: heapless::Vec<_, 8> = lines
            .iter()
            .map(|line| line.as_ref().map(|text| text.as_str()).map_err(|it| *it))
            .collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_line_ends_with_cr_lf_or_both() {
        check(b"get\nget game\r\n\r\n  \nhelp\rx", &[Ok("get"), Ok("get game"), Ok("help")]);
    }

    #[test]
    fn backspace_and_control_keys_delete_typed_text() {
        check(
            b"grt\x08\x7Fet\nset\x03get\nset \x15help\n\x08\n",
            &[Ok("get"), Ok("get"), Ok("help")],
        );
    }

    #[test]
    fn a_line_may_be_as_long_as_the_limit() {
        let mut long = [b'x'; COMMAND + 2];
        long[COMMAND] = b'\n';
        let text = core::str::from_utf8(&long[..COMMAND]).unwrap();
        check(&long[..=COMMAND], &[Ok(text)]);
        long[COMMAND] = b'x';
        long[COMMAND + 1] = b'\n';
        check(&long, &[Err(LineFault::TooLong)]);
    }

    #[test]
    fn a_line_with_other_bytes_is_refused_and_the_next_one_counts() {
        check(
            b"get\x00\n\xFFget\nget\n",
            &[Err(LineFault::NotText), Err(LineFault::NotText), Ok("get")],
        );
    }

    #[test]
    fn a_line_that_lost_bytes_is_refused_once_it_ends() {
        let mut reader = LineReader::new();
        assert_eq!(reader.take(b'g'), None);
        reader.lost();
        assert_eq!(reader.take(b't'), None);
        assert_eq!(reader.take(b'\n'), Some(Err(LineFault::Lost)));
        assert_eq!(reader.take(b'\n'), None);
    }

    #[test]
    fn a_tab_separates_words_as_a_space_does() {
        check(b"get\tgame\n", &[Ok("get game")]);
    }

    #[test]
    fn a_fault_explains_what_to_send_instead() {
        extern crate std;
        use std::string::ToString as _;
        assert!(LineFault::TooLong.to_string().contains("at most 96 bytes"));
        assert!(LineFault::NotText.to_string().contains("send printable ASCII"));
        assert!(LineFault::Lost.to_string().contains("wait for the answer"));
    }
}

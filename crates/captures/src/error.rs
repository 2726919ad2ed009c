//! What is wrong with a file of another format, and where.

use core::fmt;

/// Why a file cannot be read or carried over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatError {
    /// The file's name, as it was given.
    pub file: String,
    /// The line, from 1; `None` if no line is to blame.
    pub line: Option<u64>,
    /// The fact, the limit and the next step, as a sentence without a full stop.
    pub message: String,
}

impl FormatError {
    /// One of a line.
    pub fn at(file: &str, line: u64, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: Some(line), message: message.into() }
    }

    /// One of the whole file.
    pub fn of(file: &str, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: None, message: message.into() }
    }
}

/// `real.vcd:41: …` or `real.vcd: …`.
impl fmt::Display for FormatError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(out, ":{line}")?;
        }
        write!(out, ": {}", self.message)
    }
}

impl std::error::Error for FormatError {}

//! What is wrong in a key map.

use core::fmt;

/// What is wrong in a key map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeymapError {
    /// The file as it was named.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// The fact and the next step.
    pub message: String,
}

/// `board.keys:3:6: unknown key …`
impl fmt::Display for KeymapError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl std::error::Error for KeymapError {}

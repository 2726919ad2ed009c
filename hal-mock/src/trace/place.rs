//! A place in a file of text: a line and a column.

use core::fmt;

/// Where something stands in a file. Both count from 1; 0 means "not from a file".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column, in characters (a tab is one).
    pub column: u32,
}

/// `41:9`.
impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.line, self.column)
    }
}

//! Places in a text file (line and column), and places in files that a trace includes.

use core::fmt;
use std::sync::Arc;

/// A place in a file. Line and column count from 1; 0 means "not from a file".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub line: u32,
    /// Column in characters (a tab is one character).
    pub column: u32,
}

/// Writes `41:9`.
impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.line, self.column)
    }
}

/// A place in an included file: `boot.inc:3:9`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncludedPlace {
    /// Name of the included file, with the same folder prefix as the trace's name.
    pub file: Arc<str>,
    pub place: Place,
}

impl fmt::Display for IncludedPlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.file, self.place)
    }
}

/// The name of a line in an error of another line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineName {
    pub line: u32,
    /// File of the line, if it is not the file of the error.
    pub file: Option<Arc<str>>,
}

/// Writes `line 3`, or `line 3 of boot.inc`.
impl fmt::Display for LineName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}", self.line)?;
        match &self.file {
            Some(file) => write!(out, " of {file}"),
            None => Ok(()),
        }
    }
}

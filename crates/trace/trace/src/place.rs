//! A place in a file of text: a line and a column; and places in files that a trace includes.

use core::fmt;
use std::sync::Arc;

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

/// Where a line of an included file stands: `boot.inc:3:9`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncludedPlace {
    /// The included file, named as the trace that includes it.
    pub file: Arc<str>,
    /// The place in that file.
    pub place: Place,
}

impl fmt::Display for IncludedPlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.file, self.place)
    }
}

/// A line, as an error in another line names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineName {
    /// The line.
    pub line: u32,
    /// Its file, if that is not the file of the error.
    pub file: Option<Arc<str>>,
}

/// `line 3`, or `line 3 of boot.inc`.
impl fmt::Display for LineName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}", self.line)?;
        match &self.file {
            Some(file) => write!(out, " of {file}"),
            None => Ok(()),
        }
    }
}

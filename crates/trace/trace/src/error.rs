//! Why a trace cannot be read: the error with its place, and what is wrong as data.
//!
//! [`ParseErrorKind`] has a variant for each thing that can be wrong; `Display` words it. What
//! times, other amounts, frame checks, included files and the order of lines can have wrong are
//! enums of their own. It reads nothing: [`super::parse`] finds what is wrong.

mod amount;
mod frame_check;
mod include;
mod kind;
mod sequence;
mod time;

use core::fmt;

use thiserror::Error;

pub use amount::AmountError;
pub use frame_check::FrameCheckError;
pub use include::{IncludeError, IncludeReadError};
pub use kind::ParseErrorKind;
pub use sequence::SequenceError;
pub use time::TimeError;

use super::limits::ERRORS_KEPT;
use super::place::Place;

/// Why a trace cannot be read, and where: `win.trace:41:9: release of B3, which is not down`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}:{place}: {kind}")]
pub struct ParseError {
    /// The file's name, as it was given.
    pub file: String,
    /// Where the error is.
    pub place: Place,
    /// What is wrong.
    #[source]
    pub kind: ParseErrorKind,
}

impl ParseError {
    /// Whether the error is in a last line without a line end: what a recording ends with that was
    /// interrupted while it was written. [`whole_lines`](super::whole_lines) are those above it.
    pub fn is_torn(&self) -> bool {
        matches!(self.kind, ParseErrorKind::Torn(_))
    }

    /// The fact, the limit and the next step, without the file and the place.
    pub fn message(&self) -> String {
        self.kind.to_string()
    }
}

/// All that is wrong in a trace, in the order of its lines; at least one error. What follows only from
/// another error is not among them. `Display` is a line for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseErrors {
    first: Box<ParseError>,
    others: Vec<ParseError>,
    left_out: usize,
}

impl ParseErrors {
    pub(super) fn new(first: ParseError) -> Self {
        Self { first: Box::new(first), others: Vec::new(), left_out: 0 }
    }

    /// Adds an error, or counts it if there are [`ERRORS_KEPT`](super::ERRORS_KEPT).
    pub(super) fn push(&mut self, error: ParseError) {
        if self.others.len() + 1 < ERRORS_KEPT {
            self.others.push(error);
        } else {
            self.left_out += 1;
        }
    }

    /// The first one.
    pub fn first(&self) -> &ParseError {
        &self.first
    }

    /// Whether all that is wrong is a last line that was torn off.
    pub fn is_torn(&self) -> bool {
        self.others.is_empty() && self.first.is_torn()
    }

    /// Those that are kept.
    pub fn iter(&self) -> impl Iterator<Item = &ParseError> {
        core::iter::once(&*self.first).chain(&self.others)
    }

    /// How many more there are.
    pub fn left_out(&self) -> usize {
        self.left_out
    }
}

impl fmt::Display for ParseErrors {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.first)?;
        self.others.iter().try_for_each(|error| write!(out, "\n{error}"))?;
        match self.left_out {
            0 => Ok(()),
            count => write!(out, "\n{}: and {count} more", self.first.file),
        }
    }
}

impl core::error::Error for ParseErrors {}

/// What is wrong in a line, and in which column (from 1, in characters).
#[derive(Debug)]
pub(super) struct LineFault {
    pub(super) column: u32,
    pub(super) kind: ParseErrorKind,
}

impl LineFault {
    pub(super) fn new(column: u32, kind: impl Into<ParseErrorKind>) -> Self {
        Self { column, kind: kind.into() }
    }

    /// The fault of a last line without a line end.
    pub(super) fn torn(self) -> Self {
        Self { kind: ParseErrorKind::Torn(self.kind.into()), ..self }
    }
}

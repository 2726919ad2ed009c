//! Errors of reading a trace, with their places.
//!
//! [`ParseErrorKind`] has a variant for every kind of error; `Display` words it. Errors of times,
//! of other amounts, of controls and LEDs, of frame checks, of included files and of the order of
//! lines have their own enums. This module reads nothing: [`super::parse()`] finds the errors.

mod amount;
mod board;
mod frame_check;
mod header_note;
mod include;
mod kind;
mod part;
mod sequence;
mod time;

use core::fmt;

use thiserror::Error;

pub use amount::AmountError;
pub use board::BoardError;
pub use frame_check::FrameCheckError;
pub use header_note::HeaderNoteError;
pub use include::{IncludeError, IncludeReadError};
pub use kind::ParseErrorKind;
pub use part::PartError;
pub(super) use part::a_kind;
pub use sequence::SequenceError;
pub use time::TimeError;

use super::limits::ERRORS_MAX;
use super::place::Place;

/// An error in a trace, with its place: `win.trace:41:9: release of B3, which is not down`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}:{place}: {kind}")]
pub struct ParseError {
    /// Name of the file, as the caller gave it.
    pub file: String,
    pub place: Place,
    #[source]
    pub kind: ParseErrorKind,
}

impl ParseError {
    /// Returns whether the error is in a last line without a line end: the end of a recording that
    /// was interrupted while it was written. [`whole_lines`](super::whole_lines) returns the lines
    /// above it.
    pub fn is_torn(&self) -> bool {
        matches!(self.kind, ParseErrorKind::Torn(_))
    }

    /// Returns the fact, the limit and the next step, without the file and the place.
    pub fn message(&self) -> String {
        self.kind.to_string()
    }
}

/// All errors of a trace, in the order of its lines; at least one. An error that only follows from
/// another one is left out. `Display` writes one line per error.
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

    /// Adds an error, or only counts it if [`ERRORS_MAX`] are stored.
    pub(super) fn push(&mut self, error: ParseError) {
        if self.others.len() + 1 < ERRORS_MAX {
            self.others.push(error);
        } else {
            self.left_out += 1;
        }
    }

    /// Returns the first error.
    pub fn first(&self) -> &ParseError {
        &self.first
    }

    /// Returns whether the only error is a torn last line.
    pub fn is_torn(&self) -> bool {
        self.others.is_empty() && self.first.is_torn()
    }

    /// Returns the stored errors.
    pub fn iter(&self) -> impl Iterator<Item = &ParseError> {
        core::iter::once(&*self.first).chain(&self.others)
    }

    /// Returns the number of errors that were counted but not stored.
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

/// An error in a line and its column (from 1, in characters).
#[derive(Debug)]
pub(super) struct LineFault {
    pub(super) column: u32,
    pub(super) kind: ParseErrorKind,
}

impl LineFault {
    pub(super) fn new(column: u32, kind: impl Into<ParseErrorKind>) -> Self {
        Self { column, kind: kind.into() }
    }

    /// Marks the fault as one of a last line without a line end.
    pub(super) fn torn(self) -> Self {
        Self { kind: ParseErrorKind::Torn(self.kind.into()), ..self }
    }
}

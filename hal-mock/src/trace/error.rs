//! Why a trace cannot be read: the error with its place, and what is wrong as data.
//!
//! [`ParseErrorKind`] has a variant for each thing that can be wrong; `Display` words it. What
//! times, other amounts, frame checks and the order of lines can have wrong are enums of their
//! own. It reads nothing: [`super::parse`] finds what is wrong.

mod amount;
mod frame_check;
mod kind;
mod sequence;
mod time;

use std::io;

use thiserror::Error;

pub use amount::AmountError;
pub use frame_check::FrameCheckError;
pub use kind::ParseErrorKind;
pub use sequence::SequenceError;
pub use time::TimeError;

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

/// Why [`load`](super::load) has no trace.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("{file}: {error}")]
    Io {
        /// Its name.
        file: String,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// It can be read, but is no trace.
    #[error(transparent)]
    Parse(#[from] ParseError),
}

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

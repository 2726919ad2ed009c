//! Errors in header lines about the trace itself.

use thiserror::Error;

use crate::name::NAME_CHARS_MAX;
use crate::spoken::abbreviated;

/// An error in the value of `xfail` or `tags`. Words are stored as they were written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HeaderNoteError {
    /// A word that is no day of the calendar.
    #[error("{} is no date; write one like 2027-01-31", abbreviated(.0))]
    NotADate(String),
    /// A tag with characters that tags cannot have.
    #[error(
        "{} is no tag; a tag is 1 to {NAME_CHARS_MAX} of: letters, digits, - and _", abbreviated(.0)
    )]
    NotATag(String),
    /// A repeated tag.
    #[error("the tag {} is in this line already", abbreviated(.0))]
    TagTwice(String),
}

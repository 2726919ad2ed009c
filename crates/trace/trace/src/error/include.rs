//! Errors of `include`.

use thiserror::Error;

use crate::limits::INCLUDE_DEPTH_MAX;
use crate::spoken::abbreviated;

/// The reason why a file cannot be included. `Display` is a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum IncludeError {
    /// A path that begins at the root; as it was written.
    #[error("{} is absolute; name the file from the folder of this one", abbreviated(.0))]
    Absolute(String),
    /// A path with characters that paths cannot have, or with an empty part; as it was written.
    #[error(
        "{} is no path to include; a path has letters, digits, -, _ and . between single /",
        abbreviated(.0)
    )]
    NotAPath(String),
    /// A file with another ending; as it was written.
    #[error(
        "{} is not named *.inc; only such files are included, and no folder of traces runs them",
        abbreviated(.0)
    )]
    NotNamedInc(String),
    /// A file that includes itself, directly or through others.
    #[error("{file} is included already, and this line is a part of it; it would have no end")]
    Cycle { file: String },
    /// Too many nested `include`s.
    #[error("included files are at most {INCLUDE_DEPTH_MAX} deep")]
    TooDeep,
    /// A file that cannot be read.
    #[error("{file}: {reason}")]
    Unreadable { file: String, reason: IncludeReadError },
    /// A file without timed lines.
    #[error("{file} has no timed line")]
    Empty { file: String },
    /// A line in an included file that is allowed only in a trace; its first word.
    #[error(
        "an included file has timed lines only, and no {}; `trace 1` and the header belong in the \
         trace that includes it", abbreviated(.0)
    )]
    NotTimed(String),
    /// `include` after a time.
    #[error("`include` has no time; the lines of the file have their own")]
    WithTime,
    /// A word that is nearly `include`; as it was written.
    #[error("unknown word {}; did you mean `include`?", abbreviated(.0))]
    Misspelt(String),
}

/// The reason why a file's contents are missing. `Display` is a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum IncludeReadError {
    /// There is no such file.
    #[error("there is no such file")]
    NotFound,
    /// A folder, a FIFO, a device.
    #[error("it is no regular file")]
    NotRegular,
    /// The including text does not come from a file.
    #[error("this text comes from no file, so it can include none")]
    NoFiles,
    /// Another reason; the operating system's message.
    #[error("{0}")]
    Other(String),
}

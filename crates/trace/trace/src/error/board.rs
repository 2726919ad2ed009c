//! Errors of the header line `board`.

use thiserror::Error;

use super::include::IncludeReadError;
use crate::button::ButtonsError;
use crate::spoken::abbreviated;

/// The reason why a header cannot name a board. `Display` is a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BoardError {
    /// A path that begins at the root; as it was written.
    #[error("{} is absolute; name the board file from the folder of the trace", abbreviated(.0))]
    Absolute(String),
    /// A path with `\`, `:` or an empty part; as it was written.
    #[error(
        "{} is no path of a board file; it is relative, with a single / between folders",
        abbreviated(.0)
    )]
    NotAPath(String),
    /// A file with another ending; as it was written.
    #[error("{} is no board file; its name ends in .toml, like pad.board.toml", abbreviated(.0))]
    NotToml(String),
    /// A file that cannot be read.
    #[error("the board file {file}: {reason}")]
    Unreadable { file: String, reason: IncludeReadError },
    /// A file with errors: the message of its reader, with file, line and column.
    #[error("the board file has an error: {0}")]
    Wrong(String),
    /// Names that buttons and other parts cannot have.
    #[error("the board file {file}: {error}")]
    Buttons { file: String, error: ButtonsError },
}

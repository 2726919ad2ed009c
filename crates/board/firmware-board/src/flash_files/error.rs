//! Errors of files in flash, as data and as sentences.

use std::path::PathBuf;

use firmware_core::history::saved::SavedError;
use firmware_core::name::{NAME_CHARACTERS, Name};
use firmware_core::storage::StorageError;
use firmware_core::storage::files::{FileKind, MAX_FILES, MOST_BYTES};
use trace::{Place, counted};

use super::kind::kind_name;
use crate::game_text::GameTextError;

/// Reason why the content of a file in flash cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContentError {
    /// The bytes cannot be read from the flash.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The bytes are not a saved game.
    #[error(transparent)]
    SavedGame(#[from] SavedError),
    /// The bytes of a log are not UTF-8.
    #[error("it is no text")]
    NotText,
}

/// Reason why a file cannot be put into the flash.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PutError {
    /// The flash has too little room left.
    #[error(
        "{} {name} ({bytes} bytes) finds no room in the flash beside {}, of which there \
         can be {MAX_FILES}; `nudge flash delete` makes room",
        kind_name(*kind),
        counted(*files, "file")
    )]
    NoRoom {
        kind: FileKind,
        name: Name,
        /// Size of the file in flash, in bytes.
        bytes: usize,
        /// Number of files in the flash.
        files: usize,
    },
    /// The flash cannot be written.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Reason why a text is neither a saved game nor a log. `Display` begins with the file's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// The text is not a saved game.
    #[error(transparent)]
    Game(#[from] GameTextError),
    /// The log is longer than the board's maximum.
    #[error("{file}: a log has at most {MOST_BYTES} bytes, not {bytes}")]
    LogTooLong {
        /// File name as it was given.
        file: String,
        /// Size of the text in bytes.
        bytes: usize,
    },
    /// The log has a character that the board cannot show.
    #[error("{file}:{place}: a log has printable ASCII letters only")]
    LogLetter {
        /// File name as it was given.
        file: String,
        /// Position of the character.
        place: Place,
    },
}

/// The text is not a valid name on the board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no name on the board, which is 1 to {NAME_CHARACTERS} of A to Z, 0 to 9 and -")]
pub struct NameError(pub String);

/// The name of a file on this computer gives no valid name on the board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {source}; give it one by --name", path.display())]
pub struct FileNameError {
    /// Path as it was given.
    pub path: PathBuf,
    /// Error in the part before the first dot.
    pub source: NameError,
}

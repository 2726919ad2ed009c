//! What can be wrong with files in flash, as data and as sentences.

use std::path::PathBuf;

use firmware_core::history::saved::SavedError;
use firmware_core::name::{NAME_CHARACTERS, Name};
use firmware_core::storage::StorageError;
use firmware_core::storage::files::{FileKind, MOST_BYTES, MOST_FILES};
use trace::{Place, counted};

use super::kind::kind_name;
use crate::game_text::GameTextError;

/// Why the content of a file in flash cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContentError {
    /// Its bytes cannot be read from the flash.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The bytes are no saved game.
    #[error(transparent)]
    SavedGame(#[from] SavedError),
    /// The bytes of a log are not UTF-8.
    #[error("it is no text")]
    NotText,
}

/// Why a file cannot be put into the flash.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PutError {
    /// The flash has too little room left.
    #[error(
        "{} {name} ({bytes} bytes) finds no room in the flash beside {}, of which there \
         can be {MOST_FILES}; `nudge flash delete` makes room",
        kind_name(*kind),
        counted(*files, "file")
    )]
    NoRoom {
        /// Saved game or log.
        kind: FileKind,
        /// Its name.
        name: Name,
        /// Its size in flash.
        bytes: usize,
        /// The files that are there.
        files: usize,
    },
    /// The flash cannot be written.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Why a text is neither a saved game nor a log. `Display` begins with the file's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// It is no saved game.
    #[error(transparent)]
    Game(#[from] GameTextError),
    /// The log is longer than the flash takes.
    #[error("{file}: a log has at most {MOST_BYTES} bytes, not {bytes}")]
    LogTooLong {
        /// The file as it was named.
        file: String,
        /// Its size.
        bytes: usize,
    },
    /// The log has a letter that the board cannot show.
    #[error("{file}:{place}: a log has printable ASCII letters only")]
    LogLetter {
        /// The file as it was named.
        file: String,
        /// Where.
        place: Place,
    },
}

/// Why a text is no name on the board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no name on the board, which is 1 to {NAME_CHARACTERS} of A to Z, 0 to 9 and -")]
pub struct NameError(pub String);

/// Why the name of a file of this computer gives no name on the board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {source}; give it one by --name", path.display())]
pub struct FileNameError {
    /// The file as it was named.
    pub path: PathBuf,
    /// What is wrong with the part before its first dot.
    pub source: NameError,
}

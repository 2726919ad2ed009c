//! Names of files: on the board and on a computer.

use std::path::Path;

use firmware_core::name::Name;
use firmware_core::storage::files::FileKind;

use super::error::{FileNameError, NameError};
use super::kind::kind_name;

/// Returns the name of the text file on a computer: `FRIDAY.game.txt`, `FRIDAY.log.txt`.
pub fn file_name(kind: FileKind, name: Name) -> String {
    format!("{name}.{}.txt", kind_name(kind))
}

/// Returns the name on the board for a text file on a computer: the part before its first dot.
///
/// # Errors
/// If that part is not a valid name.
pub fn name_of(path: &Path) -> Result<Name, FileNameError> {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = file.split('.').next().unwrap_or_default();
    name(stem).map_err(|source| FileNameError { path: path.to_owned(), source })
}

/// Converts `text` to a name on the board, in capital letters.
///
/// # Errors
/// If it is not a valid name.
pub fn name(text: &str) -> Result<Name, NameError> {
    Name::new(&text.to_ascii_uppercase()).ok_or_else(|| NameError(text.to_owned()))
}

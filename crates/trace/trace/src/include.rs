//! `include`: the syntax of its path, the file that it names, and the source that reads the file.
//!
//! This module opens no file: an [`IncludeSource`] does.

use std::path::Path;
use std::sync::Arc;

use super::error::{BoardError, IncludeError, IncludeReadError};
use crate::board_parts::BoardParts;

/// First word of a line that includes a file.
pub(super) const INCLUDE: &str = "include";
/// Required ending of the names of included files.
const ENDING: &str = ".inc";

/// Reads the files that a trace includes, and the board file that its header names.
pub trait IncludeSource {
    /// Returns the bytes of the file at `path`. For a file of more than `limit` bytes, any number
    /// of bytes above `limit` suffices.
    ///
    /// # Errors
    /// If the file cannot be read.
    fn read(&mut self, path: &Path, limit: usize) -> Result<Arc<[u8]>, IncludeReadError>;

    /// Returns the parts of the board that the file at `path` describes.
    ///
    /// # Errors
    /// If the file cannot be read, or has errors.
    fn board(&mut self, path: &Path) -> Result<BoardParts, BoardError> {
        let reason = IncludeReadError::NoFiles;
        Err(BoardError::Unreadable { file: path.display().to_string(), reason })
    }
}

/// The source for a text that does not come from a file: it has no files.
#[derive(Clone, Copy, Debug)]
pub struct NoIncludes;

impl IncludeSource for NoIncludes {
    fn read(&mut self, _: &Path, _: usize) -> Result<Arc<[u8]>, IncludeReadError> {
        Err(IncludeReadError::NoFiles)
    }
}

/// Refuses a path, as it is written, that no header can name as its board file.
pub(super) fn check_board_path(path: &str) -> Result<(), BoardError> {
    if path.starts_with('/') {
        return Err(BoardError::Absolute(path.to_owned()));
    }
    if path.contains(['\\', ':']) || path.split('/').any(str::is_empty) {
        return Err(BoardError::NotAPath(path.to_owned()));
    }
    if path.ends_with(".toml") { Ok(()) } else { Err(BoardError::NotToml(path.to_owned())) }
}

/// Refuses a path, as it is written, that cannot be included.
pub(super) fn check_path(path: &str) -> Result<(), IncludeError> {
    if path.starts_with('/') {
        return Err(IncludeError::Absolute(path.to_owned()));
    }
    let in_alphabet = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
    if !path.bytes().all(in_alphabet) || path.split('/').any(str::is_empty) {
        return Err(IncludeError::NotAPath(path.to_owned()));
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.strip_suffix(ENDING) {
        None | Some("") => Err(IncludeError::NotNamedInc(path.to_owned())),
        Some(_) => Ok(()),
    }
}

/// Returns the path without `.` and, where a folder precedes it, without `..`. Two names of one
/// file are then equal, unless a link leads to the file.
pub(super) fn plain_path(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match (part, parts.last()) {
            ("." | "", _) => {}
            ("..", Some(&last)) if last != ".." => drop(parts.pop()),
            (part, _) => parts.push(part),
        }
    }
    parts.join("/")
}

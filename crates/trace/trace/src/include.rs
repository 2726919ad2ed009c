//! `include`: how a path is written, which file it names, and who reads that file.
//!
//! It opens no file: an [`IncludeSource`] does.

use std::path::Path;
use std::sync::Arc;

use super::error::{IncludeError, IncludeReadError};

/// The word of a line that includes a file.
pub(super) const INCLUDE: &str = "include";
/// How the names of included files end.
const ENDING: &str = ".inc";

/// Reads the files that a trace includes.
pub trait IncludeSource {
    /// The bytes of the file at `path`. Of one with more than `limit` bytes, more than `limit` of
    /// them are enough.
    ///
    /// # Errors
    /// If it cannot be read.
    fn read(&mut self, path: &Path, limit: usize) -> Result<Arc<[u8]>, IncludeReadError>;
}

/// The source for a text that comes from no file: it has no files.
#[derive(Clone, Copy, Debug)]
pub struct NoIncludes;

impl IncludeSource for NoIncludes {
    fn read(&mut self, _: &Path, _: usize) -> Result<Arc<[u8]>, IncludeReadError> {
        Err(IncludeReadError::NoFiles)
    }
}

/// Refuses a path that cannot be included, as it is written.
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

/// The path without `.` and, as far as a folder precedes it, without `..`: two names of one file are
/// equal then, unless a link leads to it.
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

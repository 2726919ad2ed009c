//! The files of a recording. It knows no window.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use output_files::Log;

use super::error::RunError;
use crate::live::Sink;

/// Creates the file to record into; one that exists is an error and stays as it is.
pub(super) fn create_new(path: &Path) -> Result<Sink, RunError> {
    match Log::create(path) {
        Ok(log) => Ok(Box::new(log)),
        Err(error) => Err(RunError::Record { path: path.to_owned(), error: error.into() }),
    }
}

/// Writes `image` into a file of [`create_new`].
pub(super) fn fill(mut file: Sink, path: &Path, image: &[u8]) -> Result<(), RunError> {
    file.write_all(image).map_err(|error| RunError::Record { path: path.to_owned(), error })
}

/// Removes a file of [`create_new`] into which nothing was recorded.
pub(super) fn discard(path: Option<&Path>) {
    if let Some(path) = path {
        // A file that cannot be removed has only the lines of a header.
        let _ = fs::remove_file(path);
    }
}

/// The file's name without its folders and ending, for the board's status line.
pub(super) fn short_name(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_recording_overwrites_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("win.trace");
        create_new(&path).unwrap().write_all(b"trace 1\n").unwrap();
        let error = create_new(&path).err().unwrap();
        assert!(error.to_string().ends_with("overwrites nothing; name another file"), "{error}");
        assert_eq!(error.exit_code(), 2);
        assert_eq!(fs::read(&path).unwrap(), b"trace 1\n");
    }
}

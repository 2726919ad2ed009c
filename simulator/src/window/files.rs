//! The files that a session leaves: its recording and its flash. Knows no window.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::RunError;
use crate::live::Sink;

/// Makes the file to record into; one that exists is an error and stays as it is.
pub(super) fn create_new(path: &Path) -> Result<Sink, RunError> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    match file {
        // Unbuffered: a line is on its way to the disk before the next comes.
        Ok(file) => Ok(Box::new(file)),
        Err(error) => Err(RunError::Record { path: path.to_owned(), error }),
    }
}

/// Writes `image` into a file of [`create_new`].
pub(super) fn fill(mut file: Sink, path: &Path, image: &[u8]) -> Result<(), RunError> {
    file.write_all(image).map_err(|error| RunError::Record { path: path.to_owned(), error })
}

/// Takes back a file of [`create_new`] into which nothing was recorded.
pub(super) fn discard(path: Option<&Path>) {
    if let Some(path) = path {
        // If it stays, it stays as a few lines without an event.
        let _ = fs::remove_file(path);
    }
}

/// The file's name without its folders and ending, for the board's status line.
pub(super) fn short_name(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Replaces `path` by `image` in one go: a crash leaves the old flash or the new one.
pub(super) fn keep_flash(path: &Path, image: &[u8]) -> Result<(), RunError> {
    let failed = |error: io::Error| RunError::Flash { path: path.to_owned(), error };
    if fs::read(path).is_ok_and(|kept| kept == image) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let beside = beside(path);
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(image)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&beside, path)).map_err(|error| {
        let _ = fs::remove_file(&beside);
        failed(error)
    })
}

/// A name in the same folder, so that renaming needs no copying.
fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".new");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn the_flash_is_replaced_whole_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new").join("flash.bin");
        keep_flash(&path, &[1, 2, 3]).unwrap();
        keep_flash(&path, &[4]).unwrap();
        assert_eq!(fs::read(&path).unwrap(), [4]);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        let error = keep_flash(folder.path(), &[1]).unwrap_err();
        assert!(error.to_string().starts_with("cannot keep the board's flash"), "{error}");
    }
}

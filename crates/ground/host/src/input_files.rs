//! Opens the files that a user names. Only regular files are opened: a FIFO would wait for a
//! writer, a device may have no end.
//!
//! [`open`] is for readers that process a file piece by piece, [`read`] for those that need the
//! whole file. A folder is opened, and the operating system refuses to read it. Links are followed.
//! The crate knows no format.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use thiserror::Error;

/// The kind of object found in place of a regular file. [`open`] returns it inside an
/// [`io::Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotRegular {
    /// A FIFO: a reader would wait for a writer.
    #[error("it is a FIFO; a regular file is needed")]
    Fifo,
    /// A device.
    #[error("it is a device; a regular file is needed")]
    Device,
    /// Anything else, such as a socket.
    #[error("it is no regular file")]
    Other,
}

/// Returns whether `error` reports something other than a regular file.
pub fn is_not_regular(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<NotRegular>())
}

/// Opens the regular file at `path` for reading, without waiting.
///
/// # Errors
/// [`NotRegular`] in an error of kind [`ErrorKind::InvalidInput`], or the operating system's error.
pub fn open(path: &Path) -> io::Result<File> {
    // The kind is checked before opening: opening a FIFO would wait for a writer.
    let found = fs::metadata(path)?;
    if found.is_file() || found.is_dir() {
        return File::open(path);
    }
    Err(io::Error::new(ErrorKind::InvalidInput, special(&found)))
}

/// Returns the bytes of the regular file at `path`, at most `limit` + 1 of them: more than `limit`
/// bytes mean that the file is too large.
///
/// # Errors
/// As [`open`].
pub fn read(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take((limit as u64).saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(unix)]
fn special(found: &fs::Metadata) -> NotRegular {
    use std::os::unix::fs::FileTypeExt;

    let kind = found.file_type();
    if kind.is_fifo() {
        NotRegular::Fifo
    } else if kind.is_char_device() || kind.is_block_device() {
        NotRegular::Device
    } else {
        NotRegular::Other
    }
}

#[cfg(not(unix))]
fn special(_: &fs::Metadata) -> NotRegular {
    NotRegular::Other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[track_caller]
    fn check(path: &Path, expected: NotRegular) {
        let error = open(path).unwrap_err();
        assert!(is_not_regular(&error), "{error}");
        assert_eq!(error.to_string(), expected.to_string());
    }

    #[test]
    fn only_regular_files_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path(), 10).unwrap_err().kind(), ErrorKind::IsADirectory);
        let missing = open(&folder.path().join("none")).unwrap_err();
        assert_eq!((missing.kind(), is_not_regular(&missing)), (ErrorKind::NotFound, false));
        let file = folder.path().join("file");
        fs::write(&file, b"0123456789").unwrap();
        assert_eq!(read(&file, 10).unwrap().len(), 10);
        assert_eq!(read(&file, 4).unwrap(), b"01234");
    }

    #[cfg(unix)]
    #[test]
    fn a_fifo_and_a_device_are_refused_without_waiting() {
        use rustix::fs::{CWD, FileType, Mode};

        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("fifo");
        rustix::fs::mknodat(CWD, &fifo, FileType::Fifo, Mode::RWXU, 0).unwrap();
        check(&fifo, NotRegular::Fifo);
        check(Path::new("/dev/zero"), NotRegular::Device);
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&fifo, &link).unwrap();
        check(&link, NotRegular::Fifo);
    }
}

//! A lock on a file that programs replace: one program at a time.
//!
//! The lock is held on an empty file beside the file, `flash.bin.lock` for `flash.bin`. A lock on
//! the file itself would stay with the old file when a new one is renamed to its path. The
//! operating system releases the lock when the process ends, for any reason; the empty file that a
//! killed process leaves locks nothing.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use fs4::TryLockError;
use same_file::Handle;
use thiserror::Error;

use crate::output_files::unfinished;
use crate::output_files::{folder::folder_of, folder::missing_folders};

/// Maximum number of attempts to create a lock file that another program removes at the same time.
const ATTEMPTS_MAX: usize = 64;

/// A lock on a file, held until it is dropped.
#[derive(Debug)]
pub struct FileLock {
    /// The empty file; the lock ends when it is closed.
    file: File,
    place: PathBuf,
    /// Folders that were created for the lock file, the outermost first.
    folders: Vec<PathBuf>,
}

/// The reason why a file could not be locked.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another program, or another part of this one, holds the lock.
    #[error("{}: is in use by another program", path.display())]
    Held { path: PathBuf },
    /// The folder cannot have a lock file.
    #[error("{}: cannot be locked: {source}", place.display())]
    Io {
        /// Path of the lock file.
        place: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
}

impl FileLock {
    /// Locks the file at `path`, which need not exist; missing parent folders are created. Does not
    /// wait.
    ///
    /// # Errors
    /// [`LockError::Held`] if another program holds the lock, [`LockError::Io`] if no lock file can
    /// be written beside the file.
    pub fn acquire(path: &Path) -> Result<Self, LockError> {
        // All names of one file have the same lock. A file that does not exist has no links.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let mut name = target.file_name().map(OsString::from).unwrap_or_default();
        name.push(".lock");
        let place = target.with_file_name(name);
        let folders = missing_folders(folder_of(&place));
        match Self::locked(&place) {
            Ok(Some(file)) => Ok(Self { file, place, folders }),
            Ok(None) => Err(LockError::Held { path: path.to_owned() }),
            Err(source) => {
                unfinished::remove_folders(&folders);
                Err(LockError::Io { place, source })
            }
        }
    }

    /// Opens and locks the lock file; `None` if another program holds the lock.
    fn locked(place: &Path) -> io::Result<Option<File>> {
        fs::create_dir_all(folder_of(place))?;
        for _ in 0..ATTEMPTS_MAX {
            // Opening a pipe would wait for its reader.
            if fs::metadata(place).is_ok_and(|found| !found.is_file()) {
                return Err(io::Error::other("it is no regular file"));
            }
            let file = OpenOptions::new().write(true).create(true).truncate(false).open(place)?;
            match fs4::FileExt::try_lock(&file) {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // The previous holder may have removed the file since it was opened: then this lock is
            // on a file that no other program finds.
            if is_at(&file, place)? {
                return Ok(Some(file));
            }
        }
        Err(io::Error::other("other programs keep removing it"))
    }
}

/// Returns whether `file` is the one at `place`.
fn is_at(file: &File, place: &Path) -> io::Result<bool> {
    match Handle::from_path(place) {
        Ok(found) => Ok(found == Handle::from_file(file.try_clone()?)?),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // The file is removed while it is locked, so that it is the one of this lock. A file with
        // content is not ours. A file that cannot be removed locks nothing.
        if self.file.metadata().is_ok_and(|found| found.len() == 0) {
            let _ = fs::remove_file(&self.place);
        }
        unfinished::remove_folders(&self.folders);
    }
}

//! A lock on a file that programs replace: one program at a time.
//!
//! The lock is held on an empty file beside it, `flash.bin.lock` for `flash.bin`. A lock on the file
//! itself would stay with the old file when a new one is renamed to its place. The operating system
//! ends the lock when the process ends, whatever ends it; the empty file that a killed process
//! leaves behind locks nothing.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use fs4::TryLockError;
use same_file::Handle;
use thiserror::Error;

use crate::output_files::unfinished;
use crate::output_files::{folder::folder_of, folder::missing_folders};

/// How often a lock file that another program removes at the same time is made again.
const ATTEMPTS_MAX: usize = 64;

/// A lock on a file, until it is dropped.
#[derive(Debug)]
pub struct FileLock {
    /// The empty file; the lock ends when it is closed.
    file: File,
    place: PathBuf,
    /// The folders that were created for it, the outermost first.
    folders: Vec<PathBuf>,
}

/// Why a file is not locked.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another program, or another part of this one, holds the lock.
    #[error("{}: is in use by another program", path.display())]
    Held {
        /// The file.
        path: PathBuf,
    },
    /// There can be no lock file in the folder.
    #[error("{}: cannot be locked: {source}", place.display())]
    Io {
        /// The lock file.
        place: PathBuf,
        /// What the operating system answered.
        source: io::Error,
    },
}

impl FileLock {
    /// Locks the file at `path`, which need not exist; missing parent folders are created. It does
    /// not wait.
    ///
    /// # Errors
    /// [`LockError::Held`] if another program holds the lock, [`LockError::Io`] if no lock file can
    /// be written beside the file.
    pub fn acquire(path: &Path) -> Result<Self, LockError> {
        // Two names of one file have one lock. A file that is not there has no links.
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

    /// The lock file, locked; `None` if another program holds it.
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
            // The holder before may have removed it since it was opened: then this lock is on a file
            // that no other program finds.
            if is_at(&file, place)? {
                return Ok(Some(file));
            }
        }
        Err(io::Error::other("other programs keep removing it"))
    }
}

/// Whether `file` is the one that `place` names.
fn is_at(file: &File, place: &Path) -> io::Result<bool> {
    match Handle::from_path(place) {
        Ok(found) => Ok(found == Handle::from_file(file.try_clone()?)?),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Removed while it is locked, so that it is the one of this lock. A file with content is not
        // ours. What cannot be removed locks nothing.
        if self.file.metadata().is_ok_and(|found| found.len() == 0) {
            let _ = fs::remove_file(&self.place);
        }
        unfinished::remove_folders(&self.folders);
    }
}

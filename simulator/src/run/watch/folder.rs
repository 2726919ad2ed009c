//! The temporary folder of a session that is watched: copies of what was built, and what is compared. One that a killed
//! program has left is removed by the next session.

use std::io;
use std::path::{Path, PathBuf};

use host::output_files::{FileLock, LockError};
use tempfile::{Builder, TempDir};

/// What the folder's name begins with. Hidden: it may stand among the sources.
const PREFIX: &str = ".nudge-watch-";
/// How often another one is made because a session that begins at the same time takes the new one for a left one.
const ATTEMPTS_MAX: usize = 8;

/// Why there is no folder.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error("--watch needs a temporary folder: {0}")]
    Io(#[from] io::Error),
    #[error("--watch needs a temporary folder: {0}")]
    Lock(#[from] LockError),
}

/// A temporary folder, removed when it is dropped. The operating system ends its lock with the program.
pub struct Folder {
    // Before the lock: no other process removes it meanwhile.
    folder: TempDir,
    _lock: FileLock,
}

impl Folder {
    /// A new one, in the folder for temporary files; those that were left there are removed.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new() -> Result<Self, FolderError> {
        let all = std::env::temp_dir();
        remove_left(&all);
        for _ in 0..ATTEMPTS_MAX {
            let folder = Builder::new().prefix(PREFIX).tempdir_in(&all)?;
            match FileLock::acquire(folder.path()) {
                Ok(lock) => return Ok(Self { folder, _lock: lock }),
                Err(LockError::Held { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(FolderError::Io(io::ErrorKind::WouldBlock.into()))
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the folders whose sessions have ended without doing so. What cannot be removed, such as another user's,
/// stays.
fn remove_left(all: &Path) {
    let entries = std::fs::read_dir(all).into_iter().flatten().flatten();
    let is_ours = |path: &PathBuf| {
        let named = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX));
        // A link would lead elsewhere.
        named && std::fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
    };
    for path in entries.map(|entry| entry.path()).filter(is_ours) {
        if let Ok(_lock) = FileLock::acquire(&path) {
            let _ = std::fs::remove_dir_all(&path);
        }
    }
}

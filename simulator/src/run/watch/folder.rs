//! The temporary folder of a watched session, with copies of built firmware and compared traces.
//! If a program is killed, the next session removes its folder.

use std::io;
use std::path::{Path, PathBuf};

use host::output_files::{FileLock, LockError};
use tempfile::{Builder, TempDir};

/// Prefix of the folder's name. The folder is hidden because it may be among the sources.
const PREFIX: &str = ".nudge-watch-";
/// Maximum number of attempts to create a folder. An attempt fails if another session starts at
/// the same time and removes the new folder as an abandoned one.
const ATTEMPTS_MAX: usize = 8;

/// The reason why no folder could be created.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error("--watch needs a temporary folder: {0}")]
    Io(#[from] io::Error),
    #[error("--watch needs a temporary folder: {0}")]
    Lock(#[from] LockError),
}

/// A temporary folder, removed when it is dropped. The operating system releases its lock when the
/// program ends.
pub struct Folder {
    // Dropped before the lock, so that no other process removes the folder at the same time.
    folder: TempDir,
    _lock: FileLock,
}

impl Folder {
    /// Creates a folder in the system's folder for temporary files. Removes abandoned folders
    /// there.
    ///
    /// # Errors
    /// If the folder cannot be created.
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

/// Removes the folders that ended sessions have left. Folders that cannot be removed, such as
/// another user's, stay.
fn remove_left(all: &Path) {
    let entries = std::fs::read_dir(all).into_iter().flatten().flatten();
    let is_ours = |path: &PathBuf| {
        let named = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX));
        // Symbolic links are not followed, because they lead elsewhere.
        named && std::fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
    };
    for path in entries.map(|entry| entry.path()).filter(is_ours) {
        if let Ok(_lock) = FileLock::acquire(&path) {
            let _ = std::fs::remove_dir_all(&path);
        }
    }
}

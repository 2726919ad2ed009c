//! The registry of this process's temporary files, so that a process that exits at once can remove
//! them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Files and folders that exist only until their output is committed.
struct Registry {
    entries: Vec<Entry>,
    /// Set once, by [`remove_unfinished`].
    ending: bool,
}

struct Entry {
    temporary: PathBuf,
    /// Folders that were created for the file, the outermost first.
    folders: Vec<PathBuf>,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry { entries: Vec::new(), ending: false });

fn registry() -> MutexGuard<'static, Registry> {
    // Every change of the registry is a single call that cannot panic half-way.
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all outputs that are not committed; from now on no output can
/// begin or be committed. Call it right before the process exits.
///
/// Outputs in progress on other threads get `OutputError::Ending` when they
/// are committed.
pub fn remove_unfinished() {
    let mut registry = registry();
    registry.ending = true;
    for entry in registry.entries.drain(..) {
        remove(&entry.temporary, &entry.folders);
    }
}

/// Removes `temporary`, then the empty ones of `folders`. Failures are ignored: an error here would
/// hide the error that led here.
pub(crate) fn remove(temporary: &Path, folders: &[PathBuf]) {
    let _ = fs::remove_file(temporary);
    remove_folders(folders);
}

/// Removes the empty ones of `folders`.
pub(crate) fn remove_folders(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        let _ = fs::remove_dir(folder);
    }
}

/// Runs `create`, which makes a temporary file, and registers the file. `None` if the process is
/// ending.
pub(crate) fn begin<T, E>(
    folders: &[PathBuf],
    create: impl FnOnce() -> Result<(T, PathBuf), E>,
) -> Option<Result<T, E>> {
    let mut registry = registry();
    if registry.ending {
        return None;
    }
    Some(create().map(|(file, temporary)| {
        registry.entries.push(Entry { temporary, folders: folders.to_vec() });
        file
    }))
}

/// Unregisters `temporary` and runs `finish`, which renames or removes it. `None` if the process is
/// ending: then the file is already removed.
pub(crate) fn end<T>(temporary: &Path, finish: impl FnOnce() -> T) -> Option<T> {
    let mut registry = registry();
    if registry.ending {
        return None;
    }
    registry.entries.retain(|entry| entry.temporary != temporary);
    Some(finish())
}

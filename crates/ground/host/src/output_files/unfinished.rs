//! The temporary files of this process, so that a process that exits at once can remove them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What exists only until its output is committed.
struct Registry {
    entries: Vec<Entry>,
    /// Set once, by [`remove_unfinished`].
    ending: bool,
}

struct Entry {
    temporary: PathBuf,
    /// Folders that were created for it, the outermost first.
    folders: Vec<PathBuf>,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry { entries: Vec::new(), ending: false });

fn registry() -> MutexGuard<'static, Registry> {
    // Every change of the registry is one call that cannot panic half-way.
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all outputs that are not committed, and lets no output begin or
/// be committed from now on. Call it right before the process exits.
///
/// Outputs that are under way on other threads get [`OutputError::Ending`](crate::output_files::OutputError) when
/// they are committed.
pub fn remove_unfinished() {
    let mut registry = registry();
    registry.ending = true;
    for entry in registry.entries.drain(..) {
        remove(&entry.temporary, &entry.folders);
    }
}

/// Removes `temporary`, then those of `folders` that are empty. What cannot be removed stays: an
/// error here would hide the one that led here.
pub(crate) fn remove(temporary: &Path, folders: &[PathBuf]) {
    let _ = fs::remove_file(temporary);
    remove_folders(folders);
}

/// Removes those of `folders` that are empty.
pub(crate) fn remove_folders(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        let _ = fs::remove_dir(folder);
    }
}

/// Runs `create`, which makes a temporary file, and remembers it. `None` if the process is ending.
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

/// Forgets `temporary` and runs `finish`, which renames or removes it. `None` if the process is
/// ending: then it is removed already.
pub(crate) fn end<T>(temporary: &Path, finish: impl FnOnce() -> T) -> Option<T> {
    let mut registry = registry();
    if registry.ending {
        return None;
    }
    registry.entries.retain(|entry| entry.temporary != temporary);
    Some(finish())
}

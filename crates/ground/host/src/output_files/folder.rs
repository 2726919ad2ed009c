//! The folders of a path.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder that contains `path`; `.` for a bare name.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Returns `folder` and its parents as far as they do not exist, the outermost first.
pub(crate) fn missing_folders(folder: &Path) -> Vec<PathBuf> {
    let missing = folder.ancestors().take_while(|folder| {
        !folder.as_os_str().is_empty() && fs::symlink_metadata(folder).is_err()
    });
    let mut missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    missing.reverse();
    missing
}

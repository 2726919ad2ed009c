//! Walks through a folder and all folders below it, including symbolic links to folders. Each
//! folder is visited once, by whatever names it can be reached; the folder itself comes before
//! links to it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::error::{DEPTH_MAX, FindError};

/// Calls `file` for each file in `root` and below, in no particular order. A folder below `root` is
/// skipped if `enters` returns false for it.
///
/// # Errors
/// If a folder cannot be read, or folders are nested deeper than [`DEPTH_MAX`].
pub(super) fn walk(
    root: &Path,
    enters: &mut dyn FnMut(&Path) -> bool,
    file: &mut dyn FnMut(PathBuf),
) -> Result<(), FindError> {
    let mut walk = Walk { enters, file, visited: BTreeSet::new(), links: Vec::new() };
    walk.folder(root, DEPTH_MAX)?;
    // A link may lead to a folder with further links.
    while let Some((link, depth)) = walk.links.pop() {
        let is_known = fs::canonicalize(&link).is_ok_and(|real| walk.visited.contains(&real));
        if !is_known && (walk.enters)(&link) {
            walk.folder(&link, depth)?;
        }
    }
    Ok(())
}

struct Walk<'a> {
    enters: &'a mut dyn FnMut(&Path) -> bool,
    file: &'a mut dyn FnMut(PathBuf),
    /// Real paths of the visited folders.
    visited: BTreeSet<PathBuf>,
    /// Links to folders that are not visited yet, each with the number of levels that may still be
    /// entered.
    links: Vec<(PathBuf, usize)>,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Path, depth: usize) -> Result<(), FindError> {
        let unreadable = |error| FindError::unreadable(folder, error);
        if depth == 0 {
            return Err(FindError::TooDeep(folder.to_owned()));
        }
        if !self.visited.insert(fs::canonicalize(folder).map_err(unreadable)?) {
            return Ok(());
        }
        let mut folders = Vec::new();
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let path = entry.path();
            let kind = entry.file_type().map_err(unreadable)?;
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_symlink() && path.is_dir() {
                self.links.push((path, depth - 1));
            } else {
                (self.file)(path);
            }
        }
        for folder in folders {
            if (self.enters)(&folder) {
                self.folder(&folder, depth - 1)?;
            }
        }
        // Links are visited in order of their names; the last element is popped first.
        self.links.sort_by(|one, other| other.0.cmp(&one.0));
        Ok(())
    }
}

//! Turns the paths of a command line into traces. It opens no trace.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use host::output_files::goldens_of;

use super::error::FindError;
use super::open::INCLUDED;
use super::walk::walk;

/// A trace to replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundTrace {
    /// Its file.
    pub path: PathBuf,
    /// Its folder among the artifacts, relative to theirs: the path below the folder that
    /// was asked for, without `.trace`. No two traces have the same.
    pub artifacts: PathBuf,
}

/// The traces that `paths` name: a file is a trace whatever its extension; a folder means all
/// `*.trace` in it and below, sorted. A trace that is named twice is found once.
///
/// # Errors
/// If a path cannot be read, a folder holds no trace, or `filter` leaves none.
pub fn find(paths: &[PathBuf], filter: Option<&str>) -> Result<Vec<FoundTrace>, FindError> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut folders = BTreeSet::new();
    for given in paths {
        let unreadable = |error| FindError::unreadable(given, error);
        let is_folder = fs::metadata(given).map_err(unreadable)?.is_dir();
        let mut below = Vec::new();
        let root = if is_folder {
            below = files_below(given, &["trace"])?;
            if below.is_empty() {
                return Err(FindError::NoTraces(given.clone()));
            }
            given.as_path()
        } else {
            below.push(given.clone());
            given.parent().unwrap_or(Path::new(""))
        };
        for path in below {
            let real = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
            if seen.insert(real) {
                let artifacts = folder_of_its_own(&path, root, &mut folders);
                found.push(FoundTrace { path, artifacts });
            }
        }
    }
    let count = found.len();
    if let Some(filter) = filter {
        found.retain(|trace| trace.path.to_string_lossy().contains(filter));
        if found.is_empty() {
            return Err(FindError::FilteredOut { filter: filter.to_owned(), count });
        }
    }
    Ok(found)
}

/// The traces that `paths` name, as [`find`] finds them, and the files `*.inc` in the folders among
/// them, which traces include.
///
/// # Errors
/// If a path cannot be read, or a folder holds neither.
pub fn find_sources(paths: &[PathBuf]) -> Result<Vec<PathBuf>, FindError> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for given in paths {
        let unreadable = |error| FindError::unreadable(given, error);
        let below = if fs::metadata(given).map_err(unreadable)?.is_dir() {
            files_below(given, &["trace", INCLUDED])?
        } else {
            vec![given.clone()]
        };
        if below.is_empty() {
            return Err(FindError::NoTraces(given.clone()));
        }
        let mut once =
            |path: &PathBuf| seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.clone()));
        found.extend(below.into_iter().filter(|path| once(path)));
    }
    Ok(found)
}

/// The files in `folder` and below with one of these extensions, sorted.
fn files_below(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>, FindError> {
    let mut found = Vec::new();
    walk(folder, &mut |_| true, &mut |path| {
        let extension = path.extension().and_then(OsStr::to_str);
        if extension.is_some_and(|extension| extensions.contains(&extension)) {
            found.push(path);
        }
    })?;
    found.sort();
    Ok(found)
}

/// The trace's path below `root` without its extension; with `-2`, `-3`… if that is taken.
fn folder_of_its_own(path: &Path, root: &Path, taken: &mut BTreeSet<PathBuf>) -> PathBuf {
    // A trace that has no name gets none here; it is refused when it is opened.
    let below = path.strip_prefix(root).unwrap_or(path);
    let below = goldens_of(below).unwrap_or_else(|_| PathBuf::from("unnamed"));
    let mut folder = below.clone();
    let mut number = 2;
    while !taken.insert(folder.clone()) {
        let mut name = below.file_name().unwrap_or_default().to_owned();
        name.push(format!("-{number}"));
        folder = below.with_file_name(name);
        number += 1;
    }
    folder
}

//! Finds the traces that the paths of a command line name. Opens no trace.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use host::output_files::goldens_of;

use super::error::FindError;
use super::walk::walk;

/// Extension of the files that traces include.
pub(super) const INCLUDED: &str = "inc";

/// A trace to replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundTrace {
    pub path: PathBuf,
    /// Folder of the trace's artifacts, relative to the artifacts' folder: the path below the
    /// folder on the command line, without `.trace`. Different for every trace.
    pub artifacts: PathBuf,
}

/// Returns the traces that `paths` name. A file is a trace whatever its extension; a folder means
/// all `*.trace` files in it and below, sorted. A trace that is named twice is found once.
///
/// # Errors
/// If a path cannot be read, a folder contains no trace, or `filter` leaves none.
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
                let artifacts = unique_folder(&path, root, &mut folders);
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

/// Returns the traces that `paths` name, as [`find`] does, and the `*.inc` files, which traces
/// include, in the folders among them.
///
/// # Errors
/// If a path cannot be read, or a folder contains neither.
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

/// Returns the files in `folder` and below with one of these extensions, sorted.
pub(crate) fn files_below(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>, FindError> {
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

/// Returns a name without the characters that Windows and GitHub's artifacts refuse: each is a `%` and its code.
fn portable(name: &OsStr) -> OsString {
    let refused = |letter: char| letter.is_ascii_control() || "\"<>|*?:\\".contains(letter);
    match name.to_str() {
        Some(text) if text.contains(refused) => {
            let escape = |letter| match refused(letter) {
                true => format!("%{:02X}", u32::from(letter)),
                false => letter.to_string(),
            };
            text.chars().map(escape).collect::<String>().into()
        }
        _ => name.to_owned(),
    }
}

/// Returns the trace's path below `root` without its extension, with `-2`, `-3`… appended if that
/// is taken.
fn unique_folder(path: &Path, root: &Path, taken: &mut BTreeSet<PathBuf>) -> PathBuf {
    // A trace without a name gets a placeholder here; it is refused when it is opened.
    let below = path.strip_prefix(root).unwrap_or(path);
    let below = goldens_of(below).unwrap_or_else(|_| PathBuf::from("unnamed"));
    let below: PathBuf = below.components().map(|part| portable(part.as_os_str())).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn artifacts_have_names_that_an_upload_takes() {
        let mut taken = BTreeSet::new();
        let mut folder = |name: &str| {
            unique_folder(Path::new(name), Path::new(""), &mut taken).display().to_string()
        };
        assert_eq!(folder("a/won 1:0?.trace"), "a/won 1%3A0%3F");
        assert_eq!(folder("a/won 1%3A0%3F.trace"), "a/won 1%3A0%3F-2");
        assert_eq!(folder("größe.trace"), "größe");
    }
}

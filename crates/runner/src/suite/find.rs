//! Turns the paths of a command line into traces. It opens no trace.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How many levels of folders are searched: more than any suite has; it ends a loop of links.
pub(crate) const DEPTH_MAX: usize = 32;

/// A trace to replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundTrace {
    /// Its file.
    pub path: PathBuf,
    /// Its folder among the artifacts, relative to theirs: the path below the folder that
    /// was asked for, without `.trace`. No two traces have the same.
    pub artifacts: PathBuf,
}

/// Why there is nothing to replay.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// A file or folder that does not exist.
    #[error("{}: no such file or folder; give a trace or a folder of traces", path.display())]
    NotFound {
        /// Which.
        path: PathBuf,
        /// What the operating system answered.
        source: io::Error,
    },
    /// A file or folder that cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// What the operating system answered.
        source: io::Error,
    },
    /// A folder without traces.
    #[error("{}: no traces in this folder or below; their names end in `.trace`", .0.display())]
    NoTraces(PathBuf),
    /// A folder below which folders go on without end.
    #[error("{}: folders more than {DEPTH_MAX} deep; give a lower one", .0.display())]
    TooDeep(PathBuf),
    /// There are traces, but none passes the filter.
    #[error("none of the {count} traces has `{filter}` in its path")]
    FilteredOut {
        /// What their paths were to contain.
        filter: String,
        /// How many there are.
        count: usize,
    },
}

impl FindError {
    fn unreadable(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => Self::NotFound { path, source },
            _ => Self::Unreadable { path, source },
        }
    }
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
            collect(given, DEPTH_MAX, &mut below)?;
            if below.is_empty() {
                return Err(FindError::NoTraces(given.clone()));
            }
            below.sort();
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

/// All `*.trace` in `folder` and below; links to folders are not followed.
fn collect(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), FindError> {
    let unreadable = |error| FindError::unreadable(folder, error);
    if depth == 0 {
        return Err(FindError::TooDeep(folder.to_owned()));
    }
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        if entry.file_type().map_err(unreadable)?.is_dir() {
            collect(&path, depth - 1, found)?;
        } else if path.extension() == Some(OsStr::new("trace")) && !path.is_dir() {
            found.push(path);
        }
    }
    Ok(())
}

/// The trace's path below `root` without its extension; with `-2`, `-3`… if that is taken.
fn folder_of_its_own(path: &Path, root: &Path, taken: &mut BTreeSet<PathBuf>) -> PathBuf {
    let below = path.strip_prefix(root).unwrap_or(path).with_extension("");
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

    #[track_caller]
    fn check(error: &FindError, text: &str) {
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn an_error_says_what_to_give_instead() {
        let error = |kind: io::ErrorKind| io::Error::new(kind, "refused");
        check(
            &FindError::unreadable(Path::new("a"), error(io::ErrorKind::NotFound)),
            "a: no such file or folder; give a trace or a folder of traces",
        );
        check(
            &FindError::unreadable(Path::new("a"), error(io::ErrorKind::PermissionDenied)),
            "a: refused",
        );
        check(
            &FindError::NoTraces("a".into()),
            "a: no traces in this folder or below; their names end in `.trace`",
        );
        check(&FindError::TooDeep("a".into()), "a: folders more than 32 deep; give a lower one");
        check(
            &FindError::FilteredOut { filter: "x".into(), count: 3 },
            "none of the 3 traces has `x` in its path",
        );
    }
}

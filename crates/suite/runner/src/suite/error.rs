//! Reasons why no trace is found.

use std::io;
use std::path::{Path, PathBuf};
use trace::counted;

/// Maximum depth of folders that are searched: more than any suite has.
pub(super) const DEPTH_MAX: usize = 32;

/// Reason why there is no trace to replay.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// A file or folder that does not exist.
    #[error("{}: no such file or folder; give a trace or a folder of traces", path.display())]
    NotFound {
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// A file or folder that cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// A folder without traces.
    #[error("{}: no traces in this folder or below; their names end in `.trace`", .0.display())]
    NoTraces(PathBuf),
    /// A folder with subfolders nested deeper than `DEPTH_MAX`.
    #[error("{}: folders more than {DEPTH_MAX} deep; give a lower one", .0.display())]
    TooDeep(PathBuf),
    /// There are traces, but none matches the filter.
    #[error("of {}, none has `{filter}` in its path", counted(*count, "trace"))]
    FilteredOut {
        /// Text that the paths were to contain.
        filter: String,
        /// Number of traces before the filter.
        count: usize,
    },
}

impl FindError {
    pub(super) fn unreadable(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => Self::NotFound { path, source },
            _ => Self::Unreadable { path, source },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(error: &FindError, text: &str) {
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn an_error_names_the_next_step() {
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
            "of 3 traces, none has `x` in its path",
        );
    }
}

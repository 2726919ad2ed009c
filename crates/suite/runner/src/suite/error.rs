//! Why no trace is found.

use std::io;
use std::path::{Path, PathBuf};
use trace::counted;

/// How many levels of folders are searched: more than any suite has.
pub(super) const DEPTH_MAX: usize = 32;

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
    #[error("of {}, none has `{filter}` in its path", counted(*count, "trace"))]
    FilteredOut {
        /// What their paths were to contain.
        filter: String,
        /// How many there are.
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
            "of 3 traces, none has `x` in its path",
        );
    }
}

//! Errors of writing a file.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// The reason why a file was not written. The text names the file, the reason and the next step,
/// without a full stop.
#[derive(Debug, Error)]
pub enum OutputError {
    /// The file exists, and the caller did not request to replace it.
    #[error("{} is there already; `--force` replaces it", path.display())]
    Exists { path: PathBuf },
    /// The file exists, and it is not an earlier report.
    #[error(
        "{} is there already, and it is no earlier report of this kind; name another file, or \
         replace it with `--force`", path.display()
    )]
    OtherKind { path: PathBuf },
    /// The path names a folder.
    #[error("{}: cannot be written: it is a folder; name a file", path.display())]
    IsFolder { path: PathBuf },
    /// The path names a device, a pipe or a socket.
    #[error("{}: cannot be written: it is no regular file; name another file", path.display())]
    NotRegular { path: PathBuf },
    /// The file's name does not have an extension of its kind.
    #[error("{}: the file to write must be named {expected}", path.display())]
    Extension {
        path: PathBuf,
        /// The allowed names, such as `*.svg or *.txt`.
        expected: String,
    },
    /// The path names a trace, which this output may not replace.
    #[error("{}: is named like a trace, and this output is none; name another file", path.display())]
    IsTrace { path: PathBuf },
    /// The path is in the folder of a trace's golden pictures.
    #[error(
        "{}: lies in the folder of the golden pictures of {}, which only `--bless` writes; name \
         another place", path.display(), trace.display()
    )]
    InGoldens {
        path: PathBuf,
        /// The trace whose goldens are in that folder.
        trace: PathBuf,
    },
    /// A trace whose name without the extension has only dots.
    #[error(
        "{}: a trace needs a name before its extension, after which its goldens and artifacts are \
         called; rename it", path.display()
    )]
    DotName { path: PathBuf },
    /// A trace whose name is that of a device on Windows.
    #[error(
        "{}: is the name of a device on Windows, so its goldens could not be checked out there; \
         rename it", path.display()
    )]
    DeviceName { path: PathBuf },
    /// A name that leads out of its folder.
    #[error("{}: leads out of {}; nothing is written there", name.display(), folder.display())]
    Outside { folder: PathBuf, name: PathBuf },
    /// The operating system reported an error.
    #[error("{}: cannot be written: {}", path.display(), reason(source))]
    Io {
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The process is ending; see [`remove_unfinished`](crate::output_files::remove_unfinished).
    #[error("{}: cannot be written: the program is ending", path.display())]
    Ending { path: PathBuf },
}

/// Returns the operating system's error itself, for callers that name the file.
impl From<OutputError> for io::Error {
    fn from(error: OutputError) -> Self {
        match error {
            OutputError::Io { source, .. } => source,
            OutputError::Exists { .. } => Self::new(io::ErrorKind::AlreadyExists, error),
            _ => Self::other(error),
        }
    }
}

/// Returns the operating system's reason. The error of a temporary file has that file's name after
/// the reason, which is useless to a reader.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" at path ").next().unwrap_or_default().to_owned()
}

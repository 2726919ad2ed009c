//! Why a file cannot be written.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a file was not written. The text names the file, the reason and the next step, without a
/// full stop.
#[derive(Debug, Error)]
pub enum OutputError {
    /// There is a file, and the caller did not ask to replace it.
    #[error("{} is there already; `--force` replaces it", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// There is a file that an earlier report did not write.
    #[error(
        "{} is there already, and it is no earlier report of this kind; name another file, or \
         replace it with `--force`", path.display()
    )]
    OtherKind {
        /// The file.
        path: PathBuf,
    },
    /// The path names a folder.
    #[error("{}: cannot be written: it is a folder; name a file", path.display())]
    IsFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The path names a device, a pipe or a socket.
    #[error("{}: cannot be written: it is no regular file; name another file", path.display())]
    NotRegular {
        /// The path.
        path: PathBuf,
    },
    /// The file's name does not end as files of this kind do.
    #[error("{}: the file to write must be named {expected}", path.display())]
    Extension {
        /// The path.
        path: PathBuf,
        /// The names that are allowed, such as `*.svg or *.txt`.
        expected: String,
    },
    /// The path names a trace, which this output may not replace.
    #[error("{}: is named like a trace, and this output is none; name another file", path.display())]
    IsTrace {
        /// The path.
        path: PathBuf,
    },
    /// The path lies in the folder of a trace's golden pictures.
    #[error(
        "{}: lies in the folder of the golden pictures of {}, which only `--bless` writes; name \
         another place", path.display(), trace.display()
    )]
    InGoldens {
        /// The path.
        path: PathBuf,
        /// The trace whose goldens lie there.
        trace: PathBuf,
    },
    /// A trace whose name without the extension is nothing but dots.
    #[error(
        "{}: a trace needs a name before its extension, after which its goldens and artifacts are \
         called; rename it", path.display()
    )]
    DotName {
        /// The trace.
        path: PathBuf,
    },
    /// A trace whose name belongs to a device on Windows.
    #[error(
        "{}: is the name of a device on Windows, so its goldens could not be checked out there; \
         rename it", path.display()
    )]
    DeviceName {
        /// The trace.
        path: PathBuf,
    },
    /// A name that leads out of the folder it is for.
    #[error("{}: leads out of {}; nothing is written there", name.display(), folder.display())]
    Outside {
        /// The folder.
        folder: PathBuf,
        /// The name.
        name: PathBuf,
    },
    /// The operating system refused.
    #[error("{}: cannot be written: {}", path.display(), reason(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system answered.
        source: io::Error,
    },
    /// The process is ending; see [`remove_unfinished`](crate::output_files::remove_unfinished).
    #[error("{}: cannot be written: the program is ending", path.display())]
    Ending {
        /// The file.
        path: PathBuf,
    },
}

/// For callers that name the file themselves: the operating system's error as it is.
impl From<OutputError> for io::Error {
    fn from(error: OutputError) -> Self {
        match error {
            OutputError::Io { source, .. } => source,
            OutputError::Exists { .. } => Self::new(io::ErrorKind::AlreadyExists, error),
            _ => Self::other(error),
        }
    }
}

/// The operating system's reason. The error of a temporary file names that file behind the reason,
/// which is of no use to a reader.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" at path ").next().unwrap_or_default().to_owned()
}

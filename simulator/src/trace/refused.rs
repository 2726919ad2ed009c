//! Why no board can be built for a trace, with the file that the trace came from.

use std::path::{Path, PathBuf};

use hal_mock::setup::SetupError;

/// `win.trace:3:7: …`, or `win.trace: …` if the header is not to blame.
#[derive(Debug, thiserror::Error)]
#[error("{}:{}{error}", path.display(), if error.place.is_some() { "" } else { " " })]
pub struct Refused {
    path: PathBuf,
    #[source]
    error: SetupError,
}

impl Refused {
    /// For the trace in `path`.
    pub fn new(path: &Path, error: SetupError) -> Self {
        Self { path: path.to_owned(), error }
    }
}

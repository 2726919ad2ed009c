//! The reasons why no board can be built for a trace, with the trace's file.

use std::path::{Path, PathBuf};

use hal_mock::setup::SetupError;

/// Displayed as `win.trace:3:7: …`, or as `win.trace: …` if the header is not the cause; one line
/// for each error.
#[derive(Debug, thiserror::Error)]
#[error("{}", each(path, error))]
pub struct Refused {
    path: PathBuf,
    #[source]
    error: SetupError,
}

impl Refused {
    /// Creates the error of the trace in `path`.
    pub fn new(path: &Path, error: SetupError) -> Self {
        Self { path: path.to_owned(), error }
    }
}

fn each(path: &Path, error: &SetupError) -> String {
    let line = |error: &SetupError| {
        let gap = if error.place.is_some() { "" } else { " " };
        format!("{}:{gap}{error}", path.display())
    };
    error.each().map(line).collect::<Vec<_>>().join("\n")
}

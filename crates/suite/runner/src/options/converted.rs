//! Traces that were made of files of another format, and are replayed as those files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use trace::Trace;

/// A trace that was made of a file of another format. Its lines have their places in that file.
#[derive(Clone, Debug)]
pub struct ConvertedTrace {
    pub trace: Trace,
    /// Paths of the goldens, by their names in the trace.
    pub goldens: BTreeMap<String, PathBuf>,
    /// Command line that replays the file, without the name of the program: `replay --wokwi DIR`.
    pub command: String,
}

/// Traces by the paths of the files that they were made of.
#[derive(Clone, Debug, Default)]
pub struct ConvertedTraces(BTreeMap<PathBuf, ConvertedTrace>);

impl ConvertedTraces {
    pub fn new(traces: impl IntoIterator<Item = (PathBuf, ConvertedTrace)>) -> Self {
        Self(traces.into_iter().collect())
    }

    pub(crate) fn get(&self, path: &Path) -> Option<&ConvertedTrace> {
        self.0.get(path)
    }

    /// Returns the path of a golden of the file at `path`, if it is not beside it.
    pub(crate) fn golden(&self, path: &Path, name: &str) -> Option<&Path> {
        self.get(path)?.goldens.get(name).map(PathBuf::as_path)
    }
}

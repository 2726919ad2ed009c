//! The file that remembers which traces did not pass, for `--last-failed`: one path a line, as a
//! JSON string. A run changes only the entries of the traces that it replayed.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use host::output_files::{Output, OutputError};

/// First line of the file.
const FIRST: &str = "nudge failed 1";
/// Largest file that is read, in bytes.
const BYTES_MAX: usize = 16 << 20;

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MemoryError {
    #[error("{}: cannot be read: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}: is no list of failed traces of this version; delete it", .0.display())]
    NotOurs(PathBuf),
    #[error(transparent)]
    Write(#[from] OutputError),
}

/// The traces that did not pass, by their real paths.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Memory(BTreeSet<String>);

impl Memory {
    /// Reads the file at `path`; without a file no trace is remembered.
    ///
    /// # Errors
    /// If there is a file that cannot be read, or of another kind.
    pub fn read(path: &Path) -> Result<Self, MemoryError> {
        let bytes = match host::input_files::read(path, BYTES_MAX) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(source) => return Err(MemoryError::Read { path: path.to_owned(), source }),
        };
        let text = String::from_utf8(bytes).ok();
        let read = text.as_deref().and_then(Self::parse);
        read.ok_or_else(|| MemoryError::NotOurs(path.to_owned()))
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        if lines.next() != Some(FIRST) {
            return None;
        }
        lines.map(|line| serde_json::from_str(line).ok()).collect::<Option<_>>().map(Self)
    }

    pub fn has(&self, trace: &Path) -> bool {
        self.0.contains(&name(trace))
    }

    /// Records the result of a trace.
    fn record(&mut self, trace: &Path, passed: bool) {
        match passed {
            true => self.0.remove(&name(trace)),
            false => self.0.insert(name(trace)),
        };
    }

    /// Changes the entries of these traces in the file at `path`; each has passed or not.
    ///
    /// # Errors
    /// If the file cannot be read or written, or is of another kind.
    pub fn update(path: &Path, passed: &[(PathBuf, bool)]) -> Result<(), MemoryError> {
        let mut memory = Self::read(path)?;
        let before = memory.0.clone();
        passed.iter().for_each(|(trace, passed)| memory.record(trace, *passed));
        if memory.0 == before { Ok(()) } else { Ok(memory.write(path)?) }
    }

    /// # Errors
    /// If the file at `path` cannot be written.
    fn write(&self, path: &Path) -> Result<(), OutputError> {
        let lines = self.0.iter().map(|trace| format!("{}\n", serde_json::json!(trace)));
        let text = format!("{FIRST}\n{}", lines.collect::<String>());
        Output::new(path).replace(true).write(text.as_bytes())
    }
}

fn name(trace: &Path) -> String {
    let real = fs::canonicalize(trace).unwrap_or_else(|_| trace.to_owned());
    real.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_remembered_until_its_trace_passes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("failed");
        let (one, two) = (Path::new("a\nb.trace"), Path::new("c.trace"));
        let mut memory = Memory::read(&file).unwrap();
        memory.record(one, false);
        memory.record(two, false);
        memory.write(&file).unwrap();
        let mut memory = Memory::read(&file).unwrap();
        assert!(memory.has(one) && memory.has(two));
        memory.record(one, true);
        memory.write(&file).unwrap();
        let memory = Memory::read(&file).unwrap();
        assert!(!memory.has(one) && memory.has(two));
    }

    #[test]
    fn another_file_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("failed");
        for text in ["", "x\n", "nudge failed 1\nno string\n"] {
            fs::write(&file, text).unwrap();
            let error = Memory::read(&file).unwrap_err().to_string();
            assert!(error.ends_with("is no list of failed traces of this version; delete it"));
        }
    }
}

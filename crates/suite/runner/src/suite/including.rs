//! Finds a trace that includes a file, and the board that its header names.
//!
//! The lines are read as text, so traces with errors are found, too.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use trace::{BOARD_KEY, FILE_BYTES_MAX};

use super::find::files_below;

/// Maximum number of traces that are searched.
const TRACES_MAX: usize = 2_000;
/// Maximum number of files that one trace includes, directly or by other files.
const INCLUDED_MAX: usize = 100;

/// A trace that includes a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Including {
    pub(super) trace: PathBuf,
    /// Board file that the header names.
    pub(super) board: Option<PathBuf>,
}

/// Returns the first trace, in the order of their paths, that includes the file at `path`: a trace
/// includes files from its folder and from the folders above it.
pub(super) fn trace_that_includes(path: &Path) -> Option<Including> {
    let wanted = fs::canonicalize(path).ok()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let traces = files_below(folder.unwrap_or(Path::new(".")), &["trace"]).ok()?;
    let mut all = traces.into_iter().take(TRACES_MAX);
    let trace = all.find(|trace| includes(trace, &wanted))?;
    let board = values(&trace, BOARD_KEY).into_iter().next().map(|name| beside(&trace, &name));
    Some(Including { trace, board })
}

/// Returns whether a trace includes a file, directly or by other files.
fn includes(trace: &Path, wanted: &Path) -> bool {
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![trace.to_owned()]);
    while let Some(file) = waiting.pop() {
        for name in values(&file, "include") {
            let Ok(found) = fs::canonicalize(beside(&file, &name)) else { continue };
            if found == wanted {
                return true;
            }
            if seen.len() < INCLUDED_MAX && seen.insert(found.clone()) {
                waiting.push(found);
            }
        }
    }
    false
}

/// Returns the rest of each line of a file that begins with this word.
fn values(file: &Path, word: &str) -> Vec<String> {
    let bytes = host::input_files::read(file, FILE_BYTES_MAX).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let value = |line: &str| {
        let line = line.split('#').next().unwrap_or_default();
        let (first, rest) = line.trim().split_once(char::is_whitespace)?;
        (first == word).then(|| rest.trim().to_owned())
    };
    text.lines().filter_map(value).collect()
}

fn beside(file: &Path, name: &str) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).join(name)
}

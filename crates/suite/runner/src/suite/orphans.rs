//! Finds golden frames without a trace: when a trace is deleted or renamed, its goldens may remain,
//! and no trace compares with them any more.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::walk::walk;
use crate::report::{Problem, TraceReport};
use host::Exit;

/// Returns a report on each folder in and below `paths` that contains only pictures and chains of
/// frames and has no trace of its name beside it, sorted. A folder that cannot be read ends the
/// search.
pub(crate) fn orphans(paths: &[PathBuf]) -> Vec<TraceReport> {
    let mut found = BTreeSet::new();
    for path in paths {
        let mut enters = |folder: &Path| {
            let is_orphan = holds_goldens_only(folder) && !trace_of(folder).exists();
            if is_orphan {
                found.insert(folder.to_owned());
            }
            !is_orphan
        };
        // Unreadable folders were already reported when the traces were searched.
        let _ = walk(path, &mut enters, &mut |_| {});
    }
    found.iter().map(|folder| report(folder)).collect()
}

fn report(folder: &Path) -> TraceReport {
    let mut report = TraceReport::new(folder);
    let trace = trace_of(folder);
    let message =
        format!("goldens without a trace; delete the folder, or restore {}", trace.display());
    report.add(Exit::Failed, Problem::of_trace(message));
    report
}

/// Returns the trace that the goldens in a folder belong to.
fn trace_of(folder: &Path) -> PathBuf {
    let mut name = folder.as_os_str().to_owned();
    name.push(".trace");
    name.into()
}

fn holds_goldens_only(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    let mut entries = entries.peekable();
    let is_golden = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        path.is_file() && matches!(extension, Some("png" | "frames"))
    };
    entries.peek().is_some()
        && entries.all(|entry| entry.is_ok_and(|entry| is_golden(&entry.path())))
}

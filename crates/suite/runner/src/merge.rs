//! Joins the reports on the parts of a suite, which several machines have written, into one report.
//!
//! The joined report counts as that of the whole suite, so a part that is missing, that comes
//! twice, or that another program ran is an error.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::parts::{Joined, MergeError};
use crate::reporters::{junit_merge, page};

/// Largest report that is read, in bytes.
const REPORT_BYTES_MAX: usize = 256 << 20;

/// Reports to join and where to write the result.
#[derive(Clone, Debug, Default)]
pub struct MergeOptions {
    /// JUnit files, pages, and folders with a page `index.html`.
    pub reports: Vec<PathBuf>,
    /// Path of the joined JUnit file.
    pub junit: Option<PathBuf>,
    /// Folder of the joined page, `index.html`.
    pub html: Option<PathBuf>,
    /// Whether to replace an existing file that is not an earlier report of its kind.
    pub force: bool,
}

/// Joins the reports that `options` name and returns the reports that were written.
///
/// # Errors
/// If a report cannot be read, is not a report, or does not belong to the others; if no output is
/// named for the joined report, or it cannot be written.
pub fn merge(options: &MergeOptions) -> Result<Vec<Joined>, MergeError> {
    let (mut junit, mut pages) = (Vec::new(), Vec::new());
    for path in &options.reports {
        let path = if path.is_dir() { path.join("index.html") } else { path.clone() };
        let text = read(&path)?;
        if page::is_page(text.as_bytes()) {
            pages.push((path, text));
        } else if text.trim_start().starts_with("<?xml") {
            junit.push((path, text));
        } else {
            return Err(MergeError::NoReport { path });
        }
    }
    let output = |reports: &[(PathBuf, String)], kind, option, output: &Option<PathBuf>| match (
        reports.first(),
        output,
    ) {
        (Some((path, _)), None) => Err(MergeError::NoOutput { path: path.clone(), kind, option }),
        (None, Some(_)) => Err(MergeError::Nothing { kind, option }),
        (_, output) => Ok(output.clone()),
    };
    let junit_output = output(&junit, "JUnit file", "--junit", &options.junit)?;
    let page_output = output(&pages, "page", "--html", &options.html)?;
    let mut written = Vec::new();
    if let Some(path) = junit_output {
        written.push(junit_merge::merge(&junit, &path, options.force)?);
    }
    if let Some(folder) = page_output {
        written.push(page::merge::merge(&pages, &folder, options.force)?);
    }
    Ok(written)
}

/// Returns the duration of each trace in the run of the JUnit file at `path`, by the trace's path.
///
/// # Errors
/// If the file cannot be read or is not a JUnit file.
pub fn durations(path: &Path) -> Result<Vec<(String, Duration)>, MergeError> {
    junit_merge::durations(path, &read(path)?)
}

pub(crate) fn read(path: &Path) -> Result<String, MergeError> {
    let unreadable = |source| MergeError::Read { path: path.to_owned(), source };
    let bytes = host::input_files::read(path, REPORT_BYTES_MAX).map_err(unreadable)?;
    if bytes.len() > REPORT_BYTES_MAX {
        let limit = format!("it is larger than {} MiB", REPORT_BYTES_MAX >> 20);
        return Err(unreadable(io::Error::new(io::ErrorKind::FileTooLarge, limit)));
    }
    String::from_utf8(bytes).map_err(|_| MergeError::NoReport { path: path.to_owned() })
}

//! The files of reports: each run replaces those of an earlier run, and nothing else.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use host::output_files::{Output, OutputError, OutputFile, Recognizer};

/// Opens the file of a report at `path`. An existing file is replaced if `recognizes` returns true
/// for its first bytes, which marks an earlier report of the kind, or if `force` is set.
///
/// # Errors
/// If the file cannot be written, or is of another kind.
pub(crate) fn open(
    path: &Path,
    recognizes: Recognizer,
    force: bool,
) -> Result<OutputFile, OutputError> {
    Output::new(path).replace_like(recognizes).replace(force).create()
}

/// Fills `file` with the output of `write` and moves it into place. Returns its path.
///
/// # Errors
/// If the file cannot be written. An earlier file then remains unchanged.
pub(crate) fn finish(
    mut file: OutputFile,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<PathBuf, OutputError> {
    let path = file.path().to_owned();
    write(&mut file).map_err(|source| cannot_write(&path, source))?;
    file.commit()?;
    Ok(path)
}

/// Returns the error for a file or folder that the operating system cannot write.
pub(crate) fn cannot_write(path: &Path, source: io::Error) -> OutputError {
    OutputError::Io { path: path.to_owned(), source }
}

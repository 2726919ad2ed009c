//! The files of reports: each run replaces those of an earlier run, and nothing else.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use host::output_files::{Output, OutputError, OutputFile, Recognizer};

/// Opens the file of a report at `path`. A file that is there is replaced if `recognizes` knows it
/// as an earlier report of the kind, or if `force`.
///
/// # Errors
/// If it cannot be written, or is a file of another kind.
pub(crate) fn open(
    path: &Path,
    recognizes: Recognizer,
    force: bool,
) -> Result<OutputFile, OutputError> {
    Output::new(path).replace_like(recognizes).replace(force).create()
}

/// Fills `file` with what `write` writes, and puts it into its place, which is returned.
///
/// # Errors
/// If it cannot be written. Then the file is as it was before.
pub(crate) fn finish(
    mut file: OutputFile,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<PathBuf, OutputError> {
    let path = file.path().to_owned();
    write(&mut file).map_err(|source| cannot_write(&path, source))?;
    file.commit()?;
    Ok(path)
}

/// The error of a file or a folder that the operating system refused.
pub(crate) fn cannot_write(path: &Path, source: io::Error) -> OutputError {
    OutputError::Io { path: path.to_owned(), source }
}

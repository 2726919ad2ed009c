//! Files that are whole at the end, and are not there before.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use output_files::OutputError;
use tempfile::NamedTempFile;

/// A file that will be there whole or, if it was there before, stays as it was.
pub(crate) struct OutputFile {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl OutputFile {
    /// Makes sure that `path` can be written, without touching it yet.
    ///
    /// # Errors
    /// If it cannot.
    pub fn new(path: &Path) -> Result<Self, OutputError> {
        if path.is_dir() {
            return Err(OutputError::IsFolder { path: path.to_owned() });
        }
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As any other file: what the umask leaves of it.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let file = builder
            .prefix(".nudge-")
            .tempfile_in(folder.unwrap_or(Path::new(".")))
            .map_err(|source| cannot_write(path, source))?;
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file) })
    }

    /// Fills it with what `write` writes, and puts it into its place.
    ///
    /// # Errors
    /// If it cannot be written. Then the file is as it was before.
    pub fn finish(
        mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<PathBuf, OutputError> {
        let path = self.path;
        write(&mut self.file).map_err(|source| cannot_write(&path, source))?;
        let file =
            self.file.into_inner().map_err(|error| cannot_write(&path, error.into_error()))?;
        file.persist(&path).map_err(|error| cannot_write(&path, error.error))?;
        Ok(path)
    }
}

/// The error of a file or a folder that the operating system refused.
pub(crate) fn cannot_write(path: &Path, source: io::Error) -> OutputError {
    OutputError::Io { path: path.to_owned(), source }
}

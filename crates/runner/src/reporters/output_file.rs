//! Files that are whole at the end, and are not there before.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

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
    /// The sentence for the report.
    pub fn new(path: &Path) -> Result<Self, String> {
        if path.is_dir() {
            return Err(format!(
                "{}: cannot be written: it is a folder; name a file",
                path.display()
            ));
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
            .map_err(|error| cannot(path, &error))?;
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file) })
    }

    /// Fills it with what `write` writes, and puts it into its place.
    ///
    /// # Errors
    /// The sentence for the report.
    pub fn finish(
        mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<PathBuf, String> {
        let path = self.path;
        write(&mut self.file).map_err(|error| cannot(&path, &error))?;
        let file = self.file.into_inner().map_err(|error| cannot(&path, error.error()))?;
        file.persist(&path).map_err(|error| cannot(&path, &error.error))?;
        Ok(path)
    }
}

fn cannot(path: &Path, error: &io::Error) -> String {
    // A temporary file's error names that file; only the reason before it is of interest.
    let text = error.to_string();
    let reason = text.split(" at path ").next().unwrap_or_default();
    format!("{}: cannot be written: {reason}", path.display())
}

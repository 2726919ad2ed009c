//! Files that grow while the traces run and are whole at the end: what is known early waits
//! in a [`Spool`] on disk, not in memory, and a [`Target`] is replaced as a whole.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Bytes in a file that has no name and is gone with the process.
pub(super) struct Spool {
    file: BufWriter<File>,
    length: u64,
}

impl Spool {
    /// # Errors
    /// If there is no room for temporary files.
    pub fn new() -> io::Result<Self> {
        Ok(Self { file: BufWriter::new(tempfile::tempfile()?), length: 0 })
    }

    /// Adds `bytes`, and says where they are.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<Range<u64>> {
        self.file.write_all(bytes)?;
        let start = self.length;
        self.length += bytes.len() as u64;
        Ok(start..self.length)
    }

    /// Writes the bytes in `range` to `out`.
    ///
    /// # Errors
    /// If they cannot be read or written.
    pub fn copy(&mut self, range: Range<u64>, out: &mut dyn Write) -> io::Result<()> {
        self.file.flush()?;
        let file = self.file.get_mut();
        file.seek(SeekFrom::Start(range.start))?;
        io::copy(&mut file.take(range.end - range.start), out)?;
        self.file.get_mut().seek(SeekFrom::End(0)).map(drop)
    }

    /// Writes all bytes to `out`.
    ///
    /// # Errors
    /// If they cannot be read or written.
    pub fn copy_all(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.copy(0..self.length, out)
    }
}

/// A file that will be there whole or, if it was there before, stays as it was.
pub(super) struct Target {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl Target {
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

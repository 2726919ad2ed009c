//! A file that is appended to in place, so that a crash costs no line that was written.
//!
//! A disk that becomes full may store only the beginning of a line. The file is then truncated to
//! its last whole line, and accepts no more.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::output_files::OutputError;

/// A file that grows line by line, unbuffered: data is passed to the operating system at once.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    /// Length of the file in bytes.
    length: u64,
    /// Length up to the end of the last whole line that was written.
    whole: u64,
    /// Whether a write has failed.
    failed: bool,
}

impl Log {
    /// Creates a new file at `path`; missing parent folders are created.
    ///
    /// # Errors
    /// [`OutputError::Exists`] if the file exists, which is then unchanged; or if it cannot be
    /// created.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)
                .map_err(|source| OutputError::Io { path: path.to_owned(), source })?;
        }
        Self::open(path, OpenOptions::new().write(true).create_new(true))
    }

    /// Opens the file at `path` for appending; creates it if it does not exist.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn append(path: &Path) -> Result<Self, OutputError> {
        Self::open(path, OpenOptions::new().append(true).create(true))
    }

    fn open(path: &Path, options: &OpenOptions) -> Result<Self, OutputError> {
        let path = path.to_owned();
        match options.open(&path) {
            Ok(file) => {
                // Text of an earlier program is not truncated, even without a line end.
                let length = file.metadata().map_or(0, |found| found.len());
                Ok(Self { path, file, length, whole: length, failed: false })
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                Err(OutputError::Exists { path })
            }
            Err(source) => Err(OutputError::Io { path, source }),
        }
    }

    /// Appends `bytes`.
    ///
    /// # Errors
    /// If the file system does not accept them; the error names the file, which then ends with its
    /// last whole line.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.write_all(bytes).map_err(|source| OutputError::Io { path: self.path.clone(), source })
    }

    /// Removes the incomplete line at the end.
    fn cut(&mut self) {
        self.failed = true;
        // Another program may append to the same file; its text is retained.
        let ours = self.file.metadata().is_ok_and(|found| found.len() == self.length);
        // If even this fails, nothing more can be done; a reader recognizes the torn line.
        if ours && self.length > self.whole && self.file.set_len(self.whole).is_ok() {
            self.length = self.whole;
        }
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed {
            // A line after a gap would have another meaning.
            return Err(io::Error::other("an earlier write to it failed"));
        }
        let written = match self.file.write(bytes) {
            // `write_all` repeats interrupted writes, and reports a write of zero bytes as an
            // error.
            Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
            Ok(0) if !bytes.is_empty() => Err(io::Error::from(ErrorKind::WriteZero)),
            written => written,
        };
        match written {
            Ok(count) => {
                if let Some(last) = bytes[..count].iter().rposition(|byte| *byte == b'\n') {
                    self.whole = self.length + last as u64 + 1;
                }
                self.length += count as u64;
                Ok(count)
            }
            Err(error) => {
                self.cut();
                Err(error)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

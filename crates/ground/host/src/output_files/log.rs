//! A file that is appended to in place, so that a crash costs no line that was written.
//!
//! A disk that is full takes the beginning of a line. The file is then cut back to its last whole
//! line, and takes no more.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::output_files::OutputError;

/// A file that grows line by line, unbuffered: what is written is handed to the operating system at
/// once.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    /// The length of the file.
    length: u64,
    /// The length up to the end of the last whole line that was written.
    whole: u64,
    /// Whether a write has failed.
    failed: bool,
}

impl Log {
    /// A new file at `path`; missing parent folders are created.
    ///
    /// # Errors
    /// [`OutputError::Exists`] if there is a file, which stays as it is; or if none can be created.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)
                .map_err(|source| OutputError::Io { path: path.to_owned(), source })?;
        }
        Self::open(path, OpenOptions::new().write(true).create_new(true))
    }

    /// The file at `path`, which is created if it is not there, at its end.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn append(path: &Path) -> Result<Self, OutputError> {
        Self::open(path, OpenOptions::new().append(true).create(true))
    }

    fn open(path: &Path, options: &OpenOptions) -> Result<Self, OutputError> {
        let path = path.to_owned();
        match options.open(&path) {
            Ok(file) => {
                // What an earlier program wrote is not cut, even without a line end.
                let length = file.metadata().map_or(0, |found| found.len());
                Ok(Self { path, file, length, whole: length, failed: false })
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                Err(OutputError::Exists { path })
            }
            Err(source) => Err(OutputError::Io { path, source }),
        }
    }

    /// Writes `bytes` at the end.
    ///
    /// # Errors
    /// If the disk does not take them; the error names the file, which then ends with its last whole
    /// line.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.write_all(bytes).map_err(|source| OutputError::Io { path: self.path.clone(), source })
    }

    /// Removes the beginning of a line that was not written to its end.
    fn cut(&mut self) {
        self.failed = true;
        // Another program may append to the same file; its text stays.
        let ours = self.file.metadata().is_ok_and(|found| found.len() == self.length);
        // Nothing else can be done where even this fails; a reader recognises the torn line.
        if ours && self.length > self.whole && self.file.set_len(self.whole).is_ok() {
            self.length = self.whole;
        }
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed {
            // A line behind a gap would say something else.
            return Err(io::Error::other("an earlier write to it failed"));
        }
        let written = match self.file.write(bytes) {
            // `write_all` repeats what was interrupted, and makes an error of a write of nothing.
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

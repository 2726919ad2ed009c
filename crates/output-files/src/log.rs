//! A file that is appended to in place, so that a crash costs no line that was written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::OutputError;

/// A file that grows, unbuffered: what is written is handed to the operating system at once.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
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
            Ok(file) => Ok(Self { path, file }),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                Err(OutputError::Exists { path })
            }
            Err(source) => Err(OutputError::Io { path, source }),
        }
    }

    /// Writes `bytes` at the end.
    ///
    /// # Errors
    /// If the disk does not take them; the error names the file.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.file
            .write_all(bytes)
            .map_err(|source| OutputError::Io { path: self.path.clone(), source })
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

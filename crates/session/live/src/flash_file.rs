//! File of a board's flash during a session.
//!
//! The file is locked from the opening of a session to its end, so that two sessions do not replace
//! each other's saved games. Only a flash that has changed is written. A file that another program
//! has changed meanwhile is not overwritten: the flash goes into a new file beside it. It knows no
//! window, and nothing of the flash's content.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use host::output_files::{FileLock, LockError, Output, OutputError};
use thiserror::Error;

/// Maximum number of names that are tried for the file next to the original.
const BESIDE_MAX: u32 = 999;

/// Where the flash of a session is saved.
pub enum FlashChoice {
    /// In this file, whenever it has changed.
    Keep(FlashFile),
    /// The flash is not saved.
    Discard,
    /// The flash is not saved: it is a copy of a file's content.
    Copy,
}

/// Whether the flash outlasts the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlashState {
    /// The flash is in its file.
    Kept,
    /// The flash is discarded at the end.
    Discarded,
    /// The flash is a copy of a file's, and discarded at the end.
    Copy,
    /// Another program changed the file; the flash is in a file beside it.
    Beside,
    /// The flash cannot be written into its file.
    Failed,
}

impl FlashChoice {
    /// Returns the flash's file, and the state that is shown.
    pub(super) fn begin(self) -> (Option<FlashFile>, FlashState) {
        match self {
            Self::Keep(kept) => (Some(kept), FlashState::Kept),
            Self::Discard => (None, FlashState::Discarded),
            Self::Copy => (None, FlashState::Copy),
        }
    }
}

/// A flash file of a session.
#[derive(Debug)]
pub struct FlashFile {
    path: PathBuf,
    /// `None` if the file cannot be locked; the next attempt to save locks it.
    lock: Option<FileLock>,
    /// Content of the file when this program last read or wrote it; `None` if there was no file.
    known: Option<Vec<u8>>,
    /// File that the flash is saved in since another program changed the first.
    beside: Option<PathBuf>,
}

/// Reason why the flash is not in its file: one sentence with the file's name.
#[derive(Debug, Error)]
pub enum FlashFileError {
    /// The file cannot be written.
    #[error("cannot keep the board's flash in {}: {source}", path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    /// Another program changed the file during the session.
    #[error(
        "{} was changed by another program during the session and is not overwritten; the \
         board's flash is in {}", path.display(), beside.display()
    )]
    Beside {
        path: PathBuf,
        /// The file with the flash.
        beside: PathBuf,
    },
}

impl FlashFile {
    /// Locks the file at `path`, which need not exist. Read it after this call, and set its
    /// content with [`holds`](Self::holds).
    ///
    /// # Errors
    /// [`LockError::Held`] if another program has the lock. A file that cannot be locked
    /// otherwise is one that cannot be written: the check at the start reports it.
    pub fn lock(path: PathBuf) -> Result<Self, LockError> {
        let lock = match FileLock::acquire(&path) {
            Ok(lock) => Some(lock),
            Err(error @ LockError::Held { .. }) => return Err(error),
            Err(LockError::Io { .. }) => None,
        };
        Ok(Self { path, lock, known: None, beside: None })
    }

    /// Sets the content that the file has.
    #[must_use]
    pub fn holds(self, known: Option<Vec<u8>>) -> Self {
        Self { known, ..self }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Checks that a file can be written in its place, and writes nothing.
    ///
    /// # Errors
    /// [`FlashFileError::Unwritable`].
    pub fn check(&mut self) -> Result<(), FlashFileError> {
        self.locked()?;
        let output = Output::new(&self.path).replace(true);
        output.create().map(drop).map_err(|error| self.unwritable(error.into()))
    }

    /// Writes `image` to the file, unless the file contains it already.
    ///
    /// # Errors
    /// If the flash is not in its file: the file cannot be written, or the flash was written to
    /// another file next to it.
    pub fn save(&mut self, image: &[u8]) -> Result<(), FlashFileError> {
        if self.beside.is_none() {
            if self.known.as_deref() == Some(image) {
                return Ok(());
            }
            self.locked()?;
            let found = match fs::read(&self.path) {
                Ok(found) => Some(found),
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                Err(error) => return Err(self.unwritable(error)),
            };
            if found.as_deref() == Some(image) {
                self.known = found;
                return Ok(());
            }
            // A file that was deleted is written again: nothing is lost by that.
            if found.is_none() || found == self.known {
                let written = Output::new(&self.path).replace(true).durable().write(image);
                written.map_err(|error| self.unwritable(error.into()))?;
                self.known = Some(image.to_vec());
                return Ok(());
            }
        }
        self.save_beside(image)
    }

    /// At the end of a session: as [`save`](Self::save) if the session `changed` the flash or there
    /// was no file, otherwise as [`check`](Self::check).
    ///
    /// # Errors
    /// As those, and [`FlashFileError::Beside`] if an earlier change is in another file.
    pub fn finish(&mut self, image: &[u8], changed: bool) -> Result<(), FlashFileError> {
        if changed || self.known.is_none() { self.save(image) } else { self.check() }
    }

    /// Writes `image` to a file next to the original; a session always uses the same one.
    fn save_beside(&mut self, image: &[u8]) -> Result<(), FlashFileError> {
        let written = match &self.beside {
            Some(beside) => {
                Output::new(beside).replace(true).durable().write(image).map(|()| beside.clone())
            }
            None => self.create_beside(image),
        };
        let beside = written.map_err(|error| self.unwritable(error.into()))?;
        self.beside = Some(beside.clone());
        Err(FlashFileError::Beside { path: self.path.clone(), beside })
    }

    /// Creates a new file next to the original, `flash.2.bin` for `flash.bin`.
    fn create_beside(&self, image: &[u8]) -> Result<PathBuf, OutputError> {
        let extension = self.path.extension().unwrap_or_default().to_string_lossy();
        for number in 2..BESIDE_MAX {
            let beside = self.path.with_extension(format!("{number}.{extension}"));
            match Output::new(&beside).durable().write(image) {
                Ok(()) => return Ok(beside),
                Err(OutputError::Exists { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Err(OutputError::Exists { path: self.path.clone() })
    }

    fn locked(&mut self) -> Result<(), FlashFileError> {
        if self.lock.is_none() {
            let lock = FileLock::acquire(&self.path);
            self.lock = Some(lock.map_err(|error| self.unwritable(io::Error::other(error)))?);
        }
        Ok(())
    }

    fn unwritable(&self, source: io::Error) -> FlashFileError {
        FlashFileError::Unwritable { path: self.path.clone(), source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn kept(path: &Path) -> FlashFile {
        let kept = FlashFile::lock(path.to_owned()).unwrap();
        kept.holds(fs::read(path).ok())
    }

    #[test]
    fn a_second_session_is_kept_out_of_the_file_until_the_first_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("flash.bin");
        let mut first = kept(&path);
        first.save(&[1]).unwrap();
        assert!(matches!(FlashFile::lock(path.clone()), Err(LockError::Held { .. })));
        drop(first);
        kept(&path).save(&[2]).unwrap();
        assert_eq!(fs::read(&path).unwrap(), [2]);
    }

    #[test]
    fn an_unchanged_flash_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("flash.bin");
        fs::write(&path, [1]).unwrap();
        let mut kept = kept(&path);
        kept.save(&[1]).unwrap();
        // Another program's change is retained if this session has changed nothing.
        fs::write(&path, [7]).unwrap();
        kept.save(&[1]).unwrap();
        kept.finish(&[3], false).unwrap();
        assert_eq!(fs::read(&path).unwrap(), [7]);
    }

    #[test]
    fn a_file_that_was_not_there_is_made_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/flash.bin");
        kept(&path).finish(&[3], false).unwrap();
        assert_eq!(fs::read(&path).unwrap(), [3]);
    }

    #[test]
    fn another_programs_flash_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("flash.bin");
        fs::write(&path, [1]).unwrap();
        fs::write(folder.path().join("flash.2.bin"), "of another").unwrap();
        let mut kept = kept(&path);
        kept.save(&[2]).unwrap();
        fs::write(&path, [7]).unwrap();
        for image in [[3], [4]] {
            let error = kept.save(&image).unwrap_err().to_string();
            assert!(error.contains("flash.bin was changed by another program"), "{error}");
            assert!(error.ends_with("flash.3.bin"), "{error}");
            assert_eq!(fs::read(folder.path().join("flash.3.bin")).unwrap(), image);
        }
        assert!(kept.finish(&[4], true).is_err(), "the exit code says it, too");
        assert_eq!(fs::read(&path).unwrap(), [7]);
        assert_eq!(fs::read(folder.path().join("flash.2.bin")).unwrap(), b"of another");
    }

    #[test]
    fn an_unwritable_file_is_reported_at_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("flash.bin");
        fs::write(&path, [1]).unwrap();
        fs::create_dir(folder.path().join("flash.bin.lock")).unwrap();
        let mut kept = kept(&path);
        for _ in 0..2 {
            let error = kept.check().unwrap_err().to_string();
            assert!(error.starts_with("cannot keep the board's flash in "), "{error}");
        }
        assert!(kept.finish(&[1], false).is_err(), "at the end as well");
        fs::remove_dir(folder.path().join("flash.bin.lock")).unwrap();
        kept.check().unwrap();
        kept.save(&[2]).unwrap();
        assert_eq!(fs::read(&path).unwrap(), [2]);
    }
}

//! A file that is being written: a temporary file until it is committed.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use crate::output_files::folder::folder_of;
use crate::output_files::{OutputError, unfinished};

/// Prefix of the names of this project's temporary files.
const PREFIX: &str = ".nudge-";

/// A file that appears at its path when it is [committed](Self::commit), and leaves nothing if it
/// is dropped before.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    target: PathBuf,
    replace: bool,
    durable: bool,
    /// Folders that were created for the file, the outermost first.
    folders: Vec<PathBuf>,
    /// `None` once the file is committed or dropped.
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    file: BufWriter<fs::File>,
    temporary: TempPath,
}

impl OutputFile {
    /// Opens the temporary file for `path`, which leads to `target`, where `folders` are missing.
    pub(crate) fn open(
        path: PathBuf,
        target: PathBuf,
        folders: Vec<PathBuf>,
        replace: bool,
        durable: bool,
    ) -> Result<Self, OutputError> {
        let folder = folder_of(&target);
        let begun = unfinished::begin(&folders, || {
            fs::create_dir_all(folder)?;
            let file = temporary(&target)?.tempfile_in(folder)?;
            let temporary = file.path().to_owned();
            Ok((file, temporary))
        });
        let file: NamedTempFile = match begun {
            None => return Err(OutputError::Ending { path }),
            Some(Ok(file)) => file,
            Some(Err(source)) => {
                unfinished::remove_folders(&folders);
                return Err(OutputError::Io { path, source });
            }
        };
        let (file, temporary) = file.into_parts();
        let open = Some(Open { file: BufWriter::new(file), temporary });
        Ok(Self { path, target, replace, durable, folders, open })
    }

    /// Returns the file's path, as the caller named it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends `bytes`.
    ///
    /// # Errors
    /// If the file system does not accept them; the error names the file.
    pub fn fill(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.write_all(bytes).map_err(|source| OutputError::Io { path: self.path.clone(), source })
    }

    /// Returns a second writer, which appends to what is written already, for code that owns its
    /// writer. The caller flushes it before [`commit`](Self::commit).
    ///
    /// # Errors
    /// If the operating system does not provide a second handle.
    pub fn writer(&self) -> Result<BufWriter<fs::File>, OutputError> {
        let handle = match &self.open {
            Some(open) => open.file.get_ref().try_clone(),
            None => Err(io::Error::other("the file is closed")),
        };
        handle
            .map(BufWriter::new)
            .map_err(|source| OutputError::Io { path: self.path.clone(), source })
    }

    /// Moves the file to its path.
    ///
    /// # Errors
    /// If the rest cannot be written, or the file cannot be renamed. Then the path is unchanged.
    pub fn commit(mut self) -> Result<(), OutputError> {
        let Some(Open { file, temporary }) = self.open.take() else { return Ok(()) };
        let place = temporary.to_path_buf();
        let durable = self.durable;
        let written = file.into_inner().map_err(io::IntoInnerError::into_error);
        let written = written.and_then(|file| if durable { file.sync_all() } else { Ok(()) });
        let (target, replace) = (&self.target, self.replace);
        let renamed = unfinished::end(&place, || {
            written?;
            if replace {
                temporary.persist(target).map_err(|error| error.error)
            } else {
                temporary.persist_noclobber(target).map_err(|error| error.error)
            }
        });
        let path = self.path.clone();
        match renamed {
            None => Err(OutputError::Ending { path }),
            Some(Ok(())) => {
                self.folders.clear();
                Ok(())
            }
            Some(Err(error)) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(OutputError::Exists { path })
            }
            Some(Err(source)) => Err(OutputError::Io { path, source }),
        }
    }
}

/// Returns a builder with the file's permissions: those of the file that it replaces, otherwise the
/// umask's.
fn temporary(target: &Path) -> io::Result<tempfile::Builder<'static, 'static>> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let permissions = match fs::metadata(target) {
            Ok(found) => found.permissions(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::Permissions::from_mode(0o666)
            }
            Err(error) => return Err(error),
        };
        builder.permissions(permissions);
    }
    #[cfg(not(unix))]
    let _ = target;
    Ok(builder)
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.open {
            Some(open) => open.file.write(bytes),
            None => Err(io::Error::other("the file is closed")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.open.as_mut().map_or(Ok(()), |open| open.file.flush())
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Some(Open { file, temporary }) = self.open.take() {
            // The buffer is not flushed: a file that was not committed is not needed.
            let (file, _) = file.into_parts();
            drop(file);
            let place = temporary.to_path_buf();
            let folders = &self.folders;
            unfinished::end(&place, || {
                drop(temporary);
                unfinished::remove(&place, folders);
            });
        } else {
            unfinished::remove_folders(&self.folders);
        }
    }
}

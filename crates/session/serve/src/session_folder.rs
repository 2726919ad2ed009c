//! The folder that files are read and written in. A name never leads out of it: not by `..`, not as an absolute
//! path, not by a symbolic link.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use host::output_files::{Output, inside};

use crate::fault::{Fault, FaultKind};

/// What a file that is read has at most: a flash, or a golden.
const BYTES_MAX: usize = 4 << 20;
/// How many recordings of one name a folder may have.
const RECORDINGS_MAX: u32 = 100_000;

/// A folder, and whether every session is recorded in it.
#[derive(Clone, Debug)]
pub struct Room {
    folder: PathBuf,
    records: bool,
}

impl Room {
    /// The folder `folder`, which exists. With `records` every session is recorded in it, asked or not.
    ///
    /// # Errors
    /// If there is no such folder.
    pub fn new(folder: &Path, records: bool) -> io::Result<Self> {
        let folder = folder.canonicalize()?;
        if !folder.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self { folder, records })
    }

    /// Whether every session is recorded.
    pub(crate) fn records(&self) -> bool {
        self.records
    }

    /// Where the file or folder `name` lies.
    pub(crate) fn place(&self, name: &str) -> Result<PathBuf, Fault> {
        let fault = |message: String| Fault::new(FaultKind::File, message);
        let path =
            inside(&self.folder, Path::new(name)).map_err(|error| fault(error.to_string()))?;
        let below = path.strip_prefix(&self.folder).unwrap_or(&path);
        for step in below.ancestors().filter(|step| !step.as_os_str().is_empty()) {
            let link = fs::symlink_metadata(self.folder.join(step));
            if link.is_ok_and(|found| found.is_symlink()) {
                let shown = step.display();
                return Err(fault(format!(
                    "{shown} is a symbolic link, which is not followed here"
                )));
            }
        }
        Ok(path)
    }

    /// The path below the folder, as answers have it.
    pub(crate) fn name_of(&self, path: &Path) -> String {
        path.strip_prefix(&self.folder).unwrap_or(path).display().to_string()
    }

    /// The first of `name.trace`, `name.2.trace`… that is not there.
    pub(crate) fn free(&self, name: &str) -> Result<PathBuf, Fault> {
        let stem = name.strip_suffix(".trace").unwrap_or(name);
        for number in 1..RECORDINGS_MAX {
            let name = if number == 1 {
                format!("{stem}.trace")
            } else {
                format!("{stem}.{number}.trace")
            };
            let path = self.place(&name)?;
            if !path.exists() {
                return Ok(path);
            }
        }
        Err(Fault::new(FaultKind::File, format!("there are too many recordings called {stem}")))
    }
}

/// The bytes of a file; `None` if there is none.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, Fault> {
    match host::input_files::read(path, BYTES_MAX) {
        Ok(bytes) if bytes.len() <= BYTES_MAX => Ok(Some(bytes)),
        Ok(_) => {
            let message = format!("{}: has more than {} MiB", path.display(), BYTES_MAX >> 20);
            Err(Fault::new(FaultKind::File, message))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Fault::new(FaultKind::File, format!("{}: {error}", path.display()))),
    }
}

/// Writes a whole file.
pub(crate) fn write(output: &Output, bytes: &[u8]) -> Result<(), Fault> {
    output.write(bytes).map_err(|error| Fault::new(FaultKind::File, error))
}

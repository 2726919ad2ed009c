//! Folder in which files are read and written, and sessions are recorded.

use std::io;
use std::path::{Path, PathBuf};

use host::output_files::{Output, OutputError};
use host::sandbox::Sandbox;

use crate::fault::{Fault, FaultKind};

/// Most bytes of a file that is read: a flash, or a golden.
const BYTES_MAX: usize = 4 << 20;
/// Most recordings of one name in a folder.
const RECORDINGS_MAX: u32 = 100_000;

/// The folder of a client's sessions.
#[derive(Clone, Debug)]
pub struct SessionFolder {
    sandbox: Sandbox,
    records: bool,
}

impl SessionFolder {
    /// Opens the folder `folder`, which exists. With `records` every session is recorded in it,
    /// requested or not.
    ///
    /// # Errors
    /// If there is no such folder.
    pub fn new(folder: &Path, records: bool) -> io::Result<Self> {
        Ok(Self { sandbox: Sandbox::new(folder)?, records })
    }

    /// Whether every session is recorded.
    pub(crate) fn records(&self) -> bool {
        self.records
    }

    /// Returns the path of the folder.
    pub(crate) fn path(&self) -> &Path {
        self.sandbox.folder()
    }

    /// Returns the path of the file or folder `name`.
    pub(crate) fn place(&self, name: &str) -> Result<PathBuf, Fault> {
        self.sandbox.place(name).map_err(|error| Fault::new(FaultKind::File, error))
    }

    /// Returns the path below the folder, as answers have it.
    pub(crate) fn name_of(&self, path: &Path) -> String {
        self.sandbox.below(path).display().to_string()
    }

    /// Returns the first of `name.trace`, `name.2.trace`… that does not exist.
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

/// Returns the bytes of a file; `None` if there is none.
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
    output.write(bytes).map_err(|error| not_written(&error))
}

/// Returns the fault of a file that is not written, in the words of requests.
fn not_written(error: &OutputError) -> Fault {
    let message = match error {
        OutputError::Exists { path } | OutputError::OtherKind { path } => {
            format!("{} is there already; the parameter `force` replaces it", path.display())
        }
        OutputError::InGoldens { path, trace } => format!(
            "{}: lies in the folder of the golden pictures of {}, which only `expect_frame` with `bless` writes; \
             name another place",
            path.display(),
            trace.display()
        ),
        error => error.to_string(),
    };
    Fault::new(FaultKind::File, message)
}

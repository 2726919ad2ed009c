//! Location of the result cache; `results` writes and reads it.

use std::path::PathBuf;

use host::output_files::OutputError;

/// Location of the result cache, and the program that it is for.
#[derive(Clone, Debug)]
pub struct ResultCache {
    /// The cache's folder, which contains nothing else.
    pub folder: PathBuf,
    /// Identifies the replaying program, the board and the program on it, to the byte.
    pub engine: String,
    /// Decides which hits are replayed nevertheless.
    pub seed: u64,
}

impl ResultCache {
    /// Creates the folder for the results if it does not exist.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn open(&self) -> Result<(), OutputError> {
        host::output_files::create_folder(&self.folder)
    }
}

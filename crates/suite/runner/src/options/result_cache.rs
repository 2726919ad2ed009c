//! Where the results of replays are kept; `results` keeps and uses them.

use std::path::PathBuf;

use host::output_files::OutputError;

/// Where results are kept, and for whom.
#[derive(Clone, Debug)]
pub struct ResultCache {
    /// The folder. Nothing else is in it.
    pub folder: PathBuf,
    /// Identifies the program that replays, the board and the program on it, to the byte.
    pub engine: String,
    /// Decides which hits are replayed all the same.
    pub seed: u64,
}

impl ResultCache {
    /// Makes sure that there is a folder to keep results in.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn open(&self) -> Result<(), OutputError> {
        host::output_files::create_folder(&self.folder)
    }
}

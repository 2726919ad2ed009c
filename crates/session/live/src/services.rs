//! Services that the command provides for a session's view, a window or a terminal, because the
//! view knows no firmware, no runner and no studio.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use ili9341_model::Frame;
use virtual_time::Instant;

use super::start::Start;

/// Error of a service, as a sentence for the user.
pub type ServiceError = Box<dyn Error>;

/// A file that was opened or recorded lately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecentSession {
    pub path: PathBuf,
    /// Board that ran it, as `--board` names it.
    pub board: String,
    /// Whether the file still exists.
    pub is_there: bool,
}

/// Services of the command for the view that it opened.
pub trait Services {
    /// Returns the lines of text that `frame` shows, from the top.
    fn text(&self, frame: &Frame) -> Vec<String>;

    /// Returns a film of `frames`, each shown from its time on, that ends at `end`.
    ///
    /// # Errors
    /// If the film cannot be made.
    fn film(&self, frames: &[(Instant, Frame)], end: Instant) -> io::Result<Vec<u8>>;

    /// Opens the file at `path`, which was dropped on the window: a trace or a program.
    ///
    /// # Errors
    /// If the file is neither, or broken.
    fn open(&self, path: &Path) -> Result<Start, ServiceError>;

    /// Returns the files that were opened or recorded lately, the newest first.
    fn recent(&self) -> Vec<RecentSession>;

    /// Opens a recent file on the board that ran it.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    fn reopen(&self, session: &RecentSession) -> Result<Start, ServiceError>;

    /// Opens the trace at `path` in the studio's page, on `board` as [`Start::board`] names it.
    /// Calls `report` with the outcome later, from another thread.
    ///
    /// # Errors
    /// If nothing can be started.
    fn studio(
        &self,
        board: &str,
        path: &Path,
        report: Box<dyn Fn(String) + Send>,
    ) -> Result<(), ServiceError>;
}

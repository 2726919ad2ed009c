//! What a session's view, a window or a terminal, asks of the command that opened it, because it knows no firmware, no runner and no
//! studio.

use std::error::Error;
use std::io;
use std::path::Path;

use ili9341_model::Frame;
use virtual_time::Instant;

use super::start::Start;

/// Why a host cannot do what it is asked for, as a sentence for a person.
pub type ServiceError = Box<dyn Error>;

/// What the window asks of the command that opened it.
pub trait Services {
    /// The lines of text that `frame` shows, from the top.
    fn text(&self, frame: &Frame) -> Vec<String>;

    /// A film of `frames`, each shown from its moment on, that ends at `end`.
    ///
    /// # Errors
    /// If it cannot be made.
    fn film(&self, frames: &[(Instant, Frame)], end: Instant) -> io::Result<Vec<u8>>;

    /// What runs if the file at `path`, which was dropped on the window, is opened: a trace or a program.
    ///
    /// # Errors
    /// If it is neither, or broken.
    fn open(&self, path: &Path) -> Result<Start, ServiceError>;

    /// Opens the trace at `path` in the studio's page, on `board` as [`Start::board`] names it. The outcome is
    /// passed to `report`, later and from another thread.
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

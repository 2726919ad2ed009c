//! Why a session cannot start, or cannot go on.

use std::io;

use hal_mock::setup::SetupError;
use thiserror::Error;

/// Why a session could not start, or not go on.
#[derive(Debug, Error)]
pub enum LiveError {
    /// The machine could not be built.
    #[error("the board cannot be built: {0}")]
    Machine(#[source] SetupError),
    /// The recording could not be begun.
    #[error("the recording cannot be begun: {0}")]
    Recording(#[source] io::Error),
    /// The operating system gave no thread.
    #[error("the firmware gets no thread: {0}")]
    Thread(#[source] io::Error),
    /// The firmware's thread has ended, or has not answered for `live::BACKLOG_MAX` commands.
    #[error("the firmware's thread does not answer any more")]
    Gone,
}

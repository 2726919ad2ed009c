//! Errors of a session: it cannot start, cannot continue, or did not save its files.

use std::io;
use std::path::{Path, PathBuf};

use hal_mock::MachineError;
use hal_mock::setup::SetupError;
use thiserror::Error;

use super::flash_file::FlashFileError;
use super::process_error::ProcessError;

/// Reason why a session could not start, or not continue.
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
    /// The firmware does not return when it starts.
    #[error("the firmware does not start {0}")]
    Hung(#[source] MachineError),
    /// Another process runs no session.
    #[error("the firmware's process: {0}")]
    Process(#[source] ProcessError),
    /// The firmware's thread has ended, or has not answered for `live::BACKLOG_MAX` commands.
    #[error("the firmware's thread does not answer any more")]
    Gone,
}

/// Reason why a session did not run, or did not save its files. One sentence each, with the next
/// step where there is one.
#[derive(Debug, Error)]
pub enum SessionError {
    /// The file to record into cannot be created, most often because it exists.
    #[error("{}", record_text(path, error))]
    Record {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    /// The recording ended before the session did.
    #[error(
        "the recording in {} is not complete, it ends where this came up: {error}",
        path.display()
    )]
    RecordingLost {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    /// The flash is not in its file.
    #[error(transparent)]
    Flash(#[from] FlashFileError),
    /// The session could not start, or its thread does not answer.
    #[error(transparent)]
    Live(#[from] LiveError),
    /// The firmware has stopped.
    #[error("the firmware stopped {0}")]
    Broken(#[source] MachineError),
}

impl SessionError {
    /// Returns the exit code of `nudge`: 1 if the firmware stopped, otherwise 2.
    pub fn exit_code(&self) -> u8 {
        if matches!(self, Self::Broken(_) | Self::Live(LiveError::Hung(_))) { 1 } else { 2 }
    }
}

fn record_text(path: &Path, error: &io::Error) -> String {
    let path = path.display();
    if error.kind() == io::ErrorKind::AlreadyExists {
        format!("{path} exists already, and a recording overwrites nothing; name another file")
    } else {
        format!("cannot record into {path}: {error}")
    }
}

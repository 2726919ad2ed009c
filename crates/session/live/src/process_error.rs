//! Errors of a session in another process.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

/// Version of the protocol between a window and such a session.
pub(super) const VERSION: u32 = 2;
/// Time limit for a program to start and to replay the session.
pub(super) const START_MAX: Duration = Duration::from_secs(120);
/// Reason why a message cannot be read.
#[derive(Debug, Error)]
pub enum MessageError {
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The line is no message.
    #[error("it says what is not understood: {0}")]
    Json(#[from] serde_json::Error),
    /// The version differs: another program, or another build.
    #[error(
        "it speaks version {0} and this program version {VERSION}; build both from sources that are less far apart"
    )]
    Version(u32),
    /// A line or the bytes after it are too long.
    #[error("it says too much at once")]
    TooLong,
    /// A message has an impossible value.
    #[error("it says something that there is not")]
    Value,
}

/// Reason why another process runs no session.
#[derive(Debug, Error)]
pub enum ProcessError {
    /// The program cannot be started.
    #[error("{} cannot be started: {source}", program.display())]
    Start {
        program: PathBuf,
        #[source]
        source: io::Error,
    },
    /// The program has reported why not.
    #[error("{0}")]
    Refused(String),
    /// The program has ended, with its last output.
    #[error("it has ended: {0}")]
    Ended(String),
    /// The program does not answer in time.
    #[error("it has not done within {} s what the session has done; it was ended", START_MAX.as_secs())]
    Late,
    /// The result is not needed any more.
    #[error("a later build has taken its place, or the window is closed; it was ended")]
    GivenUp,
    /// A message cannot be read.
    #[error(transparent)]
    Message(#[from] MessageError),
}

//! Why a session in another process does not run, or is not understood.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

/// The version of what a window and such a session say to each other.
pub(super) const VERSION: u32 = 1;
/// How long a program may take to start and to do what is done already.
pub(super) const START_MAX: Duration = Duration::from_secs(120);
/// Why what was said cannot be understood.
#[derive(Debug, Error)]
pub enum MessageError {
    /// The pipe is broken.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is no such message.
    #[error("it says what is not understood: {0}")]
    Json(#[from] serde_json::Error),
    /// It is another program, or one of another age.
    #[error(
        "it speaks version {0} and this program version {VERSION}; build both from sources that are less far apart"
    )]
    Version(u32),
    /// A line or what is behind it is too long.
    #[error("it says too much at once")]
    TooLong,
    /// A message has a value that there is not.
    #[error("it says something that there is not")]
    Value,
}

/// Why another process runs no session.
#[derive(Debug, Error)]
pub enum ProcessError {
    /// It cannot be started.
    #[error("{} cannot be started: {source}", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// It has told why not.
    #[error("{0}")]
    Refused(String),
    /// It ended: what it said last.
    #[error("it has ended: {0}")]
    Ended(String),
    /// It does not answer.
    #[error("it has not done within {} s what the session has done; it was ended", START_MAX.as_secs())]
    Late,
    /// Its result is not needed any more.
    #[error("a later build has taken its place, or the window is closed; it was ended")]
    GivenUp,
    /// It says something else.
    #[error(transparent)]
    Message(#[from] MessageError),
}

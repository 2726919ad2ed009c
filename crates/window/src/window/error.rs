//! Why `nudge run` did not run, or did not keep what it should have kept.

use core::fmt;
use std::io;
use std::path::PathBuf;

use hal_mock::MachineError;

use crate::live::LiveError;

/// One sentence each, with the next step where there is one. All are exit code 2 but
/// [`RunError::Broken`], which is 1: see [`RunError::exit_code`].
#[derive(Debug)]
pub enum RunError {
    /// There is no display; what SDL says.
    NoDisplay(String),
    /// The window could not be made or drawn; what SDL says.
    Window(String),
    /// The file to record into cannot be made; most often because it is there.
    Record {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// The recording ended before the session did.
    RecordingLost {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// The flash could not be kept.
    Flash {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// The session could not start or did not answer any more.
    Live(LiveError),
    /// The firmware could not go on.
    Broken(MachineError),
}

impl RunError {
    /// What `nudge` exits with.
    pub fn exit_code(&self) -> u8 {
        if matches!(self, Self::Broken(_)) { 1 } else { 2 }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDisplay(why) => write!(
                out,
                "there is no display to open the board's window on ({why}); without one, play a \
                 trace with `nudge replay` or take a picture of the LCD with `nudge screenshot`"
            ),
            Self::Window(why) => write!(out, "the window cannot be shown: {why}"),
            Self::Record { path, error } if error.kind() == io::ErrorKind::AlreadyExists => write!(
                out,
                "{} exists already, and a recording overwrites nothing; name another file",
                path.display()
            ),
            Self::Record { path, error } => {
                write!(out, "cannot record into {}: {error}", path.display())
            }
            Self::RecordingLost { path, error } => write!(
                out,
                "the recording in {} is not complete, it ends where this came up: {error}",
                path.display()
            ),
            Self::Flash { path, error } => {
                write!(out, "cannot keep the board's flash in {}: {error}", path.display())
            }
            Self::Live(error) => error.fmt(out),
            Self::Broken(error) => write!(out, "the firmware stopped {error}"),
        }
    }
}

impl std::error::Error for RunError {}

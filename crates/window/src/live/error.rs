//! Why a session cannot start, or cannot go on.

use core::fmt;
use std::io;

/// Why a session could not start, or not go on.
#[derive(Debug)]
pub enum LiveError {
    /// The machine could not be built; the reason.
    Machine(String),
    /// The recording could not be begun.
    Recording(io::Error),
    /// The operating system gave no thread.
    Thread(io::Error),
    /// The firmware's thread is gone, or has not answered for `live::BACKLOG_MAX` commands.
    Gone,
}

impl fmt::Display for LiveError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Machine(why) => write!(out, "the board cannot be built: {why}"),
            Self::Recording(why) => write!(out, "the recording cannot be begun: {why}"),
            Self::Thread(why) => write!(out, "the firmware gets no thread: {why}"),
            Self::Gone => out.write_str("the firmware's thread does not answer any more"),
        }
    }
}

impl std::error::Error for LiveError {}

//! Errors of a session in the terminal: it did not run, or did not save its files.

use std::io;

use live::{LiveError, SessionError};
use thiserror::Error;

/// Errors in one sentence each, with the next step where there is one. The exit code is 1 for
/// stopped firmware and 2 for all others: see [`TerminalError::exit_code`].
#[derive(Debug, Error)]
pub enum TerminalError {
    /// There is no terminal to show the board in.
    #[error(
        "there is no terminal to show the board in: {0}; without one, play a trace with \
         `{program} replay` or take a picture of the LCD with `{program} screenshot`",
        program = live::command_name()
    )]
    NoTerminal(NoTerminal),
    /// The terminal cannot be set up.
    #[error("the terminal cannot be set up: {0}")]
    Terminal(#[source] io::Error),
    /// The session's thread does not answer.
    #[error(transparent)]
    Live(LiveError),
    /// The session could not start, or did not save its files.
    #[error(transparent)]
    Session(#[from] SessionError),
}

/// Reason why there is no terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoTerminal {
    /// Keys come from a file or a pipe.
    #[error("standard input is none")]
    Input,
    /// The output goes into a file or a pipe.
    #[error("standard output is none")]
    Output,
    /// The terminal cannot place its cursor.
    #[error("TERM says `dumb`")]
    Dumb,
}

impl TerminalError {
    /// Returns the exit code of `nudge`: 1 if the firmware stopped, otherwise 2.
    pub fn exit_code(&self) -> u8 {
        if let Self::Session(error) = self { error.exit_code() } else { 2 }
    }
}

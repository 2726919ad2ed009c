//! Reasons why a recording cannot be tidied.

use std::path::PathBuf;

use hal_mock::{MachineError, replay::Failure, setup::SetupError};
use host::output_files::OutputError;
use reading::golden::PngError;
use trace::{Action, ParseErrors};
use virtual_time::{Instant, spoken};

/// Reason why a recording cannot be tidied. `Display` is a sentence without the recording's name.
#[derive(Debug, thiserror::Error)]
pub enum TidyError {
    /// The output's name does not end with `.trace`.
    #[error("{} is no name of a trace; it ends with `.trace`", .0.display())]
    NoTraceName(PathBuf),
    /// The recording names a flash file in its folder, and the output is in another folder.
    #[error(
        "the recording carries its flash along in {file}; write the output beside it, in {}",
        folder.display()
    )]
    FlashElsewhere {
        /// Name of the flash file.
        file: String,
        /// Folder of the flash file.
        folder: PathBuf,
    },
    /// The recording contains board faults.
    #[error(
        "line {line}: {} is no press and no power, and only these are tidied; take the faults \
         out, and put them into the result",
        action.noun()
    )]
    Fault {
        /// Line number, from 1.
        line: u32,
        /// Action of the line.
        action: Action,
    },
    /// No board can be built for the recording.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The tidied trace cannot be read back.
    #[error(transparent)]
    Parse(#[from] ParseErrors),
    /// A golden frame cannot be written.
    #[error(transparent)]
    Golden(#[from] PngError),
    /// The trace cannot be written.
    #[error(transparent)]
    Unwritten(#[from] OutputError),
    /// A line of the recording stops its replay.
    #[error("{0}")]
    Stopped(Box<Failure>),
    /// The firmware does not let time pass.
    #[error("at {}: the firmware keeps the clock for itself", spoken(at.since_start()))]
    ClockKept {
        /// Time at which it stopped.
        at: Instant,
    },
    /// The machine could not continue in the replay of the recording.
    #[error("the firmware cannot go on: {0}")]
    Broken(#[source] MachineError),
    /// The machine could not continue while its screens were observed.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// The exact times of the recording do not lead to the same screens again.
    #[error(
        "it does not do the same twice: behind {} at {} the screen or the console is another, \
         although no time was changed",
        action.noun(),
        spoken(at.since_start())
    )]
    NotRepeatable {
        /// Last action before the difference.
        action: Action,
        /// Time of the action.
        at: Instant,
    },
}

impl TidyError {
    /// Returns whether the board is the cause, and not the request: the board did not continue, or
    /// did not do the same twice.
    pub fn is_of_board(&self) -> bool {
        match self {
            Self::Stopped(_)
            | Self::ClockKept { .. }
            | Self::Broken(_)
            | Self::Machine(_)
            | Self::NotRepeatable { .. } => true,
            Self::NoTraceName(_)
            | Self::FlashElsewhere { .. }
            | Self::Fault { .. }
            | Self::Setup(_)
            | Self::Parse(_)
            | Self::Golden(_)
            | Self::Unwritten(_) => false,
        }
    }
}

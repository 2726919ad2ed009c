//! The two boards of a comparison: machines in this process, or another program `nudge`.

use runner::{guard::guard_within, open_trace_on};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use hal_mock::setup::MachineFactory;
use host::{
    Interrupt,
    child::{self, ChildError, Limits},
};
use reading::text::Reader;
use thiserror::Error;
use trace::BoardParts;
use virtual_time::{Instant, Nanos};

use crate::observation::observe;
use crate::stream::{self, NotObserved, Observed, StreamError};

/// Maximum number of bytes that another program may write per trace.
const BYTES_MAX: usize = 256 << 20;
/// Environment variables of a CI system that change the output of a program.
pub(crate) const CI_VARIABLES: [&str; 4] =
    ["CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "RUST_BACKTRACE"];

/// Options of a replay.
#[derive(Clone, Debug, Default)]
pub struct How {
    /// Virtual time at which each trace is stopped.
    pub until: Option<Instant>,
    /// Limit of wall time per trace.
    pub timeout: Option<Nanos>,
    pub interrupt: Interrupt,
}

/// One of the two boards.
#[derive(Clone, Copy)]
pub enum Side<'a> {
    /// Machines in this process.
    Here {
        boards: MachineFactory<'a>,
        /// Parts of the board; `None`: those of the board that each header names.
        parts: Option<&'a BoardParts>,
        /// Name of their firmware.
        firmware: &'a str,
    },
    /// A board of another `nudge`.
    Program(&'a OtherNudge),
}

/// Another `nudge`.
#[derive(Clone, Debug)]
pub struct OtherNudge {
    program: PathBuf,
    /// Board that it runs, as in `--board`; `None` for `native`.
    board: Option<String>,
    /// Name of its firmware.
    pub firmware: String,
}

/// Reason why another program cannot be a side.
#[derive(Debug, Error)]
pub enum SideError {
    /// The path is not a file.
    #[error("{}: {source}; name a nudge that was built from the other sources", path.display())]
    NoFile { path: PathBuf, source: io::Error },
    /// The program cannot be run, or does not end.
    #[error("{}: {source}", path.display())]
    Child { path: PathBuf, source: ChildError },
    /// The program does not know the subcommand.
    #[error(
        "{} knows no `nudge trace observe`: it is no nudge, or one that is too old to be compared \
         with; name a later one, or compare programs of the Pico: --against pico=OLD.elf",
        .0.display()
    )]
    TooOld(PathBuf),
    /// The program's output is not a record.
    #[error("{}: {source}; build both from sources that are less far apart", path.display())]
    Stream { path: PathBuf, source: StreamError },
}

impl OtherNudge {
    /// Runs the program at `path` to query its firmware.
    ///
    /// # Errors
    /// If the program cannot be a side.
    pub fn at(path: &Path, how: &How) -> Result<Self, SideError> {
        Self::on_board(path, None, how)
    }

    /// Runs the program at `path` like [`at`](Self::at), on `board` instead of `native`.
    ///
    /// # Errors
    /// If the program cannot be a side.
    pub fn on_board(path: &Path, board: Option<String>, how: &How) -> Result<Self, SideError> {
        let no_file = |source| SideError::NoFile { path: path.to_owned(), source };
        input_file(path).map_err(no_file)?;
        // The operating system would search the `PATH` for a name without a folder.
        let program = std::path::absolute(path).map_err(no_file)?;
        let mut other = Self { program, board, firmware: String::new() };
        let stream = other.run(&[], how).map_err(|error| other.named(path, error))?;
        other.firmware = stream.firmware;
        Ok(other)
    }

    /// Returns the error with the path as the user gave it.
    fn named(&self, as_given: &Path, error: SideError) -> SideError {
        let path = as_given.to_owned();
        match error {
            SideError::Child { source, .. } => SideError::Child { path, source },
            SideError::Stream { source, .. } => SideError::Stream { path, source },
            SideError::TooOld(_) => SideError::TooOld(path),
            error => error,
        }
    }

    fn run(&self, arguments: &[&std::ffi::OsStr], how: &How) -> Result<stream::Stream, SideError> {
        let path = || self.program.clone();
        let mut command = Command::new(&self.program);
        command.args(["trace", "observe"]);
        if let Some(board) = &self.board {
            command.args(["--board", board]);
        }
        command.args(arguments);
        for variable in CI_VARIABLES {
            command.env_remove(variable);
        }
        let interrupt = how.interrupt.clone();
        let limits = Limits { interrupt, time: how.timeout, bytes: BYTES_MAX };
        let ended = child::run(&mut command, &limits)
            .map_err(|source| SideError::Child { path: path(), source })?;
        match stream::read(&ended.out) {
            Err(StreamError::NoHead) => Err(SideError::TooOld(path())),
            read => read.map_err(|source| SideError::Stream { path: path(), source }),
        }
    }

    fn observe(&self, path: &Path, how: &How) -> Result<Observed, SideError> {
        let until =
            how.until.map(|until| virtual_time::spoken(until.since_start()).replace(' ', ""));
        let until = until.as_ref().map(|until| ["--until".as_ref(), until.as_ref()]);
        let arguments: Vec<_> = until.into_iter().flatten().chain([path.as_os_str()]).collect();
        let mut stream = match self.run(&arguments, how) {
            // The timeout concerns this trace only; the others may pass.
            Err(SideError::Child { source: ChildError::TimedOut(limit), .. }) => {
                return Ok(Err(NotObserved(ChildError::TimedOut(limit).to_string())));
            }
            stream => stream?,
        };
        let torn = || SideError::Stream { path: self.program.clone(), source: StreamError::Torn };
        stream.traces.pop().map(|(_, observed)| observed).ok_or_else(torn)
    }
}

fn input_file(path: &Path) -> io::Result<()> {
    let found = std::fs::metadata(path)?;
    if found.is_file() { Ok(()) } else { Err(io::Error::other("it is no program")) }
}

impl Side<'_> {
    /// Returns the name of the firmware that runs on this side.
    pub fn firmware(&self) -> &str {
        match self {
            Self::Here { firmware, .. } => firmware,
            Self::Program(other) => &other.firmware,
        }
    }

    /// Records the trace at `path` on this side.
    ///
    /// # Errors
    /// If no trace can be replayed on this side.
    pub fn observe(&self, path: &Path, reader: &Reader, how: &How) -> Result<Observed, SideError> {
        match self {
            Self::Here { boards, parts, .. } => {
                Ok(observed_here(path, *parts, boards, reader, how))
            }
            Self::Program(other) => other.observe(path, how),
        }
    }
}

/// Records the trace at `path` on a machine of `boards`, whose board has these parts; `None`: those
/// of the board that the header names.
pub fn observed_here(
    path: &Path,
    parts: Option<&BoardParts>,
    boards: MachineFactory<'_>,
    reader: &Reader,
    how: &How,
) -> Observed {
    let trace = open_trace_on(path, parts).map_err(|error| NotObserved(error.to_string()))?;
    let machine = boards(&trace).map_err(|error| NotObserved(error.to_string()))?;
    let machine = guard_within(&how.interrupt, machine, how.timeout);
    Ok(observe(&trace, machine, reader, how.until))
}

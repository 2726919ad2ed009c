//! The two boards of a comparison: machines in this process, or another program `nudge`.

use runner::{guard::guard_within, open_trace};
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
use virtual_time::{Instant, Nanos};

use crate::observation::observe;
use crate::stream::{self, NotObserved, Observed, StreamError};

/// Bytes that another program may write about one trace.
const BYTES_MAX: usize = 256 << 20;
/// The variables of a CI system, which change what a program writes.
pub(crate) const CI_VARIABLES: [&str; 4] =
    ["CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "RUST_BACKTRACE"];

/// How traces are replayed.
#[derive(Clone, Debug, Default)]
pub struct How {
    /// Stop each at this virtual time.
    pub until: Option<Instant>,
    /// Wall time for each.
    pub timeout: Option<Nanos>,
    /// Ends all.
    pub interrupt: Interrupt,
}

/// One of the two boards.
#[derive(Clone, Copy)]
pub enum Side<'a> {
    /// Machines of this process.
    Here {
        /// Builds them.
        boards: MachineFactory<'a>,
        /// Which firmware they run.
        firmware: &'a str,
    },
    /// The board `native` of another `nudge`.
    Program(&'a OtherNudge),
}

/// Another `nudge`.
#[derive(Clone, Debug)]
pub struct OtherNudge {
    program: PathBuf,
    /// Which firmware it runs.
    pub firmware: String,
}

/// Why another program cannot be a side.
#[derive(Debug, Error)]
pub enum SideError {
    /// It is no file.
    #[error("{}: {source}; name a nudge that was built from the other sources", path.display())]
    NoFile {
        /// The program.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It cannot run, or does not end.
    #[error("{}: {source}", path.display())]
    Child {
        /// The program.
        path: PathBuf,
        /// Why.
        source: ChildError,
    },
    /// It does not know the verb.
    #[error(
        "{} knows no `nudge trace observe`: it is no nudge, or one that is too old to be compared \
         with; name a later one, or compare programs of the Pico: --against pico=OLD.elf",
        .0.display()
    )]
    TooOld(PathBuf),
    /// It writes something else.
    #[error("{}: {source}; build both from sources that are less far apart", path.display())]
    Stream {
        /// The program.
        path: PathBuf,
        /// What.
        source: StreamError,
    },
}

impl OtherNudge {
    /// The one at `path`, which is asked for its firmware.
    ///
    /// # Errors
    /// If it cannot be one.
    pub fn at(path: &Path, how: &How) -> Result<Self, SideError> {
        let no_file = |source| SideError::NoFile { path: path.to_owned(), source };
        input_file(path).map_err(no_file)?;
        // A name without a folder would be looked for elsewhere.
        let program = std::path::absolute(path).map_err(no_file)?;
        let mut other = Self { program, firmware: String::new() };
        let stream = other.run(&[], how).map_err(|error| other.named(path, error))?;
        other.firmware = stream.firmware;
        Ok(other)
    }

    /// The error with the path as it was given.
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
        command.args(["trace", "observe"]).args(arguments);
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
            // Of one trace: the others may pass.
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
    /// Which firmware runs.
    pub fn firmware(&self) -> &str {
        match self {
            Self::Here { firmware, .. } => firmware,
            Self::Program(other) => &other.firmware,
        }
    }

    /// The record of the trace at `path`.
    ///
    /// # Errors
    /// If no trace can be replayed on this side.
    pub fn observe(&self, path: &Path, reader: &Reader, how: &How) -> Result<Observed, SideError> {
        match self {
            Self::Here { boards, .. } => Ok(observed_here(path, boards, reader, how)),
            Self::Program(other) => other.observe(path, how),
        }
    }
}

/// The record of the trace at `path` on a machine of `boards`.
pub fn observed_here(
    path: &Path,
    boards: MachineFactory<'_>,
    reader: &Reader,
    how: &How,
) -> Observed {
    let trace = open_trace(path).map_err(|error| NotObserved(error.to_string()))?;
    let machine = boards(&trace).map_err(|error| NotObserved(error.to_string()))?;
    let machine = guard_within(&how.interrupt, machine, how.timeout);
    Ok(observe(&trace, machine, reader, how.until))
}

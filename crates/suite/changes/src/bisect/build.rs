//! Builds the `nudge` of a commit and replays a trace with it.
//!
//! The target folder is kept between commits, so that cargo compiles what changed. The trace is the
//! user's own file, whatever the commit has under its name. It knows no git.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use host::{
    Exit, Interrupt,
    child::{self, ChildError, Limits},
};
use thiserror::Error;
use virtual_time::Nanos;

use crate::sides::CI_VARIABLES;

/// How `nudge` is built where nothing else is said: without the window, in the profile of the tests.
pub const BUILD: &str =
    "cargo build --quiet --locked --package simulator --no-default-features --bin nudge";

/// Bytes that a replay may write.
const BYTES_MAX: usize = 16 << 20;

/// Builds and replays.
#[derive(Clone, Debug)]
pub struct Builder {
    /// What a shell runs in the work tree.
    pub command: String,
    /// Where cargo builds, and what it leaves there as `debug/nudge`.
    pub target: PathBuf,
    /// Wall time of the replay.
    pub timeout: Option<Nanos>,
    /// Ends both.
    pub interrupt: Interrupt,
}

/// How the trace went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged {
    /// It passes.
    Passes,
    /// It fails: the first line that says why.
    Fails(String),
    /// Nothing can be said.
    Skipped(Skipped),
}

/// Why nothing can be said of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Skipped {
    /// It cannot be built.
    NotBuilt(NotBuilt),
    /// What was built cannot replay the trace: why.
    NotReplayed(String),
}

/// Why a build left no `nudge`: the line of what it wrote that says so.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NotBuilt(pub String);

impl fmt::Display for Judged {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passes => out.write_str("passes"),
            Self::Fails(why) => write!(out, "fails: {why}"),
            Self::Skipped(Skipped::NotBuilt(why)) => {
                write!(out, "skipped, it cannot be built: {why}")
            }
            Self::Skipped(Skipped::NotReplayed(why)) => {
                write!(out, "skipped, it cannot replay the trace: {why}")
            }
        }
    }
}

impl Builder {
    /// Builds what is in `tree`; the path of its `nudge`, or why there is none.
    ///
    /// # Errors
    /// If it is interrupted, or no program can be started.
    pub fn build(&self, tree: &Path) -> Result<Result<PathBuf, NotBuilt>, ChildError> {
        let nudge =
            self.target.join("debug").join(format!("nudge{}", std::env::consts::EXE_SUFFIX));
        // That of another commit must not be taken for this one's. Cargo puts it back if nothing changed.
        let _ = std::fs::remove_file(&nudge);
        let mut build = child::shell(&self.command);
        build.current_dir(tree).env("CARGO_TARGET_DIR", &self.target);
        // It would put what is built into a folder of its own.
        build.env_remove("CARGO_BUILD_TARGET");
        let built = match child::run(&mut build, &self.limits(None)) {
            Err(error @ ChildError::TooMuch(_)) => return Ok(Err(NotBuilt(error.to_string()))),
            built => built?,
        };
        if built.status.success() && nudge.is_file() {
            return Ok(Ok(nudge));
        }
        let nothing = format!("{} is not there", nudge.display());
        let error = built.err.lines().find(|line| line.starts_with("error"));
        let why = error.or(built.err.lines().last()).unwrap_or(&nothing);
        Ok(Err(NotBuilt(why.to_owned())))
    }

    fn limits(&self, time: Option<Nanos>) -> Limits {
        Limits { interrupt: self.interrupt.clone(), time, bytes: BYTES_MAX }
    }

    /// Builds what is in `tree`, and replays `trace` with it.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn judge(&self, tree: &Path, trace: &Path) -> Result<Judged, ChildError> {
        let nudge = match self.build(tree)? {
            Ok(nudge) => nudge,
            Err(why) => return Ok(Judged::Skipped(Skipped::NotBuilt(why))),
        };
        let mut replay = Command::new(&nudge);
        replay.args(["replay", "--color", "never", "--quiet"]).arg(trace);
        for variable in CI_VARIABLES {
            replay.env_remove(variable);
        }
        let ended = match child::run(&mut replay, &self.limits(self.timeout)) {
            Err(error @ (ChildError::TimedOut(_) | ChildError::TooMuch(_))) => {
                return Ok(Judged::Fails(error.to_string()));
            }
            ended => ended?,
        };
        let out = String::from_utf8_lossy(&ended.out).into_owned();
        Ok(judged(ended.status, &out, &ended.err))
    }
}

/// What an exit code says, and the line that tells why.
fn judged(status: ExitStatus, out: &str, err: &str) -> Judged {
    let line = |text: &str, nth: usize| text.lines().nth(nth).map(|line| line.trim().to_owned());
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    let is = |exit: Exit| code == Some(exit.code());
    if is(Exit::Passed) {
        return Judged::Passes;
    }
    if is(Exit::Failed) || is(Exit::LimitReached) {
        // Below the line of the trace.
        return Judged::Fails(line(out, 1).unwrap_or_else(|| "it does not say why".to_owned()));
    }
    let why = line(err, 0).or_else(|| line(out, 1));
    let why = why.unwrap_or_else(|| format!("it ends with {status}"));
    Judged::Skipped(Skipped::NotReplayed(why))
}

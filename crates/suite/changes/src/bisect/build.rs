//! Builds the `nudge` of a commit and replays a trace with it.
//!
//! The target folder is retained between commits, so that cargo compiles only the changes. The
//! trace is the user's own file, whatever file the commit has under its name. This module does not
//! know git.

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

/// Default build command of `nudge`: without the window, in the profile of the tests.
pub const BUILD: &str =
    "cargo build --quiet --locked --package simulator --no-default-features --bin nudge";

/// Maximum number of bytes that a replay may write.
const BYTES_MAX: usize = 16 << 20;

/// Builds a commit and replays a trace with it.
#[derive(Clone, Debug)]
pub struct Builder {
    /// Command that a shell runs in the work tree.
    pub command: String,
    /// Cargo's target folder; the program is `debug/nudge` in it.
    pub target: PathBuf,
    /// Limit of wall time for the replay.
    pub timeout: Option<Nanos>,
    /// Stops both the build and the replay.
    pub interrupt: Interrupt,
}

/// The result of a trace at a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceResult {
    /// The trace passes.
    Passes,
    /// The trace fails, with the first line that gives the reason.
    Fails(String),
    /// The commit cannot be judged.
    Skipped(Skipped),
}

/// Reason why a commit cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Skipped {
    /// The commit cannot be built.
    NotBuilt(NotBuilt),
    /// The built program cannot replay the trace, for this reason.
    NotReplayed(String),
}

/// Reason why a build left no `nudge`: the relevant line of its output.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NotBuilt(pub String);

impl fmt::Display for TraceResult {
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
    /// Builds the sources in `tree`. Returns the path of its `nudge`, or the reason why there is
    /// none.
    ///
    /// # Errors
    /// If the build is interrupted, or no program can be started.
    pub fn build(&self, tree: &Path) -> Result<Result<PathBuf, NotBuilt>, ChildError> {
        let nudge =
            self.target.join("debug").join(format!("nudge{}", std::env::consts::EXE_SUFFIX));
        // The program of another commit must not be taken for this one's. If nothing changed, cargo
        // restores it.
        let _ = std::fs::remove_file(&nudge);
        let mut build = child::shell(&self.command);
        build.current_dir(tree).env("CARGO_TARGET_DIR", &self.target);
        // With this variable, cargo would write the program into another folder.
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

    /// Builds the sources in `tree`, and replays `trace` with the result.
    ///
    /// # Errors
    /// As for [`build`](Self::build).
    pub fn judge(&self, tree: &Path, trace: &Path) -> Result<TraceResult, ChildError> {
        let nudge = match self.build(tree)? {
            Ok(nudge) => nudge,
            Err(why) => return Ok(TraceResult::Skipped(Skipped::NotBuilt(why))),
        };
        let mut replay = Command::new(&nudge);
        replay.args(["replay", "--color", "never", "--quiet"]).arg(trace);
        for variable in CI_VARIABLES {
            replay.env_remove(variable);
        }
        let ended = match child::run(&mut replay, &self.limits(self.timeout)) {
            Err(error @ (ChildError::TimedOut(_) | ChildError::TooMuch(_))) => {
                return Ok(TraceResult::Fails(error.to_string()));
            }
            ended => ended?,
        };
        let out = String::from_utf8_lossy(&ended.out).into_owned();
        Ok(judged(ended.status, &out, &ended.err))
    }
}

/// Interprets an exit code, with the line of the output that gives the reason.
fn judged(status: ExitStatus, out: &str, err: &str) -> TraceResult {
    let line = |text: &str, nth: usize| text.lines().nth(nth).map(|line| line.trim().to_owned());
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    let is = |exit: Exit| code == Some(exit.code());
    if is(Exit::Passed) {
        return TraceResult::Passes;
    }
    if is(Exit::Failed) || is(Exit::LimitReached) {
        // The line after that of the trace gives the reason.
        return TraceResult::Fails(
            line(out, 1).unwrap_or_else(|| "it does not say why".to_owned()),
        );
    }
    let why = line(err, 0).or_else(|| line(out, 1));
    let why = why.unwrap_or_else(|| format!("it ends with {status}"));
    TraceResult::Skipped(Skipped::NotReplayed(why))
}

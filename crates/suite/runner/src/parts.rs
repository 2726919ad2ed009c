//! Reports on the parts of a suite: which belong together, and the result of joining them.

use core::fmt;
use std::io;
use std::path::{Path, PathBuf};

use host::{Exit, output_files::OutputError};

use crate::suite::shard::Shard;

/// A report that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joined {
    pub path: PathBuf,
    /// Number of traces that passed.
    pub passed: usize,
    /// Number of traces that failed as their headers expect.
    pub expected: usize,
    /// Number of traces that failed.
    pub failed: usize,
    /// Number of traces that could not be read.
    pub errors: usize,
    /// Number of traces that did not run.
    pub not_run: usize,
}

/// Prints `3 passed, 1 failed`.
impl fmt::Display for Joined {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} passed, {} failed", self.passed, self.failed + self.errors)?;
        if self.expected > 0 {
            write!(out, ", {} failed as expected", self.expected)?;
        }
        if self.not_run > 0 {
            write!(out, ", {} not run", self.not_run)?;
        }
        Ok(())
    }
}

impl Joined {
    /// Returns the result of the whole suite.
    pub fn exit(&self) -> Exit {
        match (self.errors, self.failed, self.not_run) {
            (0, 0, 0) => Exit::Passed,
            (0, _, _) => Exit::Failed,
            _ => Exit::Usage,
        }
    }
}

/// Reason why reports cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Read {
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The file is neither JUnit nor a page.
    #[error("{}: is no report of nudge replay; give its --junit files or its --html folders", path.display())]
    NoReport { path: PathBuf },
    /// No output is named for a kind of report that was given.
    #[error("{}: is a {kind}; name with {option} where the joined one goes", path.display())]
    NoOutput {
        /// The first report of that kind.
        path: PathBuf,
        /// Kind of the report.
        kind: &'static str,
        /// Option that names the output.
        option: &'static str,
    },
    /// An output is named for a kind of report that was not given.
    #[error("none of the reports is a {kind}, so there is nothing to write for {option}")]
    Nothing {
        /// Kind of the report.
        kind: &'static str,
        /// Option that names the output.
        option: &'static str,
    },
    /// The file is not a JUnit file, or it is damaged.
    #[error("{}: is no whole JUnit file: {source}", path.display())]
    NotJunit { path: PathBuf, source: Box<quick_junit::DeserializeError> },
    /// The page was written by another version, or it is damaged.
    #[error("{}: was written by another version of nudge, or is damaged; replay with one version", path.display())]
    NotThisVersion { path: PathBuf },
    /// Two reports contain the same trace.
    #[error("{}: has {trace}, as another of the reports has; give each part once", path.display())]
    Twice {
        /// The second of the two reports.
        path: PathBuf,
        /// Path of the trace.
        trace: String,
    },
    /// A report belongs to another suite than the first, or to another number of parts.
    #[error("{}: is {}, and {} is {}; join the parts of one suite", path.display(), Kind(*part), other.display(), Kind(*others))]
    Mixed {
        /// First report of the suite.
        path: PathBuf,
        /// Part of the suite in the first report.
        part: Option<Shard>,
        /// The report that does not belong to it.
        other: PathBuf,
        /// Part of the suite in the other report.
        others: Option<Shard>,
    },
    /// A part of the suite has no report.
    #[error("part {missing} has no report: the others are not the whole suite")]
    Missing { missing: Shard },
    /// The traces of two pages ran on different programs, and one page can play only one program.
    #[error("{}: its players run another program than those of the others; build the program once for all parts", path.display())]
    OtherProgram { path: PathBuf },
    /// The joined report cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Part of the suite that a report covers, for messages.
struct Kind(Option<Shard>);

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(shard) => write!(out, "part {shard}"),
            None => write!(out, "no part"),
        }
    }
}

/// A report, and the part of the suite that it covers.
pub(crate) struct Part<'p> {
    pub path: &'p Path,
    /// `None` for the whole suite.
    pub shard: Option<Shard>,
    /// Whether the report has no traces. A JUnit file without a trace does not name its part.
    pub is_empty: bool,
}

impl Part<'_> {
    /// Checks that `parts` are the parts of one suite, each exactly once; or that all of them are
    /// whole suites.
    ///
    /// # Errors
    /// Names the part that is missing or the report that does not belong to the others.
    pub fn check(parts: &[Self]) -> Result<(), MergeError> {
        let named: Vec<&Self> = parts.iter().filter(|part| !part.is_empty).collect();
        let Some(first) = named.first() else { return Ok(()) };
        let mut found = Vec::new();
        for part in &named {
            if part.shard.map(Shard::of) != first.shard.map(Shard::of) {
                return Err(MergeError::Mixed {
                    path: first.path.to_owned(),
                    part: first.shard,
                    other: part.path.to_owned(),
                    others: part.shard,
                });
            }
            if let Some(shard) = part.shard {
                if found.contains(&shard) {
                    let (path, trace) = (part.path.to_owned(), format!("part {shard}"));
                    return Err(MergeError::Twice { path, trace });
                }
                found.push(shard);
            }
        }
        let Some(shard) = first.shard else { return Ok(()) };
        // An empty report counts for any one missing part.
        let mut empty = parts.len() - named.len();
        for missing in shard.all().filter(|part| !found.contains(part)) {
            empty = empty.checked_sub(1).ok_or(MergeError::Missing { missing })?;
        }
        Ok(())
    }
}

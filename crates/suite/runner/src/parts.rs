//! Reports of the parts of a suite: which belong together, and what they are when they are joined.

use core::fmt;
use std::io;
use std::path::{Path, PathBuf};

use host::{Exit, output_files::OutputError};

use crate::suite::shard::Shard;

/// A report that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joined {
    /// Where.
    pub path: PathBuf,
    /// Traces that passed.
    pub passed: usize,
    /// Traces that failed.
    pub failed: usize,
    /// Traces that could not be read.
    pub errors: usize,
    /// Traces that did not run.
    pub not_run: usize,
}

/// `3 passed, 1 failed`.
impl fmt::Display for Joined {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} passed, {} failed", self.passed, self.failed + self.errors)?;
        if self.not_run > 0 {
            write!(out, ", {} not run", self.not_run)?;
        }
        Ok(())
    }
}

impl Joined {
    /// What the whole suite came to.
    pub fn exit(&self) -> Exit {
        match (self.errors, self.failed, self.not_run) {
            (0, 0, 0) => Exit::Passed,
            (0, _, _) => Exit::Failed,
            _ => Exit::Usage,
        }
    }
}

/// Why reports are not joined.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system answered.
        source: io::Error,
    },
    /// It is neither a JUnit file nor a page.
    #[error("{}: is no report of nudge replay; give its --junit files or its --html folders", path.display())]
    NoReport {
        /// The file.
        path: PathBuf,
    },
    /// There are reports of a kind for which no output is named.
    #[error("{}: is a {kind}; name with {option} where the joined one goes", path.display())]
    NoOutput {
        /// The first of them.
        path: PathBuf,
        /// What it is.
        kind: &'static str,
        /// The option.
        option: &'static str,
    },
    /// An output is named for reports that there are none of.
    #[error("none of the reports is a {kind}, so there is nothing to write for {option}")]
    Nothing {
        /// What there is none of.
        kind: &'static str,
        /// The option.
        option: &'static str,
    },
    /// The file is no JUnit file, or damaged.
    #[error("{}: is no whole JUnit file: {source}", path.display())]
    NotJunit {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: Box<quick_junit::DeserializeError>,
    },
    /// Another version wrote it, or it is damaged.
    #[error("{}: was written by another version of nudge, or is damaged; replay with one version", path.display())]
    NotThisVersion {
        /// The file.
        path: PathBuf,
    },
    /// Two reports have the same trace.
    #[error("{}: has {trace}, as another of the reports has; give each part once", path.display())]
    Twice {
        /// The second of them.
        path: PathBuf,
        /// The trace.
        trace: String,
    },
    /// Reports of the parts of one suite, and of something else.
    #[error("{}: is {}, and {} is {}; join the parts of one suite", path.display(), Kind(*part), other.display(), Kind(*others))]
    Mixed {
        /// The first report.
        path: PathBuf,
        /// Its part.
        part: Option<Shard>,
        /// One that does not belong to it.
        other: PathBuf,
        /// Its part.
        others: Option<Shard>,
    },
    /// A part of the suite has no report.
    #[error("part {missing} has no report: the others are not the whole suite")]
    Missing {
        /// The part.
        missing: Shard,
    },
    /// The traces of two pages ran on different programs, and one page plays only one.
    #[error("{}: its players run another program than those of the others; build the program once for all parts", path.display())]
    OtherProgram {
        /// The page.
        path: PathBuf,
    },
    /// The joined report cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// What a report is of, in words.
struct Kind(Option<Shard>);

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(shard) => write!(out, "part {shard}"),
            None => write!(out, "no part"),
        }
    }
}

/// A report, and the part of the suite that it is of.
pub(crate) struct Part<'p> {
    pub path: &'p Path,
    /// The whole suite without one.
    pub shard: Option<Shard>,
    /// A JUnit file without a trace does not say of which part it is.
    pub is_empty: bool,
}

impl Part<'_> {
    /// Checks that `parts` are all parts of one suite, each once; or that none is a part.
    ///
    /// # Errors
    /// With what is missing or does not belong to the others.
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
        // Each empty report stands for one part.
        let mut empty = parts.len() - named.len();
        for missing in shard.all().filter(|part| !found.contains(part)) {
            empty = empty.checked_sub(1).ok_or(MergeError::Missing { missing })?;
        }
        Ok(())
    }
}

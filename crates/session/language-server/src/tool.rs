//! The work that the command does for this crate: check a header, run a board, replay a trace.

use std::path::Path;

use trace::{Place, Trace};
use virtual_time::Instant;

/// A problem in the header of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderProblem {
    /// Place in the header; `None` if the problem is elsewhere.
    pub place: Option<Place>,
    pub message: String,
}

/// Display and console of a board at the end of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Time of the end.
    pub at: Instant,
    /// The LCD as a PNG file.
    pub png: Vec<u8>,
    /// Lines of text on the LCD.
    pub texts: Vec<String>,
    /// Lines of the console.
    pub console: Vec<String>,
}

/// Result of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    pub passed: bool,
    /// The report.
    pub text: String,
}

/// Work of the command that this crate cannot do. Called from several threads.
pub trait Tool: Send + Sync {
    /// Returns the problems of the header of `trace`, which has no other errors.
    fn header_problems(&self, trace: &Trace) -> Vec<HeaderProblem>;

    /// Runs `trace` without judging it; `None` if it cannot be run to its end.
    fn shown(&self, trace: Trace) -> Option<Shown>;

    /// Replays the trace in the file at `path`; with `bless`, its frames become its goldens.
    fn replay(&self, path: &Path, bless: bool) -> Replayed;
}

/// A tool that has no board.
#[derive(Clone, Copy, Debug)]
pub struct NoTool;

impl Tool for NoTool {
    fn header_problems(&self, _: &Trace) -> Vec<HeaderProblem> {
        Vec::new()
    }

    fn shown(&self, _: Trace) -> Option<Shown> {
        None
    }

    fn replay(&self, _: &Path, _: bool) -> Replayed {
        Replayed { passed: false, text: "this server has no board".into() }
    }
}

//! The data on the replay of one trace, which `reporters` write. This module replays and prints
//! nothing.
//!
//! `history` stores what happened in the replay, `timeline` draws it, `tally` counts traces,
//! `causes` the causes of their failures, `known` judges failures that headers expect,
//! `change` has the goldens that a review accepts.

pub(crate) mod causes;
pub(crate) mod change;
pub(crate) mod history;
pub(crate) mod known;
pub(crate) mod tally;
pub(crate) mod timeline;

use std::path::{Path, PathBuf};
use std::time::Duration;

use hal_mock::SourcePlace;
use ili9341_model::Region;
use page::PackedTrace;
use trace::Place;
use virtual_time::{Instant, spoken};

use crate::firmware::FirmwareId;
use crate::notice::Notice;
use change::GoldenChange;
use escape::terminal::plain;
use host::Exit;

/// A screen for the contact sheet.
pub(crate) struct SheetPicture {
    /// Path of the trace.
    pub title: String,
    /// Name of the screenshot, or `at the end`.
    pub name: String,
    /// The screen as a PNG file.
    pub png: Vec<u8>,
}

/// The result of one trace.
pub(crate) struct TraceReport {
    pub file: PathBuf,
    /// The file's path on one line, as the command line named it.
    pub path: String,
    pub exit: Exit,
    /// Firmware of the board that the trace names itself; `None`: that of the run.
    pub firmware: Option<FirmwareId>,
    /// Virtual time of the end and wall time of the replay; `None` if it never began.
    pub ran: Option<(Instant, Duration)>,
    pub problems: Vec<Problem>,
    /// Reasons why the trace passes although it tests little or nothing; with `--strict` they are
    /// problems.
    pub notices: Vec<Notice>,
    /// Causes of the differences from goldens, up to the first failure that may only follow from
    /// another.
    pub causes: Vec<causes::FailureCause>,
    /// Goldens that a review may accept.
    pub changes: Vec<GoldenChange>,
    /// Number of goldens that differ or are missing.
    pub unmet_goldens: usize,
    /// The failure that the trace has shown as its header expects; it then has no problem.
    pub expected: Option<known::ShownFailure>,
    /// Whether the trace passed although its header expects a failure.
    pub passed_unexpectedly: bool,
    /// Number of equal runs, if the trace was repeated and all runs were the same.
    pub equal_runs: Option<u32>,
    /// Whether the trace was not replayed, because an earlier replay passed.
    pub from_cache: bool,
    /// Whether this result was compared with an earlier one.
    pub checks_cache: bool,
    /// Messages about files that were written.
    pub notes: Vec<String>,
    /// Hash of the files and options that the verdict depends on, if a reporter needs it.
    pub inputs: Option<String>,
    /// Screens for the contact sheet.
    pub pictures: Vec<SheetPicture>,
    /// Output of the board's UART, if a reporter needs it.
    pub console: Option<String>,
    /// The board's buttons and frames as SVG, if a reporter needs it.
    pub timeline: Option<String>,
    /// Everything that a replay of the trace reads, if the trace failed and a page plays it.
    pub packed: Option<PackedTrace>,
}

impl TraceReport {
    /// Creates the report of a trace that has not run yet.
    pub fn new(file: &Path) -> Self {
        Self {
            file: file.to_owned(),
            path: plain(&file.display().to_string()),
            exit: Exit::Passed,
            firmware: None,
            ran: None,
            problems: Vec::new(),
            notices: Vec::new(),
            causes: Vec::new(),
            changes: Vec::new(),
            unmet_goldens: 0,
            expected: None,
            passed_unexpectedly: false,
            equal_runs: None,
            from_cache: false,
            checks_cache: false,
            notes: Vec::new(),
            inputs: None,
            pictures: Vec::new(),
            console: None,
            timeline: None,
            packed: None,
        }
    }

    /// Creates the report of a trace that passed earlier and ended at `ended_at`.
    pub fn cached(file: &Path, ended_at: Instant) -> Self {
        let ran = Some((ended_at, Duration::ZERO));
        Self { ran, from_cache: true, ..Self::new(file) }
    }

    /// Creates the report of a trace that never began.
    pub fn unusable(file: &Path, problem: Problem) -> Self {
        let mut report = Self::new(file);
        report.add(Exit::Usage, problem);
        report
    }

    pub fn add(&mut self, exit: Exit, problem: Problem) {
        self.exit = self.exit.max(exit);
        self.problems.push(problem);
    }

    /// Returns `TRACE:41:9: at 12.3 s: `, as far as `problem` has a place and a time.
    pub fn place_of(&self, problem: &Problem) -> String {
        let mut text = String::new();
        if problem.of_the_trace {
            text += &self.path;
            text += &problem.place.map(|place| format!(":{place}")).unwrap_or_default();
            text += ": ";
        }
        if let Some(at) = problem.at {
            text += &format!("at {}: ", spoken(at.since_start()));
        }
        text
    }
}

/// One problem of a trace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problem {
    /// Place in the trace.
    pub place: Option<Place>,
    /// Virtual time of the problem.
    pub at: Option<Instant>,
    /// Expected and actual result, possibly on several lines.
    pub message: String,
    /// Whether the trace's name precedes the message. False if the message names another file.
    pub of_the_trace: bool,
    /// Line of the trace that failed.
    pub quote: Option<String>,
    /// Display that the line names; `None` = the first one.
    pub display: Option<&'static str>,
    /// Text on that display at that time, line by line.
    pub shown: Option<Vec<String>>,
    /// Text on that display in the frame before, if the problem is a frame of a chain.
    pub before: Option<Vec<String>>,
    /// Time of the line that found the problem, if it is later than the problem.
    pub judged_at: Option<Instant>,
    /// Last events before the problem, the latest last.
    pub events: Vec<(Instant, String)>,
    /// Command that reproduces just this problem.
    pub again: Option<String>,
    /// Command that makes a picture of the LCD at that time, if the LCD showed something.
    pub look: Option<String>,
    /// Picture of the LCD at that time.
    pub screen: Option<FailureScreen>,
    /// The crash of the firmware, if the problem is one.
    pub crash: Option<CrashReport>,
    /// The same picture among the artifacts.
    pub saved_at: Option<PathBuf>,
}

impl Problem {
    /// Creates a problem whose message names its own file.
    pub fn elsewhere(message: String) -> Self {
        Self { message, ..Self::default() }
    }

    /// Creates a problem of the whole trace.
    pub fn of_trace(message: String) -> Self {
        Self { message, of_the_trace: true, ..Self::default() }
    }

    /// Returns the problem's pictures among the artifacts, the one that shows most first.
    pub fn pictures(&self) -> impl Iterator<Item = &Path> {
        let difference = self.screen.iter().filter_map(|screen| screen.difference.as_deref());
        difference.chain(self.saved_at.as_deref())
    }

    /// Returns the first line of the message.
    pub fn headline(&self) -> &str {
        self.message.lines().next().unwrap_or_default()
    }
}

/// A crash of the firmware, beside its message.
#[derive(Clone, Debug, Default)]
pub(crate) struct CrashReport {
    /// Place in the firmware's source.
    pub place: Option<SourcePlace>,
    /// Calls that led to it, innermost first, if the message does not have them.
    pub calls: Vec<String>,
}

/// The LCD's picture when a line failed, as PNG files.
#[derive(Clone, Debug, Default)]
pub(crate) struct FailureScreen {
    pub actual: Vec<u8>,
    /// Comparison with an existing picture, if the line compared the frame with one.
    pub compared: Option<Comparison>,
    /// Picture of the difference among the artifacts.
    pub difference: Option<PathBuf>,
}

/// The expected picture beside the LCD's picture, and the difference, as PNG files.
#[derive(Clone, Debug)]
pub(crate) struct Comparison {
    pub with: ComparedWith,
    pub other: Vec<u8>,
    pub difference: Vec<u8>,
    /// Smallest region that contains all differences, in the pictures' own pixels.
    pub region: Option<Region>,
}

/// Picture that the LCD's picture was compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComparedWith {
    Golden,
    /// The previous frame. Only hashes of an expected chain are stored.
    FrameBefore,
}

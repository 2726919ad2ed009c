//! The data on the replay of one trace, which `reporters` write. It replays and prints nothing.
//!
//! `history` is what happened in the replay, `timeline` draws it, `tally` counts traces.

pub(crate) mod history;
pub(crate) mod tally;
pub(crate) mod timeline;

use std::path::{Path, PathBuf};
use std::time::Duration;

use ili9341_model::Region;
use page::PackedTrace;
use trace::Place;
use virtual_time::{Instant, spoken};

use crate::notice::Notice;
use escape::terminal::plain;
use host::Exit;

/// A screen for the contact sheet.
pub(crate) struct SheetPicture {
    /// The trace.
    pub title: String,
    /// The screenshot's name, or `at the end`.
    pub name: String,
    /// The screen.
    pub png: Vec<u8>,
}

/// How one trace went.
pub(crate) struct TraceReport {
    /// The trace's file.
    pub file: PathBuf,
    /// The same on one line, as the command line named it.
    pub path: String,
    pub exit: Exit,
    /// How long it ran, on the board and here; `None` if it never began.
    pub ran: Option<(Instant, Duration)>,
    /// What was wrong.
    pub problems: Vec<Problem>,
    /// What makes it pass although it tests little or nothing; with `--strict` these are problems.
    pub notices: Vec<Notice>,
    /// How many runs were the same, if it was repeated and all were.
    pub equal_runs: Option<u32>,
    /// Whether it was not replayed, because an earlier replay passed.
    pub from_cache: bool,
    /// Whether an earlier result was compared with this one.
    pub checks_cache: bool,
    /// What was written.
    pub notes: Vec<String>,
    /// For the contact sheet.
    pub pictures: Vec<SheetPicture>,
    /// What the board sent over its UART, if a reporter needs it.
    pub console: Option<String>,
    /// Its buttons and frames as SVG, if a reporter needs it.
    pub timeline: Option<String>,
    /// All that a replay of it reads, if it failed and a page plays it.
    pub packed: Option<PackedTrace>,
}

impl TraceReport {
    /// Of a trace that has not run yet.
    pub fn new(file: &Path) -> Self {
        Self {
            file: file.to_owned(),
            path: plain(&file.display().to_string()),
            exit: Exit::Passed,
            ran: None,
            problems: Vec::new(),
            notices: Vec::new(),
            equal_runs: None,
            from_cache: false,
            checks_cache: false,
            notes: Vec::new(),
            pictures: Vec::new(),
            console: None,
            timeline: None,
            packed: None,
        }
    }

    /// Of a trace that has passed earlier, and ended at `ended_at`.
    pub fn cached(file: &Path, ended_at: Instant) -> Self {
        let ran = Some((ended_at, Duration::ZERO));
        Self { ran, from_cache: true, ..Self::new(file) }
    }

    /// Of a trace that never began.
    pub fn unusable(file: &Path, problem: Problem) -> Self {
        let mut report = Self::new(file);
        report.add(Exit::Usage, problem);
        report
    }

    pub fn add(&mut self, exit: Exit, problem: Problem) {
        self.exit = self.exit.max(exit);
        self.problems.push(problem);
    }

    /// `TRACE:41:9: at 12.3 s: `, as far as `problem` has a place and a time.
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

/// One thing that was wrong.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problem {
    /// Where in the trace.
    pub place: Option<Place>,
    /// When, in virtual time.
    pub at: Option<Instant>,
    /// What was expected and what there was; perhaps several lines.
    pub message: String,
    /// Whether the trace's name precedes the message: not if the message names another file.
    pub of_the_trace: bool,
    /// The line of the trace.
    pub quote: Option<String>,
    /// The text on the LCD then, line by line.
    pub shown: Option<Vec<String>>,
    /// The last things that happened before, the latest last.
    pub events: Vec<(Instant, String)>,
    /// The command that shows just this again.
    pub again: Option<String>,
    /// The command that makes a picture of the LCD then, if it showed something.
    pub look: Option<String>,
    /// What the LCD showed.
    pub screen: Option<FailureScreen>,
    /// The same among the artifacts.
    pub saved_at: Option<PathBuf>,
}

impl Problem {
    /// One that names its file itself.
    pub fn elsewhere(message: String) -> Self {
        Self { message, ..Self::default() }
    }

    /// One of the whole trace.
    pub fn of_trace(message: String) -> Self {
        Self { message, of_the_trace: true, ..Self::default() }
    }

    /// Its pictures among the artifacts, the one that shows most first.
    pub fn pictures(&self) -> impl Iterator<Item = &Path> {
        let difference = self.screen.iter().filter_map(|screen| screen.difference.as_deref());
        difference.chain(self.saved_at.as_deref())
    }

    /// The first line of the message.
    pub fn headline(&self) -> &str {
        self.message.lines().next().unwrap_or_default()
    }
}

/// What the LCD showed when a line failed, as PNG files.
#[derive(Clone, Debug, Default)]
pub(crate) struct FailureScreen {
    pub actual: Vec<u8>,
    /// What it was compared with, if the line compared it with a picture that is there.
    pub compared: Option<Comparison>,
    /// The picture of the difference among the artifacts.
    pub difference: Option<PathBuf>,
}

/// A picture beside what the LCD showed, and what differs, as PNG files.
#[derive(Clone, Debug)]
pub(crate) struct Comparison {
    pub with: ComparedWith,
    pub other: Vec<u8>,
    pub difference: Vec<u8>,
    /// The smallest region around all that differs, in the pictures' own pixels.
    pub region: Option<Region>,
}

/// What the LCD's picture was compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComparedWith {
    /// The golden frame.
    Golden,
    /// The frame before it: of an expected chain only hashes are kept.
    FrameBefore,
}

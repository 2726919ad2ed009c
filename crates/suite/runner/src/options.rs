//! The options of a run, as the command line gives them.

pub(crate) mod converted;
pub(crate) mod elements;
pub(crate) mod github;
pub(crate) mod picture_protocol;
pub(crate) mod player;
pub(crate) mod project;
pub(crate) mod result_cache;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use trace::{BoardParts, Date};
use virtual_time::{Instant, Nanos};

use crate::firmware::{FirmwareId, FirmwareNamer};
use crate::suite::shard::Shard;
use converted::ConvertedTraces;
use elements::ElementNamer;
use github::Github;
use host::Interrupt;
use picture_protocol::PictureProtocol;
use player::Player;
use project::Project;
use result_cache::ResultCache;

/// Maximum number of times that a trace can be repeated.
pub const REPEATS_MAX: u32 = 1_000;

/// Maximum number of traces that run at once.
pub const JOBS_MAX: usize = 1_024;

/// The options of a run.
#[derive(Clone, Debug, Default)]
pub struct ReplayOptions {
    /// Program that the command lines in the report name; `None`: `nudge`.
    pub program: Option<String>,
    /// Run only the traces whose path contains this text.
    pub filter: Option<String>,
    /// Run only this part of the traces that pass the filter.
    pub shard: Option<Shard>,
    /// Earlier durations of the traces, by path, from which the parts get equal running time. If
    /// empty, the parts get equal numbers of traces.
    pub durations: Vec<(String, Duration)>,
    /// Run only the traces with one of these tags; all if empty.
    pub tags: Vec<String>,
    /// Run no trace with one of these tags.
    pub excluded_tags: Vec<String>,
    /// Run only the traces that did not pass in the last run that replayed them, as `memory` says.
    pub last_failed: bool,
    /// File that remembers the traces that did not pass; `None`: they are not remembered.
    pub memory: Option<PathBuf>,
    /// Day for which dates in traces are judged; `None`: each date is still to come.
    pub today: Option<Date>,
    /// Date and time of the beginning, as in ISO 8601, for reports.
    pub started_at: Option<String>,
    /// Only print the traces' paths.
    pub list: bool,
    /// Stop each trace at this virtual time.
    pub until: Option<Instant>,
    /// Whether violations of the LCD's datasheet are allowed.
    pub allow_violations: bool,
    /// Whether a program that breaks a rule of its chip has a notice, and does not fail.
    pub lenient: bool,
    /// Whether a trace with a notice fails.
    pub strict: bool,
    /// Write golden frames that are missing or differ.
    pub bless: bool,
    /// Whether the goldens that `bless` would write are collected for a review.
    pub reviews: bool,
    /// Number of replays per trace, up to [`REPEATS_MAX`]; all of them must be the same.
    pub repeat: Option<NonZero<u32>>,
    /// Report nothing after the first trace that does not pass.
    pub fail_fast: bool,
    /// Folder in which each trace gets a folder with its console and pictures.
    pub artifacts: Option<PathBuf>,
    /// File for one picture of all screens.
    pub contact_sheet: Option<PathBuf>,
    /// Replace an existing file even if it is not an earlier report of its kind.
    pub force: bool,
    /// File for the results as JUnit.
    pub junit: Option<PathBuf>,
    /// Folder for the results as a page, `index.html`.
    pub html: Option<PathBuf>,
    /// Player of the failed traces in the page.
    pub player: Player,
    /// Paths on a GitHub runner; if set, GitHub gets annotations and a summary.
    pub github: Option<Github>,
    /// Print no line for a passed trace, and no picture.
    pub quiet: bool,
    /// Maximum number of lines of the log of several traces: reports that do not fit are left out, and
    /// counted at the end. `None`: all are written.
    pub log_lines: Option<usize>,
    /// Colour the words PASS and FAIL.
    pub colour: bool,
    /// Protocol with which the terminal shows pictures; `None` if it cannot.
    pub pictures: Option<PictureProtocol>,
    /// Show the progress on `err`, on a line that is cleared at the end.
    pub progress: bool,
    /// Maximum wall time for one replay of a trace.
    pub timeout: Option<Nanos>,
    /// Number of traces that run at once; `None`: one per core.
    pub jobs: Option<NonZero<usize>>,
    /// Project that the traces belong to, for attachments and the commands in a report.
    pub project: Option<Project>,
    /// Firmware that the traces run on, for the reports.
    pub firmware: Option<FirmwareId>,
    /// Names the firmware of traces whose headers name their boards; `None`: all run on `firmware`.
    pub firmware_of: Option<FirmwareNamer>,
    /// Names the screen elements in which a frame differs; `None` if the screens are not known.
    pub elements: Option<ElementNamer>,
    /// Parts of the board that runs the traces; `None`: those of the board that each header names,
    /// or of the LCD board.
    pub parts: Option<BoardParts>,
    /// Traces that were made of files of another format, by the paths of these files. Their results
    /// are not cached.
    pub converted: ConvertedTraces,
    /// Board that runs the traces, as in `--board`, for the command that repeats a trace.
    pub board: Option<String>,
    /// Cache of earlier results. Not used if [`needs_replays`](Self::needs_replays) is true.
    pub results: Option<ResultCache>,
    /// Once set, no more traces begin, running traces stop, and only the results of the others are
    /// reported.
    pub interrupt: Interrupt,
}

impl ReplayOptions {
    /// Returns whether the run writes goldens, pictures or reports of the replays themselves, or
    /// repeats them. Then a cached result is not sufficient.
    pub fn needs_replays(&self) -> bool {
        self.bless
            || self.reviews
            || self.repeats() > 1
            || self.artifacts.is_some()
            || self.contact_sheet.is_some()
            || self.junit.is_some()
            || self.html.is_some()
    }

    /// Returns `path` in the form that the commands of a report use.
    pub(crate) fn named(&self, path: &Path) -> String {
        let project = self.project.as_ref();
        project.map_or_else(|| path.display().to_string(), |project| project.named(path))
    }

    /// Returns the number of replays per trace, 1 to [`REPEATS_MAX`].
    pub(crate) fn repeats(&self) -> u32 {
        self.repeat.map_or(1, NonZero::get).min(REPEATS_MAX)
    }
}
